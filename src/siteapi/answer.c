#include <string.h>

#include "service/answer.h"
#include "service/vocabulary.h"
#include "siteapi/request.h"
#include "siteapi/siteapi.h"
#include "url/url.h"

#define LINKS_MAX 500 /* of one object */

struct reading {
	const struct site_request *q;
	const struct json *root;
	struct arena *a;
	struct site_answer *ret;
	size_t items;    /* of the answer */
	bool is_half;    /* its items have not all of their members */
	bool is_strange; /* it is no list of items */
};

static struct str value_of(const struct template *t, const struct api_scope *s,
			   struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	return template_add(t, s, false, &b) ? arena_copy(a, buf_str(&b)) : STR("");
}

/* The value that the mapping gives for a predicate, of the item itself. */
static struct str mapped(struct reading *r, const struct api_scope *s,
			 const char *predicate)
{
	const struct api_interaction *i = site_interaction(r->q);
	struct str iri = vocabulary_expand(str_from(predicate), r->a);

	for (size_t k = 0; i->n_maps > 0 && k < i->maps[0].n; k++)
		if (str_eq(i->maps[0].v[k].predicate, iri)) {
			struct str v = value_of(&i->maps[0].v[k].value, s, r->a);

			if (v.n > 0)
				return v;
		}
	return STR("");
}

static bool is_whole(struct reading *r, const struct api_scope *s)
{
	const struct api_page *p = &site_interaction(r->q)->page;

	for (size_t k = 0; k < p->n_unless; k++)
		if (value_of(&p->unless[k], s, r->a).n > 0)
			return false;
	return !r->is_half;
}

struct link_list {
	struct reading *r;
	struct str *v;
	size_t n;
};

static bool add_link(void *arg, struct str value)
{
	struct link_list *l = arg;

	l->v[l->n++] = arena_copy(l->r->a, value);
	return l->n < LINKS_MAX;
}

static void read_links(struct reading *r, const struct api_scope *s,
		       struct site_object *o)
{
	const struct api_interaction *i = site_interaction(r->q);
	struct str v[LINKS_MAX];
	struct link_list l = { r, v, 0 };

	for (size_t k = 0; k < i->n_links && l.n < LINKS_MAX; k++)
		template_each(&i->links[k].url, s, add_link, &l);
	o->links = arena_alloc(r->a, (l.n + 1) * sizeof(*v));
	memcpy(o->links, v, l.n * sizeof(*v));
	o->n_links = l.n;
}

/* An API speaks for its own server only. */
static bool is_own(const struct site_request *q, struct str page)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url own, u;
	bool is = url_parse(q->instance, NULL, &scratch[0], &own, NULL) == ST_OK &&
		  url_parse(page, NULL, &scratch[1], &u, NULL) == ST_OK &&
		  url_same_origin(&own, &u);

	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return is;
}

static bool read_item(void *arg, const struct json *item)
{
	struct reading *r = arg;
	const struct api_interaction *i = site_interaction(r->q);
	struct var instance = { STR("instance"), r->q->instance };
	struct api_scope s = { &instance, 1, NULL, item };
	struct site_object *o = &r->ret->v[r->ret->n];

	r->items++;
	r->is_strange |= json_kind(item) != JSON_OBJECT;
	if (r->is_strange)
		return false;
	if (i->when.is_set && value_of(&i->when, &s, r->a).n == 0)
		return true;
	if (r->ret->n == SITE_OBJECTS_MAX)
		return false;
	*o = (struct site_object){ .kind = i->kind, .is_whole = is_whole(r, &s) };
	for (size_t k = 0; k < i->page.n_urls; k++) {
		struct str page = value_of(&i->page.urls[k], &s, r->a);

		if (page.n > 0 && is_own(r->q, page))
			o->pages[o->n_pages++] = page;
	}
	o->id = value_of(&i->id, &s, r->a);
	o->name = mapped(r, &s, "schema:name");
	o->author = mapped(r, &s, "schema:author");
	o->date = mapped(r, &s, "schema:dateCreated");
	if (o->date.n == 0)
		o->date = mapped(r, &s, "schema:dateModified");
	o->html = value_of(&i->page.html, &s, r->a);
	o->text = value_of(&i->page.text, &s, r->a);
	read_links(r, &s, o);
	r->ret->n++;
	return true;
}

/* --- how it goes on --- */

