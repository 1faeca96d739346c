#include "dedup/crew.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "corpus/warc_doc.h"
#include "os/queue.h"
#include "os/thread.h"

#define LOAD_RECORDS 128
#define LOAD_BYTES   ((size_t)1 << 20)
#define PART_RECORDS 1024 /* a part with more is read by the owner, one by one */
#define SPARE_BYTES  ((size_t)1 << 20) /* what a slot may hold while it is empty */
#define THREADS_MAX  256

struct load {
	struct crew_slot *v;
	size_t n, cap;
	struct arena bytes;
	bool is_part, clean; /* the part was read to its end, without a complaint */
	struct corpus_part part;
	struct queue back; /* where it comes back; holds one */
};

struct crew {
	struct corpus *c;
	struct crew_job *job;
	struct queue todo;
	struct load *loads;
	size_t n_loads, next, oldest; /* loads sent and taken back, counted on */
	struct thread *threads;
	unsigned n_threads;   /* 0: no others */
	struct crew_slot own; /* of the owner */
	struct crew_work work;
	uint64_t read;  /* records; CREW_NO_NR from the first part on */
	bool unsettled; /* parts were sent since the last settle() */
	size_t file_nr; /* where the records of the last part taken really ended */
	uint64_t arrived;
};

static void slot_release(struct crew_slot *s)
{
	batch_made_release(&s->made);
	buf_release(&s->line);
}

static void work_release(struct crew_work *w)
{
	corpus_work_release(&w->corpus);
	batch_work_release(&w->batch);
}

static struct crew_slot *add_slot(struct load *l)
{
	size_t had = l->cap;

	VEC_RESERVE(l->v, l->cap, l->n + 1);
	for (size_t i = had; i < l->cap; i++)
		l->v[i] = (struct crew_slot){ 0 };
	return &l->v[l->n++];
}

/* What is made of a part counts only if all of it could be read. */
static void make_part(const struct crew_job *job, struct load *l, struct crew_work *w)
{
	struct warc_docs docs;
	enum status st = ST_OK;

	warc_docs_init(&docs, l->part.bytes, l->part.file, l->part.start);
	for (l->n = 0; st == ST_OK && l->n < PART_RECORDS;) {
		struct crew_slot *s = add_slot(l);

		s->nr = CREW_NO_NR;
		st = s->st = warc_docs_next(&docs, &s->raw, &s->why);
		if (st == ST_OK)
			job->make(job->arg, s, w);
		else
			l->n--;
	}
	l->clean = st == ST_AGAIN;
	warc_docs_release(&docs);
}

static void run_maker(void *arg)
{
	struct crew *k = arg;
	struct crew_work work = { 0 };
	void *item;

	while (queue_take(&k->todo, QUEUE_FOREVER, &item) == ST_OK) {
		struct load *l = item;

		if (l->is_part)
			make_part(k->job, l, &work);
		for (size_t i = 0; !l->is_part && i < l->n; i++)
			if (l->v[i].st == ST_OK)
				k->job->make(k->job->arg, &l->v[i], &work);
		(void)!queue_add(&l->back, l, QUEUE_FOREVER);
	}
	work_release(&work);
}

static enum status make_and_take(struct crew *k, struct crew_slot *s, struct diag *why)
{
	if (s->st == ST_OK)
		k->job->make(k->job->arg, s, &k->work);
	return k->job->take(k->job->arg, s, why);
}

static enum status run_alone(struct crew *k, struct diag *why)
{
	struct crew_slot *s = &k->own;

	while ((s->st = corpus_read(k->c, &s->raw, &s->why)) != ST_AGAIN) {
		s->nr = k->read++;
		TRY(make_and_take(k, s, why));
		if (k->read % LOAD_RECORDS == 0)
			TRY(k->job->look(k->job->arg, k->c, why));
	}
	return ST_OK;
}

/* The records of a part, from a place where one begins, as the file itself has them. */
static enum status read_again(struct crew *k, const struct corpus_part *part,
			      uint64_t from, struct diag *why)
{
	cleanup(warc_docs_release) struct warc_docs docs = { 0 };
	struct crew_slot *s = &k->own;

	s->nr = CREW_NO_NR;
	TRY(warc_docs_open(&docs, k->c->files.v[part->file_nr], from, why));
	docs.file = part->file; /* as people know it */
	while (warc_docs_place(&docs) < part->end) {
		s->st = warc_docs_next(&docs, &s->raw, &s->why);
		if (s->st == ST_AGAIN)
			break;
		TRY(make_and_take(k, s, why));
	}
	k->arrived = warc_docs_place(&docs);
	return ST_OK;
}

static enum status take_part(struct crew *k, struct load *l, struct diag *why)
{
	const struct corpus_part *part = &l->part;
	/* The part before went on beyond its end: this one begins inside a record. */
	bool inside = k->file_nr == part->file_nr && k->arrived > part->start;
	uint64_t from = inside ? k->arrived : part->start;

