#include "web/charset.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>
#include <uchardet/uchardet.h>

#include "base/utf8.h"
#include "url/percent.h"
#include "web/charset_internal.h"

#define LABEL_MAX 40
/* Guessing is slow (up to milliseconds a kilobyte) and needs no more. */
#define GUESS_MAX_BYTES ((size_t)16 * 1024)

const struct charset *charset_utf8(void)
{
	return &charsets[0];
}

const char *charset_name(const struct charset *c)
{
	return c->name;
}

static bool has_label(const struct charset *c, struct str label)
{
	struct str all = str_from(c->labels), one;

	while (str_take_until(&all, ' ', &one))
		if (str_eq(one, label))
			return true;
	return false;
}

const struct charset *charset_find(struct str label)
{
	char lower[LABEL_MAX];

	label = str_trim(label);
	if (label.n == 0 || label.n > sizeof(lower))
		return NULL;
	for (size_t i = 0; i < label.n; i++)
		lower[i] = ascii_lower(label.p[i]);
	label.p = lower;
	for (size_t i = 0; i < charsets_n; i++)
		if (has_label(&charsets[i], label))
			return &charsets[i];
	return NULL;
}

const struct charset *charset_from_bom(struct str body, size_t *ret_n)
{
	*ret_n = 3;
	if (str_starts(body, STR("\xef\xbb\xbf")))
		return charset_utf8();
	*ret_n = 2;
	if (str_starts(body, STR("\xfe\xff")))
		return charset_find(STR("utf-16be"));
	if (str_starts(body, STR("\xff\xfe")))
		return charset_find(STR("utf-16le"));
	*ret_n = 0;
	return NULL;
}

/* Without its last, maybe torn, sequence.  ASCII does, too. */
static bool looks_like_utf8(struct str body)
{
	return utf8_valid_prefix(body) + 3 >= body.n;
}

static const struct charset *guess(struct str body)
{
	uchardet_t detector = uchardet_new();
	const struct charset *found = NULL;

	if (!detector)
		return NULL;
	body = str_slice(body, 0, GUESS_MAX_BYTES);
	if (uchardet_handle_data(detector, body.p, body.n) == 0) {
		uchardet_data_end(detector);
		found = charset_find(str_from(uchardet_get_charset(detector)));
	}
	uchardet_delete(detector);
	return found;
}

static const struct charset *choose(struct str body, struct str label,
				    enum charset_source *source)
{
	const struct charset *c;
	size_t n;

	*source = CHARSET_FROM_BOM;
	if ((c = charset_from_bom(body, &n)))
		return c;
	*source = CHARSET_FROM_HTTP;
	if ((c = charset_find(label)))
		return c;
	*source = CHARSET_FROM_META;
	if ((c = charset_from_xml(body)) || (c = charset_prescan(body)))
		return c;
	*source = CHARSET_FROM_UTF8;
	if (looks_like_utf8(body))
		return charset_utf8();
	*source = CHARSET_FROM_GUESS;
	if ((c = guess(body)))
		return c;
	*source = CHARSET_FROM_DEFAULT;
	return &charsets[1];
}

const struct charset *charset_detect(struct str body, struct str label,
				     enum charset_source *ret_source)
{
	enum charset_source source;
	const struct charset *c = choose(body, label, &source);

	if (ret_source)
		*ret_source = source;
	return c;
}

/*
 * One byte that the converter could not read.  The standard maps what Windows
 * left open in 0x80 to 0x9f to the C1 controls of the same number.
 */
static void add_unreadable(const struct charset *c, uint8_t byte, struct buf *to)
{
	if (c->kind == CHARSET_SINGLE && byte >= 0x80 && byte <= 0x9f)
		buf_add_utf8(to, byte);
	else
		buf_add_utf8(to, UTF8_REPLACEMENT);
}

/* The character a converter held back, waiting for a combining mark. */
static void flush(iconv_t cd, struct buf *to)
{
	size_t room = 32;
	char *out = buf_reserve(to, room);

	if (!out)
		return;
	(void)!iconv(cd, NULL, NULL, &out, &room);
	to->n = (size_t)(out - to->p);
}

/* Run the converter over `in` until it is empty or `to` is full. */
static void convert(iconv_t cd, const struct charset *c, struct str in, struct buf *to)
{
	while (in.n && !to->overflow) {
		size_t room = MIN(in.n * 3 + 16, (size_t)64 * 1024);
		char *out = buf_reserve(to, room);

		if (!out)
			return;
		char *p = (char *)(uintptr_t)in.p;
		size_t got = iconv(cd, &p, &in.n, &out, &room);
		int error = errno;

		in.p = p;
		to->n = (size_t)(out - to->p);
		if (got != (size_t)-1 || error == E2BIG)
			continue;
		/* Flushing would also forget which set is in force. */
		if (c->kind != CHARSET_STATEFUL)
			flush(cd, to);
		add_unreadable(c, (uint8_t)in.p[0], to);
		if (error == EINVAL) /* a character torn off by the end */
			return;
		size_t skip = c->kind == CHARSET_WIDE ? MIN(in.n, 2) : 1;

		in = str_skip(in, skip);
	}
	flush(cd, to);
}

