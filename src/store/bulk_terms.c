#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/intern.h"
#include "store/bulk_internal.h"

/* Where the merge stands in one chunk. */
struct source {
	struct bulk_chunk *chunk;
	size_t at;
	struct str key;
};

static bool goes_before(const struct source *a, const struct source *b)
{
	return str_cmp(a->key, b->key) < 0;
}

HEAP_DEFINE(source_heap, struct source, goes_before)

struct numbering {
	struct bulk *bulk;
	const struct snapshot *known;
	struct intern predicates; /* keys of predicates that are new */
	uint64_t first_predicate;
	struct dict_writer writer;
	uint64_t *next;
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
	struct intern sorted = { 0 };
	enum status st = dict_writer_open(&w, path, false, why);

	qsort(g->predicates.strings, g->predicates.n, sizeof(struct str), by_key);
	for (size_t i = 0; st == ST_OK && i < g->predicates.n; i++) {
		intern_add(&sorted, g->predicates.strings[i]);
		st = dict_writer_add(&w, g->predicates.strings[i], 0, why);
	}
	if (st == ST_OK)
		st = dict_writer_end(&w, why);
	SWAP(g->predicates, sorted); /* its ids are the ranks now */
	intern_release(&sorted);
	return st;
}

static void gather_predicates(struct numbering *g)
{
	for (size_t i = 0; i < g->bulk->n_chunks; i++) {
		struct bulk_chunk *c = g->bulk->chunks[i];
		struct map_slot slot;

		for (size_t at = 0; map_next(&c->is_predicate, &at, &slot);) {
			struct str key = { 0 };
			uint64_t id = c->ids[slot.key];
			uint32_t n;

			memcpy(&n, c->bytes + id_payload(id), 4);
			key = (struct str){ c->bytes + id_payload(id) + 4, n };
			if (find_known(g->known, key) == DICT_NONE)
				intern_add(&g->predicates, key);
		}
	}
}

/* The id of a key: known, a predicate, a new blank node, or new in the dictionary. */
static enum status number_key(struct numbering *g, enum id_tag tag, struct str key,
			      uint64_t *ret, struct diag *why)
{
	uint64_t number;
	uint32_t predicate;

	if (tag == TAG_BLANK) {
		*ret = store_new_blank(g->bulk->store);
		return ST_OK;
	}
	predicate = intern_find(&g->predicates, key);
	if (predicate != INTERN_NONE) {
		*ret = id_make(tag, g->first_predicate + predicate);
		return ST_OK;
	}
	number = g->known->n_runs || dict_part_count(g->known->parts[0])
			 ? find_known(g->known, key)
			 : DICT_NONE;
	if (number == DICT_NONE) {
		TRY(dict_writer_add(&g->writer, key, 0, why));
		number = (*g->next)++;
	}
	*ret = id_make(tag, number);
	return ST_OK;
}

static bool advance(struct source *s)
{
	if (s->at == s->chunk->n_sorted)
		return false;
	s->key = chunk_key(s->chunk, s->at++);
	return true;
}

/* All keys in order, equal ones together. */
static enum status merge_keys(struct numbering *g, struct source_heap *heap,
			      struct diag *why)
{
	cleanup(buf_release) struct buf last = { 0 };
	uint64_t id = ID_NONE;
	enum id_tag last_tag = TAG_NONE;
	struct source s;

	while (source_heap_take(heap, &s)) {
		uint64_t *cell = &s.chunk->ids[s.chunk->sorted[s.at - 1]];
		enum id_tag tag = id_tag(*cell);

		if (tag != last_tag || !str_eq(buf_str(&last), s.key)) {
			TRY(number_key(g, tag, s.key, &id, why));
			buf_reset(&last);
			buf_add(&last, s.key);
			last_tag = tag;
		}
		*cell = id;
		if (advance(&s))
			source_heap_add(heap, s);
	}
	return ST_OK;
}

static enum status number_rest(struct numbering *g, const char *path, struct diag *why)
{
	struct source_heap heap = { 0 };
	enum status st = dict_writer_open(&g->writer, path, false, why);

	for (size_t i = 0; i < g->bulk->n_chunks; i++) {
		struct source s = { .chunk = g->bulk->chunks[i] };

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
			      size_t *ret_parts, uint64_t *next, struct diag *why)
{
	struct numbering g = { .bulk = b, .known = known, .next = next };
	char *paths[2] = { store_path(b->store, files[0], "dict"),
			   store_path(b->store, files[1], "dict") };
	enum status st = ST_OK;

	*ret_parts = 0;
	gather_predicates(&g);
	g.first_predicate = *next;
	if (g.predicates.n) {
		st = write_predicates(&g, paths[0], why);
		parts[(*ret_parts)++] = (struct manifest_part){ files[0], *next };
		*next += g.predicates.n;
	}
	parts[*ret_parts] = (struct manifest_part){ files[1], *next };
	if (st == ST_OK)
		st = number_rest(&g, paths[1], why);
	*ret_parts += *next > parts[*ret_parts].first;
	intern_release(&g.predicates);
	free(paths[0]);
	free(paths[1]);
	return st;
}
