/* calibrate.h - the commands below `thresh calibrate`, and what they share. */
#ifndef CMD_CALIBRATE_H
#define CMD_CALIBRATE_H

#include "calibrate/sweep_report.h"
#include "cmd/command.h"

extern const struct command cmd_calibrate_sweep;    /* calibrate_sweep.c */
extern const struct command cmd_calibrate_search;   /* calibrate_search.c */
extern const struct command cmd_calibrate_copies;   /* calibrate_copies.c */
extern const struct command cmd_calibrate_annotate; /* calibrate_annotate.c */
extern const struct command cmd_calibrate_init;     /* calibrate_tasks.c */
extern const struct command cmd_calibrate_add;
extern const struct command cmd_calibrate_worker;
extern const struct command cmd_calibrate_tasks;
extern const struct command cmd_calibrate_fetch;
extern const struct command cmd_calibrate_record; /* calibrate_record.c */

/* "thresh calibrate sweep: text" to stderr; returns `code`. */
int calibrate_fail(const struct command *self, int code, const char *text);
/* "thresh calibrate ..." as it was typed. */
void calibrate_command_line(int argc, char **argv, struct buf *to);
/* The best points, the baselines, the price of misses and the recommendation. */
void calibrate_print_sweep(const struct sweep_report *r, size_t rows);
void calibrate_print_json(const struct sweep_report *r);
/* Crawl with the `n` best methods for real, and print what came of it. */
int calibrate_live(const struct command *self, const struct sweep_report *r, size_t n,
		   struct str dir);
/* The best point of each detector, cheapest first; the caller frees it. */
struct recommendation *calibrate_rank(const struct sweep *sw, double price,
				      size_t *ret_n);
#endif
