/*
 * queue_view.c - what is queued on a host, in the order in which it will be fetched,
 * from the journal: queued, minus what was answered or dropped, as it was moved since.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "journal/journal.h"
#include "os/file.h"
#include "serve/views.h"

#define URLS_MOST 1000000 /* of one host; beyond, the rest is only counted */

struct waiting_url {
	struct str url;
	uint64_t order;
	int64_t found_ms;
	uint32_t depth;
	uint8_t priority, purpose;
	bool is_held, is_gone;
};

struct queue_walk {
	struct str host;   /* empty: all */
	bool is_origin;    /* it has a scheme */
	struct map places; /* key -> place + 1 */
	struct waiting_url *v;
	size_t n, cap;
	uint64_t order, beyond;
	struct arena a;
};

/* Host and port of a URL. */
static struct str host_of(struct str url)
{
	size_t slashes = str_find(url, STR("://"));
	struct str rest = slashes == STR_NONE ? url : str_skip(url, slashes + 3);

	for (size_t i = 0; i < rest.n; i++)
		if (rest.p[i] == '/' || rest.p[i] == '?')
			return str_slice(rest, 0, i);
	return rest;
}

static bool concerns(const struct queue_walk *w, struct str url)
{
	if (w->host.n == 0)
		return true;
	if (!w->is_origin)
		return str_eq(host_of(url), w->host);
	return str_starts(url, w->host) &&
	       (url.n == w->host.n || url.p[w->host.n] == '/');
}

static void see_link(struct queue_walk *w, const struct journal_links *l,
		     const struct journal_link *k)
{
	w->order++;
	if (k->outcome == OUTCOME_REFUSED || k->outcome == OUTCOME_SKIPPED ||
	    !concerns(w, k->url))
		return;
	if (w->n >= URLS_MOST) {
		w->beyond++;
		return;
	}
	*map_add(&w->places, journal_discovery(l, k).hash.lo, NULL) = w->n + 1;
	VEC_ADD(w->v, w->n, w->cap,
		(struct waiting_url){ .url = arena_copy(&w->a, k->url),
				      .order = w->order,
				      .found_ms = l->now_ms,
				      .depth = k->depth,
				      .priority = k->priority,
				      .purpose = k->purpose });
}

static struct waiting_url *find(struct queue_walk *w, struct u128 key)
{
	const uint64_t *at = map_find(&w->places, key.lo);

	return at ? &w->v[*at - 1] : NULL;
}

static void see_end(struct queue_walk *w, struct u128 key)
{
	struct waiting_url *u = find(w, key);

	if (u) {
		u->is_gone = true;
		map_remove(&w->places, key.lo);
	}
}

static void see_steered(struct queue_walk *w, const struct journal_steered *s)
{
	struct waiting_url *u = find(w, s->key);

	if (!u || (s->what != STEER_MOVE && s->what != STEER_HOLD))
		return;
	u->is_held = s->what == STEER_HOLD;
	if (s->what == STEER_MOVE)
		u->priority = (uint8_t)MIN(s->number, 255u);
	u->order = ++w->order;
}

static bool see(void *arg, const struct journal_record *r)
{
	struct queue_walk *w = arg;

	if (r->kind == JOURNAL_LINKS)
		for (size_t i = 0; i < r->links.n; i++)
			see_link(w, &r->links, &r->links.v[i]);
	else if (r->kind == JOURNAL_DONE)
		see_end(w, r->done.key);
	else if (r->kind == JOURNAL_DROPPED)
		see_end(w, r->dropped.key);
	else if (r->kind == JOURNAL_STEERED)
		see_steered(w, &r->steered);
	return true;
}

/* Those that wait, then by priority, then the oldest. */
static int by_turn(const void *a, const void *b)
{
	const struct waiting_url *x = a, *y = b;

	if (x->is_gone != y->is_gone)
		return x->is_gone ? 1 : -1;
	if (x->is_held != y->is_held)
		return x->is_held ? 1 : -1;
	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void format_queue(struct queue_walk *w, uint64_t limit, struct buf *to)
{
	struct json_out o = { .to = to };
	size_t n = 0;

	if (w->n > 0)
		qsort(w->v, w->n, sizeof(*w->v), by_turn);
	while (n < w->n && !w->v[n].is_gone)
		n++;
	json_open(&o, '{');
	json_put_uint(&o, "queued", n + w->beyond);
	json_key(&o, STR("urls"));
	json_open(&o, '[');
	for (size_t i = 0; i < MIN(n, limit); i++) {
		const struct waiting_url *u = &w->v[i];

		json_open(&o, '{');
		json_put_str(&o, "url", u->url);
		json_put_uint(&o, "priority", u->priority);
		json_put_str(&o, "purpose", purpose_table[u->purpose].word);
		json_put_uint(&o, "depth", u->depth);
		json_put_int(&o, "found_ms", u->found_ms);
		json_put_bool(&o, "held", u->is_held);
		json_close(&o, '}');
	}
	json_close(&o, ']');
	json_close(&o, '}');
	buf_add_char(to, '\n');
}

void view_queue(struct service *s, const struct request *q, struct response *r)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct queue_walk w = { .host = request_argument(q, STR("host")) };
	char *dir = path_join(&a, s->dir, STR("state/journal"));
	uint64_t limit;
	struct diag why;
	enum status st = ST_OK;

	if (!request_number(q, STR("limit"), 10000, 100, &limit, r) || !heavy_begin(s, r))
		return;
	w.is_origin = str_find(w.host, STR("://")) != STR_NONE;
	if (dir_exists(dir))
		st = journal_each(dir, see, &w, &why);
	heavy_end(s);
	if (st != ST_OK) {
		response_failure(r, st, &why);
	} else {
		r->status = 200;
		r->content_type = "application/json";
		format_queue(&w, limit, &r->body);
	}
	map_release(&w.places);
	free(w.v);
	arena_release(&w.a);
}
