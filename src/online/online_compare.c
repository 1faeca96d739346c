/*
 * online_compare.c - are two fetched pages one?  What proves rules, and what they are
 * learnt from.
 *
 * A page for printers has other bytes than the page itself, and is found to be the same
 * all the same.  Learning must know: if one URL had two contents, every rule that
 * leads to it would seem to be wrong.
 */
#include "online/online_internal.h"

/* Half of the text is more than any template. */
#define LIKE_ENOUGH 0.5

bool online_is_alike(const struct likeness *a, const struct likeness *b)
{
	return likeness_of(a, b) >= LIKE_ENOUGH || likeness_is_part(a, b);
}

enum comparison online_compare(const struct online_site *s, const struct online_page *p,
			       uint64_t content, const struct likeness *like)
{
	/* Of two pages that are nearly the same what differs decides, not what they
	 * share. */
	if (like && likeness_is_apart(&p->like, like))
		return COMPARE_OTHER;
	if (p->content == online_label(s, content) ||
	    (like && likeness_is_same(&p->like, like)))
		return COMPARE_SAME;
	if (!like || !online_is_alike(&p->like, like))
		return COMPARE_OTHER;
	/* Months of a calendar, empty lists: all are alike, and so are their variants. */
	return p->like.main == 0 && like->main == 0 ? COMPARE_NOTHING : COMPARE_DOUBT;
}

/* The page of this site that gave `content` its number; NULL when it is not known. */
static const struct online_page *named_after(const struct online_site *s,
					     uint64_t content)
{
	const uint64_t *at = map_find(&s->by_url, content);

	if (!at)
		at = map_find(&s->by_url, content & ~(uint64_t)1);
	return at && s->pages[*at - 1].state == PAGE_FETCHED ? &s->pages[*at - 1] : NULL;
}

uint64_t online_own_content(const struct online_site *s, struct str url, uint64_t content,
			    const struct likeness *like)
{
	const struct online_page *p = like ? named_after(s, content) : NULL;

	return p && likeness_is_apart(&p->like, like) ? hash64(url) | 1 : content;
}

uint64_t online_label(const struct online_site *s, uint64_t content)
{
	const uint64_t *other;

	while ((other = map_find(&s->same, content)))
		content = *other;
	return content;
}

void online_unite(struct online_site *s, uint64_t content, uint64_t with)
{
	content = online_label(s, content);
	with = online_label(s, with);
	if (content == with)
		return;
	*map_add(&s->same, content, NULL) = with;
	uint64_t *n = map_find(&s->by_content, content);
	uint64_t moved = n ? *n : 0;
	if (moved == 0)
		return;
	*n = 0;
	*map_add(&s->by_content, with, NULL) += moved;
	for (size_t i = 0; i < s->n; i++)
		if (s->pages[i].content == content)
			s->pages[i].content = with;
}

void online_recognise(struct online_site *s, struct str url, uint64_t content,
		      const struct likeness *like)
{
	const uint64_t *claims = map_find(&s->by_content, online_claim(url));
	const uint64_t *twin = like ? map_find(&s->by_main, like->main) : NULL;

	if (claims && *claims > 0)
		online_unite(s, online_claim(url), content);
	if (twin && likeness_is_same(&s->pages[*twin - 1].like, like))
		online_unite(s, content, s->pages[*twin - 1].content);
}
