/* batch_run.h - what batch.c gives to batch_run.c; for nobody else. */
#ifndef DUP_BATCH_RUN_H
#define DUP_BATCH_RUN_H

#include "dup/batch.h"

/* The fingerprint of a document, read into `to`; borrowed from it. */
must_use enum status batch_read_print(struct batch *b, size_t doc, struct buf *to,
				      struct str *ret, struct diag *why);
/* Big-endian, so that bytes sort as numbers. */
static inline void put_be(char *to, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		to[i] = (char)(v >> 8 * (bytes - 1 - i));
}
bool batch_is_fast(const struct batch *b);
#endif
