/*
 * harvest.h - from the bytes of an answer to what the crawl wants of it.
 *
 * Head, decoded body, page, links made absolute and normal with their keys.  Pure
 * but for the item; each worker has its own scratch.
 */
#ifndef PIPELINE_HARVEST_H
#define PIPELINE_HARVEST_H

#include "apps/scan.h"
#include "base/map.h"
#include "focus/focus.h"
#include "pipeline/item.h"
#include "siteapi/siteapi.h"
#include "spec/settings.h"

struct harvest {
	const struct crawl_settings *settings;
	struct focus_worker *focus;        /* NULL: nothing is looked for */
	struct app_scan *apps;             /* NULL: no descriptions are used */
	const struct site_services *sites; /* NULL: no API of a site is read */
	struct buf scratch[4];
	struct buf encoded; /* a link in the page's charset */
	struct str body;    /* of the present page, without its coding, or as rendered */
	struct map seen;    /* links of the present page, each once */
	struct discovery *links;
	const struct link *origin, **origins; /* of the present link; of each */
	size_t origins_cap;
	size_t n, cap;
};

void harvest_release(struct harvest *h);
/* "text/html" of "Text/HTML; charset=x", in lower case. */
struct str mime_essence(struct arena *a, struct str content_type);
/* The fields of the head; on the loop, which decides by them, or in a worker. */
void harvest_head(struct crawl_item *i);
void harvest_item(struct harvest *h, struct crawl_item *i);

/*
 * One link, `text` as written, relative to `base`, in scratch[3] or elsewhere: its number
 * among the links of the harvest, STR_NONE when it is none.
 */
size_t harvest_add_link(struct harvest *h, struct crawl_item *i, struct str text,
			const struct url *base, uint8_t hop);
/* How a link of this kind is recorded: enum hop; 0 for one that is never followed. */
uint8_t hop_of_link(const struct link *l);
#endif
