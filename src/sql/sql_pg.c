#include <libpq-fe.h>
#include <poll.h>

#include "sql/sql.h"

/* The server is going down, or was shot.  An error without a code is not the server's but
 * the library's: the line was cut, even when it does not say so of the connection yet. */
static bool is_going(const PGresult *r)
{
	const char *code = r ? PQresultErrorField(r, PG_DIAG_SQLSTATE) : NULL;

	return r && (!code || str_starts(str_from(code), STR("57P")) ||
		     str_starts(str_from(code), STR("08")));
}

static enum status fail_by(struct sql *db, const PGresult *r, struct diag *why)
{
	bool is_lost = PQstatus(db->handle) == CONNECTION_BAD || is_going(r);
	enum status st = is_lost ? ST_IO : ST_DENIED;
	struct str text = str_trim(str_from(PQerrorMessage(db->handle)));

	return diag_fail(why, st, "PostgreSQL: " STR_FMT,
			 STR_ARG(str_slice(text, 0, 300)));
}

static enum status fail(struct sql *db, struct diag *why)
{
	return fail_by(db, NULL, why);
}

static enum status each_row(const PGresult *r, sql_row_fn *each, void *ctx)
{
	for (int i = 0; each && i < PQntuples(r); i++) {
		struct str v[16];
		size_t n = MIN((size_t)PQnfields(r), COUNT(v));

		for (size_t k = 0; k < n; k++)
			v[k] = (struct str){ PQgetvalue(r, i, (int)k),
					     (size_t)PQgetlength(r, i, (int)k) };
		TRY(each(ctx, &(struct sql_row){ v, n }));
	}
	return ST_OK;
}

/* Without parameters several statements may stand in one text. */
static PGresult *execute(struct sql *db, const char *text, const struct str *params,
			 size_t n, struct buf *copies)
{
	const char *values[SQL_PARAMS_MAX];
	size_t at[SQL_PARAMS_MAX];

	if (n == 0)
		return PQexec(db->handle, text);
	for (size_t i = 0; i < n; i++) {
		at[i] = copies->n;
		/* Text cannot hold a NUL, and must end with one. */
		for (size_t k = 0; k < params[i].n; k++)
			buf_add_char(copies, params[i].p[k] ? params[i].p[k] : ' ');
		buf_add_char(copies, '\0');
	}
	for (size_t i = 0; i < n; i++)
		values[i] = copies->p + at[i];
	return PQexecParams(db->handle, text, (int)n, NULL, values, NULL, NULL, 0);
}

static enum status run(struct sql *db, const char *text, const struct str *params,
		       size_t n, sql_row_fn *each, void *ctx, struct diag *why)
{
	cleanup(buf_release) struct buf copies = { 0 };
	PGresult *r = execute(db, text, params, n, &copies);
	ExecStatusType code = PQresultStatus(r);
	enum status st;

	if (code == PGRES_TUPLES_OK || code == PGRES_COMMAND_OK)
		st = each_row(r, each, ctx);
	else
		st = fail_by(db, r, why);
	PQclear(r);
	return st;
}

static enum status reconnect(struct sql *db, struct diag *why)
{
	db->listening = false;
	PQreset(db->handle);
	return PQstatus(db->handle) == CONNECTION_OK ? ST_OK : fail(db, why);
}

static bool take_notifications(struct sql *db)
{
	PGnotify *n;
	bool any = false;

	while ((n = PQnotifies(db->handle))) {
		any = true;
		PQfreemem(n);
	}
	return any;
}

static enum status wait(struct sql *db, int64_t timeout_ms, struct diag *why)
{
	struct pollfd p = { .fd = PQsocket(db->handle), .events = POLLIN };

	if (!db->listening) {
		TRY(run(db, "LISTEN thresh_task", NULL, 0, NULL, NULL, why));
		db->listening = true;
		return ST_OK; /* what came before it listened was not told: look again */
	}
	if (take_notifications(db))
		return ST_OK;
	if (poll(&p, 1, (int)timeout_ms) <= 0)
		return ST_TIMEOUT;
	if (!PQconsumeInput(db->handle))
		return fail(db, why);
	return take_notifications(db) ? ST_OK : ST_TIMEOUT;
}

static enum status notify(struct sql *db, struct diag *why)
{
	return run(db, "NOTIFY thresh_task", NULL, 0, NULL, NULL, why);
}

static void close_server(struct sql *db)
{
	PQfinish(db->handle);
	db->handle = NULL;
}

static const struct sql_kind pg_kind = {
	.begin = "BEGIN",
	.now = "(extract(epoch from clock_timestamp()) * 1000)::bigint",
	.serial = "BIGSERIAL PRIMARY KEY",
	.skip = "FOR UPDATE SKIP LOCKED",
	.bytes = "BYTEA",
	.run = run,
	.reconnect = reconnect,
	.wait = wait,
	.notify = notify,
	.close = close_server,
};

/* "NOTICE: relation exists, skipping" is nothing to say. */
static void be_silent(void *ctx, const PGresult *r)
{
	(void)ctx;
	(void)r;
}

enum status sql_open_pg(struct sql *db, struct diag *why)
{
	db->kind = &pg_kind;
	db->handle = PQconnectdb(db->place);
	if (PQstatus(db->handle) != CONNECTION_OK)
		return fail(db, why);
	PQsetNoticeReceiver(db->handle, be_silent, NULL);
	return ST_OK;
}
