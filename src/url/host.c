#include "url/host.h"

#include <string.h>

#include "base/utf8.h"
#include "url/idna.h"
#include "url/percent.h"

/* One part of an IPv4 number: decimal, 0octal or 0xhex; false when it is neither. */
static bool ipv4_number(struct str part, uint64_t *ret)
{
	unsigned base = 10;
	uint64_t value = 0;

	if (part.n == 0)
		return false;
	if (str_starts_nocase(part, STR("0x"))) {
		base = 16;
		part = str_skip(part, 2);
	} else if (part.n > 1 && part.p[0] == '0') {
		base = 8;
		part = str_skip(part, 1);
	}
	for (size_t i = 0; i < part.n; i++) {
		int digit = ascii_hex_value(part.p[i]);

		if (digit < 0 || (unsigned)digit >= base)
			return false;
		/* Past 32 bits the exact value no longer matters. */
		value = MIN(value * base + (unsigned)digit, (uint64_t)1 << 40);
	}
	*ret = value;
	return true;
}

static struct str last_label(struct str host)
{
	if (host.n && host.p[host.n - 1] == '.')
		host.n--;
	size_t dot = str_rfind_char(host, '.');

	return dot == STR_NONE ? host : str_skip(host, dot + 1);
}

/* The standard's "ends in a number": such a host is an IPv4 address or nothing. */
static bool ends_in_a_number(struct str host)
{
	struct str label = last_label(host);
	uint64_t value;
	size_t digits = 0;

	while (digits < label.n && ascii_is_digit(label.p[digits]))
		digits++;
	if (label.n && digits == label.n)
		return true;
	return str_starts_nocase(label, STR("0x")) && ipv4_number(label, &value);
}

enum status ipv4_parse(struct str input, struct ip *ret)
{
	uint64_t numbers[4], address = 0;
	struct str part;
	unsigned n = 0;

	if (input.n && input.p[input.n - 1] == '.')
		input.n--;
	if (input.n && input.p[input.n - 1] == '.')
		return ST_SYNTAX;
	while (str_take_until(&input, '.', &part))
		if (n == 4 || !ipv4_number(part, &numbers[n++]))
			return ST_SYNTAX;
	if (n == 0 || numbers[n - 1] >= (uint64_t)1 << (8 * (5 - n)))
		return ST_SYNTAX;
	for (unsigned i = 0; i + 1 < n; i++) {
		if (numbers[i] > 255)
			return ST_SYNTAX;
		address |= numbers[i] << (8 * (3 - i));
	}
	address |= numbers[n - 1];
	*ret = (struct ip){ .n = 4 };
	for (unsigned i = 0; i < 4; i++)
		ret->bytes[i] = (uint8_t)(address >> (8 * (3 - i)));
	return ST_OK;
}

/* The dotted tail of an IPv6 address: four plain decimals, nothing after them. */
static bool ipv6_dotted(struct str in, uint8_t *to)
{
	for (unsigned i = 0; i < 4; i++) {
		uint64_t v;

		if (i > 0 && !str_take_char(&in, '.'))
			return false;
		if (in.n > 1 && in.p[0] == '0' && ascii_is_digit(in.p[1]))
			return false;
		if (!str_take_uint(&in, 255, &v))
			return false;
		to[i] = (uint8_t)v;
	}
	return in.n == 0;
}

static unsigned take_hex16(struct str *in, unsigned *ret)
{
	unsigned n = 0;
	int digit;

	*ret = 0;
	while (n < 4 && n < in->n && (digit = ascii_hex_value(in->p[n])) >= 0) {
		*ret = *ret * 16 + (unsigned)digit;
		n++;
	}
	return n;
}

/* Pieces up to the end or "::"; returns how many bytes, or -1. */
static int ipv6_pieces(struct str *in, uint8_t *to, unsigned room)
{
	unsigned n = 0, value;

	for (;;) {
		unsigned digits = take_hex16(in, &value);

		if (digits < in->n && in->p[digits] == '.') {
			if (n + 4 > room || !ipv6_dotted(*in, to + n))
				return -1;
			in->n = 0;
			return (int)n + 4;
		}
		if (digits == 0 || n + 2 > room)
			return -1;
		to[n++] = (uint8_t)(value >> 8);
		to[n++] = (uint8_t)value;
		*in = str_skip(*in, digits);
		if (in->n == 0 || str_starts(*in, STR("::")))
			return (int)n;
		if (!str_take_char(in, ':'))
			return -1;
	}
}

enum status ipv6_parse(struct str in, struct ip *ret)
{
	struct ip ip = { .n = 16 };
	uint8_t tail[16];
	int head_n = 0, tail_n = 0;

	if (!str_starts(in, STR("::"))) {
		head_n = ipv6_pieces(&in, ip.bytes, 16);
		if (head_n < 0 || (in.n == 0 && head_n != 16))
			return ST_SYNTAX;
	}
	if (str_take_prefix(&in, STR("::"))) {
		/* "::" stands for at least one piece of zeros. */
		unsigned room = 16 - (unsigned)head_n;

		if (in.n && room >= 2)
			tail_n = ipv6_pieces(&in, tail, room - 2);
		if (room < 2 || tail_n < 0 || in.n)
			return ST_SYNTAX;
		if (tail_n)
			memcpy(ip.bytes + 16 - tail_n, tail, (size_t)tail_n);
	}
	*ret = ip;
	return ST_OK;
}

