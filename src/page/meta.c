#include "page/meta.h"

#include <string.h>

#include "html/entity.h"
#include "page/page.h"
#include "page/text.h"

#define META_VALUE_MAX 4096

void meta_start(struct meta *m, struct arena *a)
{
	*m = (struct meta){ .arena = a };
}

static void add(struct meta *m, struct str name, struct str value)
{
	if (m->n == PAGE_META_MAX) {
		m->cut = true;
		return;
	}
	if (m->n == m->cap) {
		m->cap = m->cap ? 2 * m->cap : 16;
		struct page_meta *more = arena_alloc(m->arena, m->cap * sizeof(*more));

		if (m->n)
			memcpy(more, m->v, m->n * sizeof(*more));
		m->v = more;
	}
	m->v[m->n++] = (struct page_meta){ name, value };
}

static struct str lowered(struct str s, struct arena *a)
{
	size_t i = 0;

	while (i < s.n && ascii_lower(s.p[i]) == s.p[i])
		i++;
	if (i == s.n)
		return s;
	char *to = arena_alloc(a, s.n);
	for (i = 0; i < s.n; i++)
		to[i] = ascii_lower(s.p[i]);
	return (struct str){ to, s.n };
}

static void note(struct page *p, struct str name, struct str value)
{
	if (str_eq(name, STR("description")) && !p->description.n)
		p->description = value;
	else if (str_eq(name, STR("generator")) && !p->generator.n)
		p->generator = value;
	else if (robots_tag_meta_is_ours(name, STR("thresh"))) {
		struct robots_tag tag = { 0 };

		robots_tag_add(&tag, value);
		p->robots |= tag.flags;
	}
}

bool meta_add(struct meta *m, const struct html_token *k, struct page *page,
	      struct str *ret_refresh)
{
	static const enum html_attr_id names[] = { ATTR_NAME, ATTR_PROPERTY,
						   ATTR_HTTP_EQUIV, ATTR_ITEMPROP };
	const struct html_attr *content = html_find_attr(k, ATTR_CONTENT), *named = NULL;
	bool refresh = false;

	for (size_t i = 0; content && i < COUNT(names); i++) {
		named = html_find_attr(k, names[i]);
		if (!named)
			continue;
		struct str name =
			entity_decode_all(named->value, ENTITY_IN_ATTRIBUTE, m->arena);
		struct str value =
			text_cut(text_clean(content->value, TEXT_DECODE, m->arena),
				 META_VALUE_MAX);

		name = lowered(str_trim(name), m->arena);
		add(m, name, value);
		note(page, name, value);
		if (names[i] == ATTR_HTTP_EQUIV && str_eq(name, STR("refresh"))) {
			*ret_refresh = entity_decode_all(content->value,
							 ENTITY_IN_ATTRIBUTE, m->arena);
			refresh = true;
		}
	}
	return refresh;
}
