/*
 * compare.h - two documents by every method, features and size at once.
 *
 * What `thresh compare` shows: the value of each method in its own features against its
 * threshold, the same with other pieces and sizes where the method takes them, and the
 * keyword tables of seed 003.  Pure; memory is the caller's to release.
 */
#ifndef CALIBRATE_COMPARE_H
#define CALIBRATE_COMPARE_H

#include "base/json.h"
#include "calibrate/detector.h"
#include "method/evidence.h"
#include "method/ssm.h"
#include "sketch/keywords.h"

/* The columns beside a method's own features. */
struct compare_column {
	const char *name;
	struct feature_options features;
};

#define COMPARE_COLUMNS 7
extern const struct compare_column compare_columns[COMPARE_COLUMNS];

struct compared_value {
	double value;    /* infinite: too little to compare */
	bool comparable; /* the method takes these features */
	bool near;       /* at the method's threshold */
};

struct compared_row {
	const struct method *method;
	struct compared_value own;
	struct compared_value others[COMPARE_COLUMNS];
};

struct comparison {
	struct compared_row *rows; /* one per method, in the order of methods[] */
	size_t n, near, comparable;
	double levenshtein; /* edits of the stripped DOM per byte; NaN without HTML */
	bool same_dom;
};

void comparison_make(const struct sample *a, const struct sample *b,
		     struct comparison *ret);
void comparison_release(struct comparison *c);
void comparison_add_json(const struct comparison *c, struct json_out *o);

/* A row of tables 3 to 5: a keyword, its ranks from 1 (0: not there) and its score. */
struct keyword_row {
	struct str word;
	uint32_t count_a, count_b, rank_a, rank_b;
	double score; /* as the seed's tables compute */
};

struct keyword_tables {
	struct keywords a, b;
	struct keyword_row *rows; /* common, then only in a, then only in b */
	size_t n, cap, common, only_a, only_b;
	struct ssm_score tables, printed;
};

void keyword_tables_make(const struct sample *a, const struct sample *b,
			 struct keyword_tables *ret);
void keyword_tables_release(struct keyword_tables *t);
void keyword_tables_add_json(const struct keyword_tables *t, struct json_out *o);
/* All of it for a pair, compared here. */
void comparison_add_pair_json(const struct sample *a, const struct sample *b,
			      bool keywords, struct json_out *o);
#endif
