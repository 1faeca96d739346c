/*
 * library.h - all descriptions, joined with their parents and compiled for matching.
 *
 * A child has its own levels and rules first and then its parent's; a level of the same
 * id replaces the parent's patterns and objects, and its rules come first.  A
 * description that cannot be read is passed over and named in `problems`.  Read-only
 * once finished: shared by all threads.
 */
#ifndef APPS_LIBRARY_H
#define APPS_LIBRARY_H

#include "apps/automaton.h"
#include "apps/description.h"
#include "apps/regex_set.h"
#include "base/intern.h"

#define APP_NONE   UINT32_MAX
#define APPS_MAX   20000
#define LEVEL_NONE UINT32_MAX

/* A rule of an application or of one that it extends. */
struct app_link_rule {
	const struct app_rule *rule;
	struct str level; /* of which pages; empty: all */
	uint32_t path;    /* number of its path, or APP_NONE */
	const struct app *from;
};

/* What an application is with all that it inherits. */
struct app_whole {
	const struct app *own;
	uint32_t parent; /* APP_NONE for none */
	unsigned generation;
	const struct app_level **levels;
	size_t n_levels, levels_cap;
	struct app_link_rule *rules;
	size_t n_rules, rules_cap;
	const struct app_canonical **canonicals;
	size_t n_canonicals, canonicals_cap;
};

/* A pattern, and whose it is. */
struct app_owner {
	const struct app_pattern *pattern;
	uint32_t app;
	const struct app_level *level; /* NULL: of the application */
	uint32_t regex; /* number of its expression among heads, or APP_NONE */
	uint32_t next;  /* of those without expression: the next of the same name */
};

struct app_problem {
	struct diag why;
};

struct app_library {
	struct arena arena;
	struct app *apps;
	size_t n, cap;
	struct app_whole *wholes; /* one per application */
	struct map by_id;
	struct app_owner *owners; /* of patterns; the number is the pattern's */
	size_t n_owners, owners_cap;
	struct regex_set heads, bodies; /* for short texts, and for pages */
	uint32_t *head_owners, *body_owners;
	size_t n_heads, heads_cap, n_bodies, bodies_cap;
	struct map present;   /* place and name to the first without expression */
	uint32_t first_graph; /* of PLACE_GRAPH, or APP_NONE */
	bool reads_html;      /* a pattern looks at the bytes */
	struct automaton paths;
	uint32_t n_link_paths; /* numbers from LINK_PATHS on are rules' */
	struct app_problem *problems;
	size_t n_problems, problems_cap;
};

#define LINK_PATHS (UINT32_C(1) << 31)

void library_add_problem(struct app_library *l, const struct diag *why);
/* One description; what cannot be read is a problem, not a failure. */
void library_add(struct app_library *l, struct str xml, struct str file);
/* Those that are built in. */
void library_add_shipped(struct app_library *l);
/* Join and compile; `compiled` as of library_save(), or empty. */
void library_finish(struct app_library *l, struct str compiled);
/* What library_finish() made, so that the same descriptions load faster. */
void library_save(const struct app_library *l, struct buf *to);
void library_release(struct app_library *l);

/* The first pattern that only wants a field or meta of this name to be there. */
uint32_t library_present(const struct app_library *l, enum app_place place,
			 struct str name);
/* APP_NONE when there is none. */
uint32_t library_find(const struct app_library *l, struct str id);
/* Is `app` the other one, or descended from it? */
bool library_is_a(const struct app_library *l, uint32_t app, uint32_t ancestor);
/* The id of the topmost ancestor: "forum", "wiki" ... */
struct str library_kind(const struct app_library *l, uint32_t app);
#endif
