#include "record/rendering.h"

#include <stdlib.h>

#include "base/alloc.h"

void rendering_free(struct rendering *r)
{
	if (!r)
		return;
	buf_release(&r->dom);
	buf_release(&r->plain);
	buf_release(&r->picture);
	free(r->urls);
	arena_release(&r->text);
	free(r);
}

void rendering_add_url(struct rendering *r, struct str url, uint8_t hop)
{
	if (r->n_urls < RENDERED_URLS_MAX)
		VEC_ADD(r->urls, r->n_urls, r->urls_cap,
			(struct rendered_url){ arena_copy(&r->text, url), hop });
}
