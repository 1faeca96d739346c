#include "studies/tasks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "studies/stored.h"

static const char *const schema =
	"CREATE TABLE IF NOT EXISTS task (id {serial}, namespace TEXT NOT NULL,"
	" input TEXT NOT NULL, detector TEXT NOT NULL,"
	" state INTEGER NOT NULL DEFAULT 0," /* 0 queued, 1 leased, 2 done, 3 failed */
	" attempts INTEGER NOT NULL DEFAULT 0, worker TEXT NOT NULL DEFAULT '',"
	" lease_until BIGINT NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '');"
	"CREATE INDEX IF NOT EXISTS task_open ON task (namespace, id) WHERE state < 2;"
	"CREATE INDEX IF NOT EXISTS task_of_worker ON task (worker) WHERE state = 1;"
	"CREATE TABLE IF NOT EXISTS result (task_id BIGINT PRIMARY KEY REFERENCES task,"
	" worker TEXT NOT NULL, duration_us BIGINT NOT NULL, json TEXT NOT NULL)";

void task_list_release(struct task_list *l)
{
	free(l->v);
	arena_release(&l->bytes);
	*l = (struct task_list){ 0 };
}

static struct str number(char *to, size_t n, int64_t v)
{
	snprintf(to, n, "%" PRId64, v);
	return str_from(to);
}

/* What was begun is given up; the failure that led here is what counts. */
static enum status roll_back(struct sql *db, enum status st)
{
	struct diag ignored;

	if (st != ST_OK && st != ST_IO)
		(void)!sql_run(db, "ROLLBACK", NULL, 0, NULL, NULL, &ignored);
	return st;
}

static enum status plain(struct sql *db, const char *text, struct diag *why)
{
	return sql_run(db, text, NULL, 0, NULL, NULL, why);
}

enum status tasks_init(struct sql *db, struct diag *why)
{
	TRY(plain(db, schema, why));
	return stored_init(db, why);
}

enum status tasks_add(struct sql *db, struct str name_space, struct str input,
		      const struct str *detectors, size_t n, struct diag *why)
{
	enum status st = ST_OK;

	TRY(plain(db, "{begin}", why));
	for (size_t i = 0; i < n && st == ST_OK; i++) {
		struct str p[] = { name_space, input, detectors[i] };

		st = sql_run(
			db,
			"INSERT INTO task (namespace, input, detector) VALUES ($1, $2, "
			"$3)",
			p, COUNT(p), NULL, NULL, why);
	}
	if (st != ST_OK)
		return roll_back(db, st);
	TRY(plain(db, "COMMIT", why));
	return sql_notify(db, why);
}

static enum status add_claimed(void *ctx, const struct sql_row *row)
{
	struct task_list *l = ctx;
	struct arena *a = &l->bytes;

	VEC_ADD(l->v, l->n, l->cap,
		(struct task){ arena_copy(a, row->v[0]), arena_copy(a, row->v[1]),
			       arena_copy(a, row->v[2]), arena_copy(a, row->v[3]) });
	return ST_OK;
}

/* Who tried it too often and died each time leaves it failed. */
static enum status give_up(struct sql *db, struct str name_space, struct diag *why)
{
	char most[8];
	struct str p[] = { name_space, number(most, sizeof(most), TASK_ATTEMPTS_MAX) };

	return sql_run(
		db,
		"UPDATE task SET state = 3, error = 'its workers died' WHERE id IN "
		"(SELECT id FROM task WHERE namespace = $1 AND state = 1 AND "
		"lease_until < {now} AND attempts >= CAST($2 AS INTEGER) {skip})",
		p, COUNT(p), NULL, NULL, why);
}

enum status tasks_claim(struct sql *db, struct str name_space, struct str worker,
			unsigned max, int64_t lease_ms, struct task_list *ret,
			struct diag *why)
{
	char most[16], lease[24], tries[8];
	struct str p[] = { name_space, worker, number(most, sizeof(most), max),
			   number(lease, sizeof(lease), lease_ms),
			   number(tries, sizeof(tries), TASK_ATTEMPTS_MAX) };

