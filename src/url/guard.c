/*
 * What an address is for, by the special-purpose registries of IANA.  The
 * crawl's guard asks this after every resolution, so a public name that points
 * into a private network is caught, too.
 */
#include <string.h>

#include "url/host.h"

struct block {
	uint8_t prefix[16];
	uint8_t bits;
	enum ip_kind kind;
};

/* The first match counts, so exceptions stand before what they except. */
static const struct block blocks4[] = {
	{ { 0 }, 8, IP_UNSPECIFIED },
	{ { 10 }, 8, IP_PRIVATE },
	{ { 100, 100, 100, 200 }, 32, IP_METADATA }, /* Alibaba */
	{ { 100, 64 }, 10, IP_PRIVATE },             /* shared address space */
	{ { 127 }, 8, IP_LOOPBACK },
	{ { 168, 63, 129, 16 }, 32, IP_METADATA },   /* Azure */
	{ { 169, 254, 169, 254 }, 32, IP_METADATA }, /* nearly everybody */
	{ { 169, 254, 169, 253 }, 32, IP_METADATA }, /* AWS's resolver */
	{ { 169, 254, 170, 2 }, 32, IP_METADATA },   /* AWS's tasks */
	{ { 169, 254, 170, 23 }, 32, IP_METADATA },
	{ { 169, 254 }, 16, IP_LINK_LOCAL },
	{ { 172, 16 }, 12, IP_PRIVATE },
	{ { 192, 0, 0, 192 }, 32, IP_METADATA }, /* Oracle */
	{ { 192, 0, 0 }, 24, IP_RESERVED },
	{ { 192, 0, 2 }, 24, IP_RESERVED },
	{ { 192, 88, 99 }, 24, IP_RESERVED },
	{ { 192, 168 }, 16, IP_PRIVATE },
	{ { 198, 18 }, 15, IP_RESERVED },
	{ { 198, 51, 100 }, 24, IP_RESERVED },
	{ { 203, 0, 113 }, 24, IP_RESERVED },
	{ { 224 }, 4, IP_MULTICAST },
	{ { 240 }, 4, IP_RESERVED },
};

static const struct block blocks6[] = {
	{ { 0 }, 128, IP_UNSPECIFIED },
	{ { [15] = 1 }, 128, IP_LOOPBACK },
	{ { 0xfd, 0x00, 0x0e, 0xc2, [14] = 0x02, 0x54 }, 128, IP_METADATA }, /* AWS */
	{ { 0xfd, 0x20, 0x00, 0xce, [14] = 0x02, 0x54 }, 128, IP_METADATA }, /* Google */
	{ { 0xfc }, 7, IP_PRIVATE },
	{ { 0xfe, 0x80 }, 10, IP_LINK_LOCAL },
	{ { 0xfe, 0xc0 }, 10, IP_PRIVATE }, /* site-local, given up but still routed */
	{ { 0xff }, 8, IP_MULTICAST },
	{ { 0x01, 0x00 }, 64, IP_RESERVED },             /* discard */
	{ { 0x20, 0x01, 0x0d, 0xb8 }, 32, IP_RESERVED }, /* documentation */
	{ { 0x3f, 0xff }, 20, IP_RESERVED },             /* documentation */
	{ { 0x20, 0x01, 0x00, 0x20 }, 28, IP_RESERVED }, /* ORCHIDv2 */
	{ { 0x20, 0x01, 0x00, 0x02 }, 48, IP_RESERVED }, /* benchmarking */
	{ { 0x5f, 0x00 }, 16, IP_RESERVED },             /* segment routing */
};

static bool has_prefix(const uint8_t *address, const uint8_t *prefix, unsigned bits)
{
	unsigned bytes = bits / 8, rest = bits % 8;

	if (memcmp(address, prefix, bytes) != 0)
		return false;
	return rest == 0 || ((address[bytes] ^ prefix[bytes]) >> (8 - rest)) == 0;
}

