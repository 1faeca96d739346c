#include "frontier/seen_disk.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/*
 * A merge reads and writes the whole band, so its price a question falls with
 * the number of questions: a twelfth of the band keeps it near a dozen keys copied
 * a question, and what is pending below a byte of disk a key.
 */
#define BATCH_SHARE    12
#define BATCH_MIN      ((uint64_t)32 * 1024)
#define HOT_SLOTS      ((size_t)1 << 18)
#define BLOOM_KEYS_MIN ((uint64_t)64 * 1024)

static void merge_jobs(void *arg)
{
	struct seen_disk *s = arg;
	void *job;

	while (queue_take(&s->jobs, QUEUE_FOREVER, &job) == ST_OK) {
		seen_job_run(job);
		if (queue_add(&s->done, job, QUEUE_FOREVER) != ST_OK)
			return;
	}
}

/* A set of an earlier process is stale: the journal tells it anew. */
static enum status remove_leftovers(const char *dir, struct diag *why)
{
	TRY(dir_remove(dir, why));
	return dir_make(dir, why);
}

enum status seen_disk_open(struct seen_disk *s, const char *dir,
			   const struct seen_disk_options *options, struct diag *why)
{
	TRY(remove_leftovers(dir, why));
	*s = (struct seen_disk){
		.dir = strdup(dir),
		.batch_min = options->batch_min ? options->batch_min : BATCH_MIN,
		.hot_slots = options->hot_slots ? options->hot_slots : HOT_SLOTS,
	};
	s->hot = xcalloc(s->hot_slots, sizeof(*s->hot));
	for (unsigned b = 0; b < SEEN_BANDS; b++) {
		s->bands[b].bloom_keys =
			options->bloom_keys ? options->bloom_keys : BLOOM_KEYS_MIN;
		bloom_init(&s->bands[b].bloom, s->bands[b].bloom_keys, 12);
	}
	queue_init(&s->jobs, 1);
	queue_init(&s->done, 1);
	return thread_start(&s->merger, "seen-merge", merge_jobs, s, why);
}

static void free_job(struct seen_job *j)
{
	seen_job_release(j);
	free(j);
}

void seen_disk_close(struct seen_disk *s)
{
	struct diag why;
	void *job;

	if (!s->dir)
		return;
	queue_close(&s->jobs);
	if (s->running && queue_take(&s->done, QUEUE_FOREVER, &job) == ST_OK)
		free_job(job);
	thread_join(&s->merger);
	queue_release(&s->jobs);
	queue_release(&s->done);
	for (unsigned b = 0; b < SEEN_BANDS; b++) {
		for (unsigned k = 0; k < SEEN_BUCKETS; k++)
			seen_pending_release(&s->bands[b].pending[k]);
		bloom_release(&s->bands[b].bloom);
	}
	if (dir_remove(s->dir, &why) != ST_OK)
		why.text[0] = '\0'; /* the next process will */
	buf_release(&s->late);
	free(s->hot);
	free(s->dir);
	*s = (struct seen_disk){ 0 };
}

static struct seen_band *band_of(struct seen_disk *s, struct u128 key)
{
	return &s->bands[key.hi >> 60];
}

void seen_disk_prefetch(const struct seen_disk *s, struct u128 key)
{
	__builtin_prefetch(&s->hot[key.lo & (s->hot_slots - 1)], 1);
	bloom_prefetch(&s->bands[key.hi >> 60].bloom, seen_bloom_key(key));
}

static uint64_t due_weight(const struct seen_disk *s, const struct seen_band *b)
{
	return MAX(s->batch_min, b->keys / BATCH_SHARE);
}

/* The band that is most overdue, or SEEN_BANDS. */
static unsigned due_band(const struct seen_disk *s)
{
	unsigned best = SEEN_BANDS;
	double most = 0;

	for (unsigned b = 0; b < SEEN_BANDS; b++) {
		const struct seen_band *band = &s->bands[b];
		double urgency = (double)band->weight / (double)due_weight(s, band);

		if (urgency < 1 && !(s->settling && band->waiting > 0))
			continue;
		if (best == SEEN_BANDS || urgency > most) {
			best = b;
			most = urgency;
		}
	}
	return best;
}

