/*
 * outbox.h - what this node has for the others: its journal, read again and sent.
 *
 * Links that were found and ends of URLs are in the journal anyway, so the journal is the
 * outbox: nothing is written twice, and kill -9 loses nothing.  Links are sent when they
 * are read; the ends of URLs only behind a commit, and only when all links before it are
 * acknowledged: if the log knows that a page was fetched, it knows its links.  How far
 * it is lies in state/outbox; after a crash some is sent twice, which is harmless.  While
 * the brokers are away the journal grows and nothing else happens.  A thread of its own.
 */
#ifndef CLUSTER_OUTBOX_H
#define CLUSTER_OUTBOX_H

#include "cluster/place.h"
#include "kafka/producer.h"
#include "os/segment_log.h"
#include "os/thread.h"
#include "url/suffix.h"

/* A message that nobody could read goes to a topic of its own. */
#define OUTBOX_DEAD_LETTER UINT32_MAX

struct outbox {
	const struct cluster_place *place;
	char *journal, *state; /* folder, file */
	uint64_t node;
	struct thread thread;
	struct kafka_producer *out, *dead;
	struct suffix_cache *suffixes;
	struct segment_cursor cursor;
	uint64_t position; /* all before it is acknowledged */
	int64_t next_save_ms;
	struct buf ends; /* of URLs, behind no commit yet: sized messages */
	uint64_t mark;   /* the last one read */
	/* atomic, for the loop */
	uint64_t *sent;   /* by partition: behind our last message */
	uint64_t *epochs; /* by partition: ours, from the loop */
	uint64_t marked;  /* the last mark whose records are all acknowledged */
	uint64_t shipped; /* position */
	uint64_t messages, bytes;
	bool stopping, failing;
};

must_use enum status outbox_start(struct outbox *o, const struct cluster_place *place,
				  const char *dir, uint64_t node, struct diag *why);
/* Waits a little for what is committed and not yet sent. */
void outbox_stop(struct outbox *o);
#endif
