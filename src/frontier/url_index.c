#include "frontier/url_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define CAP_MIN    64
#define WINDOW     16                /* slots a read: most walks end in the first */
#define RAM_CAP    ((uint64_t)32768) /* slots of a part that is kept in memory */
#define PAGE_BYTES 4096
#define FREE       ((uint64_t)0)
#define DEAD       ((uint64_t)1)

/* Slot: place in the low 40 bits, 24 bits of the key above. */
static uint64_t slot_value(struct u128 key, uint64_t place)
{
	return (key.hi & 0xffffff) << 40 | place;
}

static struct url_index_part *part_of(struct url_index *x, struct u128 key)
{
	return &x->parts[key.hi >> 58];
}

void url_index_init(struct url_index *x, const char *stem)
{
	*x = (struct url_index){ .stem = strdup(stem) };
}

static void drop_file(struct file *f)
{
	struct diag why;

	if (f->path && file_remove(f->path, &why) != ST_OK)
		why.text[0] = '\0'; /* the next process will */
	file_close(f);
}

void url_index_release(struct url_index *x)
{
	for (unsigned i = 0; i < URL_INDEX_PARTS; i++) {
		drop_file(&x->parts[i].file);
		free(x->parts[i].slots);
	}
	free(x->stem);
	*x = (struct url_index){ 0 };
}

/* --- growing: a part is read whole, and written again to its other name --- */

static enum status load_slots(const struct url_index_part *p, uint64_t *slots,
			      struct diag *why)
{
	size_t n;

	if (p->slots)
		memcpy(slots, p->slots, p->cap * sizeof(*slots));
	if (p->slots || p->cap == 0)
		return ST_OK;
	TRY(file_read_at(&p->file, 0, (char *)slots, p->cap * sizeof(*slots), &n, why));
	return n == p->cap * sizeof(*slots)
		       ? ST_OK
		       : diag_fail(why, ST_CORRUPT, "%s: cut short", p->file.path);
}

/*
 * Growing must find the new home of an entry without its key, so the home is
 * made of the 24 bits that are kept.  A part of 2^24 slots is full at 12 million
 * URLs, all parts at 800 million; beyond that walks grow longer, no more.
 */
static uint64_t home_of(uint64_t value, uint64_t cap)
{
	return (value >> 40) * cap >> 24;
}

static uint64_t after(uint64_t i, uint64_t cap)
{
	return i + 1 == cap ? 0 : i + 1;
}

static void place_in(uint64_t *slots, uint64_t cap, uint64_t value)
{
	uint64_t i = home_of(value, cap);

	while (slots[i] > DEAD)
		i = after(i, cap);
	slots[i] = value;
}

/*
 * A page at a time: the kernel (ext4 since Linux 6.16) caches what one call writes as
 * one piece of up to 2 MB, and looks through all of it for each slot written later.
 */
static enum status write_pages(struct file *f, struct str bytes, struct diag *why)
{
	for (size_t at = 0; at < bytes.n; at += PAGE_BYTES)
		TRY(file_write(f, str_slice(bytes, at, at + PAGE_BYTES), why));
	return ST_OK;
}

static enum status write_part(struct url_index *x, struct url_index_part *p,
			      const uint64_t *slots, uint64_t cap, struct diag *why)
{
	struct file fresh = { 0 };
	char path[4096];

	snprintf(path, sizeof(path), "%s-%02x.%d", x->stem, (unsigned)(p - x->parts),
		 !p->side);
	TRY(file_remove(path, why));
	TRY(file_open(&fresh, path, FILE_UPDATE, why));
	enum status st = write_pages(
		&fresh, (struct str){ (const char *)slots, cap * sizeof(*slots) }, why);
	if (st != ST_OK) {
		file_close(&fresh);
		return st;
	}
	drop_file(&p->file);
	free(p->slots);
	p->slots = NULL;
	p->file = fresh;
	p->side = !p->side;
	p->cap = cap;
	p->dead = 0;
	return ST_OK;
}

static void keep_part(struct url_index_part *p, const uint64_t *slots, uint64_t cap)
{
	drop_file(&p->file); /* it may have shrunk */
	p->slots = xrealloc(p->slots, cap, sizeof(*slots));
	memcpy(p->slots, slots, cap * sizeof(*slots));
	p->cap = cap;
	p->dead = 0;
}

