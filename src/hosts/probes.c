#include "hosts/probes.h"

#include "base/encode.h"
#include "base/hash.h"

void probes_release(struct probes *p)
{
	map_release(&p->hosts);
}

bool probes_note(struct probes *p, struct str host)
{
	bool is_new;

	map_add(&p->hosts, hash64(host), &is_new);
	return is_new;
}

struct str probe_url(const struct url *u, struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add(&b, (struct str){ u->href.p, (size_t)(u->path.p - u->href.p) });
	/* A word, so that it looks like a page; a number, so that there is none. */
	buf_add(&b, STR("/no-such-page-"));
	buf_add_hex64(&b, hash_mix(hash64(u->host)));
	return arena_copy(a, buf_str(&b));
}

bool probe_may_judge(const struct url *u, bool is_seed)
{
	return !is_seed && (!str_eq(u->path, STR("/")) || u->query.n > 0);
}
