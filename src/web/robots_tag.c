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

/* "agent:" at the front of a part; what has a blank in it is the rest of a date. */
static bool take_agent(struct str *part, struct str *ret)
{
	size_t colon = str_find_char(*part, ':');
	struct str name = str_trim(str_slice(*part, 0, colon));

	if (colon == STR_NONE || is_valued(name) ||
	    !(http_is_token(name) || str_eq(name, STR("*"))))
		return false;
	*part = str_skip(*part, colon + 1);
	*ret = name;
	return true;
}

/* Bytes up to the next part that names a crawler: proxies join several fields by commas.
 */
static size_t length_for_one(struct str value)
{
	struct str agent;

	for (size_t at = 0, comma; at < value.n; at += comma + 1) {
		struct str part = str_trim(str_skip(value, at));

		if (at > 0 && take_agent(&part, &agent) &&
		    str_find_char(agent, ',') == STR_NONE)
			return at;
		comma = str_find_char(str_skip(value, at), ',');
		if (comma == STR_NONE)
			break;
	}
	return value.n;
}

void robots_tag_add_field(struct robots_tag *t, struct str value, struct str name)
{
	while (value.n > 0) {
		size_t n = length_for_one(value);
		struct str one = str_slice(value, 0, n), agent = STR("*");

		take_agent(&one, &agent);
		if (str_eq(agent, STR("*")) || str_eq_nocase(agent, name))
			robots_tag_add(t, one);
		value = str_skip(value, n);
	}
}

struct robots_tag robots_tag_of_head(const struct http_head *h, struct str name)
{
	struct robots_tag t = { 0 };
	struct str value;

	for (size_t at = 0; http_next(h, STR("X-Robots-Tag"), &at, &value);)
		robots_tag_add_field(&t, value, name);
	return t;
}

/* Most answers have no such field, and a name that is not there needs no parsing. */
static bool may_have_tag(struct str head)
{
	for (size_t at; (at = str_find_char(head, '\n')) != STR_NONE;) {
		head = str_skip(head, at + 1);
		if (str_starts_nocase(head, STR("X-Robots-Tag")))
			return true;
	}
	return false;
}

struct robots_tag robots_tag_of_text(struct str head, struct str name)
{
	cleanup(http_head_release) struct http_head h = { 0 };

	if (!may_have_tag(head) || http_head_parse(&h, head, NULL) != ST_OK)
		return (struct robots_tag){ 0 };
	return robots_tag_of_head(&h, name);
}

bool robots_tag_meta_is_ours(struct str meta_name, struct str name)
{
	return str_eq_nocase(meta_name, STR("robots")) || str_eq_nocase(meta_name, name);
}
