/*
 * Deciding, in two parts.  Plain rules (prefixes) are sorted by their bytes and
 * found by binary search; each knows the best of itself and the shorter
 * prefixes above it.  Rules with '*' or '$' are tried in the order of rank, but
 * only those whose pairs of bytes all occur in the path: one filter of 64 bits a
 * path turns most of them away.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "url/percent.h"
#include "web/robots_internal.h"

#define NOBODY UINT32_MAX

void robots_add_canonical(struct buf *b, struct str s, bool is_path)
{
	for (size_t i = 0; i < s.n; i++) {
		int value = percent_value(str_skip(s, i));
		uint8_t c = (uint8_t)s.p[i];

		if (value >= 0) {
			if (has_class((char)value, CLASS_UNRESERVED))
				buf_add_char(b, (char)value);
			else
				buf_add_percent(b, (char)value);
			i += 2;
		} else if (c <= ' ' || c >= 0x7f || (is_path && (c == '*' || c == '$'))) {
			buf_add_percent(b, s.p[i]);
		} else {
			buf_add_char(b, s.p[i]);
		}
	}
}

/* Most octets first, and of equals those that allow (RFC 9309 2.2.2). */
static int by_rank(const void *a, const void *b)
{
	const struct robots_rule *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? 1 : -1;
	if (x->allow != y->allow)
		return x->allow ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

static bool is_plain(const struct robots_rule *rule)
{
	return !rule->anchored && str_find_char(rule->pattern, '*') == STR_NONE;
}

/* Plain rules first, by their bytes; the others behind them, by rank. */
static int by_place(const void *a, const void *b)
{
	const struct robots_rule *x = a, *y = b;
	bool plain = is_plain(x);
	int order = 0;

	if (plain != is_plain(y))
		return plain ? -1 : 1;
	if (plain)
		order = str_cmp(x->pattern, y->pattern);
	return order ? order : by_rank(x, y);
}

/* A Bloom filter of 64 bits with one hash: which pairs of neighbours occur. */
static inline uint64_t pair_bit(char a, char b)
{
	return (uint64_t)1 << (((uint8_t)a * 37u + (uint8_t)b) & 63);
}

/* Across a '*' there are no neighbours. */
static uint64_t pairs_of_pattern(struct str s)
{
	uint64_t pairs = 0;

	for (size_t i = 1; i < s.n; i++)
		if (s.p[i - 1] != '*' && s.p[i] != '*')
			pairs |= pair_bit(s.p[i - 1], s.p[i]);
	return pairs;
}

static uint64_t pairs_of_path(struct str s)
{
	uint64_t pairs = 0;

	for (size_t i = 1; i < s.n; i++)
		pairs |= pair_bit(s.p[i - 1], s.p[i]);
	return pairs;
}

/* Of equal plain patterns only the one that decides is of use. */
static void drop_equals(struct robots *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->rules_n; i++) {
		struct robots_rule *last = kept ? &r->rules[kept - 1] : NULL;

		if (last && is_plain(last) && is_plain(&r->rules[i]) &&
		    str_eq(last->pattern, r->rules[i].pattern))
			continue;
		r->rules[kept++] = r->rules[i];
	}
	r->rules_n = kept;
}

/* So that numbers sort as the bytes do. */
static inline uint64_t front_of(struct str s)
{
	uint64_t front = 0;

	memcpy(&front, s.p, MIN(s.n, sizeof(front)));
	return be64toh(front);
}

/* `parent` is the longest other plain rule that begins this one. */
static void link_plain(struct robots *r, uint32_t i)
{
	struct robots_rule *rule = &r->rules[i];
	uint32_t up = i ? i - 1 : NOBODY;

	while (up != NOBODY && !str_starts(rule->pattern, r->rules[up].pattern))
		up = r->rules[up].parent;
	rule->parent = up;
	rule->front = front_of(rule->pattern);
	rule->best = i;
	if (up != NOBODY && by_rank(&r->rules[r->rules[up].best], rule) < 0)
		rule->best = r->rules[up].best;
}

void robots_compile(struct robots *r)
{
	if (r->rules_n == 0)
		return;
	qsort(r->rules, r->rules_n, sizeof(*r->rules), by_place);
	drop_equals(r);
	for (size_t i = 0; i < r->rules_n; i++) {
		if (is_plain(&r->rules[i])) {
			link_plain(r, (uint32_t)i);
			r->plain_n = i + 1;
		} else {
			r->rules[i].pairs = pairs_of_pattern(r->rules[i].pattern);
		}
	}
}

