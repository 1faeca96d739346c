#include "applearn/known_places.h"

#include <libxml/HTMLparser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define HTML_MAX    ((size_t)8 << 20)
#define OBJECTS_MAX 500
#define CLASSES_MAX 6
#define TEXT_MAX    ((size_t)64 * 1024)
#define NODES_MAX   50000

static void vote(struct place_votes *v, struct str step)
{
	size_t before = v->steps.n;
	uint32_t id = intern_add(&v->steps, step);

	if (v->steps.n > before) {
		VEC_RESERVE(v->n, v->cap, v->steps.n);
		v->n[id] = 0;
	}
	v->n[id]++;
}

void known_places_release(struct known_places *k)
{
	for (size_t i = 0; i <= PLACES_FIELDS; i++) {
		struct place_votes *v = i ? &k->fields[i - 1] : &k->object;

		intern_release(&v->steps);
		free(v->n);
	}
	*k = (struct known_places){ 0 };
}

/* --- text --- */

/* As the extraction makes it: blanks collapsed; borders of elements are ignored. */
static void add_text(struct buf *to, const xmlNode *top)
{
	for (const xmlNode *n = top; n && to->n < TEXT_MAX;) {
		if (n->type == XML_TEXT_NODE && n->content)
			for (const xmlChar *c = n->content; *c && to->n < TEXT_MAX; c++)
				if (!ascii_is_space((char)*c))
					buf_add_char(to, (char)*c);
		if (n->children && n->type == XML_ELEMENT_NODE) {
			n = n->children;
			continue;
		}
		while (n != top && !n->next)
			n = n->parent;
		n = n == top ? NULL : n->next;
	}
}

static struct str squeezed(struct str s, struct arena *a)
{
	char *to = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_space(s.p[i]))
			to[n++] = s.p[i];
	return (struct str){ to, n };
}

/* --- steps --- */

static struct str attr_of(const xmlNode *n, const char *name, struct arena *a)
{
	xmlChar *v = xmlGetNoNsProp(n, (const xmlChar *)name);
	struct str copy = v ? arena_copy(a, str_from((const char *)v)) : STR("");

	xmlFree(v);
	return copy;
}

static bool is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '\'' || s.p[i] == '"' || (unsigned char)s.p[i] < ' ')
			return false;
	return s.n > 0 && s.n < 80;
}

/* "post_13" begins with "post_". */
static struct str before_digits(struct str id)
{
	size_t n = 0;

	while (n < id.n && !ascii_is_digit(id.p[n]))
		n++;
	return n < id.n ? str_slice(id, 0, n) : STR("");
}

/* Votes for each way to describe the element; `format` has "%.*s" for the step. */
static void vote_for(struct place_votes *v, const xmlNode *n, const char *before,
		     const char *after, struct arena *a)
{
	struct str rest = attr_of(n, "class", a);
	struct str id = before_digits(attr_of(n, "id", a));
	cleanup(buf_release) struct buf step = { 0 };

	for (size_t k = 0; k < CLASSES_MAX && rest.n > 0; k++) {
		size_t end = 0;

		while (end < rest.n && !ascii_is_space(rest.p[end]))
			end++;
		struct str word = str_slice(rest, 0, end);
		rest = str_skip(rest, end + 1);
		if (!is_plain(word))
			continue;
		buf_reset(&step);
		buf_addf(&step, "%s%s[has-class('" STR_FMT "')]%s", before,
			 (const char *)n->name, STR_ARG(word), after);
		vote(v, buf_str(&step));
	}
	if (is_plain(id)) {
		buf_reset(&step);
		buf_addf(&step, "%s%s[starts-with(@id,'" STR_FMT "')]%s", before,
			 (const char *)n->name, STR_ARG(id), after);
		vote(v, buf_str(&step));
	}
	buf_reset(&step);
	buf_addf(&step, "%s%s%s", before, (const char *)n->name, after);
	vote(v, buf_str(&step));
}

/* --- looking --- */

struct looking {
	struct known_places *k;
	struct arena arena;
	const xmlNode *nodes[NODES_MAX]; /* elements, in order */
	struct str *texts;               /* of each, squeezed */
	size_t n;
};

static void list_nodes(struct looking *l, const xmlNode *top)
{
	cleanup(buf_release) struct buf text = { 0 };
	const xmlNode *n = top;

	while (n && l->n < NODES_MAX) {
		if (n->type == XML_ELEMENT_NODE) {
			buf_reset(&text);
			add_text(&text, n);
			l->texts[l->n] = arena_copy(&l->arena, buf_str(&text));
			l->nodes[l->n++] = n;
		}
		if (n->children) {
			n = n->children;
			continue;
		}
		while (n && n != top && !n->next)
			n = n->parent;
		n = !n || n == top ? NULL : n->next;
	}
}

/* The innermost element with exactly this text, from `from` on; SIZE_MAX: none. */
static size_t find_text(const struct looking *l, struct str value, size_t from)
{
	size_t found = SIZE_MAX;

	for (size_t i = from; i < l->n; i++) {
		if (str_eq(l->texts[i], value))
			found = i; /* one that stands inside comes later */
		else if (found != SIZE_MAX && l->nodes[i]->parent != l->nodes[found])
			break;
	}
	return found;
}

static bool is_inside(const xmlNode *n, const xmlNode *of)
{
	for (; n; n = n->parent)
		if (n == of)
			return true;
	return false;
}

static const xmlNode *common(const xmlNode *a, const xmlNode *b)
{
	while (a && !is_inside(b, a))
		a = a->parent;
	return a;
}

