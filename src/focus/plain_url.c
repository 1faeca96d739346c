/*
 * plain_url.c - how plain the URL of a link is, and its form.
 *
 * Of two URLs of one page the plainer one is the page, the other a duplicate of it: a
 * session, a print version, another order.  The form (host, names of parameters, shape of
 * the path) is what the learner remembers of what came of such URLs.
 */
#include "base/hash.h"
#include "focus/focus.h"

#define PENALTY_MAX 60.0f

/* A segment whose letters are many is a name: its shape is what counts. */
static uint64_t shape_of(struct str segment)
{
	size_t digits = 0;

	for (size_t i = 0; i < segment.n; i++)
		digits += segment.p[i] >= '0' && segment.p[i] <= '9';
	if (digits == 0 && segment.n <= 12)
		return hash64(segment);
	return digits == segment.n ? 1 : digits > 0 ? 2 : 3;
}

uint32_t focus_form_of(struct str url)
{
	struct str rest = url, part;
	size_t query_at = str_find_char(rest, '?');
	struct str query = query_at == STR_NONE ? STR("") : str_skip(rest, query_at + 1);
	uint64_t hash = 0;

	rest = str_slice(rest, 0, query_at);
	hash = hash_mix(str_find_char(rest, ';') != STR_NONE);
	for (unsigned n = 0; n < 5 && str_take_until(&rest, '/', &part); n++)
		hash = hash_mix(hash + (n < 3 ? hash64(part) : shape_of(part)));
	for (unsigned n = 0; n < 16 && str_take_until(&query, '&', &part); n++)
		hash += hash64(str_slice(part, 0, str_find_char(part, '=')));
	return (uint32_t)hash_mix(hash);
}

void module_plain_url(struct focus_page *p)
{
	for (size_t k = 0; k < p->in->n; k++) {
		const struct discovery *d = &p->in->links[k];

		focus_scores_set(&p->links[k], PART_PLAIN,
				 1 - (float)d->penalty / PENALTY_MAX);
		p->links[k].form = focus_form_of(d->url);
	}
}
