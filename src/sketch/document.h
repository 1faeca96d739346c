/*
 * document.h - what a fingerprint may be made from.  All borrowed.
 */
#ifndef SKETCH_DOCUMENT_H
#define SKETCH_DOCUMENT_H

#include "base/str.h"

struct document {
	struct str text;     /* UTF-8; malformed sequences separate words */
	struct str language; /* "en"; empty when unknown: no stemming, no stop words */
	const struct str *links;
	size_t n_links;
	const struct str *anchors; /* anchor texts */
	size_t n_anchors;
	const struct str *metadata; /* "name=value" */
	size_t n_metadata;
	const uint64_t *tag_paths; /* hashes of the ways from the root to each element */
	size_t n_tag_paths;
};
#endif
