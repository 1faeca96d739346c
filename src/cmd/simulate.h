/*
 * simulate.h - the parts of `thresh simulate`: its options, and its columns.
 */
#ifndef CMD_SIMULATE_H
#define CMD_SIMULATE_H

#include "cmd/args.h"
#include "simulate/comparison.h"
#include "simulate/spec_column.h"

struct simulate_settings {
	struct str_list specs, sets, weights, seeds;
	uint64_t budget;
	bool breadth_first, json;
	struct str html, keep;
};

struct simulate_job {
	const struct simulate_settings *settings;
	const char *folder; /* of a crawl, or NULL */
	struct recorded_web web;
	struct relevance *judge; /* NULL: nothing is wanted */
	struct spec_column columns[COLUMNS_MAX];
	struct crawl_outcome outcomes[COLUMNS_MAX];
	size_t n, n_outcomes;
	struct arena bytes;
};

must_use enum status simulate_read_archive(struct simulate_job *r, struct args *args,
					   struct diag *why);
/* The specifications, one with each --weights, and breadth-first. */
must_use enum status simulate_choose_columns(struct simulate_job *r, struct diag *why);
/* The recorded crawl, when there is one, and each column; judged by one judge. */
must_use enum status simulate_all(struct simulate_job *r, struct diag *why);
void simulate_job_release(struct simulate_job *r);
#endif
