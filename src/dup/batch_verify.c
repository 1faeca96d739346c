/* The end of phase 3 of batch.h: pairs that share a key are compared, by many threads. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "dup/batch_common.h"
#include "dup/batch_run.h"
#include "method/method_sets.h"
#include "os/thread.h"

#define PAIRS_AT_ONCE  ((size_t)16 << 10)
#define PAIRS_ALONE    256 /* fewer are not worth a thread */
#define THREADS_MAX    64
#define RECENT_MAX     1024
#define LEAST_SHINGLES 100                /* of a pair of which least is asked */
#define SIDE_BYTES     ((size_t)24 << 10) /* what a document takes, at the most */

/* How alike a pair is as a whole, whatever the verdict. */
enum alike {
	ALIKE_NOT,
	ALIKE_PARTLY, /* a fifth is shared: if that is common text, here it is learnt */
	ALIKE_COPY,   /* one text twice */
};
#define PARTLY_JACCARD 0.2

/* One of the two documents of a pair. */
struct side {
	struct buf bytes;
	struct batch_print print;
	struct page_sketch sketch;
	size_t doc;    /* its number, and one more: 0 is none */
	bool is_whole; /* the set of the sketch is there, too */
};

/*
 * What one thread works with.  Pairs come sorted: the first of a pair changes seldom,
 * and the second was mostly looked at not long ago, with another first.
 */
struct verifier {
	struct batch *b;
	const struct shingle_set *common; /* left out; NULL in the first round */
	struct side first;
	struct side *recent; /* by number */
	size_t n_recent;
	/* Its share of the pairs; the measure of one that is not near becomes NAN. */
	struct near_pair *v;
	enum alike *alike; /* of each */
	size_t n;
	enum status st;
	struct diag why;
	struct thread thread;
};

static void side_release(struct side *s)
{
	buf_release(&s->bytes);
	page_sketch_release(&s->sketch);
}

static enum status load_side(const struct batch *b, struct side *s, uint32_t doc,
			     struct diag *why)
{
	if (s->doc == (size_t)doc + 1)
		return ST_OK;
	s->doc = 0;
	s->is_whole = false;
	TRY(batch_read_print(b, doc, &s->bytes, &s->print, why));
	if (batch_is_fast(b))
		TRY(page_sketch_decode_text(s->print.sketch, &s->sketch.text, NULL));
	s->doc = (size_t)doc + 1;
	return ST_OK;
}

static enum status need_whole(struct side *s)
{
	if (!s->is_whole)
		TRY(page_sketch_decode(s->print.sketch, &s->sketch));
	s->is_whole = true;
	return ST_OK;
}

/* No pair is near with a smaller Jaccard; 0 when that does not decide. */
static double least_jaccard(const struct batch *b)
{
	const struct method *m = b->options.method;

	if (m->measure == set_resemblance)
		return near_needed(LEAST_SHINGLES, b->options.threshold);
	return m->measure == set_containment ? 0 : b->options.threshold;
}

/* A probability; the passages are looked for only where they can matter. */
static double judge(const struct verifier *w, struct overlap whole, const struct side *x,
		    const struct side *y, enum alike *ret_alike)
{
	double jaccard = overlap_jaccard(whole), threshold = w->b->options.threshold;
	struct near_evidence e = { .whole = whole };

	*ret_alike = jaccard >= PARTLY_JACCARD ? ALIKE_PARTLY : ALIKE_NOT;
	if (!w->common && jaccard < near_needed(overlap_union(whole), threshold))
		return 0;
	page_sketch_compare_content(&x->sketch, &y->sketch, w->common, &e);
	if (near_is_copy(&e))
		*ret_alike = ALIKE_COPY;
	return near_probability(&e, NULL);
}

/* NAN when they are not near. */
static enum status measure_sketches(struct verifier *w, struct side *x, struct side *y,
				    double *ret, enum alike *ret_alike)
{
	const struct batch *b = w->b;
	const struct method *m = b->options.method;

	*ret = NAN;
	if (page_sketch_too_far(&x->sketch.text, &y->sketch.text, least_jaccard(b)))
		return ST_OK;
	TRY(need_whole(x));
	TRY(need_whole(y));
	struct overlap o = page_sketch_overlap(&x->sketch, &y->sketch);
	double measure = m->measure == set_resemblance   ? judge(w, o, x, y, ret_alike)
			 : m->measure == set_containment ? overlap_containment(o)
							 : overlap_jaccard(o);
	if (measure >= b->options.threshold)
		*ret = measure;
	return ST_OK;
}

