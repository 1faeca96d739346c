#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "store/bulk_internal.h"

/* Where the merge stands in one chunk. */
struct source {
	struct chunk_walk walk;
	struct chunk_key at;
};

static bool goes_before(const struct source *a, const struct source *b)
{
	return str_cmp(a->at.key, b->at.key) < 0;
}

HEAP_DEFINE(source_heap, struct source, goes_before)

struct numbering {
	struct bulk *bulk;
	const struct snapshot *known;
	bool any_known;
	struct str *predicates; /* keys of predicates that are new, sorted */
	size_t n_predicates, predicates_cap;
	size_t next_predicate; /* the first that the merge has not yet met */
	struct dict_writer writer;
	struct bulk_numbers *numbers;
};

static uint64_t find_known(const struct snapshot *s, struct str key)
{
	for (size_t i = s->n_parts; i-- > 0;) {
		uint64_t number = dict_part_find(s->parts[i], key);

		if (number != DICT_NONE)
			return number;
	}
	return DICT_NONE;
}

static int by_key(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Sorted, in a file of their own. */
static enum status write_predicates(struct numbering *g, const char *path,
				    struct diag *why)
{
	cleanup(dict_writer_release) struct dict_writer w = { 0 };

	TRY(dict_writer_open(&w, path, false, why));
	for (size_t i = 0; i < g->n_predicates; i++)
		TRY(dict_writer_add(&w, g->predicates[i], 0, why));
	return dict_writer_end(&w, why);
}

static void gather_predicates(struct numbering *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->bulk->n_chunks; i++) {
		struct bulk_chunk *c = g->bulk->chunks[i];
		struct map_slot slot;

		for (size_t at = 0; map_next(&c->is_predicate, &at, &slot);)
			VEC_ADD(g->predicates, g->n_predicates, g->predicates_cap,
				chunk_key_at(c, slot.key));
	}
	if (g->n_predicates)
		qsort(g->predicates, g->n_predicates, sizeof(struct str), by_key);
	for (size_t i = 0; i < g->n_predicates; i++)
		if ((n == 0 || !str_eq(g->predicates[i], g->predicates[n - 1])) &&
		    find_known(g->known, g->predicates[i]) == DICT_NONE)
			g->predicates[n++] = g->predicates[i];
	g->n_predicates = n;
}

static enum id_tag tag_of(struct str key)
{
	return key.p[0] == 'I' ? TAG_IRI : key.p[0] == 'B' ? TAG_BLANK : TAG_LITERAL;
}

/* The id of a key: a new blank node, a predicate, known, or new in the dictionary. */
static enum status number_key(struct numbering *g, struct str key, uint64_t *ret,
			      struct diag *why)
{
	enum id_tag tag = tag_of(key);
	struct bulk_numbers *n = g->numbers;
	uint64_t number;

	if (tag == TAG_BLANK) {
		*ret = store_new_blank(g->bulk->store);
		return ST_OK;
	}
	/* Both come in order, and every predicate comes. */
	if (g->next_predicate < g->n_predicates &&
	    str_eq(g->predicates[g->next_predicate], key)) {
		*ret = id_make(tag, n->first + g->next_predicate++);
		return ST_OK;
	}
	number = g->any_known ? find_known(g->known, key) : DICT_NONE;
	if (number == DICT_NONE) {
		TRY(dict_writer_add(&g->writer, key, 0, why));
		number = n->end++;
		if (tag == TAG_IRI)
			n->first_literal = n->end;
	}
	*ret = id_make(tag, number);
	return ST_OK;
}

static bool advance(struct source *s)
{
	return chunk_next_key(&s->walk, &s->at);
}

/* All keys in order, equal ones together. */
static enum status merge_keys(struct numbering *g, struct source_heap *heap,
			      struct diag *why)
{
	cleanup(buf_release) struct buf last = { 0 };
	uint64_t id = ID_NONE;

	while (heap->n) {
		struct source *s = &heap->v[0];

		if (last.n == 0 || !str_eq(buf_str(&last), s->at.key)) {
			TRY(number_key(g, s->at.key, &id, why));
			buf_reset(&last);
			buf_add(&last, s->at.key);
		}
		s->walk.chunk->ids[s->at.number] = id;
		if (!advance(s))
			heap->v[0] = heap->v[--heap->n];
		source_heap_down(heap, 0);
	}
	return ST_OK;
}

static enum status number_rest(struct numbering *g, const char *path, struct diag *why)
{
	struct source_heap heap = { 0 };
	enum status st = dict_writer_open(&g->writer, path, false, why);

	for (size_t i = 0; i < g->bulk->n_chunks; i++) {
		struct source s = { .walk = { .chunk = g->bulk->chunks[i] } };

		if (advance(&s))
			source_heap_add(&heap, s);
	}
	if (st == ST_OK)
		st = merge_keys(g, &heap, why);
	if (st == ST_OK)
		st = dict_writer_end(&g->writer, why);
	source_heap_release(&heap);
	dict_writer_release(&g->writer);
	return st;
}

enum status bulk_number_terms(struct bulk *b, const struct snapshot *known,
			      uint64_t files[2], struct manifest_part parts[2],
			      size_t *ret_parts, struct bulk_numbers *numbers,
			      struct diag *why)
{
	struct numbering g = { .bulk = b, .known = known, .numbers = numbers };
	char *paths[2] = { store_path(b->store, files[0], "dict"),
			   store_path(b->store, files[1], "dict") };
	enum status st = ST_OK;

	*ret_parts = 0;
	for (size_t i = 0; i < known->n_parts; i++)
		g.any_known |= dict_part_count(known->parts[i]) > 0;
	numbers->first_blank = b->store->next_blank;
	gather_predicates(&g);
	numbers->end = numbers->first + g.n_predicates;
	numbers->first_literal = numbers->end;
	if (g.n_predicates) {
		st = write_predicates(&g, paths[0], why);
		parts[(*ret_parts)++] =
			(struct manifest_part){ files[0], numbers->first };
	}
	parts[*ret_parts] = (struct manifest_part){ files[1], numbers->end };
	if (st == ST_OK)
		st = number_rest(&g, paths[1], why);
	*ret_parts += numbers->end > parts[*ret_parts].first;
	numbers->end_blank = b->store->next_blank;
	free(g.predicates);
	free(paths[0]);
	free(paths[1]);
	return st;
}
