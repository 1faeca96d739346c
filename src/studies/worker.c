#include "studies/worker.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "calibrate/sweep_report.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/thread.h"
#include "studies/record.h"
#include "studies/stored.h"

#define WAIT_MS      1000 /* at most, then leases that ran out are looked for */
#define RECONNECT_MS 200
#define OPEN_MS      10000 /* a server that is just being restarted */

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

/* A line each: files and folders, "db:" for what is recorded, "labels:FILE". */
static enum status load_input(struct worker *w, struct str input, struct diag *why)
{
	struct sample_options how = { 0 };
	struct str words[64], rest, line;
	bool is_stored = false;
	size_t n = 0;

	if (w->set.n && str_eq(buf_str(&w->bytes), input))
		return ST_OK;
	samples_release(&w->set);
	buf_reset(&w->bytes);
	buf_add(&w->bytes, input);
	rest = buf_str(&w->bytes);
	while (n < COUNT(words) && str_take_line(&rest, &line)) {
		if (str_eq(line, STR(STORED_INPUT)))
			is_stored = true;
		else if (str_take_prefix(&line, STR("labels:")))
			how.labels = line;
		else
			words[n++] = line;
	}
	if (is_stored)
		TRY(stored_load(w->db, w->o->name_space, &w->set, why));
	return samples_load(&w->set, words, n, &how, why);
}

static enum status store(const struct task_done *d, struct sql *db, struct diag *why)
{
	struct str rest = d->task->input, url;

	return str_take_line(&rest, &url) ? stored_add(db, d->task->id, url, d->dir, why)
					  : ST_OK;
}

/* Crawl a site; what was seen is written when the task is finished. */
static enum status do_recording(struct worker *w, const struct task *t, const char *dir,
				struct buf *json, struct diag *why)
{
	struct record_options o = { .own = t->input, .dir = dir, .stop = w->o->stop };
	struct json_out out = { .to = json };

	if (!str_take_line(&o.own, &o.url))
		return diag_fail(why, ST_SYNTAX, "a task without an address");
	TRY(dir_remove(dir, why));
	TRY(record_site(&o, why));
	json_open(&out, '{');
	json_put_str(&out, "recorded", o.url);
	json_close(&out, '}');
	return ST_OK;
}

static bool is_recording(const struct task *t)
{
	return str_eq(t->detector, STR(TASK_RECORD));
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

static enum status finish(struct worker *w, const struct task_done *v, size_t n,
			  struct diag *why)
{
	size_t kept = 0;
	enum status st;

	if (n == 0)
		return ST_OK;
	while ((st = tasks_finish(w->db, w->o->name, v, n, &kept, why)) != ST_OK)
		if ((st = again(w, st, why)) != ST_AGAIN)
			return st;
	for (size_t i = 0; i < n; i++)
		w->stats.failed += v[i].json.n == 0;
	w->stats.done += kept;
	w->stats.refused += n - kept;
	return ST_OK;
}

/* A crawl takes long: it is finished by itself, with all that it saw. */
static enum status do_one(struct worker *w, const struct task *t, struct task_done *ret,
			  struct buf *json, struct diag *error, struct diag *why)
{
	int64_t begin_ns = clock_mono_ns(&real_clock);
	char dir[4096];
	enum status st;

	snprintf(dir, sizeof(dir), "%s/thresh-record-%d-" STR_FMT, w->o->dir,
		 (int)getpid(), STR_ARG(t->id));
	*ret = (struct task_done){ .task = t };
	st = is_recording(t) ? do_recording(w, t, dir, json, error)
			     : do_task(w, t, json, error);
	if (st == ST_OK)
		ret->json = buf_str(json);
	else
		ret->error = str_from(error->text);
	ret->duration_us = (clock_mono_ns(&real_clock) - begin_ns) / 1000;
	if (!is_recording(t))
		return ST_OK;
	ret->also = store;
	ret->dir = dir;
	st = finish(w, ret, 1, why);
	ret->dir = NULL;
	struct diag ignored;
	(void)!dir_remove(dir, &ignored);
	return st;
}

static enum status do_batch(struct worker *w, const struct task_list *l, struct diag *why)
{
	struct task_done *done = xcalloc(l->n + 1, sizeof(*done));
	struct buf *json = xcalloc(l->n + 1, sizeof(*json));
	struct diag *errors = xcalloc(l->n + 1, sizeof(*errors));
	enum status st = ST_OK;
	size_t n = 0;

	for (size_t i = 0; i < l->n && st == ST_OK; i++) {
		st = do_one(w, &l->v[i], &done[n], &json[i], &errors[i], why);
		n += !is_recording(&l->v[i]);
	}
	if (st == ST_OK)
		st = finish(w, done, n, why);
	for (size_t i = 0; i < l->n; i++)
		buf_release(&json[i]);
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

/* A file is there or not; a server may be back soon. */
static enum status open_db(const struct worker_options *o, struct sql **ret,
			   struct diag *why)
{
	bool is_server = str_find(str_from(o->db), STR("://")) != STR_NONE ||
			 str_find_char(str_from(o->db), '=') != STR_NONE;
	enum status st = sql_open(ret, o->db, why);

	for (int ms = 0; st == ST_IO && is_server && ms < OPEN_MS; ms += RECONNECT_MS) {
		if (o->stop && *o->stop)
			break;
		pause_ms(RECONNECT_MS);
		st = sql_open(ret, o->db, why);
	}
	return st;
}

enum status worker_run(const struct worker_options *o, struct worker_stats *ret,
		       struct diag *why)
{
	struct worker w = { .o = o };
	struct pulse pulse = { .o = o };
	enum status st = open_db(o, &w.db, why);

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
