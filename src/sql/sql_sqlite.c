#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

#include "sql/sql.h"

#define BUSY_MS 20000
#define POLL_MS 200 /* a file tells nobody that it changed */

static enum status fail(struct sql *db, struct diag *why)
{
	return diag_fail(why, ST_DENIED, "%s: %s", db->place, sqlite3_errmsg(db->handle));
}

static enum status bind(struct sql *db, sqlite3_stmt *s, const struct str *params,
			size_t n, struct diag *why)
{
	for (size_t i = 0; i < n; i++) {
		char name[24];
		int at;

		snprintf(name, sizeof(name), "$%zu", i + 1);
		at = sqlite3_bind_parameter_index(s, name);
		if (at && sqlite3_bind_text64(s, at, params[i].p ? params[i].p : "",
					      params[i].n, SQLITE_TRANSIENT,
					      SQLITE_UTF8) != SQLITE_OK)
			return fail(db, why);
	}
	return ST_OK;
}

static enum status step(struct sql *db, sqlite3_stmt *s, sql_row_fn *each, void *ctx,
			struct diag *why)
{
	int code;

	while ((code = sqlite3_step(s)) == SQLITE_ROW) {
		struct str v[16];
		size_t n = MIN((size_t)sqlite3_column_count(s), COUNT(v));

		for (size_t i = 0; i < n; i++) {
			const void *p = sqlite3_column_blob(s, (int)i);

			v[i] = (struct str){ p ? p : "",
					     (size_t)sqlite3_column_bytes(s, (int)i) };
		}
		if (each)
			TRY(each(ctx, &(struct sql_row){ v, n }));
	}
	return code == SQLITE_DONE ? ST_OK : fail(db, why);
}

static enum status run(struct sql *db, const char *text, const struct str *params,
		       size_t n, sql_row_fn *each, void *ctx, struct diag *why)
{
	enum status st = ST_OK;

	while (*text && st == ST_OK) {
		sqlite3_stmt *s = NULL;

		if (sqlite3_prepare_v2(db->handle, text, -1, &s, &text) != SQLITE_OK)
			return fail(db, why);
		if (s) {
			st = bind(db, s, params, n, why);
			if (st == ST_OK)
				st = step(db, s, each, ctx, why);
		}
		sqlite3_finalize(s);
	}
	return st;
}

static void close_file(struct sql *db)
{
	sqlite3_close(db->handle);
	db->handle = NULL;
}

static enum status reconnect(struct sql *db, struct diag *why)
{
	(void)db;
	(void)why;
	return ST_OK;
}

static enum status wait(struct sql *db, int64_t timeout_ms, struct diag *why)
{
	struct timespec t = { 0, MIN(timeout_ms, (int64_t)POLL_MS) * 1000000 };

	(void)db;
	(void)why;
	nanosleep(&t, NULL);
	return ST_OK;
}

static enum status notify(struct sql *db, struct diag *why)
{
	(void)db;
	(void)why;
	return ST_OK;
}

static const struct sql_kind sqlite_kind = {
	.begin = "BEGIN IMMEDIATE",
	.now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
	.serial = "INTEGER PRIMARY KEY",
	.skip = "",
	.bytes = "BLOB",
	.run = run,
	.reconnect = reconnect,
	.wait = wait,
	.notify = notify,
	.close = close_file,
};

enum status sql_open_sqlite(struct sql *db, struct diag *why)
{
	sqlite3 *handle = NULL;
	int code = sqlite3_open(db->place, &handle);

	db->kind = &sqlite_kind;
	db->handle = handle;
	if (code != SQLITE_OK)
		return fail(db, why);
	sqlite3_busy_timeout(handle, BUSY_MS);
	return run(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, 0,
		   NULL, NULL, why);
}
