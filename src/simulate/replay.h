/*
 * replay.h - the decisions of a recorded crawl, made once more.
 *
 * Reads the folder of a crawl: its journal says in which order everything happened
 * (journal/trace.h), its archive has the answers.  The same engine, frontier, rules and
 * policy decide again, in a folder of their own, and every record is compared with the
 * journal, byte by byte but for the stamps of the wall clock and the places in WARC
 * files.
 */
#ifndef SIMULATE_REPLAY_H
#define SIMULATE_REPLAY_H

#include "base/buf.h"
#include "spec/settings.h"

struct replay_result {
	uint64_t transitions; /* of URLs, all equal */
	uint64_t records;     /* of the journal that hold them */
	unsigned processes;   /* that ran the crawl, one after the other */
	bool is_equal;
	struct buf difference; /* the first one, in words */
	struct buf rest;       /* why only a part could be compared; empty: all was */
};

/* Options that are to be others than they were: who asks what would then differ. */
struct replay_options {
	const struct crawl_settings *given;
	const struct option_row *const *rows;
	size_t n;
};

/* `seeds` are those of its crawl.yaml; its settings are in the journal. */
must_use enum status replay_crawl(const char *dir, const struct str_list *seeds,
				  const struct replay_options *options,
				  struct replay_result *ret, struct diag *why);
void replay_result_release(struct replay_result *r);
#endif
