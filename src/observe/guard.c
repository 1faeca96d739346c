#include "observe/guard.h"

#include <string.h>

#define SHORT_WORDS 5  /* a name; what is longer is a sentence about something */
#define SHORT_BYTES 60 /* the same in scripts that do not part words */

static bool is_word_byte(char c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (c & 0x80);
}

/* U+2000 to U+207F: dashes, quotes and dots are no letters. */
static bool is_mark(const char *p)
{
	return (uint8_t)p[0] == 0xe2 && ((uint8_t)p[1] == 0x80 || (uint8_t)p[1] == 0x81);
}

static bool letter_at(struct str s, size_t i)
{
	return i < s.n && is_word_byte(s.p[i]) && !(i + 2 < s.n && is_mark(s.p + i));
}

static bool letter_before(struct str s, size_t i)
{
	return i > 0 && is_word_byte(s.p[i - 1]) && !(i >= 3 && is_mark(s.p + i - 3));
}

/* Chinese, Japanese and Korean do not part words: from U+3000 on a part of a text will
 * do. */
static bool is_unparted(struct str word)
{
	return word.n && (uint8_t)word.p[0] >= 0xe3;
}

/* Where `word` stands in `text` with no letter before or behind it; STR_NONE: nowhere. */
static size_t find_word(struct str text, struct str word)
{
	for (size_t i = 0; i + word.n <= text.n; i++)
		if (str_starts_nocase(str_skip(text, i), word) &&
		    (is_unparted(word) ||
		     (!letter_before(text, i) && !letter_at(text, i + word.n))))
			return i;
	return STR_NONE;
}

static bool has_any(struct str text, enum guard_list list)
{
	for (size_t i = 0; text.n && i < guard_words[list].n; i++)
		if (find_word(text, str_from(guard_words[list].v[i])) != STR_NONE)
			return true;
	return false;
}

static size_t count_words(struct str text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += is_word_byte(text.p[i]) && (i == 0 || !is_word_byte(text.p[i - 1]));
	return n;
}

static bool is_short(struct str text, struct str word)
{
	return is_unparted(word) ? text.n <= SHORT_BYTES
				 : count_words(text) <= SHORT_WORDS;
}

static bool ends_with_word(struct str text, struct str word, size_t at)
{
	for (size_t i = at + word.n; i < text.n; i++)
		if (is_word_byte(text.p[i]))
			return false;
	return true;
}

/*
 * One thing that an element is called.  In a short one the word may stand anywhere, in a
 * sentence only where languages put what is to be done: at the beginning or the end.
 */
static bool names_it(struct str name, enum guard_list list)
{
	for (size_t i = 0; i < guard_words[list].n; i++) {
		struct str word = str_from(guard_words[list].v[i]);
		size_t at = find_word(name, word);

		if (at == STR_NONE)
			continue;
		if (is_short(name, word) || at == 0 || ends_with_word(name, word, at))
			return true;
	}
	return false;
}

/* The names are parted by a middle dot (facts.js). */
static bool take_name(struct str *all, struct str *ret)
{
	if (all->n == 0)
		return false;
	size_t at = str_find(*all, STR("\xc2\xb7"));
	*ret = str_trim(str_slice(*all, 0, at));
	*all = at == STR_NONE ? STR("") : str_skip(*all, at + 2);
	return true;
}

static bool says(struct str all, enum guard_list list)
{
	struct str name;

	while (take_name(&all, &name))
		if (names_it(name, list) && !has_any(name, GUARD_HARMLESS))
			return true;
	return false;
}

static bool is_slug(struct str segment)
{
	return count_words(segment) > 3;
}

/*
 * In an address the verb is a segment of the path or a value of the query; among the
 * words of a title ("how-to-delete-files") it is a subject.
 */
static bool address_says(struct str url, enum guard_list list)
{
	size_t scheme = str_find(url, STR("://"));

	if (scheme != STR_NONE) {
		url = str_skip(url, scheme + 3);
		size_t path = 0;
		while (path < url.n && !strchr("/?#", url.p[path]))
			path++;
		url = str_skip(url, path);
	}
	while (url.n) {
		size_t n = 0;

		while (n < url.n && !strchr("/?#&=;", url.p[n]))
			n++;
		struct str segment = str_slice(url, 0, n);
		if (!is_slug(segment) && has_any(segment, list) &&
		    !has_any(segment, GUARD_HARMLESS))
			return true;
		url = str_skip(url, n == url.n ? n : n + 1);
	}
	return false;
}

static bool sends(const struct guard_facts *f)
{
	return str_eq_nocase(f->method, STR("post")) ||
	       str_eq_nocase(f->method, STR("put")) ||
	       str_eq_nocase(f->method, STR("patch"));
}

static bool is_dismissal(const struct guard_facts *f)
{
	struct str all = f->says, name;

	while (take_name(&all, &name))
		for (size_t i = 0; i < guard_words[GUARD_DISMISS].n; i++)
			if (str_eq(name, str_from(guard_words[GUARD_DISMISS].v[i])))
				return true;
	return false;
}

static bool is_plain_link(const struct guard_facts *f)
{
	return str_starts_nocase(f->href, STR("http")) && !sends(f);
}

