/*
 * description.c - the XML of a description.
 *
 * libxml2 parses; each start tag is checked against a table of elements and attributes,
 * so that a misspelt word is an error with its place and not a rule that never fires.
 * Document types are refused: nothing here needs entities of one's own, and a file that
 * is handed round should not be able to name other files or to expand without end.
 */
#include "apps/description.h"

#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <stdlib.h>
#include <string.h>

#include "apps/path.h"
#include "apps/regex_set.h"
#include "base/alloc.h"

#define ATTRS_MAX 12
#define DEPTH_MAX 4

enum element {
	EL_NONE,
	EL_APPLICATION,
	EL_ABOUT,
	EL_DETECT,
	EL_WHEN,
	EL_LEVEL,
	EL_PATTERN,
	EL_RULE,
	EL_CANONICAL,
	EL_OBJECT,
	EL_FIELD,
	EL_FIXTURE,
};

struct element_row {
	const char *name;
	enum element is;
	unsigned inside; /* of which elements, a bit each */
	int value;       /* enum app_place or enum app_action */
	const char *needs, *may;
};

#define IN(e)     (1u << (e))
#define A_PATTERN IN(EL_DETECT) | IN(EL_WHEN)
#define A_RULE    IN(EL_APPLICATION) | IN(EL_LEVEL)

static const struct element_row elements[] = {
	{ "application", EL_APPLICATION, IN(EL_NONE), 0, "id name",
	  "extends kind draft" },
	{ "about", EL_ABOUT, IN(EL_APPLICATION), 0, "", "" },
	{ "detect", EL_DETECT, IN(EL_APPLICATION), 0, "", "" },
	{ "level", EL_LEVEL, IN(EL_APPLICATION), 0, "id", "name total" },
	{ "when", EL_WHEN, IN(EL_LEVEL), 0, "", "" },
	{ "url", EL_PATTERN, A_PATTERN, PLACE_URL, "match", "weight" },
	{ "header", EL_PATTERN, A_PATTERN, PLACE_HEADER, "name", "match weight" },
	{ "cookie", EL_PATTERN, A_PATTERN, PLACE_COOKIE, "match", "weight" },
	{ "meta", EL_PATTERN, A_PATTERN, PLACE_META, "name", "match weight" },
	{ "generator", EL_PATTERN, A_PATTERN, PLACE_META, "match", "weight" },
	{ "script", EL_PATTERN, A_PATTERN, PLACE_SCRIPT, "match", "weight" },
	{ "link", EL_PATTERN, A_PATTERN, PLACE_LINK, "match", "weight" },
	{ "text", EL_PATTERN, A_PATTERN, PLACE_TEXT, "match", "weight" },
	{ "html", EL_PATTERN, A_PATTERN, PLACE_HTML, "match", "weight" },
	{ "class", EL_PATTERN, A_PATTERN, PLACE_PATH, "is", "weight" },
	{ "path", EL_PATTERN, A_PATTERN, PLACE_PATH, "select", "match weight" },
	{ "graph", EL_PATTERN, A_PATTERN, PLACE_GRAPH, "name", "min max weight" },
	{ "follow", EL_RULE, A_RULE, ACTION_FOLLOW, "", "url links score why history" },
	{ "next", EL_RULE, A_RULE, ACTION_NEXT, "", "url links score why" },
	{ "view", EL_RULE, A_RULE, ACTION_VIEW, "why", "url links embeds" },
	{ "never", EL_RULE, A_RULE, ACTION_NEVER, "why", "url links embeds" },
	{ "canonical", EL_CANONICAL, IN(EL_APPLICATION), 0, "", "without url to" },
	{ "object", EL_OBJECT, IN(EL_LEVEL), 0, "id select", "" },
	{ "field", EL_FIELD, IN(EL_OBJECT), 0, "name select", "type match to many" },
	{ "fixture", EL_FIXTURE, IN(EL_APPLICATION), 0, "file url",
	  "level header follow view never next" },
};

struct reader {
	xmlParserCtxt *context;
	struct str source, file;
	struct arena *arena;
	struct app app;
	struct diag *why;
	bool failed;
	unsigned depth;
	enum element open[DEPTH_MAX + 2];
	struct str names[ATTRS_MAX], values[ATTRS_MAX];
	size_t n_attrs;
	uint32_t line;
};

/* --- errors --- */

static void place_of(struct str source, size_t at, unsigned *ret_line,
		     unsigned *ret_column)
{
	*ret_line = *ret_column = 1;
	for (size_t i = 0; i < MIN(at, source.n); i++) {
		++*ret_column;
		if (source.p[i] == '\n') {
			++*ret_line;
			*ret_column = 1;
		}
	}
}

