#include "store/bulk_chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort_bytes.h"

#define TABLE_MIN    4096
#define KEY_HEAD     8 /* number and length */
#define SAME_SUBJECT UINT32_MAX
#define FETCH_AHEAD  12

void chunk_init(struct bulk_chunk *c)
{
	*c = (struct bulk_chunk){ .used = KEY_HEAD }; /* place 0 is no key */
	c->keys.n_slots = c->values.n_slots = TABLE_MIN;
	c->keys.slots = xcalloc(TABLE_MIN, sizeof(*c->keys.slots));
	c->values.slots = xcalloc(TABLE_MIN, sizeof(*c->values.slots));
	VEC_ADD(c->ids, c->n, c->ids_cap, ID_NONE); /* number 0: the default graph */
}

static void table_release(struct chunk_table *t)
{
	free(t->slots);
	*t = (struct chunk_table){ 0 };
}

void chunk_release(struct bulk_chunk *c)
{
	if (!c->spilled) /* else they are in the map */
		free(c->bytes);
	free(c->ids);
	table_release(&c->keys);
	table_release(&c->values);
	free(c->rows);
	free(c->sorted);
	arena_release(&c->batch_keys);
	buf_release(&c->composed);
	map_release(&c->is_predicate);
	map_file_release(&c->keys_map);
	map_file_release(&c->rows_map);
	*c = (struct bulk_chunk){ 0 };
}

size_t chunk_memory(const struct bulk_chunk *c)
{
	return c->bytes_cap + c->ids_cap * sizeof(*c->ids) +
	       (c->keys.n_slots + c->values.n_slots) * sizeof(struct chunk_slot) +
	       c->rows_cap * sizeof(*c->rows);
}

struct str chunk_key_at(const struct bulk_chunk *c, uint64_t place)
{
	return sort_sized_str(c->bytes, 8 * place + 4);
}

static uint32_t number_at(const struct bulk_chunk *c, uint64_t place)
{
	uint32_t number;

	memcpy(&number, c->bytes + 8 * place, sizeof(number));
	return number;
}

/* --- the tables --- */

/* Hashes are kept in the slots, so nothing else is looked at. */
static void table_grow(struct chunk_table *t)
{
	size_t n = 2 * t->n_slots, mask = n - 1;
	struct chunk_slot *slots = xcalloc(n, sizeof(*slots));

	for (size_t i = 0; i < t->n_slots; i++) {
		size_t at = t->slots[i].hash & mask;

		if (!t->slots[i].ref)
			continue;
		while (slots[at].ref)
			at = (at + 1) & mask;
		slots[at] = t->slots[i];
	}
	free(t->slots);
	t->slots = slots;
	t->n_slots = n;
}

static void table_add(struct chunk_table *t, size_t at, uint32_t hash, uint32_t ref)
{
	t->slots[at] = (struct chunk_slot){ hash, ref };
	if (2 * ++t->n > t->n_slots)
		table_grow(t);
}

static uint32_t value_number(struct bulk_chunk *c, const struct chunk_lookup *l)
{
	struct chunk_table *t = &c->values;
	size_t mask = t->n_slots - 1, at = l->hash & mask;

	for (; t->slots[at].ref; at = (at + 1) & mask)
		if (t->slots[at].hash == l->hash && c->ids[t->slots[at].ref] == l->id)
			return t->slots[at].ref;
	VEC_ADD(c->ids, c->n, c->ids_cap, l->id);
	table_add(t, at, l->hash, (uint32_t)c->n - 1);
	return (uint32_t)c->n - 1;
}

static bool is_key(struct str have, const struct chunk_lookup *l)
{
	size_t first = l->kind != 0;

	return have.n == l->key.n + first && (!first || have.p[0] == l->kind) &&
	       memcmp(have.p + first, l->key.p, l->key.n) == 0;
}

