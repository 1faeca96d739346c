/*
 * dedup_read.c - phase 1 of `thresh dedup`: documents in, fingerprints to the log.
 *
 * One thread reads records and puts what others made of them into the batch, in
 * the order of the input; the others parse and fingerprint.  Records travel in
 * loads of a megabyte, and there are a few loads a thread, so memory is bounded
 * and the result does not depend on the number of threads.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "cmd/dedup.h"
#include "os/queue.h"
#include "os/thread.h"

#define LOAD_RECORDS 128
#define LOAD_BYTES   ((size_t)1 << 20)
#define THREADS_MAX  256

/* A record on its way. */
struct slot {
	struct corpus_raw raw;
	bool known; /* of an interrupted run: only counted */
	enum status st;
	struct diag why;
	struct batch_made made;
};

struct load {
	struct slot v[LOAD_RECORDS];
	size_t n;
	struct arena bytes;
	struct queue back; /* where it comes back; holds one */
};

struct reading {
	struct dedup *d;
	struct dedup_watch *w;
	struct corpus c;
	struct queue todo;
	struct load *loads;
	size_t n_loads, next, oldest; /* loads sent and taken back, counted on */
	struct thread *threads;
	unsigned n_threads; /* 0: no others */
	struct corpus_work work;
	struct batch_work batch_work;
	size_t read, seen, known; /* records; documents; those of an interrupted run */
};

static void make_slot(const struct reading *r, struct slot *s, struct corpus_work *work,
		      struct batch_work *batch_work)
{
	struct corpus_doc doc;

	if (s->st != ST_OK)
		return;
	s->st = corpus_parse(&r->c.options, &s->raw, work, &doc, &s->why);
	if (s->st != ST_OK || s->known)
		return;
	struct document parts = { .text = doc.text,
				  .language = doc.language,
				  .links = doc.links,
				  .n_links = doc.n_links,
				  .tag_paths = doc.tag_paths,
				  .n_tag_paths = doc.n_tag_paths };
	struct batch_doc whole = { doc.name, doc.text.n, doc.score, doc.is_canonical,
				   &parts };
	batch_make(&r->d->batch.options, &whole, batch_work, &s->made);
}

static void run_maker(void *arg)
{
	struct reading *r = arg;
	struct corpus_work work = { 0 };
	struct batch_work batch_work = { 0 };
	void *item;

	while (queue_take(&r->todo, QUEUE_FOREVER, &item) == ST_OK) {
		struct load *l = item;

		for (size_t i = 0; i < l->n; i++)
			make_slot(r, &l->v[i], &work, &batch_work);
		(void)!queue_add(&l->back, l, QUEUE_FOREVER);
	}
	corpus_work_release(&work);
	batch_work_release(&batch_work);
}

/* What became of a record goes into the batch. */
static enum status put_slot(struct reading *r, struct slot *s, struct diag *why)
{
	if (s->st == ST_SYNTAX || s->st == ST_CORRUPT || s->st == ST_TOO_LARGE) {
		dedup_report_broken(r->d, r->w, &s->why);
		return ST_OK;
	}
	if (s->st == ST_NOT_FOUND)
		return ST_OK;
	if (s->st != ST_OK) {
		*why = s->why;
		return s->st;
	}
	return r->seen++ < r->known ? ST_OK : batch_put(&r->d->batch, &s->made, why);
}

static enum status look_around(struct reading *r, struct diag *why)
{
	uint64_t done = corpus_bytes_done(&r->c);

	dedup_show(r->w, "reading", done, r->c.total_bytes, (double)done / 1e6);
	if (!dedup_interrupted(r->w))
		return ST_OK;
	TRY(batch_sync(&r->d->batch, why));
	return ST_CANCELLED;
}

/* ST_AGAIN at the end; a failure to read a record is the slot's. */
static enum status read_slot(struct reading *r, struct slot *s)
{
	s->st = corpus_read(&r->c, &s->raw, &s->why);
	s->known = r->read++ < r->known;
	return s->st == ST_AGAIN ? ST_AGAIN : ST_OK;
}

static enum status read_alone(struct reading *r, struct diag *why)
{
	struct slot s = { 0 };
	enum status st = ST_OK;

	while (st == ST_OK && read_slot(r, &s) == ST_OK) {
		make_slot(r, &s, &r->work, &r->batch_work);
		st = put_slot(r, &s, why);
		if (st == ST_OK && r->read % LOAD_RECORDS == 0)
			st = look_around(r, why);
	}
	batch_made_release(&s.made);
	return st;
}