/* Close the band's pending lists and begin new ones; the closed ones are the job. */
static enum status start_merge(struct seen_disk *s, unsigned b)
{
	struct seen_band *band = &s->bands[b];
	struct seen_job *job = NEW(struct seen_job);

	*job = (struct seen_job){ .dir = s->dir, .band = b };
	memcpy(job->pending, band->pending, sizeof(job->pending));
	memcpy(job->side, band->side, sizeof(job->side));
	memset(band->pending, 0, sizeof(band->pending));
	/* New keys so far, and as many again before the next merge. */
	uint64_t soon = band->keys + band->fresh;
	if (soon + soon / 4 > band->bloom_keys)
		job->bloom_keys = soon + soon / 2;
	band->generation++;
	band->weight = band->waiting = band->fresh = 0;
	s->running = job;
	return queue_add(&s->jobs, job, QUEUE_FOREVER);
}

static void add_keys(struct bloom *bloom, struct str keys)
{
	struct u128 key;

	for (size_t i = 0; i + sizeof(key) <= keys.n; i += sizeof(key)) {
		memcpy(&key, keys.p + i, sizeof(key));
		bloom_add(bloom, seen_bloom_key(key));
	}
}

static enum status add_pending_to(struct bloom *bloom, const struct seen_pending *p,
				  struct diag *why)
{
	cleanup(buf_release) struct buf spilled = { 0 };
	size_t n;

	add_keys(bloom, buf_str(&p->keys));
	if (!p->key_spill.path)
		return ST_OK;
	char *to = buf_reserve(&spilled, p->key_spill.size);
	if (!to)
		return diag_fail(why, ST_TOO_LARGE, "too many pending URLs in a bucket");
	TRY(file_read_at(&p->key_spill, 0, to, p->key_spill.size, &n, why));
	add_keys(bloom, (struct str){ to, n });
	return ST_OK;
}

/* The new filter lacks only what was asked during the merge. */
static enum status install_bloom(struct seen_band *band, struct seen_job *job)
{
	for (unsigned k = 0; k < SEEN_BUCKETS; k++)
		TRY(add_pending_to(&job->bloom, &band->pending[k], &job->why));
	bloom_release(&band->bloom);
	band->bloom = TAKE(job->bloom);
	band->bloom_keys = job->bloom_keys;
	return ST_OK;
}

static enum status end_merge(struct seen_disk *s, struct seen_job *job, struct diag *why)
{
	struct seen_band *band = &s->bands[job->band];
	enum status st = job->st;

	s->running = NULL;
	if (st == ST_OK) {
		band->keys += job->added;
		memcpy(band->side, job->side, sizeof(band->side));
		if (job->bloom_keys)
			st = install_bloom(band, job);
		buf_add(&s->late, buf_str(&job->late));
	}
	if (st != ST_OK && why)
		*why = job->why;
	free_job(job);
	return st;
}

enum status seen_disk_wait(struct seen_disk *s, struct diag *why)
{
	void *job;

	if (!s->running)
		return ST_OK;
	TRY(queue_take(&s->done, QUEUE_FOREVER, &job));
	return end_merge(s, job, why);
}

enum status seen_disk_step(struct seen_disk *s, struct diag *why)
{
	void *job;

	if (s->running) {
		if (queue_take(&s->done, 0, &job) != ST_OK)
			return ST_OK;
		TRY(end_merge(s, job, why));
	}
	unsigned due = due_band(s);
	if (due < SEEN_BANDS)
		return start_merge(s, due);
	s->settling = false;
	return ST_OK;
}

void seen_disk_settle(struct seen_disk *s)
{
	s->settling = true;
}

/* Record `key`; `waits` when its answer is open. */
static enum status add_pending(struct seen_disk *s, struct u128 key, bool waits,
			       struct str payload, struct diag *why)
{
	struct seen_band *band = band_of(s, key);
	unsigned bucket = (unsigned)(key.hi >> 56 & (SEEN_BUCKETS - 1));
	struct seen_pending *p = &band->pending[bucket];
	char stem[4096];

