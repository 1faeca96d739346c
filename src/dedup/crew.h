/*
 * crew.h - the records of a corpus to several threads and back, in order.
 *
 * One thread, the caller's, reads records and takes what others made of them, in the
 * order of the input; the others parse and make.  Records travel in loads of a
 * megabyte, and there are a few loads a thread, so memory is bounded.  Of a compressed
 * WARC the others get members still compressed, for inflating is much of the work.  What
 * is taken does not depend on the number of threads.
 */
#ifndef DEDUP_CREW_H
#define DEDUP_CREW_H

#include "corpus/corpus.h"
#include "dup/batch.h"

/* A record on its way. */
struct crew_slot {
	struct corpus_raw raw; /* its strings are for make() alone */
	enum status st;        /* of reading it, then of making something of it */
	struct diag why;
	uint64_t nr; /* of the record in the corpus; CREW_NO_NR: not known yet */
	struct batch_made made;
	struct buf line; /* what is written of it if it is kept */
};

#define CREW_NO_NR UINT64_MAX

/* Memory for making; one a thread. */
struct crew_work {
	struct corpus_work corpus;
	struct batch_work batch;
};

struct crew_job {
	void *arg;
	unsigned threads; /* 0: one a processor */
	bool parts;       /* let others inflate; take() may change it */
	/* On any thread; touches nothing but the slot and the memory. */
	void (*make)(const void *arg, struct crew_slot *s, struct crew_work *w);
	/* In order, on the caller's thread; a record that could not be read, too. */
	enum status (*take)(void *arg, struct crew_slot *s, struct diag *why);
	/* Now and then, to show how far it is; a failure ends the run. */
	enum status (*look)(void *arg, const struct corpus *c, struct diag *why);
};

must_use enum status crew_run(struct corpus *c, struct crew_job *job, struct diag *why);
#endif
