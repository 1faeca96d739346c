/*
 * sql.h - one SQL for an embedded file (SQLite) and for a server (PostgreSQL).
 *
 * Statements are written once, with parameters $1, $2 ... as texts.  Where the two part,
 * a word in braces stands for what each says:
 *   {begin}   begin a transaction that will write       {now}   milliseconds since 1970,
 *   {serial}  the type of a number that counts up               by the clock of the
 * database {skip}    pass over rows that others hold            {bytes} the type of bytes
 * A connection is owned by one thread.  One that is lost is told as ST_IO, and
 * sql_reconnect() tries again: nothing that was not committed was done.
 */
#ifndef SQL_SQL_H
#define SQL_SQL_H

#include "base/buf.h"

#define SQL_PARAMS_MAX 8

struct sql; /* a connection */

struct sql_row {
	const struct str *v; /* borrowed until the next row */
	size_t n;
};

typedef enum status sql_row_fn(void *ctx, const struct sql_row *row);

struct sql_kind {
	const char *begin, *now, *serial, *skip, *bytes;
	enum status (*run)(struct sql *db, const char *text, const struct str *params,
			   size_t n, sql_row_fn *each, void *ctx, struct diag *why);
	enum status (*reconnect)(struct sql *db, struct diag *why);
	/* ST_OK when somebody notified, ST_TIMEOUT otherwise. */
	enum status (*wait)(struct sql *db, int64_t timeout_ms, struct diag *why);
	enum status (*notify)(struct sql *db, struct diag *why);
	void (*close)(struct sql *db);
};

struct sql {
	const struct sql_kind *kind;
	void *handle;   /* of the library */
	char *place;    /* file or address */
	bool listening; /* for sql_wait() */
};

/* "postgresql://..." or "host=..." is a server, anything else a file. */
must_use enum status sql_open(struct sql **ret, const char *place, struct diag *why);
void sql_close(struct sql **db);
must_use enum status sql_reconnect(struct sql *db, struct diag *why);
/* `each` may be NULL; its failure ends the statement. */
must_use enum status sql_run(struct sql *db, const char *text, const struct str *params,
			     size_t n, sql_row_fn *each, void *ctx, struct diag *why);
/* Wait until sql_notify() was called anywhere, or the time is over. */
must_use enum status sql_wait(struct sql *db, int64_t timeout_ms, struct diag *why);
must_use enum status sql_notify(struct sql *db, struct diag *why);

/* For sql.c: the two kinds. */
must_use enum status sql_open_sqlite(struct sql *db, struct diag *why);
must_use enum status sql_open_pg(struct sql *db, struct diag *why);
#endif