/* Fill a load with copies: what the reader gives lives only until the next record. */
static bool fill_load(struct reading *r, struct load *l)
{
	size_t bytes = 0;

	arena_reset(&l->bytes);
	for (l->n = 0; l->n < LOAD_RECORDS && bytes < LOAD_BYTES; l->n++) {
		struct slot *s = &l->v[l->n];

		if (read_slot(r, s) != ST_OK)
			break;
		bytes += s->raw.bytes.n;
		if (s->st != ST_OK)
			continue;
		s->raw.bytes = arena_copy(&l->bytes, s->raw.bytes);
		s->raw.type = arena_copy(&l->bytes, s->raw.type);
		if (s->raw.name.p != s->raw.file.p)
			s->raw.name = arena_copy(&l->bytes, s->raw.name);
	}
	return l->n > 0;
}

/* Wait for the oldest load that is out. */
static enum status take_back(struct reading *r, struct diag *why)
{
	struct load *l = &r->loads[r->oldest++ % r->n_loads];
	void *item;

	TRY(queue_take(&l->back, QUEUE_FOREVER, &item));
	for (size_t i = 0; i < l->n; i++)
		TRY(put_slot(r, &l->v[i], why));
	return look_around(r, why);
}

static enum status read_together(struct reading *r, struct diag *why)
{
	for (;;) {
		if (r->next - r->oldest == r->n_loads)
			TRY(take_back(r, why));
		struct load *l = &r->loads[r->next % r->n_loads];
		if (!fill_load(r, l))
			break;
		TRY(queue_add(&r->todo, l, QUEUE_FOREVER));
		r->next++;
	}
	while (r->oldest < r->next)
		TRY(take_back(r, why));
	return ST_OK;
}

static void start(struct reading *r)
{
	unsigned wanted = (unsigned)r->d->settings->threads;

	if (wanted == 0)
		wanted = MIN(cpu_count(), (unsigned)THREADS_MAX);
	r->n_loads = 2 * (size_t)wanted + 1;
	queue_init(&r->todo, r->n_loads);
	r->loads = xcalloc(r->n_loads, sizeof(*r->loads));
	for (size_t i = 0; i < r->n_loads; i++)
		queue_init(&r->loads[i].back, 1);
	r->threads = xcalloc(wanted, sizeof(*r->threads));
	while (wanted > 1 && r->n_threads < wanted &&
	       thread_start(&r->threads[r->n_threads], "dedup", run_maker, r, NULL) ==
		       ST_OK)
		r->n_threads++;
}

static void stop(struct reading *r)
{
	queue_close(&r->todo);
	for (unsigned i = 0; i < r->n_threads; i++)
		thread_join(&r->threads[i]);
	for (size_t i = 0; i < r->n_loads; i++) {
		for (size_t k = 0; k < LOAD_RECORDS; k++)
			batch_made_release(&r->loads[i].v[k].made);
		arena_release(&r->loads[i].bytes);
		queue_release(&r->loads[i].back);
	}
	queue_release(&r->todo);
	free(r->loads);
	free(r->threads);
	corpus_work_release(&r->work);
	batch_work_release(&r->batch_work);
	corpus_release(&r->c);
}

/* An interrupted run that had read its standard input to the end has it still. */
static void find_spool(struct dedup *d)
{
	struct arena a = { 0 };
	const char *path = path_join(&a, d->corpus.spool_dir, STR(CORPUS_SPOOL));

	for (size_t i = 0; i < d->args->n; i++)
		d->corpus.spooled |=
			str_eq(d->args->words[i], STR("-")) && file_exists(path);
	if (d->corpus.spooled)
		fprintf(stderr,
			"thresh dedup: standard input was read to its end before; it is "
			"taken from %s, not read again\n",
			path);
	arena_release(&a);
}

enum status dedup_read(struct dedup *d, struct dedup_watch *w, struct diag *why)
{
	struct reading r = { .d = d, .w = w, .known = batch_count(&d->batch) };

	find_spool(d);
	TRY(corpus_open(&r.c, d->args->words, d->args->n, &d->corpus, why));
	d->corpus.spooled = true;
	if (!d->settings->quiet)
		dedup_print_plan(d, &r.c);
	if (r.known && !d->settings->quiet)
		fprintf(stderr, "resuming   %zu documents are done\n", r.known);
	start(&r);
	enum status st = r.n_threads ? read_together(&r, why) : read_alone(&r, why);
	stop(&r);
	return st;
}
