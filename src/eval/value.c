#include "eval/value.h"

#include <math.h>

static struct term number_term(struct exec *x, struct number n)
{
	cleanup(buf_release) struct buf b = { 0 };

	number_format(n, &b);
	return term_typed(arena_copy(&x->scratch, buf_str(&b)),
			  str_from(number_datatype(n.type)));
}

struct term value_term(struct exec *x, const struct value *v)
{
	switch (v->kind) {
	case VALUE_ID:
		return exec_term(x, v->id);
	case VALUE_TERM:
		return v->term;
	case VALUE_NUMBER:
		return number_term(x, v->number);
	case VALUE_BOOLEAN:
		return term_typed(v->boolean ? STR("true") : STR("false"),
				  STR(XSD "boolean"));
	case VALUE_ERROR:
		break;
	}
	return (struct term){ 0 };
}

uint64_t value_id(struct exec *x, const struct value *v)
{
	if (v->kind == VALUE_ERROR)
		return ID_NONE;
	if (v->kind == VALUE_ID)
		return v->id;
	if (v->kind == VALUE_BOOLEAN)
		return id_from_boolean(v->boolean);
	return exec_intern(x, value_term(x, v));
}

bool value_number(struct exec *x, const struct value *v, struct number *ret)
{
	if (v->kind == VALUE_NUMBER) {
		*ret = v->number;
		return true;
	}
	if (v->kind == VALUE_ID) {
		if (id_to_number(v->id, ret))
			return true;
		if (id_tag(v->id) != TAG_LITERAL && id_tag(v->id) != TAG_LOCAL)
			return false;
	}
	return (v->kind == VALUE_ID || v->kind == VALUE_TERM) &&
	       number_from_term(value_term(x, v), ret);
}

static bool parse_boolean(struct str s, bool *ret)
{
	s = str_trim(s);
	*ret = str_eq(s, STR("true")) || str_eq(s, STR("1"));
	return *ret || str_eq(s, STR("false")) || str_eq(s, STR("0"));
}

bool value_truth(struct exec *x, const struct value *v, bool *ret)
{
	struct number n;
	struct term t;

	if (v->kind == VALUE_BOOLEAN) {
		*ret = v->boolean;
		return true;
	}
	if (v->kind == VALUE_ERROR)
		return false;
	if (value_number(x, v, &n)) {
		*ret = number_is_true(n);
		return true;
	}
	t = value_term(x, v);
	if (t.kind != TERM_LITERAL)
		return false;
	if (str_eq(t.datatype, STR(XSD "boolean"))) {
		if (!parse_boolean(t.text, ret))
			*ret = false; /* an ill-formed boolean or number counts as false
				       */
		return true;
	}
	if (datatype_is_numeric(t.datatype)) {
		*ret = false;
		return true;
	}
	*ret = t.text.n > 0;
	return t.datatype.n == 0;
}

static void classify_literal(struct compared *c)
{
	struct str name = c->term.datatype;

	c->type = TYPE_OTHER;
	if (c->term.lang.n) {
		c->type = TYPE_LANG_STRING;
	} else if (name.n == 0) {
		c->type = TYPE_STRING;
	} else if (number_from_term(c->term, &c->number)) {
		c->type = TYPE_NUMBER;
	} else if (!str_take_prefix(&name, STR(XSD))) {
		return;
	} else if (str_eq(name, STR("boolean"))) {
		c->known_datatype = true;
		if (parse_boolean(c->term.text, &c->boolean))
			c->type = TYPE_BOOLEAN;
	} else if (str_eq(name, STR("dateTime"))) {
		c->known_datatype = true;
		if (datetime_parse(c->term.text, &c->time))
			c->type = TYPE_DATETIME;
	} else if (str_eq(name, STR("date"))) {
		c->known_datatype = true;
		if (date_parse(c->term.text, &c->time))
			c->type = TYPE_DATE;
	} else if (str_eq(name, STR("time"))) {
		c->known_datatype = true;
		if (time_parse(c->term.text, &c->time))
			c->type = TYPE_TIME;
	} else {
		c->known_datatype = datatype_is_numeric(c->term.datatype);
	}
}

struct compared value_compared(struct exec *x, const struct value *v)
{
	struct compared c = { .type = TYPE_OTHER };

	if (v->kind == VALUE_NUMBER) {
		c.type = TYPE_NUMBER;
		c.number = v->number;
		return c;
	}
	if (v->kind == VALUE_BOOLEAN ||
	    (v->kind == VALUE_ID && id_tag(v->id) == TAG_BOOLEAN)) {
		c.type = TYPE_BOOLEAN;
		c.boolean = v->kind == VALUE_BOOLEAN ? v->boolean : id_payload(v->id);
		return c;
	}
	if (v->kind == VALUE_ID && id_to_number(v->id, &c.number)) {
		c.type = TYPE_NUMBER;
		return c;
	}
	if (v->kind == VALUE_ID && id_to_datetime(v->id, &c.time)) {
		c.type = id_tag(v->id) == TAG_DATE ? TYPE_DATE : TYPE_DATETIME;
		return c;
	}
	c.term = value_term(x, v);
	if (c.term.kind == TERM_IRI)
		c.type = TYPE_IRI;
	else if (c.term.kind == TERM_BLANK)
		c.type = TYPE_BLANK;
	else if (c.term.kind == TERM_LITERAL)
		classify_literal(&c);
	return c;
}

