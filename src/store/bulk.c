#include "store/bulk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/clock.h"
#include "rdf/ntriples.h"
#include "store/bulk_internal.h"

#define MEMORY_DEFAULT ((uint64_t)1500 << 20)
#define LINES_PER_LOOK 4096
#define BAD_KEPT       1000 /* bad lines told apart by a worker; the others are counted */
#define PASS_BYTES     ((ptrdiff_t)8 << 20)
#define WORKERS_MAX    16

enum status bulk_start(struct bulk **ret, struct store *s, struct diag *why)
{
	struct bulk *b = NEW(struct bulk);

	(void)why;
	b->store = s;
	b->memory = s->options.memory_bytes ? s->options.memory_bytes : MEMORY_DEFAULT;
	pthread_mutex_init(&b->lock, NULL);
	*ret = b;
	return ST_OK;
}

void bulk_release(struct bulk *b)
{
	for (size_t i = 0; i < b->n_chunks; i++) {
		chunk_release(b->chunks[i]);
		free(b->chunks[i]);
	}
	free(b->chunks);
	pthread_mutex_destroy(&b->lock);
	free(b);
}

void bulk_abort(struct bulk *b)
{
	bulk_release(b);
}

/* One worker and its slice of the text. */
struct worker {
	struct bulk *bulk;
	const struct bulk_text *text;
	struct nt_reader reader;
	struct bulk_chunk *chunk;
	uint32_t scope;
	size_t budget;
	struct thread thread;
	uint64_t n_bad;
	uint64_t bytes, statements; /* so far; looked at by the caller's thread */
	struct bulk_bad *bad;
	size_t n_kept, bad_cap;
	bool done, *stop;
	enum status st;
	struct diag why;
};

/* A full chunk goes to disk; it is the bulk's from then on. */
static enum status hand_over(struct worker *w, bool spill)
{
	struct bulk *b = w->bulk;
	enum status st = ST_OK;
	char name[40];

	chunk_sort_keys(w->chunk);
	pthread_mutex_lock(&b->lock);
	VEC_ADD(b->chunks, b->n_chunks, b->chunks_cap, w->chunk);
	snprintf(name, sizeof(name), "bulk-%zu", b->n_chunks);
	b->spilled |= spill;
	pthread_mutex_unlock(&b->lock);
	if (spill) {
		char *path = store_path(b->store, 0, name);

		st = chunk_spill(w->chunk, path, &w->why);
		free(path);
	}
	w->chunk = NULL;
	return st;
}

static void keep_bad(struct worker *w, const struct diag *why)
{
	w->n_bad++;
	if (w->n_kept < BAD_KEPT)
		VEC_ADD(w->bad, w->n_kept, w->bad_cap,
			(struct bulk_bad){ w->reader.line, *why });
}

static uint32_t start_chunk(struct worker *w)
{
	w->chunk = NEW(struct bulk_chunk);
	chunk_init(w->chunk);
	return chunk_term(w->chunk, w->text->graph, w->scope);
}

static enum status parse_slice(struct worker *w)
{
	struct statement s;
	struct diag why;
	uint32_t graph = start_chunk(w);
	size_t all = w->reader.in.n;
	const char *passed = w->reader.in.p;
	uint64_t n = 0;
	enum status line;

	while ((line = nt_next(&w->reader, &s, &why)) != ST_NOT_FOUND) {
		if (line == ST_OK) {
			chunk_add(w->chunk, &s, graph, w->scope);
			if (w->reader.undone_used) /* text that the next line undoes */
				chunk_forget(w->chunk);
			n++;
		} else {
			keep_bad(w, &why);
			if (w->text->strict)
				return ST_SYNTAX;
		}
		if (w->reader.line % LINES_PER_LOOK)
			continue;
		__atomic_store_n(&w->bytes, all - w->reader.in.n, __ATOMIC_RELAXED);
		__atomic_store_n(&w->statements, n, __ATOMIC_RELAXED);
		if (__atomic_load_n(w->stop, __ATOMIC_RELAXED))
			return ST_CANCELLED;
		if (w->text->mapped && w->reader.in.p - passed > PASS_BYTES) {
			map_file_pass_part((struct str){ passed, PASS_BYTES });
			passed += PASS_BYTES;
		}
		if (chunk_memory(w->chunk) > w->budget) {
			TRY(hand_over(w, true));
			graph = start_chunk(w);
		}
	}
	__atomic_store_n(&w->statements, n, __ATOMIC_RELAXED);
	return hand_over(w, false);
}

