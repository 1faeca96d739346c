/* What is done with an answer: archive, meaning, harvest, decision, journal. */
#include "api/replay.h"
#include "api/run_internal.h"
#include "base/alloc.h"
#include "web/coding.h"
#include "web/http.h"

#define DECODED_MAX ((size_t)256 << 20)

static void fail(struct api_run *r, enum status st, const struct diag *why)
{
	if (r->st != ST_OK)
		return;
	r->st = st;
	r->why = *why;
}

static const struct api_interaction *interaction_of(const struct api_run *r,
						    const struct stream *s)
{
	return &r->endpoints[s->endpoint].service->interactions[s->interaction];
}

/* --- the archive --- */

static void add_note(struct buf *to, const char *name, struct str value)
{
	buf_addf(to, "%s: ", name);
	for (size_t i = 0; i < value.n; i++)
		buf_add_char(to, (uint8_t)value.p[i] < ' ' ? ' ' : value.p[i]);
	buf_add(to, STR("\r\n"));
}

/* Requests as sent, but for the secrets in them; answers untouched. */
static enum status archive_answer(struct api_run *r, const struct stream *s,
				  const struct fetch_result *result,
				  struct record_id *ret, struct diag *why)
{
	const struct campaign *c = &r->campaigns[s->campaign];
	const struct api_service *service = r->endpoints[s->endpoint].service;
	struct fetch_task task = *result->task;
	struct fetch_result clean = *result;
	cleanup(buf_release) struct buf notes = { 0 };

	if (r->options->no_warc)
		return ST_OK;
	task.url = secrets_redact(r->options->secrets, task.url, &r->redacted_url);
	clean.task = &task;
	clean.request = secrets_redact(r->options->secrets, result->request,
				       &r->redacted_request);
	add_note(&notes, "campaign", c->name);
	add_note(&notes, "service", service->name);
	buf_addf(&notes, "mapping: %u\r\n", service->version);
	add_note(&notes, "interaction", interaction_of(r, s)->name);
	for (size_t i = 0; i < s->n_params; i++)
		if (str_eq(s->params[i].name, STR("keyword")))
			add_note(&notes, "keyword", s->params[i].value);
	return folder_add_answer(&r->folders[s->campaign], &clean, buf_str(&notes), ret,
				 why);
}

/* --- the meaning --- */

static void read_answer(struct api_run *r, const struct api_service *service,
			const struct api_interaction *i, bool has_token,
			const struct fetch_result *result, struct http_head *head)
{
	struct answer_facts f = { .code = result->code,
				  .is_truncated = result->truncated != TRUNCATED_NOT,
				  .now_ms = api_run_now(r),
				  .has_token = has_token,
				  .url = result->task->url };

	api_answer_release(&r->answer);
	buf_reset_small(&r->decoded, (size_t)8 << 20);
	r->decoded.limit = DECODED_MAX;
	if (result->header.n > 0 &&
	    http_head_parse(head, result->header, NULL) == ST_OK) {
		struct str coding = http_get(head, STR("Content-Encoding"));

		f.head = head;
		f.body = result->body;
		if (!coding_is_identity(coding)) {
			f.is_truncated |=
				coding_decode(coding, result->body, &r->decoded) != ST_OK;
			f.body = buf_str(&r->decoded);
		}
	}
	api_answer_read(service, i, &f, &r->answer);
}

struct chain_context {
	struct api_run *run;
	uint32_t campaign, endpoint;
	struct str keyword;
};

static void add_chained(void *arg, const struct api_chain *c, const struct var *params,
			size_t n)
{
	struct chain_context *x = arg;
	struct var v[32];
	struct stream_start s = { .campaign = x->campaign,
				  .endpoint = x->endpoint,
				  .interaction = (uint32_t)c->interaction,
				  .params = v };
	struct diag why;

	for (; s.n_params < MIN(n, COUNT(v)); s.n_params++)
		v[s.n_params] = params[s.n_params];
	enum status st = api_run_begin_stream(x->run, &s, &why);
	if (st != ST_OK)
		fail(x->run, st, &why);
}

