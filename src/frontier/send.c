/*
 * send.c - what becomes of a URL whose turn has come: sent, held for want of novelty, or
 * dropped by its owner's decision.
 */
#include "frontier/internal.h"

#define HOLDS_MOST 4096 /* templates of a site that are told apart when held */

static void spend_page(struct frontier *f, uint32_t site, unsigned purpose)
{
	struct site *s = &f->sites.v[site];

	s->spent.pages++;
	s->spent.sitemaps += purpose == PURPOSE_SITEMAP;
	f->sites.domains[s->domain].spent.pages++;
	f->budget.total.pages++;
}

struct queued_url frontier_queued_url(struct frontier *f, const struct frontier_step *s)
{
	return (struct queued_url){
		.url = s->task.url,
		.via = s->task.via,
		.hops = s->task.hops,
		.source = intern_add(&f->sources, s->task.source),
		.depth = s->task.depth,
		.off_hops = s->off_hops,
		.attempt = s->task.attempt,
		.purpose = s->task.purpose,
		.is_again = s->is_again,
		.scores = s->task.scores,
	};
}

static enum status hold(struct frontier *f, const struct frontier_step *s,
			struct diag *why)
{
	struct host_queue *queue = &f->sites.v[s->site].queue;
	struct queued_url q = frontier_queued_url(f, s);
	struct buf *payload = &f->scratch[4];

	buf_reset(payload);
	queued_url_encode(&q, f->sites.v[s->site].origin.n, payload);
	return queue_store_add_held(&f->queues, queue,
				    &(struct queued){ .key = s->task.key,
						      .priority = s->task.priority,
						      .payload = buf_str(payload) },
				    queue->n < HOLDS_MOST
					    ? novelty_hold(&f->templates, s->template)
					    : HOLD_OTHERS,
				    why);
}

/* Further attempts and deliberate requests cost their template nothing. */
static bool is_free(const struct fetch_task *t)
{
	return t->attempt > 0 || purpose_table[t->purpose].is_unbudgeted;
}

/* May the URL be fetched, as far as its template is concerned? */
static bool template_pays(struct frontier *f, struct frontier_step *s)
{
	struct novelty *n = &f->templates;
	struct template_key key = frontier_template(f, s->task.url);

	s->template = key;
	if (is_free(&s->task)) {
		if (purpose_is_page(s->task.purpose) && s->task.attempt == 0)
			novelty_note_page(n, key, true);
		return true;
	}
	if (novelty_take_moved(n, key)) { /* the redirect to it has paid */
		novelty_note_page(n, key, true);
		return true;
	}
	if (s->is_again || novelty_was_asked(n, key)) {
		s->template = novelty_again(key);
		/* When it was released its page was not known yet. */
		if (s->is_granted && !s->is_again) {
			novelty_refuse(n, key);
			s->is_granted = false;
		}
		s->is_again = true;
	}
	if (!s->is_granted && !novelty_ask(n, s->template) && s->task.via.n > 0)
		return false;
	novelty_note_page(n, key, true);
	return true;
}

enum status frontier_send(struct frontier *f, struct frontier_step *s, int64_t now_ms,
			  bool *ret_sent, struct diag *why)
{
	struct site *site = &f->sites.v[s->site];

	*ret_sent = template_pays(f, s);
	if (!*ret_sent) {
		TRY(hold(f, s, why));
		return frontier_try_held(f, s->site, why);
	}
	spend_page(f, s->site, s->task.purpose);
	site->unjudged++;
	f->unjudged++;
	frontier_start(f, s->site, now_ms);
	return ST_OK;
}

enum status frontier_drop(struct frontier *f, const struct frontier_step *s,
			  struct diag *why)
{
	if (s->is_granted) { /* that taught nothing of its template */
		struct template_key key = frontier_template(f, s->task.url);

		novelty_refuse(&f->templates, s->is_again ? novelty_again(key) : key);
	}
	/* It may have been all that kept others held. */
	return frontier_try_held(f, s->site, why);
}