/*
 * A pattern with '*': the first piece at the front, each further piece at the
 * first place after the one before, which is right because a piece found early
 * leaves the most for the rest; an anchored last piece at the end.
 */
static bool matches_pieces(const struct robots_rule *rule, struct str path)
{
	struct str pattern = rule->pattern;
	size_t star = str_find_char(pattern, '*');

	if (!str_starts(path, str_slice(pattern, 0, star)))
		return false;
	path = str_skip(path, star);
	pattern = str_skip(pattern, star + 1);
	while ((star = str_find_char(pattern, '*')) != STR_NONE) {
		struct str piece = str_slice(pattern, 0, star);
		size_t at = str_find(path, piece);

		if (at == STR_NONE)
			return false;
		path = str_skip(path, at + piece.n);
		pattern = str_skip(pattern, star + 1);
	}
	return rule->anchored ? str_ends(path, pattern)
			      : str_find(path, pattern) != STR_NONE;
}

static bool matches(const struct robots_rule *rule, struct str path)
{
	if (str_find_char(rule->pattern, '*') != STR_NONE)
		return matches_pieces(rule, path);
	return rule->anchored ? str_eq(path, rule->pattern)
			      : str_starts(path, rule->pattern);
}

/*
 * Among sorted patterns, one that begins the path is the last that sorts at or
 * before it, or begins that one: so one binary search and a walk to parents.
 */
static const struct robots_rule *find_plain(const struct robots *r, struct str path)
{
	size_t low = 0, high = r->plain_n;
	uint64_t front = front_of(path);
	uint32_t i;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct robots_rule *rule = &r->rules[middle];

		if (rule->front < front ||
		    (rule->front == front && str_cmp(rule->pattern, path) <= 0))
			low = middle + 1;
		else
			high = middle;
	}
	i = low ? (uint32_t)low - 1 : NOBODY;
	while (i != NOBODY && !str_starts(path, r->rules[i].pattern))
		i = r->rules[i].parent;
	return i == NOBODY ? NULL : &r->rules[r->rules[i].best];
}

/* The first other rule that matches and outranks `best`. */
static const struct robots_rule *find_other(const struct robots *r, struct str path,
					    const struct robots_rule *best)
{
	if (r->plain_n == r->rules_n)
		return best;
	uint64_t have = pairs_of_path(path);

	for (size_t i = r->plain_n; i < r->rules_n; i++) {
		const struct robots_rule *rule = &r->rules[i];

		if (best && by_rank(best, rule) < 0)
			return best;
		if ((rule->pairs & ~have) == 0 && matches(rule, path))
			return rule;
	}
	return best;
}

/* 1: never in a canonical path.  2: only in the right form. */
static const uint8_t suspicious[256] = {
	[0x00 ... ' '] = 1, [0x7f ... 0xff] = 1, ['*'] = 1, ['$'] = 1, ['%'] = 2,
};

/* Is the path its own canonical form?  Those of normal URLs are. */
static bool is_canonical(struct str path)
{
	for (size_t i = 0; i < path.n; i++) {
		uint8_t kind = suspicious[(uint8_t)path.p[i]];

		if (kind == 0)
			continue;
		int value = percent_value(str_skip(path, i));

		if (kind == 1 ||
		    (value >= 0 && (has_class((char)value, CLASS_UNRESERVED) ||
				    path.p[i + 1] >= 'a' || path.p[i + 2] >= 'a')))
			return false;
	}
	return true;
}

struct robots_verdict robots_decide(const struct robots *r, struct str path_query)
{
	cleanup(buf_release) struct buf canonical = { 0 };
	const struct robots_rule *rule;

	if (r->rules_n == 0)
		return (struct robots_verdict){ .allowed = true };
	if (path_query.n == 0)
		path_query = STR("/");
	if (!r->as_google && str_eq(path_query, STR("/robots.txt")))
		return (struct robots_verdict){ .allowed = true };
	if (!r->as_google && !is_canonical(path_query)) {
		robots_add_canonical(&canonical, path_query, true);
		path_query = buf_str(&canonical);
	}
	rule = find_other(r, path_query, find_plain(r, path_query));
	if (!rule)
		return (struct robots_verdict){ .allowed = true };
	return (struct robots_verdict){
		.allowed = rule->allow,
		.line = rule->line,
		.pattern = rule->pattern,
	};
}
