/*
 * bus.h - a port: an ordered, durable log of messages a partition.
 *
 * Discovered URLs and decisions travel on it; the URL store is a view of it:
 * whoever applies a message writes the offset in the same commit, so replaying
 * from any older offset is harmless.  A partition is a share of the pay-level
 * domains; order holds within one.  Embedded: a segment log a partition in a
 * folder.  Another carrier is one more `struct bus_ops`; tests/unit/port_contract.h
 * says what it must keep.
 */
#ifndef PORT_BUS_H
#define PORT_BUS_H

#include "base/str.h"

#define BUS_PARTITIONS_MAX 1024

struct bus;

struct bus_ops {
	/* `ret_offset` is the message's own: reading from it gives it first. */
	enum status (*add)(struct bus *b, uint32_t partition, struct str message,
			   uint64_t *ret_offset, struct diag *why);
	/* All that was added is there for ever, and seen by readers. */
	enum status (*sync)(struct bus *b, struct diag *why);
	/* The next message is read from `offset`, one that add() or next() gave, or 0. */
	enum status (*seek)(struct bus *b, uint32_t partition, uint64_t offset,
			    struct diag *why);
	/* Borrowed until the next call; ST_AGAIN when there is none yet.  `ret_next`
	 * is the offset behind it: what a reader commits. */
	enum status (*next)(struct bus *b, uint32_t partition, struct str *ret,
			    uint64_t *ret_next, struct diag *why);
	/* No reader needs what is before `offset` any more. */
	enum status (*forget)(struct bus *b, uint32_t partition, uint64_t offset,
			      struct diag *why);
	void (*close)(struct bus *b);
};

struct bus {
	const struct bus_ops *ops;
	uint32_t partitions;
};

/* The embedded one, in the folder `dir`. */
must_use enum status bus_open_local(struct bus **ret, const char *dir,
				    uint32_t partitions, struct diag *why);
/*
 * Another reader of the same folder, in a thread or process of its own: it sees what
 * the writer has flushed, and cannot write (ST_DENIED).
 */
must_use enum status bus_open_local_reader(struct bus **ret, const char *dir,
					   uint32_t partitions, struct diag *why);
/* Which partition the messages of a pay-level domain go to. */
uint32_t bus_partition(const struct bus *b, struct str domain);

static inline void bus_close(struct bus **b)
{
	if (*b)
		(*b)->ops->close(*b);
	*b = NULL;
}
#endif
