/* run_internal.h - the engine's own state, for run*.c alone. */
#ifndef API_RUN_INTERNAL_H
#define API_RUN_INTERNAL_H

#include "api/handover.h"
#include "api/harvest.h"
#include "api/run.h"
#include "kb/kb.h"
#include "kb/writer.h"

enum flight_kind {
	FLIGHT_PAGE,  /* of a stream */
	FLIGHT_LOGIN, /* a token of an endpoint */
	FLIGHT_LINKS, /* to a web crawl */
};

/* A request in flight. */
struct flight {
	struct flight *next; /* in the pool */
	struct api_run *run;
	struct api_request request;
	struct fetch_task task;
	struct arena arena;
	struct buf body;
	uint32_t stream, endpoint, slice_ms;
	enum flight_kind kind;
};

/* Requests per minute of the last hour. */
struct run_hour {
	int64_t minute; /* of the newest slot */
	uint64_t n[60];
	uint64_t before; /* requests when it was last looked at */
};

struct api_run {
	const struct api_outside *outside;
	const struct api_run_options *options;
	const struct campaign *campaigns;
	size_t n;
	struct loop loop;
	struct fetcher *fetcher;
	struct quota quota;
	struct work work;
	struct endpoint *endpoints; /* beside work.endpoints */
	uint64_t *endpoint_ids;
	uint32_t *first_endpoint; /* per campaign */
	struct campaign_folder *folders;
	struct run_hour *hours;            /* per campaign */
	struct work_counts *counts_before; /* per campaign: of earlier runs */
	bool *is_begun;                    /* a round is open */
	bool *again;                       /* another round is wanted: state/again */
	struct kb kb;
	bool has_kb;
	uint64_t *kb_bytes; /* per campaign: of triples.nq that are in the kb */
	struct handover handover;
	struct api_harvest harvest;
	struct api_answer answer;
	struct buf decoded, redacted_url, redacted_request;
	struct flight *pool;
	size_t in_flight;
	int64_t committed_ms;
	bool is_stopping;
	enum status st; /* the first failure of a callback */
	struct diag why;
	struct arena arena;
};

static inline int64_t api_run_now(const struct api_run *r)
{
	return clock_wall_ms(r->outside->clock);
}

/* run_setup.c */
must_use enum status api_run_open(struct api_run *r, struct diag *why);
void api_run_release(struct api_run *r);
/* run_rounds.c: begin or resume rounds that are due; when the next one is. */
must_use enum status api_run_begin_rounds(struct api_run *r, int64_t *ret_next_ms,
					  struct diag *why);
char *api_run_again(struct api_run *r, uint32_t campaign);
must_use enum status api_run_end_rounds(struct api_run *r, struct diag *why);
/* A stream begins: into the machine and the journal. */
must_use enum status api_run_add_stream(struct api_run *r, const struct stream_start *s,
					struct diag *why);
/* The same, from where its cursor stands. */
must_use enum status api_run_begin_stream(struct api_run *r, const struct stream_start *s,
					  struct diag *why);
/* run_answer.c */
void api_run_on_done(void *ctx, void *cookie, struct fetch_result *result);
/* api_run_commit.c */
must_use enum status api_run_commit(struct api_run *r, bool at_end, struct diag *why);
void flight_free(struct flight *f);
#endif
