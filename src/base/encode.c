#include "base/encode.h"

static const char HEX[] = "0123456789abcdef";
static const char BASE32[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
static const char BASE64[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void buf_add_hex(struct buf *b, struct str bytes)
{
	for (size_t i = 0; i < bytes.n; i++) {
		buf_add_char(b, HEX[(uint8_t)bytes.p[i] >> 4]);
		buf_add_char(b, HEX[(uint8_t)bytes.p[i] & 15]);
	}
}

void buf_add_hex64(struct buf *b, uint64_t v)
{
	for (int shift = 60; shift >= 0; shift -= 4)
		buf_add_char(b, HEX[(v >> shift) & 15]);
}

/* `bits` bits a digit; pad until a multiple of `group` digits. */
static void add_digits(struct buf *b, struct str in, unsigned bits, unsigned group,
		       const char *alphabet)
{
	uint32_t hold = 0, mask = (1u << bits) - 1;
	unsigned have = 0, written = 0;

	for (size_t i = 0; i < in.n; i++) {
		hold = hold << 8 | (uint8_t)in.p[i];
		for (have += 8; have >= bits; have -= bits, written++)
			buf_add_char(b, alphabet[(hold >> (have - bits)) & mask]);
	}
	if (have) {
		buf_add_char(b, alphabet[(hold << (bits - have)) & mask]);
		written++;
	}
	for (; written % group; written++)
		buf_add_char(b, '=');
}

void buf_add_base32(struct buf *b, struct str bytes)
{
	add_digits(b, bytes, 5, 8, BASE32);
}

void buf_add_base64(struct buf *b, struct str bytes)
{
	add_digits(b, bytes, 6, 4, BASE64);
}

static int base32_value(char c)
{
	if (ascii_is_alpha(c))
		return ascii_lower(c) - 'a';
	return c >= '2' && c <= '7' ? c - '2' + 26 : -1;
}

static int base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (ascii_is_digit(c))
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static enum status take_digits(struct buf *b, struct str text, unsigned bits,
			       int (*value_of)(char))
{
	uint32_t hold = 0;
	unsigned have = 0;
	size_t start = b->n;

	while (text.n && text.p[text.n - 1] == '=')
		text.n--;
	for (size_t i = 0; i < text.n; i++) {
		int v = value_of(text.p[i]);

		if (v < 0) {
			b->n = start;
			return ST_SYNTAX;
		}
		hold = hold << bits | (uint32_t)v;
		have += bits;
		if (have >= 8) {
			have -= 8;
			buf_add_char(b, (char)(hold >> have));
		}
	}
	return buf_status(b);
}

enum status buf_add_unhex(struct buf *b, struct str text)
{
	if (text.n % 2)
		return ST_SYNTAX;
	return take_digits(b, text, 4, ascii_hex_value);
}

enum status buf_add_unbase32(struct buf *b, struct str text)
{
	return take_digits(b, text, 5, base32_value);
}

enum status buf_add_unbase64(struct buf *b, struct str text)
{
	return take_digits(b, text, 6, base64_value);
}

static struct str markup_of(char c)
{
	switch (c) {
	case '&':
		return STR("&amp;");
	case '<':
		return STR("&lt;");
	case '>':
		return STR("&gt;");
	case '"':
		return STR("&quot;");
	default:
		return STR("");
	}
}

void buf_add_markup(struct buf *b, struct str text)
{
	size_t from = 0;

	for (size_t i = 0; i < text.n; i++) {
		struct str as = markup_of(text.p[i]);

		if (as.n == 0)
			continue;
		buf_add(b, str_slice(text, from, i));
		buf_add(b, as);
		from = i + 1;
	}
	buf_add(b, str_skip(text, from));
}
