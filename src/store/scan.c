#include <stdlib.h>

#include "base/alloc.h"
#include "store/snapshot.h"

#define MERGED_ROWS 1024

void scan_open(struct scan *s, const struct snapshot *from, enum order order)
{
	*s = (struct scan){ .order = order, .n = from->n_runs };
	s->cursors = xcalloc(s->n + 1, sizeof(*s->cursors));
	for (size_t i = 0; i < s->n; i++)
		run_cursor_start(&s->cursors[i], from->runs[i], order);
}

void scan_close(struct scan *s)
{
	for (size_t i = 0; i < s->n; i++)
		run_cursor_release(&s->cursors[i]);
	free(s->cursors);
	free(s->merged);
	*s = (struct scan){ 0 };
}

void scan_start(struct scan *s, const struct row *key, unsigned bound)
{
	s->key = *key;
	s->bound = bound;
	for (size_t i = 0; i < s->n; i++)
		run_cursor_seek(&s->cursors[i], key, bound);
}

void scan_skip(struct scan *s, const struct row *key, unsigned columns)
{
	for (size_t i = 0; i < s->n; i++)
		run_cursor_skip(&s->cursors[i], key, columns);
}

/* The cursor with the smallest row, the newest of equals; NULL at the end. */
static struct run_cursor *smallest(struct scan *s)
{
	struct run_cursor *best = NULL;

	for (size_t i = 0; i < s->n; i++) {
		struct run_cursor *c = &s->cursors[i];

		if (run_cursor_fill(c) && (!best || row_cmp(c->at, best->at) <= 0))
			best = c;
	}
	return best;
}

static void drop_equal(struct scan *s, const struct row *r)
{
	for (size_t i = 0; i < s->n; i++) {
		struct run_cursor *c = &s->cursors[i];

		if (c->at < c->end && row_cmp(c->at, r) == 0)
			c->at++;
	}
}

static bool next_merged(struct scan *s, const struct row **ret, size_t *ret_n)
{
	struct run_cursor *c;
	size_t n = 0;

	if (!s->merged)
		s->merged = xrealloc(NULL, MERGED_ROWS, sizeof(*s->merged));
	while (n < MERGED_ROWS && (c = smallest(s))) {
		struct row r = *c->at;

		drop_equal(s, &r);
		if (!row_is_gone(&r))
			s->merged[n++] = r;
	}
	*ret = s->merged;
	*ret_n = n;
	return n > 0;
}

/*
 * Where one run alone has rows of the key, none of them can be gone: the word
 * that they were inserted would stand in an older run of the same range.
 */
bool scan_next(struct scan *s, const struct row **ret, size_t *ret_n)
{
	struct run_cursor *only = NULL;

	for (size_t i = 0; i < s->n; i++) {
		if (!run_cursor_fill(&s->cursors[i]))
			continue;
		if (only)
			return next_merged(s, ret, ret_n);
		only = &s->cursors[i];
	}
	if (!only)
		return false;
	*ret = only->at;
	*ret_n = (size_t)(only->end - only->at);
	only->at = only->end;
	return true;
}

uint64_t scan_count(struct scan *s, const struct row *key, unsigned bound)
{
	int64_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += run_count(&s->cursors[i], key, bound);
	return n > 0 ? (uint64_t)n : 0;
}

bool scan_is_damaged(const struct scan *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->cursors[i].damaged)
			return true;
	return false;
}
