#include "page/pdf.h"

#include <string.h>

#include "page/links.h"
#include "web/coding.h"

#define DICTIONARY_MAX 512 /* bytes before "stream" in which its dictionary stands */
#define STREAM_MAX     ((size_t)4 << 20)

static const struct link_place nowhere = { .block = UINT32_MAX };

static struct str skip_blank(struct str s)
{
	while (s.n && (ascii_is_space(*s.p) || *s.p == 0))
		s = str_skip(s, 1);
	return s;
}

/* Bytes of the "(text)" at `s`, both parentheses counted; 0 when it does not end. */
static size_t literal_length(struct str s)
{
	size_t depth = 0;

	for (size_t n = 0; n < s.n; n++) {
		if (s.p[n] == '\\')
			n++;
		else if (s.p[n] == '(')
			depth++;
		else if (s.p[n] == ')' && --depth == 0)
			return n + 1;
	}
	return 0;
}

static struct str unescape(struct str s, struct arena *a)
{
	char *to, *q;

	if (!memchr(s.p, '\\', s.n))
		return s;
	to = q = arena_alloc(a, s.n);
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n)
			i++;
		*q++ = s.p[i];
	}
	return (struct str){ to, (size_t)(q - to) };
}

/* "68747470..." */
static struct str take_hex(struct str s, struct arena *a)
{
	char *to = arena_alloc(a, s.n / 2 + 1);
	size_t kept = 0;

	for (size_t n = 0; n + 1 < s.n; n += 2) {
		int high = ascii_hex_value(s.p[n]), low = ascii_hex_value(s.p[n + 1]);

		if (high < 0 || low < 0)
			return (struct str){ "", 0 };
		to[kept++] = (char)(high << 4 | low);
	}
	return (struct str){ to, kept };
}

/*
 * The target after "/URI", if one stands there: "/S /URI" only names the kind of
 * action.  Returns the bytes looked at, which are not looked at again.
 */
static size_t take_uri(struct links *l, struct str value)
{
	struct str s = skip_blank(value);
	size_t n;

	if (s.n && *s.p == '(') {
		n = literal_length(s);
		if (n > 2)
			links_add(l, LINK_PDF, unescape(str_slice(s, 1, n - 1), l->arena),
				  &nowhere);
	} else if (s.n > 1 && *s.p == '<' && s.p[1] != '<') {
		n = str_find_char(s, '>');
		if (n != STR_NONE)
			links_add(l, LINK_PDF, take_hex(str_slice(s, 1, n), l->arena),
				  &nowhere);
		n = n == STR_NONE ? 0 : n;
	} else {
		return 0;
	}
	return n ? n : value.n;
}

static void find_uris(struct links *l, struct str bytes)
{
	size_t at;

	while (!l->cut && (at = str_find(bytes, STR("/URI"))) != STR_NONE) {
		bytes = str_skip(bytes, at + 4);
		bytes = str_skip(bytes,
				 take_uri(l, str_slice(bytes, 0, 2 * LINK_URL_MAX)));
	}
}

/* Undo Flate as far as it goes: a stream that is cut or broken still has its beginning.
 */
static void inflate_into(struct buf *to, size_t room, struct str packed)
{
	buf_reset(to);
	to->limit = room;
	(void)!coding_decode(STR("deflate"), str_slice(packed, 0, STREAM_MAX), to);
}

/* Objects may stand in streams of type ObjStm (PDF 1.5), annotations among them. */
static bool holds_objects(struct str before)
{
	size_t from = before.n > DICTIONARY_MAX ? before.n - DICTIONARY_MAX : 0;
	struct str dictionary = str_skip(before, from);
	size_t start = STR_NONE, at;

	/* Of what comes before, only the last object counts. */
	for (size_t off = 0;
	     (at = str_find(str_skip(dictionary, off), STR(" obj"))) != STR_NONE;
	     off = start)
		start = off + at + 4;
	if (start != STR_NONE)
		dictionary = str_skip(dictionary, start);
	return str_find(dictionary, STR("/ObjStm")) != STR_NONE &&
	       str_find(dictionary, STR("/FlateDecode")) != STR_NONE;
}

static void find_in_streams(struct links *l, struct str pdf)
{
	size_t budget = PDF_INFLATE_MAX, from = 0, at;
	cleanup(buf_release) struct buf to = { 0 };

	while (budget &&
	       (at = str_find(str_skip(pdf, from), STR("stream"))) != STR_NONE) {
		size_t start = from + at;

		from = start + 6;
		if (start >= 3 && memcmp(pdf.p + start - 3, "end", 3) == 0)
			continue;
		if (!holds_objects(str_slice(pdf, 0, start)))
			continue;
		struct str packed = str_skip(pdf, from);
		str_take_char(&packed, '\r');
		str_take_char(&packed, '\n');
		packed = str_slice(packed, 0, str_find(packed, STR("endstream")));
		inflate_into(&to, MIN(budget, STREAM_MAX), packed);

		/* What fails at once still costs, so that a file of such streams ends. */
		budget -= MIN(budget, to.n + 4096);
		/* Links are slices of it, so it must outlive the next stream. */
		if (str_find(buf_str(&to), STR("/URI")) != STR_NONE)
			find_uris(l, arena_copy(l->arena, buf_str(&to)));
		from += packed.n;
	}
}

void pdf_read(struct str pdf, const struct page_options *options, struct arena *a,
	      struct page *ret)
{
	struct links l;

	links_start(&l, page_options_filled(options).max_links, a);
	ret->kind = PAGE_PDF;
	find_uris(&l, pdf);
	find_in_streams(&l, pdf);
	ret->links = l.v;
	ret->n_links = l.n;
	ret->cut |= (l.cut ? CUT_LINKS : 0) | (l.url_cut ? CUT_URL : 0);
}