/* Where the tag begins that was just read. */
static size_t tag_offset(const struct reader *r)
{
	long end = xmlByteConsumed(r->context);
	size_t at = end < 0 ? 0 : MIN((size_t)end, r->source.n);

	while (at > 0 && r->source.p[--at] != '<')
		;
	return at;
}

static void fail_at(struct reader *r, unsigned line, unsigned column, const char *what,
		    struct str word)
{
	if (!r->failed)
		diag_say(r->why, STR_FMT ":%u:%u: %s%s" STR_FMT "%s", STR_ARG(r->file),
			 line, column, what, word.n ? " '" : "", (int)MIN(word.n, 60),
			 word.p, word.n ? "'" : "");
	r->failed = true;
	xmlStopParser(r->context);
}

static void fail(struct reader *r, const char *what, struct str word)
{
	unsigned line, column;

	place_of(r->source, tag_offset(r), &line, &column);
	fail_at(r, line, column, what, word);
}

static void on_error(void *data, xmlErrorPtr error)
{
	struct reader *r = data;
	struct str words =
		str_trim(str_from(error->message ? error->message : "not XML"));
	char text[160];

	snprintf(text, sizeof(text), STR_FMT, (int)MIN(words.n, sizeof(text) - 1),
		 words.p);
	if (error->level >= XML_ERR_ERROR)
		fail_at(r, (unsigned)error->line, (unsigned)error->int2, text, STR(""));
}

/* --- attributes --- */

static bool has_word(const char *words, struct str word)
{
	struct str rest = str_from(words), w;

	while (str_take_until(&rest, ' ', &w))
		if (str_eq(w, word))
			return true;
	return false;
}

static struct str attr_of(const struct reader *r, struct str name)
{
	for (size_t i = 0; i < r->n_attrs; i++)
		if (str_eq(r->names[i], name))
			return r->values[i];
	return STR("");
}

static struct str attr(const struct reader *r, const char *name)
{
	return attr_of(r, str_from(name));
}

static void take_attrs(struct reader *r, const struct element_row *row, int n,
		       const xmlChar **attrs)
{
	struct str needs = str_from(row->needs), need;

	r->n_attrs = 0;
	for (int i = 0; i < n && !r->failed; i++) {
		const xmlChar **a = attrs + 5 * i;
		struct str name = str_from((const char *)a[0]);
		struct str value = { (const char *)a[3], (size_t)(a[4] - a[3]) };

		if (!has_word(row->needs, name) && !has_word(row->may, name)) {
			fail(r, "unknown attribute", name);
		} else if (r->n_attrs < ATTRS_MAX) {
			r->names[r->n_attrs] = arena_copy(r->arena, name);
			r->values[r->n_attrs++] = arena_copy(r->arena, value);
		}
	}
	while (!r->failed && str_take_until(&needs, ' ', &need))
		if (attr_of(r, need).n == 0)
			fail(r, "missing attribute", need);
}

static uint8_t percent(struct reader *r, const char *name, unsigned otherwise)
{
	struct str text = attr(r, name);
	uint64_t v = otherwise;

	if (text.n && !str_to_uint(text, 100, &v))
		fail(r, "not a number from 0 to 100", text);
	return (uint8_t)v;
}

static double real(struct reader *r, const char *name, double otherwise)
{
	struct str text = attr(r, name);
	char copy[32], *end;

	if (text.n == 0)
		return otherwise;
	snprintf(copy, sizeof(copy), STR_FMT, STR_ARG(str_slice(text, 0, 31)));
	double v = strtod(copy, &end);
	if (*end)
		fail(r, "not a number", text);
	return v;
}

/* A regular expression, checked. */
static struct str regex(struct reader *r, const char *name)
{
	struct str text = attr(r, name);
	struct diag why;

	if (text.n && regex_check(text, &why) != ST_OK)
		fail(r, why.text, STR(""));
	return text;
}

static struct str path(struct reader *r, const char *name)
{
	struct str text = attr(r, name);
	struct diag why;
	struct path p;

	if (text.n && path_parse(text, r->arena, &p, &why) != ST_OK)
		fail(r, why.text, STR(""));
	return text;
}

/* --- elements --- */

static struct app_level *level(struct reader *r)
{
	for (unsigned i = 0; i <= r->depth; i++)
		if (r->open[i] == EL_LEVEL)
			return &r->app.levels[r->app.n_levels - 1];
	return NULL;
}

static void add_application(struct reader *r)
{
	r->app.id = attr(r, "id");
	r->app.name = attr(r, "name");
	r->app.extends = attr(r, "extends");
	r->app.is_kind = str_eq(attr(r, "kind"), STR("yes"));
	r->app.is_draft = str_eq(attr(r, "draft"), STR("yes"));
	r->app.file = arena_copy(r->arena, r->file);
}

