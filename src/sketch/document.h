/*
 * document.h - what a fingerprint may be made from.  All borrowed.
 */
#ifndef SKETCH_DOCUMENT_H
#define SKETCH_DOCUMENT_H

#include "base/str.h"

/* Two fingerprints of a picture (picture/print.h), 64 bits each. */
struct picture_print {
	uint64_t frequencies, edges;
};

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
	const uint64_t *controls; /* hashes of what can be clicked or filled in */
	size_t n_controls;
	const struct str *windows; /* three per link: before, its text, after */
	size_t n_windows;
	const struct picture_print *picture; /* of the screenshot; NULL: none */
};
#endif
