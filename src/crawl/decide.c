/*
 * What the loop does with an answer: free its place, ask again or hand it on;
 * and with a judged page: decide its links and write the decisions down.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "crawl/internal.h"
#include "crawl/round.h"
#include "crawl/url_rules.h"
#include "web/normal.h"
#include "web/suffix.h"

/* --- the end of a transfer --- */

static bool is_trouble(int code)
{
	return code == 429 || code == 503 || code == FETCH_CONNECT_FAILED ||
	       code == FETCH_CONNECTION_LOST || code == FETCH_TIMED_OUT;
}

bool crawl_may_pass(int code)
{
	return is_trouble(code) || code == 500 || code == 502 || code == 504 ||
	       code == 408 || code == FETCH_DNS_FAILED || code == FETCH_RUNTIME_ERROR;
}

static bool is_slow_to_fail(const struct fetch_result *r)
{
	return r->code == FETCH_TIMED_OUT || r->code == FETCH_CONNECT_FAILED ||
	       r->code == FETCH_DNS_FAILED || r->truncated == TRUNCATED_TIME;
}

/*
 * Half an answer too: what broke off may come whole next time.  What is too slow is tried
 * once more, since each time takes all the time there is.  When it is asked the last time
 * a server that is there is not given up at the first "busy".
 */
static bool is_worth_a_retry(const struct fetch_result *r)
{
	if (is_slow_to_fail(r) && failed_is_last(r->task->url, r->task->key))
		return false;
	return crawl_may_pass(r->code) || r->truncated == TRUNCATED_DISCONNECT ||
	       (r->truncated == TRUNCATED_TIME && r->task->attempt == 0);
}

void crawl_count_answer(struct crawl_counts *n, int code, uint64_t wire_bytes)
{
	n->received_bytes += wire_bytes;
	if (code <= 0)
		n->failed++;
	else if (code < 300)
		n->ok++;
	else if (code < 400)
		n->redirects++;
	else if (code < 500)
		n->client_errors++;
	else
		n->server_errors++;
}

static void retry(struct crawl *c, struct crawl_item *i, struct str rule)
{
	struct diag why;
	int64_t now = clock_wall_ms(c->clock);
	enum status st = frontier_requeue(&c->frontier, &i->step, &why);

	c->counts.retries++;
	c->counts.received_bytes += i->result.wire_bytes;
	crawl_note_record(
		c, &(struct journal_record){ .kind = JOURNAL_RETRY,
					     .dropped = { .url = i->step.task.url,
							  .rule = rule,
							  .detail = i->result.error,
							  .key = i->step.task.key,
							  .now_ms = now,
							  .code = i->result.code } });
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	crawl_give_item(c, i);
}

/* Its host asked for a pause before it was sent: for the journal it never left. */
static void put_back(struct crawl *c, struct crawl_item *i)
{
	struct diag why;
	enum status st = frontier_put_back(&c->frontier, &i->step, &why);

	c->counts.asked--;
	c->idle_until_ms = 0;
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	crawl_give_item(c, i);
}

bool crawl_may_send(void *ctx, void *cookie)
{
	struct crawl *c = ctx;
	const struct crawl_item *i = cookie;

	return frontier_may_send(&c->frontier, i->step.site, crawl_time_ms(c));
}

void crawl_fetched(void *ctx, void *cookie, struct fetch_result *r)
{
	struct crawl *c = ctx;
	struct crawl_item *i = cookie;

	if (r->code == FETCH_DEFERRED) {
		put_back(c, i);
		return;
	}
	i->result = *r;
	i->result.task = &i->step.task;
	harvest_head(i);
	frontier_fetched(
		&c->frontier, i->step.site,
		&(struct answer){
			.end_ms = crawl_time_ms(c),
			.duration_ms = r->duration_ms,
			.retry_after_ms = i->retry_after_ms,
			.kind = is_trouble(r->code) ? ANSWER_TROUBLE : ANSWER_FINE,
		},
		r->wire_bytes);
	cookies_take(&c->cookies, i, clock_wall_ms(c->clock));
	c->idle_until_ms = 0;
	if (c->aborting) { /* we ended it ourselves: it is asked again another time */
		crawl_give_item(c, i);
		return;
	}
	bool is_robots = i->step.task.kind == FETCH_ROBOTS;
	if (!is_robots && is_worth_a_retry(r) &&
	    i->step.task.attempt < c->settings->retries) {
		retry(c, i, STR("retry"));
		return;
	}
	if (cookies_want_again(&c->cookies, i)) {
		retry(c, i, STR("cookie"));
		return;
	}
	crawl_count_answer(&c->counts, r->code, r->wire_bytes);
	crawl_lend_room(c, i);
	if (is_robots)
		crawl_robots_fetched(c, i);
	i->no_guesses = !guesses_are_worth(&c->guesses, i->step.site);
	i->stage = ITEM_DIGESTING;
	item_batch_add(&c->for_workers, i);
}

