/*
 * What always holds of a plan.  Checked once a query, when the plan is ready: a few
 * instructions for each operator and variable, kept on in release.
 *
 * 1. What an operator surely binds it may bind.
 * 2. A two-sided operator has both sides, a one-sided one its left, a leaf none.
 * 3. A right side that is evaluated alone is joined by a table of all that it may bind,
 *    keyed only by what both sides surely bind: a key that could be unbound would
 *    lose rows.
 * 4. MINUS compares what may be bound on both sides, nothing else.
 * 5. The steps of a planned BGP ask each of its filters once; a hash has a key.
 */
#include <assert.h>

#include "query/bgp.h"

static bool is_two_sided(enum pattern_kind kind)
{
	return kind == PATTERN_JOIN || kind == PATTERN_LEFT_JOIN ||
	       kind == PATTERN_UNION || kind == PATTERN_MINUS;
}

static bool is_one_sided(enum pattern_kind kind)
{
	return kind == PATTERN_FILTER || kind == PATTERN_EXTEND || kind == PATTERN_GRAPH;
}

static void assert_table(const struct op *o)
{
	const struct table *t = &o->table;

	for (size_t i = 0; i < t->n_vars; i++)
		assert(o->right->possible[t->vars[i]]);
	for (size_t i = 0; i < t->n_keys; i++) {
		uint32_t var = t->vars[t->keys[i]];

		assert(o->left->certain[var] && o->right->certain[var]);
	}
}

void assert_op(const struct exec *x, const struct op *o)
{
	for (size_t i = 0; i < x->n_vars; i++)
		assert(!o->certain[i] || o->possible[i]);
	assert(!is_two_sided(o->kind) || (o->left && o->right));
	assert(!is_one_sided(o->kind) || (o->left && !o->right));
	assert((o->kind == PATTERN_BGP) == (o->bgp != NULL));
	assert((o->kind == PATTERN_SELECT) == (o->select != NULL));
	if (o->right_alone || o->kind == PATTERN_MINUS)
		assert_table(o);
	for (size_t i = 0; o->shared && i < x->n_vars; i++)
		assert(o->shared[i] == (o->left->possible[i] && o->right->possible[i]));
	if (o->left)
		assert_op(x, o->left);
	if (o->right)
		assert_op(x, o->right);
}

void assert_bgp(const struct bgp *b)
{
	size_t asked = 0;

	assert(b->planned);
	for (size_t i = 0; i < b->n; i++) {
		const struct step *t = &b->steps[i];

		asked += t->n_filters;
		assert((t->access == ACCESS_PATH) == (t->path != NULL));
		assert(t->access != ACCESS_HASH || t->hash.n_keys > 0);
		assert(t->n_ranges <= COUNT(t->ranges));
	}
	assert(b->n == 0 || asked == b->n_filters);
}