/* By the slots of the texts: near they cannot be. */
static enum status is_far_text(struct side *x, struct side *y, bool *ret)
{
	TRY(page_sketch_decode_text(x->print.sketch, &x->sketch.text, NULL));
	TRY(page_sketch_decode_text(y->print.sketch, &y->sketch.text, NULL));
	*ret = page_sketch_too_far(&x->sketch.text, &y->sketch.text,
				   near_needed(LEAST_SHINGLES, NEAR_THRESHOLD));
	return ST_OK;
}

/* By the texts' own shingles; equal texts never come here. */
static enum status is_near_text(struct side *x, struct side *y, bool *ret)
{
	struct near_evidence e;

	TRY(need_whole(x));
	TRY(need_whole(y));
	page_sketch_compare(&x->sketch, &y->sketch, NULL, &e);
	*ret = near_probability(&e, NULL) >= NEAR_THRESHOLD;
	return ST_OK;
}

/* What costs least is asked first: keyword tables take longer than slots, bits do not. */
static enum status measure_prints(const struct batch *b, struct side *x, struct side *y,
				  double *ret)
{
	const struct method *m = b->options.method;
	bool far = false, near = true, slots_first = method_is_costly(m);

	*ret = NAN;
	if (b->options.verify && slots_first)
		TRY(is_far_text(x, y, &far));
	if (far)
		return ST_OK;
	TRY(method_measure(m, x->print.print, y->print.print, ret));
	if (!method_is_near(m, *ret, b->options.threshold)) {
		*ret = NAN;
		return ST_OK;
	}
	if (b->options.verify && !slots_first)
		TRY(is_far_text(x, y, &far));
	if (b->options.verify && !far)
		TRY(is_near_text(x, y, &near));
	if (far || !near)
		*ret = NAN;
	return ST_OK;
}

static enum status verify_pair(struct verifier *w, struct near_pair *p,
			       enum alike *ret_alike)
{
	struct side *x = &w->first, *y = &w->recent[p->b % w->n_recent];
	double measure;

	TRY(load_side(w->b, x, p->a, &w->why));
	TRY(load_side(w->b, y, p->b, &w->why));
	*ret_alike = ALIKE_NOT;
	TRY(batch_is_fast(w->b) ? measure_sketches(w, x, y, &measure, ret_alike)
				: measure_prints(w->b, x, y, &measure));
	p->measure = (float)measure;
	return ST_OK;
}

static void run_verifier(void *arg)
{
	struct verifier *w = arg;

	w->st = ST_OK;
	for (size_t i = 0; w->st == ST_OK && i < w->n; i++)
		w->st = verify_pair(w, &w->v[i], &w->alike[i]);
}

/* The threads of a batch, and the pairs at hand. */
struct crew {
	struct batch *b;
	struct verifier *w;
	unsigned threads;
	struct near_pair *v;
	enum alike *alike;
};

/* Each thread a share; the pairs stay in their order. */
static enum status verify_all(struct crew *c, size_t n, struct diag *why)
{
	unsigned used = n < PAIRS_ALONE ? 1 : c->threads;
	struct verifier *w = c->w;
	enum status st = ST_OK;

	for (unsigned i = used; i-- > 0;) {
		size_t from = n * i / used;

		w[i].v = c->v + from;
		w[i].alike = c->alike + from;
		w[i].n = n * (i + 1) / used - from;
		/* The first share is the caller's; so is what no thread is to be had for.
		 */
		if (i == 0 || thread_start(&w[i].thread, "verify", run_verifier, &w[i],
					   NULL) != ST_OK)
			run_verifier(&w[i]);
	}
	for (unsigned i = 0; i < used; i++) {
		thread_join(&w[i].thread);
		if (st == ST_OK && w[i].st != ST_OK) {
			st = w[i].st;
			*why = w[i].why;
		}
	}
	return st;
}

/* What was borrowed from the log is no longer there when it was flushed. */
static enum status pause(struct crew *c, struct diag *why)
{
	struct batch *b = c->b;
	uint64_t written = b->log.file.size;

	if (!b->options.tick)
		return ST_OK;
	TRY(b->options.tick(b->options.tick_arg, "verify", b->candidates, 0, why));
	for (unsigned i = 0; i < c->threads && b->log.file.size != written; i++) {
		c->w[i].first.doc = 0;
		for (size_t k = 0; k < c->w[i].n_recent; k++)
			c->w[i].recent[k].doc = 0;
	}
	return ST_OK;
}

static enum status take_pairs(struct extsort *pairs, struct near_pair *v, size_t *ret_n,
			      struct diag *why)
{
	struct str record;
	enum status st = ST_OK;

	for (*ret_n = 0; *ret_n < PAIRS_AT_ONCE; ++*ret_n) {
		st = extsort_next(pairs, &record, why);
		if (st != ST_OK)
			break;
		v[*ret_n] = (struct near_pair){ (uint32_t)get_be(record.p, 4),
						(uint32_t)get_be(record.p + 4, 4), 0 };
	}
	return st == ST_AGAIN ? ST_OK : st;
}