/* --- the links of a judged page --- */

static size_t redirects_before(struct str hops)
{
	size_t n = 0;

	while (n < hops.n && hops.p[hops.n - 1 - n] == HOP_REDIRECT)
		n++;
	return n;
}

static bool worth_a_line(const struct frontier_decision *d)
{
	return d->verdict != FRONTIER_KNOWN && d->verdict != FRONTIER_REFUSED_AGAIN;
}

static int code_of_refusal(const struct frontier_decision *d)
{
	if (d->verdict == FRONTIER_SKIPPED)
		return FETCH_CUSTOM;
	if (str_eq(d->stage, STR("trap")))
		return FETCH_TRAP;
	if (str_eq(d->rule, STR("depth")))
		return FETCH_TOO_MANY_HOPS;
	return FETCH_OUT_OF_SCOPE;
}

static void write_ledger(struct buf *to, const struct discovery *l,
			 const struct frontier_decision *d, int64_t now_ms)
{
	bool skipped = d->verdict == FRONTIER_SKIPPED;

	if (d->verdict == FRONTIER_REFUSED || skipped)
		ledger_add(to, &(struct ledger_line){ .url = l->url,
						      .key = skipped ? l->key : STR(""),
						      .via = l->via,
						      .stage = d->stage,
						      .rule = d->rule,
						      .detail = d->detail,
						      .now_ms = now_ms,
						      .code = code_of_refusal(d) });
}

static bool is_off_site(const struct frontier_decision *d)
{
	return str_eq(d->rule, STR("off-site")) || str_eq(d->rule, STR("embed"));
}

/* For --dry-run: a line a decision, on stdout. */
static void print_decision(const struct discovery *l, const struct frontier_decision *d)
{
	bool taken = d->verdict == FRONTIER_QUEUED || d->verdict == FRONTIER_LATER;

	printf("%-7s " STR_FMT ":" STR_FMT "%s" STR_FMT "\t" STR_FMT "\n",
	       taken                            ? "take"
	       : d->verdict == FRONTIER_KNOWN   ? "known"
	       : d->verdict == FRONTIER_SKIPPED ? "skip"
						: "refuse",
	       STR_ARG(d->stage), STR_ARG(d->rule), d->detail.n ? " " : "",
	       STR_ARG(d->detail), STR_ARG(l->url));
}

/* The journal's and the ledger's lines of what was decided. */
void crawl_write_links(struct crawl *c, struct crawl_item *i,
		       const struct frontier_page *page, const struct discovery *links,
		       size_t n, const struct frontier_decision *d)
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
		out.known += d[k].verdict == FRONTIER_KNOWN;
		c->counts.known += d[k].verdict == FRONTIER_KNOWN;
		c->counts.refused += d[k].verdict == FRONTIER_REFUSED;
		c->counts.rule_skips += d[k].verdict == FRONTIER_SKIPPED;
		i->links_new += d[k].verdict == FRONTIER_QUEUED;
		if (!worth_a_line(&d[k]))
			continue;
		out.v[out.n++] = (struct journal_link){
			.url = links[k].url,
			.key = str_eq(links[k].key, links[k].url) ? STR("")
								  : links[k].key,
			.key_rule = links[k].rule,
			.stage = d[k].stage,
			.rule = d[k].rule,
			.detail = d[k].detail,
			.depth = links[k].depth,
			.verdict = d[k].verdict,
			.hop = links[k].hop,
			.priority = links[k].priority,
			.kind = links[k].kind,
			.off_hops =
				is_off_site(&d[k]) ? (uint8_t)(page->off_hops + 1) : 0,
		};
	}
	if (out.n > 0)
		item_add_record(i, &(struct journal_record){ .kind = JOURNAL_LINKS,
							     .links = out });
}

