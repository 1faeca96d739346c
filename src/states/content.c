#include "states/content.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "html/anchor_windows.h"
#include "html/controls.h"
#include "html/tagpath.h"

#define PARTS_MAX ((size_t)1 << 16) /* links, controls or ways of a state */

static const struct {
	const char *name;
	unsigned strip;
} strippers[] = {
	{ "structure", STRIP_STRUCTURE },
	{ "attributes", STRIP_ATTRIBUTES },
	{ "text", STRIP_TEXT },
	{ "spaces", STRIP_SPACES },
};

struct content content_of_method(const struct method *m)
{
	return (struct content){ .method = m, .features = m->features };
}

unsigned content_strip_word(struct str word)
{
	for (size_t i = 0; i < COUNT(strippers); i++)
		if (str_eq(word, str_from(strippers[i].name)))
			return strippers[i].strip;
	return 0;
}

static struct str setting(const struct json *settings, const char *name)
{
	return json_str(json_get(settings, name));
}

static bool parse_pieces(struct str word, enum piece_kind *ret)
{
	static const char *const names[] = { "chars", "words", "sentences" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (str_eq(word, str_from(names[i]))) {
			*ret = (enum piece_kind)i;
			return true;
		}
	return word.n == 0 || str_eq(word, STR("own"));
}

enum status content_parse(const struct json *settings, struct content *ret,
			  struct diag *why)
{
	struct str name = setting(settings, "method"), word;
	struct str strip = setting(settings, "strip");
	const struct method *m = method_find(name);
	uint64_t size = 0;

	if (!m)
		return diag_fail(why, ST_NOT_FOUND, "there is no method '" STR_FMT "'",
				 STR_ARG(name));
	struct content c = content_of_method(m);
	if (!parse_pieces(setting(settings, "pieces"), &c.features.piece))
		return diag_fail(why, ST_SYNTAX, "no pieces of a text: '" STR_FMT "'",
				 STR_ARG(setting(settings, "pieces")));
	if (str_to_uint(setting(settings, "size"), 63, &size) && size)
		c.features.size = (unsigned)size;
	while (str_take_until(&strip, ',', &word))
		c.strip |= content_strip_word(word);
	*ret = c;
	return ST_OK;
}

static void add_tag(const struct html_token *k, unsigned strip, struct buf *to)
{
	buf_add(to, k->kind == HTML_END_TAG ? STR("</") : STR("<"));
	buf_add(to, k->name);
	for (size_t i = 0; !(strip & STRIP_ATTRIBUTES) && i < k->n_attrs; i++) {
		buf_add_char(to, ' ');
		buf_add(to, k->attrs[i].name);
		buf_add(to, STR("=\""));
		buf_add(to, k->attrs[i].value);
		buf_add_char(to, '"');
	}
	buf_add_char(to, '>');
}

/* A space between what two tags part, so that words do not run together. */
static void add_stripped(struct str html, unsigned strip, struct buf *to)
{
	cleanup(arena_release) struct arena scratch = { 0 };
	struct html_tokenizer *z = arena_alloc(&scratch, sizeof(*z));
	struct html_token k;

	html_start(z, html);
	while (html_next(z, &k)) {
		if (k.kind == HTML_TEXT && !(strip & STRIP_TEXT))
			buf_add(to, k.text);
		else if (k.kind != HTML_START_TAG && k.kind != HTML_END_TAG)
			continue;
		else if (strip & STRIP_STRUCTURE)
			buf_add_char(to, ' ');
		else
			add_tag(&k, strip, to);
	}
}

static void remove_spaces(struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		if (!ascii_is_space(b->p[i]))
			b->p[n++] = b->p[i];
	b->n = n;
}

void content_add(const struct content *c, const struct observation *o, struct buf *to)
{
	if (c->strip & ~(unsigned)STRIP_SPACES)
		add_stripped(o->html, c->strip, to);
	else
		buf_add(to, o->text);
	if (c->strip & STRIP_SPACES)
		remove_spaces(to);
}

static void take_links(struct str html, struct arena *a, struct document *to)
{
	struct html_tokenizer *z = arena_alloc(a, sizeof(*z));
	struct str_list links = { 0 };
	struct html_token k;

	html_start(z, html);
	while (html_next(z, &k) && links.n < PARTS_MAX) {
		const struct html_attr *href =
			k.kind == HTML_START_TAG && (k.tag == TAG_A || k.tag == TAG_AREA)
				? html_find_attr(&k, ATTR_HREF)
				: NULL;

		if (href)
			VEC_ADD(links.v, links.n, links.cap, str_trim(href->value));
	}
	struct str *kept = arena_alloc(a, (links.n + 1) * sizeof(*kept));
	for (size_t i = 0; i < links.n; i++)
		kept[i] = links.v[i];
	to->links = kept;
	to->n_links = links.n;
	str_list_release(&links);
}

void content_document(const struct content *c, const struct observation *o,
		      struct str text, struct arena *a, struct document *ret)
{
	uint64_t *hashes = NULL;
	struct str *strings = NULL;

	*ret = (struct document){ .text = text };
	switch (c->features.kind) {
	case FEATURE_LINKS:
		take_links(o->html, a, ret);
		break;
	case FEATURE_CLICKABLES:
		controls_set(o->html, PARTS_MAX, a, &hashes, &ret->n_controls);
		ret->controls = hashes;
		break;
	case FEATURE_WINDOWS:
		anchor_windows(o->html, PARTS_MAX, a, &strings, &ret->n_windows);
		ret->windows = strings;
		break;
	case FEATURE_TAG_PATHS:
	case FEATURE_TAGS:
		tagpath_set(o->html,
			    c->features.kind == FEATURE_TAGS ? TAGPATH_TAGS
							     : TAGPATH_CLASSES,
			    PARTS_MAX, a, &hashes, &ret->n_tag_paths);
		ret->tag_paths = hashes;
		break;
	default:
		break;
	}
}
