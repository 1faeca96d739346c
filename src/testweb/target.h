/*
 * target.h - the target of a request taken apart: segments and parameters, decoded.
 *
 * Reads foreign bytes; never fails: what is past the bounds is left out and
 * counted.  The strings point into `bytes`.
 */
#ifndef TESTWEB_TARGET_H
#define TESTWEB_TARGET_H

#include "base/str.h"

#define TARGET_BYTES  4096
#define TARGET_PARTS  24
#define TARGET_PARAMS 24

struct target_param {
	struct str name, value;
	bool used; /* somebody has understood it */
};

struct target {
	struct str raw_path, raw_query;
	struct str segments[TARGET_PARTS];
	unsigned n_segments;  /* stored */
	unsigned depth;       /* segments in all, stored or not */
	bool ends_with_slash; /* "/" alone does */
	bool odd_encoding;    /* percent-encoding of unreserved bytes, empty segments */
	struct target_param params[TARGET_PARAMS];
	unsigned n_params;
	struct str path_session; /* the value of ;jsessionid= */
	size_t n_bytes;
	char bytes[TARGET_BYTES];
};

/* `target` is "/path?query"; an absolute URL must be cut before. */
void target_parse(struct target *t, struct str target);
/* The value of a parameter, marked as used; false when it is not there. */
bool target_take(struct target *t, const char *name, struct str *ret_value);
bool target_take_uint(struct target *t, const char *name, uint64_t max, uint64_t *ret);
/* The number of an unused parameter of that name, or -1. */
int target_find(const struct target *t, const char *name);
static inline struct str target_segment(const struct target *t, unsigned i)
{
	return i < t->n_segments ? t->segments[i] : (struct str){ "", 0 };
}
#endif
