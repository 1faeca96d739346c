#include "simulate/relevance.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "engine/focused.h"
#include "page/page.h"
#include "warc/stored_head.h"
#include "web/coding.h"

#define DECODED_MAX ((size_t)32 << 20)
#define UNKNOWN     -1.0f

struct relevance {
	struct recorded_web *web;
	struct focused *focused;
	struct focus_worker worker;
	float bound;
	float *of; /* each answer; UNKNOWN: not judged yet */
	struct buf body, decoded;
};

enum status relevance_open(struct relevance **ret, struct recorded_web *w,
			   const struct crawl_settings *s, struct diag *why)
{
	struct focused *f;

	*ret = NULL;
	TRY(focused_new(s, &f, why));
	if (!f)
		return ST_OK;
	struct relevance *r = NEW(struct relevance);
	*r = (struct relevance){ .web = w, .focused = f, .bound = (float)s->relevant };
	r->of = xcalloc(w->n + 1, sizeof(*r->of));
	for (size_t nr = 0; nr < w->n; nr++)
		r->of[nr] = UNKNOWN;
	r->decoded.limit = DECODED_MAX;
	enum status st = focus_worker_open(&r->worker, &f->focus, why);
	if (st == ST_OK)
		*ret = r;
	else
		relevance_close(r);
	return st;
}

void relevance_close(struct relevance *r)
{
	if (!r)
		return;
	focus_worker_close(&r->worker);
	focused_free(r->focused);
	free(r->of);
	buf_release(&r->body);
	buf_release(&r->decoded);
	free(r);
}

/* Without its coding; what a broken one still gives counts. */
static struct str decode(struct relevance *r, const struct stored_head *head)
{
	struct str coding = stored_head_field(head, STR("Content-Encoding"));

	buf_reset(&r->decoded);
	if (coding_is_identity(coding))
		return buf_str(&r->body);
	if (coding_decode(coding, buf_str(&r->body), &r->decoded) == ST_UNSUPPORTED)
		return STR("");
	return buf_str(&r->decoded);
}

static float judge(struct relevance *r, uint32_t nr)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct stored_head head;
	struct page page;
	struct fetch_task task = { .url = r->web->v[nr].url };
	struct diag ignored;
	struct str bytes;

	buf_reset(&r->body);
	if (recorded_read(r->web, nr, &a, &bytes, &r->body, &ignored) != ST_OK)
		return 0;
	(void)stored_head_parse(bytes, &head);
	page_parse(&(struct page_input){ .body = decode(r, &head),
					 .content_type = stored_head_field(
						 &head, STR("Content-Type")),
					 .url = task.url },
		   &(struct page_options){ .no_guesses = true }, &a, &page);
	return focus_score_page(
		&r->worker, &(struct focus_input){ .page = &page, .task = &task }, &a);
}

float relevance_of(struct relevance *r, uint32_t nr)
{
	if (r->of[nr] < 0)
		r->of[nr] = judge(r, nr);
	return r->of[nr];
}

float relevance_bound(const struct relevance *r)
{
	return r->bound;
}
