#include "engine/site_api.h"

#include "engine/app_views.h"
#include "engine/offer.h"
#include "engine/steps.h"
#include "os/log.h"
#include "siteapi/find.h"
#include "siteapi/said.h"

enum status site_api_open(struct crawl *c, struct diag *why)
{
	/* Among several nodes a link is decided where its domain is owned. */
	if (c->settings->api != API_AUTO || c->settings->no_apps || c->exchange)
		return ST_OK;
	return site_services_open(&c->site_apis.services, why);
}

void site_api_release(struct crawl *c)
{
	site_services_close(c->site_apis.services);
	site_readings_release(&c->site_apis.readings);
	c->site_apis.services = NULL;
}

static struct site_reading *reading_of(const struct crawl *c, struct str url)
{
	return c->site_apis.services
		       ? site_reading_find(&c->site_apis.readings, site_server(url))
		       : NULL;
}

static void give_up(struct crawl *c, struct site_reading *r, struct str url,
		    const char *why)
{
	r->state = API_OFF;
	log_event(LOG_INFO, "api",
		  "%s: the %llu pages left out for it are fetched: " STR_FMT, why,
		  (unsigned long long)r->pages, STR_ARG(url));
	app_watch_retract_api(&c->views, r->server);
	app_views_return(c);
}

/* --- the chain --- */

static enum status queue_request(struct crawl *c, struct crawl_item *i, struct str url,
				 struct str words, struct diag *why)
{
	const struct fetch_task *t = &i->step.task;
	struct discovery d = { .url = url,
			       .key = url,
			       .hash = purpose_identity(PURPOSE_API, url, url),
			       .via = t->url,
			       .depth = t->depth,
			       .hop = HOP_INFERRED,
			       .priority = 255,
			       .purpose = PURPOSE_API };
	struct frontier_page page = { t->hops, t->source, i->step.off_hops };

	return crawl_queue_anyway(c, i, &page, &d, REASON_API_LIST, words, why);
}

static enum status begin(struct crawl *c, struct crawl_item *i, struct diag *why)
{
	struct site_page page = { .url = i->step.task.url,
				  .app = i->app,
				  .links = i->page.links,
				  .n_links = i->page.n_links };
	struct str first, words;

	if (reading_of(c, page.url) || !site_find_api(c->site_apis.services, &c->apps,
						      &page, &i->arena, &first, &words))
		return ST_OK;
	site_reading_add(&c->site_apis.readings, site_server(first));
	return queue_request(c, i, first, words, why);
}

void site_api_answered(struct crawl *c, const struct crawl_item *i)
{
	struct str url = i->step.task.url;

	if (c->site_apis.services && i->step.task.purpose == PURPOSE_API)
		site_reading_answer(
			site_reading_add(&c->site_apis.readings, site_server(url)),
			i->api);
}

static enum status go_on(struct crawl *c, struct crawl_item *i, struct diag *why)
{
	struct str url = i->step.task.url;
	struct site_reading *r = reading_of(c, url);
	bool was_read = r->state == API_READ;
	const char *cause;

	if (site_reading_goes_on(r, i->api, &cause))
		return queue_request(c, i, i->api->next, i->api->service, why);
	if (cause)
		give_up(c, r, url, cause);
	else if (r->state == API_READ && !was_read)
		log_event(LOG_INFO, "api",
			  "%llu requests to the API stand for %llu pages: " STR_FMT,
			  (unsigned long long)r->sent, (unsigned long long)r->pages,
			  STR_ARG(url));
	return ST_OK;
}

enum status site_api_learn(struct crawl *c, struct crawl_item *i, struct diag *why)
{
	if (!c->site_apis.services || !c->settings->discover || c->settings->dry_run)
		return ST_OK;
	if (i->step.task.purpose == PURPOSE_API)
		return go_on(c, i, why);
	if (i->has_page && i->app_certain && i->app != APP_NONE)
		return begin(c, i, why);
	return ST_OK;
}

/* --- pages --- */

static bool hold(struct crawl *c, const struct watch_url *u)
{
	cleanup(buf_release) struct buf kind = { 0 };
	uint64_t server = site_server(u->url);

	buf_addf(&kind, "%llx %u", (unsigned long long)server, site_page_shape(u->url));
	if (!app_watch_note_api(&c->views, buf_str(&kind), server, u))
		return false;
	site_reading_page(site_reading_add(&c->site_apis.readings, server));
	return true;
}

