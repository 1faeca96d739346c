#include "url/suffix.h"

#include <libpsl.h>
#include <string.h>

#include "base/hash.h"
#include "url/host.h"

/* RFC 1035's 253, and a NUL for libpsl; longer names are in no list. */
#define HOST_MAX 254

static bool copy_name(struct str host, char *name)
{
	if (host.n && host.p[host.n - 1] == '.')
		host.n--;
	if (host.n == 0 || host.n >= HOST_MAX || host.p[0] == '[' || host.p[0] == '.' ||
	    memchr(host.p, '\0', host.n))
		return false;
	memcpy(name, host.p, host.n);
	name[host.n] = '\0';
	return true;
}

bool suffix_is_public(struct str host)
{
	char name[HOST_MAX];
	struct ip ip;

	return copy_name(host, name) && !host_to_ip(host, &ip) &&
	       psl_is_public_suffix(psl_builtin(), name);
}

bool suffix_is_listed(struct str host)
{
	char name[HOST_MAX];

	if (!copy_name(host, name))
		return false;
	const char *dot = strrchr(name, '.');
	return psl_is_public_suffix2(psl_builtin(), dot ? dot + 1 : name,
				     PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE);
}

struct str suffix_registrable(struct str host)
{
	char name[HOST_MAX];
	const char *found;
	struct ip ip;

	if (!copy_name(host, name) || host_to_ip(host, &ip) ||
	    !(found = psl_registrable_domain(psl_builtin(), name)))
		return (struct str){ host.p, 0 };
	/* With the trailing dot, if there was one. */
	return str_skip(host, (size_t)(found - name));
}

struct str suffix_site(struct str host)
{
	struct str found = suffix_registrable(host);

	return found.n ? found : host;
}

struct str suffix_site_cached(struct suffix_cache *c, struct str host)
{
	uint64_t hash = hash64(host);
	__typeof__(c->slots[0]) *slot = &c->slots[hash % SUFFIX_CACHE_SLOTS];

	if (slot->hash != hash || slot->host_n != host.n || slot->site_n == 0) {
		slot->hash = hash;
		slot->host_n = (uint32_t)host.n;
		slot->site_n = (uint32_t)suffix_site(host).n;
	}
	return str_skip(host, host.n - slot->site_n);
}
