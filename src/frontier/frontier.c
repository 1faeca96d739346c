#include "frontier/frontier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "frontier/internal.h"
#include "url/host.h"
#include "url/surt.h"

/* Refused URLs are in the seen set too, under another key: told once. */
#define REFUSED_SALT 0x7265667573656421u

enum status frontier_open(struct frontier *f, const struct frontier_settings *s,
			  struct diag *why)
{
	char path[4096];

	*f = (struct frontier){
		.settings = *s,
		.budget.settings = s->budget,
		.templates.settings = s->templates,
		.lanes.random = { s->random_seed },
		.scope = { .max_depth = UINT32_MAX, .max_url_bytes = 2048 },
		.suffixes = NEW(struct suffix_cache),
	};
	memcpy(f->lanes.rules, s->politeness, sizeof(f->lanes.rules));
	TRY(dir_make(s->dir, why));
	snprintf(path, sizeof(path), "%s/seen", s->dir);
	seen_init(&f->seen,
		  &(struct seen_options){ .dir = path, .ram_bytes = s->seen_ram_bytes });
	snprintf(path, sizeof(path), "%s/queue", s->dir);
	return queue_store_open(&f->queues, path, why);
}

void frontier_close(struct frontier *f)
{
	scope_release(&f->scope);
	seen_release(&f->seen);
	sites_release(&f->sites);
	queue_store_close(&f->queues);
	lanes_release(&f->lanes);
	schedule_release(&f->schedule);
	budget_release(&f->budget);
	novelty_release(&f->templates);
	intern_release(&f->sources);
	for (size_t i = 0; i < COUNT(f->scratch); i++)
		buf_release(&f->scratch[i]);
	free(f->suffixes);
	free(f->questions);
	*f = (struct frontier){ 0 };
}

/* --- what is known of a link --- */

struct scope_answer frontier_scope(struct frontier *f, const struct discovery *d,
				   const struct url *u, uint32_t off_hops)
{
	struct buf *surt = &f->scratch[2];

	buf_reset(surt);
	if (f->scope.n_surts > 0)
		buf_add_surt(surt, u);
	struct scope_question q = {
		.url = u,
		.domain = suffix_site_cached(f->suffixes, u->host),
		.surt = buf_str(surt),
		.depth = d->depth,
		.off_hops = off_hops,
		.is_embed = d->hop == HOP_EMBED,
	};
	return scope_decide(&f->scope, &q);
}

/* What a late answer needs to queue the link after all. */
void frontier_late_encode(struct frontier *f, const struct discovery *d,
			  const struct frontier_page *page, uint8_t off_hops,
			  struct buf *to)
{
	struct buf *bytes = &f->scratch[4];

	buf_reset(bytes);
	discovery_encode(d, bytes);
	buf_add_sized(to, buf_str(bytes));
	buf_add_sized(to, page->hops);
	buf_add_sized(to, page->source);
	buf_add_u8(to, off_hops);
}

static bool degrees_count(const struct frontier *f, const struct frontier_via *via)
{
	return f->settings.budget.domain_pages > 0 && via->is_there;
}

/* A link between domains may raise the budget of the one it leads to. */
static void count_degree(struct frontier *f, const struct url *via, const struct url *u)
{
	struct str from = suffix_site_cached(f->suffixes, via->host);
	struct str to = suffix_site_cached(f->suffixes, u->host);
	if (str_eq(from, to))
		return;
	struct domain *t = &f->sites.domains[sites_get_domain(&f->sites, &f->lanes, to)];
	t->degree += budget_link(&f->budget, hash64(from), t->hash, t->degree);
}

struct u128 frontier_refused_key(struct u128 key)
{
	return (struct u128){ hash_mix(key.hi ^ REFUSED_SALT), key.lo ^ REFUSED_SALT };
}

static enum seen_fact seen_fact_of(const struct frontier *f, const struct discovery *d)
{
	switch (seen_peek(&f->seen, d->hash)) {
	case SEEN_NEW:
		return SEEN_FACT_NEW;
	case SEEN_KNOWN:
		return SEEN_FACT_KNOWN;
	case SEEN_LATER:
		break;
	}
	return SEEN_FACT_UNSURE;
}

