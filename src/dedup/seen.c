/* seen.c - `--against` and `--index-out`: what earlier runs have seen. */
#include <stdlib.h>

#include "base/alloc.h"
#include "dedup/dedup.h"
#include "dup/batch_run.h"
#include "dup/print_index.h"
#include "hamming/bits_index.h"
#include "method/method_sets.h"

struct index_job {
	struct dedup *d;
	struct dup_index sketches; /* one or the other, by the method */
	struct bits_index *bits;
	struct print_index prints;
};

static void add_match(struct dedup *d, size_t doc, struct verdict v)
{
	struct old_matches *m = &d->old;

	v.representative_url = arena_copy(&m->names, v.representative_url);
	VEC_ADD(m->v, m->n, m->cap, (struct old_match){ (uint32_t)doc, v });
}

static bool is_new(const struct dedup *d, size_t doc)
{
	return d->batch.results[doc].kind == BATCH_KEPT &&
	       !old_matches_find(&d->old, (uint32_t)doc);
}

/*
 * Whether what the index knows is a trace of this very run, which was killed when it had
 * begun to add its documents: then it names what is kept here.
 */
static bool is_own_trace(struct dedup *d, size_t doc, const struct verdict *v)
{
	struct str name, text;

	return d->resumed && v->kind != VERDICT_NEW &&
	       batch_get(&d->batch, d->batch.results[doc].representative, &name, &text,
			 NULL) == ST_OK &&
	       str_eq(v->representative_url, name);
}

static void note_answer(struct dedup *d, size_t doc, const struct verdict *v)
{
	if (v->kind != VERDICT_NEW && !is_own_trace(d, doc, v))
		add_match(d, doc, *v);
}

static enum status ask_sketch(void *arg, size_t doc, struct str name,
			      const struct page_sketch *s, struct diag *why)
{
	struct index_job *job = arg;
	struct verdict v;

	(void)name;
	TRY(dup_index_ask(&job->sketches, s, &v, why));
	note_answer(job->d, doc, &v);
	return ST_OK;
}

static enum status add_sketch(void *arg, size_t doc, struct str name,
			      const struct page_sketch *s, struct diag *why)
{
	struct index_job *job = arg;
	struct verdict v = { 0 };

	if (!is_new(job->d, doc))
		return ST_OK;
	if (job->d->resumed)
		TRY(dup_index_ask(&job->sketches, s, &v, why));
	if (job->d->resumed && is_own_trace(job->d, doc, &v))
		return ST_OK;
	return dup_index_add(&job->sketches, s, &(struct stored_doc){ .name = name },
			     NULL, why);
}

static enum status ask_word(void *arg, size_t doc, struct str name, uint64_t print,
			    struct diag *why)
{
	struct index_job *job = arg;
	struct verdict v;

	(void)name;
	TRY(bits_index_ask(job->bits, print, &v, why));
	note_answer(job->d, doc, &v);
	return ST_OK;
}

static enum status add_word(void *arg, size_t doc, struct str name, uint64_t print,
			    struct diag *why)
{
	struct index_job *job = arg;
	struct verdict v = { 0 };

	if (!is_new(job->d, doc))
		return ST_OK;
	if (job->d->resumed)
		TRY(bits_index_ask(job->bits, print, &v, why));
	if (job->d->resumed && is_own_trace(job->d, doc, &v))
		return ST_OK;
	return bits_index_add(job->bits, print, name, why);
}

static enum status ask_print(void *arg, size_t doc, struct str name, struct str print,
			     struct diag *why)
{
	struct index_job *job = arg;
	struct verdict v;

	(void)name;
	TRY(print_index_ask(&job->prints, print, &v, why));
	note_answer(job->d, doc, &v);
	return ST_OK;
}

static enum status add_print(void *arg, size_t doc, struct str name, struct str print,
			     struct diag *why)
{
	struct index_job *job = arg;
	struct verdict v = { 0 };

	if (!is_new(job->d, doc))
		return ST_OK;
	if (job->d->resumed)
		TRY(print_index_ask(&job->prints, print, &v, why));
	if (job->d->resumed && is_own_trace(job->d, doc, &v))
		return ST_OK;
	return print_index_add(&job->prints, print, name, why);
}

static enum status with_prints(struct dedup *d, const char *dir, bool adds,
			       struct diag *why)
{
	const struct batch_options *o = &d->batch.options;
	struct index_job job = { .d = d };
	struct print_index_options how = { .dir = dir,
					   .memory_bytes = o->memory_bytes,
					   .method = o->method,
					   .threshold = o->threshold,
					   .bands = o->bands,
					   .weights = o->weights };

	TRY(print_index_open(&job.prints, &how, why));
	enum status st =
		batch_each_print(&d->batch, adds ? add_print : ask_print, &job, why);
	if (st == ST_OK && adds)
		st = print_index_sync(&job.prints, why);
	print_index_release(&job.prints);
	return st;
}

static enum index_measure measure_of(const struct method *m)
{
	return m->measure == set_jaccard       ? INDEX_JACCARD
	       : m->measure == set_containment ? INDEX_CONTAINMENT
					       : INDEX_PROBABILITY;
}

static enum status with_sketches(struct dedup *d, const char *dir, bool adds,
				 struct diag *why)
{
	struct index_job job = { .d = d };
	struct dup_index_options how = { .dir = dir,
					 .memory_bytes = d->batch.options.memory_bytes,
					 .measure = measure_of(&d->method),
					 .threshold = d->batch.options.threshold };

	TRY(dup_index_open(&job.sketches, &how, why));
	enum status st =
		batch_each_sketch(&d->batch, adds ? add_sketch : ask_sketch, &job, why);
	if (st == ST_OK && adds)
		st = dup_index_sync(&job.sketches, NULL, why);
	dup_index_release(&job.sketches);
	return st;
}

static enum status with_bits(struct dedup *d, const char *dir, bool adds,
			     struct diag *why)
{
	struct index_job job = { .d = d, .bits = NEW(struct bits_index) };
	struct bits_index_options how = { .dir = dir,
					  .memory_bytes = d->batch.options.memory_bytes,
					  .method = d->method.name,
					  .distance = (unsigned)MAX(
						  d->batch.options.threshold, 0.0) };
	enum status st = bits_index_open(job.bits, &how, why);

	if (st == ST_OK)
		st = batch_each_word(&d->batch, adds ? add_word : ask_word, &job, why);
	if (st == ST_OK && adds)
		st = bits_index_sync(job.bits, why);
	bits_index_release(job.bits);
	free(job.bits);
	return st;
}

static enum status with_index(struct dedup *d, struct str name, bool adds,
			      struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };
	const char *dir;

	buf_add(&path, name);
	dir = buf_cstr(&path);
	if (method_bits(&d->method) == 64)
		return with_bits(d, dir, adds, why);
	return batch_is_fast(&d->batch) ? with_sketches(d, dir, adds, why)
					: with_prints(d, dir, adds, why);
}

enum status dedup_check_index(struct dedup *d, struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };

	buf_add(&path, d->settings->against);
	if (!dir_exists(buf_cstr(&path)))
		return diag_fail(why, ST_NOT_FOUND, "%s: there is no such index",
				 buf_cstr(&path));
	return ST_OK;
}

enum status dedup_ask_index(struct dedup *d, struct diag *why)
{
	return with_index(d, d->settings->against, false, why);
}

enum status dedup_add_index(struct dedup *d, struct diag *why)
{
	/* From here on the index knows documents of this run: whoever runs it again must
	 * know that it is the same run. */
	TRY(batch_sync(&d->batch, why));
	return with_index(d, d->settings->index_out, true, why);
}
