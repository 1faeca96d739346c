/* Commits: outputs, then the journal; then the knowledge base and the status follow. */
#include <stdio.h>
#include <stdlib.h>

#include "api/run_internal.h"
#include "base/date.h"

/* The knowledge base is filled in portions; all of it at the end. */
#define KB_PORTION ((uint64_t)4 << 20)

static void add_counts(struct work_counts *to, const struct work_counts *a)
{
	uint64_t *x = (uint64_t *)to;
	const uint64_t *y = (const uint64_t *)a;

	for (size_t i = 0; i < sizeof(*to) / sizeof(*x); i++)
		x[i] += y[i];
}

/* --- the knowledge base: a view of triples.nq; adding twice is harmless --- */

static char *kb_mark(struct api_run *r, uint32_t campaign)
{
	return path_join(&r->arena, r->folders[campaign].dir, STR("state/kb"));
}

static uint64_t load_mark(const char *path)
{
	cleanup(buf_release) struct buf b = { 0 };
	uint64_t v = 0;

	if (file_exists(path) && file_load(path, 64, &b, NULL) == ST_OK)
		(void)!str_to_uint(str_trim(buf_str(&b)), UINT64_MAX, &v);
	return v;
}

static enum status fill_kb(struct api_run *r, uint32_t i, bool at_end, struct diag *why)
{
	struct campaign_folder *f = &r->folders[i];
	char *mark = kb_mark(r, i);
	uint64_t to = f->committed[LIST_TRIPLES];
	cleanup(buf_release) struct buf text = { 0 }, number = { 0 };
	struct load_counts counts;
	size_t n;

	if (r->kb_bytes[i] == 0)
		r->kb_bytes[i] = MIN(load_mark(mark), to);
	if (to == r->kb_bytes[i] || (!at_end && to - r->kb_bytes[i] < KB_PORTION))
		return ST_OK;
	char *p = buf_reserve(&text, (size_t)(to - r->kb_bytes[i]));
	if (!p)
		return diag_fail(why, ST_TOO_LARGE, "too many triples at once");
	TRY(file_read_at(&f->lists[LIST_TRIPLES].file, r->kb_bytes[i], p,
			 (size_t)(to - r->kb_bytes[i]), &n, why));
	TRY(kb_load_text(r->kb.store, (struct str){ p, n },
			 &(struct load_options){ .syntax = RDF_NQUADS }, &counts, why));
	r->kb_bytes[i] = to;
	buf_add_uint(&number, to);
	return file_replace(mark, buf_str(&number), why);
}

/* --- status.json --- */

static void put_counts(struct json_out *o, const struct work_counts *c)
{
	static const char *const names[] = {
		"requests", "pages",   "items",        "new_items", "changed",
		"links",    "triples", "retries",      "waits",     "failed",
		"done",     "drift",   "cursor_loops", "logins",
	};
	const uint64_t *v = (const uint64_t *)c;

	_Static_assert(sizeof(*c) == COUNT(names) * sizeof(uint64_t), "a name per count");
	for (size_t i = 0; i < COUNT(names); i++)
		json_put_uint(o, names[i], v[i]);
}

static uint64_t last_hour(struct run_hour *h, uint64_t requests, int64_t now_ms)
{
	int64_t minute = now_ms / 60000;
	uint64_t sum = 0;

	for (int64_t m = MAX(h->minute + 1, minute - 59); m <= minute; m++)
		h->n[m % 60] = 0;
	h->minute = MAX(h->minute, minute);
	h->n[h->minute % 60] += requests - h->before;
	h->before = requests;
	for (size_t i = 0; i < COUNT(h->n); i++)
		sum += h->n[i];
	return sum;
}

static enum status save_status(struct api_run *r, uint32_t i, struct diag *why)
{
	const struct campaign_folder *f = &r->folders[i];
	cleanup(buf_release) struct buf b = { 0 }, date = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	struct json_out o = { .to = &b };
	size_t pending = 0;

	for (size_t k = 0; k < r->work.n; k++)
		pending += r->work.streams[k].campaign == i &&
			   r->work.streams[k].state < STREAM_DONE;
	buf_add_date_iso(&date, api_run_now(r), false);
	json_open(&o, '{');
	json_put_str(&o, "campaign", r->campaigns[i].name);
	json_put_str(&o, "time", buf_str(&date));
	json_put_uint(&o, "round", f->round);
	json_put_bool(&o, "round_ended", f->round_ended);
	json_put_uint(&o, "pending", pending);
	json_put_uint(
		&o, "last_hour",
		last_hour(&r->hours[i], r->work.counts[i].requests, api_run_now(r)));
	json_key(&o, STR("run"));
	json_open(&o, '{');
	put_counts(&o, &r->work.counts[i]);
	json_close(&o, '}');
	json_key(&o, STR("total"));
	json_open(&o, '{');
	put_counts(&o, &f->counts);
	json_close(&o, '}');
	json_key(&o, STR("budgets"));
	json_open(&o, '[');
	for (size_t k = 0; k < r->quota.n; k++) {
		if (r->quota.v[k].name.n == 0 || r->quota.v[k].limit == 0)
			continue;
		json_open(&o, '{');
		json_put_str(&o, "bucket", r->quota.v[k].name);
		json_put_uint(&o, "limit", r->quota.v[k].limit);
		json_put_uint(&o, "window_ms", r->quota.v[k].window_ms);
		json_put_uint(&o, "spent", quota_spent(&r->quota, k, api_run_now(r)));
		json_close(&o, '}');
	}
	json_close(&o, ']');
	json_close(&o, '}');
	buf_add_char(&b, '\n');
	return file_replace(path_join(&a, f->dir, STR("state/status.json")), buf_str(&b),
			    why);
}

enum status api_run_commit(struct api_run *r, bool at_end, struct diag *why)
{
	for (uint32_t i = 0; i < r->n; i++) {
		struct campaign_folder *f = &r->folders[i];
		bool was_dirty = f->is_dirty;

		f->counts = r->counts_before[i];
		add_counts(&f->counts, &r->work.counts[i]);
		TRY(folder_commit(f, why));
		if (r->has_kb)
			TRY(fill_kb(r, i, at_end, why));
		if (was_dirty || at_end)
			TRY(save_status(r, i, why));
	}
	r->committed_ms = clock_mono_ms(r->outside->clock);
	return ST_OK;
}
