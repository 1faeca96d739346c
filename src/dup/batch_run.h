/* batch_run.h - between batch.c, batch_run.c and batch_verify.c; for nobody else. */
#ifndef DUP_BATCH_RUN_H
#define DUP_BATCH_RUN_H

#include "dup/batch.h"

/* The fingerprint of a document; borrowed from `to` or from the log.  Any thread. */
struct batch_print {
	struct str print,
		sketch; /* the sketch is empty unless pairs are verified by it */
};
must_use enum status batch_read_print(const struct batch *b, size_t doc, struct buf *to,
				      struct batch_print *ret, struct diag *why);
/* Whether pairs are verified by sketches that stand beside the fingerprints. */
bool batch_options_verify(const struct batch_options *o);
/* Big-endian, so that bytes sort as numbers. */
static inline void put_be(char *to, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (char)(v >> 8 * (bytes - 1 - i));
}
static inline uint64_t get_be(const char *from, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v = v << 8 | (unsigned char)from[i];
	return v;
}
bool batch_is_fast(const struct batch *b);
/* The end of phase 3: those of the pairs that are near, with their measures. */
must_use enum status batch_verify(struct batch *b, struct extsort *pairs,
				  struct diag *why);
/* Of b->pairs only those stay that are near by their texts, too. */
must_use enum status batch_verify_found(struct batch *b, struct diag *why);
#endif
