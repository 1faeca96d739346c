/*
 * idf.h - in how many documents of a corpus a feature stands.
 *
 * A table says which features it counted; others have other hashes.
 *
 * Bytes: "THRI", version 2, kind, piece and size of the features, number of
 * documents, number of entries, entries (hash, count) in ascending order of
 * hash, checksum.  The same on every
 * machine.  A zeroed struct is an empty table.
 */
#ifndef SKETCH_IDF_H
#define SKETCH_IDF_H

#include "base/buf.h"
#include "base/map.h"

struct idf {
	struct map counts; /* feature hash -> documents */
	uint64_t documents;
	uint8_t kind, piece, size; /* as in struct feature_options */
};

struct features;

void idf_release(struct idf *t);
/* Count one document; `f` must be finished. */
void idf_add(struct idf *t, const struct features *f);
/* ln((N + 1) / (df + 1)) + 1: never zero, and finite for a feature never seen. */
double idf_of(const struct idf *t, uint64_t hash);
void idf_encode(const struct idf *t, struct buf *to);
/* ST_CORRUPT, and `ret` untouched, unless it is exactly one table. */
must_use enum status idf_decode(struct str in, struct idf *ret);
#endif