bool site_api_has(struct crawl *c, const struct discovery *l, struct str *ret_by)
{
	if (!c->site_apis.services)
		return false;
	if (l->veto == VETO_API) { /* the API itself says so */
		const struct site_reading *r = reading_of(c, l->url);

		*ret_by = l->veto_by;
		return r && r->state == API_READING &&
		       hold(c, &(struct watch_url){
				       .url = l->url, .via = l->via, .depth = l->depth });
	}
	*ret_by = STR("");
	return app_watch_has_api(&c->views, l->url);
}

static void drop(struct crawl *c, const struct discovery *l, struct u128 key)
{
	cleanup(buf_release) struct buf where = { 0 };
	struct frontier_step s = { .task = { .url = l->url,
					     .via = l->via,
					     .key = key,
					     .purpose = PURPOSE_LINK } };

	buf_addf(&where, STR_FMT " in " STR_FMT, STR_ARG(l->veto_by), STR_ARG(l->via));
	crawl_drop(c, &s,
		   &(struct due_decision){ .reason = REASON_API_OBJECT,
					   .code = reason_table[REASON_API_OBJECT].code },
		   buf_str(&where));
}

/* Is it this URL that is queued under the key?  Another may have it, by a URL rule. */
static bool is_queued_as(struct crawl *c, struct str url, struct u128 key)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct buf bytes[2] = { { 0 }, { 0 } };
	struct queued_url q;
	struct queued found;
	struct url u;
	bool held,
		is = url_parse(url, NULL, &bytes[0], &u, NULL) == ST_OK &&
		     queue_store_find(&c->frontier.queues, key, &bytes[1], &found, &held,
				      NULL) == ST_OK &&
		     queued_url_decode(found.payload,
				       str_slice(url, 0, (size_t)(u.path.p - u.href.p)),
				       &a, &q) == ST_OK &&
		     str_eq(q.url, url);

	buf_release(&bytes[0]);
	buf_release(&bytes[1]);
	return is;
}

/* Out of the queue, where it may be under the key that URL rules gave it. */
static enum status take_out(struct crawl *c, const struct discovery *l,
			    struct u128 *ret_key, struct diag *why)
{
	struct u128 key;

	if (!steered_find_queued(c, l->url, &key) || !is_queued_as(c, l->url, key))
		return ST_NOT_FOUND;
	TRY(frontier_remove(&c->frontier, l->url, key, why));
	*ret_key = key;
	return ST_OK;
}

enum status site_api_unqueue(struct crawl *c, const struct discovery *l, struct diag *why)
{
	const struct site_reading *r = reading_of(c, l->url);

	if (!r || r->state != API_READING || l->veto != VETO_API)
		return ST_OK;
	struct u128 key;
	enum status st = take_out(c, l, &key, why);
	if (st == ST_NOT_FOUND) /* fetched, or on its way */
		return ST_OK;
	TRY(st);
	struct watch_url u = {
		.url = l->url, .via = l->via, .depth = l->depth, .was_queued = true
	};
	if (!hold(c, &u)) /* such pages are fetched after all */
		return frontier_queue_anyway(
			&c->frontier, l,
			&(struct frontier_page){ .source = l->via, .hops = STR("") },
			why);
	drop(c, l, key);
	return ST_OK;
}

void site_api_settle(struct crawl *c)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct site_readings *s = &c->site_apis.readings;

	if (s->is_restored)
		site_said_load(&c->said, path_join(&a, c->dir, STR("objects.jsonl")));
	s->is_restored = false;
	for (size_t k = 0; k < s->n; k++)
		if (s->v[k].state == API_READING)
			give_up(c, &s->v[k], STR(""),
				"the API could not be read to its end");
}

/* --- earlier processes --- */

void site_api_restore_link(struct crawl *c, const struct journal_links *l,
			   const struct journal_link *k)
{
	if (!c->site_apis.services)
		return;
	if (k->purpose == PURPOSE_API) {
		site_reading_queued(&c->site_apis.readings, k->url);
	} else if (k->reason != REASON_API_OBJECT) {
		return;
	} else if (k->outcome == OUTCOME_REFUSED) {
		hold(c, &(struct watch_url){
				.url = k->url, .via = l->via, .depth = k->depth });
	} else if (k->purpose != PURPOSE_VIEW_SAMPLE) { /* it returned */
		app_watch_retract(&c->views, k->url);
	}
}

void site_api_restore_done(struct crawl *c, const struct journal_done *d)
{
	if (c->site_apis.services && d->purpose == PURPOSE_API)
		site_reading_done(&c->site_apis.readings, d->url);
}

void site_api_restore_dropped(struct crawl *c, const struct journal_dropped *d)
{
	if (c->site_apis.services && d->reason == REASON_API_OBJECT)
		hold(c, &(struct watch_url){ .url = d->url,
					     .via = STR(""),
					     .depth = 1,
					     .was_queued = true });
}
