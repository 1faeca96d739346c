/*
 * route.c - which request is answered by what, and who may make it.
 */
#include <string.h>

#include "control/event.h"
#include "os/clock.h"
#include "serve/inject.h"
#include "serve/views.h"

#define RATE_PER_S 2000.0
#define RATE_BURST 4000.0

static void give_text(struct response *r, const char *type, struct str text)
{
	r->status = 200;
	r->content_type = type;
	buf_add(&r->body, text);
}

static void give_page(struct service *s, const struct request *q, struct response *r)
{
	(void)s, (void)q;
	give_text(r, "text/html; charset=utf-8", dashboard_page);
}

static void give_openapi(struct service *s, const struct request *q, struct response *r)
{
	(void)s, (void)q;
	give_text(r, "application/json", openapi_text);
}

/* --- events --- */

static void give_events(struct service *s, const struct request *q, struct response *r)
{
	struct str kinds = request_argument(q, STR("kinds"));
	struct str after =
		q->last_event_id.n ? q->last_event_id : request_argument(q, STR("after"));
	struct diag why;

	(void)s;
	r->event_kinds = ~0u;
	r->after = UINT64_MAX;
	if (kinds.n > 0 && event_kinds_parse(kinds, &r->event_kinds, &why) != ST_OK)
		response_problem(r, 400, why.text);
	else if (after.n > 0 && !str_to_uint(after, UINT64_MAX, &r->after))
		response_problem(r, 400, "Last-Event-ID must be a number");
	else
		r->kind = RESPONSE_EVENTS;
}

/* --- demands --- */

static void demand(struct service *s, const struct demand *d, struct response *r)
{
	cleanup(buf_release) struct buf block = { 0 };
	struct diag why;
	uint64_t end;

	demand_encode(d, &block);
	enum status st = service_add(s, buf_str(&block), &end, &why);
	if (st != ST_OK)
		response_failure(r, st, &why);
	else
		service_acknowledge(s, 1, end, r);
}

static void patch_queue(struct service *s, const struct request *q, struct response *r)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct demand d;
	struct diag why;
	enum status st = patch_parse(q->body, &text, &d, &why);

	if (st != ST_OK)
		response_failure(r, st, &why);
	else
		demand(s, &d, r);
}

static void command(struct service *s, enum demand_kind kind, struct response *r)
{
	if (!service_runs(s))
		response_problem(r, 409, "no crawl runs in this folder");
	else
		demand(s, &(struct demand){ .kind = (uint8_t)kind }, r);
}

static void pause_crawl(struct service *s, const struct request *q, struct response *r)
{
	(void)q;
	command(s, DEMAND_PAUSE, r);
}

static void resume_crawl(struct service *s, const struct request *q, struct response *r)
{
	(void)q;
	command(s, DEMAND_RESUME, r);
}

static void stop_crawl(struct service *s, const struct request *q, struct response *r)
{
	(void)q;
	command(s, DEMAND_STOP, r);
}

static void reload_crawl(struct service *s, const struct request *q, struct response *r)
{
	(void)q;
	command(s, DEMAND_RELOAD, r);
}

/* --- the table --- */

struct route {
	struct str method, path;
	view_fn *answer;
	bool changes; /* wants the token, whoever asks */
	bool is_page; /* shows nothing of the crawl */
};

static const struct route routes[] = {
	{ STR("GET"), STR("/"), give_page, .is_page = true },
	{ STR("GET"), STR("/openapi.json"), give_openapi, .is_page = true },
	{ STR("GET"), STR("/status"), view_status },
	{ STR("GET"), STR("/hosts"), view_hosts },
	{ STR("GET"), STR("/queue"), view_queue },
	{ STR("GET"), STR("/why"), view_why },
	{ STR("GET"), STR("/rules"), view_rules },
	{ STR("GET"), STR("/skipped"), view_skipped },
	{ STR("GET"), STR("/pages"), view_pages },
	{ STR("GET"), STR("/events"), give_events },
	{ STR("GET"), STR("/metrics"), view_metrics },
	{ STR("POST"), STR("/urls"), NULL, .changes = true }, /* a stream */
	{ STR("PATCH"), STR("/queue"), patch_queue, .changes = true },
	{ STR("POST"), STR("/rules"), change_rule, .changes = true },
	{ STR("POST"), STR("/pause"), pause_crawl, .changes = true },
	{ STR("POST"), STR("/resume"), resume_crawl, .changes = true },
	{ STR("POST"), STR("/stop"), stop_crawl, .changes = true },
	{ STR("POST"), STR("/reload"), reload_crawl, .changes = true },
	{ STR("GET"), STR("/campaigns"), view_campaigns },
	{ STR("GET"), STR("/workload"), view_workload },
	{ STR("GET"), STR("/campaigns/{name}"), view_campaign },
	{ STR("POST"), STR("/campaigns"), order_campaign, .changes = true },
	{ STR("POST"), STR("/campaigns/{name}/pause"), pause_campaign, .changes = true },
	{ STR("POST"), STR("/campaigns/{name}/resume"), resume_campaign,
	  .changes = true },
	{ STR("POST"), STR("/campaigns/{name}/stop"), stop_campaign, .changes = true },
};

