#include "siteapi/readings.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "url/url.h"

void site_readings_release(struct site_readings *s)
{
	free(s->v);
	map_release(&s->by_server);
	*s = (struct site_readings){ 0 };
}

uint64_t site_server(struct str url)
{
	cleanup(buf_release) struct buf scratch = { 0 }, origin = { 0 };
	struct url u;

	return url_parse(url, NULL, &scratch, &u, NULL) == ST_OK
		       ? hash64(url_origin(&u, &origin)) | 1
		       : 0;
}

struct site_reading *site_reading_find(const struct site_readings *s, uint64_t server)
{
	const uint64_t *at = map_find(&s->by_server, server);

	return at ? &s->v[*at - 1] : NULL;
}

struct site_reading *site_reading_add(struct site_readings *s, uint64_t server)
{
	bool is_new;
	uint64_t *at = map_add(&s->by_server, server, &is_new);

	if (is_new) {
		VEC_ADD(s->v, s->n, s->cap, (struct site_reading){ .server = server });
		*at = s->n;
	}
	return &s->v[*at - 1];
}

void site_reading_answer(struct site_reading *r, const struct site_answer *a)
{
	uint64_t list = a ? hash64(a->list) : 0;

	if (list != r->list) {
		r->list = list;
		r->list_sent = r->list_pages = 0;
	}
	r->sent++;
	r->list_sent++;
}

void site_reading_page(struct site_reading *r)
{
	r->pages++;
	r->list_pages++;
}

bool site_reading_goes_on(struct site_reading *r, const struct site_answer *a,
			  const char **ret_why)
{
	*ret_why = NULL;
	if (r->state != API_READING)
		return false;
	if (!a || a->end == SITE_FAILED) {
		*ret_why = a && a->why.text[0] ? a->why.text : "no such answer";
		return false;
	}
	struct site_costs costs = { .sent = r->sent,
				    .pages = r->pages,
				    .list_sent = r->list_sent,
				    .list_pages = r->list_pages,
				    .list_left = a->list_left,
				    .lists_left = a->lists_left };
	if (!site_api_pays(&costs)) {
		*ret_why = "the API takes more requests than the pages";
		return false;
	}
	if (a->end == SITE_DONE)
		r->state = API_READ;
	return a->end == SITE_GOES_ON;
}

void site_reading_queued(struct site_readings *s, struct str url)
{
	struct site_reading *r = site_reading_add(s, site_server(url));

	r->pending++;
	r->state = API_READING;
}

void site_reading_done(struct site_readings *s, struct str url)
{
	struct site_reading *r = site_reading_add(s, site_server(url));

	s->is_restored = true;
	r->sent++;
	r->pending -= r->pending > 0;
	if (r->pending == 0)
		r->state = API_READ;
}

unsigned site_page_shape(struct str url)
{
	size_t query = str_find_char(url, '?');
	struct str path = str_slice(url, 0, query);
	unsigned n = 0;

	for (size_t k = 0; k + 1 < path.n; k++)
		n += path.p[k] == '/';
	return n * 2 + (query != STR_NONE);
}
