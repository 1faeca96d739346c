#include "control/ring.h"

#include <string.h>

#include "base/hash.h"

#define MAGIC       "thrRING1"
#define HEADER      64u
#define RECORD_HEAD 8u
#define TRIES       8 /* to read a header that is just being written */

struct header {
	char magic[8];
	uint64_t capacity, head, tail, check;
	char rest[24];
};
_Static_assert(sizeof(struct header) == HEADER, "bytes on disk");

static uint64_t check_of(const struct header *h)
{
	return hash64((struct str){ (const char *)h, offsetof(struct header, check) });
}

static enum status load_header(const struct file *f, struct header *ret, struct diag *why)
{
	size_t n;

	for (int i = 0; i < TRIES; i++) {
		TRY(file_read_at(f, 0, (char *)ret, sizeof(*ret), &n, why));
		if (n == sizeof(*ret) && memcmp(ret->magic, MAGIC, 8) == 0 &&
		    ret->check == check_of(ret) && ret->capacity >= 4096 &&
		    ret->tail <= ret->head && ret->head - ret->tail <= ret->capacity)
			return ST_OK;
	}
	return diag_fail(why, ST_CORRUPT, "%s: no ring of events", f->path);
}

static enum status save_header(struct ring *r, struct diag *why)
{
	struct header h = {
		.magic = MAGIC, .capacity = r->capacity, .head = r->head, .tail = r->tail
	};

	h.check = check_of(&h);
	return file_write_at(&r->file, (struct str){ (const char *)&h, sizeof(h) }, 0,
			     why);
}

/* Bytes of the circle from a position on, around its end. */
static enum status read_circle(const struct file *f, uint64_t capacity, uint64_t position,
			       char *to, size_t n, struct diag *why)
{
	while (n > 0) {
		uint64_t at = position % capacity;
		size_t part = (size_t)MIN((uint64_t)n, capacity - at), got;

		TRY(file_read_at(f, HEADER + at, to, part, &got, why));
		if (got != part)
			return ST_CORRUPT;
		position += part;
		to += part;
		n -= part;
	}
	return ST_OK;
}

static enum status write_circle(struct ring *r, uint64_t position, struct str bytes,
				struct diag *why)
{
	while (bytes.n > 0) {
		uint64_t at = position % r->capacity;
		size_t part = (size_t)MIN((uint64_t)bytes.n, r->capacity - at);

		TRY(file_write_at(&r->file, str_slice(bytes, 0, part), HEADER + at, why));
		position += part;
		bytes = str_skip(bytes, part);
	}
	return ST_OK;
}

enum status ring_open(struct ring *r, const char *path, uint64_t capacity,
		      struct diag *why)
{
	struct header h;

	*r = (struct ring){ .capacity = capacity ? capacity : RING_BYTES };
	TRY(file_open(&r->file, path, FILE_UPDATE, why));
	if (r->file.size >= HEADER && load_header(&r->file, &h, why) == ST_OK &&
	    h.capacity == r->capacity) {
		r->head = h.head;
		r->tail = h.tail;
		return ST_OK;
	}
	enum status st = file_truncate(&r->file, 0, why);
	if (st == ST_OK)
		st = file_truncate(&r->file, HEADER + r->capacity, why);
	if (st == ST_OK)
		st = save_header(r, why);
	if (st != ST_OK)
		ring_close(r);
	return st;
}

void ring_close(struct ring *r)
{
	if (r->file.path)
		file_close(&r->file);
	buf_release(&r->pending);
	*r = (struct ring){ 0 };
}

void ring_add(struct ring *r, struct str record)
{
	record = str_slice(record, 0, MIN(record.n, (size_t)RING_RECORD_MAX));
	buf_add_u32(&r->pending, (uint32_t)record.n);
	buf_add_u32(&r->pending, (uint32_t)hash64(record));
	buf_add(&r->pending, record);
}