enum status crawl_offer_as_is(struct crawl *c, struct crawl_item *i,
			      const struct frontier_page *page, struct discovery *links,
			      size_t n, struct diag *why)
{
	struct frontier_decision *d = arena_alloc(&i->arena, (n + 1) * sizeof(*d));

	TRY(frontier_offer(&c->frontier, page, links, n, crawl_time_ms(c), d, why));
	crawl_write_links(c, i, page, links, n, d);
	c->idle_until_ms = 0;
	return ST_OK;
}

enum status crawl_offer(struct crawl *c, struct crawl_item *i,
			const struct frontier_page *page, struct discovery *links,
			size_t n, struct diag *why)
{
	struct frontier_decision *d;
	size_t offered;

	if (!c->rules)
		return crawl_offer_as_is(c, i, page, links, n, why);
	d = arena_alloc(&i->arena, (n + 1) * sizeof(*d));
	TRY(url_rules_sort(c, i, page, links, n, d, &offered, &n, why));
	TRY(frontier_offer(&c->frontier, page, links, offered, crawl_time_ms(c), d, why));
	crawl_write_links(c, i, page, links, n, d);
	c->idle_until_ms = 0;
	return ST_OK;
}

static bool is_soft_404(const struct crawl_item *i)
{
	return i->has_verdict && i->verdict.kind == VERDICT_SOFT_404;
}

static bool is_duplicate(const struct crawl_item *i)
{
	return i->has_verdict && !i->novel;
}

static bool follows_duplicate(const struct crawl *c, const struct crawl_item *i)
{
	if (c->settings->duplicate_links == DUPLICATES_YIELD)
		return copies_are_worth(&c->copies, i->step.site, i->step.task.url);
	return c->settings->duplicate_links == DUPLICATES_FOLLOW;
}

static bool follows(const struct crawl *c, const struct crawl_item *i)
{
	if (i->step.task.kind == FETCH_PROBE || i->step.task.kind == FETCH_EXPLORE ||
	    is_soft_404(i))
		return false;
	if (!i->follow && i->step.task.kind != FETCH_ROBOTS)
		return false;
	bool may_know_more = i->verdict.kind == VERDICT_NEAR &&
			     c->settings->duplicate_links == DUPLICATES_YIELD;
	if (is_duplicate(i) && !may_know_more && !follows_duplicate(c, i))
		return false;
	return i->result.code < 300 || i->result.code >= 400 ||
	       redirects_before(i->step.task.hops) < REDIRECTS_MAX;
}

/*
 * The pages of a list are nearly alike, and each leads to the next one.  So where the
 * links of duplicates are worth nothing a near duplicate is believed in what it repeats,
 * not in what it alone knows: pages that nobody has asked for under any URL.
 */
static void keep_unknown_links(struct crawl *c, struct crawl_item *i)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	size_t kept = 0;
	struct url u;

	for (size_t l = 0; l < i->n_links; l++)
		if (url_parse(i->links[l].url, NULL, &scratch[0], &u, NULL) == ST_OK &&
		    !novelty_was_asked(&c->frontier.templates,
				       url_template_key(&u, &scratch[1])))
			i->links[kept++] = i->links[l];
	i->n_links = kept;
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
}

void crawl_count_verdict(struct crawl_counts *n, const struct verdict *v)
{
	n->exact += v->kind == VERDICT_EXACT;
	n->near += v->kind == VERDICT_NEAR;
	n->soft_404 += v->kind == VERDICT_SOFT_404;
}

static void count_verdict(struct crawl *c, const struct crawl_item *i)
{
	struct crawl_counts *n = &c->counts;

	n->done++;
	if (i->step.task.kind == FETCH_REVISIT) {
		round_count(n, i);
		return;
	}
	n->novel += i->novel;
	if (!i->has_verdict)
		return;
	crawl_count_verdict(n, &i->verdict);
	if (i->form == CAPTURE_SAME_DIGEST)
		n->identical_bytes += i->result.body_bytes;
}

/* Behind the first page of a host: does it have pages that are not there? */
static enum status ask_probe(struct crawl *c, struct crawl_item *i, struct diag *why)
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
			       .kind = FETCH_PROBE };
	struct frontier_page page = { t->hops, t->source, i->step.off_hops };
	struct frontier_decision taken = { .verdict = FRONTIER_QUEUED,
					   .stage = STR("probe"),
					   .rule = STR("soft-404") };

	TRY(frontier_ask_anyway(&c->frontier, &d, &page, why));
	crawl_write_links(c, i, &page, &d, 1, &taken);
	c->idle_until_ms = 0;
	return ST_OK;
}

