#include "engine/render.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "engine/offer.h"
#include "engine/steps.h"
#include "os/log.h"

#define MESSAGES_MAX 4096
#define WAITING_MANY 3

/* --- the answers of browsers' requests --- */

static void answer_waiters(struct crawl *c, struct str url, const struct answer_view *v,
			   struct str refused)
{
	render_waiters_answer(&c->render.waiters, &c->render.pool, url, v, refused);
}

void crawl_render_unreachable(struct crawl *c, uint32_t site)
{
	render_waiters_refuse(&c->render.waiters, &c->render.pool,
			      c->frontier.sites.v[site].origin,
			      STR("its site does not answer"));
}

bool crawl_render_awaits(const struct crawl *c, const struct fetch_task *t)
{
	return t->purpose != PURPOSE_RENDER_REQUEST ||
	       render_waiters_find(&c->render.waiters, t->url);
}

/* Out of scope by the user's word; what a page needs to be shown may be anywhere. */
static bool is_excluded(struct crawl *c, const struct discovery *d,
			const struct crawl_item *page)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	return url_parse(d->url, NULL, &scratch, &u, NULL) != ST_OK || !url_is_http(&u) ||
	       d->url.n > FETCH_URL_MAX ||
	       !frontier_scope(&c->frontier, d, &u, page->step.off_hops).accept;
}

/* Whoever asks a site that is out of reach would wait for its last attempt, which comes
 * when nothing else is left: for ever, as the page that waits is left. */
static bool is_out_of_reach(struct crawl *c, struct str url)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;
	uint32_t nr = SITE_NONE;

	if (url_parse(url, NULL, &scratch, &u, NULL) == ST_OK)
		nr = sites_find(&c->frontier.sites, &u);
	if (nr == SITE_NONE)
		return false;
	const struct site *s = &c->frontier.sites.v[nr];

	return s->state == SITE_PAUSED || s->state == SITE_DEAD ||
	       (s->state != SITE_OPEN && s->blocked_until_ms > crawl_time_ms(c));
}

static enum status refuse(struct crawl *c, struct render_message *m, struct str words)
{
	render_pool_refuse(&c->render.pool, m, words);
	render_message_free(m);
	return ST_OK;
}

/* The request of a browser becomes a URL of the queue. */
static enum status queue_request(struct crawl *c, struct render_message *m,
				 const struct crawl_item *page, struct diag *why)
{
	struct crawl_item *to = journal_batch(c);
	struct str url = arena_copy(&to->arena, buf_str(&m->url));
	const struct fetch_task *t = &page->step.task;
	struct discovery d = {
		.url = url,
		.key = url,
		.hash = purpose_identity(PURPOSE_RENDER_REQUEST, url, url),
		.via = arena_copy(&to->arena, t->url),
		.depth = t->depth, /* it is part of the page, however deep that is */
		.hop = HOP_EMBED,
		.priority = 255,
		.purpose = PURPOSE_RENDER_REQUEST,
	};
	struct frontier_page from = { arena_copy(&to->arena, t->hops),
				      arena_copy(&to->arena, t->source),
				      page->step.off_hops };

	if (is_excluded(c, &d, page))
		return refuse(c, m, STR("out of scope"));
	if (is_out_of_reach(c, url))
		return refuse(c, m, STR("its site does not answer"));
	bool is_queued = render_waiters_find(&c->render.waiters, url) ||
			 frontier_is_queued(&c->frontier, d.hash);
	render_waiters_add(&c->render.waiters, m);
	if (is_queued)
		return ST_OK;
	/* Whoever links to it need not fetch it again. */
	TRY(frontier_note(&c->frontier, hash128(url), why));
	return crawl_queue_anyway(c, to, &from, &d, REASON_RENDER_REQUEST, STR(""), why);
}

static void take_request(struct crawl *c, struct render_message *m)
{
	struct answer_view v;
	struct diag why;

	if (c->stopping) {
		render_pool_refuse(&c->render.pool, m, STR("the crawl ends"));
		render_message_free(m);
	} else if (answers_find(&c->render.answers, buf_str(&m->url), &v)) {
		c->counts.render_from_memory++;
		render_pool_answer(&c->render.pool, m, v.code, v.header, v.body);
		render_message_free(m);
	} else {
		enum status st = queue_request(c, m, m->job->cookie, &why);

		if (st != ST_OK)
			crawl_fail(c, st, &why);
	}
}

/* --- jobs --- */

static struct str copied(struct arena *a, struct buf *b)
{
	return arena_copy(a, buf_str(b));
}

/* From memory there is no answer of now: it gets that of then, without a body to store.
 */
