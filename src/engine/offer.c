/*
 * offer.c - links on their way into the frontier: facts are gathered, the policy
 * decides, the frontier takes what was accepted, and every decision is written down.
 */
#include "engine/offer.h"

#include <stdio.h>

#include "base/alloc.h"
#include "engine/app_views.h"
#include "engine/focused.h"
#include "engine/steps.h"
#include "engine/url_rules.h"
#include "journal/ledger.h"
#include "url/normal.h"

/* --- writing down --- */

static bool is_worth_a_line(const struct url_decision *d)
{
	return d->outcome != OUTCOME_KNOWN && d->outcome != OUTCOME_REFUSED_AGAIN;
}

static void write_ledger(struct buf *to, const struct discovery *l,
			 const struct url_decision *d, int64_t now_ms)
{
	bool skipped = d->outcome == OUTCOME_SKIPPED;

	if (d->outcome == OUTCOME_REFUSED || skipped)
		ledger_add(to, &(struct ledger_line){ .url = l->url,
						      .key = skipped ? l->key : STR(""),
						      .via = l->via,
						      .reason = d->reason,
						      .rules = d->rules,
						      .detail = d->detail,
						      .now_ms = now_ms });
}

/* For --dry-run: a line for each decision, on stdout. */
static void print_decision(const struct discovery *l, const struct url_decision *d)
{
	static const char *const words[OUTCOMES] = {
		[OUTCOME_QUEUED] = "queue",   [OUTCOME_UNDECIDED] = "queue",
		[OUTCOME_KNOWN] = "known",    [OUTCOME_SKIPPED] = "skip",
		[OUTCOME_REFUSED] = "refuse", [OUTCOME_REFUSED_AGAIN] = "refuse",
	};
	const struct reason_row *r = &reason_table[d->reason];

	printf("%-7s " STR_FMT ":" STR_FMT "%s" STR_FMT "\t" STR_FMT "\n",
	       words[d->outcome], STR_ARG(r->stage),
	       STR_ARG(d->rules.n ? d->rules : r->word), d->detail.n ? " " : "",
	       STR_ARG(d->detail), STR_ARG(l->url));
}

static void count_outcome(struct crawl_counts *n, const struct url_decision *d)
{
	n->known += d->outcome == OUTCOME_KNOWN;
	n->refused += d->outcome == OUTCOME_REFUSED;
	n->rule_skips += d->outcome == OUTCOME_SKIPPED;
}

static struct journal_link journal_line(const struct discovery *l,
					const struct url_decision *d)
{
	return (struct journal_link){
		.url = l->url,
		.key = l->rule.n > 0 ? l->key : STR(""),
		.rules = l->rule,
		.detail = d->detail,
		.depth = l->depth,
		.outcome = d->outcome,
		.purpose = l->purpose,
		.reason = d->reason,
		.hop = l->hop,
		.priority = l->priority,
		.off_hops = d->off_hops,
		.has_score = l->has_score,
		.score = l->score,
		.scores = l->scores,
	};
}

void crawl_write_links(struct crawl *c, struct crawl_item *i,
		       const struct frontier_page *page, const struct discovery *links,
		       size_t n, const struct url_decision *d)
{
	int64_t now = clock_wall_ms(c->clock);
	struct journal_links out = { .via = n ? links[0].via : STR(""),
				     .hops = page->hops,
				     .source = page->source,
				     .now_ms = now,
				     .off_hops = page->off_hops };

	out.v = arena_alloc(&i->arena, (n + 1) * sizeof(*out.v));
	for (size_t k = 0; k < n; k++) {
		if (c->settings->dry_run)
			print_decision(&links[k], &d[k]);
		write_ledger(&i->ledger, &links[k], &d[k], now);
		count_outcome(&c->counts, &d[k]);
		watch_link(&c->watch, &links[k], &d[k]);
		out.known += d[k].outcome == OUTCOME_KNOWN;
		i->links_new += d[k].outcome == OUTCOME_QUEUED;
		i->pages_new +=
			d[k].outcome == OUTCOME_QUEUED &&
			(links[k].hop == HOP_LINK || links[k].hop == HOP_MANIFEST);
		if (is_worth_a_line(&d[k]))
			out.v[out.n++] = journal_line(&links[k], &d[k]);
	}
	if (out.n > 0)
		item_add_record(i, &(struct journal_record){ .kind = JOURNAL_LINKS,
							     .links = out });
}

/* --- deciding --- */

/* A page that would be queued, or is, although its site's API has what it shows. */
static enum status look_at_api(struct crawl *c, const struct discovery *l,
			       struct found_facts *f, struct url_decision *ret,
			       struct diag *why)
{
	if (f->seen == SEEN_FACT_KNOWN)
		return l->veto == VETO_API ? site_api_unqueue(c, l, why) : ST_OK;
	if (ret->outcome == OUTCOME_QUEUED && f->seen == SEEN_FACT_NEW &&
	    site_api_has(c, l, &f->veto_by)) {
		f->veto = VETO_API;
		*ret = policy_found(f);
	}
	return ST_OK;
}

