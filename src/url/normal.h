/*
 * normal.h - from a parsed URL to its normal form: the steps of Standard URL
 * Normalization, and the heuristic ones beyond it, each a named switch.
 *
 * The standard steps never make two different pages one.  The extensions may,
 * so all of them are off unless somebody asks: what is safe on one site is what
 * the learned rules (dust/) find out.  Normalising twice changes nothing more.
 * Pure; any thread.
 */
#ifndef URL_NORMAL_H
#define URL_NORMAL_H

#include "base/hash.h"
#include "url/url.h"

enum normal_step {
	/* Standard URL Normalization.  The first four are part of parsing. */
	NORMAL_CASE = 1 << 0,
	NORMAL_DOTS = 1 << 1,
	NORMAL_PORT = 1 << 2,
	NORMAL_ROOT = 1 << 3,
	NORMAL_PERCENT_CASE = 1 << 4,
	NORMAL_UNRESERVED = 1 << 5,
	NORMAL_FRAGMENT = 1 << 6,
	/* Extensions. */
	NORMAL_LOWER_PATH = 1 << 7,
	NORMAL_TRAILING_SLASH = 1 << 8,
	NORMAL_DEFAULT_PAGE = 1 << 9,
	NORMAL_SLASHES = 1 << 10,
	NORMAL_WWW = 1 << 11,
	NORMAL_HOST_DOT = 1 << 12,
	NORMAL_SCHEME = 1 << 13,
	NORMAL_CREDENTIALS = 1 << 14,
	NORMAL_SORT_QUERY = 1 << 15,
	NORMAL_TRACKING = 1 << 16,
	NORMAL_SESSION = 1 << 17,
	NORMAL_EMPTY_QUERY = 1 << 18,
	NORMAL_PLUS = 1 << 19,
};

#define NORMAL_PARSED ((unsigned)(NORMAL_CASE | NORMAL_DOTS | NORMAL_PORT | NORMAL_ROOT))
#define NORMAL_STANDARD \
	(NORMAL_PARSED | NORMAL_PERCENT_CASE | NORMAL_UNRESERVED | NORMAL_FRAGMENT)
#define NORMAL_ALL ((unsigned)((NORMAL_PLUS << 1) - 1))

struct normal_row {
	const char *name;
	unsigned step;
	const char *help;
};

/* All steps, in the order of their bits; ends with a row without name. */
extern const struct normal_row normal_rows[];

/*
 * Read switches: names between commas or spaces, '-' before one turns it off,
 * "standard" is all standard steps, "all" everything, "none" what parsing does
 * anyway.  `steps` holds what was on before.  ST_SYNTAX for an unknown name and
 * for turning off what is part of parsing.
 */
must_use enum status normal_set(unsigned *steps, struct str text, struct diag *why);

/*
 * The normal form of `u`, which must not lie in `scratch`.  Nothing is copied
 * when there is nothing to change but the fragment.  Of schemes other than
 * http, https, ws, wss and ftp only the fragment is touched.
 */
must_use enum status url_normalize(const struct url *u, unsigned steps,
				   struct buf *scratch, struct url *ret);

/*
 * Parse and normalise in one call, as every link of a crawl is.  `scratch` are
 * two buffers of the caller; the result lives as url_parse()'s does.
 */
must_use enum status url_parse_normal(struct str input, const struct url *base,
				      unsigned steps, struct buf scratch[2],
				      struct url *ret, struct diag *why);

/* What the seen set knows a URL by: the hash of its href without fragment. */
static inline uint64_t url_key(const struct url *u)
{
	return hash64(url_without_fragment(u));
}

/* Names of query parameters that carry no content of the page. */
bool param_is_tracking(struct str name);
bool param_is_session(struct str name, struct str value);
#endif
