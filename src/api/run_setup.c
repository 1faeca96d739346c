#include <stdlib.h>
#include <string.h>

#include "api/replay.h"
#include "api/run_internal.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "url/url.h"

void flight_free(struct flight *f)
{
	api_request_release(&f->request);
	arena_release(&f->arena);
	buf_release(&f->body);
	free(f);
}

void api_run_release(struct api_run *r)
{
	if (r->fetcher)
		r->fetcher->ops->close(r->fetcher);
	while (r->pool) {
		struct flight *f = r->pool;

		r->pool = f->next;
		flight_free(f);
	}
	for (size_t i = 0; i < r->work.n_endpoints; i++)
		buf_release(&r->endpoints[i].token);
	for (size_t i = 0; i < r->n; i++)
		folder_release(&r->folders[i]);
	if (r->has_kb)
		kb_close(&r->kb);
	work_release(&r->work);
	quota_release(&r->quota);
	handover_release(&r->handover);
	api_harvest_release(&r->harvest);
	api_answer_release(&r->answer);
	buf_release(&r->decoded);
	buf_release(&r->redacted_url);
	buf_release(&r->redacted_request);
	loop_release(&r->loop);
	arena_release(&r->arena);
}

static void *zeroed(struct api_run *r, size_t n, size_t size)
{
	return memset(arena_alloc(&r->arena, n * size + 1), 0, n * size);
}

/* Whoever has another key is another client to the server. */
static void add_client_name(struct endpoint *e, struct buf *to)
{
	static const char *const names[] = { "key", "token", "client_id", "user",
					     "refresh_token" };

	buf_add(to, e->host);
	for (size_t i = 0; i < COUNT(names) && e->service->auth.kind != AUTH_NONE; i++) {
		struct str value = secrets_find(e->secrets, e->service->name, e->host,
						str_from(names[i]));

		if (value.n > 0) {
			buf_addf(to, "#%04x", (unsigned)(hash64(value) & 0xffff));
			break;
		}
	}
	buf_add_char(to, ' ');
}

static uint64_t id_of(const struct endpoint *e)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_sized(&b, e->service->name);
	buf_add_sized(&b, e->base);
	for (size_t i = 0; i < e->n_params; i++) {
		buf_add_sized(&b, e->params[i].name);
		buf_add_sized(&b, e->params[i].value);
	}
	return hash64(buf_str(&b));
}

static enum status add_endpoint(struct api_run *r, const struct campaign *c,
				const struct campaign_service *s, struct diag *why)
{
	struct endpoint *e = &r->endpoints[r->work.n_endpoints];
	cleanup(buf_release) struct buf scratch = { 0 }, client = { 0 };
	struct url u;

	TRY(endpoint_make(e, s->service, s->params, s->n_params, r->options->secrets,
			  &r->arena, why));
	TRY(url_parse(e->base, NULL, &scratch, &u, why));
	TRY(endpoint_check(e, why));
	if (!r->options->is_stranger)
		r->fetcher->ops->allow_seed(r->fetcher, &u);
	add_client_name(e, &client);
	uint64_t delay = c->delay_ms == UINT64_MAX ? s->service->delay_ms : c->delay_ms;
	uint32_t lane =
		work_add_lane(&r->work, buf_str(&client), s->service->concurrency, delay);
	r->endpoint_ids[r->work.n_endpoints] = id_of(e);
	uint32_t at = work_add_endpoint(&r->work, lane, s->service, buf_str(&client));
	r->work.endpoints[at].id = r->endpoint_ids[at];
	r->work.endpoints[at].wants_token = endpoint_wants_token(e, api_run_now(r));
	return ST_OK;
}

static enum status open_folders(struct api_run *r, struct diag *why)
{
	for (size_t i = 0; i < r->n; i++) {
		struct folder_options o = {
			.dir = path_join(&r->arena, r->options->dir,
					 r->campaigns[i].name),
			.name = r->campaigns[i].name,
			.clock = r->outside->clock,
			.user_agent = r->options->fetch->user_agent,
			.ids = id_maker_random(),
		};

		TRY(folder_open(&r->folders[i], &o, why));
		r->counts_before[i] = r->folders[i].counts;
		r->again[i] = file_exists(api_run_again(r, (uint32_t)i));
	}
	return ST_OK;
}

static enum status open_fetcher(struct api_run *r, struct diag *why)
{
	if (r->options->replay)
		return replay_open(&r->fetcher, r->options->replay, r->options->secrets,
				   api_run_on_done, r, why);
	return r->outside->open_fetcher(&r->fetcher, r->outside->arg, &r->loop,
					r->options->fetch, api_run_on_done, r, why);
}

enum status api_run_open(struct api_run *r, struct diag *why)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		n += r->campaigns[i].n;
	TRY(loop_init(&r->loop, r->outside->clock, why));
	TRY(dir_make(r->options->dir, why));
	if (r->options->record)
		TRY(dir_make(r->options->record, why));
	work_init(&r->work, &r->quota, r->n);
	r->folders = zeroed(r, r->n, sizeof(*r->folders));
	r->counts_before = zeroed(r, r->n, sizeof(*r->counts_before));
	r->hours = zeroed(r, r->n, sizeof(*r->hours));
	r->is_begun = zeroed(r, r->n, sizeof(*r->is_begun));
	r->again = zeroed(r, r->n, sizeof(*r->again));
	r->first_endpoint = zeroed(r, r->n, sizeof(*r->first_endpoint));
	r->kb_bytes = zeroed(r, r->n, sizeof(*r->kb_bytes));
	r->endpoints = zeroed(r, n, sizeof(*r->endpoints));
	r->endpoint_ids = zeroed(r, n, sizeof(*r->endpoint_ids));
	TRY(open_folders(r, why));
	if (r->options->crawl)
		TRY(handover_open(&r->handover, r->options->crawl, r->folders, r->n,
				  why));
	TRY(quota_open(&r->quota, path_join(&r->arena, r->options->dir, STR("budgets")),
		       api_run_now(r), why));
	TRY(secrets_keep_in(r->options->secrets,
			    path_join(&r->arena, r->options->dir, STR("tokens.json")),
			    why));
	TRY(open_fetcher(r, why));
	for (size_t i = 0; i < r->n; i++) {
		const struct campaign *c = &r->campaigns[i];

		r->first_endpoint[i] = (uint32_t)r->work.n_endpoints;
		for (size_t k = 0; k < c->n; k++)
			TRY(add_endpoint(r, c, &c->services[k], why));
	}
	if (r->options->no_kb)
		return ST_OK;
	TRY(kb_open(&r->kb, path_join(&r->arena, r->options->dir, STR("kb")), NULL, why));
	r->has_kb = true;
	return ST_OK;
}