static struct str keyword_of(const struct stream *s)
{
	for (size_t i = 0; i < s->n_params; i++)
		if (str_eq(s->params[i].name, STR("keyword")))
			return s->params[i].value;
	return STR("");
}

/* The items of a good answer; texts of the stream are borrowed until the end of it. */
static void harvest(struct api_run *r, uint32_t id, const struct record_id *record,
		    int64_t fetched_ms)
{
	struct stream s = r->work.streams[id]; /* chains move the array */
	struct api_harvest *h = &r->harvest;
	const struct endpoint *e = &r->endpoints[s.endpoint];
	struct api_scope given = { e->params, e->n_params, NULL, NULL };
	struct api_scope own = { s.params, s.n_params, &given, NULL };
	struct chain_context x = { r, s.campaign, s.endpoint, STR("") };

	h->folder = &r->folders[s.campaign];
	h->endpoint = e;
	h->interaction = interaction_of(r, &s);
	h->vars = &own;
	h->graph = r->campaigns[s.campaign].graph;
	h->keyword = keyword_of(&s);
	h->keywords = &r->campaigns[s.campaign].keywords;
	h->record = record_id_str(record);
	h->fetched_ms = fetched_ms;
	h->chain = add_chained;
	h->arg = &x;
	buf_reset(&h->best);
	buf_add(&h->best, str_from(s.best));
	api_harvest_page(h, r->answer.root);
	struct work_counts *c = &r->work.counts[s.campaign];
	c->links += h->links;
	c->triples += h->triples;
	c->changed += h->changed;
}

static void reset_harvest(struct api_harvest *h)
{
	h->items = h->new_items = h->changed = h->triples = h->links = 0;
	h->page_hash = 0;
	buf_reset(&h->seen);
	buf_reset(&h->best);
}

/* --- the decision --- */

static enum status decide(struct api_run *r, uint32_t id, const struct http_head *head,
			  struct str url, struct diag *why)
{
	const struct api_harvest *h = &r->harvest;
	struct stream *s = &r->work.streams[id];
	const struct api_interaction *i = interaction_of(r, s);
	cleanup(buf_release) struct buf next = { 0 };
	bool good = r->answer.kind == ANSWER_ITEMS || r->answer.kind == ANSWER_END;
	struct page_report report = { .kind = r->answer.kind,
				      .wait_ms = r->answer.wait_ms,
				      .rate = r->answer.rate,
				      .items = h->items,
				      .new_items = h->new_items + h->changed,
				      .page_hash = h->page_hash,
				      .best = buf_str(&h->best) };

	struct page_facts facts = { .head = head,
				    .root = r->answer.root,
				    .url = url,
				    .page = str_from(s->page),
				    .items = h->items,
				    .pages = s->pages + 1,
				    .before = s->items,
				    .best = buf_str(&h->best),
				    .best_before = str_from(s->best) };

	if (r->answer.kind == ANSWER_ITEMS)
		report.end = page_next(&i->paginate, &facts, &next);
	report.next = buf_str(&next);
	work_answered(&r->work, id, &report, api_run_now(r));
	s = &r->work.streams[id];
	if (!good && s->state < STREAM_DONE)
		return ST_OK;
	TRY(folder_add_page(&r->folders[s->campaign], s->nr, s, buf_str(&h->seen), why));
	bool is_read = s->state == STREAM_DONE && s->end != END_LIMIT;
	/* A stream has no end: its cursor is where it was read to. */
	if (i->paginate.kind == PAGE_STREAM && good)
		is_read = true;
	if (is_read && i->incremental.value.is_set && s->best && s->best[0])
		TRY(folder_add_cursor(&r->folders[s->campaign], s->key, str_from(s->best),
				      why));
	if (s->state == STREAM_DONE)
		stream_forget(s);
	return ST_OK;
}

