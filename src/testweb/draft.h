/*
 * draft.h - a URL while it is being written: host, path and parameters apart.
 *
 * Fixed room, no allocation.  What does not fit is cut, which the tests of the
 * round trip would show; no link of the test web comes near the bounds.
 */
#ifndef TESTWEB_DRAFT_H
#define TESTWEB_DRAFT_H

#include "base/buf.h"

#define DRAFT_PATH_MAX  1536
#define DRAFT_VALUE_MAX 160
#define DRAFT_PARAMS    16

struct draft_param {
	const char *name;
	char value[DRAFT_VALUE_MAX]; /* percent-encoded */
	uint16_t n;
};

struct draft {
	const char *host_prefix; /* "", "www.", "m.", ... */
	bool https;
	uint16_t path_n;
	uint8_t n_params;
	bool fragment;
	char path[DRAFT_PATH_MAX];
	struct draft_param params[DRAFT_PARAMS];
};

/* Only the counters: the arrays are large and need no zeroes. */
static inline void draft_reset(struct draft *d)
{
	d->host_prefix = "";
	d->https = d->fragment = false;
	d->path_n = 0;
	d->n_params = 0;
}
void draft_add(struct draft *d, struct str text);
void draft_add_uint(struct draft *d, uint64_t v);
void draft_add_padded(struct draft *d, unsigned v, unsigned digits);
/* Bytes past ASCII percent-encoded. */
void draft_add_encoded(struct draft *d, struct str text);
void draft_param(struct draft *d, const char *name, struct str value);
void draft_param_uint(struct draft *d, const char *name, uint64_t v);
/* "/path?a=b&c=d#fragment" */
void draft_write(const struct draft *d, struct buf *to);

static inline struct str draft_path(const struct draft *d)
{
	return (struct str){ d->path, d->path_n };
}
#endif