/* An attribute of the container that ends with the value: "entry-13" for "13". */
static void vote_attributes(struct place_votes *v, const xmlNode *n, struct str value,
			    struct arena *a)
{
	cleanup(buf_release) struct buf step = { 0 };

	for (const xmlAttr *p = n->properties; p; p = p->next) {
		struct str text = attr_of(n, (const char *)p->name, a);
		struct str front = str_ends(text, value)
					   ? str_slice(text, 0, text.n - value.n)
					   : STR("");

		if (!str_ends(text, value) || (front.n && !is_plain(front)))
			continue;
		buf_reset(&step);
		if (front.n)
			buf_addf(&step, "substring-after(@%s,'" STR_FMT "')",
				 (const char *)p->name, STR_ARG(front));
		else
			buf_addf(&step, "@%s", (const char *)p->name);
		vote(v, buf_str(&step));
	}
}

struct found_object {
	const xmlNode *fields[PLACES_FIELDS];
	struct str values[PLACES_FIELDS];
	const xmlNode *top;
};

/* The longest value first: it is the most telling, and the others stand near it. */
static void find_object(struct looking *l, const struct json *o, const struct str *names,
			size_t n_names, size_t *from, struct found_object *ret)
{
	size_t anchor = SIZE_MAX, longest = 0;

	*ret = (struct found_object){ 0 };
	for (size_t k = 0; k < n_names; k++) {
		cleanup(buf_release) struct buf name = { 0 };

		buf_add(&name, names[k]);
		ret->values[k] =
			squeezed(json_str(json_get(o, buf_cstr(&name))), &l->arena);
		if (ret->values[k].n > ret->values[longest].n)
			longest = k;
	}
	if (ret->values[longest].n >= 4)
		anchor = find_text(l, ret->values[longest], *from);
	if (anchor == SIZE_MAX)
		return;
	*from = anchor + 1;
	ret->fields[longest] = ret->top = l->nodes[anchor];
	for (size_t k = 0; k < n_names; k++) {
		size_t best = SIZE_MAX;

		if (k == longest || ret->values[k].n == 0)
			continue;
		/* The nearest to the anchor in the order of the page. */
		for (size_t i = 0; i < l->n; i++)
			if (str_eq(l->texts[i], ret->values[k]) &&
			    (best == SIZE_MAX ||
			     llabs((long long)i - (long long)anchor) <=
				     llabs((long long)best - (long long)anchor)))
				best = i;
		if (best != SIZE_MAX) {
			ret->fields[k] = l->nodes[best];
			ret->top = common(ret->top, l->nodes[best]);
		}
	}
}

/* Up to where it would take in another object. */
static const xmlNode *grown(const struct found_object *v, size_t n, size_t nr)
{
	const xmlNode *top = v[nr].top;

	while (top->parent && top->parent->type == XML_ELEMENT_NODE) {
		for (size_t i = 0; i < n; i++)
			if (i != nr && v[i].top && is_inside(v[i].top, top->parent))
				return top;
		top = top->parent;
	}
	return v[nr].top; /* a single one: as tight as can be */
}

static void vote_object(struct looking *l, const struct found_object *v, size_t n,
			size_t nr, size_t n_names)
{
	const xmlNode *wide = grown(v, n, nr);

	for (const xmlNode *t = v[nr].top; t; t = t == wide ? NULL : t->parent)
		vote_for(&l->k->object, t, "//", "", &l->arena);
	for (size_t k = 0; k < n_names; k++) {
		if (v[nr].fields[k] && v[nr].fields[k] != wide)
			vote_for(&l->k->fields[k], v[nr].fields[k], "(.//", ")[1]",
				 &l->arena);
		else if (!v[nr].fields[k] && v[nr].values[k].n > 0)
			vote_attributes(&l->k->fields[k], wide, v[nr].values[k],
					&l->arena);
		/* The parent tells where the element itself has no class. */
		const xmlNode *up = v[nr].fields[k] ? v[nr].fields[k]->parent : NULL;
		if (up && up != wide && is_inside(up, wide)) {
			char after[80];

			snprintf(after, sizeof(after), "//%.60s)[1]",
				 (const char *)v[nr].fields[k]->name);
			vote_for(&l->k->fields[k], up, "(.//", after, &l->arena);
		}
	}
}

void known_places_add(struct known_places *k, struct str html,
		      const struct json *const *objects, size_t n,
		      const struct str *names, size_t n_names)
{
	struct looking *l = NEW(struct looking);
	struct found_object *v = xcalloc(OBJECTS_MAX, sizeof(*v));
	size_t from = 0;
	xmlDocPtr doc =
		html.n && html.n < HTML_MAX
			? htmlReadMemory(html.p, (int)html.n, NULL, "utf-8",
					 HTML_PARSE_RECOVER | HTML_PARSE_NOERROR |
						 HTML_PARSE_NOWARNING | HTML_PARSE_NONET)
			: NULL;

	l->k = k;
	l->texts = xcalloc(NODES_MAX, sizeof(*l->texts));
	n = MIN(n, (size_t)OBJECTS_MAX);
	n_names = MIN(n_names, (size_t)PLACES_FIELDS);
	if (doc && xmlDocGetRootElement(doc)) {
		list_nodes(l, xmlDocGetRootElement(doc));
		for (size_t i = 0; i < n; i++)
			find_object(l, objects[i], names, n_names, &from, &v[i]);
		for (size_t i = 0; i < n; i++)
			if (v[i].top)
				vote_object(l, v, n, i, n_names);
	}
	xmlFreeDoc(doc);
	arena_release(&l->arena);
	free(l->texts);
	free(l);
	free(v);
}
