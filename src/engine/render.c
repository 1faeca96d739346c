#include "engine/render.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "engine/offer.h"
#include "engine/steps.h"
#include "os/log.h"

/* Behind plain pages: what they lead to is found first, and scripts are there by then. */
#define RENDER_PRIORITY 40
#define MESSAGES_MAX    4096
#define HELD_MAX        20000 /* past it pages with scripts are taken as they are */

/* --- the answers of browsers' requests --- */

static void answer_waiters(struct crawl *c, struct str url, const struct answer_view *v,
			   struct str refused)
{
	struct crawl_render *r = &c->render;
	uint64_t hash = hash64(url);
	size_t kept = 0;

	for (size_t k = 0; k < r->n_waiters; k++) {
		struct render_waiter w = r->waiters[k];

		if (w.url != hash) {
			r->waiters[kept++] = w;
			continue;
		}
		if (v)
			render_pool_answer(&r->pool, w.m, v->code, v->header, v->body);
		else
			render_pool_refuse(&r->pool, w.m, refused);
		render_message_free(w.m);
	}
	r->n_waiters = kept;
}

void crawl_render_unreachable(struct crawl *c, uint32_t site)
{
	struct str origin = c->frontier.sites.v[site].origin;

	for (size_t k = c->render.n_waiters; k-- > 0;) {
		struct str url = buf_str(&c->render.waiters[k].m->url);

		if (!str_starts(url, origin) ||
		    (url.n > origin.n && url.p[origin.n] != '/'))
			continue;
		cleanup(buf_release) struct buf own = { 0 };
		buf_add(&own, url);
		answer_waiters(c, buf_str(&own), NULL, STR("its site does not answer"));
		k = MIN(k, c->render.n_waiters);
	}
}

static struct render_waiter *find_waiter(const struct crawl_render *r, struct str url)
{
	uint64_t hash = hash64(url);

	for (size_t k = 0; k < r->n_waiters; k++)
		if (r->waiters[k].url == hash)
			return &r->waiters[k];
	return NULL;
}

