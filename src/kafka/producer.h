/*
 * producer.h - messages to the partitions of one topic.
 *
 * In the order in which they are added, also over retries; acknowledged by all replicas
 * in sync.  kafka_flush() is the commit: ST_OK means that everything added before it is
 * there.  After anything else the caller adds again what it has no ST_OK for: duplicates
 * are harmless to every reader, a hole is not.  One thread.
 */
#ifndef KAFKA_PRODUCER_H
#define KAFKA_PRODUCER_H

#include "kafka/client.h"

struct kafka_producer;

/* The topic must be there. */
must_use enum status kafka_producer_open(struct kafka_producer **ret,
					 const struct kafka_place *at, const char *topic,
					 uint32_t partitions, struct diag *why);
void kafka_producer_close(struct kafka_producer **p);
/* `key` may be empty.  ST_AGAIN when so much waits to be sent that it must be flushed. */
must_use enum status kafka_add(struct kafka_producer *p, uint32_t partition,
			       struct str key, struct str message, struct diag *why);
/* ST_TIMEOUT when some are not acknowledged yet, ST_IO when some were given up. */
must_use enum status kafka_flush(struct kafka_producer *p, int timeout_ms,
				 struct diag *why);
/* The offset behind the last acknowledged message of ours; 0 for none. */
uint64_t kafka_end(const struct kafka_producer *p, uint32_t partition);
#endif
