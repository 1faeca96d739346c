/*
 * score_file.h - scores of URLs that another program keeps in a file, watched by a
 * thread.
 *
 *   # comment
 *   https://example.org/page 0.75
 *
 * A line is a URL and a score from 0 to 1, with spaces or a tab between; the last line of
 * a URL counts.  The file may be replaced or appended to at any time: the thread sleeps,
 * looks whether it has changed, reads it and hands over what is new or has another score
 * than before, in batches.  It never touches the crawl.
 */
#ifndef CONTROL_SCORE_FILE_H
#define CONTROL_SCORE_FILE_H

#include "base/arena.h"
#include "base/hash.h"

struct score_line {
	struct str url;  /* as written, trimmed */
	struct u128 key; /* of its normal form; zero before somebody has made it */
	uint8_t priority;
};

/* The next line that has a score; false at the end.  What is neither a comment, empty nor
 * understood is counted. */
bool score_line_next(struct str *rest, struct score_line *ret, uint64_t *malformed);

struct score_batch {
	struct arena text;
	struct score_line *v;
	size_t n, cap;
	size_t at; /* for the taker */
};
void score_batch_free(struct score_batch *b);

struct score_watch;

/* The file need not be there yet. */
must_use enum status score_watch_start(struct score_watch **ret, const char *path,
				       int64_t sleep_ms, struct diag *why);
/* Ends the thread; what was not taken is freed.  NULL is harmless. */
void score_watch_stop(struct score_watch *w);
/* The next batch, from then on the caller's; NULL when there is none. */
struct score_batch *score_watch_take(struct score_watch *w);
uint64_t score_watch_malformed(const struct score_watch *w);
#endif
