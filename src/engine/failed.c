#include "engine/failed.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "engine/offer.h"
#include "engine/steps.h"
#include "engine/url_rules.h"

#define FAILED_MOST ((size_t)100000) /* about 20 MB */

void failed_release(struct failed *f)
{
	map_release(&f->keys);
	map_release(&f->retried);
	free(f->v);
	arena_release(&f->text);
	*f = (struct failed){ 0 };
}

static void note(struct crawl *c, const struct discovery *d,
		 const struct frontier_page *page)
{
	struct failed *f = &c->failed;
	struct arena *a = &f->text;
	struct str url = arena_copy(a, d->url);
	struct failed_url one = {
		.link = { .url = url,
			  .key = url,
			  .hash = purpose_identity(PURPOSE_LAST_ATTEMPT, url, url),
			  .via = arena_copy(a, d->via),
			  .depth = d->depth,
			  .hop = HOP_INFERRED,
			  .priority = 100,
			  .purpose = PURPOSE_LAST_ATTEMPT },
		.page = { arena_copy(a, page->hops), arena_copy(a, page->source),
			  page->off_hops },
	};

	VEC_ADD(f->v, f->n, f->cap, one);
	map_add(&f->keys, url_rules_key(c, d->url), NULL);
}

/* Did not come, or only half of it. */
static bool counts(const struct crawl *c, const struct journal_done *d)
{
	return purpose_is_page(d->purpose) && c->failed.n < FAILED_MOST &&
	       (answer_may_pass(d->code) || journal_is_half(d)) &&
	       d->purpose != PURPOSE_LAST_ATTEMPT;
}

void failed_note(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;

	if (counts(c, &(struct journal_done){ .url = t->url,
					      .key = t->key,
					      .code = i->result.code,
					      .error = i->result.error,
					      .purpose = t->purpose,
					      .attempt = t->attempt }))
		note(c,
		     &(struct discovery){
			     .url = t->url, .via = t->via, .depth = t->depth },
		     &(struct frontier_page){ t->hops, t->source, i->step.off_hops });
}

void failed_restore(struct crawl *c, const struct journal_done *d)
{
	if (counts(c, d))
		note(c,
		     &(struct discovery){
			     .url = d->url, .via = d->via, .depth = d->depth },
		     &(struct frontier_page){ d->hops, d->source, d->off_hops });
}

void failed_restore_link(struct crawl *c, const struct journal_link *l)
{
	if (l->purpose == PURPOSE_LAST_ATTEMPT)
		map_add(&c->failed.retried, hash64(l->url), NULL);
}

bool failed_has(const struct failed *f, struct str key)
{
	return map_find(&f->keys, hash64(key)) != NULL;
}

void failed_forget(struct failed *f, struct str key)
{
	map_remove(&f->keys, hash64(key));
}

bool failed_retry_all(struct crawl *c)
{
	enum status st = ST_OK;
	struct diag why;
	size_t n = 0;

	for (size_t i = 0; i < c->failed.n && st == ST_OK; i++) {
		if (map_find(&c->failed.retried, hash64(c->failed.v[i].link.url)))
			continue;
		st = crawl_queue_anyway(c, journal_batch(c), &c->failed.v[i].page,
					&c->failed.v[i].link, REASON_LAST_ATTEMPT,
					STR(""), &why);
		n++;
	}
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	journal_batch_send(c);
	failed_release(&c->failed);
	return n > 0;
}
