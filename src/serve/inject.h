/*
 * inject.h - the body of POST /urls, as it arrives: JSON to demands.
 *
 * An array of objects, or objects one after the other (NDJSON), of any number: only the
 * object that is being read and one block of demands are in memory.
 *
 *   {"url": "http://a.org/", "score": 0.7, "deadline": "2026-11-16T21:00:00Z"}
 *   {"url": "http://a.org/x", "blacklisted": true}
 *
 * What is not exactly that is an error that names the element; what stands before it has
 * been passed on.  Pure but for the sink.
 */
#ifndef SERVE_INJECT_H
#define SERVE_INJECT_H

#include "control/demand.h"

#define INJECT_ELEMENT_MAX 16384u

struct inject {
	uint8_t state; /* enum inject_state, inject.c */
	bool is_array, in_string, is_escaped;
	unsigned depth;
	uint64_t n; /* elements so far */
	struct buf element, block;
	size_t block_bytes; /* passed on at this size */
	enum status (*sink)(void *arg, struct str block, struct diag *why);
	void *arg;
};

void inject_init(struct inject *x, size_t block_bytes,
		 enum status (*sink)(void *arg, struct str block, struct diag *why),
		 void *arg);
void inject_release(struct inject *x);
/* ST_SYNTAX for what is no such body, or what the sink says. */
must_use enum status inject_feed(struct inject *x, struct str piece, struct diag *why);
/* No more will come; what is left is passed on. */
must_use enum status inject_end(struct inject *x, struct diag *why);

/* One object as a demand; `text` of it lives as long as `element`, decoded in `text`. */
must_use enum status inject_parse(struct str element, struct buf *text,
				  struct demand *ret, struct diag *why);
/* The body of PATCH /queue: {"match": REGEX, "score": 0.5} or "drop", "hold": true. */
must_use enum status patch_parse(struct str body, struct buf *text, struct demand *ret,
				 struct diag *why);
#endif