static void take_rendering(struct crawl *c, struct render_job *j)
{
	struct crawl_item *i = j->cookie;

	c->render.items--;
	c->idle_until_ms = 0;
	i->rendering = TAKE(j->result);
	if (i->rendering->end == RENDER_CANCELLED || c->aborting) {
		crawl_give_item(c, i); /* it is still queued, for the journal */
		render_job_free(j);
		return;
	}
	if (i->result.code == 0) {
		i->result = (struct fetch_result){
			.task = &i->step.task,
			.code = j->code,
			.start_ms = clock_wall_ms(c->clock),
			.header = copied(&i->arena, &j->header),
		};
		harvest_head(i);
		i->rendering->plain = TAKE(j->body);
		if (i->rendering->end != RENDER_DONE) {
			buf_add(&i->body, buf_str(&i->rendering->plain));
			i->result.body = buf_str(&i->body);
		}
	}
	render_job_free(j);
	if (i->rendering->end == RENDER_FAILED)
		i->result.error = arena_copy(&i->arena, str_from(i->rendering->why.text));
	crawl_attach_buffers(c, i);
	i->stage = ITEM_DIGESTING;
	item_batch_add(&c->for_workers, i);
}

/* It stays as it was received. */
static void skip_job(struct crawl *c, struct render_job *j)
{
	j->result = NEW(struct rendering);
	j->result->end = RENDER_SKIPPED;
	take_rendering(c, j);
}

/* Starting a browser costs as much as four pages: another one is for more than a few. */
static bool has_place(const struct crawl *c)
{
	const struct crawl_render *r = &c->render;
	size_t waiting = r->n_ready - r->ready_from;

	return waiting > 0 && r->in_pool < c->settings->browsers &&
	       (r->in_pool == 0 || waiting >= WAITING_MANY);
}

/*
 * No more than the browsers can show, so that what was learnt from the last counts for
 * the next.
 */
static void feed(struct crawl *c)
{
	struct crawl_render *r = &c->render;

	while (has_place(c)) {
		struct render_job *j = r->ready[r->ready_from++];
		struct crawl_item *i = j->cookie;
		uint64_t template = crawl_render_template(i->step.task.url),
			 host = crawl_render_host(c, i);

		if (!r->always && !render_is_wanted(&r->learned, template, host)) {
			skip_job(c, j);
			continue;
		}
		j->presses = c->settings->render_clicks &&
			     render_presses(&r->learned, template, host);
		if (r->in_pool++ == 0)
			crawl_blind(c, BLIND_BROWSER);
		render_pool_add(&r->pool, j);
	}
	if (r->ready_from == r->n_ready)
		r->ready_from = r->n_ready = 0;
}

/* Its document in memory, as received. */
static void send_job(struct crawl *c, struct crawl_item *i, const struct answer_view *v)
{
	struct render_job *j = NEW(struct render_job);

	j->cookie = i;
	j->code = v->code;
	buf_add(&j->url, i->step.task.url);
	buf_add(&j->header, v->header);
	buf_add(&j->body, v->body);
	i->stage = ITEM_RENDERING;
	c->render.items++;
	VEC_ADD(c->render.ready, c->render.n_ready, c->render.ready_cap, j);
	feed(c);
}

static void drain(void *arg)
{
	struct crawl *c = arg;
	void *m;

	while (queue_take(&c->render.messages, 0, &m) == ST_OK) {
		struct render_message *message = m;

		if (message->kind == RENDER_ASKS) {
			take_request(c, message);
		} else {
			c->render.in_pool--;
			render_pool_taken(&c->render.pool, message);
			take_rendering(c, message->job);
			render_message_free(message);
		}
	}
	feed(c);
}

bool crawl_render_start(struct crawl *c, struct crawl_item *i)
{
	struct fetch_task *t = &i->step.task;
	struct answer_view v;

	if (t->purpose == PURPOSE_RENDER_REQUEST) {
		const struct render_message *m =
			render_waiters_find(&c->render.waiters, t->url);

		if (m)
			t->fields = arena_copy(&i->arena, buf_str(&m->fields));
	}
	if (t->purpose != PURPOSE_BROWSER || !c->render.on ||
	    !answers_find(&c->render.answers, t->url, &v))
		return false;
	frontier_free_place(&c->frontier, i->step.site);
	send_job(c, i, &v);
	return true;
}

/* What a page may need again: programs, styles, data.  Pages are kept when it is known
 * that they may be rendered. */
static bool is_worth_keeping(const struct crawl_item *i)
{
	static const struct str kinds[] = { STR("text/css"), STR("application/json") };

	if (i->result.spool.n > 0 || i->result.truncated != TRUNCATED_NOT)
		return false;
	if (i->step.task.purpose == PURPOSE_RENDER_REQUEST ||
	    str_find(i->mime, STR("script")) != STR_NONE)
		return true;
	if (answer_is_redirect(i->result.code))
		return true;
	for (size_t k = 0; k < COUNT(kinds); k++)
		if (str_eq(i->mime, kinds[k]))
			return answer_is_success(i->result.code);
	return false;
}

