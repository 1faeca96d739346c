#include "eval/exec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define LOCAL_BLANKS ((uint64_t)1 << 59) /* blank nodes made by this query */

void exec_init(struct exec *x, struct snapshot *s, const struct request *r,
	       const struct query_options *options, exec_exists_fn *exists,
	       struct diag *why)
{
	static const struct query_options none;

	*x = (struct exec){ .exists = exists, .snapshot = s, .request = r, .why = why };
	x->times = 1;
	x->options = options ? options : &none;
	x->clock = x->options->clock ? x->options->clock : &real_clock;
	x->costs = x->options->costs ? x->options->costs : &cost_standard;
	x->n_vars = r->n_vars;
	x->facts = xcalloc(r->n_patterns + 1, sizeof(*x->facts));
	x->now_ms = clock_wall_ms(x->clock);
	x->rng = (struct rng){ x->options->seed ? x->options->seed
						: (uint64_t)clock_mono_ns(x->clock) };
	x->next_blank = LOCAL_BLANKS;
	if (x->options->limits.time_ms)
		x->deadline_ns = clock_mono_ns(x->clock) +
				 (int64_t)x->options->limits.time_ms * 1000000;
	x->defaults = xcalloc(1, sizeof(*x->defaults)); /* ID_NONE, the default graph */
	x->n_defaults = 1;
	x->all_named = true;
}

void exec_release(struct exec *x)
{
	arena_release(&x->scratch);
	arena_release(&x->tree);
	arena_release(&x->locals.bytes);
	map_release(&x->locals.by_hash);
	free(x->locals.v);
	dict_cursor_release(&x->terms);
	free(x->exists_rows);
	for (size_t i = 0; x->exists_scratch && i < EXISTS_DEPTH; i++)
		arena_release(&x->exists_scratch[i]);
	free(x->exists_scratch);
	free(x->facts);
	free(x->locals.chain);
	map_release(&x->row_blanks);
	regexes_release(&x->regexes);
	free(x->defaults);
	free(x->named);
}

bool exec_fail(struct exec *x, enum status st, const char *fmt, ...)
{
	char text[sizeof(x->why->text)];
	va_list args;

	if (x->st != ST_OK)
		return false;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	x->st = diag_fail(x->why, st, "%s", text);
	return false;
}

bool exec_check(struct exec *x)
{
	const struct query_cancel *cancel = &x->options->cancel;

	x->ticks = 0;
	if (cancel->asked && cancel->asked(cancel->context))
		return exec_fail(x, ST_CANCELLED, "the query was cancelled");
	if (x->deadline_ns && clock_mono_ns(x->clock) > x->deadline_ns)
		return exec_fail(x, ST_TIMEOUT,
				 "the query hit its limit of time, %llu ms",
				 (unsigned long long)x->options->limits.time_ms);
	return x->st == ST_OK;
}

bool exec_take_memory(struct exec *x, size_t bytes)
{
	uint64_t limit = x->options->limits.memory_bytes;

	x->memory_bytes += bytes;
	if (limit && x->memory_bytes + x->scratch_bytes > limit)
		return exec_fail(x, ST_TOO_LARGE,
				 "the query hit its limit of memory, %llu bytes",
				 (unsigned long long)limit);
	return true;
}

void *exec_tree(struct exec *x, size_t bytes)
{
	void *m = arena_alloc(&x->tree, bytes);

	(void)!exec_take_memory(x, bytes);
	(void)!exec_work(x, bytes / 256 + 1);
	memset(m, 0, bytes);
	return m;
}

size_t exec_string_limit(const struct exec *x)
{
	uint64_t limit = x->options->limits.memory_bytes,
		 used = x->memory_bytes + x->scratch_bytes;

	if (limit == 0)
		return STRING_BYTES_MAX;
	/* It is built in a buffer, then copied to scratch memory and perhaps to a table.
	 */
	return used < limit ? MIN((size_t)(limit - used) / 3 + 1, STRING_BYTES_MAX) : 1;
}

/* Bytes are work: 64 of them are about a unit. */
static bool take_scratch(struct exec *x, size_t bytes)
{
	x->scratch_bytes += bytes;
	return exec_take_memory(x, 0) && exec_work(x, bytes / 64);
}

struct str exec_keep(struct exec *x, const struct buf *b)
{
	if (b->overflow) {
		(void)!exec_take_memory(x, 3 * exec_string_limit(x));
		exec_fail(x, ST_TOO_LARGE,
			  "the query computes a string of more than %zu bytes",
			  STRING_BYTES_MAX);
		return STR("");
	}
	if (!take_scratch(x, b->n))
		return STR("");
	return arena_copy(&x->scratch, buf_str(b));
}

