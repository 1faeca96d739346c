/*
 * suffix.h - public suffixes and pay-level domains, by the list that libpsl
 * carries.  Pure; the cache belongs to one thread, the rest to any.
 *
 * Hosts are as in `struct url`: lower case, IDNA's ASCII form.
 */
#ifndef URL_SUFFIX_H
#define URL_SUFFIX_H

#include "base/str.h"

/* Is `host` a public suffix itself: com, co.uk, github.io? */
bool suffix_is_public(struct str host);
/* Does the public list know the last label of `host`?  "org", "uk": yes; "lst": no. */
bool suffix_is_listed(struct str host);
/*
 * The registrable domain, as a slice of `host`: the public suffix and one label
 * before it.  Empty for addresses, for public suffixes, and for bad names.
 */
struct str suffix_registrable(struct str host);
/*
 * What politeness and budgets count as one site: the registrable domain, or
 * the host itself where there is none.
 */
struct str suffix_site(struct str host);

/*
 * The same answers, remembered: links of a page name few hosts.  A zeroed
 * struct is an empty cache; it owns no memory.
 */
#define SUFFIX_CACHE_SLOTS 4096
struct suffix_cache {
	struct {
		uint64_t hash;
		uint32_t host_n, site_n;
	} slots[SUFFIX_CACHE_SLOTS];
};
struct str suffix_site_cached(struct suffix_cache *c, struct str host);
#endif
