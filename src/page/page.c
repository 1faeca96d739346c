#include "page/page.h"

#include <string.h>

#include "base/utf8.h"
#include "page/content.h"
#include "page/css.h"
#include "page/feed.h"
#include "page/html_page.h"
#include "page/jsguess.h"
#include "page/kind.h"
#include "page/language.h"
#include "page/links.h"
#include "page/pdf.h"
#include "page/sitemap.h"
#include "page/text.h"
#include "web/charset.h"
#include "web/coding.h"
#include "web/http.h"

#define HEAD_BYTES   ((size_t)4096)
#define UNPACKED_MAX ((size_t)50 << 20) /* of a sitemap, by its protocol */

struct page_options page_options_filled(const struct page_options *options)
{
	struct page_options o = options ? *options : (struct page_options){ 0 };

	o.max_links = o.max_links ? o.max_links : PAGE_LINKS_MAX;
	o.max_text_bytes = o.max_text_bytes ? o.max_text_bytes : PAGE_TEXT_MAX;
	return o;
}

static bool is_ascii(struct str s)
{
	uint64_t word, high = 0x8080808080808080u;
	size_t i = 0;

	for (; s.n - i >= sizeof(word); i += sizeof(word)) {
		memcpy(&word, s.p + i, sizeof(word));
		if (word & high)
			return false;
	}
	for (; i < s.n; i++)
		if (s.p[i] & 0x80)
			return false;
	return true;
}

/* Does ASCII mean ASCII in it?  Not in UTF-16, nor where escapes shift. */
static bool is_above_ascii(const struct charset *c)
{
	struct str name = str_from(charset_name(c));

	return !str_starts_nocase(name, STR("utf-16")) &&
	       !str_eq_nocase(name, STR("iso-2022-jp")) &&
	       !str_eq_nocase(name, STR("replacement"));
}

/* The bytes as UTF-8: as they are where they are so already. */
static struct str decode(const struct page_input *in, struct arena *a, struct page *ret)
{
	struct media_type m = { 0 };
	struct str body = in->body;
	bool labelled = media_type_parse(in->content_type, &m) && m.charset.n;
	const struct charset *c =
		charset_detect(body, labelled ? m.charset : (struct str){ "", 0 }, NULL);
	struct buf text = BUF(4 * body.n + 16);

	ret->charset = str_from(charset_name(c));
	if (c == charset_utf8()) {
		str_take_prefix(&body, STR("\xef\xbb\xbf"));
		if (utf8_valid(body))
			return body;
	} else if (is_above_ascii(c) && is_ascii(body)) {
		return body;
	}
	charset_to_utf8(c, body, &text);
	body = arena_copy(a, buf_str(&text));
	buf_release(&text);
	return body;
}

/* A style sheet or a script: nothing but links. */
static void read_links(struct str body, enum page_kind kind, const struct page_options *o,
		       struct arena *a, struct page *ret)
{
	const struct link_place nowhere = { .block = UINT32_MAX };
	struct links l;
	struct str url;

	links_start(&l, o->max_links, a);
	ret->kind = kind;
	if (kind == PAGE_CSS) {
		links_add_css(&l, body, &nowhere);
	} else {
		if (!o->no_guesses && o->own_host.n)
			links_add_bare(&l, body, o->own_host, &nowhere);
		while (!l.cut && jsguess_next(&body, a, &url)) {
			if (o->no_guesses)
				ret->n_guesses_skipped++;
			else
				links_add(&l, LINK_GUESS, url, &nowhere);
		}
	}
	ret->links = l.v;
	ret->n_links = l.n;
	ret->cut |= (l.cut ? CUT_LINKS : 0) | (l.url_cut ? CUT_URL : 0);
}

/* URLs that stand in plain text, scheme and all. */
static void read_bare_urls(struct str text, const struct page_options *o, struct arena *a,
			   struct page *ret)
{
	const struct link_place nowhere = { .block = UINT32_MAX };
	struct links l;

	links_start(&l, o->max_links, a);
	links_add_bare(&l, text, STR(""), &nowhere);
	ret->links = l.v;
	ret->n_links = l.n;
	ret->cut |= (l.cut ? CUT_LINKS : 0) | (l.url_cut ? CUT_URL : 0);
}

/* Plain text: paragraphs end at empty lines. */
static void read_text(struct str body, const struct page_options *o, struct arena *a,
		      struct page *ret)
{
	struct text t;
	struct str line, whole = body;