/* Fill the decision of one link; its key, purpose and identity follow from it. */
static enum status decide(struct crawl *c, struct crawl_item *i,
			  const struct frontier_page *page,
			  const struct frontier_via *via, struct discovery *l,
			  struct url_decision *ret, struct diag *why)
{
	bool returns = purpose_table[l->purpose].was_skipped;
	/* Rules that were learnt from pages do not concern it. */
	bool is_certain =
		l->purpose == PURPOSE_NEXT_PAGE || l->purpose == PURPOSE_SITEMAP;
	struct found_facts facts;

	frontier_look(&c->frontier, page, via, l, &facts);
	facts.is_blacklisted = steered_is_blacklisted(c, l->hash);
	facts.is_nofollow = l->nofollow && c->settings->obey_rel_nofollow;
	if (returns || is_certain || l->purpose == PURPOSE_INJECTED)
		facts.purpose = l->purpose;
	if (facts.veto == VETO_VIEW && facts.seen == SEEN_FACT_NEW &&
	    !app_views_hold(c, l))
		facts.veto = VETO_NONE;
	if (facts.veto == VETO_API)
		facts.veto = VETO_NONE;
	*ret = policy_found(&facts);
	TRY(look_at_api(c, l, &facts, ret, why));
	/* What is not surely new is probably known: it takes the plain way. */
	if (c->rules && !returns && !is_certain && !facts.is_seed &&
	    facts.seen == SEEN_FACT_NEW && ret->outcome == OUTCOME_QUEUED) {
		struct str stands_for_it = { "", 0 };

		facts.rule = (uint8_t)url_rules_look(c, &i->arena, l, &stands_for_it);
		*ret = policy_found(&facts);
		if (ret->outcome == OUTCOME_SKIPPED) {
			ret->rules = l->rule;
			ret->detail = stands_for_it;
		}
	}
	if (ret->outcome != OUTCOME_QUEUED || facts.seen == SEEN_FACT_KNOWN)
		return ST_OK;
	struct u128 own = l->hash;
	l->purpose = ret->purpose;
	l->hash = purpose_identity(ret->purpose, l->url, l->key);
	/* It is known by its own name, too. */
	return u128_eq(own, l->hash) ? ST_OK : frontier_note(&c->frontier, own, why);
}

/* --- among several nodes --- */

/*
 * What would be queued leaves, for whoever owns its domain, ourselves included: the log
 * is the order in which a domain's links are decided.  What is refused by its form, by
 * the scope or by advice is refused here, and what is known here is known.
 */
static void send_links(struct crawl *c, struct crawl_item *i,
		       const struct frontier_page *page, const struct frontier_via *via,
		       struct discovery *links, size_t n)
{
	struct url_decision *d = arena_alloc(&i->arena, (n + 1) * sizeof(*d));
	struct discovery *out = arena_alloc(&i->arena, (n + 1) * sizeof(*out));
	struct discovery *rest = arena_alloc(&i->arena, (n + 1) * sizeof(*rest));
	size_t n_out = 0, n_rest = 0;

	for (size_t k = 0; k < n; k++) {
		struct found_facts facts;

		frontier_look(&c->frontier, page, via, &links[k], &facts);
		struct url_decision own = policy_found(&facts);
		if (own.outcome == OUTCOME_QUEUED || own.outcome == OUTCOME_UNDECIDED) {
			out[n_out++] = links[k];
		} else {
			d[n_rest] = own;
			rest[n_rest++] = links[k];
		}
	}
	if (n_rest > 0)
		crawl_write_links(c, i, page, rest, n_rest, d);
	if (n_out > 0)
		c->exchange->ops->send(c->exchange, i, page, out, n_out);
}

/* Deliberate requests and what a rule had skipped are this node's own business. */
static bool may_leave(const struct discovery *links, size_t n)
{
	return n > 0 && !purpose_table[links[0].purpose].was_skipped &&
	       links[0].purpose != PURPOSE_NEXT_PAGE;
}

enum status crawl_done_elsewhere(struct crawl *c, struct str url, struct u128 key,
				 struct diag *why)
{
	int64_t now = clock_wall_ms(c->clock);
	struct u128 own = hash128(url);
	enum status st = frontier_remove(&c->frontier, url, key, why);

