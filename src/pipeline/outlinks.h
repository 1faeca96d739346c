/*
 * outlinks.h - the links of a page as they are stored with it, in its metadata record.
 *
 * Lines as Heritrix writes them: "outlink: URL L a/@href" with the hop and the place of
 * the link; and, as JSON, what else is known of each: anchor text, the paragraph around
 * it, rel, region and the hash of its tag path.  Pure.
 */
#ifndef PIPELINE_OUTLINKS_H
#define PIPELINE_OUTLINKS_H

#include "pipeline/item.h"
#include "spec/settings.h"

/* Before the links are decided, for some may be taken out then. */
void outlinks_add_lines(const struct crawl_item *i, struct buf *to);
/* {"url":..., "links":[...]}, one object. */
void outlinks_add_json(const struct crawl_item *i, struct buf *to);
/* `fields` and `outlinks` of the item, as --outlinks asks; in its arena. */
void outlinks_keep(struct crawl_item *i, enum outlinks how, struct buf *scratch);
#endif
