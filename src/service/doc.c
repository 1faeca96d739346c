#include "service/doc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/alloc.h"
#include "base/option.h"
#include "os/file.h"

#define DEPTH_MAX 40

void doc_release(struct api_doc *d)
{
	json_release(&d->root);
	free(d->problems);
	arena_release(&d->arena);
	*d = (struct api_doc){ 0 };
}

/* --- YAML as JSON --- */

struct copying {
	yaml_document_t *doc;
	struct json_out out;
	size_t nodes; /* written so far: aliases could multiply them without end */
};

#define NODES_MAX 100000

static struct str scalar_text(const yaml_node_t *n)
{
	return (struct str){ (const char *)n->data.scalar.value, n->data.scalar.length };
}

/* Plain scalars that JSON would write the same way keep their meaning; all others are
 * text: "on", "1e3", "0x10" and dates are words in a campaign. */
static bool is_literal(struct str s)
{
	struct str digits = s;
	uint64_t v;

	if (str_eq(s, STR("true")) || str_eq(s, STR("false")) || str_eq(s, STR("null")))
		return true;
	if (s.n > 1 && s.p[0] == '0' && s.p[1] != '.')
		return false;
	if (!str_take_uint(&digits, (uint64_t)1 << 53, &v))
		return false;
	return digits.n == 0 || (str_take_char(&digits, '.') &&
				 str_take_uint(&digits, 1000000, &v) && digits.n == 0);
}

static enum status copy_node(struct copying *c, const yaml_node_t *n, unsigned depth,
			     struct diag *why)
{
	if (!n || depth > DEPTH_MAX || ++c->nodes > NODES_MAX)
		return diag_fail(why, ST_SYNTAX, "nested too deep");
	if (n->type == YAML_SCALAR_NODE) {
		if (n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
		    is_literal(scalar_text(n)))
			json_add_raw(&c->out, scalar_text(n));
		else
			json_add_str(&c->out, scalar_text(n));
		return ST_OK;
	}
	if (n->type == YAML_SEQUENCE_NODE) {
		json_open(&c->out, '[');
		for (yaml_node_item_t *i = n->data.sequence.items.start;
		     i < n->data.sequence.items.top; i++)
			TRY(copy_node(c, yaml_document_get_node(c->doc, *i), depth + 1,
				      why));
		json_close(&c->out, ']');
		return ST_OK;
	}
	json_open(&c->out, '{');
	for (yaml_node_pair_t *p = n->data.mapping.pairs.start;
	     p < n->data.mapping.pairs.top; p++) {
		const yaml_node_t *key = yaml_document_get_node(c->doc, p->key);

		if (!key || key->type != YAML_SCALAR_NODE)
			return diag_fail(why, ST_SYNTAX, "a name is wanted as a key");
		json_key(&c->out, scalar_text(key));
		TRY(copy_node(c, yaml_document_get_node(c->doc, p->value), depth + 1,
			      why));
	}
	json_close(&c->out, '}');
	return ST_OK;
}

static enum status load_yaml(struct str text, yaml_document_t *ret, struct diag *why)
{
	yaml_parser_t parser;
	enum status st = ST_OK;

	if (!yaml_parser_initialize(&parser))
		abort();
	yaml_parser_set_input_string(&parser, (const unsigned char *)text.p, text.n);
	if (!yaml_parser_load(&parser, ret))
		st = diag_fail(why, ST_SYNTAX, "line %zu, column %zu: %s",
			       parser.problem_mark.line + 1,
			       parser.problem_mark.column + 1,
			       parser.problem ? parser.problem : "not YAML");
	yaml_parser_delete(&parser);
	return st;
}

static enum status parse_yaml(struct api_doc *d, struct diag *why)
{
	cleanup(buf_release) struct buf json = BUF(8 * DOC_MAX_BYTES);
	struct copying c = { .out = { .to = &json } };
	yaml_document_t doc;
	struct diag inner;

