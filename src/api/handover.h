/*
 * handover.h - links of campaigns on their way to a running web crawl.
 *
 * After each commit the lines that links.jsonl got go to the crawl as demands with their
 * score: through its inbox, or over HTTP (POST /urls) when a server of the crawl holds
 * that.  NAME/state/handed says how far: what was not accepted is handed over again.  The
 * same URL twice is harmless to a crawl.  One thread.
 */
#ifndef API_HANDOVER_H
#define API_HANDOVER_H

#include "api/folder.h"
#include "service/request.h"

#define HANDOVER_MOST 5000 /* links at once */

struct handover {
	char *crawl_dir;   /* NULL: nobody wants them */
	uint64_t *handed;  /* per campaign: bytes of links.jsonl */
	uint64_t *sending; /* where the present one ends */
	size_t n;
	uint32_t campaign; /* of the present one */
	bool is_sending;
	int64_t retry_ms; /* the server did not accept: not before */
};

void handover_release(struct handover *h);
/* `crawl_dir`: a folder of a crawl; ST_NOT_FOUND when it is none. */
must_use enum status handover_open(struct handover *h, const char *crawl_dir,
				   const struct campaign_folder *folders, size_t n,
				   struct diag *why);
/*
 * Links of a campaign to the inbox; true when `ret` must be sent instead, and then
 * handover_sent() be called.
 */
must_use bool handover_next(struct handover *h, const struct campaign_folder *folders,
			    int64_t now_ms, struct api_request *ret);
void handover_sent(struct handover *h, const struct campaign_folder *folders,
		   bool accepted, int64_t now_ms);
/* One line of links.jsonl; false when it is none. */
bool handover_parse(struct str line, struct buf *url, double *ret_score);
#endif
