#include "apps/wappalyzer.h"

#include "apps/description.h"
#include "apps/path.h"
#include "apps/regex_set.h"

void wappalyzer_id(struct str name, struct buf *to)
{
	bool dash = false;

	for (size_t i = 0; i < name.n; i++) {
		char c = ascii_lower(name.p[i]);

		if (ascii_is_alpha(c) || ascii_is_digit(c)) {
			if (dash && to->n)
				buf_add_char(to, '-');
			buf_add_char(to, c);
			dash = false;
		} else {
			dash = true;
		}
	}
}

static void add_escaped(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c == '&')
			buf_add(to, STR("&amp;"));
		else if (c == '<')
			buf_add(to, STR("&lt;"));
		else if (c == '"')
			buf_add(to, STR("&quot;"));
		else if (c >= ' ')
			buf_add_char(to, (char)c);
	}
}

/* A pattern and its tags: "regex\;confidence:50\;version:\1". */
static struct str without_tags(struct str s, unsigned *ret_weight)
{
	size_t at = str_find(s, STR("\\;"));
	size_t sure = str_find(s, STR("\\;confidence:"));
	uint64_t weight = 100;

	if (sure != STR_NONE) {
		struct str n = str_skip(s, sure + 13);

		if (!str_take_uint(&n, 100, &weight))
			weight = 50;
	}
	*ret_weight = (unsigned)weight;
	return str_slice(s, 0, at);
}

struct writer {
	struct buf *to;
	struct wappalyzer_counts *counts;
};

static void add_pattern(struct writer *w, const char *element, struct str name,
			struct str pattern)
{
	unsigned weight;
	struct str regex = without_tags(pattern, &weight);
	bool needs = !str_eq(str_from(element), STR("header")) &&
		     !str_eq(str_from(element), STR("meta"));

	if ((needs ? regex.n == 0 : name.n == 0) ||
	    (regex.n && regex_check(regex, NULL) != ST_OK)) {
		w->counts->bad++;
		return;
	}
	buf_addf(w->to, "    <%s", element);
	if (name.n) {
		buf_add(w->to, STR(" name=\""));
		add_escaped(w->to, name);
		buf_add_char(w->to, '"');
	}
	if (regex.n) {
		buf_add(w->to, STR(" match=\""));
		add_escaped(w->to, regex);
		buf_add_char(w->to, '"');
	}
	buf_addf(w->to, " weight=\"%u\"/>\n", weight);
	w->counts->patterns++;
}

/* A string, or several. */
static void add_all(struct writer *w, const char *element, struct str name,
		    const struct json *v)
{
	if (json_kind(v) == JSON_STRING)
		add_pattern(w, element, name, json_str(v));
	else if (json_kind(v) == JSON_ARRAY)
		for (const struct json *c = json_first(v); c; c = json_next(c))
			if (json_kind(c) == JSON_STRING)
				add_pattern(w, element, name, json_str(c));
}

static void add_named(struct writer *w, const char *element, const struct json *v)
{
	for (const struct json *c = json_kind(v) == JSON_OBJECT ? json_first(v) : NULL; c;
	     c = json_next(c))
		add_all(w, element, json_name(c), c);
}

/* The name of a cookie is the pattern; what it holds is not looked at. */
static void add_cookies(struct writer *w, const struct json *v)
{
	for (const struct json *c = json_kind(v) == JSON_OBJECT ? json_first(v) : NULL; c;
	     c = json_next(c)) {
		cleanup(buf_release) struct buf regex = { 0 };

		buf_add_char(&regex, '^');
		for (size_t i = 0; i < json_name(c).n; i++) {
			char ch = json_name(c).p[i];

			if (str_find_char(STR(".$+()[]?"), ch) != STR_NONE)
				buf_add_char(&regex, '\\');
			if (ch == '*')
				buf_add_char(&regex, '.');
			buf_add_char(&regex, ch);
		}
		buf_add_char(&regex, '$');
		add_pattern(w, "cookie", STR(""), buf_str(&regex));
	}
}

/* --- selectors --- */

static struct str take_word(struct str *s)
{
	size_t n = 0;

	while (n < s->n && (ascii_is_alpha(s->p[n]) || ascii_is_digit(s->p[n]) ||
			    s->p[n] == '-' || s->p[n] == '_'))
		n++;
	struct str word = str_slice(*s, 0, n);
	*s = str_skip(*s, n);
	return word;
}

/* [name], [name='v'], [name*='v'], [name^='v'] */
static bool add_attribute(struct str *s, struct buf *to)
{
	struct str name = take_word(s);
	char kind = s->n ? s->p[0] : 0;

	if (name.n == 0)
		return false;
	if (str_take_char(s, ']')) {
		buf_addf(to, "[@" STR_FMT "]", STR_ARG(name));
		return true;
	}
	if (kind != '=')
		*s = str_skip(*s, 1);
	if (!str_take_char(s, '='))
		return false;
	char quote = s->n && (s->p[0] == '"' || s->p[0] == '\'') ? s->p[0] : 0;
	if (quote)
		*s = str_skip(*s, 1);
	size_t end = str_find_char(*s, quote ? quote : ']');
	if (end == STR_NONE || str_find_char(str_slice(*s, 0, end), '\'') != STR_NONE)
		return false;
	struct str value = str_slice(*s, 0, end);
	*s = str_skip(*s, end + (quote ? 1 : 0));
	str_take_char(s, ' ');
	if (s->n && ascii_lower(s->p[0]) == 'i')
		*s = str_skip(*s, 1);
	if (value.n == 0 || !str_take_char(s, ']'))
		return false;
	if (kind == '=')
		buf_addf(to, "[@" STR_FMT "='" STR_FMT "']", STR_ARG(name),
			 STR_ARG(value));
	else if (kind == '*' || kind == '^')
		buf_addf(to, "[%s(@" STR_FMT ",'" STR_FMT "')]",
			 kind == '*' ? "contains" : "starts-with", STR_ARG(name),
			 STR_ARG(value));
	else
		return false;
	return true;
}

