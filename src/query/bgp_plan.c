/*
 * A basic graph pattern made ready to run, once its order is chosen: where filters are
 * asked, what is read behind each step, which rows wait for each other, which
 * ranges of an index can be passed over.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "query/bgp_order.h"

/* Each filter goes to the first step after which its variables are bound. */
static void place_filters(struct exec *x, struct bgp *b)
{
	for (size_t f = 0; f < b->n_filters; f++) {
		bool *vars = vars_new(x), *bound = vars_new(x);
		size_t at = 0;

		vars_of_expr(x, b->filters[f], vars);
		for (; at < b->n; at++) {
			bool all = true;

			for (int k = 0; k < 3; k++)
				if (slot_of(&b->steps[at], k)->is_var)
					bound[slot_of(&b->steps[at], k)->var] = true;
			for (size_t i = 0; i < x->n_vars; i++)
				all &= !vars[i] || bound[i];
			if (all)
				break;
		}
		struct step *t = &b->steps[MIN(at, b->n - 1)];
		VEC_ADD(t->filters, t->n_filters, t->filters_cap, b->filters[f]);
	}
}

/* What is read behind each step: by later ones, by filters from here on, at the end. */
static void set_read(struct exec *x, struct bgp *b)
{
	bool *read = vars_new(x);

	memcpy(read, b->read, x->n_vars);
	for (size_t at = b->n; at-- > 0;) {
		struct step *t = &b->steps[at];
		bool *own = vars_new(x);

		for (size_t i = 0; i < t->n_filters; i++)
			vars_of_expr(x, t->filters[i], read);
		memcpy(own, read, x->n_vars);
		t->read = own;
		for (int k = 0; k < 3; k++)
			if (slot_of(t, k)->is_var)
				read[slot_of(t, k)->var] = true;
	}
}

#define BATCH_WORTH  256 /* rows before a step, at least */
#define BATCH_HASHED 512 /* what they need stays in the cache */
#define BATCH_SORTED 8192

/* The column of the search that comes first among those of variables. */
static uint32_t search_key(const struct step *t, const bool *bound)
{
	bool at[3];
	unsigned n;

	for (int k = 0; k < 3; k++)
		at[k] = !slot_of(t, k)->is_var || bound[slot_of(t, k)->var];
	enum order order = choose_order(at[0], at[1], at[2], &n);
	for (unsigned column = 1; column < n; column++)
		for (int k = 0; k < 3; k++)
			if (order_column[order][k] == column && slot_of(t, k)->is_var)
				return slot_of(t, k)->var;
	return VAR_NONE;
}

/* Where many rows are looked up or searched anywhere, they wait for each other. */
static void set_batches(struct exec *x, struct bgp *b)
{
	bool *bound = vars_new(x);

	if (b->seeds)
		memcpy(bound, b->seeds, x->n_vars);
	for (size_t at = 0; at < b->n; at++) {
		struct step *t = &b->steps[at];
		struct step_batch *batch = &t->batch;

		batch->key = t->access == ACCESS_SEEK ? search_key(t, bound) : VAR_NONE;
		if (at && b->steps[at - 1].estimate >= BATCH_WORTH &&
		    (t->access == ACCESS_HASH || batch->key != VAR_NONE)) {
			batch->size =
				t->access == ACCESS_HASH ? BATCH_HASHED : BATCH_SORTED;
			batch->vars = exec_tree(x, (x->n_vars + 1) * sizeof(uint32_t));
			for (uint32_t i = 0; i < x->n_vars; i++)
				if (bound[i])
					batch->vars[batch->n_vars++] = i;
		}
		for (int k = 0; k < 3; k++)
			if (slot_of(t, k)->is_var)
				bound[slot_of(t, k)->var] = true;
	}
}

#define UNKNOWN_ZONE_S (14 * 3600) /* a date-time without zone may be that far off */

