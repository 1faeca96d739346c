#include "dup/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/file.h"

/* The newest so many documents of a band, and so many checks a question: bounds on work.
 */
#define PER_BAND   16
#define CHECKS_MAX 64

struct memory_doc {
	char *name;
	size_t n_name;
	struct page_sketch sketch;
};

static void docs_release(struct dup_index *x)
{
	for (size_t i = 0; i < x->n_docs; i++) {
		free(x->docs[i].name);
		page_sketch_release(&x->docs[i].sketch);
	}
	free(x->docs);
}

void dup_index_release(struct dup_index *x)
{
	doc_store_close(&x->store);
	docs_release(x);
	postings_release(&x->postings);
	page_sketch_release(&x->candidate);
	page_sketch_release(&x->asked);
	buf_release(&x->name);
	*x = (struct dup_index){ 0 };
}

size_t dup_index_count(const struct dup_index *x)
{
	return x->options.dir ? x->store.n : x->n_docs;
}

static uint64_t payload_key(const struct page_sketch *s)
{
	return hash_mix(s->payload.lo ^ 0x7061796c6f6164u);
}

static uint64_t text_key(const struct page_sketch *s)
{
	return hash_mix(s->text.digest.lo ^ 0x74657874u);
}

static bool has_payload(const struct page_sketch *s)
{
	return s->payload.lo || s->payload.hi;
}

/* The keys under which a document is found; `bands` only where it may represent. */
static void add_keys(struct dup_index *x, const struct page_sketch *s, uint32_t doc,
		     bool bands)
{
	uint64_t keys[OPH_SLOTS];

	if (has_payload(s))
		postings_add(&x->postings, payload_key(s), doc);
	if (s->text.n_words)
		postings_add(&x->postings, text_key(s), doc);
	if (!bands || s->text.n_shingles < PAGE_MIN_SHINGLES)
		return;
	bands_keys(x->options.bands, s->text.slots, keys);
	for (unsigned i = 0; i < x->options.bands.bands; i++)
		postings_add(&x->postings, keys[i], doc);
}

/* A document without its set; what it points at lives until the next is found. */
struct found {
	struct str name;
	const struct text_sketch *text;
	struct u128 payload;
};

static enum status find_doc(struct dup_index *x, uint64_t doc, struct found *ret,
			    struct diag *why)
{
	struct stored_doc d;

	if (!x->options.dir) {
		const struct memory_doc *m = &x->docs[doc];

		*ret = (struct found){ .name = { m->name, m->n_name },
				       .text = &m->sketch.text,
				       .payload = m->sketch.payload };
		return ST_OK;
	}
	ret->text = &x->candidate.text;
	TRY(doc_store_get_head(&x->store, doc, &d, &x->candidate.text, &ret->payload,
			       why));
	ret->name = d.name;
	return ST_OK;
}

static enum status load_doc(struct dup_index *x, uint64_t doc, struct str *ret_name,
			    const struct page_sketch **ret, struct diag *why)
{
	struct stored_doc d;

	if (!x->options.dir) {
		*ret_name = (struct str){ x->docs[doc].name, x->docs[doc].n_name };
		page_sketch_sort(&x->docs[doc].sketch);
		*ret = &x->docs[doc].sketch;
		return ST_OK;
	}
	TRY(doc_store_get(&x->store, doc, &d, &x->candidate, why));
	*ret_name = d.name;
	*ret = &x->candidate;
	return ST_OK;
}

/* Whether a document carries band keys is told by one byte of its record. */
static enum status add_again(struct dup_index *x, struct diag *why)
{
	for (size_t i = postings_covered(&x->postings); i < x->store.n; i++) {
		struct stored_doc d;

		TRY(doc_store_get(&x->store, i, &d, &x->candidate, why));
		add_keys(x, &x->candidate, (uint32_t)i, d.extra.n && d.extra.p[0] == 'R');
	}
	return ST_OK;
}

static enum status open_files(struct dup_index *x, struct diag *why)
{
	struct arena a = { 0 };
	struct postings_options how = { .memory_bytes = x->options.memory_bytes };
	enum status st;

	if (!x->options.dir)
		return postings_open(&x->postings, &how, why);
	st = dir_make(x->options.dir, why);
	if (st == ST_OK)
		st = doc_store_open(&x->store,
				    path_join(&a, x->options.dir, STR("docs.seg")), why);
	how.dir = path_join(&a, x->options.dir, STR("postings"));
	if (st == ST_OK)
		st = postings_open(&x->postings, &how, why);
	/* Postings of documents that the crash took: only the documents count. */
	if (st == ST_OK && postings_covered(&x->postings) > x->store.n) {
		postings_release(&x->postings);
		st = dir_remove(how.dir, why);
		if (st == ST_OK)
			st = postings_open(&x->postings, &how, why);
	}
	arena_release(&a);
	return st == ST_OK ? add_again(x, why) : st;
}