static const char *by_words(const struct guard_facts *f)
{
	static const struct {
		enum guard_list list;
		const char *words;
	} kinds[] = {
		{ GUARD_LOGOUT, "it would log out" },
		{ GUARD_DESTROY, "it would delete something" },
		{ GUARD_PAY, "it would buy or pay" },
		{ GUARD_UNSUBSCRIBE, "it would unsubscribe" },
	};

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (says(f->says, kinds[i].list))
			return kinds[i].words;
	return NULL;
}

static const char *destructive(const struct guard_facts *f)
{
	if (str_eq_nocase(f->method, STR("delete")))
		return "it would ask with DELETE";
	if (sends(f) &&
	    (says(f->says, GUARD_SENDING) || address_says(f->action, GUARD_SENDING)))
		return "it would send something that cannot be undone";
	const char *why = by_words(f);
	if (why)
		return why;
	if (address_says(f->href, GUARD_LOGOUT) || address_says(f->action, GUARD_LOGOUT))
		return "it would log out";
	if (address_says(f->href, GUARD_CODE) || address_says(f->action, GUARD_CODE))
		return "it leads to where something is deleted or ended";
	/* "Remove filter" says what its icon is for. */
	if (has_any(f->says, GUARD_HARMLESS))
		return NULL;
	if (has_any(f->marks, GUARD_CODE))
		return is_plain_link(f) && f->says.n && is_dismissal(f)
			       ? NULL
			       : "its name in the program deletes or ends something";
	if (says(f->around, GUARD_DESTROY) || says(f->around, GUARD_PAY) ||
	    has_any(f->around, GUARD_CODE))
		return is_dismissal(f) || is_plain_link(f)
			       ? NULL
			       : "what stands around it is about deleting or paying";
	return NULL;
}

/* The text of an element; selectors and XPaths were judged in the page. */
static bool has_text(const struct str_list *list, const struct candidate *c)
{
	for (size_t i = 0; i < list->n; i++)
		if (find_word(c->text, list->v[i]) != STR_NONE)
			return true;
	return false;
}

bool guard_is_within(struct str url, struct str origin)
{
	struct str rest = url;

	/* Of files there is no host: all are one origin. */
	if (str_eq(origin, STR("file://")))
		return str_starts_nocase(url, origin);
	return str_take_prefix(&rest, origin) &&
	       (rest.n == 0 || strchr("/?#", rest.p[0]) != NULL);
}

static const char *leads_away(const struct guard_options *g, struct str href,
			      struct str frame_origin)
{
	if (href.n == 0)
		return NULL;
	if (str_starts_nocase(href, STR("javascript:")) || href.p[0] == '#')
		return NULL;
	if (!str_starts_nocase(href, STR("http")) &&
	    !str_starts_nocase(href, STR("file:")))
		return "it is no web page";
	/* A link in a frame of another origin stays in the frame. */
	struct str origin = frame_origin.n ? frame_origin : g->origin;
	if (origin.n && !guard_is_within(href, origin))
		return "it leads to another site";
	return NULL;
}

const char *guard_refuses(const struct guard_options *g, const struct candidate *c)
{
	struct guard_facts f = { .says = c->says.n ? c->says : c->text,
				 .marks = c->marks.n ? c->marks : c->id,
				 .around = c->around,
				 .href = c->href,
				 .action = c->action,
				 .method = c->method };

	if (g->include.n && !c->included && !has_text(&g->include, c))
		return "it is not included";
	if (c->excluded || has_text(&g->exclude, c))
		return "it is excluded";
	const char *why = leads_away(g, c->href, c->origin);
	if (why)
		return why;
	return g->allow_destructive ? NULL : destructive(&f);
}

const char *guard_refuses_hit(const struct guard_options *g, const struct candidate *c,
			      const struct guard_facts *hit)
{
	struct guard_facts f = *hit;

	/* How the form would be sent was told of the element that is meant. */
	if (f.method.n == 0)
		f.method = c->method;
	if (f.action.n == 0)
		f.action = c->action;
	const char *why = leads_away(g, f.href, c->origin);
	if (why)
		return why;
	return g->allow_destructive ? NULL : destructive(&f);
}

/* action=delete_selected, _method=DELETE: a field that says what is to be done. */
static bool fields_delete(struct str body)
{
	static const char *const names[] = { "_method", "action", "_action", "op",
					     "cmd",     "do",     "command", "task" };
	struct str field;

	while (str_take_until(&body, '&', &field)) {
		size_t equals = str_find_char(field, '=');
		struct str name = str_slice(field, 0, equals);

		if (equals == STR_NONE)
			continue;
		for (size_t i = 0; i < COUNT(names); i++)
			if (str_eq_nocase(name, str_from(names[i])) &&
			    address_says(str_skip(field, equals + 1), GUARD_CODE))
				return true;
	}
	return false;
}

const char *guard_refuses_request(const struct guard_options *g, struct str method,
				  struct str url, struct str body)
{
	if (g->allow_destructive)
		return NULL;
	if (str_eq_nocase(method, STR("delete")))
		return "DELETE is held back";
	if (address_says(url, GUARD_CODE) || fields_delete(body))
		return "it would delete or end something";
	return NULL;
}
