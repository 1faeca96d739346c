/*
 * batch.h - a port: map, sort by key, reduce, over lines.
 *
 * A job is two pure functions over text lines "key<TAB>value": what map emits
 * is sorted by key (bytewise; equal keys by value) and given to reduce one key
 * at a time.  The same functions run under any engine that speaks this line
 * protocol.  Embedded: our own external sort in this process, bounded memory.
 */
#ifndef PORT_BATCH_H
#define PORT_BATCH_H

#include "base/buf.h"

/* Takes one line (no tab or newline in a key, no newline in a value). */
typedef enum status batch_emit_fn(void *ctx, struct str key, struct str value,
				  struct diag *why);

struct batch_emit {
	batch_emit_fn *emit;
	void *ctx;
};

/* The values of one key, in order; false when there is no more. */
struct batch_values;
bool batch_next_value(struct batch_values *v, struct str *ret);

struct batch_job {
	enum status (*map)(void *ctx, struct str line, struct batch_emit to,
			   struct diag *why);
	enum status (*reduce)(void *ctx, struct str key, struct batch_values *values,
			      struct batch_emit to, struct diag *why);
	void *ctx;
};

/* The next input line; ST_AGAIN at the end. */
typedef enum status batch_input_fn(void *ctx, struct str *ret, struct diag *why);

struct batch;

struct batch_ops {
	enum status (*run)(struct batch *b, const struct batch_job *job,
			   batch_input_fn *input, void *input_ctx,
			   struct batch_emit output, struct diag *why);
	void (*close)(struct batch *b);
};

struct batch {
	const struct batch_ops *ops;
};

/* Runs that do not fit in `memory_bytes` go to the folder `dir`. */
void batch_open_local(struct batch **ret, const char *dir, size_t memory_bytes);

static inline void batch_close(struct batch **b)
{
	if (*b)
		(*b)->ops->close(*b);
	*b = NULL;
}
#endif