/* Gives the place of the key. */
static uint32_t add_key(struct bulk_chunk *c, const struct chunk_lookup *l)
{
	size_t first = l->kind != 0, n = first + l->key.n,
	       bytes = (KEY_HEAD + n + 7) & ~(size_t)7, at = c->used;
	uint32_t head[2] = { (uint32_t)c->n, (uint32_t)n };

	if (at + bytes > c->bytes_cap) {
		c->bytes_cap = MAX(2 * c->bytes_cap, at + bytes + 65536);
		c->bytes = xrealloc_large(c->bytes, c->bytes_cap, 1);
	}
	memset(c->bytes + at + bytes - 8, 0, 8); /* what fills up to a multiple of 8 */
	memcpy(c->bytes + at, head, KEY_HEAD);
	c->bytes[at + KEY_HEAD] = l->kind;
	memcpy(c->bytes + at + KEY_HEAD + first, l->key.p, l->key.n);
	c->used += bytes;
	c->n_keys++;
	VEC_ADD(c->ids, c->n, c->ids_cap, ID_NONE);
	return (uint32_t)(at / 8);
}

static uint32_t key_place(struct bulk_chunk *c, const struct chunk_lookup *l)
{
	struct chunk_table *t = &c->keys;
	size_t mask = t->n_slots - 1, at = l->hash & mask;
	uint32_t place;

	for (; t->slots[at].ref; at = (at + 1) & mask)
		if (t->slots[at].hash == l->hash &&
		    is_key(chunk_key_at(c, t->slots[at].ref), l))
			return t->slots[at].ref;
	place = add_key(c, l);
	table_add(t, at, l->hash, place);
	return place;
}

/* --- batches --- */

static uint32_t fold(uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32);
}

static void set_key(struct chunk_lookup *l, char kind, struct str key)
{
	l->kind = kind;
	l->key = key;
	l->hash = fold(hash64(key) + (uint64_t)kind * 0x9e3779b97f4a7c15u);
}

static void set_composed(struct bulk_chunk *c, struct chunk_lookup *l, struct term t,
			 uint32_t scope)
{
	buf_reset(&c->composed);
	if (t.kind == TERM_BLANK) {
		buf_add_char(&c->composed, 'B');
		buf_add_uint(&c->composed, scope);
		buf_add_char(&c->composed, ' ');
		buf_add(&c->composed, t.text);
	} else {
		term_to_key(t, &c->composed);
	}
	set_key(l, '\0', arena_copy(&c->batch_keys, buf_str(&c->composed)));
}

/* What to look for, and the slot on its way into the cache. */
static void prepare(struct bulk_chunk *c, struct chunk_lookup *l, struct term t,
		    uint32_t scope)
{
	const struct chunk_table *table = &c->keys;

	l->id = t.kind == TERM_LITERAL ? id_from_literal(t) : ID_NONE;
	if (l->id != ID_NONE) {
		l->hash = fold(hash_mix(l->id));
		table = &c->values;
	} else if (t.kind == TERM_IRI) {
		set_key(l, 'I', t.text);
	} else if (t.kind == TERM_LITERAL && !t.lang.n && !t.datatype.n) {
		set_key(l, 'S', t.text);
	} else {
		set_composed(c, l, t, scope);
	}
	__builtin_prefetch(&table->slots[l->hash & (table->n_slots - 1)]);
}

/* The slot is here; what it points to comes next. */
static void fetch_behind_slot(const struct bulk_chunk *c, const struct chunk_lookup *l)
{
	const struct chunk_table *t = l->id != ID_NONE ? &c->values : &c->keys;
	struct chunk_slot slot = t->slots[l->hash & (t->n_slots - 1)];

	if (slot.hash != l->hash || !slot.ref)
		return;
	if (l->id != ID_NONE) {
		__builtin_prefetch(&c->ids[slot.ref]);
	} else {
		__builtin_prefetch(c->bytes + 8 * (size_t)slot.ref);
		__builtin_prefetch(c->bytes + 8 * (size_t)slot.ref + 64);
	}
}

static uint32_t find_number(struct bulk_chunk *c, const struct chunk_lookup *l)
{
	return l->id != ID_NONE ? value_number(c, l) : number_at(c, key_place(c, l));
}

void chunk_flush(struct bulk_chunk *c)
{
	for (size_t i = 0; i < c->n_batch; i++)
		fetch_behind_slot(c, &c->batch[i]);
	for (size_t i = 0; i < c->n_batch; i++)
		c->rows[c->batch[i].row].v[c->batch[i].column] =
			find_number(c, &c->batch[i]);
	for (size_t i = c->batch_row; i < c->n_rows; i++)
		if (c->rows[i].v[1] == SAME_SUBJECT)
			c->rows[i].v[1] = c->rows[i - 1].v[1];
	c->n_batch = 0;
	c->batch_row = c->n_rows;
	arena_reset(&c->batch_keys);
}

