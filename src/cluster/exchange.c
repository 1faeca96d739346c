#include "cluster/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cluster/node.h"
#include "engine/steps.h"
#include "os/file.h"

#define SAY_MS    ((int64_t)500)
#define COMMIT_MS 250
/* So much of the journal may wait to be sent before nothing more is fetched. */
#define OUTBOX_MAX ((uint64_t)1 << 30)

/* --- before the journal is replayed --- */

static enum status load_id(struct node *n, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	char *path = path_join(&a, n->dir, STR("state/node"));
	unsigned long long id;

	if (file_exists(path)) {
		TRY(file_load(path, 64, &text, why));
		if (sscanf(buf_cstr(&text), "%llx", &id) != 1)
			return diag_fail(why, ST_CORRUPT, "%s is damaged", path);
		n->id = id;
		return ST_OK;
	}
	if (getrandom(&n->id, sizeof(n->id), 0) != (ssize_t)sizeof(n->id))
		return diag_fail(why, ST_IO, "no random numbers");
	buf_addf(&text, "%016llx\n", (unsigned long long)n->id);
	return file_save(path, buf_str(&text), why);
}

static enum status prepare(struct crawl_exchange *x, struct crawl *c, struct diag *why)
{
	struct node *n = (struct node *)x;
	char host[48] = "?";

	n->c = c;
	(void)!gethostname(host, sizeof(host) - 1);
	snprintf(n->name, sizeof(n->name), "%s:%ld", host, (long)getpid());
	TRY(load_id(n, why));
	frontier_share(&c->frontier);
	/* What is found waits for a commit before others know of it. */
	c->settings->commit_ms = MIN(c->settings->commit_ms, (uint64_t)COMMIT_MS);
	return ST_OK;
}

static void restore(struct crawl_exchange *x, const struct journal_applied *a)
{
	struct node *n = (struct node *)x;

	if (a->partition == JOURNAL_MARK) {
		n->mark = MAX(n->mark, a->next);
	} else if (a->partition < n->place->partitions) {
		n->parts[a->partition].next = a->next;
		n->parts[a->partition].log_epoch = a->epoch;
	}
}

/* --- running --- */

static enum status open_node(struct crawl_exchange *x, struct diag *why)
{
	struct node *n = (struct node *)x;
	const struct cluster_place *p = n->place;
	struct kafka_topic_options t = { .partitions = p->partitions };
	struct kafka_group_options g = { .topic = p->topic,
					 .group = p->group,
					 .partitions = p->partitions,
					 .session_ms = p->session_ms,
					 .assigned = share_assigned,
					 .revoked = share_revoked,
					 .ctx = n,
					 .wake_fd = n->c->wake.watch.fd };

	TRY(kafka_make_topic(&p->kafka, p->topic, &t, why));
	TRY(coordinator_start(&n->coordinator, p, str_from(n->name), n->c->wake.watch.fd,
			      why));
	TRY(outbox_start(&n->outbox, p, n->dir, n->id, why));
	n->is_open = true;
	return kafka_group_open(&n->group, &p->kafka, &g, why);
}

/* --- links on their way out --- */

/* Sent not long ago: whoever owns it has it. */
static bool was_sent(struct node *n, struct u128 hash)
{
	uint64_t *slot = &n->sent_cache[hash.hi & (SENT_CACHE - 1)];

	if (*slot == hash.lo)
		return true;
	*slot = hash.lo;
	return false;
}

struct outgoing {
	uint32_t *group; /* of each link: number of its domain, or UINT32_MAX */
	struct str *domains;
	uint32_t n;
};

static uint32_t find_domain(struct outgoing *o, struct str domain)
{
	for (uint32_t i = 0; i < o->n; i++)
		if (str_eq(o->domains[i], domain))
			return i;
	o->domains[o->n] = domain;
	return o->n++;
}

static void sort_links(struct node *n, struct crawl_item *i,
		       const struct discovery *links, size_t count, struct outgoing *o)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	o->group = arena_alloc(&i->arena, (count + 1) * sizeof(*o->group));
	o->domains = arena_alloc(&i->arena, (count + 1) * sizeof(*o->domains));
	for (size_t k = 0; k < count; k++) {
		o->group[k] = UINT32_MAX;
		if (was_sent(n, links[k].hash) ||
		    url_parse(links[k].url, NULL, &scratch, &u, NULL) != ST_OK)
			continue;
		struct str domain = suffix_site_cached(&n->suffixes, u.host);
		o->group[k] = find_domain(o, arena_copy(&i->arena, domain));
	}
}