void frontier_parse_via(struct frontier *f, struct str via, int64_t now_ms,
			struct frontier_via *ret)
{
	f->settings.traps.now_ms = now_ms;
	ret->is_there = via.n > 0 &&
			url_parse(via, NULL, &f->scratch[1], &ret->url, NULL) == ST_OK;
}

/* Most links lead to what the crawl has already: those are not even parsed, unless they
 * count for the in-degree of a domain. */
void frontier_look(struct frontier *f, const struct frontier_page *page,
		   const struct frontier_via *via, const struct discovery *d,
		   struct found_facts *ret)
{
	bool counts = degrees_count(f, via);
	struct url u;

	*ret = (struct found_facts){ .is_seed = d->via.n == 0,
				     .hop = d->hop,
				     .seen = (uint8_t)seen_fact_of(f, d),
				     .purpose = PURPOSES,
				     .page_off_hops = page->off_hops,
				     .veto = d->veto,
				     .veto_by = d->veto_by };
	if (ret->seen == SEEN_FACT_KNOWN && !counts)
		return;
	ret->is_valid = d->url.n <= FETCH_URL_MAX &&
			url_parse(d->url, NULL, &f->scratch[0], &u, NULL) == ST_OK;
	if (!ret->is_valid)
		return;
	if (counts)
		count_degree(f, &via->url, &u);
	ret->scope = frontier_scope(f, d, &u, page->off_hops);
	if (ret->scope.accept && !ret->is_seed)
		ret->trap = trap_find(&u, via->is_there ? &via->url : NULL,
				      &f->settings.traps);
}

/* "name=host": the host and all below it. */
static struct str group_of(const struct str_list *groups, struct str host)
{
	for (size_t i = 0; i < groups->n; i++) {
		struct str row = groups->v[i], name;

		if (!str_take_until(&row, '=', &name))
			continue;
		str_take_prefix(&row, STR("*."));
		if (host_within(host, row))
			return name;
	}
	return STR("");
}

enum status frontier_enqueue(struct frontier *f, const struct discovery *d,
			     const struct frontier_page *page, struct diag *why)
{
	char hops[HOPS_MAX];
	struct url u;

	TRY(url_parse(d->url, NULL, &f->scratch[0], &u, why));
	uint32_t site = sites_get(&f->sites, &f->lanes, &u);
	struct site *s = &f->sites.v[site];
	if (s->lanes.id[LANE_GROUP] == LANE_NONE && f->settings.groups) {
		struct str group = group_of(f->settings.groups, u.host);

		if (group.n > 0)
			s->lanes.id[LANE_GROUP] = lanes_get(&f->lanes, LANE_GROUP, group);
	}
	struct str old = page->hops;
	if (old.n >= HOPS_MAX)
		old = str_skip(old, old.n - HOPS_MAX + 1);
	if (old.n > 0)
		memcpy(hops, old.p, old.n);
	bool is_seed = d->via.n == 0;
	if (!is_seed)
		hops[old.n] = (char)d->hop;
	struct queued_url q = {
		.url = url_without_fragment(&u),
		.via = d->via,
		.hops = { hops, old.n + (is_seed ? 0 : 1) },
		.source = intern_add(&f->sources, page->source),
		.depth = d->depth,
		.off_hops = page->off_hops,
		.purpose = d->purpose,
		.scores = d->scores,
	};
	return frontier_enqueue_encoded(f, site, d->hash, d->priority, &q,
					url_origin_bytes(&u), why);
}

enum status frontier_enqueue_encoded(struct frontier *f, uint32_t site, struct u128 key,
				     uint8_t priority, const struct queued_url *q,
				     size_t origin_bytes, struct diag *why)
{
	struct buf *payload = &f->scratch[3];

	buf_reset(payload);
	queued_url_encode(q, origin_bytes, payload);
	TRY(queue_store_add(&f->queues, &f->sites.v[site].queue,
			    &(struct queued){ .key = key,
					      .priority = priority,
					      .payload = buf_str(payload) },
			    why));
	site_list(&f->sites, site);
	if (!schedule_has(&f->schedule, f->sites.v[site].domain))
		schedule_ready(&f->schedule, f->sites.v[site].domain);
	f->found++;
	return ST_OK;
}

