/*
 * harvest.h - from the items of an answer to triples, lines, links and further requests.
 *
 * An item that was there before, and is the same, brings nothing; one that changed is
 * written again.  Everything goes to buffers of the folder; nothing is committed here.
 */
#ifndef API_HARVEST_H
#define API_HARVEST_H

#include "api/folder.h"
#include "service/request.h"

/* A chained request that an item asks for. */
typedef void harvest_chain_fn(void *arg, const struct api_chain *c,
			      const struct var *params, size_t n);

struct api_harvest {
	struct campaign_folder *folder;
	const struct endpoint *endpoint;
	const struct api_interaction *interaction;
	const struct api_scope *vars; /* of the request, then of the service */
	struct str graph, keyword;
	const struct str_list *keywords; /* of the campaign, for `match`; may be NULL */
	struct str record;               /* id of the WARC record, 36 characters */
	int64_t fetched_ms;
	harvest_chain_fn *chain;
	void *arg;
	/* what came of it */
	size_t items, new_items, changed, triples, links;
	uint64_t page_hash;
	struct buf seen; /* pairs of u64 for the journal */
	struct buf best; /* the greatest incremental value; may begin with an older one */
	/* scratch */
	struct buf raw, id, subject, value, text;
};

void api_harvest_release(struct api_harvest *h);
void api_harvest_page(struct api_harvest *h, const struct json *root);
/* The keyword as whole words of the text, ASCII letters of either case. */
bool text_has_keyword(struct str text, struct str keyword);
/* Whether `b` is later than `a`: as numbers where both are, else as text. */
bool increment_is_later(struct str a, struct str b);
/*
 * `{since}` for a value: one second earlier when it is a time, because what was written
 * in the same second after we looked would be lost otherwise.
 */
void increment_since(struct str value, struct buf *to);
/* An IRI that is one: what may not stand in it is percent-encoded; false without scheme.
 */
bool iri_add_safe(struct str text, struct buf *to);
#endif
