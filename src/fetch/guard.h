/*
 * guard.h - which addresses a crawl may connect to.
 *
 * Public ones, always.  Others only where the user said so: all of them
 * (--allow-private), a place he pinned himself (hosts file, --connect-to), or what
 * the name of a seed led to when it was first resolved.  The exemption of a seed is for
 * those addresses, not for its name: a name that is re-pointed later into a private
 * network gains nothing, and a metadata service of a cloud is never exempt.
 *
 * The guard is asked twice for a connection: before libcurl is told where to go, and when
 * it opens a socket (guard_address_listed()).  The second needs no trust in the first.
 * Belongs to the loop's thread.
 */
#ifndef FETCH_GUARD_H
#define FETCH_GUARD_H

#include <sys/socket.h>

#include "base/intern.h"
#include "fetch/dns.h"

struct guard {
	bool allow_private;   /* every address is fine */
	struct intern exempt; /* hosts of seeds */
	struct exemption *v;  /* by id of `exempt` */
	size_t cap;
};

void guard_release(struct guard *g);
/* A seed stands there: the addresses of its first resolution are fine for this host. */
void guard_exempt(struct guard *g, struct str host);
/* Whether the next answer for `host` is the one that will be remembered. */
bool guard_awaits_first(const struct guard *g, struct str host);
/*
 * What may be connected to of `a`, which is the present answer for `host`; n == 0 when
 * nothing may.  The first answer for an exempt host is the one that is remembered.
 */
struct dns_answer guard_filter(struct guard *g, struct str host,
			       const struct dns_answer *a);
/*
 * For a host that a proxy resolves: false for addresses and names of this machine or its
 * networks.  What a public name leads to, only the proxy can know.
 */
bool guard_permits_unresolved(const struct guard *g, struct str host);
/* Is this very address one of `a`?  False for what is neither IPv4 nor IPv6. */
bool guard_address_listed(const struct dns_answer *a, const struct sockaddr *to);
#endif
