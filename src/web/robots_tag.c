#include "web/robots_tag.h"

#include "base/date.h"

static const struct {
	struct str word;
	unsigned flags;
} words[] = {
	{ { "noindex", 7 }, TAG_NOINDEX },
	{ { "nofollow", 8 }, TAG_NOFOLLOW },
	{ { "none", 4 }, TAG_NOINDEX | TAG_NOFOLLOW },
	{ { "noarchive", 9 }, TAG_NOARCHIVE },
	{ { "nocache", 7 }, TAG_NOARCHIVE },
	{ { "nosnippet", 9 }, TAG_NOSNIPPET },
	{ { "noimageindex", 12 }, TAG_NOIMAGEINDEX },
	{ { "notranslate", 11 }, TAG_NOTRANSLATE },
	{ { "indexifembedded", 15 }, TAG_INDEXIFEMBEDDED },
	{ { "noai", 4 }, TAG_NOAI },
	{ { "noimageai", 9 }, TAG_NOIMAGEAI },
};

/* Directives with a value, so that their colon does not look like a crawler's. */
static const struct str valued[] = {
	{ "unavailable_after", 17 },
	{ "max-snippet", 11 },
	{ "max-image-preview", 17 },
	{ "max-video-preview", 17 },
};

static void add_word(struct robots_tag *t, struct str word)
{
	for (size_t i = 0; i < COUNT(words); i++)
		if (str_eq_nocase(word, words[i].word))
			t->flags |= words[i].flags;
}

static void add_max_snippet(struct robots_tag *t, struct str value)
{
	uint64_t n;

	if (!str_to_uint(value, INT32_MAX, &n))
		return;
	if (!t->has_max_snippet || (int64_t)n < t->max_snippet)
		t->max_snippet = (int64_t)n;
	t->has_max_snippet = true;
}

static void add_date(struct robots_tag *t, int64_t ms)
{
	if (t->unavailable_after_ms == 0 || ms < t->unavailable_after_ms)
		t->unavailable_after_ms = ms;
}

static bool parse_date(struct str s, int64_t *ret_ms)
{
	return date_parse_http(s, ret_ms) || date_parse_iso(s, ret_ms);
}

/*
 * A date may hold a comma itself ("Sun, 06 Nov 1994"), so the part up to the
 * first comma is tried, then the part up to the second.
 */
static void take_date(struct robots_tag *t, struct str first, struct str *rest)
{
	size_t comma = str_find_char(*rest, ',');
	struct str both = { first.p, 0 };
	int64_t ms;

	if (parse_date(first, &ms)) {
		add_date(t, ms);
		return;
	}
	if (rest->n == 0)
		return;
	both.n = (size_t)(rest->p - first.p) + MIN(comma, rest->n);
	if (!parse_date(str_trim(both), &ms))
		return;
	add_date(t, ms);
	*rest = str_skip(*rest, comma == STR_NONE ? rest->n : comma + 1);
}

void robots_tag_add(struct robots_tag *t, struct str content)
{
	struct str part;

	while (str_take_until(&content, ',', &part)) {
		struct str name, value = part = str_trim(part);

		if (!str_take_until(&value, ':', &name))
			continue;
		name = str_trim(name);
		value = str_trim(value);
		if (str_eq_nocase(name, valued[0]))
			take_date(t, value, &content);
		else if (str_eq_nocase(name, valued[1]))
			add_max_snippet(t, value);
		else if (name.n == part.n)
			add_word(t, name);
	}
}

static bool is_valued(struct str name)
{
	for (size_t i = 0; i < COUNT(valued); i++)
		if (str_eq_nocase(name, valued[i]))
			return true;
	return false;
}

void robots_tag_add_field(struct robots_tag *t, struct str value, struct str name)
{
	size_t colon = str_find_char(value, ':'), comma = str_find_char(value, ',');
	struct str agent = str_trim(str_slice(value, 0, colon));

	/* A crawler's name stands before the first comma and is no directive. */
	if (colon != STR_NONE && colon < comma && !is_valued(agent)) {
		if (!str_eq_nocase(agent, name) && !str_eq(agent, STR("*")))
			return;
		value = str_skip(value, colon + 1);
	}
	robots_tag_add(t, value);
}

bool robots_tag_meta_is_ours(struct str meta_name, struct str name)
{
	return str_eq_nocase(meta_name, STR("robots")) || str_eq_nocase(meta_name, name);
}
