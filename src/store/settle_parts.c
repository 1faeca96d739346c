/*
 * Every time the memory is settled the dictionary gets another part, and a term is
 * searched in all of them.  Neighbours among the newest are made one, once they are
 * many enough.  Their numbers must follow each other without a gap, since the new
 * part knows a place for every number in its range; a bulk load leaves gaps.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "store/store_internal.h"

#define MERGE_RATIO 4 /* an elder less than so many times as large is merged */
#define PARTS_MIN   4 /* fewer are left alone */

struct source {
	const struct dict_part *part;
	struct dict_cursor *cursor;
	uint64_t number;
};

static bool goes_before(const struct source *a, const struct source *b)
{
	return str_cmp(buf_str(&a->cursor->key), buf_str(&b->cursor->key)) < 0;
}

HEAP_DEFINE(source_heap, struct source, goes_before)

/* The settled part that begins with number `first`. */
static const struct dict_part *part_at(const struct snapshot *s, uint64_t first)
{
	for (size_t i = 0; i < s->n_parts; i++)
		if (s->parts[i]->on_disk && s->parts[i]->first == first)
			return s->parts[i];
	return NULL;
}

/* How many of the newest settled parts belong together now; 0: none. */
static size_t due_for_merge(const struct manifest *m, const struct snapshot *now)
{
	uint64_t terms = 0, next = 0;
	size_t n = 0;

	for (; n < m->n_parts; n++) {
		const struct dict_part *p =
			part_at(now, m->parts[m->n_parts - 1 - n].first);
		uint64_t count = p ? dict_part_count(p) : 0;

		if (!p || terms + count > UINT32_MAX ||
		    (n && (p->first + count != next || count >= MERGE_RATIO * terms)))
			break;
		terms += count;
		next = p->first;
	}
	return n >= PARTS_MIN ? n : 0;
}

static enum status write_merged(struct source_heap *heap, uint64_t first,
				const char *path, struct diag *why)
{
	cleanup(dict_writer_release) struct dict_writer w = { 0 };

	TRY(dict_writer_open(&w, path, true, why));
	while (heap->n) {
		struct source *s = &heap->v[0];
		const struct dict_file *f = &s->part->file;

		TRY(dict_writer_add(&w, buf_str(&s->cursor->key),
				    s->part->first - first + s->number, why));
		if (!dict_file_next(f, s->cursor, &s->number)) {
			if (s->cursor->rank + 1 != f->n)
				return diag_fail(why, ST_CORRUPT,
						 "a block of the dictionary is damaged");
			heap->v[0] = heap->v[--heap->n];
		}
		source_heap_down(heap, 0);
	}
	return dict_writer_end(&w, why);
}

/* The newest `n` parts, from `first` on, as one file. */
static enum status merge_parts(const struct manifest *m, const struct snapshot *now,
			       size_t n, const char *path, struct diag *why)
{
	struct dict_cursor *cursors = xcalloc(n, sizeof(*cursors));
	struct source_heap heap = { 0 };
	uint64_t first = m->parts[m->n_parts - n].first;
	enum status st = ST_OK;

	for (size_t i = 0; i < n; i++) {
		struct source s = { .part = part_at(now,
						    m->parts[m->n_parts - n + i].first),
				    .cursor = &cursors[i] };

		if (dict_file_next(&s.part->file, s.cursor, &s.number))
			source_heap_add(&heap, s);
		else if (s.part->file.n)
			st = diag_fail(why, ST_CORRUPT,
				       "a block of the dictionary is damaged");
	}
	if (st == ST_OK)
		st = write_merged(&heap, first, path, why);
	for (size_t i = 0; i < n; i++)
		dict_cursor_release(&cursors[i]);
	free(cursors);
	source_heap_release(&heap);
	return st;
}

/* The merged part in the place of those that it was made of. */
static void exchange(struct store *s, struct dict_part *merged)
{
	struct snapshot *next = NEW(struct snapshot), *now = s->now;
	uint64_t end = merged->first + dict_part_count(merged);
	bool placed = false;

	next->refs = 1;
	for (size_t i = 0; i < now->n_runs; i++)
		snapshot_add_run(next, run_share(now->runs[i]));
	for (size_t i = 0; i < now->n_parts; i++) {
		struct dict_part *p = now->parts[i];

		if (!p->on_disk || p->first < merged->first || p->first >= end) {
			snapshot_add_part(next, dict_part_share(p));
		} else if (!placed) {
			snapshot_add_part(next, merged);
			placed = true;
		}
	}
	store_publish(s, next);
}

static enum status install(struct store *s, size_t n, uint64_t number, const char *path,
			   struct diag *why)
{
	struct manifest *m = &s->manifest, before = manifest_copy(m);
	struct dict_part *merged =
		dict_part_open(path, m->parts[m->n_parts - n].first, why);
	char *manifest = store_path(s, 0, MANIFEST_NAME);
	enum status st = merged ? ST_OK : ST_CORRUPT;

	if (merged) {
		m->n_parts -= n;
		m->parts[m->n_parts++] = (struct manifest_part){ number, merged->first };
		st = manifest_save(m, manifest, why);
	}
	free(manifest);
	if (st == ST_OK) {
		exchange(s, merged);
	} else {
		dict_part_release(merged);
		SWAP(*m, before);
	}
	manifest_release(&before);
	return st;
}

enum status settle_parts(struct store *s, struct diag *why)
{
	struct snapshot *now = store_snapshot(s);
	size_t n = due_for_merge(&s->manifest, now);
	uint64_t number, *old = xcalloc(n + 1, sizeof(*old));
	enum status st = ST_OK;

	if (n) {
		for (size_t i = 0; i < n; i++)
			old[i] = s->manifest.parts[s->manifest.n_parts - n + i].file;
		store_take_turn(s);
		number = s->manifest.next_file++;
		store_give_turn(s);
		char *path = store_path(s, number, "dict");
		st = merge_parts(&s->manifest, now, n, path, why);
		if (st == ST_OK) {
			store_take_turn(s);
			st = install(s, n, number, path, why);
			store_give_turn(s);
		}
		free(path);
	}
	snapshot_release(now);
	for (size_t i = 0; st == ST_OK && i < n; i++) {
		char *path = store_path(s, old[i], "dict");

		(void)!file_remove(path, NULL);
		free(path);
	}
	free(old);
	return st;
}