enum status dup_index_open(struct dup_index *x, const struct dup_index_options *options,
			   struct diag *why)
{
	*x = (struct dup_index){ .options = *options };
	if (x->options.threshold <= 0)
		x->options.threshold = NEAR_THRESHOLD;
	if (x->options.bands.bands == 0)
		x->options.bands = BANDS_DEFAULT;
	if (x->options.memory_bytes == 0)
		x->options.memory_bytes = (size_t)256 << 20;
	enum status st = open_files(x, why);
	if (st != ST_OK)
		dup_index_release(x);
	return st;
}

static void name_representative(struct dup_index *x, uint64_t doc, struct str name,
				struct verdict *ret)
{
	buf_reset(&x->name);
	buf_add(&x->name, name);
	ret->representative = doc;
	ret->representative_url = buf_str(&x->name);
}

/* The first document (oldest known) with this key and digest. */
static enum status ask_exact(struct dup_index *x, uint64_t key, struct u128 digest,
			     bool payload, struct verdict *ret, struct diag *why)
{
	uint32_t docs[PER_BAND];
	size_t n = postings_find(&x->postings, key, docs, COUNT(docs));

	for (size_t i = n; i-- > 0;) {
		struct found found;

		TRY(find_doc(x, docs[i], &found, why));
		if (!u128_eq(digest, payload ? found.payload : found.text->digest))
			continue;
		ret->kind = VERDICT_EXACT;
		ret->method = payload ? STR("payload") : STR("text");
		ret->score = ret->threshold = 1;
		ret->shared = (uint32_t)found.text->n_shingles;
		name_representative(x, docs[i], found.name, ret);
		return ST_OK;
	}
	return ST_OK;
}

struct vote {
	uint32_t doc, votes;
};

static int by_votes(const void *a, const void *b)
{
	const struct vote *x = a, *y = b;

	if (x->votes != y->votes)
		return x->votes < y->votes ? 1 : -1;
	return (x->doc > y->doc) - (x->doc < y->doc);
}

