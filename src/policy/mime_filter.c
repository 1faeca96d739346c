#include "policy/mime_filter.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "web/http.h"

void mime_filter_release(struct mime_filter *f)
{
	free(f->v);
	arena_release(&f->bytes);
	*f = (struct mime_filter){ 0 };
}

/* "text/html", or with `is_prefix` "text/" and "" for all. */
static bool is_type(struct str s, bool is_prefix)
{
	struct str type;

	if (is_prefix && s.n == 0)
		return true;
	return str_take_until(&s, '/', &type) && http_is_token(type) &&
	       (is_prefix ? s.n == 0 : http_is_token(s)) &&
	       str_find_char(type, '*') == STR_NONE && str_find_char(s, '*') == STR_NONE;
}

enum status mime_filter_add(struct mime_filter *f, struct str rule, struct diag *why)
{
	struct mime_rule r = { .text = arena_copy(&f->bytes, str_trim(rule)) };
	struct str type = r.text;
	char *lower = arena_alloc(&f->bytes, type.n + 1);

	r.accept = !str_take_char(&type, '-');
	r.is_prefix = str_ends(type, STR("/*")) || str_eq(type, STR("*"));
	if (r.is_prefix)
		type.n--;
	if (!is_type(type, r.is_prefix))
		return diag_fail(why, ST_SYNTAX,
				 "'" STR_FMT "' is no media type, as text/html, image/* "
				 "or -video/*",
				 STR_ARG(rule));
	for (size_t i = 0; i < type.n; i++)
		lower[i] = ascii_lower(type.p[i]);
	r.type = (struct str){ lower, type.n };
	f->has_accept |= r.accept;
	VEC_ADD(f->v, f->n, f->cap, r);
	return ST_OK;
}

struct mime_answer mime_filter_ask(const struct mime_filter *f, struct str essence)
{
	const struct mime_rule *best = NULL;

	if (essence.n == 0 || f->n == 0)
		return (struct mime_answer){ .wanted = true, .rule = STR("") };
	for (size_t i = 0; i < f->n; i++) {
		const struct mime_rule *r = &f->v[i];
		bool fits = r->is_prefix ? str_starts(essence, r->type)
					 : str_eq(essence, r->type);

		if (fits && (!best || r->type.n > best->type.n))
			best = r;
	}
	if (best)
		return (struct mime_answer){ .wanted = best->accept, .rule = best->text };
	return (struct mime_answer){ .wanted = !f->has_accept,
				     .rule = f->has_accept ? STR("not listed")
							   : STR("") };
}