	TRY(give_up(db, name_space, why));
	return sql_run(
		db,
		"UPDATE task SET state = 1, worker = $2, attempts = attempts + 1, "
		"lease_until = {now} + CAST($4 AS INTEGER) WHERE id IN (SELECT id "
		"FROM task WHERE namespace = $1 AND state < 2 AND (state = 0 OR "
		"lease_until < {now}) AND attempts < CAST($5 AS INTEGER) ORDER BY id "
		"LIMIT CAST($3 AS INTEGER) {skip}) RETURNING id, input, detector, "
		"attempts",
		p, COUNT(p), add_claimed, ret, why);
}

enum status tasks_heartbeat(struct sql *db, struct str worker, int64_t lease_ms,
			    struct diag *why)
{
	char lease[24];
	struct str p[] = { worker, number(lease, sizeof(lease), lease_ms) };

	return sql_run(db,
		       "UPDATE task SET lease_until = {now} + CAST($2 AS INTEGER) WHERE "
		       "worker = $1 AND state = 1",
		       p, COUNT(p), NULL, NULL, why);
}

static enum status count_row(void *ctx, const struct sql_row *row)
{
	(void)row;
	++*(size_t *)ctx;
	return ST_OK;
}

static enum status finish_one(struct sql *db, struct str worker,
			      const struct task_done *d, size_t *kept, struct diag *why)
{
	struct str state = d->json.n ? STR("2") : STR("3");
	struct str p[] = { d->task->id, worker, d->task->attempts, state, d->error };
	char us[24];
	size_t held = 0;

	TRY(sql_run(
		db,
		"UPDATE task SET state = CAST($4 AS INTEGER), error = $5 WHERE id = "
		"CAST($1 AS BIGINT) AND worker = $2 AND attempts = CAST($3 AS INTEGER) "
		"AND state = 1 RETURNING id",
		p, COUNT(p), count_row, &held, why));
	if (held == 0 || d->json.n == 0)
		return ST_OK;
	*kept += held;
	struct str r[] = { d->task->id, worker, number(us, sizeof(us), d->duration_us),
			   d->json };
	TRY(sql_run(db,
		    "INSERT INTO result (task_id, worker, duration_us, json) VALUES "
		    "(CAST($1 AS BIGINT), $2, CAST($3 AS BIGINT), $4)",
		    r, COUNT(r), NULL, NULL, why));
	return d->also ? d->also(d, db, why) : ST_OK;
}

enum status tasks_finish(struct sql *db, struct str worker, const struct task_done *v,
			 size_t n, size_t *ret_kept, struct diag *why)
{
	enum status st = ST_OK;
	size_t kept = 0;

	TRY(plain(db, "{begin}", why));
	for (size_t i = 0; i < n && st == ST_OK; i++)
		st = finish_one(db, worker, &v[i], &kept, why);
	if (st == ST_OK)
		st = plain(db, "COMMIT", why);
	if (st != ST_OK)
		return roll_back(db, st);
	*ret_kept = kept;
	return ST_OK;
}

static enum status add_count(void *ctx, const struct sql_row *row)
{
	struct task_counts *c = ctx;
	uint64_t *const by_state[] = { &c->queued, &c->leased, &c->done, &c->failed,
				       &c->results };
	uint64_t state, n;

	if (row->n == 2 && str_to_uint(row->v[0], COUNT(by_state) - 1, &state) &&
	    str_to_uint(row->v[1], UINT64_MAX, &n))
		*by_state[state] = n;
	return ST_OK;
}

enum status tasks_count(struct sql *db, struct str name_space, struct task_counts *ret,
			struct diag *why)
{
	*ret = (struct task_counts){ 0 };
	return sql_run(
		db,
		"SELECT state, count(*) FROM task WHERE namespace = $1 GROUP BY state "
		"UNION ALL SELECT 4, count(*) FROM result JOIN task ON task_id = id "
		"WHERE namespace = $1",
		&name_space, 1, add_count, ret, why);
}

enum status tasks_results(struct sql *db, struct str name_space, sql_row_fn *each,
			  void *ctx, struct diag *why)
{
	return sql_run(
		db,
		"SELECT detector, result.worker, duration_us, json FROM result JOIN "
		"task ON task_id = id WHERE namespace = $1 ORDER BY id",
		&name_space, 1, each, ctx, why);
}