	text_start(&t, body.n, o->max_text_bytes, a);
	while (str_take_line(&body, &line)) {
		text_add(&t, line, TEXT_AS_IS);
		if (str_trim(line).n)
			text_newline(&t);
		else
			text_end_block(&t, 0, 0);
	}
	text_end_block(&t, 0, 0);
	ret->kind = PAGE_TEXT;
	read_bare_urls(whole, o, a, ret);
	ret->text = (struct str){ t.p, t.n };
	ret->blocks = t.blocks;
	ret->n_blocks = t.n_blocks;
	ret->cut |= (t.cut ? CUT_TEXT : 0) | (t.blocks_cut ? CUT_BLOCKS : 0);
}

static void read_kind(enum page_kind kind, struct str body, const struct page_options *o,
		      struct arena *a, struct page *ret)
{
	ret->kind = kind;
	switch (kind) {
	case PAGE_HTML:
		html_page_read(body, o, a, ret);
		break;
	case PAGE_FEED:
		feed_read_xml(body, o, a, ret);
		break;
	case PAGE_SITEMAP:
	case PAGE_SITEMAP_INDEX:
		if (sitemap_is_text(body))
			sitemap_read_text(body, o, a, ret);
		else
			sitemap_read_xml(body, o, a, ret);
		break;
	case PAGE_JSON:
		if (feed_read_json(body, o, a, ret) != ST_OK)
			read_links(body, kind, o, a, ret);
		break;
	case PAGE_CSS:
	case PAGE_SCRIPT:
		read_links(body, kind, o, a, ret);
		break;
	case PAGE_TEXT:
		read_text(body, o, a, ret);
		break;
	case PAGE_PDF:
	case PAGE_XML:
	case PAGE_UNKNOWN:
		break;
	}
}

static struct str host_of(struct str url)
{
	size_t at = str_find(url, STR("://"));
	struct str rest = at == STR_NONE ? STR("") : str_skip(url, at + 3);
	size_t n = 0;

	while (n < rest.n && !strchr("/?#", rest.p[n]))
		n++;
	return str_slice(rest, 0, n);
}

static bool is_list_of_urls(enum page_kind kind)
{
	return kind == PAGE_SITEMAP || kind == PAGE_SITEMAP_INDEX || kind == PAGE_FEED;
}

/*
 * A file that is gzip itself, whatever its label says (sitemap.xml.gz is served as
 * application/gzip, as application/xml, as text/plain ...).  Only its beginning is
 * unpacked to see whether it is a list of URLs; then all of it, up to the protocol's
 * limit.
 */
static bool unpack(const struct page_input *in, struct arena *a, struct page_input *ret)
{
	cleanup(buf_release) struct buf head = BUF(HEAD_BYTES), all = BUF(UNPACKED_MAX);
	struct str name = in->url;

	if (!str_starts(in->body, STR("\x1f\x8b")))
		return false;
	(void)!coding_decode(STR("gzip"), str_slice(in->body, 0, HEAD_BYTES), &head);
	struct str text = str_trim(buf_str(&head)),
		   type = str_starts(text, STR("<")) ? STR("application/xml") : STR("");
	enum page_kind kind = page_kind_of(type, name, text);
	if (text.n == 0 || kind == PAGE_UNKNOWN ||
	    !is_list_of_urls(page_kind_refine(kind, text, a)))
		return false;
	(void)!coding_decode(STR("gzip"), in->body, &all);
	*ret = (struct page_input){ .body = arena_copy(a, buf_str(&all)),
				    .content_type = type,
				    .url = name };
	return true;
}

void page_parse(const struct page_input *in, const struct page_options *options,
		struct arena *a, struct page *ret)
{
	struct page_input inner;

	in = unpack(in, a, &inner) ? &inner : in;
	struct page_options o = page_options_filled(options);
	enum page_kind kind = page_kind_of(in->content_type, in->url, in->body);

	o.own_host = host_of(in->url);

	*ret = (struct page){ 0 };
	if (kind == PAGE_PDF) {
		pdf_read(in->body, &o, a, ret);
		return;
	}
	if (kind == PAGE_UNKNOWN)
		return;
	struct str text = decode(in, a, ret);

	read_kind(page_kind_refine(kind, text, a), text, &o, a, ret);
	content_mark(ret);
	if (!o.no_language)
		language_find(ret);
}