/* Of `a op b` with a variable and an inline constant: the bound it sets. */
static bool comparison_bound(const struct expr *e, uint32_t var, uint64_t *ret,
			     bool *is_low, bool *is_high)
{
	bool flipped = e->n == 2 && e->args[0]->op == EXPR_TERM;
	const struct expr *v, *c;

	if (e->n != 2 || e->op < EXPR_EQUAL || e->op > EXPR_GREATER_EQUAL ||
	    e->op == EXPR_NOT_EQUAL)
		return false;
	v = e->args[flipped];
	c = e->args[!flipped];
	if (v->op != EXPR_VAR || v->var != var || c->op != EXPR_TERM)
		return false;
	if (id_tag(c->id) != TAG_INTEGER && !id_has_zone(c->id))
		return false;
	bool less = e->op == EXPR_LESS || e->op == EXPR_LESS_EQUAL;
	*ret = c->id;
	*is_high = e->op == EXPR_EQUAL || less != flipped;
	*is_low = e->op == EXPR_EQUAL || less == flipped;
	return true;
}

static struct id_range whole_tag(enum id_tag tag)
{
	return (struct id_range){ id_make(tag, 0), id_make(tag, ID_PAYLOAD_MASK) };
}

/* The literals of the dictionary, `own`, and for integers all other inline numbers. */
static void add_ranges(struct step *t, enum id_tag tag, struct id_range own)
{
	t->ranges[t->n_ranges++] = whole_tag(TAG_LITERAL);
	t->ranges[t->n_ranges++] = own;
	if (tag != TAG_INTEGER)
		return;
	t->ranges[t->n_ranges++] = whole_tag(TAG_DECIMAL);
	t->ranges[t->n_ranges++] = whole_tag(TAG_DOUBLE);
}

/*
 * The filters on an object as ranges of ids.  Values that are not inline are
 * literals of the dictionary, and other kinds of numbers have an order of
 * their own, so they are all looked at; the filters are asked again anyway.
 */
static void set_ranges(struct step *t)
{
	enum id_tag tag = TAG_NONE;
	struct id_range own = { 0 };
	uint64_t bound;
	bool is_low, is_high;

	for (size_t i = 0; t->o.is_var && !t->p.is_var && i < t->n_filters; i++) {
		if (!comparison_bound(t->filters[i], t->o.var, &bound, &is_low,
				      &is_high) ||
		    (tag != TAG_NONE && tag != id_tag(bound)))
			continue;
		bool is_time = id_tag(bound) == TAG_DATETIME;
		if (tag == TAG_NONE)
			own = whole_tag(id_tag(bound));
		tag = id_tag(bound);
		if (is_low)
			own.low = MAX(own.low,
				      is_time ? id_datetime_near(bound, -UNKNOWN_ZONE_S)
					      : bound);
		if (is_high)
			own.high =
				MIN(own.high,
				    is_time ? id_datetime_near(bound, UNKNOWN_ZONE_S + 1)
					    : bound);
	}
	if (tag != TAG_NONE)
		add_ranges(t, tag, own);
}

/* What a hash table is keyed by: variables of the step that are bound before it. */
static void prepare_hashes(struct exec *x, struct bgp *b)
{
	bool *bound = vars_new(x);

	for (size_t at = 0; at < b->n; at++) {
		struct step *t = &b->steps[at];
		bool *vars = vars_new(x), *keys = vars_new(x);

		for (int k = 0; k < 3; k++) {
			const struct slot *s = slot_of(t, k);

			if (!s->is_var)
				continue;
			vars[s->var] = true;
			keys[s->var] = bound[s->var];
		}
		if (t->access == ACCESS_HASH)
			table_init(x, &t->hash, vars, keys);
		for (size_t i = 0; i < x->n_vars; i++)
			bound[i] |= vars[i];
		if (t->access == ACCESS_HASH && t->hash.n_keys == 0)
			t->access = ACCESS_SEEK; /* joined by a seed only: it may be
						    unbound */
	}
}

void bgp_plan(struct exec *x, struct bgp *b)
{
	bgp_order(x, b);
	prepare_hashes(x, b);
	if (b->n)
		place_filters(x, b);
	if (b->read)
		set_read(x, b);
	set_batches(x, b);
	for (size_t i = 0; i < b->n; i++)
		if (!b->steps[i].path)
			set_ranges(&b->steps[i]);
	b->planned = true;
	assert_bgp(b);
}