static struct journal_link line_of(const struct discovery *d)
{
	return (struct journal_link){ .url = d->url,
				      .key = d->rule.n > 0 ? d->key : STR(""),
				      .rules = d->rule,
				      .depth = d->depth,
				      .outcome = OUTCOME_QUEUED,
				      .purpose = d->purpose,
				      .reason = REASON_NEW,
				      .hop = d->hop,
				      .priority = d->priority,
				      .has_score = d->has_score,
				      .score = d->score,
				      .scores = d->scores };
}

static void send_links(struct crawl_exchange *x, struct crawl_item *i,
		       const struct frontier_page *page, const struct discovery *links,
		       size_t count)
{
	struct node *n = (struct node *)x;
	cleanup(buf_release) struct buf record = { 0 }, text = { 0 };
	struct outgoing o = { 0 };
	struct journal_links l = { .via = count ? links[0].via : STR(""),
				   .hops = page->hops,
				   .source = page->source,
				   .off_hops = page->off_hops,
				   .now_ms = clock_wall_ms(n->c->clock) };

	node_works(n);
	sort_links(n, i, links, count, &o);
	l.v = arena_alloc(&i->arena, (count + 1) * sizeof(*l.v));
	for (uint32_t d = 0; d < o.n; d++) {
		l.n = 0;
		for (size_t k = 0; k < count; k++)
			if (o.group[k] == d)
				l.v[l.n++] = line_of(&links[k]);
		buf_reset(&record);
		buf_reset(&text);
		journal_encode(
			&(struct journal_record){ .kind = JOURNAL_LINKS, .links = l },
			&record);
		message_encode(&(struct message){ .kind = MESSAGE_FOUND,
						  .node = n->id,
						  .record = buf_str(&record) },
			       &text);
		item_add_record(i,
				&(struct journal_record){
					.kind = JOURNAL_SENT,
					.sent = { cluster_partition(o.domains[d],
								    n->place->partitions),
						  buf_str(&text) } });
		i->links_new += (uint32_t)l.n;
		for (size_t k = 0; k < l.n; k++)
			i->pages_new +=
				l.v[k].hop == HOP_LINK || l.v[k].hop == HOP_MANIFEST;
	}
}

/* --- what is said of us --- */

static bool all_is_sent(const struct node *n)
{
	return __atomic_load_n(&n->outbox.marked, __ATOMIC_ACQUIRE) == n->mark;
}

static bool shares_are_still(const struct node *n)
{
	for (uint32_t i = 0; i < n->place->partitions; i++)
		if (n->parts[i].state == PART_TAKING ||
		    n->parts[i].state == PART_DRAINING)
			return false;
	return true;
}

static void fill_row(struct node *n, struct job *j)
{
	struct node_row *r = &j->row;
	uint32_t p = n->place->partitions;
	uint8_t phase = all_is_sent(n) && shares_are_still(n) ? n->phase : NODE_BUSY;

	*r = (struct node_row){
		.node = n->id,
		.name = arena_copy(&j->a, str_from(n->name)),
		.phase = phase,
		.beat = ++n->beat,
		.work = n->work,
		.pages = n->c->counts.done,
		.queued = n->c->frontier.queues.live,
		.in_flight = crawl_in_flight(n->c),
		.leases = n->held,
	};
	r->sent = arena_alloc(&j->a, 3 * p * sizeof(*r->sent));
	r->applied = r->sent + p;
	r->owned = r->applied + p;
	for (uint32_t i = 0; i < p; i++) {
		r->sent[i] = __atomic_load_n(&n->outbox.sent[i], __ATOMIC_RELAXED);
		r->applied[i] = n->parts[i].next;
		r->owned[i] = n->parts[i].state == PART_OURS;
	}
}

static void say(struct node *n)
{
	int64_t now = node_now_ms(n);

	if (n->saying || now < n->next_say_ms)
		return;
	n->next_say_ms = now + SAY_MS;
	n->saying = true;
	struct job *j = job_new(JOB_SAY);
	fill_row(n, j);
	coordinator_give(&n->coordinator, j);
}

static void was_said(struct node *n, const struct job *j)
{
	n->saying = false;
	/* It was true when it was said; since then we may have become busy. */
	if (j->st != ST_OK || j->row.work != n->work)
		return;
	bool is_idle = j->row.phase != NODE_BUSY;
	n->is_settling = is_idle && (j->state != CLUSTER_BUSY || j->saw_end);
	n->is_over = is_idle && (j->state == CLUSTER_OVER || j->saw_end);
	if (n->is_settling)
		n->c->idle_until_ms = 0;
}