/* The longest run of two or more zero pieces, the first of equals (RFC 5952 4.2). */
static unsigned longest_zeros(const uint16_t *pieces, unsigned *ret_n)
{
	unsigned best = 8, best_n = 1;

	for (unsigned i = 0; i < 8; i++) {
		unsigned n = 0;

		while (i + n < 8 && pieces[i + n] == 0)
			n++;
		if (n > best_n) {
			best = i;
			best_n = n;
		}
		i += n;
	}
	*ret_n = best_n;
	return best;
}

static void add_ipv6(struct buf *b, const uint8_t *bytes)
{
	uint16_t pieces[8];
	unsigned gap_n, gap;

	for (unsigned i = 0; i < 8; i++)
		pieces[i] = (uint16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
	gap = longest_zeros(pieces, &gap_n);
	for (unsigned i = 0; i < 8; i++) {
		if (i == gap) {
			buf_add(b, i == 0 ? STR("::") : STR(":"));
			i += gap_n - 1;
			continue;
		}
		buf_addf(b, "%x", pieces[i]);
		if (i < 7)
			buf_add_char(b, ':');
	}
}

void buf_add_ip(struct buf *b, const struct ip *ip)
{
	if (ip->n == 16) {
		add_ipv6(b, ip->bytes);
		return;
	}
	for (unsigned i = 0; i < 4; i++) {
		if (i > 0)
			buf_add_char(b, '.');
		buf_add_uint(b, ip->bytes[i]);
	}
}

static enum status parse_bracketed(struct str input, struct buf *to, struct diag *why)
{
	struct ip ip;

	if (input.p[input.n - 1] != ']' ||
	    ipv6_parse(str_slice(input, 1, input.n - 1), &ip) != ST_OK)
		return diag_fail(why, ST_SYNTAX, "not an IPv6 address: " STR_FMT,
				 STR_ARG(str_slice(input, 0, 80)));
	buf_add_char(to, '[');
	buf_add_ip(to, &ip);
	buf_add_char(to, ']');
	return ST_OK;
}

static enum status parse_opaque(struct str input, struct buf *to, struct diag *why)
{
	for (size_t i = 0; i < input.n; i++)
		if (has_class(input.p[i], CLASS_BAD_HOST))
			return diag_fail(why, ST_SYNTAX,
					 "byte 0x%02x is not allowed in a host",
					 (uint8_t)input.p[i]);
	buf_add_encoded(to, input, CLASS_CONTROL);
	return ST_OK;
}

static enum status add_domain(struct str domain, struct buf *to, struct diag *why)
{
	bool ascii = true;
	size_t start = to->n;

	for (size_t i = 0; i < domain.n; i++)
		ascii &= (uint8_t)domain.p[i] < 0x80;
	/*
	 * An ASCII name is taken as it is, even one that is wrong Punycode: the
	 * standard gave way to the web in 2026.
	 */
	if (!ascii) {
		cleanup(buf_release) struct buf repaired = { 0 };

		buf_add_utf8_repaired(&repaired, domain);
		TRY(idna_to_ascii(buf_str(&repaired), to, why));
	} else {
		for (size_t i = 0; i < domain.n; i++)
			buf_add_char(to, ascii_lower(domain.p[i]));
	}
	for (size_t i = start; i < to->n; i++)
		if (has_class(to->p[i], CLASS_BAD_DOMAIN))
			return diag_fail(why, ST_SYNTAX,
					 "byte 0x%02x is not allowed in a domain",
					 (uint8_t)to->p[i]);
	if (to->n == start)
		return diag_fail(why, ST_SYNTAX, "the host is empty");
	return buf_status(to);
}

static enum status parse_domain(struct str input, struct buf *to,
				enum host_kind *ret_kind, struct diag *why)
{
	cleanup(buf_release) struct buf decoded = { 0 };
	size_t start = to->n;
	struct ip ip;

	if (str_find_char(input, '%') != STR_NONE) {
		buf_add_decoded(&decoded, input);
		input = buf_str(&decoded);
	}
	TRY(add_domain(input, to, why));
	struct str domain = { to->p + start, to->n - start };

	*ret_kind = HOST_DOMAIN;
	if (!ends_in_a_number(domain))
		return ST_OK;
	if (ipv4_parse(domain, &ip) != ST_OK)
		return diag_fail(why, ST_SYNTAX, "not an IPv4 address: " STR_FMT,
				 STR_ARG(str_slice(domain, 0, 80)));
	to->n = start;
	buf_add_ip(to, &ip);
	*ret_kind = HOST_IPV4;
	return ST_OK;
}

enum status host_parse(struct str input, bool special, struct buf *to,
		       enum host_kind *ret_kind, struct diag *why)
{
	if (input.n && input.p[0] == '[') {
		*ret_kind = HOST_IPV6;
		return parse_bracketed(input, to, why);
	}
	if (special)
		return parse_domain(input, to, ret_kind, why);
	*ret_kind = input.n ? HOST_OPAQUE : HOST_EMPTY;
	return parse_opaque(input, to, why);
}

struct str host_without_www(struct str host)
{
	for (;;) {
		struct str rest = host;
		uint64_t digits;

		if (!str_take_prefix(&rest, STR("www")))
			return host;
		str_take_uint(&rest, 999, &digits);
		if (!str_take_char(&rest, '.') || str_find_char(rest, '.') == STR_NONE)
			return host;
		host = rest;
	}
}
