/*
 * tally.h - a crawl folder counted: requests, new pages, duplicates, requests saved.
 *
 * Reads crawl.log, pages.jsonl and skipped.jsonl of a folder, line by line; a
 * line that makes no sense is counted and passed over.  Needs no state of the
 * crawl, so it works on folders of any age, and while a crawl runs.
 */
#ifndef REPORT_TALLY_H
#define REPORT_TALLY_H

#include "appreport/app_summary.h"
#include "base/intern.h"

#define CURVE_POINTS 200 /* of every plot over time or requests */
#define SIZE_CLASSES 24  /* powers of two, from 64 bytes */

/* What an answer was worth. */
enum fate {
	FATE_NEW,       /* a page that nobody had seen */
	FATE_EXACT,     /* the same bytes or the same text as another */
	FATE_NEAR,      /* nearly the same as another */
	FATE_CHANGED,   /* it says something else than at the last visit */
	FATE_UNCHANGED, /* the same as at the last visit */
	FATE_SOFT_404,  /* not there, whatever its status says */
	FATE_REDIRECT,
	FATE_REFUSED, /* 4xx and 5xx */
	FATE_FAILED,  /* no answer */
	FATE_OWN,     /* robots.txt, probes, checks: requests of the crawl itself */
	FATES,
};

/* Why a URL was not fetched, by what it would have been worth. */
enum sparing {
	SPARED_KNOWN,   /* a rule knows the page under another URL */
	SPARED_NOTHING, /* traps, and forms of URL that brought nothing new */
	SPARED_OUTSIDE, /* scope, robots.txt, limits */
	SPARINGS,
};

struct share {
	uint64_t requests, bytes;
};

struct host_tally {
	uint64_t requests, novel, duplicates, failed, bytes;
	uint64_t time_ms, slowest_ms;
};

/* Names with counts. */
struct counts {
	struct intern names;
	uint64_t *n;
	size_t cap;
};

struct tally {
	uint64_t requests, ok, not_modified, redirects, client_errors, server_errors,
		failed;
	uint64_t bytes, bad_lines;
	/* pages shown in a browser; what they brought that the plain answers had not */
	uint64_t rendered, rendered_links, rendered_bytes;
	struct share fates[FATES];
	int64_t first_ms, last_ms; /* of the log; 0 when it is empty */
	struct intern hosts;
	struct host_tally *by_host;
	size_t host_cap;
	struct counts mimes, languages, statuses;
	struct counts spared[SPARINGS]; /* by stage and rule */
	struct counts traps;            /* forms of what is SPARED_NOTHING */
	uint64_t sizes[SIZE_CLASSES];
	/* Plots: unique pages after so many requests, requests in a slice of time. */
	double unique_at[CURVE_POINTS], rate[CURVE_POINTS];
	size_t curve_n;
	struct app_summary apps;
};

must_use enum status tally_load(struct tally *ret, const char *dir, struct diag *why);
void tally_release(struct tally *t);
/* Bytes of a page, on average: the cost, about, of one that was not fetched. */
uint64_t tally_page_bytes(const struct tally *t);

void counts_add(struct counts *c, struct str name, uint64_t n);
uint64_t counts_sum(const struct counts *c);
/* Ids of `c` by falling count, then by name; `ret` has room for c->names.n. */
void counts_order(const struct counts *c, uint32_t *ret);

/* One line of crawl.log, for tests and fuzzing; false when it makes no sense. */
struct log_line {
	int64_t time_ms;
	int code;
	uint64_t bytes; /* 0 when unknown */
	uint64_t duration_ms;
	struct str url, hops, via, mime, annotations;
};
bool log_line_parse(struct str line, struct log_line *ret);
#endif