static uint64_t lists_after(const struct site_request *q)
{
	return q->service->site.n_lists - q->list - 1;
}

/* Requests of the present list after this one: its number of pages, where that is known.
 */
static uint64_t list_left(const struct site_request *q, const struct http_head *head)
{
	const struct api_paginate *p = &site_interaction(q)->paginate;
	uint64_t total, now = p->first;

	if (p->kind != PAGE_NUMBER || p->total_header.n == 0 ||
	    !str_to_uint(http_get(head, p->total_header), UINT32_MAX, &total))
		return 1;
	if (q->page.n > 0 && !str_to_uint(q->page, UINT32_MAX, &now))
		now = p->first;
	uint64_t read = now - MIN(p->first, now) + 1;
	return total > read ? total - read : 0;
}

static bool set_next(struct reading *r, const struct site_request *next)
{
	return site_request_format(next, r->a, &r->ret->next);
}

/* The next page of the list, or the first one of the next list. */
static void go_on(struct reading *r, const struct http_head *head, struct str url)
{
	cleanup(buf_release) struct buf page = { 0 };
	struct site_request next = *r->q;
	enum page_end end = page_next(&site_interaction(r->q)->paginate,
				      &(struct page_facts){ .head = head,
							    .root = r->root,
							    .url = url,
							    .page = r->q->page,
							    .items = r->items,
							    .pages = 1 },
				      &page);

	r->ret->end = SITE_GOES_ON;
	r->ret->lists_left = lists_after(r->q);
	next.page = buf_str(&page);
	if (end == PAGE_GOES_ON && set_next(r, &next) && !str_eq(r->ret->next, url)) {
		r->ret->list_left = MAX(list_left(r->q, head), (uint64_t)1);
		return;
	}
	if (end == PAGE_LIMIT || end == PAGE_BAD_NEXT) {
		r->ret->end = SITE_FAILED;
		diag_say(&r->ret->why, "the list leads nowhere");
		return;
	}
	next.page = STR("");
	next.list++;
	r->ret->next = STR("");
	if (next.list == r->q->service->site.n_lists)
		r->ret->end = SITE_DONE;
	else if (!set_next(r, &next))
		r->ret->end = SITE_FAILED;
}

static bool is_list(enum answer_kind k)
{
	return k == ANSWER_ITEMS || k == ANSWER_END;
}

static void read_answer(const struct site_request *q, const struct site_response *r,
			struct arena *a, struct site_answer *ret)
{
	const struct api_interaction *i = site_interaction(q);
	cleanup(http_head_release) struct http_head head = { 0 };
	cleanup(api_answer_release) struct api_answer answer = { 0 };

	if (http_head_parse(&head, r->head, &ret->why) != ST_OK)
		return;
	api_answer_read(q->service, i,
			&(struct answer_facts){ .code = r->code,
						.is_truncated = r->is_truncated,
						.head = &head,
						.body = r->body,
						.url = r->url },
			&answer);
	if (!is_list(answer.kind)) {
		ret->why = answer.why;
		return;
	}
	struct reading reading = { .q = q,
				   .root = answer.root,
				   .a = a,
				   .ret = ret,
				   .is_half = i->page.complete.is_set &&
					      !value_is_true(json_path_first(
						      &i->page.complete, answer.root)) };
	ret->v = arena_alloc(a, (SITE_OBJECTS_MAX + 1) * sizeof(*ret->v));
	if (answer.kind == ANSWER_ITEMS)
		json_path_each(&i->items, answer.root, read_item, &reading);
	if (reading.is_strange)
		diag_say(&ret->why, "the answer is no list of items");
	else
		go_on(&reading, &head, r->url);
}

enum status site_read(const struct site_services *s, const struct site_response *r,
		      struct arena *a, struct site_answer *ret)
{
	struct site_request q, next;

	if (!site_request_parse(s, r->url, a, &q))
		return ST_NOT_FOUND;
	*ret = (struct site_answer){ .end = SITE_FAILED,
				     .service = q.service->name,
				     .list = site_list(&q)->call };
	read_answer(&q, r, a, ret);
	/* A server may not lead us from its lists to whatever it likes. */
	if (ret->end == SITE_GOES_ON &&
	    (!site_request_parse(s, ret->next, a, &next) || next.service != q.service)) {
		ret->end = SITE_FAILED;
		diag_say(&ret->why, "the list leads to something else");
	}
	return ST_OK;
}
