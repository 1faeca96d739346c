/*
 * mime_filter.h - which kinds of body does the crawl want?
 *
 * Rules as people write them: "text/html", a type with a star for all its subtypes, a
 * leading '-' to refuse.  The longest that fits decides.  What fits none is wanted unless
 * some rule says what is; then only that is.  A body without a type is always wanted, for
 * nobody knows what it is.  Pure; built once.
 */
#ifndef POLICY_MIME_FILTER_H
#define POLICY_MIME_FILTER_H

#include "base/arena.h"

struct mime_rule {
	struct str text; /* as given */
	struct str type; /* up to the star, or whole; lower case */
	bool is_prefix, accept;
};

struct mime_filter {
	struct mime_rule *v;
	size_t n, cap;
	bool has_accept;
	struct arena bytes;
};

struct mime_answer {
	bool wanted;
	struct str rule; /* the text of the rule; "not listed"; empty when none decided */
};

void mime_filter_release(struct mime_filter *f);
/* ST_SYNTAX when it is no type, with or without a star. */
must_use enum status mime_filter_add(struct mime_filter *f, struct str rule,
				     struct diag *why);
/* `essence` in lower case, without parameters. */
struct mime_answer mime_filter_ask(const struct mime_filter *f, struct str essence);
#endif