	if (st == ST_NOT_FOUND && !u128_eq(own, key)) {
		key = own; /* our rules map it otherwise */
		st = frontier_remove(&c->frontier, url, key, why);
	}
	if (st == ST_NOT_FOUND) /* known, or found later: not again */
		return frontier_note(&c->frontier, key, why);
	TRY(st);
	url_rules_dropped(c, url, REASON_ELSEWHERE);
	journal_batch_add(
		c, &(struct journal_record){
			   .kind = JOURNAL_DROPPED,
			   .dropped = { .url = url,
					.detail = STR(""),
					.key = key,
					.now_ms = now,
					.code = reason_table[REASON_ELSEWHERE].code,
					.purpose = PURPOSE_LINK,
					.reason = REASON_ELSEWHERE } });
	return ST_OK;
}

enum status crawl_offer(struct crawl *c, struct crawl_item *i,
			const struct frontier_page *page, struct discovery *links,
			size_t n, struct diag *why)
{
	struct frontier_via via;

	if (!c->exchange || !may_leave(links, n))
		return crawl_offer_here(c, i, page, links, n, why);
	frontier_parse_via(&c->frontier, links[0].via, crawl_time_ms(c), &via);
	focused_score(c, i, links, n);
	send_links(c, i, page, &via, links, n);
	return ST_OK;
}

enum status crawl_offer_here(struct crawl *c, struct crawl_item *i,
			     const struct frontier_page *page, struct discovery *links,
			     size_t n, struct diag *why)
{
	struct url_decision *d = arena_alloc(&i->arena, (n + 1) * sizeof(*d));
	struct frontier_via via;

	frontier_parse_via(&c->frontier, n ? links[0].via : STR(""), crawl_time_ms(c),
			   &via);
	if (!c->exchange)
		focused_score(c, i, links, n);
	steered_score(c, links, n);
	for (size_t k = 0; k < n; k++)
		TRY(decide(c, i, page, &via, &links[k], &d[k], why));
	TRY(frontier_admit(&c->frontier, page, links, n, d, why));
	TRY(focused_move(c, i, links, d, why));
	crawl_write_links(c, i, page, links, n, d);
	c->idle_until_ms = 0;
	return ST_OK;
}

enum status crawl_queue_anyway(struct crawl *c, struct crawl_item *i,
			       const struct frontier_page *page,
			       const struct discovery *d, enum reason reason,
			       struct str detail, struct diag *why)
{
	struct url_decision taken = { .outcome = OUTCOME_QUEUED,
				      .purpose = d->purpose,
				      .reason = (uint16_t)reason,
				      .off_hops = page->off_hops,
				      .detail = detail };

	TRY(frontier_queue_anyway(&c->frontier, d, page, why));
	crawl_write_links(c, i, page, d, 1, &taken);
	c->idle_until_ms = 0;
	return ST_OK;
}

/* --- seeds, late links --- */

enum status crawl_offer_seed(struct crawl *c, struct str text, struct diag *why)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct crawl_item *batch = journal_batch(c);
	struct diag detail;
	struct url u;
	enum status st =
		url_parse_normal(text, NULL, NORMAL_STANDARD, scratch, &u, &detail);

	if (st != ST_OK || !url_is_http(&u)) {
		st = diag_fail(why, ST_SYNTAX, "seed '" STR_FMT "': %s",
			       (int)MIN(text.n, 100), text.p,
			       st != ST_OK ? detail.text
					   : "only http and https are crawled");
	} else {
		struct str url = arena_copy(&batch->arena, url_without_fragment(&u));
		struct discovery d = { .url = url,
				       .key = url,
				       .hash = hash128(url),
				       .via = STR(""),
				       .rule = STR(""),
				       .hop = HOP_LINK,
				       .priority = 250,
				       .purpose = PURPOSE_SEED };

		st = crawl_offer(
			c, batch,
			&(struct frontier_page){ .source = url, .hops = STR("") }, &d, 1,
			why);
	}
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return st;
}

enum status crawl_offer_seeds(struct crawl *c, struct diag *why)
{
	for (size_t i = 0; i < c->seeds->n; i++)
		TRY(crawl_offer_seed(c, c->seeds->v[i], why));
	return ST_OK;
}

void crawl_late_links(struct crawl *c)
{
	struct arena a = { 0 };
	struct discovery d;
	struct diag why;
	enum status st;

	while ((st = frontier_late(&c->frontier, &a, &d, &why)) == ST_OK) {
		struct journal_link l = { .url = d.url,
					  .depth = d.depth,
					  .hop = d.hop,
					  .priority = d.priority,
					  .purpose = d.purpose,
					  .reason = REASON_NEW };

		journal_batch_add(
			c, &(struct journal_record){
				   .kind = JOURNAL_LATE,
				   .links = { .via = d.via,
					      .v = &l,
					      .n = 1,
					      .now_ms = clock_wall_ms(c->clock) } });
		c->idle_until_ms = 0;
		arena_reset(&a);
	}
	arena_release(&a);
	if (st != ST_AGAIN)
		crawl_fail(c, st, &why);
}