	TRY(load_yaml(d->text, &doc, why));
	c.doc = &doc;
	enum status st = copy_node(&c, yaml_document_get_root_node(&doc), 0, &inner);
	yaml_document_delete(&doc);
	if (st == ST_OK)
		st = buf_status(&json);
	if (st == ST_OK)
		st = json_parse(buf_str(&json), &d->root, &inner);
	return st == ST_OK ? ST_OK : diag_fail(why, ST_SYNTAX, "%s", inner.text);
}

enum status doc_parse(struct api_doc *ret, struct str name, struct str text,
		      struct diag *why)
{
	struct api_doc d = { 0 };
	struct diag inner = { { 0 } };
	struct str trimmed = str_trim(text);

	if (text.n > DOC_MAX_BYTES)
		return diag_fail(why, ST_TOO_LARGE, STR_FMT ": more than %zu bytes",
				 STR_ARG(name), DOC_MAX_BYTES);
	d.name = arena_copy(&d.arena, name);
	d.text = arena_copy(&d.arena, text);
	d.is_yaml = !str_starts(trimmed, STR("{"));
	enum status st =
		d.is_yaml ? parse_yaml(&d, &inner) : json_parse(d.text, &d.root, &inner);
	if (st == ST_OK && json_kind(d.root) != JSON_OBJECT)
		st = diag_fail(&inner, ST_SYNTAX, "names and values are wanted");
	if (st != ST_OK) {
		diag_say(why, STR_FMT ": %s", STR_ARG(name), inner.text);
		doc_release(&d);
		return st;
	}
	*ret = d;
	return ST_OK;
}

enum status doc_load(struct api_doc *ret, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };

	TRY(file_load(path, DOC_MAX_BYTES, &text, why));
	return doc_parse(ret, str_from(path), buf_str(&text), why);
}

/* --- places --- */

struct doc_place place_root(void)
{
	return (struct doc_place){ { 0 } };
}

struct doc_place place_in(const struct doc_place *p, struct str name)
{
	struct doc_place to;

	snprintf(to.path, sizeof(to.path), "%.150s%s%.*s", p->path, p->path[0] ? "." : "",
		 (int)MIN(name.n, (size_t)100), name.p);
	return to;
}

struct doc_place place_at(const struct doc_place *p, size_t index)
{
	struct doc_place to;

	snprintf(to.path, sizeof(to.path), "%.200s[%zu]", p->path, index);
	return to;
}

/* The first step of a path: a name, or the number in [n]. */
static bool take_step(struct str *path, struct str *ret_name, uint64_t *ret_index)
{
	size_t end = 0;

	str_take_char(path, '.');
	if (path->n == 0)
		return false;
	*ret_name = STR("");
	if (str_take_char(path, '['))
		return str_take_uint(path, UINT32_MAX, ret_index) &&
		       str_take_char(path, ']');
	while (end < path->n && path->p[end] != '.' && path->p[end] != '[')
		end++;
	*ret_name = str_slice(*path, 0, end);
	*path = str_skip(*path, end);
	return true;
}

static void find_in_yaml(struct str text, struct str path, struct doc_problem *p)
{
	yaml_document_t doc;
	struct str name;
	uint64_t index = 0;

	if (load_yaml(text, &doc, NULL) != ST_OK)
		return;
	const yaml_node_t *n = yaml_document_get_root_node(&doc);
	while (n && take_step(&path, &name, &index)) {
		const yaml_node_t *next = NULL;

		if (n->type == YAML_SEQUENCE_NODE && name.n == 0)
			next = index < (size_t)(n->data.sequence.items.top -
						n->data.sequence.items.start)
				       ? yaml_document_get_node(
						 &doc,
						 n->data.sequence.items.start[index])
				       : NULL;
		for (yaml_node_pair_t *pair = n->data.mapping.pairs.start;
		     n->type == YAML_MAPPING_NODE && pair < n->data.mapping.pairs.top;
		     pair++) {
			const yaml_node_t *key = yaml_document_get_node(&doc, pair->key);

			if (key && key->type == YAML_SCALAR_NODE &&
			    str_eq(scalar_text(key), name))
				next = yaml_document_get_node(&doc, pair->value);
		}
		if (!next)
			break;
		n = next;
	}
	if (n) {
		p->line = (unsigned)n->start_mark.line + 1;
		p->column = (unsigned)n->start_mark.column + 1;
	}
	yaml_document_delete(&doc);
}

