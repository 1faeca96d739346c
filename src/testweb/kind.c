#include "testweb/kind.h"

#include <string.h>

#include "base/date.h"

const struct kind *kind_of(const struct site *s)
{
	static const struct kind *const kinds[KINDS] = {
		&kind_blog, &kind_forum, &kind_wiki,    &kind_shop,
		&kind_news, &kind_docs,  &kind_gallery, &kind_blog,
	};

	return kinds[s->kind];
}

void path_add_slug(struct draft *d, const struct world *w, const struct place *p,
		   char joint, bool capital)
{
	const struct site *s = &w->sites[p->site];
	struct str parts[3];

	words_spell_parts(&w->words, item_language(s, p->item), s->key, p->item, parts);
	for (unsigned i = 0; i < 3; i++) {
		if (i)
			draft_add(d, (struct str){ &joint, 1 });
		size_t start = d->path_n;
		draft_add_encoded(d, parts[i]);
		if (capital && d->path[start] >= 'a' && d->path[start] <= 'z')
			d->path[start] = (char)(d->path[start] - 32);
	}
}

bool path_find_slug(const struct world *w, const struct place *p, struct str slug,
		    char joint, uint32_t *ret_item)
{
	const struct site *s = &w->sites[p->site];
	bool two = s->flags & SITE_TRANSLATED;
	uint32_t item;

	/* The language is the item's, so the one that gives back its own item is right.
	 */
	for (unsigned i = 0; i < (two ? 2u : 1u); i++) {
		enum language l = (enum language)(i ? s->language2 : s->language);

		if (words_unspell(&w->words, l, s->key, slug, joint, &item) &&
		    item < s->n_items && item_language(s, item) == l) {
			*ret_item = item;
			return true;
		}
	}
	return false;
}

void path_add_date(struct draft *d, int64_t ms)
{
	struct civil c = civil_from_ms(ms);

	draft_add(d, STR("/"));
	draft_add_padded(d, (unsigned)c.year, 4);
	draft_add(d, STR("/"));
	draft_add_padded(d, (unsigned)c.month, 2);
	draft_add(d, STR("/"));
	draft_add_padded(d, (unsigned)c.day, 2);
	draft_add(d, STR("/"));
}

void path_add_category(struct draft *d, const struct world *w, const struct place *p)
{
	if (p->item == LIST_ALL)
		draft_add(d, STR("all"));
	else
		draft_add(d, category_name(w, &w->sites[p->site], p->item));
}

bool path_find_category(const struct world *w, const struct place *p, struct str name,
			uint32_t *ret)
{
	const struct site *s = &w->sites[p->site];

	if (str_eq_nocase(name, STR("all")))
		return *ret = LIST_ALL, true;
	for (uint32_t c = 0; c < s->categories; c++)
		if (str_eq_nocase(category_name(w, s, c), name))
			return *ret = c, true;
	return false;
}

bool segment_is(const struct target *t, unsigned nr, const char *word)
{
	return str_eq_nocase(target_segment(t, nr), str_from(word));
}

bool segment_number(struct str text, const char *before, const char *after, uint32_t *ret)
{
	struct str end = str_from(after);
	uint64_t v;

	if (!str_starts_nocase(text, str_from(before)))
		return false;
	text = str_skip(text, strlen(before));
	if (text.n < end.n || !str_eq_nocase(str_skip(text, text.n - end.n), end))
		return false;
	text.n -= end.n;
	if (!str_to_uint(text, UINT32_MAX, &v) || (text.n > 1 && text.p[0] == '0'))
		return false;
	*ret = (uint32_t)v;
	return true;
}

void path_add_idle_slug(struct draft *d, const struct world *w, uint64_t nonce,
			char joint)
{
	draft_add(d, STR("any"));
	for (unsigned i = 0; i < 2; i++) {
		draft_add(d, (struct str){ &joint, 1 });
		draft_add(d, words_slug(&w->words, LANG_EN,
					(unsigned)(nonce >> 8 * i) % SLUG_WORDS));
	}
}
