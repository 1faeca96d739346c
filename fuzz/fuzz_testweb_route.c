/* Any URL has a place; the place's own URL leads back to the same page. */
#include <stdlib.h>

#include "testweb/route.h"
#include "testweb/truth.h"
#include "testweb/way.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct world w;
	static struct buf url;
	struct place p, back;

	if (!w.sites) {
		struct world_options o;
		struct diag why;

		world_options_default(&o);
		o.pages = 500;
		o.hosts = 16;
		o.ways = (1u << WAYS) - 1;
		if (world_init(&w, &o, &why) != ST_OK)
			return 0;
	}
	if (size < 1)
		return 0;
	/* The first byte chooses the host, so that the fuzzer need not find one. */
	struct place front = { .site = data[0] % w.n_sites, .view = VIEW_FRONT };
	buf_reset(&url);
	link_write(&w, &front, true, &url);
	buf_add(&url, (struct str){ (const char *)data + 1, size - 1 });
	if (!route_url(&w, buf_str(&url), &p) || p.site == NO_SITE)
		return 0;
	if (p.view > VIEW_ARCHIVE && p.view < VIEW_HIDDEN)
		return 0;
	p.alias = 0;
	buf_reset(&url);
	link_write(&w, &p, true, &url);
	if (!route_url(&w, buf_str(&url), &back) ||
	    truth_of(&w, &p).page != truth_of(&w, &back).page || back.alias)
		abort();
	return 0;
}
