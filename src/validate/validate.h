/*
 * validate.h - the faults of one page, each with its place.
 *
 * Judges either the bytes of a page, with the elements as a parser would open and close
 * them, or the DOM of a state as observe.js writes it, where every element has its end
 * tag and nothing is implied: there the faults of markup are lost, ids count per shadow
 * root and per frame (x-shadow, x-frame), and what does not show (x-unseen) needs no
 * label or text.  What stands in <template> and <noscript> is judged as markup only.
 *
 * Pure, linear in the page; memory is bounded by the caps below.
 */
#ifndef VALIDATE_VALIDATE_H
#define VALIDATE_VALIDATE_H

#include "base/arena.h"
#include "validate/fault.h"

#define VALIDATE_FAULTS_MAX 10000 /* kept of one page; all are counted */
#define VALIDATE_DEPTH_MAX  512

struct validate_input {
	struct str html; /* UTF-8; what is not is passed over as text */
	bool is_dom;
	struct str title; /* of a DOM: what the browser shows as its title */
};

struct fault {
	enum fault_kind kind;
	size_t offset;         /* of the tag or text, in bytes */
	uint32_t line, column; /* from 1; the column in characters */
	struct str path;       /* "ul.menu > li > a#home": the last elements of the way */
	struct str detail; /* the id, attribute or element that it is about; or empty */
};

struct validation {
	struct fault *v; /* by place */
	size_t n;
	uint64_t times[FAULT_KINDS];
};

/* All of `ret` lives in `a`. */
void validate_page(const struct validate_input *in, struct arena *a,
		   struct validation *ret);
#endif