static enum status take_answer(struct api_run *r, struct flight *f,
			       struct fetch_result *result, struct diag *why)
{
	cleanup(http_head_release) struct http_head head = { 0 };
	struct stream *s = &r->work.streams[f->stream];
	const struct api_service *service = r->endpoints[s->endpoint].service;
	struct record_id record = { { 0 } };

	TRY(archive_answer(r, s, result, &record, why));
	read_answer(r, service, interaction_of(r, s),
		    service->auth.kind >= AUTH_OAUTH_CLIENT, result, &head);
	reset_harvest(&r->harvest);
	if (r->answer.kind == ANSWER_ITEMS)
		harvest(r, f->stream, &record, result->start_ms);
	else
		buf_add(&r->harvest.best, str_from(s->best));
	return decide(r, f->stream, &head, buf_str(&f->request.url), why);
}

/* --- tokens: never archived, their answers are secrets --- */

/* Servers that rotate refresh tokens accept the old one never again. */
static void keep_refresh(struct api_run *r, struct endpoint *e)
{
	cleanup(buf_release) struct buf fresh = { 0 };
	struct diag why;

	value_add_text(json_path_first(&e->service->auth.refresh, r->answer.root),
		       &fresh);
	if (fresh.n == 0)
		return;
	enum status st = secrets_replace(e->secrets, e->service->name, e->host,
					 STR("refresh_token"), buf_str(&fresh), &why);
	if (st != ST_OK)
		fail(r, st, &why);
}

static void take_token(struct api_run *r, struct flight *f,
		       const struct fetch_result *result)
{
	struct endpoint *e = &r->endpoints[f->endpoint];
	const struct api_auth *a = &e->service->auth;
	static const struct api_interaction plain = { .items_optional = true };
	cleanup(http_head_release) struct http_head head = { 0 };
	cleanup(buf_release) struct buf seconds = { 0 };
	uint64_t ms = 0;

	read_answer(r, e->service, &plain, false, result, &head);
	buf_reset(&e->token);
	if (r->answer.kind == ANSWER_ITEMS)
		value_add_text(json_path_first(&a->token, r->answer.root), &e->token);
	value_add_text(json_path_first(&a->expires, r->answer.root), &seconds);
	e->token_until_ms =
		rate_parse_wait(buf_str(&seconds), WAIT_AS_ANY, api_run_now(r), &ms) && ms
			? api_run_now(r) + (int64_t)ms
			: 0;
	secrets_add(e->secrets, buf_str(&e->token));
	if (a->kind == AUTH_OAUTH_REFRESH && e->token.n > 0)
		keep_refresh(r, e);
	work_logged_in(&r->work, f->endpoint, e->token.n > 0, api_run_now(r));
}

/* What a crawl does not understand now it will not understand later. */
static bool is_taken(int code)
{
	return (code >= 200 && code < 300) || code == 400 || code == 413;
}

void api_run_on_done(void *ctx, void *cookie, struct fetch_result *result)
{
	struct api_run *r = ctx;
	struct flight *f = cookie;
	struct diag why = { { 0 } };
	enum status st = ST_OK;

	result->task = &f->task;
	if (r->options->record && f->kind == FLIGHT_PAGE)
		st = replay_save(r->options->record, r->options->secrets, result, &why);
	if (st != ST_OK)
		fail(r, st, &why);
	if (f->kind == FLIGHT_LINKS)
		handover_sent(&r->handover, r->folders, is_taken(result->code),
			      api_run_now(r));
	else if (f->kind == FLIGHT_LOGIN)
		take_token(r, f, result);
	else if ((st = take_answer(r, f, result, &why)) != ST_OK)
		fail(r, st, &why);
	r->in_flight--;
	arena_reset(&f->arena);
	buf_reset_small(&f->body, (size_t)1 << 20);
	f->next = r->pool;
	r->pool = f;
}
