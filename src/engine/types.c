/*
 * Media types that the scope does not want: decided when the header is there, so
 * that the body is not downloaded.
 */
#include "base/buf.h"
#include "engine/steps.h"
#include "journal/ledger.h"
#include "web/mime.h"

/* Sitemaps and feeds are read for their links, whatever is to be kept. */
static bool is_manifest(const struct fetch_task *t, struct str essence)
{
	enum mime_kind kind = mime_kind(essence);

	return t->hops.n > 0 && t->hops.p[t->hops.n - 1] == HOP_MANIFEST &&
	       (kind == MIME_XML || kind == MIME_FEED);
}

bool crawl_wants_body(void *ctx, void *cookie, int status, struct str header)
{
	struct crawl *c = ctx;
	struct crawl_item *i = cookie;
	const struct fetch_task *t = &i->step.task;
	struct stored_head head;

	if (c->frontier.scope.mimes.n == 0 || status < 200 || status >= 300 ||
	    t->purpose == PURPOSE_ROBOTS || t->purpose == PURPOSE_SOFT_404_PROBE ||
	    t->purpose == PURPOSE_RENDER_REQUEST)
		return true;
	stored_head_parse(header, &head);
	struct str essence =
		mime_essence(&i->arena, stored_head_field(&head, STR("Content-Type")));
	struct mime_answer a = mime_filter_ask(&c->frontier.scope.mimes, essence);
	if (a.wanted || is_manifest(t, essence))
		return true;
	i->refused_by = arena_copy(&i->arena, a.rule);
	return false;
}

void crawl_note_refused(struct crawl *c, struct crawl_item *i)
{
	cleanup(buf_release) struct buf detail = { 0 };

	buf_add(&detail, STR("not downloaded, refused by "));
	buf_add(&detail, i->refused_by);
	i->result.error = arena_copy(&i->arena, buf_str(&detail));
	c->counts.types_refused++;
	ledger_add(&i->ledger,
		   &(struct ledger_line){ .url = i->step.task.url,
					  .via = i->step.task.via,
					  .reason = REASON_MIME,
					  .detail = buf_str(&detail),
					  .now_ms = clock_wall_ms(c->clock) });
}
