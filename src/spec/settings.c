#include "spec/settings.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/alloc.h"
#include "base/json.h"

void settings_release(struct crawl_settings *s)
{
	for (const struct option_row *r = crawl_options; r->name; r++)
		if (r->type == OPTION_LIST)
			str_list_release((struct str_list *)((char *)s + r->offset));
}

/* --- writing --- */

static void add_quoted(struct buf *to, struct str s)
{
	struct json_out o = { .to = to };

	json_add_str(&o, s); /* a JSON string is a YAML one */
}

static void add_value(const struct option_row *r, const struct crawl_settings *s,
		      struct buf *to)
{
	cleanup(buf_release) struct buf text = { 0 };

	option_format(r, s, &text);
	if (r->type == OPTION_STR)
		add_quoted(to, buf_str(&text));
	else
		buf_add(to, buf_str(&text));
}

static void add_list(const struct str_list *l, struct buf *to)
{
	buf_add_char(to, '[');
	for (size_t i = 0; i < l->n; i++) {
		buf_add(to, i ? STR(", ") : STR(""));
		add_quoted(to, l->v[i]);
	}
	buf_add_char(to, ']');
}

static void add_option(const struct option_row *r, const struct crawl_settings *s,
		       struct buf *to)
{
	if (r->type == OPTION_LIST)
		add_list((const struct str_list *)((const char *)s + r->offset), to);
	else
		add_value(r, s, to);
	buf_add_char(to, '\n');
}

static bool is_default(const struct option_row *r, const struct crawl_settings *s,
		       const struct crawl_settings *defaults)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };

	option_format(r, s, &a);
	option_format(r, defaults, &b);
	return str_eq(buf_str(&a), buf_str(&b));
}

/* How a crawl is run is not what it is. */
static bool is_of_the_run(const struct option_row *r)
{
	static const char *const names[] = { "output", "dry-run", "quiet",
					     "preset", "json",    "recrawl",
					     "stay",   "replay",  "log-level" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(r->name, names[i]) == 0)
			return true;
	return false;
}

void settings_format(const struct crawl_settings *s, const struct str_list *seeds,
		     struct buf *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct crawl_settings defaults = { 0 };

	options_default(crawl_options, &defaults, &a);
	buf_add(to, STR("# What this crawl was asked to do.  Read again on SIGHUP and "
			"when it is resumed.\n\nseeds:\n"));
	for (size_t i = 0; i < seeds->n; i++) {
		buf_add(to, STR("  - "));
		add_quoted(to, seeds->v[i]);
		buf_add_char(to, '\n');
	}
	buf_add_char(to, '\n');
	for (const struct option_row *r = crawl_options; r->name; r++) {
		if (is_of_the_run(r))
			continue;
		buf_addf(to, "# %s\n%s%s: ", r->help,
			 is_default(r, s, &defaults) ? "#" : "", r->name);
		add_option(r, s, to);
	}
	settings_release(&defaults);
}