static int by_doc(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The documents that share bands, those that share most first. */
static size_t candidates(const struct dup_index *x, const struct page_sketch *s,
			 struct vote *ret)
{
	uint32_t docs[OPH_SLOTS * PER_BAND];
	uint64_t keys[OPH_SLOTS];
	size_t n = 0, votes = 0;

	bands_keys(x->options.bands, s->text.slots, keys);
	postings_prefetch(&x->postings, keys, x->options.bands.bands);
	for (unsigned i = 0; i < x->options.bands.bands; i++)
		n += postings_find(&x->postings, keys[i], docs + n, PER_BAND);
	qsort(docs, n, sizeof(*docs), by_doc);
	for (size_t i = 0; i < n; i++) {
		if (votes && ret[votes - 1].doc == docs[i])
			ret[votes - 1].votes++;
		else
			ret[votes++] = (struct vote){ docs[i], 1 };
	}
	qsort(ret, votes, sizeof(*ret), by_votes);
	return MIN(votes, (size_t)CHECKS_MAX);
}

/* `to` keeps its memory. */
static void copy_sketch(const struct page_sketch *from, struct page_sketch *to)
{
	to->payload = from->payload;
	to->text = from->text;
	to->thin = from->thin;
	to->raw = from->raw;
	to->n_set = from->n_set;
	VEC_RESERVE(to->set, to->cap_set, from->n_set + 1);
	if (from->n_set)
		memcpy(to->set, from->set, from->n_set * sizeof(*to->set));
	to->n_order = from->n_order;
	VEC_RESERVE(to->order, to->cap_order, from->n_order + 1);
	if (from->n_order)
		memcpy(to->order, from->order, from->n_order * sizeof(*to->order));
}

static const struct page_sketch *sorted(struct dup_index *x, const struct page_sketch *s)
{
	if (!s->raw)
		return s;
	copy_sketch(s, &x->asked);
	page_sketch_sort(&x->asked);
	return &x->asked;
}

static void say_near(struct dup_index *x, uint64_t doc, struct str name, struct overlap o,
		     struct verdict *ret)
{
	ret->kind = VERDICT_NEAR;
	ret->method = STR("resemblance");
	bool contained = x->options.measure == INDEX_CONTAINMENT;

	ret->score = contained ? overlap_containment(o) : overlap_jaccard(o);
	ret->threshold = x->options.measure == INDEX_PROBABILITY
				 ? near_needed(overlap_union(o), x->options.threshold)
				 : x->options.threshold;
	ret->shared = o.shared;
	ret->only_here = o.only_a;
	ret->only_there = o.only_b;
	name_representative(x, doc, name, ret);
}

/*
 * What a pair must have in common at the least: the larger it is, the more, and it is as
 * large as this document.
 */
static double least_score(const struct dup_index *x, const struct page_sketch *sorted)
{
	struct overlap alone = page_sketch_overlap(sorted, sorted);

	if (x->options.measure != INDEX_PROBABILITY)
		return x->options.measure == INDEX_JACCARD ? x->options.threshold : 0;
	return near_needed(overlap_union(alone), x->options.threshold);
}

/* By the resemblance first: the passages are looked for only where they can matter. */
static bool is_near(const struct dup_index *x, const struct page_sketch *a,
		    const struct page_sketch *b, struct overlap o)
{
	struct near_evidence e = { .whole = o };

	if (x->options.measure == INDEX_JACCARD)
		return overlap_jaccard(o) >= x->options.threshold;
	if (x->options.measure == INDEX_CONTAINMENT)
		return overlap_containment(o) >= x->options.threshold;
	if (overlap_jaccard(o) < near_needed(overlap_union(o), x->options.threshold))
		return false;
	page_sketch_compare_content(a, b, NULL, &e);
	return near_probability(&e, NULL) >= x->options.threshold;
}

static enum status ask_near(struct dup_index *x, const struct page_sketch *s,
			    struct verdict *ret, struct diag *why)
{
	struct vote votes[OPH_SLOTS * PER_BAND];
	size_t n = candidates(x, s, votes);
	double best = 0;

	if (n > 0) {
		s = sorted(x, s);
		best = least_score(x, s);
	}
	for (size_t i = 0; i < n; i++) {
		const struct page_sketch *c;
		struct found found;

		TRY(find_doc(x, votes[i].doc, &found, why));
		if (!page_sketch_comparable(&s->text, found.text) ||
		    page_sketch_too_far(&s->text, found.text, best))
			continue;
		TRY(load_doc(x, votes[i].doc, &found.name, &c, why));
		x->checked++;
		struct overlap o = page_sketch_overlap(s, c);
		if ((ret->kind == VERDICT_NEAR && overlap_jaccard(o) <= best) ||
		    !is_near(x, s, c, o))
			continue;
		best = overlap_jaccard(o);
		say_near(x, votes[i].doc, found.name, o, ret);
		ret->distance =
			(uint32_t)__builtin_popcountll(s->text.simhash ^ c->text.simhash);
	}
	return ST_OK;
}

enum status dup_index_ask(struct dup_index *x, const struct page_sketch *s,
			  struct verdict *ret, struct diag *why)
{
	*ret = (struct verdict){ .kind = VERDICT_NEW, .representative = VERDICT_NO_DOC };
	if (has_payload(s))
		TRY(ask_exact(x, payload_key(s), s->payload, true, ret, why));
	if (ret->kind == VERDICT_NEW && s->text.n_words)
		TRY(ask_exact(x, text_key(s), s->text.digest, false, ret, why));
	if (ret->kind == VERDICT_NEW && s->text.n_shingles >= PAGE_MIN_SHINGLES)
		TRY(ask_near(x, s, ret, why));
	return ST_OK;
}

static enum status add(struct dup_index *x, const struct page_sketch *s,
		       const struct stored_doc *doc, bool represents, uint64_t *ret_doc,
		       struct diag *why)
{
	size_t nr = dup_index_count(x);

	if (nr >= UINT32_MAX)
		return diag_fail(why, ST_TOO_LARGE, "an index holds 2^32 documents");
	if (x->options.dir) {
		struct stored_doc d = *doc;

		d.extra = represents ? STR("R") : STR("d");
		TRY(doc_store_add(&x->store, &d, s, why));
	} else {
		struct memory_doc m = { .n_name = doc->name.n };

		m.name = xrealloc(NULL, doc->name.n + 1, 1);
		memcpy(m.name, doc->name.p, doc->name.n);
		copy_sketch(s, &m.sketch);
		VEC_ADD(x->docs, x->n_docs, x->cap_docs, m);
	}
	add_keys(x, s, (uint32_t)nr, represents);
	if (ret_doc)
		*ret_doc = nr;
	if (postings_full(&x->postings)) {
		TRY(doc_store_sync(&x->store, NULL,
				   why)); /* never postings without documents */
		TRY(postings_spill(&x->postings, (uint32_t)nr + 1, why));
	}
	return ST_OK;
}

enum status dup_index_add(struct dup_index *x, const struct page_sketch *s,
			  const struct stored_doc *doc, uint64_t *ret_doc,
			  struct diag *why)
{
	return add(x, s, doc, true, ret_doc, why);
}

enum status dup_index_see(struct dup_index *x, const struct page_sketch *s,
			  const struct stored_doc *doc, struct verdict *ret,
			  uint64_t *ret_doc, struct diag *why)
{
	TRY(dup_index_ask(x, s, ret, why));
	if (ret->kind == VERDICT_EXACT) {
		*ret_doc = ret->representative;
		return ST_OK;
	}
	return add(x, s, doc, ret->kind == VERDICT_NEW || x->options.all_documents,
		   ret_doc, why);
}

enum status dup_index_sync(struct dup_index *x, struct sync_set *later, struct diag *why)
{
	return x->options.dir ? doc_store_sync(&x->store, later, why) : ST_OK;
}