/* Well-formed JSON, as it was parsed already: no error can happen here. */
static size_t skip_space(struct str t, size_t at)
{
	while (at < t.n && (ascii_is_space(t.p[at]) || t.p[at] == ',' || t.p[at] == ':'))
		at++;
	return at;
}

static size_t skip_string(struct str t, size_t at)
{
	for (at++; at < t.n && t.p[at] != '"'; at++)
		if (t.p[at] == '\\')
			at++;
	return MIN(at + 1, t.n);
}

static size_t skip_value(struct str t, size_t at)
{
	unsigned depth = 0;

	for (at = skip_space(t, at); at < t.n;) {
		char c = t.p[at];

		if (c == '"')
			at = skip_string(t, at);
		else
			at++;
		if (c == '{' || c == '[')
			depth++;
		if ((c == '}' || c == ']') && depth > 0)
			depth--;
		if (depth > 0)
			continue;
		if (c == '"' || c == '}' || c == ']')
			return at;
		while (at < t.n && !strchr(",]} \t\r\n", t.p[at]))
			at++;
		return at;
	}
	return at;
}

/* Where the member or element stands; STR_NONE when it is not there. */
static size_t json_step(struct str t, size_t at, struct str name, uint64_t index)
{
	at = skip_space(t, at);
	if (at >= t.n || (t.p[at] != '{' && t.p[at] != '['))
		return STR_NONE;
	bool is_object = t.p[at] == '{';
	uint64_t i = 0;
	for (at = skip_space(t, at + 1); at < t.n && t.p[at] != '}' && t.p[at] != ']';
	     i++) {
		size_t key = at;

		if (is_object) {
			at = skip_space(t, skip_string(t, at));
			if (str_eq(str_slice(t, key + 1, key + 1 + name.n), name) &&
			    key + 1 + name.n < t.n && t.p[key + 1 + name.n] == '"')
				return at;
		} else if (i == index) {
			return at;
		}
		at = skip_space(t, skip_value(t, at));
	}
	return STR_NONE;
}

static void find_in_json(struct str t, struct str path, struct doc_problem *p)
{
	struct str name;
	uint64_t index = 0;
	size_t at = skip_space(t, 0);

	while (take_step(&path, &name, &index)) {
		size_t next = json_step(t, at, name, index);

		if (next == STR_NONE)
			break;
		at = next;
	}
	p->line = p->column = 1;
	for (size_t i = 0; i < at && i < t.n; i++) {
		p->column = t.p[i] == '\n' ? 1 : p->column + 1;
		p->line += t.p[i] == '\n';
	}
}

/* --- problems --- */

void doc_blame(struct api_doc *d, const struct doc_place *p, const char *fmt, ...)
{
	char text[256];
	struct doc_problem problem = { 0 };
	va_list args;

	if (d->n >= PROBLEMS_MAX)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	problem.path = arena_copy(&d->arena, str_from(p->path));
	problem.cause = arena_copy(&d->arena, str_from(text));
	if (d->is_yaml)
		find_in_yaml(d->text, problem.path, &problem);
	else
		find_in_json(d->text, problem.path, &problem);
	VEC_ADD(d->problems, d->n, d->cap, problem);
}

