/*
 * description.h - what is known of one application: how it is recognised, which levels
 * of pages it has, which links of a page lead on and which repeat, and what to take out.
 *
 * Plain data, made by description_read() from one XML file (doc/applications.md has the
 * grammar) and owned by whoever calls description_release().  A child names its parent
 * in `extends`; library.h joins the two.  Strings lie in the arena of the reader.
 */
#ifndef APPS_DESCRIPTION_H
#define APPS_DESCRIPTION_H

#include "base/arena.h"

/* Where a pattern looks. */
enum app_place {
	PLACE_URL,    /* of the page, whole */
	PLACE_HEADER, /* value of the HTTP field `name` */
	PLACE_COOKIE, /* names of cookies that are set */
	PLACE_META,   /* content of <meta name|property=`name`> */
	PLACE_SCRIPT, /* <script src> */
	PLACE_LINK,   /* <link href> */
	PLACE_TEXT,   /* what a reader sees */
	PLACE_HTML,   /* the bytes */
	PLACE_PATH,   /* an element or attribute, by XPath */
	PLACE_GRAPH,  /* links of the page: `name` is what is counted */
	PLACES
};

struct app_pattern {
	uint8_t place;    /* enum app_place */
	uint8_t weight;   /* per cent of certainty that it gives */
	struct str name;  /* lower case */
	struct str match; /* regular expression, without case; empty: presence counts */
	struct str path;  /* of PLACE_PATH */
	double min, max;  /* of PLACE_GRAPH */
	uint32_t line;
};

/* What to do with a link, the first rule that fits decides. */
enum app_action {
	ACTION_NONE,
	ACTION_FOLLOW,
	ACTION_NEXT,  /* the next page of this one */
	ACTION_VIEW,  /* shows what other pages show: left out, and a few are tested */
	ACTION_NEVER, /* an action of a user (reply, login ...), no page */
};

struct app_rule {
	uint8_t action;   /* enum app_action */
	uint8_t score;    /* of FOLLOW and NEXT, 0 to 100 */
	bool history;     /* leads to earlier versions: not wanted with --no-history */
	bool embeds;      /* also for pictures, scripts and the like */
	struct str url;   /* regular expression on path and query; or */
	struct str links; /* XPath of anchors */
	struct str why;
	uint32_t line;
};

/* Query parameters that do not matter (`params`), or a rewriting of path and query. */
struct app_canonical {
	struct str params; /* names between spaces */
	struct str url, to;
	uint32_t line;
};

enum field_type { FIELD_TEXT, FIELD_HTML, FIELD_URL, FIELD_NUMBER, FIELD_DATE };

struct app_field {
	struct str name, select; /* XPath 1.0, relative to its object */
	struct str match, to;    /* regular expression on the value, and what is kept */
	uint8_t type;            /* enum field_type */
	bool many;               /* a list of all, otherwise the first */
	uint32_t line;
};

struct app_object {
	struct str id, select; /* XPath 1.0 */
	struct app_field *fields;
	size_t n_fields, fields_cap;
	uint32_t line;
};

struct app_level {
	struct str id, name;
	struct str
		total; /* XPath of how many objects the whole has, over all its pages */
	struct app_pattern *patterns;
	size_t n_patterns, patterns_cap;
	struct app_rule *rules;
	size_t n_rules, rules_cap;
	struct app_object *objects;
	size_t n_objects, objects_cap;
	uint32_t line;
};

/* A page that the description is tested with. */
struct app_fixture {
	struct str file, url, level, header;
	struct str follow, view, never, next; /* links between spaces, as written */
	uint32_t line;
};

struct app {
	struct str id, name, extends, file;
	bool is_kind;  /* groups others; never recognised itself */
	bool is_draft; /* learnt: whatever it leaves out is sampled */
	struct app_pattern *patterns;
	size_t n_patterns, patterns_cap;
	struct app_level *levels;
	size_t n_levels, levels_cap;
	struct app_rule *rules;
	size_t n_rules, rules_cap;
	struct app_canonical *canonicals;
	size_t n_canonicals, canonicals_cap;
	struct app_fixture *fixtures;
	size_t n_fixtures, fixtures_cap;
};

#define DESCRIPTION_BYTES_MAX ((size_t)4 << 20)

/*
 * Read the XML text of one description.  Strings are copied into `a`.  ST_SYNTAX: `why`
 * is "file:line:column: what is wrong"; then `ret` is untouched.
 */
must_use enum status description_read(struct str xml, struct str file, struct arena *a,
				      struct app *ret, struct diag *why);
void description_release(struct app *app);
#endif