	TRY(seen_pending_add(p, key, why));
	if (waits)
		TRY(seen_pending_ask(p, payload, why));
	if (p->keys.n < SEEN_SPILL_BYTES && p->asks.n < SEEN_SPILL_BYTES)
		return ST_OK;
	snprintf(stem, sizeof(stem), "%s/seen-%02x-%u", s->dir, (unsigned)(key.hi >> 56),
		 band->generation);
	return seen_pending_spill(p, stem, why);
}

/* Now and then see to merges; wait when a band has twice what it should have. */
static enum status keep_up(struct seen_disk *s, struct seen_band *band, struct diag *why)
{
	uint64_t due = due_weight(s, band);

	if (band->weight < due)
		return ST_OK;
	if (!s->running || (band->weight & 1023) == 0)
		TRY(seen_disk_step(s, why));
	if (band->weight < 2 * due)
		return ST_OK;
	TRY(seen_disk_wait(s, why));
	return seen_disk_step(s, why);
}

enum status seen_disk_add_known(struct seen_disk *s, struct u128 key, struct diag *why)
{
	struct seen_band *band = band_of(s, key);

	bloom_add(&band->bloom, seen_bloom_key(key));
	band->weight++;
	band->fresh++;
	TRY(add_pending(s, key, false, STR(""), why));
	return keep_up(s, band, why);
}

enum status seen_disk_add(struct seen_disk *s, struct u128 key, struct str payload,
			  unsigned level, enum seen_answer *ret, struct diag *why)
{
	struct seen_band *band = band_of(s, key);
	struct u128 *hot = &s->hot[key.lo & (s->hot_slots - 1)];

	assert(level <= 3);
	if (u128_eq(*hot, key) && (key.hi | key.lo) != 0) {
		*ret = SEEN_KNOWN;
		return ST_OK;
	}
	*hot = key;
	bool maybe = bloom_add(&band->bloom, seen_bloom_key(key));
	if (maybe) {
		band->waiting++;
		band->weight += (uint64_t)1 << level;
	} else {
		band->fresh++;
		band->weight++;
	}
	TRY(add_pending(s, key, maybe, payload, why));
	*ret = maybe ? SEEN_LATER : SEEN_NEW;
	return keep_up(s, band, why);
}

enum seen_answer seen_disk_peek(const struct seen_disk *s, struct u128 key)
{
	const struct seen_band *band = &s->bands[key.hi >> 60];
	const struct u128 *hot = &s->hot[key.lo & (s->hot_slots - 1)];

	if (u128_eq(*hot, key) && (key.hi | key.lo) != 0)
		return SEEN_KNOWN;
	return bloom_may_have(&band->bloom, seen_bloom_key(key)) ? SEEN_LATER : SEEN_NEW;
}

enum status seen_disk_next(struct seen_disk *s, struct u128 *ret_key,
			   struct str *ret_payload)
{
	struct str in = str_skip(buf_str(&s->late), s->late_at);

	if (!str_take_u64(&in, &ret_key->hi) || !str_take_u64(&in, &ret_key->lo) ||
	    !str_take_sized(&in, ret_payload)) {
		buf_reset(&s->late);
		s->late_at = 0;
		return ST_AGAIN;
	}
	s->late_at = s->late.n - in.n;
	return ST_OK;
}

uint64_t seen_disk_waiting(const struct seen_disk *s)
{
	uint64_t n = s->late.n > s->late_at;

	for (unsigned b = 0; b < SEEN_BANDS; b++)
		n += s->bands[b].waiting;
	/* Its band has been reset, its answers are not here yet. */
	return n + (s->running != NULL);
}

uint64_t seen_disk_count(const struct seen_disk *s)
{
	uint64_t n = 0;

	for (unsigned b = 0; b < SEEN_BANDS; b++)
		n += s->bands[b].keys + s->bands[b].fresh;
	return n;
}

enum status seen_disk_bytes(const struct seen_disk *s, uint64_t *ret, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct str_list names = { 0 };
	uint64_t sum = 0, size;
	enum status st = dir_list(s->dir, STR(""), &a, &names, why);

	for (size_t i = 0; i < names.n && st == ST_OK; i++) {
		st = file_size(path_join(&a, s->dir, names.v[i]), &size, why);
		sum += size;
	}
	str_list_release(&names);
	*ret = sum;
	return st;
}