/* What a page that is not there costs is waste that somebody should see. */
static void note_soft_404(struct crawl *c, struct crawl_item *i)
{
	ledger_add(&i->ledger,
		   &(struct ledger_line){ .url = i->step.task.url,
					  .via = i->step.task.via,
					  .stage = STR("content"),
					  .rule = STR("soft-404"),
					  .detail = i->verdict.representative_url,
					  .code = i->result.code,
					  .now_ms = clock_wall_ms(c->clock) });
}

/* A redirect has no text, but is worth the page it leads to when nobody knew that. */
#define REDIRECT_PERCENT 10

static enum status judged(struct crawl *c, struct crawl_item *i, struct diag *why)
{
	bool leads_on = !url_rules_moved(c, i) && i->result.code >= 300 &&
			i->result.code < 400 && i->links_new > 0;

	if (i->result.code < 200 || i->result.code >= 300)
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

void crawl_decide(struct crawl *c, struct crawl_item *i)
{
	struct frontier_page page = { .hops = i->step.task.hops,
				      .source = i->step.task.source,
				      .off_hops = i->step.off_hops };
	struct diag why;
	enum status st = ST_OK;

	url_rules_learn(c, i);
	failed_note(c, i);
	guesses_learn(&c->guesses, i->step.site, i->step.task.hops,
		      i->result.code == 200 && i->novel);
	if (i->result.code == 200 && i->step.task.kind == FETCH_PAGE)
		copies_learn(&c->copies, i->step.site, i->step.task.via, i->novel);
	if (i->n_links > 0 && follows(c, i)) {
		if (is_duplicate(i))
			copies_note(&c->copies, i->step.task.url);
		if (is_duplicate(i) && c->settings->duplicate_links == DUPLICATES_YIELD &&
		    !follows_duplicate(c, i))
			keep_unknown_links(c, i);
		st = crawl_offer(c, i, &page, i->links, i->n_links, &why);
	}
	if (st == ST_OK && i->step.task.kind != FETCH_ROBOTS)
		st = judged(c, i, &why);
	c->idle_until_ms = 0; /* it may have been all that kept something back */
	if (st == ST_OK)
		st = ask_probe(c, i, &why);
	if (is_soft_404(i))
		note_soft_404(c, i);
	if (i->refused_by.n > 0)
		crawl_note_refused(c, i);
	count_verdict(c, i);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	to_be_written(c, i);
}

/* --- what is not asked, seeds, late links --- */

static void note_dropped(struct crawl *c, const struct frontier_step *s, int64_t now)
{
	c->counts.dropped++;
	url_rules_dropped(c, s->task.url, s->rule);
	if (c->settings->dry_run)
		printf("%-7s " STR_FMT "%s" STR_FMT "\t" STR_FMT "\n", "drop",
		       STR_ARG(s->rule), s->detail.n ? " " : "", STR_ARG(s->detail),
		       STR_ARG(s->task.url));
	c->counts.robots_denied += s->code == FETCH_ROBOTS_DENIED;
	ledger_add(&crawl_note(c)->ledger, &(struct ledger_line){ .url = s->task.url,
								  .via = s->task.via,
								  .stage = STR("queue"),
								  .rule = s->rule,
								  .detail = s->detail,
								  .code = s->code,
								  .now_ms = now });
}

void crawl_refuse(struct crawl *c, const struct frontier_step *s)
{
	int64_t now = clock_wall_ms(c->clock);

	if (str_eq(s->rule, URL_RULES_NAME))
		url_rules_note_skip(c, s);
	else
		note_dropped(c, s, now);
	crawl_note_record(c, &(struct journal_record){ .kind = JOURNAL_DROPPED,
						       .dropped = { .url = s->task.url,
								    .rule = s->rule,
								    .detail = s->detail,
								    .key = s->task.key,
								    .now_ms = now,
								    .code = s->code } });
}

enum status crawl_offer_seed(struct crawl *c, struct str text, struct diag *why)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct crawl_item *note = crawl_note(c);
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
		struct str url = arena_copy(&note->arena, url_without_fragment(&u));
		struct discovery d = { .url = url,
				       .key = url,
				       .hash = hash128(url),
				       .via = STR(""),
				       .rule = STR(""),
				       .hop = HOP_LINK,
				       .priority = 250 };

		st = crawl_offer(
			c, note,
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
					  .stage = STR("seen"),
					  .rule = STR("new") };

		crawl_note_record(
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
