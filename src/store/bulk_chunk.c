#include "store/bulk_chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort_bytes.h"

#define TABLE_MIN 4096

void chunk_init(struct bulk_chunk *c)
{
	*c = (struct bulk_chunk){ 0 };
	c->n_slots = TABLE_MIN;
	c->slots = xcalloc(c->n_slots, sizeof(*c->slots));
	c->tags = xcalloc(c->n_slots, sizeof(*c->tags));
	VEC_ADD(c->ids, c->n, c->ids_cap, ID_NONE); /* number 0: the default graph */
	c->last[0] = UINT32_MAX;
}

void chunk_release(struct bulk_chunk *c)
{
	if (!c->path) /* else they are in the map */
		free(c->bytes);
	free(c->ids);
	free(c->slots);
	free(c->tags);
	free(c->rows);
	free(c->sorted);
	free(c->path);
	map_release(&c->is_predicate);
	buf_release(&c->key);
	map_file_release(&c->keys_map);
	map_file_release(&c->rows_map);
	*c = (struct bulk_chunk){ 0 };
}

size_t chunk_memory(const struct bulk_chunk *c)
{
	return c->bytes_cap + c->ids_cap * 8 + c->n_slots * 8 +
	       c->rows_cap * sizeof(*c->rows);
}

static struct str key_at(const struct bulk_chunk *c, uint64_t offset)
{
	return sort_sized_str(c->bytes, offset);
}

static void grow(struct bulk_chunk *c)
{
	uint32_t *slots = xcalloc(2 * c->n_slots, sizeof(*slots));
	uint32_t *tags = xcalloc(2 * c->n_slots, sizeof(*tags));
	size_t mask = 2 * c->n_slots - 1;

	/* The place is the low bits of the hash, the tag the high ones: both are needed.
	 */
	for (uint32_t i = 1; i < c->n; i++) {
		uint64_t hash =
			id_in_dictionary(c->ids[i]) || id_tag(c->ids[i]) == TAG_BLANK
				? hash64(key_at(c, id_payload(c->ids[i])))
				: hash_mix(c->ids[i]);
		size_t at = hash & mask;

		while (slots[at])
			at = (at + 1) & mask;
		slots[at] = i;
		tags[at] = (uint32_t)(hash >> 32);
	}
	free(c->slots);
	free(c->tags);
	c->slots = slots;
	c->tags = tags;
	c->n_slots *= 2;
}

static uint32_t add_at(struct bulk_chunk *c, size_t at, uint64_t hash, uint64_t id)
{
	c->slots[at] = (uint32_t)c->n;
	c->tags[at] = (uint32_t)(hash >> 32);
	VEC_ADD(c->ids, c->n, c->ids_cap, id);
	if (2 * c->n > c->n_slots) {
		uint32_t number = c->slots[at];

		grow(c);
		return number;
	}
	return c->slots[at];
}

static uint32_t inline_number(struct bulk_chunk *c, uint64_t id)
{
	uint64_t hash = hash_mix(id);
	size_t mask = c->n_slots - 1, at = hash & mask;

	for (; c->slots[at]; at = (at + 1) & mask)
		if (c->tags[at] == (uint32_t)(hash >> 32) && c->ids[c->slots[at]] == id)
			return c->slots[at];
	return add_at(c, at, hash, id);
}

/* Its number stands before the key, so that it is found again after sorting. */
static uint64_t add_key(struct bulk_chunk *c, struct str key)
{
	uint32_t head[2] = { (uint32_t)c->n, (uint32_t)key.n };

	if (c->used + 8 + key.n > c->bytes_cap) {
		c->bytes_cap = MAX(2 * c->bytes_cap, c->used + 8 + key.n + 65536);
		c->bytes = xrealloc(c->bytes, c->bytes_cap, 1);
	}
	memcpy(c->bytes + c->used, head, 8);
	memcpy(c->bytes + c->used + 8, key.p, key.n);
	c->used += 8 + key.n;
	return c->used - key.n - 4;
}

static uint32_t key_number(struct bulk_chunk *c, enum id_tag tag, struct str key)
{
	uint64_t hash = hash64(key);
	size_t mask = c->n_slots - 1, at = hash & mask;

	for (; c->slots[at]; at = (at + 1) & mask) {
		uint64_t id = c->ids[c->slots[at]];

		if (c->tags[at] == (uint32_t)(hash >> 32) && id_tag(id) == tag &&
		    str_eq(key_at(c, id_payload(id)), key))
			return c->slots[at];
	}
	return add_at(c, at, hash, id_make(tag, add_key(c, key)));
}