bool crawl_render_awaits(const struct crawl *c, const struct fetch_task *t)
{
	return t->purpose != PURPOSE_RENDER_REQUEST || find_waiter(&c->render, t->url);
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
		.depth = t->depth + 1,
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
	bool is_queued =
		find_waiter(&c->render, url) || frontier_is_queued(&c->frontier, d.hash);
	VEC_ADD(c->render.waiters, c->render.n_waiters, c->render.waiters_cap,
		(struct render_waiter){ hash64(url), m });
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
	render_pool_add(&c->render.pool, j);
}

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
		if (i->rendering->end != RENDER_DONE) {
			buf_add(&i->body, buf_str(&j->body));
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

static void drain(void *arg)
{
	struct crawl *c = arg;
	void *m;

	while (queue_take(&c->render.messages, 0, &m) == ST_OK) {
		struct render_message *message = m;

		if (message->kind == RENDER_ASKS) {
			take_request(c, message);
		} else {
			take_rendering(c, message->job);
			render_message_free(message);
		}
	}
}

bool crawl_render_start(struct crawl *c, struct crawl_item *i)
{
	struct fetch_task *t = &i->step.task;
	struct answer_view v;

	if (t->purpose == PURPOSE_RENDER_REQUEST) {
		const struct render_waiter *w = find_waiter(&c->render, t->url);

		if (w)
			t->fields = copied(&i->arena, &w->m->fields);
	}
	if (t->purpose != PURPOSE_BROWSER || !c->render.on ||
	    !answers_find(&c->render.answers, t->url, &v))
		return false;
	frontier_free_place(&c->frontier, i->step.site);
	send_job(c, i, &v);
	return true;
}

/* What a page may need again: programs, styles, data, and pages that will be rendered. */
static bool is_worth_keeping(const struct crawl_item *i)
{
	static const struct str kinds[] = { STR("text/html"), STR("text/css"),
					    STR("application/xhtml+xml"),
					    STR("application/json") };

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

static uint64_t host_of(const struct crawl *c, const struct crawl_item *i)
{
	return hash64(c->frontier.sites.v[i->step.site].origin);
}

static uint64_t template_of(struct str url)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url u;
	uint64_t hash = 0;

	if (url_parse(url, NULL, &scratch[0], &u, NULL) == ST_OK)
		hash = url_template_key(&u, &scratch[1]).own;
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return hash;
}

void crawl_render_dropped(struct crawl *c, const struct frontier_step *s,
			  const struct due_decision *d)
{
	if (s->task.purpose == PURPOSE_RENDER_REQUEST)
		answer_waiters(c, s->task.url, NULL, reason_table[d->reason].sentence);
	if (s->task.purpose == PURPOSE_BROWSER)
		render_note_pending(&c->render.learned, template_of(s->task.url),
				    hash64(c->frontier.sites.v[s->site].origin), -1);
}

/* --- which pages --- */

void crawl_render_hint(struct crawl *c, struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;

	i->render_from = NEED_NEVER;
	if (!c->render.on || !purpose_is_page(t->purpose) ||
	    t->purpose == PURPOSE_EMBED || t->purpose == PURPOSE_GUESS ||
	    i->result.code != 200 || i->result.body.n == 0)
		return;
	if (c->render.always) {
		i->render_from = NEED_ANY;
		return;
	}
	uint64_t template = template_of(t->url), host = host_of(c, i);
	struct render_bar bar = render_threshold(&c->render.learned, template, host);

	i->render_from = (uint8_t)bar.from;
	i->render_held = bar.undecided;
	i->render_slot = bar.from == NEED_SCRIPTS;
	if (i->render_slot)
		render_note_pending(&c->render.learned, template, host, 1);
	if (bar.from == NEED_NEVER) /* one of many is looked at again */
		render_note_skipped(&c->render.learned, template);
}

/* `h` is queued once more, for a browser; `words` are the evidence. */
static enum status queue_render(struct crawl *c, struct crawl_item *to,
				const struct render_held *h, struct diag *why)
{
	struct discovery d = {
		.url = h->url,
		.key = h->url,
		.hash = purpose_identity(PURPOSE_BROWSER, h->url, h->url),
		.via = h->via,
		.depth = h->depth,
		.hop = h->hops.n > 0 ? (uint8_t)h->hops.p[h->hops.n - 1] : HOP_LINK,
		.priority = RENDER_PRIORITY,
		.purpose = PURPOSE_BROWSER,
	};
	struct frontier_page page = { str_slice(h->hops, 0, h->hops.n - (h->hops.n > 0)),
				      h->source, h->off_hops };

	return crawl_queue_anyway(c, to, &page, &d, REASON_NEEDS_BROWSER, h->words, why);
}

/* --- pages that wait for what others of their template bring --- */

static struct render_held held_of(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;

	return (struct render_held){ .template = template_of(t->url),
				     .host = host_of(c, i),
				     .url = t->url,
				     .via = t->via,
				     .hops = t->hops,
				     .source = t->source,
				     .words = i->need_words,
				     .depth = t->depth,
				     .off_hops = i->step.off_hops };
}

static void hold(struct crawl *c, const struct crawl_item *i)
{
	struct render_held h = held_of(c, i);
	struct str *texts[] = { &h.url, &h.via, &h.hops, &h.source, &h.words };
	size_t at = 0;

	if (c->render.n_held == HELD_MAX)
		return;
	for (size_t k = 0; k < COUNT(texts); k++)
		buf_add(&h.bytes, *texts[k]);
	for (size_t k = 0; k < COUNT(texts); k++) {
		*texts[k] = str_slice(buf_str(&h.bytes), at, at + texts[k]->n);
		at += texts[k]->n;
	}
	VEC_ADD(c->render.held, c->render.n_held, c->render.held_cap, h);
}

/* Their template or host has been judged, or has room for another trial. */
static enum status release_held(struct crawl *c, uint64_t template, uint64_t host,
				struct diag *why)
{
	struct crawl_render *r = &c->render;
	enum status st = ST_OK;
	size_t kept = 0;

	for (size_t k = 0; k < r->n_held; k++) {
		struct render_held h = r->held[k];
		struct render_bar bar = { .undecided = true };

		if (st == ST_OK && (h.template == template || h.host == host))
			bar = render_threshold(&r->learned, h.template, h.host);
		if (bar.undecided) {
			r->held[kept++] = h;
			continue;
		}
		if (bar.from == NEED_SCRIPTS) {
			render_note_pending(&r->learned, h.template, h.host, 1);
			struct crawl_item *to = journal_batch(c);
			struct str *texts[] = { &h.url, &h.via, &h.hops, &h.source,
						&h.words };

			for (size_t n = 0; n < COUNT(texts); n++)
				*texts[n] = arena_copy(&to->arena, *texts[n]);
			st = queue_render(c, to, &h, why);
		} else {
			render_note_skipped(&r->learned, h.template);
		}
		buf_release(&h.bytes);
	}
	r->n_held = kept;
	return st;
}

static void learn(struct crawl *c, const struct crawl_item *i)
{
	const struct rendering *r = i->rendering;
	struct crawl_counts *n = &c->counts;
	struct render_yield y = { .links = i->links_new,
				  .text_bytes = i->page.text.n * i->new_percent / 100,
				  .percent = i->new_percent };
	bool pays = r->end == RENDER_DONE && render_pays(&y);

	render_learn(&c->render.learned, template_of(i->step.task.url), host_of(c, i),
		     pays);
	n->rendered++;
	n->render_failed += r->end == RENDER_FAILED;
	n->render_paid += pays;
	n->render_links += y.links;
	n->render_text_bytes += y.text_bytes;
	n->render_refused += r->refused;
}

enum status crawl_render_judged(struct crawl *c, struct crawl_item *i, struct diag *why)
{
	struct render_learned *l = &c->render.learned;

	if (!c->render.on)
		return ST_OK;
	struct render_held h = held_of(c, i);

	if (i->needs_browser) {
		if (!i->render_slot)
			render_note_pending(l, h.template, h.host, 1);
		return queue_render(c, i, &h, why);
	}
	if (i->rendering)
		learn(c, i);
	else if (i->need >= NEED_SCRIPTS && i->render_held)
		hold(c, i);
	else if (i->need >= NEED_SCRIPTS)
		render_note_skipped(l, h.template);
	if (i->render_slot)
		render_note_pending(l, h.template, h.host, -1);
	if (i->rendering || i->render_slot)
		return release_held(c, h.template, h.host, why);
	return ST_OK;
}

void crawl_render_restore(struct crawl *c, const struct journal_done *d)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	if (d->purpose != PURPOSE_BROWSER ||
	    url_parse(d->url, NULL, &scratch, &u, NULL) != ST_OK)
		return;
	uint32_t site = sites_get(&c->frontier.sites, &c->frontier.lanes, &u);
	c->counts.rendered++;
	render_learn(&c->render.learned, template_of(d->url),
		     hash64(c->frontier.sites.v[site].origin),
		     d->novel && d->new_percent > 0);
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
		.clicks = s->render_clicks,
	};
}

enum status crawl_render_open(struct crawl *c, struct diag *why)
{
	const struct crawl_settings *s = c->settings;
	struct render_options o;

	if (s->browser == BROWSER_NEVER || s->dry_run)
		return ST_OK;
	o = options_of(c);
	enum status st = render_find_browser(o.program, why);
	if (st != ST_OK && s->browser == BROWSER_ALWAYS)
		return st;
	if (st != ST_OK) {
		log_event(LOG_WARN, "browser", "no page is rendered: %s", why->text);
		return ST_OK;
	}
	crawl_blind(c, BLIND_BROWSER);
	TRY(dir_make(o.profiles, why));
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
	while (r->n_waiters)
		render_message_free(r->waiters[--r->n_waiters].m);
	render_pool_cancel(&r->pool);
}

void crawl_render_close(struct crawl *c)
{
	struct crawl_render *r = &c->render;
	void *m;

	render_learned_release(&r->learned);
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
	while (r->n_held)
		buf_release(&r->held[--r->n_held].bytes);
	free(r->held);
	free(r->waiters);
	*r = (struct crawl_render){ 0 };
}
