#include "focus/blacklist.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "focus/focus.h"

#define ENTRY_BYTES_MAX 2048u

struct blacklist {
	struct map hosts, urls; /* hashes of entries */
};

void blacklist_close(struct blacklist *b)
{
	if (!b)
		return;
	map_release(&b->hosts);
	map_release(&b->urls);
	free(b);
}

static uint64_t hash_nocase(struct str s)
{
	char text[ENTRY_BYTES_MAX];

	for (size_t i = 0; i < s.n; i++)
		text[i] = ascii_lower(s.p[i]);
	return hash64((struct str){ text, s.n });
}

/* The last word of the line: hosts files have an address before it. */
static struct str entry_of(struct str line)
{
	line = str_trim(str_slice(line, 0, str_find_char(line, '#')));
	for (size_t i = line.n; i > 0; i--)
		if (line.p[i - 1] == ' ' || line.p[i - 1] == '\t')
			return str_skip(line, i);
	return line;
}

static void add_entry(struct blacklist *b, struct str entry)
{
	if (str_find(entry, STR("://")) != STR_NONE) {
		while (entry.n > 0 && entry.p[entry.n - 1] == '/')
			entry.n--;
		map_add(&b->urls, hash64(entry), NULL);
		return;
	}
	str_take_prefix(&entry, STR("*."));
	str_take_char(&entry, '.');
	if (entry.n > 0)
		map_add(&b->hosts, hash_nocase(entry), NULL);
}

enum status blacklist_open(struct blacklist **ret, struct str text, struct diag *why)
{
	struct blacklist *b = NEW(struct blacklist);
	struct str line;

	for (size_t nr = 1; str_take_until(&text, '\n', &line); nr++) {
		struct str entry = entry_of(line);

		if (entry.n > ENTRY_BYTES_MAX) {
			blacklist_close(b);
			return diag_fail(why, ST_TOO_LARGE,
					 "black list, line %zu: longer than %u bytes", nr,
					 ENTRY_BYTES_MAX);
		}
		if (entry.n > 0)
			add_entry(b, entry);
	}
	*ret = b;
	return ST_OK;
}

/* The host, and each domain that it is below. */
static struct str find_host(const struct blacklist *b, struct str host)
{
	host = str_slice(host, 0, str_find_char(host, ':'));
	if (host.n > ENTRY_BYTES_MAX)
		return STR("");
	while (host.n > 0) {
		size_t dot = str_find_char(host, '.');

		if (map_find(&b->hosts, hash_nocase(host)))
			return host;
		host = dot == STR_NONE ? STR("") : str_skip(host, dot + 1);
	}
	return STR("");
}

static bool ends_part(char c)
{
	return c == '/' || c == '?' || c == '&' || c == '#';
}

struct str blacklist_find(const struct blacklist *b, struct str url)
{
	size_t scheme = str_find(url, STR("://"));

	if (scheme == STR_NONE)
		return STR("");
	struct str rest = str_skip(url, scheme + 3);
	struct str found = find_host(b, str_slice(rest, 0, str_find_char(rest, '/')));
	if (found.n > 0 || b->urls.n == 0)
		return found;
	for (size_t i = scheme + 3; i <= url.n && i <= ENTRY_BYTES_MAX; i++)
		if ((i == url.n || ends_part(url.p[i])) &&
		    map_find(&b->urls, hash64(str_slice(url, 0, i))))
			return str_slice(url, 0, i);
	return STR("");
}

void module_blacklist(struct focus_page *p)
{
	const struct blacklist *b = p->w->focus->blacklist;

	for (size_t k = 0; b && k < p->in->n; k++) {
		struct discovery *d = &p->in->links[k];
		struct str entry = blacklist_find(b, d->url);

		if (entry.n > 0) {
			d->veto = VETO_BLACKLIST;
			d->veto_by = entry;
		}
	}
}