void chunk_forget(struct bulk_chunk *c)
{
	chunk_flush(c);
	c->last_subject = c->last_graph = (struct str){ 0 };
	memset(c->predicates, 0, sizeof(c->predicates));
}

uint32_t chunk_term(struct bulk_chunk *c, struct term t, uint32_t scope)
{
	struct chunk_lookup l;

	if (t.kind == TERM_NONE)
		return 0;
	prepare(c, &l, t, scope);
	return find_number(c, &l);
}

static void add_lookup(struct bulk_chunk *c, struct term t, uint8_t column,
		       uint32_t scope)
{
	struct chunk_lookup *l = &c->batch[c->n_batch++];

	l->row = c->n_rows;
	l->column = column;
	prepare(c, l, t, scope);
}

/* Predicates are few: the last ones met are known by their text. */
static uint32_t predicate_number(struct bulk_chunk *c, struct str iri)
{
	uint64_t end = 0;
	struct chunk_lookup l;
	uint32_t place;
	size_t at;

	memcpy(&end, iri.p + (iri.n > 8 ? iri.n - 8 : 0), MIN(iri.n, (size_t)8));
	at = ((end ^ iri.n) * 0x9e3779b97f4a7c15u) >> 58;
	if (iri.n && str_eq(c->predicates[at].text, iri))
		return c->predicates[at].number;
	prepare(c, &l, term_iri(iri), 0);
	place = key_place(c, &l);
	map_add(&c->is_predicate, place, NULL);
	c->predicates[at].text = iri;
	return c->predicates[at].number = number_at(c, place);
}
_Static_assert(CHUNK_PREDICATES == 1 << (64 - 58), "six bits of the product");

static uint32_t graph_number(struct bulk_chunk *c, struct term graph, uint32_t scope)
{
	if (graph.kind == TERM_IRI && str_eq(graph.text, c->last_graph))
		return c->last_graph_number;
	c->last_graph = graph.kind == TERM_IRI ? graph.text : (struct str){ 0 };
	return c->last_graph_number = chunk_term(c, graph, scope);
}

void chunk_add(struct bulk_chunk *c, const struct statement *s, uint32_t graph,
	       uint32_t scope)
{
	struct local_row r = { { graph, SAME_SUBJECT } };

	if (c->n_batch + 2 > CHUNK_BATCH)
		chunk_flush(c);
	if (s->graph.kind != TERM_NONE)
		r.v[0] = graph_number(c, s->graph, scope);
	if (s->subject.kind != TERM_IRI || !c->last_subject.n ||
	    !str_eq(s->subject.text, c->last_subject))
		add_lookup(c, s->subject, 1, scope);
	c->last_subject =
		s->subject.kind == TERM_IRI ? s->subject.text : (struct str){ 0 };
	r.v[2] = predicate_number(c, s->predicate.text);
	add_lookup(c, s->object, 3, scope);
	if (c->n_rows == c->rows_cap) {
		c->rows_cap = MAX(2 * c->rows_cap, (size_t)TABLE_MIN);
		c->rows = xrealloc_large(c->rows, c->rows_cap, sizeof(r));
	}
	c->rows[c->n_rows++] = r;
}

/* --- the keys in order --- */

static size_t key_bytes(const struct bulk_chunk *c, size_t offset)
{
	return (KEY_HEAD + sort_sized_str(c->bytes, offset + 4).n + 7) & ~(size_t)7;
}

void chunk_sort_keys(struct bulk_chunk *c)
{
	struct sort_pair *items, *scratch;
	size_t n = 0;

	chunk_forget(c);
	table_release(&c->keys);
	table_release(&c->values);
	items = xcalloc(c->n_keys + 1, sizeof(*items));
	scratch = xcalloc(c->n_keys + 1, sizeof(*scratch));
	for (size_t at = KEY_HEAD; at < c->used; at += key_bytes(c, at))
		items[n++].value = at + 4;
	sort_sized(items, scratch, n, c->bytes);
	free(scratch);
	c->sorted = xrealloc(NULL, n + 1, sizeof(*c->sorted));
	for (size_t i = 0; i < n; i++)
		c->sorted[i] = (uint32_t)(items[i].value / 8);
	free(items);
}