static void take_answers(struct node *n)
{
	struct job *j;

	while ((j = coordinator_take(&n->coordinator))) {
		switch ((enum job_kind)j->kind) {
		case JOB_CLAIM:
		case JOB_GIVE_BACK:
			addresses_answered(n, j);
			break;
		case JOB_TAKE:
			share_taken(n, j);
			break;
		case JOB_SAY:
			was_said(n, j);
			break;
		}
		job_free(j);
	}
}

static void step(struct crawl_exchange *x)
{
	struct node *n = (struct node *)x;

	take_answers(n);
	apply_messages(n);
	shares_step(n);
	addresses_step(n);
	say(n);
}

static bool may_fetch(struct crawl_exchange *x)
{
	struct node *n = (struct node *)x;
	uint64_t end = __atomic_load_n(&n->c->writer.committed, __ATOMIC_RELAXED);
	uint64_t sent = __atomic_load_n(&n->outbox.shipped, __ATOMIC_RELAXED);

	return addresses_hold(n) && (end < sent || end - sent < OUTBOX_MAX);
}

static void note_request(struct crawl_exchange *x, uint32_t site)
{
	struct node *n = (struct node *)x;

	node_works(n);
	addresses_note_request(n, site);
}

static void claim(struct crawl_exchange *x, uint32_t site, const struct ip *ip,
		  void *ticket)
{
	addresses_claim((struct node *)x, site, ip, ticket);
}

/* --- the end --- */

static bool may_settle(struct crawl_exchange *x)
{
	struct node *n = (struct node *)x;

	if (n->phase == NODE_BUSY) {
		n->phase = NODE_QUIET;
		n->work++;
		(void)node_add_mark(n);
	}
	return n->is_settling;
}

static bool is_over(struct crawl_exchange *x)
{
	struct node *n = (struct node *)x;

	if (n->phase == NODE_QUIET) {
		n->phase = NODE_SETTLED;
		n->work++;
		n->is_over = false;
		(void)node_add_mark(n);
	}
	return n->is_over;
}

static void close_node(struct crawl_exchange *x)
{
	struct node *n = (struct node *)x;

	if (!n->is_open)
		return;
	n->is_open = false;
	bool saw_end = n->is_over; /* leaving the group is work again */
	addresses_give_all_back(n);
	kafka_group_close(&n->group);
	outbox_stop(&n->outbox);
	struct job *j = job_new(JOB_SAY);
	fill_row(n, j);
	memset(j->row.owned, 0, n->place->partitions * sizeof(*j->row.owned));
	j->row.phase = saw_end ? NODE_OVER : NODE_BUSY;
	coordinator_give(&n->coordinator, j);
	coordinator_stop(&n->coordinator);
}

static const struct exchange_ops node_ops = {
	.prepare = prepare,
	.restore = restore,
	.open = open_node,
	.send = send_links,
	.step = step,
	.may_fetch = may_fetch,
	.note_request = note_request,
	.claim = claim,
	.may_settle = may_settle,
	.is_over = is_over,
	.close = close_node,
};

enum status cluster_new(struct crawl_exchange **ret, const struct cluster_place *place,
			const char *dir, struct diag *why)
{
	struct node *n = NEW(struct node);

	(void)why;
	n->base.ops = &node_ops;
	n->place = place;
	n->dir = strdup(dir);
	n->parts = xcalloc(place->partitions, sizeof(*n->parts));
	n->outbox.sent = xcalloc(place->partitions, sizeof(*n->outbox.sent));
	n->outbox.epochs = xcalloc(place->partitions, sizeof(*n->outbox.epochs));
	n->sent_cache = xcalloc(SENT_CACHE, sizeof(*n->sent_cache));
	*ret = &n->base;
	return ST_OK;
}

void cluster_free(struct crawl_exchange **x)
{
	struct node *n = (struct node *)TAKE(*x);

	if (!n)
		return;
	outbox_stop(&n->outbox);
	coordinator_stop(&n->coordinator);
	intern_release(&n->names);
	arena_release(&n->a);
	free(n->addresses);
	free(n->of_site);
	free(n->tickets);
	free(n->parts);
	free(n->sent_cache);
	free(n->outbox.sent);
	free(n->outbox.epochs);
	free(n->dir);
	free(n);
}
