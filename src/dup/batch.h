/*
 * batch.h - a whole corpus at once: Broder's four phases, by external sort.
 *
 *   1  fingerprint every document; append it to a checksummed log in a folder
 *   2  (key, document) for every blocking key, sorted
 *   3  documents that share a key, as pairs, sorted; each pair is verified on
 *      the fingerprints
 *   4  clusters of the verified pairs
 *
 * Fingerprints of 64 bits that are compared by the bits that differ need no
 * keys: phases 2 and 3 are one pass through a Hamming index, which misses none.
 *
 * Memory: a third of the budget for each of two sorts, a sixth for the log, which
 * goes to the disk when it needs more or batch_flush() is called; and besides
 * about 100 bytes a document and 12 a verified pair.  A folder with an interrupted run
 * is continued: see batch_count().  The result does not depend on where it was
 * interrupted.
 *
 * One thread owns a batch; while pairs are compared it lets others help.  Fingerprints
 * may be made by others, with batch_make(); what they made is put in by the owner, in the
 * order of the documents, so that the result does not depend on the number of threads.
 */
#ifndef DUP_BATCH_H
#define DUP_BATCH_H

#include "dup/cluster.h"
#include "hamming/hamming_tables.h"
#include "method/blocking.h"
#include "method/method.h"
#include "os/extsort.h"
#include "os/segment.h"
#include "sketch/bands.h"
#include "sketch/page_sketch.h"

struct batch_options {
	const char *dir;
	size_t memory_bytes; /* 0: 256 MiB */
	unsigned threads;    /* that compare pairs; 0: one a processor */
	const struct method *method;
	double threshold;
	struct bands bands;
	enum keep_policy keep;
	unsigned hops;
	/* Pairs of methods that only estimate must be near by near_model.h, too; and only
	 * equal texts are twins. */
	bool verify;
	bool keep_text; /* so that batch_doc_text() can show what is shared */
	/* Called now and then while batch_run() works, which ends when it fails; may be
	 * NULL. */
	enum status (*tick)(void *arg, const char *stage, uint64_t done, uint64_t total,
			    struct diag *why);
	void *tick_arg;
	uint64_t weights; /* a digest of the table of weights, where one is used */
};

struct batch_doc {
	struct str name;
	uint64_t length;
	double score;
	bool is_canonical;
	const struct document *parts; /* what the fingerprint is made from */
};

/* What is put into a batch: made of one document, away from it. */
struct batch_made {
	struct buf record; /* as it goes to the log */
	struct keep_facts facts;
	struct u128 digest;
	bool has_digest;
	uint64_t keys[BLOCKING_KEYS];
	size_t n_keys;
};

/* Memory for making them; one a thread.  Zeroed is ready. */
struct batch_work {
	struct page_sketch sketch;
	struct buf print, sketch_bytes;
};

enum batch_kind { BATCH_KEPT, BATCH_EXACT, BATCH_NEAR };

struct batch_result {
	enum batch_kind kind;
	uint32_t representative; /* itself when kept */
	uint32_t cluster; /* number of the cluster, from 0, in order of appearance */
	uint32_t size;    /* documents in it */
	double measure;   /* of the pair with the representative; when not kept */
};

struct batch {
	struct batch_options options;
	char *dir;
	struct segment log;
	uint64_t *offsets;
	struct keep_facts *facts;
	uint32_t *same; /* the first document with the same text; itself for the first */
	uint64_t *digests;
	size_t n, cap_offsets, cap_facts, cap_same, cap_digests;
	struct map first; /* half of a digest -> document + 1 */
	struct extsort keys;
	struct hamming_pair *prints; /* instead of keys, of methods of 64 bits */
	size_t n_prints, cap_prints;
	struct batch_result *results;
	struct near_pair *pairs;
	size_t n_pairs, cap_pairs;
	struct shingle_set
		common;         /* what many of the documents share; see batch_common.h */
	uint64_t candidates;    /* pairs that shared a key */
	struct batch_work work; /* of the owner */
	struct batch_made made; /* reused by batch_add() */
	struct buf record, other;
};

/* ST_EXISTS when the folder holds a run with other settings. */
must_use enum status batch_open(struct batch *b, const struct batch_options *options,
				struct diag *why);
void batch_release(struct batch *b);
/* Documents already in: of an interrupted run, the reader passes over so many. */
static inline size_t batch_count(const struct batch *b)
{
	return b->n;
}
must_use enum status batch_add(struct batch *b, const struct batch_doc *doc,
			       struct diag *why);
/* The two halves of it; the first touches only `work` and `ret`. */
void batch_make(const struct batch_options *options, const struct batch_doc *doc,
		struct batch_work *work, struct batch_made *ret);
must_use enum status batch_put(struct batch *b, const struct batch_made *made,
			       struct diag *why);
void batch_work_release(struct batch_work *w);
void batch_made_release(struct batch_made *m);
/* Hand the log to the kernel: a run that is killed from here on need not begin anew. */
must_use enum status batch_flush(struct batch *b, struct diag *why);
must_use enum status batch_sync(struct batch *b, struct diag *why);
/* Phases 2 to 4; afterwards b->results holds one for each document. */
must_use enum status batch_run(struct batch *b, struct diag *why);
/* Name and, where kept, text of a document; lives until the next call. */
must_use enum status batch_get(struct batch *b, size_t doc, struct str *ret_name,
			       struct str *ret_text, struct diag *why);
/* Shared and differing features of two documents; ST_UNSUPPORTED for other methods. */
must_use enum status batch_compare(struct batch *b, size_t doc, size_t other,
				   struct near_evidence *ret, struct diag *why);
/* Every document with its sketch, in order; ST_UNSUPPORTED for other methods. */
must_use enum status
batch_each_sketch(struct batch *b,
		  enum status (*each)(void *arg, size_t doc, struct str name,
				      const struct page_sketch *, struct diag *),
		  void *arg, struct diag *why);
/* The same for methods of 64 bits, with their fingerprints. */
must_use enum status batch_each_word(struct batch *b,
				     enum status (*each)(void *arg, size_t doc,
							 struct str name, uint64_t print,
							 struct diag *),
				     void *arg, struct diag *why);
/* The same for all others, with their fingerprints as bytes. */
must_use enum status
batch_each_print(struct batch *b,
		 enum status (*each)(void *arg, size_t doc, struct str name,
				     struct str print, struct diag *),
		 void *arg, struct diag *why);
/* Remove the folder: the run is over. */
must_use enum status batch_remove(struct batch *b, struct diag *why);
#endif
