#include "html/controls.h"

#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "html/html_token.h"

#define OPEN_MAX  16 /* controls within controls; deeper ones have no label */
#define LABEL_MAX 96 /* bytes that tell controls apart */

struct open_control {
	uint64_t hash; /* without the label */
	uint8_t tag;
	uint32_t depth; /* elements of its name that are open inside */
	size_t n;
	char label[LABEL_MAX];
};

struct controls {
	struct arena *arena;
	uint64_t *v;
	size_t n, cap, max;
	struct open_control open[OPEN_MAX];
	size_t n_open;
};

static void add(struct controls *c, uint64_t hash)
{
	if (c->n == c->max)
		return;
	if (c->n == c->cap) {
		size_t cap = c->cap ? 2 * c->cap : 64;
		uint64_t *v = arena_alloc(c->arena, cap * sizeof(*v));

		if (c->n)
			memcpy(v, c->v, c->n * sizeof(*v));
		c->v = v;
		c->cap = cap;
	}
	c->v[c->n++] = hash;
}

static bool is_control_role(struct str role)
{
	static const struct str roles[] = { STR("button"),   STR("link"),
					    STR("tab"),      STR("menuitem"),
					    STR("checkbox"), STR("radio"),
					    STR("switch"),   STR("option"),
					    STR("combobox"), STR("textbox") };

	for (size_t i = 0; i < COUNT(roles); i++)
		if (str_eq_nocase(str_trim(role), roles[i]))
			return true;
	return false;
}

static struct str value_of(const struct html_token *k, enum html_attr_id id)
{
	const struct html_attr *a =
		k->attr_set & HTML_ATTR(id) ? html_find_attr(k, id) : NULL;

	return a ? a->value : (struct str){ 0 };
}

static bool is_control(const struct html_token *k)
{
	switch (k->tag) {
	case TAG_A:
	case TAG_AREA:
		if (k->attr_set & HTML_ATTR(ATTR_HREF))
			return true;
		break;
	case TAG_INPUT:
		return !str_eq_nocase(value_of(k, ATTR_TYPE), STR("hidden"));
	case TAG_BUTTON:
	case TAG_SELECT:
	case TAG_TEXTAREA:
	case TAG_SUMMARY:
		return true;
	default:
		break;
	}
	return (k->attr_set & HTML_ATTR(ATTR_ONCLICK)) ||
	       is_control_role(value_of(k, ATTR_ROLE));
}

/* The value of a field is what somebody typed; that of a button is its label. */
static bool has_button_value(const struct html_token *k)
{
	struct str type = value_of(k, ATTR_TYPE);

	return k->tag == TAG_INPUT &&
	       (str_eq_nocase(type, STR("submit")) ||
		str_eq_nocase(type, STR("button")) || str_eq_nocase(type, STR("reset")) ||
		str_eq_nocase(type, STR("radio")));
}

static uint64_t hash_control(const struct html_token *k)
{
	static const uint8_t told_by[] = { ATTR_TYPE, ATTR_NAME, ATTR_HREF, ATTR_ROLE,
					   ATTR_ONCLICK };
	uint64_t h = hash_mix(k->tag == TAG_OTHER ? hash64(k->name)
						  : html_tag_names[k->tag].key);

	for (size_t i = 0; i < COUNT(told_by); i++) {
		struct str v = str_trim(value_of(k, told_by[i]));

		h = hash_mix(h + (v.n ? hash64(v) : 0) + i);
	}
	if (has_button_value(k))
		h = hash_mix(h + hash64(str_trim(value_of(k, ATTR_VALUE))));
	return h;
}

static void close_control(struct controls *c)
{
	struct open_control *o = &c->open[--c->n_open];
	struct str label = str_trim((struct str){ o->label, o->n });

	add(c, hash_mix(o->hash + (label.n ? hash64(label) : 0)));
}

static void start_tag(struct controls *c, const struct html_token *k)
{
	struct open_control *top = c->n_open ? &c->open[c->n_open - 1] : NULL;
	bool is_void = k->tag == TAG_INPUT || k->tag == TAG_AREA;

	if (!is_control(k)) {
		if (top && top->tag == k->tag && k->tag != TAG_OTHER)
			top->depth++;
		return;
	}
	/* Links and buttons do not stand in their like: the end tag was left out. */
	if (top && top->tag == k->tag && (k->tag == TAG_A || k->tag == TAG_BUTTON))
		close_control(c);
	if (is_void || c->n_open == OPEN_MAX) {
		add(c, hash_mix(hash_control(k)));
		return;
	}
	top = &c->open[c->n_open++];
	top->hash = hash_control(k);
	top->tag = k->tag;
	top->depth = 0;
	top->n = 0;
}

static void end_tag(struct controls *c, const struct html_token *k)
{
	size_t i = c->n_open;

	while (i > 0 && c->open[i - 1].tag != k->tag)
		i--;
	if (i == 0)
		return;
	if (c->open[i - 1].depth) {
		c->open[i - 1].depth--;
		return;
	}
	while (c->n_open >= i)
		close_control(c);
}

/* Words with one space between, for every control around them. */
static void text(struct controls *c, struct str s)
{
	for (size_t i = 0; i < c->n_open; i++) {
		struct open_control *o = &c->open[i];

		if (o->tag == TAG_SELECT || o->tag == TAG_TEXTAREA)
			continue;
		for (size_t k = 0; k < s.n && o->n < LABEL_MAX; k++) {
			bool space = ascii_is_space(s.p[k]);

			if (space && (o->n == 0 || o->label[o->n - 1] == ' '))
				continue;
			o->label[o->n++] = space ? ' ' : s.p[k];
		}
	}
}

void controls_set(struct str html, size_t max, struct arena *a, uint64_t **ret,
		  size_t *ret_n)
{
	struct html_tokenizer *z = arena_alloc(a, sizeof(*z));
	struct controls *c = arena_alloc(a, sizeof(*c));
	struct html_token k;
	size_t n = 0;

	*c = (struct controls){ .arena = a, .max = max };
	html_start(z, html);
	while (html_next(z, &k)) {
		if (k.kind == HTML_START_TAG)
			start_tag(c, &k);
		else if (k.kind == HTML_END_TAG)
			end_tag(c, &k);
		else if (k.kind == HTML_TEXT &&
			 (k.mode == HTML_DATA || k.mode == HTML_RCDATA))
			text(c, k.text);
	}
	while (c->n_open)
		close_control(c);
	uint64_t *scratch = arena_alloc(a, (c->n + 1) * sizeof(*scratch));
	if (c->n)
		sort_u64(c->v, scratch, c->n);
	for (size_t i = 0; i < c->n; i++)
		if (n == 0 || c->v[n - 1] != c->v[i])
			c->v[n++] = c->v[i];
	*ret = c->v;
	*ret_n = n;
}
