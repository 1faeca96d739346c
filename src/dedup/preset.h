/*
 * preset.h - method, features and threshold as --tune chose them, in a few lines.
 */
#ifndef DEDUP_PRESET_H
#define DEDUP_PRESET_H

#include "base/buf.h"
#include "method/method.h"

/* Choices count from 1, as on the command line; 0 is the method's own. */
struct dedup_preset {
	struct buf method;
	uint64_t size;
	int pieces, features;
	double threshold;
};

/* What the file does not say stays. */
must_use enum status preset_read(struct str path, struct dedup_preset *ret,
				 struct diag *why);
/* The lines for a method; `comment` is the first of them. */
void preset_format(const struct method *m, const struct feature_options *f,
		   double threshold, struct str comment, struct buf *to);
/* The n-th of the words of "a|b|c", from 0. */
struct str preset_nth_word(const char *list, int n);
#endif
