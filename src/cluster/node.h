/* node.h - what the files of the exchange share among themselves. */
#ifndef CLUSTER_NODE_H
#define CLUSTER_NODE_H

#include "base/intern.h"
#include "base/map.h"
#include "cluster/coordinator.h"
#include "cluster/exchange.h"
#include "cluster/message.h"
#include "cluster/outbox.h"
#include "engine/state.h"
#include "kafka/group.h"

enum part_state {
	PART_AWAY,
	PART_TAKING,
	PART_OURS,
	PART_DRAINING, /* what is in flight ends, and is told, before another has it */
};

struct part {
	uint8_t state;      /* enum part_state */
	bool is_read;       /* to the end that it had */
	bool is_asked;      /* for its epoch */
	uint64_t next;      /* offset of the next message to apply */
	uint64_t epoch;     /* ours; 0: not granted yet */
	uint64_t log_epoch; /* of the last owner that the log names */
};

/* An address, as this node holds it. */
struct address {
	uint64_t token;    /* 0: not held */
	int64_t needed_ms; /* until then its lease is renewed; our clock */
	int64_t used_ms;   /* last request */
	uint32_t delay_ms; /* and the pause after it */
	bool is_asked;     /* a claim is under way */
};

/* Somebody waits for an address. */
struct ticket {
	void *ticket;
	uint32_t address, site;
};

#define SENT_CACHE ((size_t)1 << 20) /* hashes of URLs that were sent; a power of two */

struct node {
	struct crawl_exchange base; /* must stay first */
	const struct cluster_place *place;
	char *dir;
	struct crawl *c;
	uint64_t id;
	char name[96];
	struct kafka_group *group;
	struct coordinator coordinator;
	struct outbox outbox;
	struct part *parts;
	uint64_t *sent_cache;
	struct suffix_cache suffixes;
	struct arena a; /* of the message being applied */
	/* addresses */
	struct intern names; /* of addresses */
	struct address *addresses;
	size_t addresses_cap;
	uint32_t *of_site; /* address by site, and 1 */
	size_t of_site_cap;
	struct ticket *tickets;
	size_t n_tickets, tickets_cap, n_claimed;
	bool claiming, renewing;
	size_t held;
	int64_t horizon_ms; /* what is held is surely held before it; our clock */
	int64_t next_renewal_ms;
	/* telling the others */
	uint8_t phase; /* enum node_phase */
	uint64_t work, beat, mark;
	bool saying, is_settling, is_over, is_draining;
	int64_t next_say_ms, drain_until_ms;
	uint64_t drain_mark; /* 0: things are still in flight */
	/* counts */
	uint64_t applied, refused, elsewhere, poison;
	bool is_open;
};

static inline int64_t node_now_ms(const struct node *n)
{
	return clock_mono_ms(n->c->upkeep);
}

/* Something was done: the node is busy. */
static inline void node_works(struct node *n)
{
	n->work++;
	n->phase = NODE_BUSY;
	n->is_settling = n->is_over = false;
}

/* addresses.c */
void addresses_claim(struct node *n, uint32_t site, const struct ip *ip, void *ticket);
void addresses_note_request(struct node *n, uint32_t site);
void addresses_step(struct node *n);
void addresses_answered(struct node *n, struct job *j);
void addresses_give_all_back(struct node *n);
bool addresses_hold(const struct node *n);

/* apply.c */
void apply_messages(struct node *n);

/* shares.c */
uint64_t share_assigned(void *ctx, uint32_t partition);
void share_revoked(void *ctx, uint32_t partition, bool is_lost);
void share_taken(struct node *n, struct job *j);
void shares_step(struct node *n);
/* The domain of an applied message is ours, or is not. */
void share_note_domain(struct node *n, struct str host, uint32_t partition);
/* A record that, once sent, proves that all before it were. */
uint64_t node_add_mark(struct node *n);
#endif
