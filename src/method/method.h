/*
 * method.h - every way to tell near-duplicates, behind one interface.
 *
 * A method is a row of `methods[]` and the file that holds its functions.  It
 * turns a document into a fingerprint (versioned bytes, the same on every
 * machine) and measures two fingerprints; its row says from which threshold
 * on they count as near and in which direction.  Measures are symmetric.
 *
 * Bytes: version, method id, number of features (varint), then what the
 * method put there.  A fingerprint with fewer features than the row asks for
 * is near to nothing, not even to itself: emptiness makes no duplicates.
 */
#ifndef METHOD_METHOD_H
#define METHOD_METHOD_H

#include "sketch/features.h"

#define FINGERPRINT_VERSION 1

struct method {
	const char *name;
	const char *about;      /* one line, with the parameters in words */
	uint8_t id;             /* in the bytes; never given to another method */
	bool smaller_is_nearer; /* a distance; otherwise a similarity */
	double threshold;       /* near at or beyond it, in that direction */
	unsigned min_features;
	struct feature_options features;
	/* Add the payload; returns the number of features it is made from. */
	size_t (*make)(const struct document *doc, const struct feature_options *how,
		       struct buf *to);
	/* Only for payloads that `valid` accepted. */
	double (*measure)(struct str a, struct str b);
	bool (*valid)(struct str payload);
	bool any_features; /* `how` may be of any kind; otherwise only its size counts */
};

/* In the order of the documentation; ended by a NULL name. */
extern const struct method methods[];

/* NULL when there is none of that name. */
const struct method *method_find(struct str name);
/* `how` may be NULL for the features of the row. */
void method_fingerprint(const struct method *m, const struct document *doc,
			const struct feature_options *how, struct buf *ret);
/*
 * ST_CORRUPT when one is no fingerprint of this method.  Where a document has
 * too few features the measure is the farthest there is.
 */
must_use enum status method_measure(const struct method *m, struct str a, struct str b,
				    double *ret);
bool method_is_near(const struct method *m, double measure, double threshold);
/* Two are measured in microseconds: what is cheaper should be asked before. */
bool method_is_costly(const struct method *m);
double method_farthest(const struct method *m);

/* For the methods' own files: payloads of ascending or plain 64-bit numbers. */
void payload_add_hashes(struct buf *to, const struct features *f);
bool payload_is_u64s(struct str payload);
static inline uint64_t payload_u64(struct str payload, size_t i)
{
	uint64_t v;

	memcpy(&v, payload.p + 8 * i, 8);
	return v;
}
#endif
