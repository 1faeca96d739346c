#include "calibrate/worker.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "calibrate/sweep_report.h"
#include "os/clock.h"
#include "os/thread.h"

#define WAIT_MS      1000 /* at most, then leases that ran out are looked for */
#define RECONNECT_MS 200

struct pulse {
	const struct worker_options *o;
	struct thread thread;
	atomic_bool stop;
};

struct worker {
	const struct worker_options *o;
	struct sql *db;
	struct sample_set set;
	struct buf bytes;
	struct worker_stats stats;
};

static void pause_ms(int64_t ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* A connection of its own: the other one may be at work for long. */
static void beat(void *arg)
{
	struct pulse *p = arg;
	struct sql *db = NULL;
	struct diag why;
	int64_t since = 0;

	while (!p->stop) {
		pause_ms(50);
		since += 50;
		if (since < p->o->lease_ms / 3)
			continue;
		since = 0;
		if (!db && sql_open(&db, p->o->db, &why) != ST_OK)
			continue;
		if (tasks_heartbeat(db, p->o->name, p->o->lease_ms, &why) != ST_OK)
			sql_close(&db);
	}
	sql_close(&db);
}

static enum status load_input(struct worker *w, struct str input, struct diag *why)
{
	struct sample_options how = { 0 };
	struct str words[64], rest;
	size_t n = 0;

	if (w->set.n && str_eq(buf_str(&w->bytes), input))
		return ST_OK;
	samples_release(&w->set);
	buf_reset(&w->bytes);
	buf_add(&w->bytes, input);
	rest = buf_str(&w->bytes);
	while (n < COUNT(words) && str_take_line(&rest, &words[n]))
		n++;
	return samples_load(&w->set, words, n, &how, why);
}

/* One line of a grid at all its thresholds, as JSON. */
static enum status do_task(struct worker *w, const struct task *t, struct buf *json,
			   struct diag *why)
{
	cleanup(detector_list_release) struct detector_list grid = { 0 };
	cleanup(sweep_release) struct sweep sweep = { 0 };
	struct sweep_options o = { .steps = w->o->steps, .threads = 1 };
	struct sweep_report r = { .set = &w->set, .sweep = &sweep };

	TRY(load_input(w, t->input, why));
	TRY(detector_parse(&grid, t->detector, why));
	TRY(sweep_run(&w->set, &grid, &o, &sweep, why));
	r.command = t->detector;
	r.has_best = recommend(&sweep, 1, &r.best);
	sweep_report_add_json(&r, json);
	return buf_status(json);
}

/* Until it works, or we are told to stop. */
static enum status again(struct worker *w, enum status st, struct diag *why)
{
	while (st == ST_IO && !(w->o->stop && *w->o->stop)) {
		w->stats.reconnects++;
		pause_ms(RECONNECT_MS);
		if (sql_reconnect(w->db, why) == ST_OK)
			return ST_AGAIN;
	}
	return st;
}

static enum status do_batch(struct worker *w, const struct task_list *l, struct diag *why)
{
	struct task_done *done = xcalloc(l->n + 1, sizeof(*done));
	struct buf *json = xcalloc(l->n + 1, sizeof(*json));
	struct diag *errors = xcalloc(l->n + 1, sizeof(*errors));
	size_t kept = 0;
	enum status st;

	for (size_t i = 0; i < l->n; i++) {
		int64_t begin_ns = clock_mono_ns(&real_clock);

		done[i].task = &l->v[i];
		if (do_task(w, &l->v[i], &json[i], &errors[i]) == ST_OK)
			done[i].json = buf_str(&json[i]);
		else
			done[i].error = str_from(errors[i].text);
		done[i].duration_us = (clock_mono_ns(&real_clock) - begin_ns) / 1000;
	}
	while ((st = tasks_finish(w->db, w->o->name, done, l->n, &kept, why)) != ST_OK)
		if ((st = again(w, st, why)) != ST_AGAIN)
			break;
	for (size_t i = 0; i < l->n; i++) {
		w->stats.failed += done[i].json.n == 0;
		buf_release(&json[i]);
	}
	w->stats.done += kept;
	w->stats.refused += l->n - kept;
	free(done);
	free(json);
	free(errors);
	return st;
}

/* ST_NOT_FOUND when nothing is left to do, or will ever be. */
static enum status next_batch(struct worker *w, struct diag *why)
{
	cleanup(task_list_release) struct task_list l = { 0 };
	struct task_counts left;

	TRY(tasks_claim(w->db, w->o->name_space, w->o->name, w->o->batch, w->o->lease_ms,
			&l, why));
	if (l.n)
		return do_batch(w, &l, why);
	TRY(tasks_count(w->db, w->o->name_space, &left, why));
	/* What others hold may yet be ours. */
	if (left.queued + left.leased == 0 && !w->o->stay)
		return ST_NOT_FOUND;
	enum status st = sql_wait(w->db, MIN(w->o->lease_ms, (int64_t)WAIT_MS), why);
	return st == ST_TIMEOUT ? ST_OK : st;
}

enum status worker_run(const struct worker_options *o, struct worker_stats *ret,
		       struct diag *why)
{
	struct worker w = { .o = o };
	struct pulse pulse = { .o = o };
	enum status st = sql_open(&w.db, o->db, why);

	if (st == ST_OK)
		st = thread_start(&pulse.thread, "lease", beat, &pulse, why);
	while (st == ST_OK && !(o->stop && *o->stop)) {
		st = next_batch(&w, why);
		if (st == ST_IO && again(&w, st, why) == ST_AGAIN)
			st = ST_OK;
	}
	pulse.stop = true;
	thread_join(&pulse.thread);
	sql_close(&w.db);
	samples_release(&w.set);
	buf_release(&w.bytes);
	*ret = w.stats;
	return st == ST_NOT_FOUND ? ST_OK : st;
}
