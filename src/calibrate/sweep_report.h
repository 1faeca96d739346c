/*
 * sweep_report.h - a sweep for people and programs: JSON, CSV, one HTML page, a preset.
 *
 * The page stands alone: data, styles and script are inside, nothing is loaded.
 */
#ifndef CALIBRATE_SWEEP_REPORT_H
#define CALIBRATE_SWEEP_REPORT_H

#include "base/json.h"
#include "calibrate/recommend.h"
#include "calibrate/shapes.h"

struct sweep_report {
	const struct sample_set *set;
	const struct sweep *sweep;
	struct recommendation best;
	bool has_best;
	uint64_t duration_ms;
	struct shapes shapes; /* of the seed's grids; empty: not swept */
	struct str command;   /* that made it, for whoever wants to repeat it */
};

void sweep_report_add_json(const struct sweep_report *r, struct buf *to);
/* A line per point: method, features, size, threshold, then every metric. */
void sweep_report_add_csv(const struct sweep_report *r, struct buf *to);
void sweep_report_add_page(const struct sweep_report *r, struct buf *to);
/* Lines that dedup, states and crawl read with --preset; the evidence is in comments. */
void sweep_report_add_preset(const struct sweep_report *r, struct buf *to);

extern const struct str sweep_page; /* sweep.html, with a place for the data */
#endif