/* {name} stands for one part of a path. */
static bool path_fits(struct str pattern, struct str path)
{
	size_t hole = str_find(pattern, STR("{name}"));

	if (hole == STR_NONE)
		return str_eq(pattern, path);
	if (!str_starts(path, str_slice(pattern, 0, hole)))
		return false;
	struct str rest = str_skip(path, hole);
	size_t end = str_find_char(rest, '/');
	return rest.n > 0 && end != 0 &&
	       str_eq(str_skip(pattern, hole + 6),
		      end == STR_NONE ? STR("") : str_skip(rest, end));
}

bool service_route(size_t i, struct str *ret_method, struct str *ret_path)
{
	if (i >= COUNT(routes))
		return false;
	*ret_method = routes[i].method;
	*ret_path = routes[i].path;
	return true;
}

static struct str method_of(const struct request *q)
{
	return str_eq(q->method, STR("HEAD")) ? STR("GET") : q->method;
}

static const struct route *find_route(const struct request *q)
{
	for (size_t i = 0; i < COUNT(routes); i++)
		if (path_fits(routes[i].path, q->path) &&
		    str_eq(routes[i].method, method_of(q)))
			return &routes[i];
	return NULL;
}

/* The path is known, or not. */
static void refuse(const struct request *q, struct response *r)
{
	static const char *const allows[] = { "",          "GET",   "POST",
					      "GET, POST", "PATCH", "GET, PATCH" };
	unsigned bits = 0;

	for (size_t i = 0; i < COUNT(routes); i++)
		if (path_fits(routes[i].path, q->path))
			bits |= str_eq(routes[i].method, STR("GET"))    ? 1u
				: str_eq(routes[i].method, STR("POST")) ? 2u
									: 4u;
	if (bits == 0) {
		response_problem(r, 404, "nothing is here; /openapi.json lists what is");
		return;
	}
	response_problem(r, 405, "this path does not take that method");
	r->allow = allows[MIN(bits, COUNT(allows) - 1)];
}

/* A bucket of requests that fills with time. */
static bool has_rate(struct service *s)
{
	int64_t now = clock_mono_ms(&real_clock);

	pthread_mutex_lock(&s->rate_lock);
	s->rate_left += (double)(now - s->rate_ms) * RATE_PER_S / 1000;
	s->rate_ms = now;
	s->rate_left = MIN(s->rate_left, RATE_BURST);
	bool fine = s->rate_left >= 1;
	s->rate_left -= fine;
	pthread_mutex_unlock(&s->rate_lock);
	return fine;
}

bool service_allows(struct service *s, const struct request *q, struct response *r)
{
	const struct route *route = find_route(q);
	struct guard_request g = q->guard;
	struct guard_rules rules = { .hosts = s->hosts, .n_hosts = s->n_hosts };

	g.is_page = route && route->is_page;
	/* A page that is not there is told to those only who may ask. */
	if ((route && route->changes) || (s->is_public && !g.is_page))
		rules.token = buf_str(&s->token);
	enum guard_verdict v = guard_decide(&rules, &g);
	if (v != GUARD_ALLOWED) {
		response_problem(r, guard_status(v), guard_reason_words(v));
		return false;
	}
	if (!has_rate(s)) {
		response_problem(r, 429, "too many requests; try again in a second");
		return false;
	}
	if (!route)
		refuse(q, r);
	return route != NULL;
}

bool service_is_stream(const struct request *q)
{
	const struct route *route = find_route(q);

	return route && !route->answer;
}

void service_answer(struct service *s, const struct request *q, struct response *r)
{
	const struct route *route = find_route(q);

	if (route && route->answer)
		route->answer(s, q, r);
	else
		refuse(q, r);
}
