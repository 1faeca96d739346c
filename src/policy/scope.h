/*
 * scope.h - does this URL belong to the crawl?
 *
 * Every answer is a rule with a name, so that `thresh why` can say it.  The
 * rules, in order; the first that decides wins:
 *
 *   scheme       only http and https
 *   length       longer than the limit
 *   exclude:RE   one of the user's exclude patterns
 *   seed         a seed is always in scope
 *   surt:PREFIX  the longest of the user's SURT prefixes: + accepts, - refuses
 *   include:RE   one of the user's include patterns
 *   page, prefix, host, domain, any   the kind of scope, relative to the seeds
 *   off-site     within the allowed number of hops away from the scope
 *   out-of-scope
 *
 * A URL in scope can still be refused as too deep (depth).  Pure; built once,
 * then asked by one thread.
 */
#ifndef POLICY_SCOPE_H
#define POLICY_SCOPE_H

#include "base/intern.h"
#include "base/option.h"
#include "policy/mime_filter.h"
#include "policy/pattern_list.h"
#include "policy/reason.h"
#include "url/url.h"

enum scope_kind {
	SCOPE_PAGE,   /* the seeds alone */
	SCOPE_PREFIX, /* what begins with the folder of a seed */
	SCOPE_HOST,   /* with and without "www.", "www2." */
	SCOPE_DOMAIN, /* the pay-level domain of a seed */
	SCOPE_ANY,
	SCOPE_CUSTOM, /* only include patterns and SURT prefixes */
};

struct scope_surt {
	struct str prefix;
	bool accept;
};

struct scope {
	enum scope_kind kind;
	uint32_t max_depth; /* links from a seed; UINT32_MAX for any */
	uint32_t max_off_hops;
	size_t max_url_bytes;
	struct pattern_list include, exclude;
	struct scope_surt *surts; /* sorted by prefix */
	size_t n_surts, cap_surts;
	struct mime_filter mimes; /* asked when the answer begins */
	struct intern seeds, hosts, domains, prefixes;
	struct arena bytes;
};

/* A URL as scope sees it: the parsed form and what else was derived from it. */
struct scope_question {
	const struct url *url;
	struct str domain; /* pay-level domain; the host itself when it has none */
	struct str surt;   /* of the URL; empty is fine when no SURT prefix was given */
	uint32_t depth;
	uint32_t off_hops; /* of the page it was found on */
	bool is_embed; /* what a page needs to be shown: allowed one hop off the scope */
};

struct scope_answer {
	bool accept;
	bool off_site; /* accepted, but outside: off_hops of its own links grows */
	enum reason reason;
	struct str detail; /* the pattern or prefix that decided; empty for none */
};

void scope_release(struct scope *s);
must_use enum status scope_add_include(struct scope *s, struct str regex,
				       struct diag *why);
must_use enum status scope_add_exclude(struct scope *s, struct str regex,
				       struct diag *why);
/* "+org,example," accepts, "-org,example)/private" refuses; + may be left out. */
void scope_add_surt(struct scope *s, struct str line);
void scope_add_seed(struct scope *s, const struct url *url, struct str domain);
/* After the last rule; seeds may still be added. */
void scope_finish(struct scope *s);
struct scope_answer scope_decide(const struct scope *s, const struct scope_question *q);
#endif
