/* calibrate_db.h - what the commands share that work on a database of tasks. */
#ifndef CMD_CALIBRATE_DB_H
#define CMD_CALIBRATE_DB_H

#include "cmd/args.h"
#include "cmd/calibrate.h"
#include "studies/tasks.h"

struct db_settings {
	struct str db, name_space, sites, settings, labels, out;
	struct str_list grid;
	bool json, results;
};

#define AT(field) offsetof(struct db_settings, field)
#define DB                                                                   \
	OPTION(STR, "db", AT(db), .standard = "calibrate.db", .value = "DB", \
	       .help = "a file (SQLite), or postgresql://USER@HOST/NAME")
#define NAMESPACE                                                                      \
	OPTION(STR, "namespace", AT(name_space), .letter = 'n', .standard = "default", \
	       .value = "NAME", .help = "the study that the tasks belong to")

/* Parse, open, do `what`, close: all of these commands are alike. */
int calibrate_with_db(const struct command *self, int argc, char **argv,
		      enum status (*what)(const struct db_settings *, const struct args *,
					  struct sql *, struct diag *));
#endif