/* Who shares a good deal with another is counted, copies as one text. */
static void note_alike(struct batch_common *k, const struct crew *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (c->alike[i] == ALIKE_NOT)
			continue;
		batch_common_meet(k, c->v[i].a);
		batch_common_meet(k, c->v[i].b);
		if (c->alike[i] == ALIKE_COPY)
			batch_common_join(k, c->v[i].a, c->v[i].b);
	}
}

static enum status verify(struct crew *c, struct extsort *pairs, struct batch_common *k,
			  struct diag *why)
{
	struct batch *b = c->b;
	size_t n;

	for (;;) {
		TRY(take_pairs(pairs, c->v, &n, why));
		if (n == 0)
			return ST_OK;
		TRY(verify_all(c, n, why));
		for (size_t i = 0; i < n; i++)
			if (!isnan(c->v[i].measure))
				VEC_ADD(b->pairs, b->n_pairs, b->cap_pairs, c->v[i]);
		if (k)
			note_alike(k, c, n);
		b->candidates += n;
		TRY(pause(c, why));
	}
}

/*
 * The second round: pairs that share what many share are judged without it.  Without `k`
 * all pairs are compared that were found without a look at the documents.
 */
static enum status verify_again(struct crew *c, const struct batch_common *k,
				struct diag *why)
{
	struct batch *b = c->b;
	size_t kept = 0, n;

	for (unsigned i = 0; i < c->threads; i++)
		c->w[i].common = &b->common;
	for (size_t at = 0; at < b->n_pairs; at += n) {
		n = MIN(b->n_pairs - at, (size_t)PAIRS_AT_ONCE);
		size_t doubtful = 0;

		for (size_t i = at; i < at + n; i++) {
			if (!k || batch_common_touches(k, &b->pairs[i]))
				c->v[doubtful++] = b->pairs[i];
			else
				b->pairs[kept++] = b->pairs[i];
		}
		TRY(verify_all(c, doubtful, why));
		for (size_t i = 0; i < doubtful; i++)
			if (!isnan(c->v[i].measure))
				b->pairs[kept++] = c->v[i];
		TRY(pause(c, why));
	}
	b->n_pairs = kept;
	return ST_OK;
}

static enum status verify_rounds(struct crew *c, struct extsort *pairs, struct diag *why)
{
	struct batch *b = c->b;
	struct batch_common k = { 0 };
	bool learns = batch_is_fast(b) && b->options.method->measure == set_resemblance;

	if (learns)
		batch_common_init(&k, b->n);
	enum status st = verify(c, pairs, learns ? &k : NULL, why);
	if (st == ST_OK && learns && b->n_pairs)
		st = batch_common_learn(&k, b, why);
	if (st == ST_OK && !shingle_set_is_empty(&b->common))
		st = verify_again(c, &k, why);
	batch_common_release(&k);
	return st;
}

static void crew_start(struct crew *c, struct batch *b)
{
	unsigned wanted = b->options.threads ? b->options.threads : cpu_count();

	*c = (struct crew){ .b = b, .threads = MIN(wanted, (unsigned)THREADS_MAX) };
	/* Of the memory that the keys no longer take. */
	size_t recent = b->options.memory_bytes / 16 / c->threads / SIDE_BYTES;

	c->w = xcalloc(c->threads, sizeof(*c->w));
	c->v = xcalloc(PAIRS_AT_ONCE, sizeof(*c->v));
	c->alike = xcalloc(PAIRS_AT_ONCE, sizeof(*c->alike));
	for (unsigned i = 0; i < c->threads; i++) {
		c->w[i].b = b;
		c->w[i].n_recent = MAX(MIN(recent, (size_t)RECENT_MAX), (size_t)1);
		c->w[i].recent = xcalloc(c->w[i].n_recent, sizeof(*c->w[i].recent));
	}
}

static void crew_stop(struct crew *c)
{
	for (unsigned i = 0; i < c->threads; i++) {
		side_release(&c->w[i].first);
		for (size_t k = 0; k < c->w[i].n_recent; k++)
			side_release(&c->w[i].recent[k]);
		free(c->w[i].recent);
	}
	free(c->w);
	free(c->v);
	free(c->alike);
}

enum status batch_verify(struct batch *b, struct extsort *pairs, struct diag *why)
{
	struct crew c;

	crew_start(&c, b);
	enum status st = verify_rounds(&c, pairs, why);
	crew_stop(&c);
	return st;
}

enum status batch_verify_found(struct batch *b, struct diag *why)
{
	struct crew c;

	crew_start(&c, b);
	enum status st = verify_again(&c, NULL, why);
	crew_stop(&c);
	return st;
}
