#include "base/buf.h"

#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void buf_release(struct buf *b)
{
	free(b->p);
	*b = (struct buf){ .limit = b->limit };
}

void buf_reset(struct buf *b)
{
	b->n = 0;
	b->overflow = false;
}

void buf_reset_small(struct buf *b, size_t most)
{
	size_t limit = b->limit;

	if (b->cap > most) {
		buf_release(b);
		b->limit = limit;
	}
	buf_reset(b);
}

enum status buf_status(const struct buf *b)
{
	return b->overflow ? ST_TOO_LARGE : ST_OK;
}

/* Out of line, so that buf_reserve() is small enough to stand in its callers. */
static __attribute__((noinline, cold)) bool grow(struct buf *b, size_t n)
{
	size_t limit = b->limit ? b->limit : BUF_LIMIT_DEFAULT;

	if (b->overflow || n > limit - b->n) {
		b->overflow = true;
		return false;
	}
	size_t want = MAX(b->n + n, MAX(b->cap + b->cap / 2, 64));
	b->cap = MIN(want, limit);
	b->p = xrealloc(b->p, b->cap, 1);
	return true;
}

char *buf_reserve(struct buf *b, size_t n)
{
	if ((n > b->cap - b->n || b->overflow || !b->p) && !grow(b, n))
		return NULL;
	return b->p + b->n;
}

void buf_add(struct buf *b, struct str s)
{
	char *to = buf_reserve(b, s.n);

	if (to && s.n) {
		memcpy(to, s.p, s.n);
		b->n += s.n;
	}
}

void buf_add_char(struct buf *b, char c)
{
	char *to = buf_reserve(b, 1);

	if (to) {
		*to = c;
		b->n++;
	}
}

void buf_add_uint(struct buf *b, uint64_t v)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	buf_add(b, (struct str){ digits + i, sizeof(digits) - i });
}

void buf_add_padded(struct buf *b, uint64_t v, unsigned width, char with)
{
	uint64_t rest = v;

	for (unsigned digits = 1; digits < width; digits++) {
		rest /= 10;
		if (rest == 0)
			buf_add_char(b, with);
	}
	buf_add_uint(b, v);
}

void buf_add_int(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_add_char(b, '-');
	buf_add_uint(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	/* Mostly there is room already; else its answer says how much is needed. */
	size_t room = b->p && !b->overflow ? b->cap - b->n : 0;
	int n = vsnprintf(room ? b->p + b->n : NULL, room, fmt, ap);
	va_end(ap);
	/* One more for the NUL that vsnprintf() insists on; it is not counted. */
	char *to = n < 0 ? NULL : buf_reserve(b, (size_t)n + 1);
	if (to && (size_t)n >= room)
		vsnprintf(to, (size_t)n + 1, fmt, again);
	if (to)
		b->n += (size_t)n;
	va_end(again);
}

void buf_add_u8(struct buf *b, uint8_t v)
{
	buf_add_char(b, (char)v);
}

void buf_add_u32(struct buf *b, uint32_t v)
{
	v = htole32(v);
	buf_add(b, (struct str){ (const char *)&v, sizeof(v) });
}

void buf_add_u64(struct buf *b, uint64_t v)
{
	v = htole64(v);
	buf_add(b, (struct str){ (const char *)&v, sizeof(v) });
}

void buf_add_varint(struct buf *b, uint64_t v)
{
	char *to = buf_reserve(b, 10);

	if (!to)
		return;
	for (; v >= 0x80; v >>= 7, b->n++)
		*to++ = (char)(v | 0x80);
	*to = (char)v;
	b->n++;
}

void buf_add_sized(struct buf *b, struct str s)
{
	buf_add_varint(b, s.n);
	buf_add(b, s);
}

const char *buf_cstr(struct buf *b)
{
	char *end = buf_reserve(b, 1);

	if (!end)
		return "";
	*end = '\0';
	return b->p;
}

bool str_take_bytes(struct str *in, size_t n, struct str *ret)
{
	if (in->n < n)
		return false;
	*ret = str_slice(*in, 0, n);
	*in = str_skip(*in, n);
	return true;
}

bool str_take_u8(struct str *in, uint8_t *ret)
{
	struct str s;

	if (!str_take_bytes(in, 1, &s))
		return false;
	*ret = (uint8_t)s.p[0];
	return true;
}

bool str_take_u32(struct str *in, uint32_t *ret)
{
	struct str s;

	if (!str_take_bytes(in, sizeof(*ret), &s))
		return false;
	memcpy(ret, s.p, sizeof(*ret));
	*ret = le32toh(*ret);
	return true;
}

bool str_take_u64(struct str *in, uint64_t *ret)
{
	struct str s;

	if (!str_take_bytes(in, sizeof(*ret), &s))
		return false;
	memcpy(ret, s.p, sizeof(*ret));
	*ret = le64toh(*ret);
	return true;
}

bool str_take_varint(struct str *in, uint64_t *ret)
{
	uint64_t v = 0;

	for (size_t i = 0; i < 10 && i < in->n; i++) {
		uint8_t byte = (uint8_t)in->p[i];

		/* The tenth byte has room for one bit only. */
		if (i == 9 && byte > 1)
			return false;
		v |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80) {
			*ret = v;
			*in = str_skip(*in, i + 1);
			return true;
		}
	}
	return false;
}

bool str_take_sized(struct str *in, struct str *ret)
{
	struct str rest = *in;
	uint64_t n;

	if (!str_take_varint(&rest, &n) || !str_take_bytes(&rest, n, ret))
		return false;
	*in = rest;
	return true;
}
