/*
 * judged.c - a page that was judged: its links are decided, modules learn from it, and it
 * goes on to be written.
 */
#include "engine/app_views.h"
#include "engine/focused.h"
#include "engine/offer.h"
#include "engine/outside_module.h"
#include "engine/steps.h"
#include "engine/url_rules.h"
#include "journal/ledger.h"

static unsigned redirects_before(struct str hops)
{
	unsigned n = 0;

	while (n < hops.n && hops.p[hops.n - 1 - n] == HOP_REDIRECT)
		n++;
	return n;
}

static bool is_duplicate(const struct crawl_item *i)
{
	return i->has_verdict && !i->novel;
}

static enum follow_what what_to_follow(const struct crawl *c, const struct crawl_item *i)
{
	if (!c->settings->discover)
		return FOLLOW_NOTHING;
	return policy_follow(&(struct follow_facts){
		.code = i->result.code,
		.purpose = i->step.task.purpose,
		.verdict = i->verdict.kind,
		.is_judged = i->has_verdict,
		.is_novel = i->novel,
		.may_follow = i->follow,
		.duplicates_pay =
			copies_are_worth(&c->copies, i->step.site, i->step.task.url),
		.redirects = redirects_before(i->step.task.hops),
		.duplicate_links = (enum duplicate_links)c->settings->duplicate_links,
	});
}

/* Of the links only those to pages that nobody has fetched under any URL. */
static void keep_unknown_links(struct crawl *c, struct crawl_item *i)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	size_t kept = 0;
	struct url u;

	for (size_t l = 0; l < i->n_links; l++)
		if (url_parse(i->links[l].url, NULL, &scratch[0], &u, NULL) == ST_OK &&
		    !novelty_was_asked(&c->frontier.templates,
				       url_template_key(&u, &scratch[1]))) {
			if (i->origins)
				i->origins[kept] = i->origins[l];
			i->links[kept++] = i->links[l];
		}
	i->n_links = kept;
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
}

static enum status follow_links(struct crawl *c, struct crawl_item *i, struct diag *why)
{
	struct frontier_page page = { .hops = i->step.task.hops,
				      .source = i->step.task.source,
				      .off_hops = i->step.off_hops };
	enum follow_what what = i->n_links > 0 ? what_to_follow(c, i) : FOLLOW_NOTHING;

	if (what == FOLLOW_NOTHING)
		return ST_OK;
	if (is_duplicate(i))
		copies_note(&c->copies, i->step.task.url);
	if (what == FOLLOW_UNKNOWN)
		keep_unknown_links(c, i);
	return crawl_offer(c, i, &page, i->links, i->n_links, why);
}

static void count_verdict(struct crawl *c, const struct crawl_item *i)
{
	struct crawl_counts *n = &c->counts;

	counts_add_page(n, &(struct counted_page){ .purpose = i->step.task.purpose,
						   .change = (uint8_t)i->change,
						   .novel = i->novel,
						   .verdict = i->has_verdict ? &i->verdict
									     : NULL });
	if (i->step.task.purpose != PURPOSE_REVISIT && i->has_verdict &&
	    i->form == CAPTURE_SAME_DIGEST)
		n->identical_bytes += i->result.body_bytes;
}

/* Behind the first page of a host: what does it answer for a page that is not there? */
static enum status probe_soft_404(struct crawl *c, struct crawl_item *i, struct diag *why)
{
	const struct fetch_task *t = &i->step.task;
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	if (!c->settings->soft_404 || !c->settings->near_duplicates ||
	    c->settings->scope == SCOPE_PAGE || i->result.code != 200 || !i->has_page ||
	    i->page.kind != PAGE_HTML ||
	    url_parse(t->url, NULL, &scratch, &u, NULL) != ST_OK ||
	    !probes_note(&c->probes, u.host))
		return ST_OK;
	struct str url = probe_url(&u, &i->arena);
	struct discovery d = { .url = url,
			       .key = url,
			       .hash = hash128(url),
			       .via = t->url,
			       .depth = t->depth + 1,
			       .hop = HOP_INFERRED,
			       .priority = 255,
			       .purpose = PURPOSE_SOFT_404_PROBE };
	struct frontier_page page = { t->hops, t->source, i->step.off_hops };

	return crawl_queue_anyway(c, i, &page, &d, REASON_SOFT_404_PROBE, STR(""), why);
}

/* What a page that is not there costs is waste that somebody should see. */
static void note_soft_404(struct crawl *c, struct crawl_item *i)
{
	ledger_add(&i->ledger,
		   &(struct ledger_line){ .url = i->step.task.url,
					  .via = i->step.task.via,
					  .reason = REASON_SOFT_404,
					  .detail = i->verdict.representative_url,
					  .code = i->result.code,
					  .now_ms = clock_wall_ms(c->clock) });
}

/* A redirect has no text, but is worth the page it leads to when nobody knew that. */
#define REDIRECT_PERCENT 10

static enum status tell_frontier(struct crawl *c, struct crawl_item *i, struct diag *why)
{
	bool leads_on = !url_rules_moved(c, i) && answer_is_redirect(i->result.code) &&
			i->links_new > 0;

	if (!answer_is_success(i->result.code))
		frontier_no_page(&c->frontier, &i->step);
	return frontier_judged(&c->frontier, &i->step, i->novel || leads_on,
			       leads_on ? REDIRECT_PERCENT : i->new_percent, why);
}

static void to_be_written(struct crawl *c, struct crawl_item *i)
{
	bool encodes = !c->settings->no_warc || c->settings->facts;

	i->stage = encodes ? ITEM_ENCODING : ITEM_WRITING;
	item_batch_add(encodes ? &c->for_workers : &c->for_writer, i);
}

/* Whoever learns from answers. */
static void learn(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;
	bool is_novel_page = i->result.code == 200 && i->novel;

	url_rules_learn(c, i);
	focused_learn(c, i);
	failed_note(c, i);
	guesses_learn(&c->guesses, i->step.site, t->hops, is_novel_page);
	if (i->result.code == 200 && purpose_is_page(t->purpose) && !i->needs_browser)
		copies_learn(&c->copies, i->step.site, t->via, i->novel);
}

void crawl_decide(struct crawl *c, struct crawl_item *i)
{
	struct diag why;

	c->decided = i->seq + 1;
	learn(c, i);
	site_api_answered(c, i);
	enum status st = follow_links(c, i, &why);
	if (st == ST_OK && i->step.task.purpose != PURPOSE_ROBOTS)
		st = tell_frontier(c, i, &why);
	app_views_learn(c, i);
	if (st == ST_OK)
		st = site_api_learn(c, i, &why);
	c->idle_until_ms = 0; /* it may have been all that kept something back */
	if (st == ST_OK)
		st = crawl_render_judged(c, i, &why);
	if (st == ST_OK)
		st = probe_soft_404(c, i, &why);
	if (i->has_verdict && i->verdict.kind == VERDICT_SOFT_404)
		note_soft_404(c, i);
	if (i->refused_by.n > 0)
		crawl_note_refused(c, i);
	count_verdict(c, i);
	outside_module_push(c, i);
	watch_page(&c->watch, i);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	to_be_written(c, i);
}
