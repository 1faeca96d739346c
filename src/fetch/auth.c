#include "fetch/auth.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/encode.h"

struct auth_entry {
	struct url origin;
	bool has_scheme, has_port; /* as the user wrote it */
	bool bound;                /* to a seed's */
	struct str value;
};

/* The first blank or '=' parts the origin, which can hold neither, from the rest. */
static bool split(struct str text, struct str *ret_origin, struct str *ret_rest)
{
	size_t i = 0;

	while (i < text.n && text.p[i] != ' ' && text.p[i] != '=')
		i++;
	*ret_origin = str_slice(text, 0, i);
	*ret_rest = str_trim(str_skip(text, MIN(i + 1, text.n)));
	return ret_origin->n > 0 && ret_rest->n > 0;
}

static enum status parse_origin(struct auth *a, struct str text, struct auth_entry *e,
				struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 }, scratch = { 0 };
	struct url u;

	e->has_scheme = str_find(text, STR("://")) != STR_NONE;
	if (!e->has_scheme)
		buf_add(&b, STR("https://"));
	buf_add(&b, text);
	if (url_parse(buf_str(&b), NULL, &scratch, &u, NULL) != ST_OK ||
	    !url_is_http(&u) || u.host.n == 0)
		return diag_fail(why, ST_SYNTAX,
				 "--auth: want http(s)://HOST[:PORT], not '" STR_FMT "'",
				 STR_ARG(text));
	e->origin = url_copy(&a->arena, &u);
	e->has_port = u.port.n > 0;
	return ST_OK;
}

static enum status add(struct auth *a, struct str text, struct diag *why)
{
	cleanup(buf_release) struct buf value = { 0 };
	struct auth_entry e = { 0 };
	struct str origin, rest;

	if (!split(str_trim(text), &origin, &rest))
		return diag_fail(why, ST_SYNTAX,
				 "--auth '" STR_FMT "' has no credentials: want "
				 "ORIGIN=USER:PASSWORD or 'ORIGIN bearer TOKEN'",
				 STR_ARG(origin));
	TRY(parse_origin(a, origin, &e, why));
	if (str_take_prefix(&rest, STR("bearer "))) {
		buf_add(&value, STR("Bearer "));
		buf_add(&value, str_trim(rest));
	} else if (str_find_char(rest, ':') != STR_NONE) {
		buf_add(&value, STR("Basic "));
		buf_add_base64(&value, rest);
	} else {
		return diag_fail(why, ST_SYNTAX,
				 "--auth for '" STR_FMT
				 "': want USER:PASSWORD or bearer TOKEN",
				 STR_ARG(origin));
	}
	e.value = arena_copy(&a->arena, buf_str(&value));
	VEC_RESERVE(a->v, a->cap, a->n + 1);
	a->v[a->n++] = e;
	return ST_OK;
}

enum status auth_open(struct auth *a, const struct str_list *entries, struct diag *why)
{
	*a = (struct auth){ 0 };
	for (size_t i = 0; i < entries->n; i++)
		TRY(add(a, entries->v[i], why));
	return ST_OK;
}

void auth_release(struct auth *a)
{
	free(a->v);
	arena_release(&a->arena);
	*a = (struct auth){ 0 };
}

void auth_bind(struct auth *a, const struct url *seed)
{
	for (size_t i = 0; i < a->n; i++) {
		struct auth_entry *e = &a->v[i];

		if (e->has_scheme || e->bound || !str_eq(e->origin.host, seed->host) ||
		    (e->has_port && e->origin.port_number != seed->port_number))
			continue;
		e->origin = url_copy(&a->arena, seed);
		e->bound = true;
	}
}

struct str auth_value(const struct auth *a, const struct url *url)
{
	for (size_t i = 0; i < a->n; i++)
		if (url_same_origin(&a->v[i].origin, url))
			return a->v[i].value;
	return STR("");
}
