/*
 * detector.h - one detector to compare samples: a method with its features, or a
 * baseline.
 *
 * A grid names detectors and thresholds in one line each:
 *     METHOD[:PIECES[:SIZES[:THRESHOLDS]]]
 *     crawlhash:words:1-9:1-8       jaccard:chars:1-9:0.35-1/0.05      levenshtein
 * SIZES and THRESHOLDS are numbers and ranges between commas; "/STEP" ends a range.
 * Without thresholds, they are chosen from the measures that occur.  Baselines are
 * compared as DOMs: `dom` (equal without text and attributes, Crawljax's own check),
 * `dom-text` (equal visible text) and `levenshtein` (edits of the stripped DOM per byte).
 */
#ifndef CALIBRATE_DETECTOR_H
#define CALIBRATE_DETECTOR_H

#include "calibrate/samples.h"
#include "method/method.h"

#define DETECTORS_MAX  5000
#define THRESHOLDS_MAX 4000

enum detector_kind {
	DETECTOR_METHOD,
	DETECTOR_DOM,         /* 0 when equal without text and attributes, else 1 */
	DETECTOR_DOM_TEXT,    /* the same for the visible text */
	DETECTOR_LEVENSHTEIN, /* edits per byte of the longer, stripped of text and
			       * attributes
			       */
};

struct detector {
	enum detector_kind kind;
	const struct method *method; /* NULL for a baseline */
	struct feature_options features;
	double *thresholds; /* in the measure of the detector; NULL: chosen by what occurs
			     */
	size_t threshold_count;
};

struct detector_list {
	struct detector *v;
	size_t n, cap;
	struct arena bytes; /* of the thresholds */
};

void detector_list_release(struct detector_list *l);
/* Add the detectors of one line of a grid.  The error names the part that is wrong. */
must_use enum status detector_parse(struct detector_list *l, struct str line,
				    struct diag *why);
/* The grids of the seed's figures 9 to 15, and the baselines. */
void detector_add_seed_grid(struct detector_list *l);
/* Every method with its own features, words, characters and sentences of several sizes.
 */
void detector_add_every(struct detector_list *l);
/* "crawlhash", "levenshtein". */
struct str detector_name(const struct detector *w);
/* "words 3", "keywords", "" for a baseline. */
void detector_add_features(const struct detector *w, struct buf *to);
bool detector_smaller_is_nearer(const struct detector *w);
/* Without text, attributes and spaces: what the DOM baselines compare. */
void detector_strip_dom(struct str html, struct buf *to);
#endif
