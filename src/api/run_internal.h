/* run_internal.h - the engine's own state, for run*.c alone. */
#ifndef API_RUN_INTERNAL_H
#define API_RUN_INTERNAL_H

#include "api/harvest.h"
#include "api/run.h"
#include "kb/kb.h"
#include "kb/writer.h"

/* A request in flight. */
struct flight {
	struct flight *next; /* in the pool */
	struct api_run *run;
	struct api_request request;
	struct fetch_task task;
	struct arena arena;
	struct buf body;
	uint32_t stream, endpoint;
	bool is_login;
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
	struct work_counts *counts_before; /* per campaign: of earlier runs */
	bool *is_begun;                    /* a round is open */
	struct kb kb;
	bool has_kb;
	uint64_t *kb_bytes; /* per campaign: of triples.nq that are in the kb */
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
must_use enum status api_run_end_rounds(struct api_run *r, struct diag *why);
/* A stream begins: into the machine and the journal. */
must_use enum status api_run_add_stream(struct api_run *r, const struct stream_start *s,
					struct diag *why);
/* run_answer.c */
void api_run_on_done(void *ctx, void *cookie, struct fetch_result *result);
/* api_run_commit.c */
must_use enum status api_run_commit(struct api_run *r, bool at_end, struct diag *why);
void flight_free(struct flight *f);
#endif
