/*
 * explain.h - what became of a URL, and why: the whole chain, from the journal.
 *
 * Reads the folder of a crawl, running or not; changes nothing.
 */
#ifndef JOURNAL_EXPLAIN_H
#define JOURNAL_EXPLAIN_H

#include "journal/journal.h"

struct explanation {
	struct str url;        /* as normalised */
	struct str key, rules; /* by which rules; both only where rules concern it */
	/* the first time it was found */
	bool found;
	struct str via, hops, source;
	int64_t found_ms;
	struct journal_link link; /* the decision then */
	uint64_t found_again;     /* recorded decisions after the first */
	/* another priority while it was queued */
	bool moved;
	uint8_t moved_priority;
	int64_t moved_ms;
	bool has_module;    /* a module from outside has scored it */
	float module_score; /* 0 to 1 */
	/* refused after it was queued */
	bool dropped;
	struct journal_dropped drop;
	uint32_t retries;
	int last_retry_code;
	/* asked */
	bool done;
	struct journal_done result;
	/* asked again */
	uint32_t visits, changed; /* answers, and those that differed */
	struct str due;           /* why it was queued again; empty for never */
	bool waiting;             /* and it still waits */
	/* shown in a browser */
	struct str need; /* the evidence; empty for none */
	bool is_rendered;
	struct journal_done rendering;
	/* robots.txt of its site */
	bool has_robots;
	struct journal_robots robots;
	/* the queue, when it waits in it */
	uint64_t queued_before; /* URLs of its site that go before it */
	uint64_t queued_site;
	uint64_t commits;
	struct arena bytes;
};

void explanation_release(struct explanation *e);
/* ST_NOT_FOUND when there is no crawl in `dir`. */
must_use enum status explain(const char *dir, struct str url, struct explanation *ret,
			     struct diag *why);
/* The chain as text for people, or as one JSON object. */
void explanation_format(const struct explanation *e, struct buf *to);
void explanation_format_json(const struct explanation *e, struct buf *to);
/* What became of the page for whose sake a URL was skipped. */
void explanation_format_same(const struct explanation *same, struct buf *to);
#endif
