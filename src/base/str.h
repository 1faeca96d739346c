/*
 * str.h - a view of bytes owned by somebody else.
 *
 * Passed by value.  Not NUL-terminated; may hold NUL bytes.  A parser takes
 * a `struct str *` cursor, consumes what it recognises and leaves the rest.
 * Case-insensitive means ASCII letters only: no locale is ever asked.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "base/base.h"

struct str {
	const char *p;
	size_t n;
};

#define STR(literal) ((struct str){ "" literal, sizeof(literal) - 1 })
#define STR_FMT      "%.*s"
#define STR_ARG(s)   (int)(s).n, (s).p

#define STR_NONE SIZE_MAX /* what the finders answer when nothing is found */

struct str str_from(const char *c_string);
bool str_eq(struct str a, struct str b);
bool str_eq_nocase(struct str a, struct str b);
/* Byte order, shorter first: negative, zero or positive, as memcmp(). */
int str_cmp(struct str a, struct str b);
bool str_starts(struct str s, struct str prefix);
bool str_starts_nocase(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
/* Position of the first (last) `c`, or STR_NONE. */
size_t str_find_char(struct str s, char c);
size_t str_rfind_char(struct str s, char c);
/* Position of the first `needle`, or STR_NONE; an empty needle is at 0. */
size_t str_find(struct str s, struct str needle);
/* The bytes from `from` up to `to`; both are cut to the length of `s`. */
struct str str_slice(struct str s, size_t from, size_t to);
struct str str_skip(struct str s, size_t n);

/* Consume up to and including the next '\n'; false when nothing is left. */
bool str_take_line(struct str *in, struct str *ret_line);
/*
 * Consume up to and including the next `sep`, or all that is left; false when
 * nothing is left.  A trailing separator does not give an empty last part.
 */
bool str_take_until(struct str *in, char sep, struct str *ret_part);
/* Consume a decimal number <= max; false, and nothing consumed, otherwise. */
bool str_take_uint(struct str *in, uint64_t max, uint64_t *ret_value);
bool str_take_char(struct str *in, char c);
bool str_take_prefix(struct str *in, struct str prefix);
/* The whole of `s` as a decimal number <= max. */
bool str_to_uint(struct str s, uint64_t max, uint64_t *ret_value);

static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}
static inline bool ascii_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}
static inline bool ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}
static inline bool ascii_is_alpha(char c)
{
	return (char)(c | 0x20) >= 'a' && (char)(c | 0x20) <= 'z';
}
/* Without ASCII white space at both ends; most strings have none. */
struct str str_trim_ends(struct str s);
static inline struct str str_trim(struct str s)
{
	if (s.n && !ascii_is_space(s.p[0]) && !ascii_is_space(s.p[s.n - 1]))
		return s;
	return str_trim_ends(s);
}
/* 0 to 15, or -1. */
int ascii_hex_value(char c);
#endif
