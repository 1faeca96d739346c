#include "service/page.h"

#include "url/url.h"

static bool number_of(const struct json *v, uint64_t *ret)
{
	cleanup(buf_release) struct buf text = { 0 };

	value_add_text(v, &text);
	return str_to_uint(buf_str(&text), UINT64_MAX / 2, ret);
}

static bool total_of(const struct api_paginate *p, const struct page_facts *f,
		     uint64_t *ret)
{
	if (p->total_header.n > 0)
		return str_to_uint(http_get(f->head, p->total_header), UINT64_MAX / 2,
				   ret);
	return p->total.is_set && number_of(json_path_first(&p->total, f->root), ret);
}

static uint64_t number_in(const struct api_paginate *p, struct str page)
{
	uint64_t v;

	return str_to_uint(page, UINT64_MAX / 2, &v) ? v : p->first;
}

static enum page_end next_number(const struct api_paginate *p, const struct page_facts *f,
				 struct buf *to)
{
	uint64_t now = number_in(p, f->page), total;

	if (f->items == 0 && !p->more.is_set)
		return PAGE_LAST;
	if (total_of(p, f, &total) && now - MIN(p->first, now) + 1 >= total)
		return PAGE_LAST;
	buf_add_uint(to, now + 1);
	return PAGE_GOES_ON;
}

static enum page_end next_offset(const struct api_paginate *p, const struct page_facts *f,
				 struct buf *to)
{
	uint64_t now = number_in(p, f->page), total;

	if (f->items == 0)
		return PAGE_LAST;
	now += f->items;
	if (total_of(p, f, &total) && now - MIN(p->first, now) >= total)
		return PAGE_LAST;
	buf_add_uint(to, now);
	return PAGE_GOES_ON;
}

/* A server may not lead us, and our credentials, to another one. */
static enum page_end follow_link(const struct page_facts *f, struct str target,
				 struct buf *to)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct url base, next;
	enum page_end end = PAGE_BAD_NEXT;

	if (url_parse(f->url, NULL, &scratch[0], &base, NULL) == ST_OK &&
	    url_parse(target, &base, &scratch[1], &next, NULL) == ST_OK &&
	    url_same_origin(&base, &next)) {
		buf_add(to, url_without_fragment(&next));
		end = PAGE_GOES_ON;
	}
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return end;
}

static enum page_end next_link(const struct api_paginate *p, const struct page_facts *f,
			       struct buf *to)
{
	struct http_link link;
	struct str value;

	if (p->next.is_set) {
		struct str url = json_str(json_path_first(&p->next, f->root));

		return url.n ? follow_link(f, url, to) : PAGE_LAST;
	}
	for (size_t at = 0; http_next(f->head, STR("Link"), &at, &value);)
		while (http_link_next(&value, &link))
			if (http_link_has_rel(&link, STR("next")))
				return follow_link(f, link.target, to);
	return PAGE_LAST;
}

static enum page_end next_continue(const struct api_paginate *p,
				   const struct page_facts *f, struct buf *to)
{
	const struct json *object = json_path_first(&p->next, f->root);

	for (const struct json *m = json_first(object); m; m = json_next(m)) {
		cleanup(buf_release) struct buf text = { 0 };

		value_add_text(m, &text);
		if (to->n > 0)
			buf_add_char(to, '&');
		buf_add_component(to, json_name(m));
		buf_add_char(to, '=');
		buf_add_component(to, buf_str(&text));
	}
	return to->n > 0 ? PAGE_GOES_ON : PAGE_LAST;
}

/* A slice without a new message: nothing is there at the moment. */
static enum page_end next_slice(const struct page_facts *f, struct buf *to)
{
	if (f->items == 0 || f->best.n == 0 || str_eq(f->best, f->best_before))
		return PAGE_LAST;
	buf_add(to, f->best);
	return PAGE_GOES_ON;
}

enum page_end page_next(const struct api_paginate *p, const struct page_facts *f,
			struct buf *to)
{
	if (p->kind == PAGE_SINGLE)
		return PAGE_LAST;
	if (p->max_pages && f->pages >= p->max_pages)
		return PAGE_LIMIT;
	if (p->more.is_set && !value_is_true(json_path_first(&p->more, f->root)))
		return PAGE_LAST;
	if (p->size && f->items < p->size)
		return PAGE_LAST;
	switch (p->kind) {
	case PAGE_CURSOR:
		value_add_text(json_path_first(&p->next, f->root), to);
		return to->n > 0 ? PAGE_GOES_ON : PAGE_LAST;
	case PAGE_NUMBER:
		return next_number(p, f, to);
	case PAGE_OFFSET:
		return next_offset(p, f, to);
	case PAGE_LINK:
		return next_link(p, f, to);
	case PAGE_STREAM:
		return next_slice(f, to);
	default:
		return next_continue(p, f, to);
	}
}

bool page_is_link(const struct api_paginate *p, struct str page)
{
	return p->kind == PAGE_LINK && page.n > 0;
}

void page_add_params(const struct api_paginate *p, struct str page, struct buf *to)
{
	bool numbered = p->kind == PAGE_NUMBER || p->kind == PAGE_OFFSET;

	if (p->kind == PAGE_CONTINUE) {
		buf_add(to, page);
		return;
	}
	if (p->kind == PAGE_SINGLE || p->kind == PAGE_LINK || (page.n == 0 && !numbered))
		return;
	buf_add_component(to, p->param);
	buf_add_char(to, '=');
	if (page.n == 0)
		buf_add_uint(to, p->first);
	else
		buf_add_component(to, page);
}

bool page_sets(const struct api_paginate *p, struct str page, struct str name)
{
	struct str pair;

	if (p->kind != PAGE_CONTINUE)
		return str_eq(p->param, name) &&
		       (page.n > 0 || p->kind == PAGE_NUMBER || p->kind == PAGE_OFFSET);
	while (str_take_until(&page, '&', &pair))
		if (str_eq(str_slice(pair, 0, str_find_char(pair, '=')), name))
			return true;
	return false;
}
