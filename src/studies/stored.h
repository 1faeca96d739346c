/*
 * stored.h - recordings in the database of tasks: DOMs, screenshots, transitions.
 *
 * A task whose detector is "record" crawls a site (record.h); its states are written in
 * the transaction that ends its lease, so that a recording is there exactly when its
 * result is.  Tasks that sweep name "db:" as their input: all recordings of their
 * namespace.  Screenshots are base64, states JSON: both kinds of databases keep them
 * alike.
 */
#ifndef STUDIES_STORED_H
#define STUDIES_STORED_H

#include "calibrate/samples.h"
#include "sql/sql.h"

#define STORED_INPUT "db:"

must_use enum status stored_init(struct sql *db, struct diag *why);
/* The recording in the folder `dir`, of task `id`; within a transaction. */
must_use enum status stored_add(struct sql *db, struct str id, struct str url,
				const char *dir, struct diag *why);
/* Recordings of a namespace, a site each, in the order of the tasks. */
must_use enum status stored_load(struct sql *db, struct str name_space,
				 struct sample_set *ret, struct diag *why);
/* The same as files: DIR/N-states.jsonl with DIR/N/STATE.png beside. */
must_use enum status stored_save(struct sql *db, struct str name_space, const char *dir,
				 size_t *ret_states, struct diag *why);
#endif