bool chunk_next_key(struct chunk_walk *w, struct chunk_key *ret)
{
	struct bulk_chunk *c = w->chunk;
	uint64_t place;

	if (w->at == c->n_keys)
		return false;
	if (c->spilled) {
		place = w->offset / 8;
		w->offset += key_bytes(c, w->offset);
		map_file_pass(&c->keys_map, 8 * place);
	} else {
		place = c->sorted[w->at];
		if (w->at + FETCH_AHEAD < c->n_keys)
			__builtin_prefetch(c->bytes +
					   8 * (size_t)c->sorted[w->at + FETCH_AHEAD]);
	}
	w->at++;
	*ret = (struct chunk_key){ chunk_key_at(c, place), number_at(c, place) };
	return true;
}

/* --- spilling --- */

#define WRITE_BYTES ((size_t)1 << 20)

static enum status finish_file(struct file *f, const char *path, struct map_file *map,
			       struct diag *why)
{
	file_close(f);
	TRY(map_file_open(map, path, MAP_SEQUENTIAL, why));
	return file_remove(path, why); /* lives on while it is mapped */
}

/* In sorted order, so that the merge reads them from front to back. */
static enum status write_keys(struct bulk_chunk *c, struct file *f, struct diag *why)
{
	cleanup(buf_release) struct buf out = { 0 };

	for (size_t i = 0; i < c->n_keys; i++) {
		size_t at = 8 * (size_t)c->sorted[i];

		if (i + FETCH_AHEAD < c->n_keys)
			__builtin_prefetch(c->bytes +
					   8 * (size_t)c->sorted[i + FETCH_AHEAD]);
		buf_add(&out, (struct str){ c->bytes + at, key_bytes(c, at) });
		if (out.n < WRITE_BYTES)
			continue;
		TRY(file_write(f, buf_str(&out), why));
		buf_reset(&out);
	}
	return file_write(f, buf_str(&out), why);
}

/* Predicates are known by their place, which is another one in the file. */
static void keep_predicates(struct bulk_chunk *c)
{
	struct map moved = { 0 };
	size_t offset = 0;

	for (size_t i = 0; i < c->n_keys; i++) {
		size_t at = 8 * (size_t)c->sorted[i];

		if (map_find(&c->is_predicate, c->sorted[i]))
			map_add(&moved, offset / 8, NULL);
		offset += key_bytes(c, at);
	}
	map_release(&c->is_predicate);
	c->is_predicate = moved;
}

enum status chunk_spill(struct bulk_chunk *c, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf name = { 0 };
	cleanup(file_close) struct file f = { 0 };
	struct str rows = { (const char *)c->rows, c->n_rows * sizeof(*c->rows) };

	keep_predicates(c);
	buf_addf(&name, "%s.keys", path);
	TRY(file_open(&f, buf_cstr(&name), FILE_CREATE, why));
	TRY(write_keys(c, &f, why));
	TRY(finish_file(&f, buf_cstr(&name), &c->keys_map, why));
	buf_reset(&name);
	buf_addf(&name, "%s.rows", path);
	TRY(file_open(&f, buf_cstr(&name), FILE_CREATE, why));
	TRY(file_write(&f, rows, why));
	TRY(finish_file(&f, buf_cstr(&name), &c->rows_map, why));
	free(c->bytes);
	c->spilled = true;
	c->bytes = (char *)(uintptr_t)c->keys_map.bytes.p;
	free(c->sorted);
	c->sorted = NULL;
	free(c->rows);
	c->rows = NULL;
	c->ids = xrealloc(c->ids, c->n + 1, sizeof(*c->ids));
	c->rows_cap = c->bytes_cap = 0;
	return ST_OK;
}

const struct local_row *chunk_rows(const struct bulk_chunk *c)
{
	return c->spilled ? (const void *)c->rows_map.bytes.p : c->rows;
}

void chunk_drop_rows(struct bulk_chunk *c)
{
	free(c->rows);
	c->rows = NULL;
	map_file_release(&c->rows_map);
}
