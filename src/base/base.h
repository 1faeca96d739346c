/* base.h - the vocabulary every file of the project may assume. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why an operation failed.  Running out of memory is not here: see alloc.h. */
enum status {
	ST_OK = 0,
	ST_AGAIN,     /* nothing yet; ask later */
	ST_SYNTAX,    /* input breaks its grammar */
	ST_TOO_LARGE, /* input exceeds a declared bound */
	ST_NOT_FOUND,
	ST_EXISTS,
	ST_CORRUPT,     /* bytes on disk fail their checksum or their format */
	ST_UNSUPPORTED, /* well-formed, but not something we do */
	ST_DENIED,      /* a guard or a permission said no */
	ST_TIMEOUT,
	ST_CANCELLED, /* somebody asked us to stop */
	ST_IO,
	ST_DISK_FULL, /* no room, or the quota is used up */
};

/* Detail for a human, filled by whoever first knows the cause. */
struct diag {
	char text[256];
};

#define must_use    __attribute__((warn_unused_result))
#define cleanup(fn) __attribute__((cleanup(fn)))

/* Leave the function with the error of `expr`, if it has one. */
#define TRY(expr)                             \
	do {                                  \
		enum status try_st_ = (expr); \
		if (try_st_ != ST_OK)         \
			return try_st_;       \
	} while (0)

/* Hand `lvalue` over and leave it empty, so that its cleanup does nothing. */
#define TAKE(lvalue)                                  \
	({                                            \
		__typeof__(lvalue) take_ = (lvalue);  \
		(lvalue) = (__typeof__(lvalue)){ 0 }; \
		take_;                                \
	})

#define SWAP(a, b)                         \
	do {                               \
		__typeof__(a) swap_ = (a); \
		(a) = (b);                 \
		(b) = swap_;               \
	} while (0)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MIN(a, b)    ((a) < (b) ? (a) : (b))
#define MAX(a, b)    ((a) > (b) ? (a) : (b))

/*
 * Say why, and give `st` back: `return diag_fail(why, ST_SYNTAX, "line %u", nr);`
 * `why` may be NULL where nobody reads it.  A macro, so that the compiler sees
 * that the caller fails.
 */
#define diag_fail(why, st, ...) (diag_say((why), __VA_ARGS__), (st))

__attribute__((format(printf, 2, 3))) void diag_say(struct diag *why, const char *fmt,
						    ...);

#endif