/* tag#id.class[attribute] */
static bool add_compound(struct str *s, struct buf *to)
{
	struct str tag = take_word(s), word;

	if (tag.n == 0)
		str_take_char(s, '*');
	buf_add(to, tag.n ? tag : STR("*"));
	for (;;) {
		if (str_take_char(s, '#') && (word = take_word(s)).n)
			buf_addf(to, "[@id='" STR_FMT "']", STR_ARG(word));
		else if (str_take_char(s, '.') && (word = take_word(s)).n)
			buf_addf(to, "[has-class('" STR_FMT "')]", STR_ARG(word));
		else if (!str_take_char(s, '['))
			return true;
		else if (!add_attribute(s, to))
			return false;
	}
}

static bool selector_to_path(struct str s, struct buf *to)
{
	bool below = true;

	while ((s = str_trim(s)).n) {
		if (str_take_char(&s, '>')) {
			below = false;
			continue;
		}
		size_t before = s.n;
		buf_add(to, below ? STR("//") : STR("/"));
		if (!add_compound(&s, to) || s.n == before ||
		    (s.n && !ascii_is_space(s.p[0]) && s.p[0] != '>'))
			return false;
		below = true;
	}
	return to->n > 0;
}

static void add_selectors(struct writer *w, struct str selectors)
{
	cleanup(arena_release) struct arena a = { 0 };
	unsigned weight;
	struct str rest = without_tags(selectors, &weight), one;
	struct path p;

	while (str_take_until(&rest, ',', &one)) {
		cleanup(buf_release) struct buf text = { 0 };

		if (!selector_to_path(one, &text) ||
		    path_parse(buf_str(&text), &a, &p, NULL) != ST_OK) {
			w->counts->left_out++;
			continue;
		}
		buf_add(w->to, STR("    <path select=\""));
		add_escaped(w->to, buf_str(&text));
		buf_addf(w->to, "\" weight=\"%u\"/>\n", weight);
		w->counts->patterns++;
	}
}

/* A selector, several, or an object whose names are selectors: presence is what counts.
 */
static void add_dom(struct writer *w, const struct json *v)
{
	if (json_kind(v) == JSON_STRING)
		add_selectors(w, json_str(v));
	for (const struct json *c = json_kind(v) == JSON_ARRAY ? json_first(v) : NULL; c;
	     c = json_next(c))
		add_selectors(w, json_str(c));
	for (const struct json *c = json_kind(v) == JSON_OBJECT ? json_first(v) : NULL; c;
	     c = json_next(c)) {
		if (json_get(c, "exists"))
			add_selectors(w, json_name(c));
		else
			w->counts->left_out++;
	}
}

/* JSON may hold what XML may not: broken UTF-8, U+FFFE ... */
static bool can_be_read(struct str xml)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct app app;

	if (description_read(xml, STR("import"), &a, &app, NULL) != ST_OK)
		return false;
	description_release(&app);
	return true;
}

void wappalyzer_description(struct str name, const struct json *t, struct buf *to,
			    struct wappalyzer_counts *counts)
{
	static const char *const not_used[] = { "js",      "xhr",   "dns",       "css",
						"scripts", "probe", "certIssuer" };
	cleanup(buf_release) struct buf patterns = { 0 }, id = { 0 }, xml = { 0 };
	struct writer w = { &patterns, counts };

	add_all(&w, "url", STR(""), json_get(t, "url"));
	add_named(&w, "header", json_get(t, "headers"));
	add_named(&w, "meta", json_get(t, "meta"));
	add_cookies(&w, json_get(t, "cookies"));
	add_all(&w, "script", STR(""), json_get(t, "scriptSrc"));
	add_all(&w, "text", STR(""), json_get(t, "text"));
	add_all(&w, "html", STR(""), json_get(t, "html"));
	add_dom(&w, json_get(t, "dom"));
	for (size_t i = 0; i < COUNT(not_used); i++)
		counts->left_out += json_get(t, not_used[i]) != NULL;
	wappalyzer_id(name, &id);
	if (patterns.n == 0 || id.n == 0)
		return;
	buf_add(&xml, STR("<application id=\""));
	buf_add(&xml, buf_str(&id));
	buf_add(&xml, STR("\" name=\""));
	add_escaped(&xml, name);
	buf_add(&xml, STR("\">\n  <detect>\n"));
	buf_add(&xml, buf_str(&patterns));
	buf_add(&xml, STR("  </detect>\n</application>\n"));
	if (can_be_read(buf_str(&xml))) {
		buf_add(to, buf_str(&xml));
		counts->applications++;
	} else {
		counts->bad++;
	}
}
