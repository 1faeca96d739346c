/*
 * probes.h - one URL a host that cannot exist, asked for to learn what the host says
 * when a page is not there.
 *
 * Hosts that answer such a URL with 200 have "soft 404" pages; what the index of
 * duplicates finds like the probe's answer is one.  Asked once a host, behind its first
 * page.  A view of the journal; owned by the loop thread.
 */
#ifndef HOSTS_PROBES_H
#define HOSTS_PROBES_H

#include "base/arena.h"
#include "base/map.h"
#include "url/url.h"

struct probes {
	struct map hosts; /* hash of a host that was asked */
};

void probes_release(struct probes *p);
/* True the first time. */
bool probes_note(struct probes *p, struct str host);
/* The URL that cannot exist on the origin of `u`; the same for all time. */
struct str probe_url(const struct url *u, struct arena *a);
/*
 * May a page be taken for "not there"?  A front page never: some hosts show it for
 * every URL they do not know.
 */
bool probe_may_judge(const struct url *u, bool is_seed);
#endif
