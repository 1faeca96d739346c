/* batch_run.h - between batch.c, batch_run.c and batch_verify.c; for nobody else. */
#ifndef DUP_BATCH_RUN_H
#define DUP_BATCH_RUN_H

#include "dup/batch.h"

/* The fingerprint of a document; borrowed from `to` or from the log.  Any thread. */
must_use enum status batch_read_print(const struct batch *b, size_t doc, struct buf *to,
				      struct str *ret, struct diag *why);
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
#endif