static bool is_time(enum value_type t)
{
	return t == TYPE_DATETIME || t == TYPE_DATE || t == TYPE_TIME;
}

/* Values of one comparable type; 2 where they have no order. */
static int order_same(const struct compared *a, const struct compared *b)
{
	switch (a->type) {
	case TYPE_NUMBER:
		return number_compare(a->number, b->number);
	case TYPE_BOOLEAN:
		return a->boolean - b->boolean;
	case TYPE_DATETIME:
	case TYPE_DATE:
	case TYPE_TIME:
		return datetime_compare(&a->time, &b->time);
	case TYPE_STRING: {
		int c = str_cmp(a->term.text, b->term.text);

		return (c > 0) - (c < 0);
	}
	default:
		return 2;
	}
}

/*
 * RDFterm-equal: different literals are an error unless both are of types whose
 * values we know; then they are different.
 */
int value_equal(struct exec *x, const struct value *a, const struct value *b)
{
	if (a->kind == VALUE_ERROR || b->kind == VALUE_ERROR)
		return -1;
	if (a->kind == VALUE_ID && b->kind == VALUE_ID && a->id == b->id &&
	    id_tag(a->id) != TAG_LITERAL && id_tag(a->id) != TAG_LOCAL)
		return 1;

	struct compared p = value_compared(x, a), q = value_compared(x, b);
	bool both_literal = p.type >= TYPE_STRING && q.type >= TYPE_STRING;

	if (p.type == q.type && p.type != TYPE_OTHER && order_same(&p, &q) != 2)
		return order_same(&p, &q) == 0;
	if (p.type == q.type && p.type == TYPE_NUMBER)
		return 0; /* NaN */
	if (p.type == q.type && is_time(p.type))
		return -1;
	if (!both_literal || (p.type != TYPE_OTHER && q.type != TYPE_OTHER))
		return p.type == q.type && term_eq(p.term, q.term);
	if (p.type == TYPE_OTHER && q.type == TYPE_OTHER && term_eq(p.term, q.term))
		return 1;
	/* A language makes it another kind of thing, whatever the other's datatype. */
	if (p.type == TYPE_LANG_STRING || q.type == TYPE_LANG_STRING)
		return 0;
	return -1;
}

bool value_order(struct exec *x, const struct value *a, const struct value *b, int *ret)
{
	if (a->kind == VALUE_ERROR || b->kind == VALUE_ERROR)
		return false;

	if (a->kind == VALUE_ID && b->kind == VALUE_ID && id_has_zone(a->id) &&
	    id_has_zone(b->id)) {
		uint64_t s = id_time_key(a->id), t = id_time_key(b->id);

		*ret = (s > t) - (s < t);
		return true;
	}

	struct compared p = value_compared(x, a), q = value_compared(x, b);

	if (p.type != q.type)
		return false;
	*ret = order_same(&p, &q);
	/* NaN is an ordinary number that compares false with everything. */
	return p.type == TYPE_NUMBER || *ret != 2;
}

static int rank(const struct compared *c)
{
	if (c->type == TYPE_OTHER && c->term.kind == TERM_NONE)
		return 0; /* unbound */
	return 1 + (int)c->type;
}

static int order_terms(const struct term *a, const struct term *b)
{
	int c = str_cmp(a->text, b->text);

	c = c ? c : str_cmp(a->lang, b->lang);
	return c ? c : str_cmp(a->datatype, b->datatype);
}

int compared_order(const struct compared *a, const struct compared *b)
{
	int ra = rank(a), rb = rank(b), c;

	if (ra != rb)
		return ra < rb ? -1 : 1;
	if (a->type == TYPE_NUMBER) {
		c = number_compare(a->number, b->number);
		if (c != 2)
			return c;
		return isnan(number_to_double(a->number)) ? -1 : 1;
	}
	if (is_time(a->type)) {
		c = datetime_compare(&a->time, &b->time);
		if (c != 2 && c != 0)
			return c;
		int64_t s = datetime_seconds(&a->time), t = datetime_seconds(&b->time);
		if (s != t)
			return s < t ? -1 : 1;
		return order_terms(&a->term, &b->term);
	}
	if (a->type == TYPE_BOOLEAN)
		return a->boolean - b->boolean;
	return order_terms(&a->term, &b->term);
}
