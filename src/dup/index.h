/*
 * index.h - have we seen this page, or nearly this page?
 *
 * Documents go in one by one; each question is answered from all before it,
 * with the document matched and the evidence.  Found by min-wise bands, but
 * said only after the sets of shingles were compared.  Equal bytes or equal
 * text (however set) are `exact`.
 *
 * With a folder the index survives a crash up to the last dup_index_sync(), and
 * beyond `memory_bytes` its tables go to disk.  Without one it lives in memory.
 * One thread owns it: the writer.
 */
#ifndef DUP_INDEX_H
#define DUP_INDEX_H

#include "dup/postings.h"
#include "dup/store.h"
#include "record/verdict.h"
#include "sketch/bands.h"

enum index_measure {
	INDEX_PROBABILITY, /* near_model.h */
	INDEX_JACCARD,
	INDEX_CONTAINMENT,
};

struct dup_index_options {
	const char *dir;            /* NULL: in memory only */
	size_t memory_bytes;        /* for the tables; 0: 256 MiB */
	double threshold;           /* 0: the default of the probability */
	struct bands bands;         /* zero: BANDS_DEFAULT */
	enum index_measure measure; /* what the threshold is on */
	bool all_documents;         /* also near-duplicates become representatives */
};

struct dup_index {
	struct dup_index_options options;
	struct store store;
	struct memory_doc *docs; /* instead of the store, without a folder */
	size_t n_docs, cap_docs;
	struct postings postings;
	struct page_sketch candidate; /* decoded for the check, reused */
	struct page_sketch asked;     /* the one in question, its set sorted */
	struct buf name;              /* of the representative in the last verdict */
	uint64_t checked;             /* candidates compared so far */
};

must_use enum status dup_index_open(struct dup_index *x,
				    const struct dup_index_options *options,
				    struct diag *why);
void dup_index_release(struct dup_index *x);
size_t dup_index_count(const struct dup_index *x);
/*
 * Strings in `ret` live until the next call.  A page without words is new,
 * whatever came before, unless its bytes are known.  A raw sketch will do, here and
 * below: it is sorted only if there is something to compare it with.
 */
must_use enum status dup_index_ask(struct dup_index *x, const struct page_sketch *s,
				   struct verdict *ret, struct diag *why);
/* Add the document under the next number. */
must_use enum status dup_index_add(struct dup_index *x, const struct page_sketch *s,
				   const struct stored_doc *doc, uint64_t *ret_doc,
				   struct diag *why);
/* Ask, and add what is not exactly known; the usual call of a crawl. */
must_use enum status dup_index_see(struct dup_index *x, const struct page_sketch *s,
				   const struct stored_doc *doc, struct verdict *ret,
				   uint64_t *ret_doc, struct diag *why);
/* What was added before this call survives a crash after it. */
/* On disk when it returns, or, given a set, once that is synced. */
must_use enum status dup_index_sync(struct dup_index *x, struct sync_set *later,
				    struct diag *why);
#endif