bool crawl_render_answered(struct crawl *c, struct crawl_item *i)
{
	const struct fetch_result *r = &i->result;
	struct answer_view v = { r->code, r->header, r->body };

	if (!c->render.on)
		return false;
	if (r->code > 0 && is_worth_keeping(i))
		answers_add(&c->render.answers, i->step.task.url, &v);
	if (i->step.task.purpose == PURPOSE_RENDER_REQUEST)
		answer_waiters(c, i->step.task.url, r->code > 0 ? &v : NULL,
			       r->error.n ? r->error : STR("no answer"));
	if (i->step.task.purpose != PURPOSE_BROWSER || r->code != 200 || r->spool.n > 0 ||
	    c->stopping)
		return false;
	send_job(c, i, &v);
	return true;
}

void crawl_render_dropped(struct crawl *c, const struct frontier_step *s,
			  const struct due_decision *d)
{
	if (s->task.purpose == PURPOSE_RENDER_REQUEST)
		answer_waiters(c, s->task.url, NULL, reason_table[d->reason].sentence);
	if (s->task.purpose == PURPOSE_BROWSER)
		render_note_pending(&c->render.learned,
				    crawl_render_template(s->task.url),
				    hash64(c->frontier.sites.v[s->site].origin), -1);
}

/* --- beginning and end --- */

static struct render_options options_of(struct crawl *c)
{
	static struct arena names; /* as long as the process: what the pool borrows */
	const struct crawl_settings *s = c->settings;
	struct str agent = settings_user_agent(s, &names);

	return (struct render_options){
		.program = s->browser_program.n
				   ? path_join(&names, "", s->browser_program)
				   : NULL,
		.profiles = path_join(&names, c->dir, STR("state/browsers")),
		.user_agent = path_join(&names, "", agent),
		.browsers = (unsigned)s->browsers,
		.page_ms = (uint32_t)MIN(s->render_ms, (uint64_t)3600000),
		.pictures = s->screenshots,
	};
}

enum status crawl_render_open(struct crawl *c, struct diag *why)
{
	const struct crawl_settings *s = c->settings;
	struct render_options o;

	crawl_render_restored(c);
	if (s->browser == BROWSER_NEVER || s->dry_run)
		return ST_OK;
	o = options_of(c);
	enum status st = s->browser == BROWSER_SANDBOXED && geteuid() == 0
				 ? ST_DENIED
				 : render_find_browser(o.program, why);
	if (st != ST_OK && s->browser == BROWSER_ALWAYS)
		return st;
	if (st != ST_OK) {
		if (s->browser == BROWSER_AUTO)
			log_event(LOG_WARN, "browser", "no page is rendered: %s",
				  why->text);
		c->render.looks = true;
		return ST_OK;
	}
	queue_init(&c->render.messages, MESSAGES_MAX);
	TRY(loop_wake_init(&c->render.wake, &c->loop, drain, c, why));
	queue_wake_by(&c->render.messages, c->render.wake.watch.fd);
	c->render.answers.limit = s->render_memory;
	c->render.always = s->browser == BROWSER_ALWAYS;
	c->render.on = true;
	return render_pool_start(&c->render.pool, &o, &c->render.messages, why);
}

void crawl_render_stop(struct crawl *c)
{
	struct crawl_render *r = &c->render;

	if (!r->on || r->cancelled)
		return;
	r->cancelled = true;
	render_waiters_release(&r->waiters);
	while (r->ready_from < r->n_ready) { /* still queued, for the journal */
		struct render_job *j = r->ready[r->ready_from++];

		r->items--;
		crawl_give_item(c, j->cookie);
		render_job_free(j);
	}
	render_pool_cancel(&r->pool);
}

void crawl_render_close(struct crawl *c)
{
	struct crawl_render *r = &c->render;
	void *m;

	render_learned_release(&r->learned);
	map_release(&r->queued);
	render_helds_release(&r->held);
	if (!r->on)
		return;
	crawl_render_stop(c);
	queue_close(&r->messages);
	render_pool_stop(&r->pool);
	while (queue_take(&r->messages, 0, &m) == ST_OK) {
		struct render_message *message = m;

		if (message->kind == RENDER_ENDED) {
			crawl_give_item(c, message->job->cookie);
			render_job_free(message->job);
		}
		render_message_free(message);
	}
	queue_release(&r->messages);
	loop_wake_release(&r->wake, &c->loop);
	answers_release(&r->answers);
	free(r->ready);
	*r = (struct crawl_render){ 0 };
}
