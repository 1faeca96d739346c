/* The end of phase 3 of batch.h: pairs that share a key are compared, by many threads. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "dup/batch_run.h"
#include "os/thread.h"
#include "sketch/method_sets.h"

#define PAIRS_AT_ONCE ((size_t)16 << 10)
#define PAIRS_ALONE   256 /* fewer are not worth a thread */
#define THREADS_MAX   64
#define RECENT_MAX    1024
#define SIDE_BYTES    ((size_t)16 << 10) /* what a document takes, at the most */

/* One of the two documents of a pair. */
struct side {
	struct buf bytes;
	struct str print;
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
	struct side first;
	struct side *recent; /* by number */
	size_t n_recent;
	/* Its share of the pairs; the measure of one that is not near becomes NAN. */
	struct near_pair *v;
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
		TRY(page_sketch_decode_text(s->print, &s->sketch.text, NULL));
	s->doc = (size_t)doc + 1;
	return ST_OK;
}

static enum status need_whole(struct side *s)
{
	if (!s->is_whole)
		TRY(page_sketch_decode(s->print, &s->sketch));
	s->is_whole = true;
	return ST_OK;
}

/* No pair is near with a smaller Jaccard; 0 when that does not decide. */
static double least_jaccard(const struct batch *b)
{
	const struct method *m = b->options.method;

	if (m->measure == set_resemblance)
		return resemblance_needed((struct overlap){ 0 }, b->options.threshold);
	return m->measure == set_containment ? 0 : b->options.threshold;
}

/* NAN when they are not near. */
static enum status measure_sketches(const struct batch *b, struct side *x, struct side *y,
				    double *ret)
{
	const struct method *m = b->options.method;

	*ret = NAN;
	if (page_sketch_too_far(&x->sketch.text, &y->sketch.text, least_jaccard(b)))
		return ST_OK;
	TRY(need_whole(x));
	TRY(need_whole(y));
	struct overlap o = page_sketch_overlap(&x->sketch, &y->sketch);
	double needed = m->measure == set_resemblance
				? resemblance_needed(o, b->options.threshold)
				: b->options.threshold;
	double measure = m->measure == set_containment ? overlap_containment(o)
						       : overlap_jaccard(o);
	if (measure >= needed)
		*ret = measure;
	return ST_OK;
}

static enum status measure_prints(const struct batch *b, const struct side *x,
				  const struct side *y, double *ret)
{
	const struct method *m = b->options.method;

	TRY(method_measure(m, x->print, y->print, ret));
	if (!method_is_near(m, *ret, b->options.threshold))
		*ret = NAN;
	return ST_OK;
}

static enum status verify_pair(struct verifier *w, struct near_pair *p)
{
	struct side *x = &w->first, *y = &w->recent[p->b % w->n_recent];
	double measure;

	TRY(load_side(w->b, x, p->a, &w->why));
	TRY(load_side(w->b, y, p->b, &w->why));
	TRY(batch_is_fast(w->b) ? measure_sketches(w->b, x, y, &measure)
				: measure_prints(w->b, x, y, &measure));
	p->measure = (float)measure;
	return ST_OK;
}

static void run_verifier(void *arg)
{
	struct verifier *w = arg;

	w->st = ST_OK;
	for (size_t i = 0; w->st == ST_OK && i < w->n; i++)
		w->st = verify_pair(w, &w->v[i]);
}

/* Each thread a share; the pairs stay in their order. */
static enum status verify_all(struct verifier *w, unsigned threads, struct near_pair *v,
			      size_t n, struct diag *why)
{
	unsigned used = n < PAIRS_ALONE ? 1 : threads;
	enum status st = ST_OK;

	for (unsigned i = used; i-- > 0;) {
		size_t from = n * i / used;

		w[i].v = v + from;
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
static enum status pause(struct batch *b, struct verifier *w, unsigned threads,
			 struct diag *why)
{
	uint64_t written = b->log.file.size;

	if (!b->options.tick)
		return ST_OK;
	TRY(b->options.tick(b->options.tick_arg, "verify", b->candidates, 0, why));
	for (unsigned i = 0; i < threads && b->log.file.size != written; i++) {
		w[i].first.doc = 0;
		for (size_t k = 0; k < w[i].n_recent; k++)
			w[i].recent[k].doc = 0;
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

static enum status verify(struct batch *b, struct extsort *pairs, struct verifier *w,
			  unsigned threads, struct near_pair *v, struct diag *why)
{
	size_t n;

	for (;;) {
		TRY(take_pairs(pairs, v, &n, why));
		if (n == 0)
			return ST_OK;
		TRY(verify_all(w, threads, v, n, why));
		for (size_t i = 0; i < n; i++)
			if (!isnan(v[i].measure))
				VEC_ADD(b->pairs, b->n_pairs, b->cap_pairs, v[i]);
		b->candidates += n;
		TRY(pause(b, w, threads, why));
	}
}

enum status batch_verify(struct batch *b, struct extsort *pairs, struct diag *why)
{
	unsigned wanted = b->options.threads ? b->options.threads : cpu_count();
	unsigned threads = MIN(wanted, (unsigned)THREADS_MAX);
	/* Of the memory that the keys no longer take. */
	size_t recent = b->options.memory_bytes / 16 / threads / SIDE_BYTES;
	struct verifier *w = xcalloc(threads, sizeof(*w));
	struct near_pair *v = xcalloc(PAIRS_AT_ONCE, sizeof(*v));

	for (unsigned i = 0; i < threads; i++) {
		w[i].b = b;
		w[i].n_recent = MAX(MIN(recent, (size_t)RECENT_MAX), (size_t)1);
		w[i].recent = xcalloc(w[i].n_recent, sizeof(*w[i].recent));
	}
	enum status st = verify(b, pairs, w, threads, v, why);
	for (unsigned i = 0; i < threads; i++) {
		side_release(&w[i].first);
		for (size_t k = 0; k < w[i].n_recent; k++)
			side_release(&w[i].recent[k]);
		free(w[i].recent);
	}
	free(w);
	free(v);
	return st;
}
