/* run.c - the stages of a run, one after the other. */
#include "dedup/dedup.h"
#include "os/clock.h"

/* What a killed run costs at the most; the log of a shorter one is never written. */
#define FLUSH_AFTER_MS 3000

const struct old_match *old_matches_find(const struct old_matches *m, uint32_t doc)
{
	size_t lo = 0, hi = m->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->v[mid].doc < doc)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->n && m->v[lo].doc == doc ? &m->v[lo] : NULL;
}

void dedup_show(struct dedup *d, const char *stage, uint64_t done, uint64_t total,
		double mb)
{
	if (d->hooks.progress)
		d->hooks.progress(d->hooks.arg, stage, done, total, mb);
}

void dedup_count_broken(struct dedup *d, const struct diag *why)
{
	d->broken++;
	if (d->hooks.broken)
		d->hooks.broken(d->hooks.arg, why);
}

enum status dedup_pause(struct dedup *d, struct diag *why)
{
	if (d->hooks.interrupted && d->hooks.interrupted(d->hooks.arg)) {
		TRY(batch_sync(&d->batch, why));
		return ST_CANCELLED;
	}
	if (d->flushed || clock_mono_ms(&real_clock) - d->began_ms < FLUSH_AFTER_MS)
		return ST_OK;
	d->flushed = true;
	return batch_flush(&d->batch, why);
}

static enum status tick(void *arg, const char *stage, uint64_t done, uint64_t total,
			struct diag *why)
{
	dedup_show(arg, stage, done, total, -1);
	return dedup_pause(arg, why);
}

static enum status find_and_write(struct dedup *d, struct diag *why)
{
	const struct dedup_settings *s = d->settings;

	if (s->against.n)
		TRY(dedup_check_index(d, why));
	TRY(dedup_read(d, why));
	TRY(batch_run(&d->batch, why));
	if (s->against.n)
		TRY(dedup_ask_index(d, why));
	/* What is kept is safe before the index says that it was seen. */
	TRY(dedup_write(d, why));
	return s->index_out.n ? dedup_add_index(d, why) : ST_OK;
}

enum status dedup_run(struct dedup *d, struct diag *why)
{
	d->began_ms = clock_mono_ms(&real_clock);
	d->options.tick = tick;
	d->options.tick_arg = d;
	TRY(batch_open(&d->batch, &d->options, why));
	enum status st =
		d->settings->idf_out.n ? dedup_make_idf(d, why) : find_and_write(d, why);
	/* A run that failed before it had anything to go on with leaves no folder. */
	if (st != ST_OK && st != ST_CANCELLED && batch_count(&d->batch) == 0)
		(void)!batch_remove(&d->batch, NULL);
	return st;
}

enum status dedup_finish(struct dedup *d, struct diag *why)
{
	return batch_remove(&d->batch, why);
}

struct dedup_counts dedup_count(const struct dedup *d)
{
	struct dedup_counts c = { 0 };

	for (size_t i = 0; i < d->batch.n; i++) {
		enum batch_kind kind = d->batch.results[i].kind;

		c.kept += kind == BATCH_KEPT && !old_matches_find(&d->old, (uint32_t)i);
		c.exact += kind == BATCH_EXACT;
		c.near += kind == BATCH_NEAR;
	}
	return c;
}
