/*
 * operation.h - changes to a URL that no context can express in general.
 *
 * A context speaks of one shape of URL; an operation of all URLs of a site:
 * "the parameter sid never matters here", "this server ignores case".  Each
 * has a text of one line, which is also how it stands in a rule file:
 *
 *   scheme             http and https are the same
 *   www                so are www.a.org and a.org
 *   mobile             and m.a.org, mobile.a.org and a.org
 *   host A B           host A is host B under another name; when neither begins with
 *                      www., also www.A and www.B
 *   subdomain D        x.D/y is D/x/y (A.4)
 *   slashes            // in the path is /
 *   repeats            a segment with a letter that repeats the one before it adds
 * nothing, nor does a parameter that stands there twice lower              case does not
 * matter in the path separators         - _ + and %20 in the path are one mark index NAME
 * a last segment NAME adds nothing to its folder slash              a slash at the end
 * adds nothing path-drop NAME     ";NAME=value" in a path segment drop NAME          the
 * parameter NAME, wherever it stands (NAME* for a prefix) empty              a parameter
 * without a value ("a=") adds nothing sort               the order of parameters does not
 * matter (A.3)
 *
 * Several operations together are a plan, applied in the order above.
 */
#ifndef DUST_OPERATION_H
#define DUST_OPERATION_H

#include "base/arena.h"
#include "base/buf.h"

enum operation_kind {
	OPERATION_SCHEME,
	OPERATION_WWW,
	OPERATION_MOBILE,
	OPERATION_HOST,
	OPERATION_SUBDOMAIN,
	OPERATION_SLASHES,
	OPERATION_REPEATS,
	OPERATION_LOWER,
	OPERATION_SEPARATORS,
	OPERATION_INDEX,
	OPERATION_SLASH,
	OPERATION_PATH_DROP,
	OPERATION_DROP,
	OPERATION_EMPTY,
	OPERATION_SORT,
	OPERATION_KINDS,
};

struct operation {
	enum operation_kind kind;
	struct str name; /* parameter, file name, domain, or the alias; else empty */
	struct str to;   /* for HOST: its right name */
};

#define OPERATION_NAME_MAX 256

/* The error says what is wrong, without a place; text is borrowed. */
must_use enum status operation_parse(struct str text, struct operation *ret,
				     struct diag *why);
void operation_format(const struct operation *op, struct buf *to);

/* A URL cut at its delimiters; slices of the URL.  A fragment is cut off. */
struct url_parts {
	struct str scheme; /* without "://" */
	struct str host;   /* with user and port, if any */
	struct str path;   /* with its first slash; may be empty */
	struct str query;  /* without '?' */
	bool has_query;
};

/* "host A B" that speaks of www.A and www.B, too. */
static inline bool is_bare_alias(const struct operation *op)
{
	return op->kind == OPERATION_HOST && !str_starts(op->name, STR("www.")) &&
	       !str_starts(op->to, STR("www."));
}
/* A parameter "name=", with nothing after the only '='. */
static inline bool is_empty_parameter(struct str parameter)
{
	return parameter.n > 1 && str_find_char(parameter, '=') == parameter.n - 1;
}
/*
 * The path without segments that repeat the one before them, into `to` (which may be the
 * path itself); returns its length.  Numbers do not count: /2011/11/11 is a day.
 */
size_t path_cut_repeats(struct str path, char *to);
/* hash64() of "www." before a name of an operation. */
uint64_t www_name_hash(struct str bare);

/* False when there is no "://". */
bool url_parts_split(struct str url, struct url_parts *ret);

struct plan_name {
	uint64_t hash;
	struct str name;
	uint32_t rule;
};

/* A set of operations, ready to apply.  Zeroed is the empty plan. */
struct plan {
	unsigned has;                             /* bit 1 << kind */
	uint32_t rule[OPERATION_KINDS];           /* of the kinds without a name */
	struct plan_name *names[OPERATION_KINDS]; /* of the others, by hash */
	size_t n[OPERATION_KINDS], cap[OPERATION_KINDS];
	struct plan_name *prefixes; /* of DROP: names that ended in '*' */
	size_t n_prefixes, prefixes_cap;
	const struct plan *hosts; /* HOST and SUBDOMAIN are looked up there; NULL: here */
};

void plan_release(struct plan *p);
/* `rule` is what plan_apply() reports; names are borrowed. */
void plan_add(struct plan *p, const struct operation *op, uint32_t rule);
/* After the last plan_add(). */
void plan_seal(struct plan *p);

#define PLAN_USED_MAX 24

struct plan_used {
	uint32_t rule[PLAN_USED_MAX];
	size_t n;
};

/*
 * Append the form of `url` under the plan to `to` and put the rules that
 * changed something into `used` (may be NULL).  Returns whether anything
 * changed; nothing is appended otherwise.
 */
bool plan_apply(const struct plan *p, struct str url, struct buf *to,
		struct plan_used *used);
#endif
