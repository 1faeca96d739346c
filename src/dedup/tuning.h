/*
 * tuning.h - method, features and threshold chosen from labelled pairs.
 */
#ifndef DEDUP_TUNING_H
#define DEDUP_TUNING_H

#include "base/arena.h"
#include "dup/tune.h"
#include "method/method.h"

struct labelled {
	struct str a, b;
	bool near;
};

struct labelled_set {
	struct labelled *v;
	size_t n, cap, near;
	struct arena bytes;
};

/* One way to tell them apart, and how well it does. */
struct tuned {
	const struct method *method;
	struct feature_options features;
	struct tune_result result;
};

/* JSON lines {label, a, b}; at least five near and five other pairs. */
must_use enum status labelled_load(struct str path, struct labelled_set *ret,
				   struct diag *why);
void labelled_release(struct labelled_set *s);
/* The measures of a method on all pairs; `ret` holds s->n. */
void labelled_measure(const struct labelled_set *s, const struct tuned *way,
		      struct tune_pair *ret);
/* Try all that compares text, `each` as it is done; the best by pairs it had not seen. */
struct tuned tuning_run(const struct labelled_set *s,
			void (*each)(void *arg, const struct tuned *t), void *arg);
#endif
