#include "url/percent.h"

/*
 * Each set of the standard contains the one before it, so a byte is written as
 * the smallest set that has it and the macro adds the larger ones.
 */
#define IN_USERINFO CLASS_USERINFO
#define IN_PATH     (CLASS_PATH | IN_USERINFO)
#define IN_QUERY    (CLASS_QUERY | CLASS_SPECIAL_QUERY | IN_PATH)
#define IN_CONTROL  (CLASS_CONTROL | CLASS_FRAGMENT | IN_QUERY)
#define BAD_HOST    (CLASS_BAD_HOST | CLASS_BAD_DOMAIN)
#define LETTER      (CLASS_UNRESERVED | CLASS_SCHEME)
#define PLAIN       (LETTER | CLASS_HOST_PLAIN)

const uint16_t url_class[256] = {
	[0x00] = IN_CONTROL | BAD_HOST,
	[0x01 ... 0x08] = IN_CONTROL | CLASS_BAD_DOMAIN,
	['\t' ... '\n'] = IN_CONTROL | BAD_HOST,
	[0x0b ... 0x0c] = IN_CONTROL | CLASS_BAD_DOMAIN,
	['\r'] = IN_CONTROL | BAD_HOST,
	[0x0e ... 0x1f] = IN_CONTROL | CLASS_BAD_DOMAIN,
	[0x7f] = IN_CONTROL | CLASS_BAD_DOMAIN,
	[0x80 ... 0xff] = IN_CONTROL,
	[' '] = CLASS_FRAGMENT | IN_QUERY | BAD_HOST,
	['"'] = CLASS_FRAGMENT | IN_QUERY,
	['<'] = CLASS_FRAGMENT | IN_QUERY | BAD_HOST,
	['>'] = CLASS_FRAGMENT | IN_QUERY | BAD_HOST,
	['#'] = IN_QUERY | BAD_HOST,
	['\''] = CLASS_SPECIAL_QUERY | CLASS_SUB_DELIMS,
	['?'] = IN_PATH | BAD_HOST,
	['^'] = IN_PATH | BAD_HOST,
	['`'] = CLASS_FRAGMENT | IN_PATH,
	['{'] = IN_PATH,
	['}'] = IN_PATH,
	['/'] = IN_USERINFO | BAD_HOST,
	[':'] = IN_USERINFO | BAD_HOST,
	[';'] = IN_USERINFO | CLASS_SUB_DELIMS,
	['='] = IN_USERINFO | CLASS_SUB_DELIMS,
	['@'] = IN_USERINFO | BAD_HOST,
	['['] = IN_USERINFO | BAD_HOST,
	['\\'] = IN_USERINFO | BAD_HOST,
	[']'] = IN_USERINFO | BAD_HOST,
	['|'] = IN_USERINFO | BAD_HOST,
	['%'] = CLASS_BAD_DOMAIN,
	['!'] = CLASS_SUB_DELIMS,
	['$'] = CLASS_SUB_DELIMS,
	['&'] = CLASS_SUB_DELIMS,
	['('] = CLASS_SUB_DELIMS,
	[')'] = CLASS_SUB_DELIMS,
	['*'] = CLASS_SUB_DELIMS,
	['+'] = CLASS_SUB_DELIMS | CLASS_SCHEME,
	[','] = CLASS_SUB_DELIMS,
	['-'] = PLAIN,
	['.'] = PLAIN,
	['_'] = CLASS_UNRESERVED | CLASS_HOST_PLAIN,
	['~'] = CLASS_UNRESERVED,
	['0' ... '9'] = PLAIN,
	['A' ... 'Z'] = LETTER,
	['a' ... 'z'] = PLAIN,
};

void buf_add_percent(struct buf *b, char c)
{
	static const char digits[] = "0123456789ABCDEF";
	char *to = buf_reserve(b, 3);

	if (!to)
		return;
	to[0] = '%';
	to[1] = digits[(uint8_t)c >> 4];
	to[2] = digits[(uint8_t)c & 15];
	b->n += 3;
}

void buf_add_encoded(struct buf *b, struct str s, unsigned set)
{
	size_t from = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (!has_class(s.p[i], set))
			continue;
		buf_add(b, str_slice(s, from, i));
		buf_add_percent(b, s.p[i]);
		from = i + 1;
	}
	buf_add(b, str_skip(s, from));
}

int percent_value(struct str s)
{
	if (s.n < 3 || s.p[0] != '%')
		return -1;

	int high = ascii_hex_value(s.p[1]), low = ascii_hex_value(s.p[2]);

	return high < 0 || low < 0 ? -1 : high * 16 + low;
}

void buf_add_decoded(struct buf *b, struct str s)
{
	size_t at;

	while ((at = str_find_char(s, '%')) != STR_NONE) {
		int value = percent_value(str_skip(s, at));

		buf_add(b, str_slice(s, 0, at));
		buf_add_char(b, value < 0 ? '%' : (char)value);
		s = str_skip(s, at + (value < 0 ? 1 : 3));
	}
	buf_add(b, s);
}
