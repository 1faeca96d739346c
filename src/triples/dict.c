#include "triples/dict.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"

#define CHUNK_TERMS 8192
#define CHUNKS_MAX  8192

/*
 * Keys in chunks that never move, so that a reader needs no lock to get from a
 * number to its key; the hash table is under the lock.
 */
struct dict_delta {
	struct str *chunks[CHUNKS_MAX];
	uint64_t n;
	uint32_t *slots; /* place + 1; 0 = free */
	uint32_t *tags;
	size_t n_slots;
	struct arena bytes;
	pthread_rwlock_t lock;
};

struct dict_part *dict_part_new(uint64_t first)
{
	struct dict_part *p = NEW(struct dict_part);

	p->refs = 1;
	p->first = first;
	p->delta = NEW(struct dict_delta);
	pthread_rwlock_init(&p->delta->lock, NULL);
	return p;
}

struct dict_part *dict_part_open(const char *path, uint64_t first, struct diag *why)
{
	struct dict_part *p = NEW(struct dict_part);

	p->refs = 1;
	p->first = first;
	p->on_disk = true;
	if (dict_file_open(&p->file, path, why) == ST_OK)
		return p;
	free(p);
	return NULL;
}

struct dict_part *dict_part_share(struct dict_part *p)
{
	__atomic_fetch_add(&p->refs, 1, __ATOMIC_RELAXED);
	return p;
}

static void delta_release(struct dict_delta *d)
{
	for (size_t i = 0; i < CHUNKS_MAX && d->chunks[i]; i++)
		free(d->chunks[i]);
	free(d->slots);
	free(d->tags);
	arena_release(&d->bytes);
	pthread_rwlock_destroy(&d->lock);
	free(d);
}

void dict_part_release(struct dict_part *p)
{
	if (!p || __atomic_sub_fetch(&p->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	if (p->on_disk)
		dict_file_release(&p->file);
	else
		delta_release(p->delta);
	free(p);
}

uint64_t dict_part_count(const struct dict_part *p)
{
	return p->on_disk ? p->file.n : __atomic_load_n(&p->delta->n, __ATOMIC_ACQUIRE);
}

static struct str delta_key(const struct dict_delta *d, uint64_t i)
{
	return d->chunks[i / CHUNK_TERMS][i % CHUNK_TERMS];
}

/* The slot of `key`, or the free one where it belongs. */
static size_t find_slot(const struct dict_delta *d, struct str key, uint64_t hash)
{
	size_t mask = d->n_slots - 1, at = hash & mask;
	uint32_t tag = (uint32_t)(hash >> 32);

	for (; d->slots[at]; at = (at + 1) & mask)
		if (d->tags[at] == tag && str_eq(delta_key(d, d->slots[at] - 1), key))
			break;
	return at;
}

static void grow(struct dict_delta *d)
{
	free(d->slots);
	free(d->tags);
	d->n_slots = d->n_slots ? 2 * d->n_slots : 1024;
	d->slots = xcalloc(d->n_slots, sizeof(*d->slots));
	d->tags = xcalloc(d->n_slots, sizeof(*d->tags));
	for (uint64_t i = 0; i < d->n; i++) {
		struct str key = delta_key(d, i);
		uint64_t hash = hash64(key);
		size_t at = find_slot(d, key, hash);

		d->slots[at] = (uint32_t)(i + 1);
		d->tags[at] = (uint32_t)(hash >> 32);
	}
}

static uint64_t delta_find(struct dict_delta *d, struct str key)
{
	uint64_t found = DICT_NONE;

	pthread_rwlock_rdlock(&d->lock);
	if (d->n_slots) {
		uint32_t slot = d->slots[find_slot(d, key, hash64(key))];

		found = slot ? slot - 1 : DICT_NONE;
	}
	pthread_rwlock_unlock(&d->lock);
	return found;
}

uint64_t dict_part_find(const struct dict_part *p, struct str key)
{
	uint64_t n =
		p->on_disk ? dict_file_find(&p->file, key) : delta_find(p->delta, key);

	return n == DICT_NONE ? DICT_NONE : p->first + n;
}

uint64_t dict_part_add(struct dict_part *p, struct str key)
{
	struct dict_delta *d = p->delta;
	uint64_t hash = hash64(key), place;

	pthread_rwlock_wrlock(&d->lock);
	if (2 * (d->n + 1) > d->n_slots)
		grow(d);
	size_t at = find_slot(d, key, hash);
	if (d->slots[at]) {
		place = d->slots[at] - 1;
	} else {
		place = d->n;
		struct str **chunk = &d->chunks[place / CHUNK_TERMS];
		if (!*chunk)
			*chunk = xcalloc(CHUNK_TERMS, sizeof(**chunk));
		(*chunk)[place % CHUNK_TERMS] = arena_copy(&d->bytes, key);
		d->slots[at] = (uint32_t)(place + 1);
		d->tags[at] = (uint32_t)(hash >> 32);
		__atomic_store_n(&d->n, place + 1, __ATOMIC_RELEASE);
	}
	pthread_rwlock_unlock(&d->lock);
	return p->first + place;
}

bool dict_part_key(const struct dict_part *p, uint64_t number, struct buf *to)
{
	uint64_t i = number - p->first;

	if (number < p->first || i >= dict_part_count(p))
		return false;
	if (p->on_disk)
		return dict_file_key(&p->file, i, to);
	buf_reset(to);
	buf_add(to, delta_key(p->delta, i));
	return true;
}

bool dict_part_key_near(const struct dict_part *p, uint64_t number, struct dict_cursor *c,
			struct str *ret)
{
	uint64_t i = number - p->first;

	if (number < p->first || i >= dict_part_count(p))
		return false;
	if (!p->on_disk) {
		*ret = delta_key(p->delta, i);
		return true;
	}
	if (!dict_file_key_near(&p->file, i, c))
		return false;
	*ret = buf_str(&c->key);
	return true;
}

struct keyed {
	struct str key;
	uint32_t number;
};

static int by_key(const void *a, const void *b)
{
	return str_cmp(((const struct keyed *)a)->key, ((const struct keyed *)b)->key);
}

static enum status write_sorted(const struct keyed *v, uint64_t n, const char *path,
				struct diag *why)
{
	cleanup(dict_writer_release) struct dict_writer w = { 0 };

	TRY(dict_writer_open(&w, path, true, why));
	for (uint64_t i = 0; i < n; i++)
		TRY(dict_writer_add(&w, v[i].key, v[i].number, why));
	return dict_writer_end(&w, why);
}

enum status dict_part_settle(const struct dict_part *p, const char *path, uint64_t count,
			     struct diag *why)
{
	struct keyed *v = xcalloc(count + 1, sizeof(*v));
	enum status st;

	for (uint64_t i = 0; i < count; i++)
		v[i] = (struct keyed){ delta_key(p->delta, i), (uint32_t)i };
	qsort(v, count, sizeof(*v), by_key);
	st = write_sorted(v, count, path, why);
	free(v);
	return st;
}