static enum status grow(struct url_index *x, struct url_index_part *p, struct diag *why)
{
	/* Seven tenths full after, seven eighths before: about ten bytes a URL. */
	uint64_t cap = MAX((p->live + 1) * 10 / 7 + 1, (uint64_t)CAP_MIN);
	uint64_t *old = xcalloc(p->cap + 1, sizeof(*old));
	uint64_t *fresh = xcalloc(cap, sizeof(*fresh));
	enum status st = load_slots(p, old, why);

	for (uint64_t i = 0; i < p->cap; i++)
		if (old[i] > DEAD)
			place_in(fresh, cap, old[i]);
	if (st == ST_OK && cap <= RAM_CAP)
		keep_part(p, fresh, cap);
	else if (st == ST_OK)
		st = write_part(x, p, fresh, cap, why);
	free(old);
	free(fresh);
	return st;
}

/* --- the walk --- */

struct walk {
	uint64_t slots[WINDOW];
	uint64_t first, n; /* slot number of the window, and slots in it */
};

/* The slot `i`, through a window of the file. */
static enum status slot_at(const struct url_index_part *p, struct walk *w, uint64_t i,
			   uint64_t *ret, struct diag *why)
{
	size_t got;

	if (p->slots) {
		*ret = p->slots[i];
		return ST_OK;
	}
	if (w->n == 0 || i < w->first || i >= w->first + w->n) {
		w->first = i;
		w->n = MIN((uint64_t)WINDOW, p->cap - i);
		TRY(file_read_at(&p->file, i * 8, (char *)w->slots, w->n * 8, &got, why));
		if (got != w->n * 8)
			return diag_fail(why, ST_CORRUPT, "%s: cut short", p->file.path);
	}
	*ret = w->slots[i - w->first];
	return ST_OK;
}

static enum status write_slot(struct url_index_part *p, uint64_t i, uint64_t value,
			      struct diag *why)
{
	if (p->slots) {
		p->slots[i] = value;
		return ST_OK;
	}
	return file_write_at(&p->file, (struct str){ (const char *)&value, 8 }, i * 8,
			     why);
}

enum status url_index_add(struct url_index *x, struct u128 key, uint64_t place,
			  struct diag *why)
{
	struct url_index_part *p = part_of(x, key);
	uint64_t value = slot_value(key, place), slot;
	struct walk w = { .n = 0 };

	if (place <= DEAD || place > URL_INDEX_PLACE_MAX)
		return diag_fail(why, ST_TOO_LARGE, "the queue file is full");
	if (p->live + p->dead + 1 > p->cap / 8 * 7)
		TRY(grow(x, p, why));
	for (uint64_t i = home_of(value, p->cap);; i = after(i, p->cap)) {
		TRY(slot_at(p, &w, i, &slot, why));
		if (slot > DEAD)
			continue;
		p->live++;
		p->dead -= slot == DEAD;
		return write_slot(p, i, value, why);
	}
}

enum status url_index_next(struct url_index *x, struct u128 key, uint64_t *at,
			   uint64_t *ret_place, struct diag *why)
{
	struct url_index_part *p = part_of(x, key);
	uint64_t tag = slot_value(key, 0), slot;
	struct walk w = { .n = 0 };

	for (; *at < p->cap; ++*at) {
		uint64_t i = home_of(tag, p->cap) + *at;

		TRY(slot_at(p, &w, i < p->cap ? i : i - p->cap, &slot, why));
		if (slot == FREE)
			break;
		if (slot > DEAD && slot >> 40 == tag >> 40) {
			++*at;
			*ret_place = slot & URL_INDEX_PLACE_MAX;
			return ST_OK;
		}
	}
	return ST_NOT_FOUND;
}

enum status url_index_remove(struct url_index *x, struct u128 key, uint64_t place,
			     struct diag *why)
{
	struct url_index_part *p = part_of(x, key);
	uint64_t value = slot_value(key, place), slot;
	struct walk w = { .n = 0 };

	for (uint64_t n = 0, i = home_of(value, p->cap ? p->cap : 1); n < p->cap;
	     n++, i = after(i, p->cap)) {
		TRY(slot_at(p, &w, i, &slot, why));
		if (slot == FREE)
			break;
		if (slot != value)
			continue;
		p->live--;
		p->dead++;
		return write_slot(p, i, DEAD, why);
	}
	return ST_NOT_FOUND;
}

uint64_t url_index_bytes(const struct url_index *x)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < URL_INDEX_PARTS; i++)
		n += x->parts[i].cap * 8;
	return n;
}
