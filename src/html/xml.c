#include "html/xml.h"

#include <string.h>

#include "html/entity.h"

struct xml_cursor *xml_start(struct str document, struct arena *a)
{
	struct xml_cursor *c = arena_alloc(a, sizeof(*c));

	html_start_xml(&c->tokens, document);
	c->token.kind = HTML_END_OF_PAGE;
	c->arena = a;
	return c;
}

static struct xml_element element_of(const struct html_token *k)
{
	size_t colon = str_find_char(k->name, ':');
	struct xml_element e = {
		.name = k->name,
		.prefix = str_slice(k->name, 0, 0),
		.is_end = k->kind == HTML_END_TAG,
		.is_empty = k->self_closing,
	};

	if (colon != STR_NONE) {
		e.prefix = str_slice(k->name, 0, colon);
		e.name = str_skip(k->name, colon + 1);
	}
	return e;
}

bool xml_next(struct xml_cursor *c, struct xml_element *ret)
{
	while (html_next(&c->tokens, &c->token)) {
		if (c->token.kind != HTML_START_TAG && c->token.kind != HTML_END_TAG)
			continue;
		*ret = element_of(&c->token);
		return true;
	}
	return false;
}

/* `head` and `tail` as one string. */
static struct str join(struct str head, struct str tail, struct arena *a)
{
	if (!head.n)
		return tail;
	if (!tail.n)
		return head;
	char *to = arena_alloc(a, head.n + tail.n);
	memcpy(to, head.p, head.n);
	memcpy(to + head.n, tail.p, tail.n);
	return (struct str){ to, head.n + tail.n };
}

/* Pieces of one text; more are dropped, so that joining them stays linear. */
#define PIECES_MAX 16

struct str xml_text(struct xml_cursor *c)
{
	struct str text = { "", 0 };
	const char *before = c->tokens.p;

	if (c->token.kind == HTML_START_TAG && c->token.self_closing)
		return text;
	for (unsigned pieces = 0; html_next(&c->tokens, &c->token);) {
		if (c->token.kind == HTML_START_TAG || c->token.kind == HTML_END_TAG) {
			c->tokens.p = before; /* give the tag back */
			break;
		}
		before = c->tokens.p;
		if (c->token.kind != HTML_TEXT || pieces++ >= PIECES_MAX)
			continue;
		struct str piece = c->token.text;

		if (c->token.mode == HTML_DATA)
			piece = entity_decode_all(piece, ENTITY_IN_TEXT, c->arena);
		text = join(text, piece, c->arena);
	}
	return str_trim(text);
}

struct str xml_inner(struct xml_cursor *c, struct str name)
{
	const char *from = c->tokens.p, *to = from;
	struct xml_element e;

	if (c->token.self_closing)
		return (struct str){ "", 0 };
	/* An element of the same name inside would end it early: none of HTML's has. */
	while (html_next(&c->tokens, &c->token)) {
		if (c->token.kind == HTML_END_TAG) {
			e = element_of(&c->token);
			if (str_eq(e.name, name))
				break;
		}
		to = c->tokens.p;
	}
	return (struct str){ from, (size_t)(to - from) };
}

struct str xml_attr(const struct xml_cursor *c, struct str name)
{
	const struct html_token *k = &c->token;

	for (size_t i = 0; i < k->n_attrs; i++)
		if (str_eq(k->attrs[i].name, name))
			return str_trim(entity_decode_all(k->attrs[i].value,
							  ENTITY_IN_ATTRIBUTE, c->arena));
	return (struct str){ "", 0 };
}

struct str xml_root(struct str document, struct arena *a)
{
	struct xml_cursor *c = xml_start(document, a);
	struct xml_element e;

	return xml_next(c, &e) ? e.name : (struct str){ "", 0 };
}
