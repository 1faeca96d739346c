/*
 * buf.h - bytes that grow, up to the limit they were born with.
 *
 * A zeroed struct is an empty buffer with the limit BUF_LIMIT_DEFAULT; BUF(n)
 * makes one with a limit of its own.  Adding past the limit adds nothing and
 * sets `overflow`, which stays set, so that a writer can add many pieces and
 * ask buf_status() once at the end.  Not thread-safe.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/str.h"

#define BUF_LIMIT_DEFAULT ((size_t)1 << 30)

struct buf {
	char *p;
	size_t n, cap;
	size_t limit; /* 0 means BUF_LIMIT_DEFAULT */
	bool overflow;
};

#define BUF(limit_bytes) ((struct buf){ .limit = (limit_bytes) })

void buf_release(struct buf *b);
/* Forget the contents and the overflow; keep the memory and the limit. */
void buf_reset(struct buf *b);
/* The same, but memory beyond `most` is given back. */
void buf_reset_small(struct buf *b, size_t most);
/* ST_TOO_LARGE once anything did not fit. */
must_use enum status buf_status(const struct buf *b);
/* `n` writable bytes at the end, not yet counted; NULL when they do not fit. */
char *buf_reserve(struct buf *b, size_t n);

void buf_add(struct buf *b, struct str s);
void buf_add_char(struct buf *b, char c);
void buf_add_uint(struct buf *b, uint64_t v);
/* With `with`, a zero or a space, before it, so that it is at least `width` long. */
void buf_add_padded(struct buf *b, uint64_t v, unsigned width, char with);
void buf_add_int(struct buf *b, int64_t v);
__attribute__((format(printf, 2, 3))) void buf_addf(struct buf *b, const char *fmt, ...);
/* Little-endian integers, for bytes on disk. */
void buf_add_u8(struct buf *b, uint8_t v);
void buf_add_u32(struct buf *b, uint32_t v);
void buf_add_u64(struct buf *b, uint64_t v);
/* LEB128: seven bits a byte, low first; at most ten bytes. */
void buf_add_varint(struct buf *b, uint64_t v);
/* A varint length, then the bytes. */
void buf_add_sized(struct buf *b, struct str s);

static inline struct str buf_str(const struct buf *b)
{
	return (struct str){ b->p ? b->p : "", b->n };
}
/* The contents as a C string; lives until the next change of `b`. */
const char *buf_cstr(struct buf *b);

/* The readers: consume from the front; false, nothing consumed, when short. */
bool str_take_u8(struct str *in, uint8_t *ret);
bool str_take_u32(struct str *in, uint32_t *ret);
bool str_take_u64(struct str *in, uint64_t *ret);
bool str_take_varint(struct str *in, uint64_t *ret);
bool str_take_sized(struct str *in, struct str *ret);
bool str_take_bytes(struct str *in, size_t n, struct str *ret);
#endif
