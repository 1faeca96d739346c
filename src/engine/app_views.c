#include "engine/app_views.h"

#include "apps/library_files.h"
#include "engine/offer.h"
#include "engine/steps.h"
#include "os/log.h"

/* Less may be a heading, a date, a word of the day. */
#define NEW_PERCENT 20
#define NEW_RUNS    12

static struct str server_of(struct str url, struct buf *scratch)
{
	struct url u;

	return url_parse(url, NULL, scratch, &u, NULL) == ST_OK ? url_server(&u)
								: STR("");
}

enum status app_views_open(struct crawl *c, struct diag *why)
{
	cleanup(buf_release) struct buf dir = { 0 };

	if (c->settings->no_apps)
		return ST_OK;
	buf_add(&dir, c->settings->apps_dir);
	TRY(library_load(&c->apps, dir.n ? buf_cstr(&dir) : NULL, false, why));
	for (size_t i = 0; i < c->apps.n_problems; i++)
		log_event(LOG_WARN, "apps", "%s; passed over",
			  c->apps.problems[i].why.text);
	return ST_OK;
}

void app_views_prepare(struct crawl *c, struct crawl_item *i)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	const uint64_t *app = NULL;

	if (c->apps.n > 0)
		app = map_find(&c->app_of_server,
			       hash64(server_of(i->step.task.url, &scratch)));
	i->app = APP_NONE;
	i->app_certain = false;
	i->said = (struct text_sample){ 0 };
	i->app_name = i->objects = i->app_page = i->augmented = STR("");
	i->pages_new = 0;
	i->api = NULL;
	i->app_remembered = app ? (uint32_t)*app : APP_NONE;
}

/*
 * Did a sample bring what no other page has?  A new link counts, and text: so many runs
 * of words that no date and no name of a month makes them.
 */
static bool brought_something(struct crawl *c, const struct crawl_item *i)
{
	size_t n = seen_text_new(&c->said, i->said);
	bool is_new = answer_is_success(i->result.code) &&
		      (i->pages_new > 0 ||
		       (n >= NEW_RUNS && n * 100 >= i->said.n * NEW_PERCENT));

	log_event(
		is_new ? LOG_INFO : LOG_DEBUG, "apps",
		"sample of what is left out: %zu of %zu runs of words and %zu links are "
		"new: " STR_FMT "%s",
		n, i->said.n, i->pages_new, STR_ARG(i->step.task.url),
		is_new ? "; such links return" : "");
	return is_new;
}

static enum status queue(struct crawl *c, const struct watch_url *u, bool is_sample,
			 struct str rule, size_t *n, struct diag *why)
{
	bool is_api = app_watch_is_api(&c->views, u);
	enum purpose purpose = is_sample ? PURPOSE_VIEW_SAMPLE : PURPOSE_LINK;
	struct discovery d = { .url = u->url,
			       .key = u->url,
			       .hash = purpose_identity(purpose, u->url, u->url),
			       .via = u->via,
			       .depth = u->depth,
			       .hop = HOP_LINK,
			       .priority = 100,
			       .purpose = (uint8_t)purpose };

	/* Since it was left out another link may have led there. */
	if (!u->was_queued && seen_peek(&c->frontier.seen, d.hash) == SEEN_KNOWN) {
		app_watch_answer(&c->views, u->url, false);
		return ST_OK;
	}
	++*n;
	TRY(frontier_note(&c->frontier, d.hash, why));
	return crawl_queue_anyway(
		c, journal_batch(c),
		&(struct frontier_page){ .source = u->via, .hops = STR("") }, &d,
		is_api ? REASON_API_OBJECT : REASON_VETO_VIEW, rule, why);
}

/* At once, so that the journal has them before this process may end. */
void app_views_return(struct crawl *c)
{
	struct watch_url u;
	struct str rule;
	struct diag why;
	size_t n = 0;

	while (app_watch_take_returned(&c->views, &u, &rule)) {
		enum status st = queue(c, &u, false, rule, &n, &why);

		if (st != ST_OK)
			crawl_fail(c, st, &why);
	}
	journal_batch_send(c);
}

void app_views_learn(struct crawl *c, const struct crawl_item *i)
{
	cleanup(buf_release) struct buf scratch = { 0 };

	if (c->apps.n == 0)
		return;
	if (i->has_page && i->app_certain)
		*map_add(&c->app_of_server, hash64(server_of(i->step.task.url, &scratch)),
			 NULL) = i->app;
	if (i->step.task.purpose == PURPOSE_VIEW_SAMPLE &&
	    app_watch_answer(&c->views, i->step.task.url, brought_something(c, i)))
		app_views_return(c);
	seen_text_add(&c->said, i->said);
}

/* Kinds of one rule on one server that are sampled apart; the rest is one more. */
#define KINDS_MAX 24

/*
 * One rule may leave out several kinds of pages (a=tree, a=blob): folders repeat what is
 * known, old files do not.  So each kind is sampled, and returns, by itself.
 */
static uint64_t sampled_kind(struct crawl *c, struct str server, struct str rule,
			     struct str url)
{
	uint64_t of = hash64_seeded(rule, hash64(server));
	uint64_t kind = hash_mix(of ^ hash_mix(url_kind(url)));
	uint64_t *n = map_add(&c->view_kinds, of, NULL);

	if (map_find(&c->view_kinds, kind))
		return kind;
	if (*n >= KINDS_MAX)
		return 0;
	++*n;
	map_add(&c->view_kinds, kind, NULL);
	return kind;
}

static bool note(struct crawl *c, struct str url, struct str via, uint32_t depth,
		 struct str rule)
{
	cleanup(buf_release) struct buf scratch = { 0 }, group = { 0 };
	struct str server = server_of(url, &scratch);

	buf_addf(&group, STR_FMT " %llx", STR_ARG(server),
		 (unsigned long long)sampled_kind(c, server, rule, url));
	return app_watch_note(
		&c->views, buf_str(&group), rule,
		&(struct watch_url){ .url = url, .via = via, .depth = depth });
}

bool app_views_hold(struct crawl *c, const struct discovery *l)
{
	return note(c, l->url, l->via, l->depth, l->veto_by);
}

void app_views_restore(struct crawl *c, const struct journal_links *l,
		       const struct journal_link *k)
{
	if (k->reason != REASON_VETO_VIEW)
		return;
	if (k->outcome == OUTCOME_REFUSED)
		note(c, k->url, l->via, k->depth, k->detail);
	else if (k->purpose != PURPOSE_VIEW_SAMPLE) /* it returned, as all others do */
		app_watch_retract(&c->views, k->url);
}

void app_views_keep(struct crawl *c)
{
	app_watch_settled(&c->views);
}

bool app_views_settle(struct crawl *c)
{
	struct watch_url u;
	struct str rule;
	struct diag why;
	bool is_sample;
	size_t n = 0;

	if (c->apps.n == 0 || c->settings->dry_run)
		return false;
	site_api_settle(c);
	while (app_watch_take(&c->views, &is_sample, &u, &rule)) {
		enum status st = queue(c, &u, is_sample, rule, &n, &why);

		if (st != ST_OK)
			crawl_fail(c, st, &why);
	}
	journal_batch_send(c);
	return n > 0;
}

void app_views_release(struct crawl *c)
{
	app_watch_release(&c->views);
	seen_text_release(&c->said);
	map_release(&c->app_of_server);
	map_release(&c->view_kinds);
	library_release(&c->apps);
}
