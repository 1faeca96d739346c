#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "store/store_internal.h"

/* The newest word about a quad: true when it is there. */
static bool has(struct run_cursor *cursors, size_t n, const struct row *r)
{
	for (size_t i = n; i-- > 0;) {
		run_cursor_seek(&cursors[i], r, 4);
		if (run_cursor_fill(&cursors[i]))
			return !row_is_gone(cursors[i].at);
	}
	return false;
}

/* Sorted by quad, of equals the last one given. */
static size_t keep_last(struct row *v, size_t n)
{
	struct row *scratch = xrealloc(NULL, n + 1, sizeof(*scratch));
	size_t kept = 0;

	rows_sort(v, scratch, n); /* stable */
	free(scratch);
	for (size_t i = 0; i < n; i++) {
		bool last = i + 1 == n || row_cmp(&v[i], &v[i + 1]) != 0;

		if (last) {
			struct row key = v[i];

			v[kept++] = key;
		}
	}
	return kept;
}

size_t changes_effective(const struct snapshot *s, struct row *changes, size_t n)
{
	struct run_cursor *cursors = xcalloc(s->n_runs + 1, sizeof(*cursors));
	size_t kept = 0;

	n = keep_last(changes, n);
	for (size_t i = 0; i < s->n_runs; i++)
		run_cursor_start(&cursors[i], s->runs[i], ORDER_SPO);
	for (size_t i = 0; i < n; i++) {
		struct row key = changes[i];

		key.v[0] &= ~ROW_GONE;
		if (has(cursors, s->n_runs, &key) == row_is_gone(&changes[i]))
			changes[kept++] = changes[i];
	}
	for (size_t i = 0; i < s->n_runs; i++)
		run_cursor_release(&cursors[i]);
	free(cursors);
	return kept;
}

/*
 * Like digits of a counter: a new run swallows its elder while that is not much
 * larger, so n commits cost n log n row copies and leave log n runs.
 */
struct snapshot *changes_apply(const struct snapshot *s, size_t unmergeable,
			       const struct row *changes, size_t n)
{
	struct snapshot *next = snapshot_copy(s);
	struct run *r = run_from_quads(changes, n);

	while (next->n_runs > unmergeable) {
		struct run *elder = next->runs[next->n_runs - 1], *both;

		if (elder->on_disk || elder->n_rows > 4 * r->n_rows)
			break;
		both = run_merge(elder, r);
		run_release(elder);
		run_release(r);
		next->n_runs--;
		r = both;
	}
	if (r->n_rows > 0)
		snapshot_add_run(next, r);
	else
		run_release(r);
	return next;
}