void problem_format(const struct api_doc *d, const struct doc_problem *p, struct buf *to)
{
	buf_add(to, d->name);
	buf_addf(to, ":%u:%u: ", p->line, p->column);
	if (p->path.n > 0) {
		buf_add(to, p->path);
		buf_add(to, STR(": "));
	}
	buf_add(to, p->cause);
}

enum status doc_status(const struct api_doc *d, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (d->n == 0)
		return ST_OK;
	problem_format(d, &d->problems[0], &b);
	return diag_fail(why, ST_SYNTAX, "%s", buf_cstr(&b));
}

/* --- members --- */

static const char *kind_word(enum json_kind kind)
{
	static const char *const words[] = {
		[JSON_NONE] = "nothing",       [JSON_NULL] = "null",
		[JSON_BOOL] = "true or false", [JSON_NUMBER] = "a number",
		[JSON_STRING] = "a string",    [JSON_ARRAY] = "a list",
		[JSON_OBJECT] = "an object",
	};

	return words[kind];
}

const struct json *doc_member(struct api_doc *d, const struct json *object,
			      const struct doc_place *p, const char *name,
			      enum json_kind kind)
{
	const struct json *v = json_get(object, name);
	struct doc_place at = place_in(p, str_from(name));

	if (!v || json_kind(v) == kind)
		return v;
	doc_blame(d, &at, "%s is wanted here, not %s", kind_word(kind),
		  kind_word(json_kind(v)));
	return NULL;
}

struct str doc_text(struct api_doc *d, const struct json *object,
		    const struct doc_place *p, const char *name)
{
	return json_str(doc_member(d, object, p, name, JSON_STRING));
}

uint64_t doc_uint(struct api_doc *d, const struct json *object, const struct doc_place *p,
		  const char *name, uint64_t max, uint64_t otherwise)
{
	const struct json *v = doc_member(d, object, p, name, JSON_NUMBER);
	double x = json_number(v, -1);
	struct doc_place at = place_in(p, str_from(name));

	if (!v)
		return otherwise;
	if (x >= 0 && x <= (double)max && (double)(uint64_t)x == x)
		return (uint64_t)x;
	doc_blame(d, &at, "a whole number of 0 to %llu is wanted here",
		  (unsigned long long)max);
	return otherwise;
}

uint64_t doc_time(struct api_doc *d, const struct json *object, const struct doc_place *p,
		  const char *name, uint64_t otherwise)
{
	uint64_t ms = otherwise;
	const struct option_row row = { .name = name, .type = OPTION_TIME };
	const struct json *v = json_get(object, name);
	struct doc_place at = place_in(p, str_from(name));
	cleanup(arena_release) struct arena a = { 0 };
	struct diag why;

	if (!v)
		return otherwise;
	if (json_kind(v) == JSON_NUMBER && json_number(v, -1) >= 0 &&
	    json_number(v, 0) < 1e10)
		return (uint64_t)(json_number(v, 0) * 1000);
	if (json_kind(v) != JSON_STRING ||
	    option_set(&row, &ms, json_str(v), &a, &why) != ST_OK)
		doc_blame(d, &at, "a time is wanted here, as 250ms, 5m, 1h or 1d");
	return ms;
}

void doc_only(struct api_doc *d, const struct json *object, const struct doc_place *p,
	      const char *const *known)
{
	for (const struct json *m = json_first(object); m; m = json_next(m)) {
		const char *nearest = NULL;
		unsigned least = 4;
		bool found = false;

		for (const char *const *k = known; *k && !found; k++) {
			unsigned far = edit_distance(json_name(m), str_from(*k));

			found = far == 0;
			if (far < least) {
				least = far;
				nearest = *k;
			}
		}
		if (found)
			continue;
		struct doc_place at = place_in(p, json_name(m));
		doc_blame(d, &at, "there is no member of this name%s%s",
			  nearest ? "; did you mean " : "", nearest ? nearest : "");
	}
}
