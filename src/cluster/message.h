/*
 * message.h - what nodes write to the log of a partition.
 *
 *   found   links of one page, all of one pay-level domain: whoever found them
 *   done    what became of a URL of this partition: its owner alone
 *   owner   from here on this node owns the partition, with a larger epoch than before
 *
 * `done` of an epoch smaller than that of the last `owner` before it is refused by every
 * reader: it is of a node that slept.  Records are those of the journal.  A later
 * version is ST_UNSUPPORTED, anything else that does not fit ST_CORRUPT.  Pure.
 */
#ifndef CLUSTER_MESSAGE_H
#define CLUSTER_MESSAGE_H

#include "base/buf.h"

/* 4,096 virtual nodes for ever; a partition is a range of them. */
#define CLUSTER_VNODES 4096

enum message_kind {
	MESSAGE_FOUND = 1,
	MESSAGE_DONE,
	MESSAGE_OWNER,
};

struct message {
	uint8_t kind;      /* enum message_kind */
	uint64_t node;     /* who writes */
	uint64_t epoch;    /* of MESSAGE_DONE, MESSAGE_OWNER */
	struct str record; /* a record of the journal; empty for MESSAGE_OWNER */
};

void message_encode(const struct message *m, struct buf *to);
/* `record` points into `in`. */
must_use enum status message_decode(struct str in, struct message *ret);

/* The virtual node of a pay-level domain; its number is on disk and never changes. */
uint32_t cluster_vnode(struct str domain);
uint32_t cluster_partition(struct str domain, uint32_t partitions);
#endif