	if (inside && from >= part->end)
		return ST_OK;
	k->file_nr = part->file_nr;
	if (inside || !l->clean)
		return read_again(k, part, from, why);
	for (size_t i = 0; i < l->n; i++)
		TRY(k->job->take(k->job->arg, &l->v[i], why));
	k->arrived = part->end;
	return ST_OK;
}

/* Wait for the oldest load that is out. */
static enum status take_back(struct crew *k, struct diag *why)
{
	struct load *l = &k->loads[k->oldest++ % k->n_loads];
	void *item;

	TRY(queue_take(&l->back, QUEUE_FOREVER, &item));
	if (l->is_part)
		TRY(take_part(k, l, why));
	for (size_t i = 0; !l->is_part && i < l->n; i++)
		TRY(k->job->take(k->job->arg, &l->v[i], why));
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].made.record.cap + l->v[i].line.cap > SPARE_BYTES)
			slot_release(&l->v[i]);
	return k->job->look(k->job->arg, k->c, why);
}

/* Reading record by record begins where the records before it really ended. */
static enum status settle(struct crew *k, struct diag *why)
{
	if (!k->unsettled)
		return ST_OK;
	while (k->oldest < k->next)
		TRY(take_back(k, why));
	k->unsettled = false;
	corpus_go_to(k->c, k->file_nr, k->arrived);
	return ST_OK;
}

/* Fill a load with copies: what the reader gives lives only until the next record. */
static void fill_records(struct crew *k, struct load *l)
{
	size_t bytes = 0;

	while (l->n < LOAD_RECORDS && bytes < LOAD_BYTES) {
		struct crew_slot *s = add_slot(l);

		s->st = corpus_read(k->c, &s->raw, &s->why);
		if (s->st == ST_AGAIN) {
			l->n--;
			break;
		}
		s->nr = k->read == CREW_NO_NR ? CREW_NO_NR : k->read++;
		if (s->st != ST_OK)
			continue;
		bytes += s->raw.bytes.n;
		s->raw.bytes = arena_copy(&l->bytes, s->raw.bytes);
		s->raw.type = arena_copy(&l->bytes, s->raw.type);
		if (s->raw.name.p != s->raw.file.p)
			s->raw.name = arena_copy(&l->bytes, s->raw.name);
	}
}

/* False at the end of the corpus. */
static enum status fill_load(struct crew *k, struct load *l, bool *ret_filled,
			     struct diag *why)
{
	l->n = 0;
	arena_reset(&l->bytes);
	l->is_part = k->job->parts && corpus_take_part(k->c, &l->part);
	if (l->is_part) {
		l->part.bytes = arena_copy(&l->bytes, l->part.bytes);
		k->unsettled = true;
		k->read = CREW_NO_NR;
	} else {
		TRY(settle(k, why));
		fill_records(k, l);
	}
	*ret_filled = l->is_part || l->n > 0;
	return ST_OK;
}

static enum status run_together(struct crew *k, struct diag *why)
{
	bool filled = true;

	while (filled) {
		if (k->next - k->oldest == k->n_loads)
			TRY(take_back(k, why));
		struct load *l = &k->loads[k->next % k->n_loads];
		TRY(fill_load(k, l, &filled, why));
		if (filled) {
			TRY(queue_add(&k->todo, l, QUEUE_FOREVER));
			k->next++;
		}
	}
	while (k->oldest < k->next)
		TRY(take_back(k, why));
	return ST_OK;
}

static void start(struct crew *k)
{
	unsigned wanted = k->job->threads;

	if (wanted == 0)
		wanted = MIN(cpu_count(), (unsigned)THREADS_MAX);
	k->n_loads = 2 * (size_t)wanted + 1;
	queue_init(&k->todo, k->n_loads);
	k->loads = xcalloc(k->n_loads, sizeof(*k->loads));
	for (size_t i = 0; i < k->n_loads; i++)
		queue_init(&k->loads[i].back, 1);
	k->threads = xcalloc(wanted, sizeof(*k->threads));
	while (wanted > 1 && k->n_threads < wanted &&
	       thread_start(&k->threads[k->n_threads], "dedup", run_maker, k, NULL) ==
		       ST_OK)
		k->n_threads++;
}

static void stop(struct crew *k)
{
	queue_close(&k->todo);
	for (unsigned i = 0; i < k->n_threads; i++)
		thread_join(&k->threads[i]);
	for (size_t i = 0; i < k->n_loads; i++) {
		struct load *l = &k->loads[i];

		for (size_t s = 0; s < l->cap; s++)
			slot_release(&l->v[s]);
		free(l->v);
		arena_release(&l->bytes);
		queue_release(&l->back);
	}
	queue_release(&k->todo);
	free(k->loads);
	free(k->threads);
	slot_release(&k->own);
	work_release(&k->work);
}

enum status crew_run(struct corpus *c, struct crew_job *job, struct diag *why)
{
	struct crew k = { .c = c, .job = job, .file_nr = SIZE_MAX };

	start(&k);
	enum status st = k.n_threads ? run_together(&k, why) : run_alone(&k, why);
	stop(&k);
	return st;
}
