#include "crawl/failed.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/internal.h"
#include "crawl/url_rules.h"

#define FAILED_MOST ((size_t)100000) /* about 20 MB */

static const struct str by_last = STR("#last");

void failed_release(struct failed *f)
{
	map_release(&f->keys);
	map_release(&f->asked);
	free(f->v);
	arena_release(&f->text);
	*f = (struct failed){ 0 };
}

static struct str last_key(struct arena *a, struct str url)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add(&b, url);
	buf_add(&b, by_last);
	return arena_copy(a, buf_str(&b));
}

bool failed_is_last(struct str url, struct u128 key)
{
	cleanup(arena_release) struct arena a = { 0 };

	return u128_eq(key, hash128(last_key(&a, url)));
}

static void note(struct crawl *c, const struct discovery *d,
		 const struct frontier_page *page)
{
	struct failed *f = &c->failed;
	struct arena *a = &f->text;
	struct str url = arena_copy(a, d->url), key = last_key(a, url);
	struct failed_url one = {
		.link = { .url = url,
			  .key = key,
			  .hash = hash128(key),
			  .via = arena_copy(a, d->via),
			  .depth = d->depth,
			  .hop = HOP_INFERRED,
			  .priority = 100 },
		.page = { arena_copy(a, page->hops), arena_copy(a, page->source),
			  page->off_hops },
	};

	VEC_ADD(f->v, f->n, f->cap, one);
	map_add(&f->keys, url_rules_key(c, d->url), NULL);
}

/* Did not come, or only half of it. */
static bool counts(const struct crawl *c, const struct journal_done *d)
{
	return d->kind == FETCH_PAGE && c->failed.n < FAILED_MOST &&
	       (crawl_may_pass(d->code) || journal_is_half(d)) &&
	       !failed_is_last(d->url, d->key);
}

void failed_note(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;

	if (counts(c, &(struct journal_done){ .url = t->url,
					      .key = t->key,
					      .code = i->result.code,
					      .error = i->result.error,
					      .kind = t->kind,
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
	if (str_ends(l->key, by_last))
		map_add(&c->failed.asked, hash64(l->url), NULL);
}

bool failed_has(const struct failed *f, struct str key)
{
	return map_find(&f->keys, hash64(key)) != NULL;
}

void failed_forget(struct failed *f, struct str key)
{
	map_remove(&f->keys, hash64(key));
}

static enum status ask(struct crawl *c, const struct failed_url *one, struct diag *why)
{
	struct crawl_item *to = crawl_note(c);
	struct frontier_decision taken = { .verdict = FRONTIER_QUEUED,
					   .stage = STR("failed"),
					   .rule = STR("last") };

	TRY(frontier_ask_anyway(&c->frontier, &one->link, &one->page, why));
	crawl_write_links(c, to, &one->page, &one->link, 1, &taken);
	return ST_OK;
}

bool failed_ask_again(struct crawl *c)
{
	enum status st = ST_OK;
	struct diag why;
	size_t n = 0;

	for (size_t i = 0; i < c->failed.n && st == ST_OK; i++) {
		if (map_find(&c->failed.asked, hash64(c->failed.v[i].link.url)))
			continue;
		st = ask(c, &c->failed.v[i], &why);
		n++;
	}
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	crawl_send_note(c);
	failed_release(&c->failed);
	return n > 0;
}