static void add_user_defined(struct str body, struct buf *to)
{
	for (size_t i = 0; i < body.n; i++) {
		uint8_t byte = (uint8_t)body.p[i];

		buf_add_utf8(to, byte < 0x80 ? byte : 0xf780u + byte - 0x80u);
	}
}

/* ASCII runs are copied; they are all there is in most legacy pages. */
static size_t ascii_run(const struct charset *c, struct str body)
{
	size_t n = 0;

	if (c->kind != CHARSET_SINGLE && c->kind != CHARSET_MULTI &&
	    c->kind != CHARSET_STATEFUL)
		return 0;
	while (n < body.n && (uint8_t)body.p[n] < 0x80 && body.p[n] != 0x1b)
		n++;
	return n;
}

void charset_to_utf8(const struct charset *c, struct str body, struct buf *to)
{
	size_t mark, ascii;

	if (charset_from_bom(body, &mark) == c)
		body = str_skip(body, mark);
	if (c->kind == CHARSET_UTF8) {
		buf_add_utf8_repaired(to, body);
		return;
	}
	if (c->kind == CHARSET_USER_DEFINED) {
		add_user_defined(body, to);
		return;
	}
	ascii = ascii_run(c, body);
	buf_add(to, str_slice(body, 0, ascii));
	body = str_skip(body, ascii);
	iconv_t cd = c->iconv ? iconv_open("UTF-8", c->iconv) : (iconv_t)-1;

	if (cd == (iconv_t)-1) {
		/* "replacement", or a libc without its converters. */
		if (body.n)
			buf_add_utf8(to, UTF8_REPLACEMENT);
		return;
	}
	convert(cd, c, body, to);
	iconv_close(cd);
}

/* As many bytes as convert; the rest starts with what did not. */
static void encode_some(iconv_t cd, struct str *in, struct buf *to)
{
	char bytes[512];
	char *out = bytes, *p = (char *)(uintptr_t)in->p;
	size_t room = sizeof(bytes);

	(void)!iconv(cd, &p, &in->n, &out, &room);
	in->p = p;
	buf_add(to, (struct str){ bytes, (size_t)(out - bytes) });
}

void charset_from_utf8(const struct charset *c, struct str text, struct buf *to)
{
	iconv_t cd = c->iconv && c->kind != CHARSET_WIDE ? iconv_open(c->iconv, "UTF-8")
							 : (iconv_t)-1;

	if (cd == (iconv_t)-1) {
		buf_add_utf8_repaired(to, text);
		return;
	}
	while (text.n && !to->overflow) {
		size_t before = text.n;

		encode_some(cd, &text, to);
		if (text.n && text.n == before)
			buf_addf(to, "&#%u;", (unsigned)utf8_take(&text));
	}
	iconv_close(cd);
}

static bool is_ascii(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((uint8_t)s.p[i] >= 0x80)
			return false;
	return true;
}

/* One character: its bytes in the encoding, or "&#N;", which is encoded as well. */
static void add_query_character(const struct charset *c, struct str character,
				struct buf *to)
{
	cleanup(buf_release) struct buf bytes = { 0 };

	charset_from_utf8(c, character, &bytes);
	bool missing = bytes.n > 3 && bytes.p[0] == '&' && bytes.p[1] == '#';

	for (size_t i = 0; i < bytes.n; i++)
		if (has_class(bytes.p[i], CLASS_SPECIAL_QUERY) ||
		    (missing && !ascii_is_digit(bytes.p[i])))
			buf_add_percent(to, bytes.p[i]);
		else
			buf_add_char(to, bytes.p[i]);
}

bool charset_encode_query(const struct charset *c, struct str link, struct buf *to)
{
	size_t hash = MIN(str_find_char(link, '#'), link.n);
	size_t mark = str_find_char(str_slice(link, 0, hash), '?');
	struct str query = str_slice(link, mark == STR_NONE ? hash : mark + 1, hash);

	if (c->kind == CHARSET_UTF8 || c->kind == CHARSET_WIDE || is_ascii(query))
		return false;
	buf_add(to, str_slice(link, 0, mark + 1));
	while (query.n) {
		struct str character = query;

		utf8_take(&query);
		character.n -= query.n;
		if (is_ascii(character))
			buf_add(to, character);
		else
			add_query_character(c, character, to);
	}
	buf_add(to, str_skip(link, hash));
	return true;
}
