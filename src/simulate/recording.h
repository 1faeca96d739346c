/*
 * recording.h - what a crawl folder has of the order in which everything happened: the
 * events of each process, and the answer of each request.
 */
#ifndef SIMULATE_RECORDING_H
#define SIMULATE_RECORDING_H

#include "base/map.h"
#include "journal/trace.h"
#include "simulate/recorded_web.h"

/* What the journal has of an answer that was judged. */
struct recorded_done {
	int64_t start_ms;
	uint32_t answer; /* in the recorded web; RECORDED_NONE: nothing came */
	uint64_t body_bytes;
	bool is_archived;
};

struct recorded_process {
	struct trace_event *events;
	size_t n, cap;
	struct recorded_done *dones; /* in the order of judging */
	size_t n_dones, dones_cap;
	struct map done_of;  /* request -> its done */
	struct str settings; /* what was not the default */
	uint64_t seeds;      /* of crawl.yaml, the first so many */
	uint8_t flags;       /* enum begin_flag */
	bool ended;          /* in an orderly way */
	int blind;           /* enum trace_blind, or -1 */
};

struct recording {
	struct recorded_web web;
	struct recorded_process *v;
	size_t n, cap;
	struct arena text;
	struct map places; /* hash of WARC file and offset -> answer */
	bool is_damaged;   /* a trace that cannot be read */
};

must_use enum status recording_read(struct recording *r, const char *dir,
				    struct diag *why);
void recording_release(struct recording *r);
/* Of a request that was judged, or NULL. */
const struct recorded_done *recorded_done_of(const struct recorded_process *p,
					     uint64_t request);
#endif