static bool is_secret(const struct option_row *r)
{
	static const char *const names[] = { "auth", "header", "cookie-file", "proxy" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (strcmp(r->name, names[i]) == 0)
			return true;
	return false;
}

void settings_format_changed(const struct crawl_settings *s, struct buf *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct crawl_settings defaults = { 0 };

	options_default(crawl_options, &defaults, &a);
	for (const struct option_row *r = crawl_options; r->name; r++) {
		if (is_of_the_run(r) || is_secret(r) || is_default(r, s, &defaults))
			continue;
		buf_addf(to, "%s: ", r->name);
		add_option(r, s, to);
	}
	settings_release(&defaults);
}

/* --- reading --- */

struct reading {
	yaml_document_t doc;
	struct crawl_settings *s;
	struct str_list *seeds;
	struct arena *a;
	struct diag *why;
	unsigned depth; /* of sections */
};

static enum status fail_at(const struct reading *r, const yaml_node_t *n,
			   const char *what)
{
	return diag_fail(r->why, ST_SYNTAX, "line %zu, column %zu: %s",
			 n->start_mark.line + 1, n->start_mark.column + 1, what);
}

static struct str text_of(const yaml_node_t *n)
{
	return (struct str){ (const char *)n->data.scalar.value, n->data.scalar.length };
}

static enum status set_scalar(const struct reading *r, const struct option_row *row,
			      const yaml_node_t *n)
{
	struct diag why;

	if (n->type != YAML_SCALAR_NODE)
		return fail_at(r, n, "a single value is wanted here");
	if (option_set(row, r->s, text_of(n), r->a, &why) != ST_OK)
		return fail_at(r, n, why.text);
	return ST_OK;
}

/* - {url: https://example.org/, revisit: 6h} */
static enum status add_seed_with_fields(struct reading *r, const yaml_node_t *n)
{
	cleanup(buf_release) struct buf revisit = { 0 };
	struct str url = STR("");
	struct str_list *l = &r->s->revisit_seeds;

	for (yaml_node_pair_t *p = n->data.mapping.pairs.start;
	     p < n->data.mapping.pairs.top; p++) {
		const yaml_node_t *key = yaml_document_get_node(&r->doc, p->key);
		const yaml_node_t *value = yaml_document_get_node(&r->doc, p->value);

		if (key->type != YAML_SCALAR_NODE || value->type != YAML_SCALAR_NODE)
			return fail_at(r, key, "a single value is wanted here");
		if (str_eq(text_of(key), STR("url")))
			url = text_of(value);
		else if (str_eq(text_of(key), STR("revisit")))
			buf_add(&revisit, text_of(value));
		else
			return fail_at(r, key, "a seed has 'url' and 'revisit'");
	}
	if (url.n == 0)
		return fail_at(r, n, "a seed without 'url'");
	VEC_ADD(r->seeds->v, r->seeds->n, r->seeds->cap, arena_copy(r->a, url));
	if (revisit.n == 0)
		return ST_OK;
	buf_add_char(&revisit, ' ');
	buf_add(&revisit, url);
	VEC_ADD(l->v, l->n, l->cap, arena_copy(r->a, buf_str(&revisit)));
	return ST_OK;
}

static enum status add_items(struct reading *r, struct str_list *l, const yaml_node_t *n);

/* - {term: solar energy, aliases: [PV, panel], weight: 2, entity: true} as one line */
static enum status add_term_with_fields(struct reading *r, struct str_list *l,
					const yaml_node_t *n)
{
	cleanup(buf_release) struct buf names = { 0 }, line = { 0 };
	struct str term = STR(""), weight = STR("");
	bool is_entity = false;

	for (yaml_node_pair_t *p = n->data.mapping.pairs.start;
	     p < n->data.mapping.pairs.top; p++) {
		const yaml_node_t *key = yaml_document_get_node(&r->doc, p->key);
		const yaml_node_t *value = yaml_document_get_node(&r->doc, p->value);
		cleanup(str_list_release) struct str_list aliases = { 0 };
		bool is_list = key->type == YAML_SCALAR_NODE &&
			       str_eq(text_of(key), STR("aliases"));

		if (key->type != YAML_SCALAR_NODE ||
		    (!is_list && value->type != YAML_SCALAR_NODE))
			return fail_at(r, key, "a single value is wanted here");
		if (str_eq(text_of(key), STR("term")))
			term = text_of(value);
		else if (str_eq(text_of(key), STR("weight")))
			weight = text_of(value);
		else if (str_eq(text_of(key), STR("entity")))
			is_entity = str_eq(text_of(value), STR("true")) ||
				    str_eq(text_of(value), STR("yes"));
		else if (!is_list)
			return fail_at(r, key,
				       "a term has 'term', 'aliases', 'weight' and "
				       "'entity'");
		if (is_list)
			TRY(add_items(r, &aliases, value));
		for (size_t i = 0; i < aliases.n; i++)
			buf_addf(&names, "|" STR_FMT, STR_ARG(aliases.v[i]));
	}
	if (term.n == 0)
		return fail_at(r, n, "a term without 'term'");
	buf_addf(&line, "%s" STR_FMT STR_FMT, is_entity ? "entity:" : "", STR_ARG(term),
		 STR_ARG(buf_str(&names)));
	if (weight.n > 0)
		buf_addf(&line, "=" STR_FMT, STR_ARG(weight));
	VEC_ADD(l->v, l->n, l->cap, arena_copy(r->a, buf_str(&line)));
	return ST_OK;
}

/* A list's elements one by one: a comma in them is no separator. */
static enum status add_items(struct reading *r, struct str_list *l, const yaml_node_t *n)
{
	l->n = 0;
	if (n->type == YAML_SCALAR_NODE) {
		/* A name with nothing behind it: an empty pattern would fit every URL. */
		if (text_of(n).n > 0)
			VEC_ADD(l->v, l->n, l->cap, arena_copy(r->a, text_of(n)));
		return ST_OK;
	}
	if (n->type != YAML_SEQUENCE_NODE)
		return fail_at(r, n, "a list is wanted here");
	for (yaml_node_item_t *i = n->data.sequence.items.start;
	     i < n->data.sequence.items.top; i++) {
		const yaml_node_t *item = yaml_document_get_node(&r->doc, *i);

		if (l == r->seeds && item->type == YAML_MAPPING_NODE) {
			TRY(add_seed_with_fields(r, item));
			continue;
		}
		if (l == &r->s->want && item->type == YAML_MAPPING_NODE) {
			TRY(add_term_with_fields(r, l, item));
			continue;
		}
		if (item->type != YAML_SCALAR_NODE)
			return fail_at(r, item, "a single value is wanted here");
		VEC_ADD(l->v, l->n, l->cap, arena_copy(r->a, text_of(item)));
	}
	return ST_OK;
}

static enum status read_pairs(struct reading *r, const yaml_node_t *n);

static enum status read_pair(struct reading *r, const yaml_node_t *key,
			     const yaml_node_t *value)
{
	if (key->type != YAML_SCALAR_NODE)
		return fail_at(r, key, "a name is wanted here");
	if (str_eq(text_of(key), STR("seeds")))
		return add_items(r, r->seeds, value);
	/* What belongs together may stand together. */
	if (str_eq(text_of(key), STR("focus")) && value->type == YAML_MAPPING_NODE)
		return read_pairs(r, value);
	const struct option_row *row = option_find(crawl_options, text_of(key));
	if (!row) {
		const struct option_row *near =
			option_nearest(crawl_options, text_of(key));
		char text[160];

		snprintf(text, sizeof(text), "there is no setting of this name%s%s",
			 near ? "; did you mean " : "", near ? near->name : "");
		return fail_at(r, key, text);
	}
	if (row->type == OPTION_LIST)
		return add_items(r, (struct str_list *)((char *)r->s + row->offset),
				 value);
	return set_scalar(r, row, value);
}

static enum status read_pairs(struct reading *r, const yaml_node_t *n)
{
	/* YAML's aliases can make a mapping contain itself. */
	if (++r->depth > 3)
		return fail_at(r, n, "sections in sections are not understood");
	for (yaml_node_pair_t *p = n->data.mapping.pairs.start;
	     p < n->data.mapping.pairs.top; p++)
		TRY(read_pair(r, yaml_document_get_node(&r->doc, p->key),
			      yaml_document_get_node(&r->doc, p->value)));
	r->depth--;
	return ST_OK;
}

static enum status read_document(struct reading *r)
{
	const yaml_node_t *root = yaml_document_get_root_node(&r->doc);

	if (!root)
		return ST_OK;
	if (root->type != YAML_MAPPING_NODE)
		return fail_at(r, root, "names and values are wanted, 'name: value'");
	return read_pairs(r, root);
}

enum status settings_parse(struct str yaml, struct crawl_settings *s,
			   struct str_list *seeds, struct arena *a, struct diag *why)
{
	struct reading r = { .s = s, .seeds = seeds, .a = a, .why = why };
	yaml_parser_t parser;

	if (!yaml_parser_initialize(&parser))
		abort();
	yaml_parser_set_input_string(&parser, (const unsigned char *)yaml.p, yaml.n);
	if (!yaml_parser_load(&parser, &r.doc)) {
		enum status st = diag_fail(why, ST_SYNTAX, "line %zu, column %zu: %s",
					   parser.problem_mark.line + 1,
					   parser.problem_mark.column + 1,
					   parser.problem ? parser.problem : "not YAML");

		yaml_parser_delete(&parser);
		return st;
	}
	enum status st = read_document(&r);
	yaml_document_delete(&r.doc);
	yaml_parser_delete(&parser);
	return st;
}

enum status settings_overlay(struct crawl_settings *s, const struct crawl_settings *given,
			     const struct option_row *const *rows, size_t n,
			     struct arena *a, struct diag *why)
{
	for (size_t k = 0; k < n; k++) {
		cleanup(buf_release) struct buf text = { 0 };
		const struct option_row *r = rows[k];

		if (r->type == OPTION_LIST) {
			const struct str_list *from =
				(const struct str_list *)((const char *)given +
							  r->offset);
			struct str_list *to = (struct str_list *)((char *)s + r->offset);

			to->n = 0;
			for (size_t i = 0; i < from->n; i++)
				VEC_ADD(to->v, to->n, to->cap, arena_copy(a, from->v[i]));
			continue;
		}
		option_format(r, given, &text);
		TRY(option_set(r, s, buf_str(&text), a, why));
	}
	return ST_OK;
}

struct str settings_user_agent(const struct crawl_settings *s, struct arena *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (s->user_agent.n > 0)
		return s->user_agent;
	buf_add(&b, STR("Mozilla/5.0 (compatible; thresh/" THRESH_VERSION));
	if (s->contact.n > 0) {
		buf_add(&b, STR("; +"));
		buf_add(&b, s->contact);
	}
	buf_add_char(&b, ')');
	return arena_copy(a, buf_str(&b));
}
