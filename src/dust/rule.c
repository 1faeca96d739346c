#include "dust/rule.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "base/hash.h"

const struct str rule_state_words[RULE_STATES] = {
	[RULE_VALID] = STR("valid"),         [RULE_PROBATION] = STR("probation"),
	[RULE_CONFIRMED] = STR("confirmed"), [RULE_RETRACTED] = STR("retracted"),
	[RULE_DISABLED] = STR("disabled"),
};

void rule_set_release(struct rule_set *s)
{
	free(s->v);
	arena_release(&s->in);
	*s = (struct rule_set){ 0 };
}

/* A rewrite is two words and starts with '^'; anything else is an operation. */
static enum status parse_text(struct rule_set *s, struct rule *r, struct text_place at,
			      struct diag *why)
{
	struct diag inner = { 0 };

	if (r->text.n == 0 || r->text.p[0] != '^') {
		r->is_operation = true;
		if (operation_parse(r->text, &r->operation, &inner) != ST_OK)
			return diag_fail(why, ST_SYNTAX, "line %u, column %u: %s",
					 at.line, at.column, inner.text);
		return ST_OK;
	}
	size_t space = str_find_char(r->text, ' ');
	if (space == STR_NONE)
		return diag_fail(why, ST_SYNTAX,
				 "line %u, column %zu: want a transformation", at.line,
				 at.column + r->text.n);
	TRY(pattern_parse(str_slice(r->text, 0, space), at, &s->in, &r->pattern, why));
	at.column += (unsigned)space + 1;
	TRY(transformation_parse(str_skip(r->text, space + 1), at, r->pattern.n_captures,
				 &s->in, &r->transformation, why));
	transformation_join(&r->transformation, &r->pattern);
	return ST_OK;
}

enum status rule_set_add(struct rule_set *s, struct str text, struct text_place at,
			 struct rule **ret, struct diag *why)
{
	struct rule r = { .text = arena_copy(&s->in, text) };

	TRY(parse_text(s, &r, at, why));
	VEC_ADD(s->v, s->n, s->cap, r);
	*ret = &s->v[s->n - 1];
	return ST_OK;
}

static int cmp_strs(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

struct str bare_host(struct str host)
{
	/* Something is left, and the bare host of a bare host is itself: files are read
	 * back as they were written. */
	while (host.n > 4 && str_starts(host, STR("www.")))
		host = str_skip(host, 4);
	return host;
}

static struct str *copy_names(struct arena *in, const struct rule *r,
			      const struct str *names, size_t n, uint32_t *ret_n)
{
	struct str *v = arena_alloc(in, (n + 1) * sizeof(*v));
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		v[i] = r->is_operation ? bare_host(names[i]) : names[i];
	if (n > 1)
		qsort(v, n, sizeof(*v), cmp_strs);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || !str_eq(v[kept - 1], v[i]))
			v[kept++] = arena_copy(in, v[i]);
	*ret_n = (uint32_t)kept;
	return v;
}

void rule_set_sites(struct rule_set *s, struct rule *r, const struct str *sites, size_t n)
{
	r->sites = copy_names(&s->in, r, sites, n, &r->n_sites);
}

void rule_set_except(struct rule_set *s, struct rule *r, const struct str *sites,
		     size_t n)
{
	r->except = copy_names(&s->in, r, sites, n, &r->n_except);
}

struct rule *rule_set_copy(struct rule_set *s, const struct rule *r)
{
	struct rule *c;

	if (rule_set_add(s, r->text, (struct text_place){ 1, 1 }, &c, NULL) != ST_OK)
		abort(); /* it was parsed once */
	rule_set_sites(s, c, r->sites, r->n_sites);
	rule_set_except(s, c, r->except, r->n_except);
	c->universal = r->universal;
	c->state = r->state;
	c->evidence = r->evidence;
	c->note = arena_copy(&s->in, r->note);
	return c;
}

int rule_cmp(const struct rule *x, const struct rule *y)
{
	if (x->is_operation != y->is_operation)
		return x->is_operation ? -1 : 1;
	if (x->evidence.support != y->evidence.support)
		return x->evidence.support > y->evidence.support ? -1 : 1;
	if (x->universal != y->universal)
		return x->universal ? -1 : 1;
	if (x->text.n != y->text.n)
		return x->text.n < y->text.n ? -1 : 1;
	return str_cmp(x->text, y->text);
}

static int cmp_rules(const void *a, const void *b)
{
	return rule_cmp(a, b);
}

void rule_set_order(struct rule_set *s)
{
	if (s->n > 1)
		qsort(s->v, s->n, sizeof(*s->v), cmp_rules);
}

void rule_add_id(struct buf *to, struct str text)
{
	buf_addf(to, "r%08x", (unsigned)hash64(text));
}

static bool has_name(const struct str *v, size_t n, struct str name)
{
	return n > 0 && bsearch(&name, v, n, sizeof(*v), cmp_strs);
}

bool rule_covers(const struct rule *r, struct str host)
{
	if (r->is_operation)
		host = bare_host(host);
	if (r->universal)
		return !has_name(r->except, r->n_except, host);
	return has_name(r->sites, r->n_sites, host);
}

bool rule_is_active(const struct rule *r)
{
	return r->state != RULE_RETRACTED && r->state != RULE_DISABLED;
}

double rule_wrong_rate(const struct rule_evidence *e)
{
	return e->support ? (double)e->wrong / (double)e->support : 0;
}