/* The oldest records leave, until there is room for `n` bytes. */
static enum status make_room(struct ring *r, uint64_t n, struct diag *why)
{
	uint32_t length;

	while (r->head + n - r->tail > r->capacity && r->tail < r->head) {
		TRY(read_circle(&r->file, r->capacity, r->tail, (char *)&length,
				sizeof(length), why));
		r->tail += RECORD_HEAD + MIN(length, RING_RECORD_MAX);
		r->tail = MIN(r->tail, r->head);
	}
	return ST_OK;
}

/* Of more than the ring holds only the newest are written. */
static struct str newest_of(struct ring *r, struct str pending)
{
	uint32_t length;

	while (pending.n > r->capacity) {
		memcpy(&length, pending.p, sizeof(length));
		pending = str_skip(pending, RECORD_HEAD + length);
	}
	return pending;
}

/* The tail moves before what it leaves is overwritten, the head after the new is there:
 * whoever reads between finds whole records. */
enum status ring_flush(struct ring *r, struct diag *why)
{
	struct str bytes = newest_of(r, buf_str(&r->pending));

	if (bytes.n == 0)
		return ST_OK;
	uint64_t tail = r->tail;
	TRY(make_room(r, bytes.n, why));
	if (tail != r->tail)
		TRY(save_header(r, why));
	TRY(write_circle(r, r->head, bytes, why));
	r->head += bytes.n;
	buf_reset(&r->pending);
	return save_header(r, why);
}

/* --- reading --- */

enum status ring_reader_open(struct ring_reader *r, const char *path, uint64_t after,
			     struct diag *why)
{
	struct header h;

	*r = (struct ring_reader){ 0 };
	TRY(file_open(&r->file, path, FILE_READ, why));
	enum status st = load_header(&r->file, &h, why);
	if (st != ST_OK) {
		ring_reader_close(r);
		return st;
	}
	r->capacity = h.capacity;
	r->position = MIN(after, h.head);
	return ST_OK;
}

void ring_reader_close(struct ring_reader *r)
{
	if (r->file.path)
		file_close(&r->file);
	buf_release(&r->bytes);
	*r = (struct ring_reader){ 0 };
}

/* The writer was faster, or the position is not one of ours: on with the oldest. */
static void catch_up(struct ring_reader *r, const struct header *h)
{
	if (r->position < h->tail)
		r->lost += h->tail - r->position;
	r->position = h->tail;
}

static enum status read_record(struct ring_reader *r, const struct header *h,
			       uint32_t *ret_n, struct diag *why)
{
	uint32_t head[2];

	TRY(read_circle(&r->file, r->capacity, r->position, (char *)head, sizeof(head),
			why));
	if (head[0] > RING_RECORD_MAX || r->position + RECORD_HEAD + head[0] > h->head)
		return ST_CORRUPT;
	buf_reset(&r->bytes);
	char *to = buf_reserve(&r->bytes, head[0] + 1);
	TRY(read_circle(&r->file, r->capacity, r->position + RECORD_HEAD, to, head[0],
			why));
	r->bytes.n = head[0];
	if ((uint32_t)hash64(buf_str(&r->bytes)) != head[1])
		return ST_CORRUPT;
	*ret_n = head[0];
	return ST_OK;
}

enum status ring_reader_next(struct ring_reader *r, struct str *ret, struct diag *why)
{
	struct header h;
	uint32_t n;

	for (int tries = 0; tries < TRIES; tries++) {
		TRY(load_header(&r->file, &h, why));
		if (r->position < h.tail || r->position > h.head)
			catch_up(r, &h);
		if (r->position == h.head)
			return ST_AGAIN;
		enum status st = read_record(r, &h, &n, why);
		if (st == ST_OK) {
			r->position += RECORD_HEAD + n;
			*ret = buf_str(&r->bytes);
			return ST_OK;
		}
		if (st != ST_CORRUPT)
			return st;
		/* Overtaken while reading; or an id that somebody has made up. */
		catch_up(r, &h);
	}
	return ST_AGAIN;
}
