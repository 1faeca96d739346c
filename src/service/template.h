/*
 * template.h - text with holes: "{instance}/api/v1/tags/{keyword}".
 *
 *   {name}            a variable: a parameter, keyword, entity, instance, since
 *   {title.rendered}  otherwise a path in the item
 *   {content|text}    through filters, one after the other:
 *       text          HTML without its markup
 *       links         each http(s) URL in a text or HTML: many values
 *       iso           a time in any usual form as 2026-11-16T20:00:00Z
 *       underscore    blanks as underscores
 *       lower         ASCII letters
 *       host          of a URL
 *       after:X       what follows the last X; before:X what precedes the first
 *       or:X          X where there is nothing
 *       has:X         the value if X is in it, otherwise nothing
 *       page:N        of a count from 1 on: on which page of N it is, nothing for the
 *                     first
 *       wikitext      what a reader sees of MediaWiki's source
 *
 * A template whose hole is empty has no value.  A hole with [*] or |links makes it a
 * template of many values.  Pure; memory is the arena's.
 */
#ifndef SERVICE_TEMPLATE_H
#define SERVICE_TEMPLATE_H

#include "service/path.h"

#define TEMPLATE_PARTS_MAX   16
#define TEMPLATE_FILTERS_MAX 4

enum filter_kind {
	FILTER_TEXT,
	FILTER_LINKS,
	FILTER_ISO,
	FILTER_UNDERSCORE,
	FILTER_LOWER,
	FILTER_HOST,
	FILTER_AFTER,
	FILTER_BEFORE,
	FILTER_OR,
	FILTER_HAS,
	FILTER_PAGE,
	FILTER_WIKITEXT,
	FILTERS
};

struct filter {
	enum filter_kind kind;
	struct str arg;
};

struct template_part {
	struct str literal; /* before the hole */
	bool has_hole;
	struct str name; /* of the variable, when the path is a single name */
	struct json_path path;
	struct filter filters[TEMPLATE_FILTERS_MAX];
	size_t n_filters;
};

struct template
{
	struct template_part *v;
	size_t n;
	bool is_set;
};

struct var {
	struct str name, value;
};

/* What holes are filled from. */
struct api_scope {
	const struct var *vars;
	size_t n;
	const struct api_scope *outer; /* more variables; may be NULL */
	const struct json *item;       /* may be NULL */
};

must_use enum status template_parse(struct str text, struct arena *a,
				    struct template *ret, struct diag *why);
/* The value of a variable; p is NULL when there is none. */
struct str scope_find(const struct api_scope *s, struct str name);
/*
 * Append the (first) value.  False, and nothing added, when a hole has none.  With
 * `encode`, what fills the holes is percent-encoded but for unreserved characters.
 */
bool template_add(const struct template *t, const struct api_scope *s, bool encode,
		  struct buf *to);
/* Every value of a template of many; `see` answers false to stop. */
typedef bool template_fn(void *arg, struct str value);
void template_each(const struct template *t, const struct api_scope *s, template_fn *see,
		   void *arg);
/* Unreserved characters as they are, all others as %XX. */
void buf_add_component(struct buf *to, struct str s);
#endif
