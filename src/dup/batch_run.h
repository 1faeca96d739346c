/* batch_run.h - what batch.c gives to batch_run.c; for nobody else. */
#ifndef DUP_BATCH_RUN_H
#define DUP_BATCH_RUN_H

#include "dup/batch.h"

/* The fingerprint of a document, read into `to`; borrowed from it. */
must_use enum status batch_read_print(struct batch *b, size_t doc, struct buf *to,
				      struct str *ret, struct diag *why);
/* Call `each` for the fingerprint of every document, in order. */
must_use enum status batch_each_print(struct batch *b,
				      enum status (*each)(struct batch *, size_t doc,
							  struct str print, void *,
							  struct diag *),
				      void *arg, struct diag *why);
bool batch_is_fast(const struct batch *b);
#endif