static struct str lower(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	for (size_t i = 0; i < s.n; i++)
		p[i] = ascii_lower(s.p[i]);
	return (struct str){ p, s.n };
}

/* A class by its name is a short way to write the usual XPath. */
static struct str class_path(struct reader *r)
{
	struct str class = attr(r, "is");
	size_t n = class.n + 32;
	char *p = arena_alloc(r->arena, n);

	return (struct str){ p, (size_t)snprintf(p, n, "//*[has-class('" STR_FMT "')]",
						 STR_ARG(class)) };
}

static void add_pattern(struct reader *r, const struct element_row *row)
{
	struct app_level *l = level(r);
	struct app_pattern p = { .place = (uint8_t)row->value,
				 .weight = percent(r, "weight", l ? 100 : 50),
				 .name = lower(r->arena, attr(r, "name")),
				 .match = regex(r, "match"),
				 .path = path(r, "select"),
				 .min = real(r, "min", 0),
				 .max = real(r, "max", 1e9),
				 .line = r->line };

	if (row->value == PLACE_META && p.name.n == 0)
		p.name = STR("generator");
	if (row->value == PLACE_PATH && p.path.n == 0)
		p.path = class_path(r);
	if (l)
		VEC_ADD(l->patterns, l->n_patterns, l->patterns_cap, p);
	else
		VEC_ADD(r->app.patterns, r->app.n_patterns, r->app.patterns_cap, p);
}

static void add_rule(struct reader *r, const struct element_row *row)
{
	struct app_level *l = level(r);
	struct app_rule rule = { .action = (uint8_t)row->value,
				 .score = percent(r, "score",
						  row->value == ACTION_NEXT ? 80 : 60),
				 .history = str_eq(attr(r, "history"), STR("yes")),
				 .embeds = str_eq(attr(r, "embeds"), STR("yes")),
				 .url = regex(r, "url"),
				 .links = path(r, "links"),
				 .why = attr(r, "why"),
				 .line = r->line };

	if ((rule.url.n == 0) == (rule.links.n == 0))
		fail(r, "either url= or links= is needed", STR(""));
	if (l)
		VEC_ADD(l->rules, l->n_rules, l->rules_cap, rule);
	else
		VEC_ADD(r->app.rules, r->app.n_rules, r->app.rules_cap, rule);
}

static void add_canonical(struct reader *r)
{
	struct app_canonical c = { .params = attr(r, "without"),
				   .url = regex(r, "url"),
				   .to = attr(r, "to"),
				   .line = r->line };

	if ((c.params.n == 0) == (c.url.n == 0))
		fail(r, "either without= or url= and to= are needed", STR(""));
	VEC_ADD(r->app.canonicals, r->app.n_canonicals, r->app.canonicals_cap, c);
}

static void add_level(struct reader *r)
{
	struct app_level l = { .id = attr(r, "id"),
			       .name = attr(r, "name"),
			       .total = attr(r, "total"),
			       .line = r->line };

	for (size_t i = 0; i < r->app.n_levels; i++)
		if (str_eq(r->app.levels[i].id, l.id))
			fail(r, "there is a level of this name already:", l.id);
	VEC_ADD(r->app.levels, r->app.n_levels, r->app.levels_cap, l);
}

static void add_object(struct reader *r)
{
	struct app_level *l = level(r);
	struct app_object o = { .id = attr(r, "id"),
				.select = attr(r, "select"),
				.line = r->line };

	VEC_ADD(l->objects, l->n_objects, l->objects_cap, o);
}

static void add_field(struct reader *r)
{
	static const char *const types[] = { "text", "html", "url", "number", "date" };
	struct app_level *l = level(r);
	struct app_object *o = &l->objects[l->n_objects - 1];
	struct str type = attr(r, "type");
	struct app_field f = { .name = attr(r, "name"),
			       .select = attr(r, "select"),
			       .match = regex(r, "match"),
			       .to = attr(r, "to"),
			       .many = str_eq(attr(r, "many"), STR("yes")),
			       .line = r->line };

	while (type.n && f.type < COUNT(types) && !str_eq(type, str_from(types[f.type])))
		f.type++;
	if (f.type == COUNT(types))
		fail(r, "type is text, html, url, number or date, not", type);
	VEC_ADD(o->fields, o->n_fields, o->fields_cap, f);
}

static void add_fixture(struct reader *r)
{
	struct app_fixture f = { .file = attr(r, "file"),
				 .url = attr(r, "url"),
				 .level = attr(r, "level"),
				 .header = attr(r, "header"),
				 .follow = attr(r, "follow"),
				 .view = attr(r, "view"),
				 .never = attr(r, "never"),
				 .next = attr(r, "next"),
				 .line = r->line };

	VEC_ADD(r->app.fixtures, r->app.n_fixtures, r->app.fixtures_cap, f);
}