static enum ip_kind find_kind(const struct block *blocks, size_t n,
			      const uint8_t *address)
{
	for (size_t i = 0; i < n; i++)
		if (has_prefix(address, blocks[i].prefix, blocks[i].bits))
			return blocks[i].kind;
	return IP_PUBLIC;
}

/* The IPv4 address inside an IPv6 one that is only a way to reach it, or NULL. */
static const uint8_t *embedded_ipv4(const uint8_t *a)
{
	static const uint8_t mapped[16] = { [10] = 0xff, 0xff }, compatible[16];
	static const uint8_t translated[16] = { [8] = 0xff, 0xff };
	static const uint8_t nat64[16] = { 0x00, 0x64, 0xff, 0x9b };

	if (has_prefix(a, mapped, 96) || has_prefix(a, nat64, 96) ||
	    has_prefix(a, translated, 96) ||
	    (has_prefix(a, compatible, 96) && (a[12] || a[13] || a[14] || a[15] > 1)))
		return a + 12;
	if (a[0] == 0x20 && a[1] == 0x02) /* 6to4 */
		return a + 2;
	return NULL;
}

enum ip_kind ip_kind(const struct ip *ip)
{
	static const uint8_t nat64_local[16] = { 0x00, 0x64, 0xff, 0x9b, 0x00, 0x01 };
	const uint8_t *inner = ip->n == 16 ? embedded_ipv4(ip->bytes) : ip->bytes;

	if (inner)
		return find_kind(blocks4, COUNT(blocks4), inner);
	if (has_prefix(ip->bytes, nat64_local, 48))
		return IP_PRIVATE;
	/* Teredo hides the client's address, inverted; nobody serves pages there. */
	if (memcmp(ip->bytes, "\x20\x01\0\0", 4) == 0)
		return IP_RESERVED;
	enum ip_kind kind = find_kind(blocks6, COUNT(blocks6), ip->bytes);
	/* Only 2000::/3 is given out for the Internet; the rest is nobody's yet. */
	return kind == IP_PUBLIC && (ip->bytes[0] & 0xe0) != 0x20 ? IP_RESERVED : kind;
}

const char *ip_kind_name(enum ip_kind kind)
{
	static const char *const names[] = {
		[IP_PUBLIC] = "public",         [IP_UNSPECIFIED] = "unspecified",
		[IP_LOOPBACK] = "loopback",     [IP_PRIVATE] = "private",
		[IP_LINK_LOCAL] = "link-local", [IP_METADATA] = "metadata service",
		[IP_MULTICAST] = "multicast",   [IP_RESERVED] = "reserved",
	};

	return names[kind];
}

bool host_to_ip(struct str host, struct ip *ret)
{
	if (host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
		return ipv6_parse(str_slice(host, 1, host.n - 1), ret) == ST_OK;
	/* In a parsed URL only an address ends in a digit after its last dot. */
	if (host.n == 0 || !ascii_is_digit(host.p[0]))
		return false;
	for (size_t i = 0; i < host.n; i++)
		if (!ascii_is_digit(host.p[i]) && host.p[i] != '.')
			return false;
	return ipv4_parse(host, ret) == ST_OK;
}

bool host_within(struct str host, struct str domain)
{
	if (host.n && host.p[host.n - 1] == '.')
		host.n--;
	if (domain.n == 0 || !str_ends(host, domain))
		return false;
	return host.n == domain.n || host.p[host.n - domain.n - 1] == '.';
}

bool host_is_local_name(struct str host)
{
	/* RFC 6761, RFC 6762, RFC 8375, RFC 9476, and what clouds call themselves. */
	static const struct str names[] = {
		{ "localhost", 9 },    { "local", 5 }, { "internal", 8 },
		{ "home.arpa", 9 },    { "lan", 3 },   { "intranet", 8 },
		{ "corp", 4 },         { "home", 4 },  { "private", 7 },
		{ "localdomain", 11 },
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (host_within(host, names[i]))
			return true;
	return false;
}
