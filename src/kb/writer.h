/*
 * writer.h - statements one after the other, committed in groups.
 *
 * What a crawl uses: kb_writer_add() costs about a microsecond and is not yet on disk;
 * a commit follows when enough are together or enough time has passed, and at
 * kb_writer_sync().  One thread a writer; several writers share their syncs.
 */
#ifndef KB_WRITER_H
#define KB_WRITER_H

#include "base/map.h"
#include "os/clock.h"
#include "store/store.h"

struct kb_writer {
	struct store *store;
	const struct clock *clock;
	size_t group_rows; /* commit at so many */
	int64_t group_ms;  /* or after so long */
	struct row *rows;
	size_t n, cap;
	int64_t first_ms;  /* when the oldest of them was added */
	struct map labels; /* hash of a blank node's label -> node */
	uint64_t added;
};

/* Labels of blank nodes mean the same node through the life of a writer. */
void kb_writer_init(struct kb_writer *w, struct store *s, const struct clock *clock);
must_use enum status kb_writer_add(struct kb_writer *w, const struct statement *s,
				   struct diag *why);
/* All that was added is on disk when it answers ST_OK. */
must_use enum status kb_writer_sync(struct kb_writer *w, struct diag *why);
/* Does not sync: what was not is lost. */
void kb_writer_release(struct kb_writer *w);
#endif
