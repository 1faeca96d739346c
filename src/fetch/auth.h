/*
 * auth.h - credentials, and the one origin each is for.
 *
 * "ORIGIN USER:PASSWORD" or "ORIGIN bearer TOKEN"; '=' may stand for the blank, so that
 * no quotes are needed.  An origin is scheme, host and port; a bare HOST[:PORT] means
 * https there until a seed on that host says which origin is meant (auth_bind()).
 * Credentials go to that origin and to no other: not to another port, and not over plain
 * http because the name is the same.
 */
#ifndef FETCH_AUTH_H
#define FETCH_AUTH_H

#include "base/option.h"
#include "url/url.h"

struct auth {
	struct auth_entry *v;
	size_t n, cap;
	struct arena arena;
};

/* ST_SYNTAX, with what is missing, for an entry without origin or without credentials. */
must_use enum status auth_open(struct auth *a, const struct str_list *entries,
			       struct diag *why);
void auth_release(struct auth *a);
/* A bare host is bound to the origin of the first seed that stands on it. */
void auth_bind(struct auth *a, const struct url *seed);
/* The value of the Authorization field for this URL; empty for none. */
struct str auth_value(const struct auth *a, const struct url *url);
#endif