static void run_worker(void *worker)
{
	struct worker *w = worker;

	w->st = parse_slice(w);
	if (w->st != ST_OK && w->st != ST_SYNTAX)
		__atomic_store_n(w->stop, true, __ATOMIC_RELAXED);
	__atomic_store_n(&w->done, true, __ATOMIC_RELEASE);
}

/* Slices end after a line end. */
static size_t slice_end(struct str text, size_t at)
{
	const char *lf = at < text.n ? memchr(text.p + at, '\n', text.n - at) : NULL;

	return lf ? (size_t)(lf - text.p) + 1 : text.n;
}

static bool all_done(const struct worker *w, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!__atomic_load_n(&w[i].done, __ATOMIC_ACQUIRE))
			return false;
	return true;
}

static void watch(struct worker *w, size_t n, const struct bulk_text *text, bool *stop)
{
	while (!all_done(w, n)) {
		uint64_t bytes = 0, statements = 0;

		for (size_t i = 0; i < n; i++) {
			bytes += __atomic_load_n(&w[i].bytes, __ATOMIC_RELAXED);
			statements += __atomic_load_n(&w[i].statements, __ATOMIC_RELAXED);
		}
		if (text->progress &&
		    !text->progress(text->context, bytes, text->text.n, statements))
			__atomic_store_n(stop, true, __ATOMIC_RELAXED);
		sleep_ms(2);
	}
}

/* Lines count through the slices; the first failure is the answer. */
static enum status collect(struct worker *w, size_t n, const struct bulk_text *text,
			   uint64_t *ret_statements, uint64_t *ret_bad, struct diag *why)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < w[i].n_kept; k++) {
			if (text->strict)
				return diag_fail(
					why, ST_SYNTAX, "line %llu: %s",
					(unsigned long long)(lines + w[i].bad[k].line),
					w[i].bad[k].why.text);
			if (text->bad)
				text->bad(text->context, lines + w[i].bad[k].line,
					  w[i].bad[k].why.text);
		}
		if (w[i].st == ST_CANCELLED)
			return diag_fail(why, ST_CANCELLED, "interrupted");
		if (w[i].st != ST_OK)
			return diag_fail(why, w[i].st, "%s", w[i].why.text);
		lines += w[i].reader.line;
		*ret_statements += w[i].statements;
		*ret_bad += w[i].n_bad;
	}
	return ST_OK;
}

enum status bulk_add(struct bulk *b, const struct bulk_text *text,
		     uint64_t *ret_statements, uint64_t *ret_bad, struct diag *why)
{
	size_t n = MIN(MIN((size_t)cpu_count(), (size_t)WORKERS_MAX),
		       1 + text->text.n / ((size_t)1 << 20)),
	       at = 0;
	struct worker *w = xcalloc(n, sizeof(*w));
	bool stop = false;
	enum status st = ST_OK;

	b->n_documents++;
	for (size_t i = 0; i < n; i++) {
		size_t end = i + 1 == n
				     ? text->text.n
				     : slice_end(text->text, text->text.n / n * (i + 1));

		w[i] = (struct worker){ .bulk = b, .text = text, .stop = &stop };
		w[i].reader = (struct nt_reader){ .in = str_slice(text->text, at, end),
						  .quads = text->quads };
		w[i].scope = (uint32_t)b->n_documents;
		w[i].budget = b->memory / 2 / n;
		at = MAX(at, end);
		st = thread_start(&w[i].thread, "kb-load", run_worker, &w[i], why);
		if (st != ST_OK) {
			w[i].done = true;
			stop = true;
		}
	}
	watch(w, n, text, &stop);
	for (size_t i = 0; i < n; i++)
		thread_join(&w[i].thread);
	if (st == ST_OK)
		st = collect(w, n, text, ret_statements, ret_bad, why);
	for (size_t i = 0; i < n; i++) {
		nt_reader_release(&w[i].reader);
		free(w[i].bad);
		if (w[i].chunk)
			chunk_release(w[i].chunk);
		free(w[i].chunk);
	}
	free(w);
	return st;
}
