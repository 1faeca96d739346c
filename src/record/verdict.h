/*
 * verdict.h - is this page new?  The answer, with its evidence.
 *
 * `near` is only ever said after an exact check of the pair; the words for
 * `thresh why` are all here.  Plain data with bytes on disk.
 */
#ifndef RECORD_VERDICT_H
#define RECORD_VERDICT_H

#include "base/buf.h"

enum verdict_kind {
	VERDICT_NEW,
	VERDICT_EXACT,         /* the same bytes, or the same normalised text */
	VERDICT_NEAR,          /* nearly the same content, verified */
	VERDICT_TEMPLATE_ONLY, /* only the host's template is the same: counts as new */
	VERDICT_SOFT_404,      /* the host's answer to a URL that cannot exist */
};

#define VERDICT_NO_DOC UINT64_MAX

struct verdict {
	uint8_t kind;            /* enum verdict_kind */
	struct str method;       /* "sha1", "text", "oph128", ...; empty when new */
	double score;            /* similarity 0..1 of the verified pair; 1 for exact */
	double threshold;        /* what the score had to reach */
	uint32_t distance;       /* Hamming distance, where the method has one */
	uint64_t representative; /* document id, or VERDICT_NO_DOC */
	struct str representative_url;
	uint32_t shared, only_here, only_there; /* features, for --explain */
};

/* "new", "exact", "near", "template-only", "soft-404". */
struct str verdict_name(enum verdict_kind kind);
void verdict_encode(const struct verdict *v, struct buf *to);
/* Strings point into `in`.  ST_CORRUPT when it is not exactly one verdict. */
must_use enum status verdict_decode(struct str in, struct verdict *ret);
#endif
