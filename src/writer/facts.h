/*
 * facts.h - what the crawl learns on its way into DIR/kb.
 *
 * The writer puts messages (fact_message.h) on the bus of DIR/state/facts and syncs it
 * with every commit; a thread of its own takes them from there into the knowledge
 * base, as fast as it can: nobody ever waits for it, and what it has not done when
 * the process ends it does in the next one.  Only what the journal has committed is
 * taken; taking a message twice is harmless, since statements are a set.
 */
#ifndef WRITER_FACTS_H
#define WRITER_FACTS_H

#include "pipeline/fact_message.h"

struct facts;

/* `committed`: items in the journal so far. */
must_use enum status facts_open(struct facts **ret, const char *dir, uint64_t committed,
				struct diag *why);
/* One message of the writer; `parts` are put behind its number. */
must_use enum status facts_add(struct facts *f, enum fact_kind kind, uint64_t number,
			       struct str part, struct diag *why);
/* Before a commit of the journal; and behind it. */
must_use enum status facts_sync(struct facts *f, struct diag *why);
must_use enum status facts_committed(struct facts *f, uint64_t number, struct diag *why);
/*
 * Stop; with `finish` after everything on the bus was taken.  What went wrong with the
 * knowledge base meanwhile is told; it does not harm the crawl.
 */
must_use enum status facts_close(struct facts *f, bool finish, struct diag *why);
/* The graph of a round: "https://thresh.invalid/crawl/NAME/1". */
void facts_graph(const char *dir, uint32_t round, struct buf *to);
#endif