uint32_t chunk_term(struct bulk_chunk *c, struct term t, uint32_t scope)
{
	enum id_tag tag = t.kind == TERM_IRI     ? TAG_IRI
			  : t.kind == TERM_BLANK ? TAG_BLANK
						 : TAG_LITERAL;

	if (t.kind == TERM_NONE)
		return 0;
	if (t.kind == TERM_LITERAL) {
		uint64_t id = id_from_literal(t);

		if (id != ID_NONE)
			return inline_number(c, id);
	}
	buf_reset(&c->key);
	if (t.kind == TERM_BLANK)
		buf_addf(&c->key, "B%u ", scope);
	if (t.kind == TERM_BLANK)
		buf_add(&c->key, t.text);
	else
		term_to_key(t, &c->key);
	return key_number(c, tag, buf_str(&c->key));
}

void chunk_add(struct bulk_chunk *c, const struct statement *s, uint32_t graph,
	       uint32_t scope)
{
	struct local_row r = { { graph } };

	if (s->graph.kind != TERM_NONE)
		r.v[0] = chunk_term(c, s->graph, scope);
	/* Statements of one subject stand together in most files. */
	if (c->last[0] != UINT32_MAX && s->subject.kind == TERM_IRI &&
	    str_eq(s->subject.text, c->last_subject))
		r.v[1] = c->last[0];
	else
		r.v[1] = chunk_term(c, s->subject, scope);
	c->last[0] = UINT32_MAX;
	r.v[2] = chunk_term(c, s->predicate, scope);
	r.v[3] = chunk_term(c, s->object, scope);
	if (s->subject.kind == TERM_IRI) { /* borrow the key: the line will be gone */
		c->last[0] = r.v[1];
		c->last_subject = str_skip(key_at(c, id_payload(c->ids[r.v[1]])), 1);
	}
	map_add(&c->is_predicate, r.v[2], NULL);
	VEC_ADD(c->rows, c->n_rows, c->rows_cap, r);
}

struct str chunk_key(const struct bulk_chunk *c, size_t i)
{
	return key_at(c, id_payload(c->ids[c->sorted[i]]));
}

void chunk_sort_keys(struct bulk_chunk *c)
{
	struct sort_pair *items = xcalloc(c->n + 1, sizeof(*items)), *scratch;
	size_t n = 0;

	free(c->slots);
	free(c->tags);
	c->slots = c->tags = NULL;
	c->n_slots = 0;
	for (uint32_t i = 1; i < c->n; i++)
		if (!id_is_inline(c->ids[i]))
			items[n++].value = id_payload(c->ids[i]);
	scratch = xcalloc(n + 1, sizeof(*scratch));
	sort_sized(items, scratch, n, c->bytes);
	free(scratch);
	c->sorted = xcalloc(n + 1, sizeof(*c->sorted));
	for (size_t i = 0; i < n; i++)
		memcpy(&c->sorted[i], c->bytes + items[i].value - 4, 4);
	c->n_sorted = n;
	free(items);
}

/* --- spilling --- */

static enum status write_file(const char *path, const char *suffix, struct str bytes,
			      struct map_file *map, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };
	struct file f;
	enum status st;

	buf_addf(&name, "%s.%s", path, suffix);
	TRY(file_open(&f, buf_cstr(&name), FILE_CREATE, why));
	st = file_write(&f, bytes, why);
	file_close(&f);
	TRY(st);
	TRY(map_file_open(map, buf_cstr(&name), MAP_SEQUENTIAL, why));
	return file_remove(buf_cstr(&name), why); /* lives on while it is mapped */
}

enum status chunk_spill(struct bulk_chunk *c, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf keys = BUF((size_t)8 << 30);

	/* Keys in sorted order, so that the merge reads them from front to back. */
	for (size_t i = 0; i < c->n_sorted; i++) {
		struct str key = chunk_key(c, i);
		uint64_t offset = keys.n;

		buf_add_u32(&keys, (uint32_t)key.n);
		buf_add(&keys, key);
		c->ids[c->sorted[i]] = id_make(id_tag(c->ids[c->sorted[i]]), offset);
	}
	TRY(buf_status(&keys));
	TRY(write_file(path, "keys", buf_str(&keys), &c->keys_map, why));
	TRY(write_file(
		path, "rows",
		(struct str){ (const char *)c->rows, c->n_rows * sizeof(*c->rows) },
		&c->rows_map, why));
	free(c->bytes);
	free(c->rows);
	c->bytes = (char *)(uintptr_t)c->keys_map.bytes.p;
	c->rows = NULL;
	c->rows_cap = 0;
	c->bytes_cap = 0;
	c->path = strdup(path);
	return ST_OK;
}

enum status chunk_unspill(struct bulk_chunk *c, struct diag *why)
{
	(void)why;
	if (!c->path || c->rows)
		return ST_OK;
	c->rows = xrealloc(NULL, c->n_rows + 1, sizeof(*c->rows));
	memcpy(c->rows, c->rows_map.bytes.p, c->n_rows * sizeof(*c->rows));
	map_file_release(&c->rows_map);
	return ST_OK;
}