/* --- terms --- */

static uint64_t local_id(struct exec *x, struct term t)
{
	struct locals *l = &x->locals;
	cleanup(buf_release) struct buf key = { 0 };
	bool is_new;

	term_to_key(t, &key);
	uint64_t *head = map_add(&l->by_hash, hash64(buf_str(&key)), &is_new);
	for (uint64_t at = is_new ? 0 : *head; at; at = l->chain[at - 1])
		if (term_eq(l->v[at - 1], t))
			return id_make(TAG_LOCAL, at - 1);
	if (!exec_take_memory(x, sizeof(t) + t.text.n)) {
		if (is_new)
			map_remove(&l->by_hash, hash64(buf_str(&key)));
		return ID_NONE;
	}
	VEC_RESERVE(l->chain, l->chain_cap, l->n + 1);
	l->chain[l->n] = (uint32_t)*head;
	VEC_ADD(l->v, l->n, l->cap, term_copy(&l->bytes, t));
	*head = l->n;
	return id_make(TAG_LOCAL, l->n - 1);
}

uint64_t exec_intern(struct exec *x, struct term t)
{
	uint64_t id;

	if (t.kind == TERM_NONE)
		return ID_NONE;
	if (t.kind == TERM_BLANK) {
		struct str digits = str_skip(t.text, 1);
		uint64_t n;

		return str_to_uint(digits, ID_PAYLOAD_MASK, &n) ? id_make(TAG_BLANK, n)
								: ID_NONE;
	}
	id = snapshot_find(x->snapshot, t);
	return id != ID_NONE ? id : local_id(x, t);
}

struct term exec_term(struct exec *x, uint64_t id)
{
	struct term t = { 0 };

	if (id_tag(id) == TAG_LOCAL)
		return x->locals.v[id_payload(id)];
	if (id != ID_NONE &&
	    !snapshot_term_near(x->snapshot, id, &x->terms, &x->scratch, &t))
		exec_fail(x, ST_CORRUPT, "a term of the dictionary cannot be read");
	(void)!take_scratch(x, t.text.n);
	return t;
}

void exec_reset_scratch(struct exec *x)
{
	if (x->scratch_uses)
		return;
	arena_reset(&x->scratch);
	x->scratch_bytes = 0;
}

uint64_t exec_new_blank(struct exec *x)
{
	return x->store ? store_new_blank(x->store) : id_make(TAG_BLANK, x->next_blank++);
}

uint64_t exec_row_blank(struct exec *x, struct str label)
{
	uint64_t *id = map_add(&x->row_blanks, hash64_seeded(label, x->row_number), NULL);

	if (*id == 0)
		*id = exec_new_blank(x);
	return *id;
}

/* --- the dataset --- */

size_t exec_graphs(const struct exec *x, const uint64_t **ret)
{
	if (x->in_graph) {
		*ret = &x->graph;
		return 1;
	}
	*ret = x->defaults;
	return x->n_defaults;
}

void exec_set_union(struct exec *x)
{
	uint64_t *graphs = NULL;
	size_t n = snapshot_graphs(x->snapshot, &graphs);

	x->defaults = xrealloc(x->defaults, n + 1, sizeof(*x->defaults));
	x->n_defaults = 0;
	/* A graph with nothing in it only makes searches longer. */
	if (n == 0 || snapshot_count(x->snapshot, ORDER_SPO, &(struct row){ { 0 } }, 1))
		x->defaults[x->n_defaults++] = ID_NONE;
	for (size_t i = 0; i < n; i++)
		x->defaults[x->n_defaults++] = graphs[i];
	free(graphs);
}

void exec_set_dataset(struct exec *x, const struct dataset *d)
{
	if (d->n_from == 0 && d->n_named == 0)
		return;
	x->defaults = xrealloc(x->defaults, d->n_from + 1, sizeof(*x->defaults));
	x->n_defaults = 0;
	for (size_t i = 0; i < d->n_from; i++)
		x->defaults[x->n_defaults++] = exec_intern(x, d->from[i]);
	x->named = xrealloc(x->named, d->n_named + 1, sizeof(*x->named));
	x->n_named = 0;
	for (size_t i = 0; i < d->n_named; i++)
		x->named[x->n_named++] = exec_intern(x, d->named[i]);
	x->all_named = false;
}
