#include "service/filter.h"

#include <string.h>

#include "base/date.h"
#include "html/entity.h"
#include "service/wikitext.h"
#include "url/url.h"

const struct str filter_names[FILTERS] = {
	[FILTER_TEXT] = { "text", 4 },   [FILTER_LINKS] = { "links", 5 },
	[FILTER_ISO] = { "iso", 3 },     [FILTER_UNDERSCORE] = { "underscore", 10 },
	[FILTER_LOWER] = { "lower", 5 }, [FILTER_HOST] = { "host", 4 },
	[FILTER_AFTER] = { "after", 5 }, [FILTER_BEFORE] = { "before", 6 },
	[FILTER_OR] = { "or", 2 },       [FILTER_HAS] = { "has", 3 },
	[FILTER_PAGE] = { "page", 4 },   [FILTER_WIKITEXT] = { "wikitext", 8 },
};

static void add_entity(struct str *in, struct buf *to)
{
	char out[ENTITY_TEXT_MAX];
	size_t n = 0, took = entity_decode(in->p, in->p + in->n, ENTITY_IN_TEXT, out, &n);

	if (took > 0)
		buf_add(to, (struct str){ out, n });
	else
		buf_add_char(to, '&');
	*in = str_skip(*in, took ? took : 1);
}

/* Tags become a blank, runs of white space one; posts are short, so nothing finer. */
static void add_html_text(struct str in, struct buf *to)
{
	size_t before = to->n;
	bool blank = false;

	while (in.n > 0) {
		char c = in.p[0];

		if (c == '<' && in.n > 1 &&
		    (ascii_is_alpha(in.p[1]) || in.p[1] == '/' || in.p[1] == '!')) {
			size_t end = str_find_char(in, '>');

			in = str_skip(in, end == STR_NONE ? in.n : end + 1);
			blank = true;
			continue;
		}
		if (ascii_is_space(c)) {
			in = str_skip(in, 1);
			blank = true;
			continue;
		}
		if (blank && to->n > before)
			buf_add_char(to, ' ');
		blank = false;
		if (c == '&') {
			add_entity(&in, to);
			continue;
		}
		buf_add_char(to, c);
		in = str_skip(in, 1);
	}
}

bool time_parse_any(struct str s, int64_t *ret_ms)
{
	uint64_t v;
	struct str whole = str_slice(s, 0, str_find_char(s, '.'));

	s = str_trim(s);
	if (str_to_uint(whole, (uint64_t)1 << 53, &v) && whole.n <= 13) {
		*ret_ms = whole.n > 11 ? (int64_t)v : (int64_t)v * 1000;
		return true;
	}
	return date_parse_iso(s, ret_ms) || date_parse_http(s, ret_ms) ||
	       (s.n == 14 && date_parse_digits(s, ret_ms));
}

static void add_host(struct str value, struct buf *to)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	if (url_parse(value, NULL, &scratch, &u, NULL) == ST_OK)
		buf_add(to, u.host);
}

static void add_part(const struct filter *f, struct str value, struct buf *to)
{
	size_t last = STR_NONE, from = 0, at;

	while ((at = str_find(str_skip(value, from), f->arg)) != STR_NONE &&
	       f->arg.n > 0) {
		last = from + at;
		from = last + 1;
		if (f->kind == FILTER_BEFORE)
			break;
	}
	if (last == STR_NONE)
		buf_add(to, value);
	else if (f->kind == FILTER_BEFORE)
		buf_add(to, str_slice(value, 0, last));
	else
		buf_add(to, str_skip(value, last + f->arg.n));
}

/* Counted from 1: the 21st of pages of 20 is on page 2; the first page has no number. */
static void add_page_number(struct str per_page, struct str value, struct buf *to)
{
	uint64_t n, size;

	if (str_to_uint(value, UINT32_MAX, &n) &&
	    str_to_uint(per_page, UINT32_MAX, &size) && size > 0 && n > size)
		buf_add_uint(to, (n - 1) / size + 1);
}

static void add_wikitext(struct str value, struct buf *to)
{
	cleanup(buf_release) struct buf html = { 0 };

	wikitext_add_html(value, &html);
	add_html_text(buf_str(&html), to);
}

void filter_apply(const struct filter *f, struct str value, struct buf *to)
{
	int64_t ms;

	switch (f->kind) {
	case FILTER_TEXT:
		add_html_text(value, to);
		break;
	case FILTER_ISO:
		if (time_parse_any(value, &ms))
			buf_add_date_iso(to, ms, false);
		break;
	case FILTER_UNDERSCORE:
		for (size_t i = 0; i < value.n; i++)
			buf_add_char(to, value.p[i] == ' ' ? '_' : value.p[i]);
		break;
	case FILTER_LOWER:
		for (size_t i = 0; i < value.n; i++)
			buf_add_char(to, ascii_lower(value.p[i]));
		break;
	case FILTER_HOST:
		add_host(value, to);
		break;
	case FILTER_AFTER:
	case FILTER_BEFORE:
		add_part(f, value, to);
		break;
	case FILTER_OR:
		buf_add(to, value.n ? value : f->arg);
		break;
	case FILTER_HAS:
		buf_add(to, str_find(value, f->arg) == STR_NONE ? STR("") : value);
		break;
	case FILTER_PAGE:
		add_page_number(f->arg, value, to);
		break;
	case FILTER_WIKITEXT:
		add_wikitext(value, to);
		break;
	default:
		buf_add(to, value);
		break;
	}
}

bool filter_next_link(struct str *in, struct buf *scratch, struct str *ret)
{
	for (;;) {
		size_t at = str_find(*in, STR("http"));
		size_t end = 0;

		if (at == STR_NONE)
			return false;
		*in = str_skip(*in, at);
		if (!str_starts(*in, STR("http://")) &&
		    !str_starts(*in, STR("https://"))) {
			*in = str_skip(*in, 4);
			continue;
		}
		while (end < in->n && (uint8_t)in->p[end] > ' ' &&
		       !strchr("\"'<>`{}|\\^", in->p[end]))
			end++;
		struct str url = str_slice(*in, 0, end);
		*in = str_skip(*in, end);
		/* What ends a sentence is seldom part of the URL in it. */
		while (url.n > 8 && strchr(".,;:!?)]*", url.p[url.n - 1]))
			url.n--;
		buf_reset(scratch);
		while (url.n > 0)
			if (str_take_prefix(&url, STR("&amp;"))) {
				buf_add_char(scratch, '&');
			} else {
				buf_add_char(scratch, url.p[0]);
				url = str_skip(url, 1);
			}
		*ret = buf_str(scratch);
		return true;
	}
}