static void add_element(struct reader *r, const struct element_row *row)
{
	switch (row->is) {
	case EL_APPLICATION:
		add_application(r);
		break;
	case EL_PATTERN:
		add_pattern(r, row);
		break;
	case EL_RULE:
		add_rule(r, row);
		break;
	case EL_CANONICAL:
		add_canonical(r);
		break;
	case EL_LEVEL:
		add_level(r);
		break;
	case EL_OBJECT:
		add_object(r);
		break;
	case EL_FIELD:
		add_field(r);
		break;
	case EL_FIXTURE:
		add_fixture(r);
		break;
	case EL_NONE:
	case EL_ABOUT:
	case EL_DETECT:
	case EL_WHEN:
		break;
	}
}

/* --- what libxml2 calls --- */

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix,
		     const xmlChar *uri, int n_namespaces, const xmlChar **namespaces,
		     int n_attrs, int n_defaulted, const xmlChar **attrs)
{
	struct reader *r = data;
	struct str own = str_from((const char *)name);
	const struct element_row *row = NULL;
	unsigned column;

	(void)prefix, (void)uri, (void)n_namespaces, (void)namespaces, (void)n_defaulted;
	if (r->failed)
		return;
	for (size_t i = 0; i < COUNT(elements) && !row; i++)
		if (str_eq(own, str_from(elements[i].name)))
			row = &elements[i];
	place_of(r->source, tag_offset(r), &r->line, &column);
	if (!row)
		fail(r, "unknown element", own);
	else if (r->depth >= DEPTH_MAX || !(row->inside & IN(r->open[r->depth])))
		fail(r, "this element may not stand here:", own);
	else
		take_attrs(r, row, n_attrs, attrs);
	if (r->failed)
		return;
	add_element(r, row);
	r->open[++r->depth] = row->is;
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix,
		   const xmlChar *uri)
{
	struct reader *r = data;

	(void)name, (void)prefix, (void)uri;
	r->depth -= r->depth > 0;
}

static void on_doctype(void *data, const xmlChar *name, const xmlChar *public,
		       const xmlChar *system)
{
	(void)name, (void)public, (void)system;
	fail(data, "a document type is not allowed", STR(""));
}

static xmlEntityPtr on_entity(void *data, const xmlChar *name)
{
	(void)data;
	return xmlGetPredefinedEntity(name);
}

static void parse(struct reader *r)
{
	xmlSAXHandler sax = { .initialized = XML_SAX2_MAGIC,
			      .startElementNs = on_start,
			      .endElementNs = on_end,
			      .internalSubset = on_doctype,
			      .getEntity = on_entity,
			      .serror = on_error };

	r->context = xmlCreatePushParserCtxt(&sax, r, NULL, 0, NULL);
	if (!r->context)
		abort();
	xmlCtxtUseOptions(r->context, XML_PARSE_NONET | XML_PARSE_NOENT);
	if (xmlParseChunk(r->context, r->source.p, (int)r->source.n, 1) != 0 &&
	    !r->failed)
		fail_at(r, 1, 1, "not XML", STR(""));
	if (r->context->myDoc)
		xmlFreeDoc(r->context->myDoc);
	xmlFreeParserCtxt(r->context);
}

enum status description_read(struct str xml, struct str file, struct arena *a,
			     struct app *ret, struct diag *why)
{
	struct reader r = { .source = xml, .file = file, .arena = a, .why = why };

	if (xml.n > DESCRIPTION_BYTES_MAX)
		return diag_fail(why, ST_TOO_LARGE, STR_FMT ": larger than 4 MB",
				 STR_ARG(file));
	parse(&r);
	if (!r.failed && r.app.id.n == 0) {
		diag_say(why, STR_FMT ":1:1: there is no application in it",
			 STR_ARG(file));
		r.failed = true;
	}
	if (r.failed) {
		description_release(&r.app);
		return ST_SYNTAX;
	}
	*ret = r.app;
	return ST_OK;
}

void description_release(struct app *app)
{
	for (size_t i = 0; i < app->n_levels; i++) {
		struct app_level *l = &app->levels[i];

		for (size_t k = 0; k < l->n_objects; k++)
			free(l->objects[k].fields);
		free(l->objects);
		free(l->rules);
		free(l->patterns);
	}
	free(app->levels);
	free(app->patterns);
	free(app->rules);
	free(app->canonicals);
	free(app->fixtures);
	*app = (struct app){ 0 };
}
