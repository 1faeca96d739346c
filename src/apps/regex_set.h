/*
 * regex_set.h - which of these regular expressions match?  All of them, in one pass.
 *
 * Letters match in both cases; the dialect is PCRE's.  Long sets go through one
 * Hyperscan database; what it cannot express is prefiltered there and confirmed, or
 * tried, by PCRE2, which does all of it where there is no Hyperscan.  Pathological
 * patterns end at a match limit and count as "no match".  A finished set is read-only:
 * any number of threads, each with its own scratch.
 */
#ifndef APPS_REGEX_SET_H
#define APPS_REGEX_SET_H

#include "base/buf.h"

struct regex_set {
	struct regex *v;
	size_t n, cap;
	size_t n_slow;   /* that PCRE2 tries alone */
	void *fast;      /* hs_database_t */
	uint32_t serial; /* of its database: no two have the same */
};

struct regex_scratch {
	void *fast; /* hs_scratch_t, large enough for these databases: */
	uint32_t *serials;
	size_t n_serials, serials_cap;
	void *match; /* pcre2_match_data */
	void *context;
	uint32_t *hits;
	size_t n, cap;
};

/* ST_SYNTAX says what is wrong, and where. */
must_use enum status regex_check(struct str regex, struct diag *why);
/* Its number is the set's `n` before.  Copied. */
must_use enum status regex_set_add(struct regex_set *s, struct str regex,
				   struct diag *why);
/*
 * After the last regex_set_add().  `compiled` may be what regex_set_save() wrote for the
 * same patterns, or empty; if it does not fit this machine it is made anew.
 */
void regex_set_finish(struct regex_set *s, struct str compiled);
/* The database, for next time; nothing where there is none. */
void regex_set_save(const struct regex_set *s, struct buf *to);
/* The numbers of all that match, ascending, are in `scratch->hits`. */
void regex_set_find(const struct regex_set *s, struct regex_scratch *scratch,
		    struct str text);
/* Pattern `i` alone. */
bool regex_set_matches(const struct regex_set *s, size_t i, struct regex_scratch *scratch,
		       struct str text);
/*
 * `text` with the first match of pattern `i` replaced by `with`, in which $1 to $9 stand
 * for groups; false when there is none.
 */
bool regex_set_replace(const struct regex_set *s, size_t i, struct regex_scratch *scratch,
		       struct str text, struct str with, struct buf *to);
void regex_set_release(struct regex_set *s);
void regex_scratch_release(struct regex_scratch *s);
#endif
