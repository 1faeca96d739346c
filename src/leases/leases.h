/*
 * leases.h - leases (port/coord.h) in PostgreSQL, for processes on many machines.
 *
 * One row per name: owner, token, until when, and when and how politely it was last used.
 * The database's clock alone decides whether a lease is over; what the owner may still
 * do is counted on its own clock, from before it asked.  So no two clocks have to agree.
 * A lost connection is opened again once per call.  One thread.
 */
#ifndef LEASES_LEASES_H
#define LEASES_LEASES_H

#include "port/coord.h"
#include "sql/sql.h"

/* `db` is borrowed; `space` keeps the names of one crawl apart from those of others. */
must_use enum status coord_open_sql(struct coord **ret, struct sql *db, struct str space,
				    struct diag *why);
/* The clock of every lease goes on by so much: for tests, which do not wait. */
must_use enum status leases_pass(struct coord *c, int64_t ms, struct diag *why);
#endif
