#include "query/op.h"

static const char *op_name(const struct op *o)
{
	static const char *const names[] = {
		[PATTERN_UNIT] = "unit",       [PATTERN_BGP] = "patterns",
		[PATTERN_JOIN] = "join",       [PATTERN_LEFT_JOIN] = "optional",
		[PATTERN_UNION] = "union",     [PATTERN_MINUS] = "minus",
		[PATTERN_FILTER] = "filter",   [PATTERN_EXTEND] = "bind",
		[PATTERN_VALUES] = "values",   [PATTERN_GRAPH] = "graph",
		[PATTERN_SERVICE] = "service", [PATTERN_SELECT] = "sub-select",
	};

	return names[o->kind];
}

void op_explain(struct exec *x, const struct op *o, int depth, struct buf *to)
{
	if (o->kind == PATTERN_BGP) {
		bgp_explain(x, o->bgp, depth, to);
		return;
	}
	buf_addf(to, "%*s%s", 2 * depth, "", op_name(o));
	if (o->right_alone || o->kind == PATTERN_MINUS)
		buf_addf(to, " (right side alone: %zu rows hashed)", o->table.n_rows);
	if (o->kind == PATTERN_FILTER && !o->expr)
		buf_add(to, STR(" (moved into the patterns)"));
	else if (o->kind != PATTERN_UNION)
		buf_addf(to, "  actual %llu", (unsigned long long)o->rows);
	buf_add_char(to, '\n');
	if (o->left)
		op_explain(x, o->left, depth + 1, to);
	if (o->right)
		op_explain(x, o->right, depth + 1, to);
	if (o->select)
		select_explain(x, o->select, depth + 1, to);
}
