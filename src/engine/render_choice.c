/*
 * render_choice.c - which pages are rendered, which wait for what others bring, and what
 * rendering brought; also made again from the journal.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "engine/offer.h"
#include "engine/render.h"
#include "engine/steps.h"

/* Behind plain pages: what they lead to is found first, and scripts are there by then. */
#define RENDER_PRIORITY 40
#define RELEASE_EVERY   500 /* plain pages: trials are paid for by then */
#define OWN_PERCENT     15  /* of a text that is new to its site */

uint64_t crawl_render_host(const struct crawl *c, const struct crawl_item *i)
{
	return hash64(c->frontier.sites.v[i->step.site].origin);
}

uint64_t crawl_render_template(struct str url)
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

void crawl_render_hint(struct crawl *c, struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;

	i->render_from = c->render.looks ? NEED_ONLY_SEEN : NEED_NEVER;
	if (!c->render.on || !purpose_is_page(t->purpose) ||
	    t->purpose == PURPOSE_EMBED || t->purpose == PURPOSE_GUESS ||
	    i->result.code != 200 || i->result.body.n == 0)
		return;
	if (c->render.always) {
		i->render_from = NEED_ANY;
		return;
	}
	uint64_t template = crawl_render_template(t->url), host = crawl_render_host(c, i);
	struct render_bar bar = render_threshold(&c->render.learned, template, host);

	/* Trials begin when the page was judged: what it says is known by then. */
	i->render_from = (uint8_t)(bar.hold == NEED_NEVER ? bar.from : NEED_LIKELY);
	i->render_hold = (uint8_t)bar.hold;
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

	return (struct render_held){ .template = crawl_render_template(t->url),
				     .host = crawl_render_host(c, i),
				     .url = t->url,
				     .via = t->via,
				     .hops = t->hops,
				     .source = t->source,
				     .words = i->need_words,
				     .need = i->need,
				     .depth = t->depth,
				     .off_hops = i->step.off_hops };
}

/* Its document is needed again. */
static void keep_document(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_result *r = &i->result;

	if (r->code == 200 && r->spool.n == 0 && r->truncated == TRUNCATED_NOT)
		answers_add(&c->render.answers, i->step.task.url,
			    &(struct answer_view){ r->code, r->header, r->body });
}

static enum status render_held(struct crawl *c, struct render_held h, struct diag *why)
{
	struct crawl_item *to = journal_batch(c);
	struct str *texts[] = { &h.url, &h.via, &h.hops, &h.source, &h.words };

	for (size_t n = 0; n < COUNT(texts); n++)
		*texts[n] = arena_copy(&to->arena, *texts[n]);
	render_note_pending(&c->render.learned, h.template, h.host, 1);
	return queue_render(c, to, &h, why);
}

/* Something was learnt, or a trial is paid for. */
static enum status release_held(struct crawl *c, struct diag *why)
{
	struct crawl_render *r = &c->render;
	struct render_held h;
	enum status st = ST_OK;
	size_t at = 0;

	while (st == ST_OK && render_helds_next(&r->held, &r->learned, &at, &h)) {
		st = render_held(c, h, why);
		render_held_free(&h);
	}
	return st;
}

/* It was taken as it is, for now. */
static enum status consider(struct crawl *c, struct crawl_item *i, struct render_held h,
			    struct diag *why)
{
	struct render_learned *l = &c->render.learned;
	bool repeats = !i->novel || i->new_percent < OWN_PERCENT;

	if (!i->has_page || i->page.kind != PAGE_HTML)
		return ST_OK;
	render_note_plain(l, h.template, i->need, repeats);
	if (l->pages % RELEASE_EVERY == 0)
		TRY(release_held(c, why));
	if (i->need < NEED_SCRIPTS)
		return ST_OK;
	struct render_bar bar = render_threshold(l, h.template, h.host);
	if (i->need >= MIN(bar.from, bar.hold))
		keep_document(c, i);
	if (i->need >= bar.from)
		return render_held(c, h, why);
	i->awaits_trial = i->need >= bar.hold;
	if (i->awaits_trial)
		render_helds_add(&c->render.held, h);
	else
		render_note_skipped(l, h.template);
	return ST_OK;
}

