/*
 * group.h - a member of a group: the brokers share the partitions of a topic among its
 * members, and share anew when one comes, goes or falls silent.
 *
 * Where reading begins is the member's knowledge, not the brokers': it commits offsets
 * with what it made of the messages.  Messages and changes of ownership come out of
 * kafka_group_next() alone, in one thread, so that between two calls nothing changes.
 */
#ifndef KAFKA_GROUP_H
#define KAFKA_GROUP_H

#include "kafka/client.h"

struct kafka_group;

struct kafka_group_options {
	const char *topic, *group;
	uint32_t partitions;
	uint32_t session_ms; /* a silent member has lost its partitions after it */
	/* It is ours: the offset at which reading begins. */
	uint64_t (*assigned)(void *ctx, uint32_t partition);
	/*
	 * It is wanted back, and ours until kafka_group_release(): who has something in
	 * flight ends it first.  When `is_lost`, it may be somebody else's already.
	 */
	void (*revoked)(void *ctx, uint32_t partition, bool is_lost);
	void *ctx;
	int wake_fd; /* an eventfd told when there is something; -1 for none */
};

struct kafka_message {
	uint32_t partition;
	uint64_t offset;
	bool is_end;           /* no message: all that the partition had was read */
	struct str key, bytes; /* borrowed until the next call */
};

must_use enum status kafka_group_open(struct kafka_group **ret,
				      const struct kafka_place *at,
				      const struct kafka_group_options *o,
				      struct diag *why);
/* Leaves the group: others have its partitions at once. */
void kafka_group_close(struct kafka_group **g);
/* ST_AGAIN when there is nothing.  ST_IO: the brokers cannot be reached just now. */
must_use enum status kafka_group_next(struct kafka_group *g, int timeout_ms,
				      struct kafka_message *ret, struct diag *why);
/* What was revoked is given up now: others may have it. */
void kafka_group_release(struct kafka_group *g);
/* No messages of this partition until it is wanted again. */
must_use enum status kafka_group_pause(struct kafka_group *g, uint32_t partition,
				       bool pause, struct diag *why);
#endif
