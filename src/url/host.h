/*
 * host.h - the host of a URL: parsing by the URL standard, and what kind of
 * machine an address names, for the guard that keeps a crawl off private
 * networks.  Pure.
 */
#ifndef URL_HOST_H
#define URL_HOST_H

#include "url/url.h"

/*
 * Append the serialised host.  `special` as of the URL's scheme.  ST_SYNTAX
 * where the standard says failure; then what was added must be thrown away.
 */
must_use enum status host_parse(struct str input, bool special, struct buf *to,
				enum host_kind *ret_kind, struct diag *why);

/* An address in network order; 4 or 16 bytes of it count. */
struct ip {
	uint8_t bytes[16];
	uint8_t n; /* 4 or 16 */
};

/* The standard's IPv4 forms (hex, octal, one to four parts). */
must_use enum status ipv4_parse(struct str input, struct ip *ret);
/* Without brackets. */
must_use enum status ipv6_parse(struct str input, struct ip *ret);
/* A host as it stands in `struct url`; false for names. */
bool host_to_ip(struct str host, struct ip *ret);
/* IPv6 in its shortest form, without brackets. */
void buf_add_ip(struct buf *b, const struct ip *ip);

/* What an address is for.  All but IP_PUBLIC are refused unless allowed by name. */
enum ip_kind {
	IP_PUBLIC = 0,
	IP_UNSPECIFIED, /* 0.0.0.0/8, :: */
	IP_LOOPBACK,
	IP_PRIVATE,    /* RFC 1918, unique local, shared address space */
	IP_LINK_LOCAL, /* without the metadata services */
	IP_METADATA,   /* where clouds keep their secrets: 169.254.169.254 ... */
	IP_MULTICAST,
	IP_RESERVED, /* documentation, benchmarking, future use, broadcast */
};

/* Looks through IPv4 in IPv6 (mapped, compatible, NAT64, 6to4, Teredo). */
enum ip_kind ip_kind(const struct ip *ip);
const char *ip_kind_name(enum ip_kind kind);

/* A name that means this machine or network whatever DNS says: localhost, *.internal ...
 */
bool host_is_local_name(struct str host);
/*
 * What people take for the same site: without "www.", "www2." ... in front, all of them,
 * but never down to a single label ("www.com" stays).  A port behind the host is kept.
 */
struct str host_without_www(struct str host);
/* `host` is `domain` or lies under it: a.b.example under example, never aexample. */
bool host_within(struct str host, struct str domain);
#endif
