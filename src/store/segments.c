#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "store/store_internal.h"

static enum status open_index(const struct store *s, uint64_t number, enum order o,
			      struct run *r, struct diag *why)
{
	char *path = store_path(s, number, order_name[o]);
	enum status st = index_file_open(&r->files[o], path, o, why);

	free(path);
	return st;
}

static enum status open_stats(const struct store *s, uint64_t number, struct run *r,
			      struct diag *why)
{
	char *path = store_path(s, number, "stat");
	enum status st = stats_load(&r->stats, path, why);

	free(path);
	return st;
}

struct run *segment_run_open(const struct store *s, uint64_t number, struct diag *why)
{
	struct run *r = NEW(struct run);
	enum status st = open_stats(s, number, r, why);

	r->refs = 1;
	r->on_disk = true;
	r->segment = number;
	for (enum order o = 0; o < ORDERS && st == ST_OK; o++)
		st = open_index(s, number, o, r, why);
	if (st != ST_OK) {
		run_release(r);
		return NULL;
	}
	r->n_rows = r->files[0].n_rows;
	r->n_live = (int64_t)(r->n_rows - 2 * r->files[0].n_gone);
	return r;
}

void segment_remove(const struct store *s, uint64_t number)
{
	static const char *const suffixes[] = { "spo", "pos", "osp", "stat" };

	for (size_t i = 0; i < COUNT(suffixes); i++) {
		char *path = store_path(s, number, suffixes[i]);

		(void)!file_remove(path, NULL); /* a left-over does no harm */
		free(path);
	}
}

/* Files that a crash left behind: not named by the manifest. */
static void remove_leftovers(const struct store *s)
{
	const struct manifest *m = &s->manifest;

	for (uint64_t n = 1; n < m->next_file + 64; n++) {
		bool named = false;
		char *dict = store_path(s, n, "dict");

		for (size_t i = 0; i < m->n_parts; i++)
			named |= m->parts[i].file == n;
		if (!named && file_exists(dict))
			(void)!file_remove(dict, NULL);
		free(dict);
		named = false;
		for (size_t i = 0; i < m->n_segments; i++)
			named |= m->segments[i] == n;
		char *spo = store_path(s, n, "spo");
		if (!named && file_exists(spo))
			segment_remove(s, n);
		free(spo);
		char *wal = store_path(s, n, "wal");
		if (n < m->wal && file_exists(wal))
			(void)!file_remove(wal, NULL);
		free(wal);
	}
}

/* The files that the manifest names, oldest first; not the part in memory. */
static enum status open_files(struct store *s, struct snapshot *to, struct diag *why)
{
	for (size_t i = 0; i < s->manifest.n_parts; i++) {
		char *path = store_path(s, s->manifest.parts[i].file, "dict");
		struct dict_part *p =
			dict_part_open(path, s->manifest.parts[i].first, why);

		free(path);
		if (!p)
			return ST_CORRUPT;
		snapshot_add_part(to, p);
	}
	for (size_t i = 0; i < s->manifest.n_segments; i++) {
		struct run *r = segment_run_open(s, s->manifest.segments[i], why);

		if (!r)
			return ST_CORRUPT;
		snapshot_add_run(to, r);
	}
	return ST_OK;
}

static enum status open_with(struct store *s, struct dict_part *delta, struct diag *why)
{
	struct snapshot *now = NEW(struct snapshot);
	enum status st;

	now->refs = 1;
	st = open_files(s, now, why);
	snapshot_add_part(now, delta);
	if (st != ST_OK) {
		snapshot_release(now);
		return st;
	}
	s->n_settled = now->n_runs;
	store_publish(s, now);
	return ST_OK;
}

enum status segments_open(struct store *s, struct diag *why)
{
	TRY(open_with(s, dict_part_new(s->manifest.next_term), why));
	if (!s->options.read_only)
		remove_leftovers(s);
	return ST_OK;
}

enum status segments_reload(struct store *s, struct diag *why)
{
	return open_with(s, dict_part_share(store_delta(s->now)), why);
}