/* --- into the queue --- */

static enum status settle(struct frontier *f, const struct frontier_page *page,
			  const struct discovery *d, const struct seen_question *q,
			  struct url_decision *ret, struct diag *why)
{
	if (ret->outcome == OUTCOME_SKIPPED)
		return ST_OK;
	if (ret->outcome == OUTCOME_REFUSED) {
		if (q->answer == SEEN_KNOWN)
			ret->outcome = OUTCOME_REFUSED_AGAIN;
		else
			f->refused++;
		return ST_OK;
	}
	switch ((enum seen_answer)q->answer) {
	case SEEN_KNOWN:
		ret->outcome = OUTCOME_KNOWN;
		f->known++;
		return ST_OK;
	case SEEN_LATER:
		ret->outcome = OUTCOME_UNDECIDED;
		return ST_OK;
	case SEEN_NEW:
		break;
	}
	return frontier_enqueue(
		f, d, &(struct frontier_page){ page->hops, page->source, ret->off_hops },
		why);
}

/* What is asked of the seen set, with what a late answer needs. */
static void ask_seen(struct frontier *f, const struct frontier_page *page,
		     const struct discovery *d, const struct url_decision *decision,
		     bool may_wait, struct seen_question *ret)
{
	struct buf *late = &f->scratch[5];
	bool is_queued = decision->outcome == OUTCOME_QUEUED;
	size_t from = late->n;

	*ret = (struct seen_question){ .key = decision->outcome == OUTCOME_REFUSED
						      ? frontier_refused_key(d->hash)
						      : d->hash,
				       .level = (uint8_t)(d->priority >> 6) };
	if (!may_wait || !is_queued)
		return;
	frontier_late_encode(f, d, page, decision->off_hops, late);
	/* The buffer may still move: note the place, not the pointer. */
	ret->payload = (struct str){ (const char *)from, late->n - from };
}

enum status frontier_admit(struct frontier *f, const struct frontier_page *page,
			   const struct discovery *links, size_t n,
			   struct url_decision *decisions, struct diag *why)
{
	struct buf *late = &f->scratch[5];
	bool may_wait = seen_may_wait(&f->seen, n);

	buf_reset(late);
	VEC_RESERVE(f->questions, f->questions_cap, n);
	for (size_t i = 0; i < n; i++)
		ask_seen(f, page, &links[i], &decisions[i], may_wait, &f->questions[i]);
	for (size_t i = 0; i < n; i++)
		if (f->questions[i].payload.n > 0)
			f->questions[i].payload.p =
				late->p + (size_t)f->questions[i].payload.p;
	TRY(seen_add(&f->seen, f->questions, n, why));
	for (size_t i = 0; i < n; i++)
		TRY(settle(f, page, &links[i], &f->questions[i], &decisions[i], why));
	return ST_OK;
}

enum status frontier_late(struct frontier *f, struct arena *a, struct discovery *ret,
			  struct diag *why)
{
	struct str in, bytes, hops, source;
	struct u128 key;
	uint8_t off_hops;

	for (;;) {
		TRY(seen_next(&f->seen, &key, &in, why));
		if (in.n == 0)
			continue; /* a refused one: told already */
		in = arena_copy(a, in);
		if (!str_take_sized(&in, &bytes) || !str_take_sized(&in, &hops) ||
		    !str_take_sized(&in, &source) || !str_take_u8(&in, &off_hops) ||
		    discovery_decode(bytes, ret) != ST_OK)
			return diag_fail(why, ST_CORRUPT, "a pending URL is damaged");
		return frontier_enqueue(
			f, ret, &(struct frontier_page){ hops, source, off_hops }, why);
	}
}