static void learn(struct crawl *c, const struct crawl_item *i)
{
	const struct rendering *r = i->rendering;
	struct crawl_counts *n = &c->counts;
	size_t brought = item_brought(i);
	struct render_yield y = {
		.links = i->links_new,
		.text_bytes = brought,
		.percent = (unsigned)(brought * 100 / MAX(i->page.text.n, (size_t)1)),
	};
	bool pays = r->end == RENDER_DONE && render_pays(&y);

	uint64_t template = crawl_render_template(i->step.task.url),
		 host = crawl_render_host(c, i);

	if (r->end == RENDER_SKIPPED) {
		render_note_pending(&c->render.learned, template, host, -1);
		return;
	}
	render_learn(&c->render.learned, template, host, pays);
	if (r->presses > 0)
		render_learn_presses(&c->render.learned, template, host,
				     r->presses_paid > 0 && y.links > 0);
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

	if (!c->render.on) {
		c->counts.render_wanted += i->need == NEED_LIKELY;
		return ST_OK;
	}
	struct render_held h = held_of(c, i);

	if (i->needs_browser) {
		keep_document(c, i);
		render_note_pending(l, h.template, h.host, 1);
		return queue_render(c, i, &h, why);
	}
	if (!i->rendering)
		return c->render.always || i->step.task.purpose == PURPOSE_RENDER_REQUEST
			       ? ST_OK
			       : consider(c, i, h, why);
	learn(c, i);
	return release_held(c, why);
}

/* --- the journal of an earlier process --- */

static uint64_t origin_of(struct crawl *c, struct str url)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	if (url_parse(url, NULL, &scratch, &u, NULL) != ST_OK)
		return 0;
	uint32_t site = sites_get(&c->frontier.sites, &c->frontier.lanes, &u);

	return hash64(c->frontier.sites.v[site].origin);
}

void crawl_render_restore_link(struct crawl *c, const struct journal_link *k)
{
	if (k->purpose != PURPOSE_BROWSER)
		return;
	map_add(&c->render.queued, hash64(k->url), NULL);
	render_note_pending(&c->render.learned, crawl_render_template(k->url),
			    origin_of(c, k->url), 1);
}

/* A page that was taken as it is, or waits. */
static void restore_plain(struct crawl *c, const struct journal_done *d)
{
	if (c->settings->browser == BROWSER_NEVER || !purpose_is_page(d->purpose) ||
	    d->code != 200 || str_find(d->mime, STR("html")) == STR_NONE)
		return;
	uint64_t template = crawl_render_template(d->url);

	render_note_plain(&c->render.learned, template, d->need,
			  !d->novel || d->new_percent < OWN_PERCENT);
	if (d->need > 0)
		render_helds_add(&c->render.held,
				 (struct render_held){ .template = template,
						       .host = origin_of(c, d->url),
						       .url = d->url,
						       .via = d->via,
						       .hops = d->hops,
						       .source = d->source,
						       .words = d->evidence,
						       .depth = d->depth,
						       .off_hops = d->off_hops,
						       .need = d->need });
}

void crawl_render_restore(struct crawl *c, const struct journal_done *d)
{
	struct render_learned *l = &c->render.learned;

	if (d->purpose != PURPOSE_BROWSER) {
		restore_plain(c, d);
		return;
	}
	uint64_t template = crawl_render_template(d->url), host = origin_of(c, d->url);

	if (d->rendered != RENDERED_DONE && d->rendered != RENDERED_FAILED) {
		render_note_pending(l, template, host, -1);
		return;
	}
	/* How long its text was is not written down. */
	struct render_yield y = { d->links, d->brought, 100 };

	c->counts.rendered++;
	render_learn(l, template, host, d->rendered == RENDERED_DONE && render_pays(&y));
}

void crawl_render_restored(struct crawl *c)
{
	render_helds_forget(&c->render.held, &c->render.queued);
	map_release(&c->render.queued);
}
