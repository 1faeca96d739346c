/*
 * apply.c - messages of the log, applied to the frontier; behind each the journal says
 * so.
 */
#include "cluster/node.h"
#include "engine/steps.h"
#include "os/log.h"

#define AT_ONCE 256 /* messages per turn of the loop */

static void note_applied(struct node *n, uint32_t partition)
{
	const struct part *p = &n->parts[partition];

	journal_batch_add(
		n->c, &(struct journal_record){ .kind = JOURNAL_APPLIED,
						.applied = { .partition = partition,
							     .next = p->next,
							     .epoch = p->log_epoch } });
	if (n->c->batch && n->c->batch->journal.n > BATCH_FULL)
		journal_batch_send(n->c);
}

/* --- links --- */

static enum status apply_found(struct node *n, const struct kafka_message *m,
			       const struct journal_links *l, struct diag *why)
{
	struct discovery *links = arena_alloc(&n->a, (l->n + 1) * sizeof(*links));
	struct frontier_page page = { .hops = l->hops,
				      .source = l->source,
				      .off_hops = l->off_hops };
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	for (size_t i = 0; i < l->n; i++)
		links[i] = journal_discovery(l, &l->v[i]);
	TRY(crawl_offer_here(n->c, journal_batch(n->c), &page, links, l->n, why));
	if (l->n > 0 && url_parse(l->v[0].url, NULL, &scratch, &u, NULL) == ST_OK)
		share_note_domain(n, u.host, m->partition);
	return ST_OK;
}

/* --- ends --- */

static enum status apply_done(struct node *n, const struct message *m, struct part *p,
			      const struct journal_record *r, struct diag *why)
{
	if (m->node == n->id) /* our own: the frontier knows */
		return ST_OK;
	if (m->epoch < p->log_epoch) {
		n->refused++;
		return ST_OK;
	}
	n->elsewhere++;
	return r->kind == JOURNAL_DONE
		       ? crawl_done_elsewhere(n->c, r->done.url, r->done.key, why)
		       : crawl_done_elsewhere(n->c, r->dropped.url, r->dropped.key, why);
}

/* --- one message --- */

static bool fits(const struct message *m, const struct journal_record *r)
{
	return m->kind == MESSAGE_FOUND
		       ? r->kind == JOURNAL_LINKS
		       : r->kind == JOURNAL_DONE || r->kind == JOURNAL_DROPPED;
}

/* Nobody can read it: others may look at it later, the crawl goes on. */
static void bury(struct node *n, const struct kafka_message *m)
{
	n->poison++;
	log_event(LOG_WARN, "cluster",
		  "message %llu of partition %u cannot be read, and is in the topic %s",
		  (unsigned long long)m->offset, m->partition, n->place->dead_letters);
	journal_batch_add(n->c, &(struct journal_record){
					.kind = JOURNAL_SENT,
					.sent = { OUTBOX_DEAD_LETTER, m->bytes } });
}

static enum status apply(struct node *n, const struct kafka_message *m, struct diag *why)
{
	struct part *p = &n->parts[m->partition];
	struct journal_record r = { .kind = JOURNAL_LINKS };
	struct message msg;

	arena_reset(&n->a);
	if (message_decode(m->bytes, &msg) != ST_OK ||
	    (msg.kind != MESSAGE_OWNER &&
	     (journal_decode(msg.record, &n->a, &r) != ST_OK || !fits(&msg, &r)))) {
		bury(n, m);
		return ST_OK;
	}
	switch ((enum message_kind)msg.kind) {
	case MESSAGE_FOUND:
		return apply_found(n, m, &r.links, why);
	case MESSAGE_DONE:
		return apply_done(n, &msg, p, &r, why);
	case MESSAGE_OWNER:
		p->log_epoch = MAX(p->log_epoch, msg.epoch);
		return ST_OK;
	}
	return ST_OK;
}

static void take(struct node *n, const struct kafka_message *m)
{
	struct part *p = &n->parts[m->partition];
	struct diag why;

	if (p->state == PART_AWAY || m->offset < p->next)
		return;
	if (m->offset > p->next && p->next > 0)
		log_event(LOG_WARN, "cluster",
			  "partition %u begins at %llu: the log before it is gone",
			  m->partition, (unsigned long long)m->offset);
	node_works(n);
	enum status st = apply(n, m, &why);
	if (st != ST_OK) {
		crawl_fail(n->c, st, &why);
		return;
	}
	n->applied++;
	p->next = m->offset + 1;
	note_applied(n, m->partition);
}

void apply_messages(struct node *n)
{
	struct kafka_message m;
	struct diag why;
	unsigned i = 0;

	for (; i < AT_ONCE; i++) {
		enum status st = kafka_group_next(n->group, 0, &m, &why);

		if (st != ST_OK) /* brokers that are away come back by themselves */
			break;
		if (m.partition >= n->place->partitions)
			continue;
		if (m.is_end)
			n->parts[m.partition].is_read = true;
		else
			take(n, &m);
	}
	if (i == AT_ONCE)
		n->c->idle_until_ms = 0; /* there is more */
}
