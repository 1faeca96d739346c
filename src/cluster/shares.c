/*
 * shares.c - which partitions are ours: taken when read to their end and fenced by a new
 * epoch, given up when nothing of them is in flight any more and all is told.
 */
#include "cluster/node.h"
#include "engine/steps.h"
#include "os/log.h"

#define DRAIN_MS                                                              \
	((int64_t)8000) /* then what is in flight is left to be fetched again \
			 */

/* --- domains of the frontier --- */

static uint32_t partition_of(const struct node *n, const struct domain *d)
{
	return cluster_partition(d->name, n->place->partitions);
}

static void set_domains(struct node *n, uint32_t partition, bool are_ours)
{
	struct frontier *f = &n->c->frontier;

	for (uint32_t i = 0; i < f->sites.names.n; i++)
		if (partition_of(n, &f->sites.domains[i]) == partition)
			frontier_set_away(f, i, !are_ours);
	n->c->idle_until_ms = 0;
}

void share_note_domain(struct node *n, struct str host, uint32_t partition)
{
	struct frontier *f = &n->c->frontier;
	struct str name = suffix_site_cached(&n->suffixes, host);
	uint32_t id = intern_find(&f->sites.names, name);

	if (id != INTERN_NONE && n->parts[partition].state == PART_OURS)
		frontier_set_away(f, id, false);
}

/* --- coming --- */

uint64_t share_assigned(void *ctx, uint32_t partition)
{
	struct node *n = ctx;
	struct part *p = &n->parts[partition];

	node_works(n);
	p->state = PART_TAKING;
	p->is_read = p->is_asked = false;
	return p->next;
}

/* Messages of a smaller epoch are refused behind this one, by everybody. */
static void tell_owner(struct node *n, uint32_t partition)
{
	cleanup(buf_release) struct buf text = { 0 };

	message_encode(&(struct message){ .kind = MESSAGE_OWNER,
					  .node = n->id,
					  .epoch = n->parts[partition].epoch,
					  .record = STR("") },
		       &text);
	journal_batch_add(
		n->c, &(struct journal_record){ .kind = JOURNAL_SENT,
						.sent = { partition, buf_str(&text) } });
}

void share_taken(struct node *n, struct job *j)
{
	struct part *p = &n->parts[j->partition];

	p->is_asked = false;
	if (j->st != ST_OK || p->state != PART_TAKING)
		return; /* asked for again, or gone meanwhile */
	p->epoch = j->epoch;
	__atomic_store_n(&n->outbox.epochs[j->partition], p->epoch, __ATOMIC_RELAXED);
	p->state = PART_OURS;
	node_works(n);
	tell_owner(n, j->partition);
	set_domains(n, j->partition, true);
}

static void take_read_ones(struct node *n)
{
	for (uint32_t i = 0; i < n->place->partitions; i++) {
		struct part *p = &n->parts[i];

		if (p->state != PART_TAKING || !p->is_read || p->is_asked)
			continue;
		struct job *j = job_new(JOB_TAKE);
		p->is_asked = true;
		j->partition = i;
		j->row.node = n->id;
		coordinator_give(&n->coordinator, j);
	}
}

/* --- going --- */

void share_revoked(void *ctx, uint32_t partition, bool is_lost)
{
	struct node *n = ctx;
	struct part *p = &n->parts[partition];
	bool was_ours = p->state == PART_OURS;

	node_works(n);
	set_domains(n, partition, false);
	p->state = was_ours && !is_lost ? PART_DRAINING : PART_AWAY;
	if (!n->is_draining) {
		n->is_draining = true;
		n->drain_mark = 0;
		n->drain_until_ms = node_now_ms(n) + DRAIN_MS;
	}
}

static bool something_is_in_flight(const struct node *n)
{
	const struct frontier *f = &n->c->frontier;

	for (uint32_t i = 0; i < f->sites.origins.n; i++) {
		const struct site *s = &f->sites.v[i];

		if (s->unjudged > 0 &&
		    n->parts[partition_of(n, &f->sites.domains[s->domain])].state ==
			    PART_DRAINING)
			return true;
	}
	return false;
}

uint64_t node_add_mark(struct node *n)
{
	journal_batch_add(
		n->c, &(struct journal_record){ .kind = JOURNAL_APPLIED,
						.applied = { .partition = JOURNAL_MARK,
							     .next = ++n->mark } });
	return n->mark;
}

static bool is_drained(struct node *n)
{
	if (n->drain_mark == 0 && !something_is_in_flight(n))
		n->drain_mark = node_add_mark(n);
	if (node_now_ms(n) > n->drain_until_ms)
		return true;
	return n->drain_mark > 0 &&
	       __atomic_load_n(&n->outbox.marked, __ATOMIC_ACQUIRE) >= n->drain_mark;
}

static void drain(struct node *n)
{
	bool any = false;

	if (!n->is_draining)
		return;
	for (uint32_t i = 0; i < n->place->partitions; i++)
		any |= n->parts[i].state == PART_DRAINING;
	if (any && !is_drained(n))
		return;
	for (uint32_t i = 0; i < n->place->partitions; i++)
		if (n->parts[i].state == PART_DRAINING)
			n->parts[i].state = PART_AWAY;
	n->is_draining = false;
	kafka_group_release(n->group);
}

void shares_step(struct node *n)
{
	take_read_ones(n);
	drain(n);
}
