/*
 * automaton.h - all paths of all descriptions at once, over the tags of a page.
 *
 * In the manner of YFilter: paths are a tree of steps, common beginnings once; while tags
 * pass, the steps reached so far are a stack.  The next steps of a node are indexed by
 * the name of the element and by attribute or class, so that an element costs a few
 * lookups however many paths there are.  Finished, it is read-only and shared; a run
 * belongs to one thread.
 */
#ifndef APPS_AUTOMATON_H
#define APPS_AUTOMATON_H

#include "apps/path.h"
#include "base/map.h"
#include "html/tagpath.h"

struct automaton {
	struct path_node *nodes; /* [0] is the document */
	size_t n, cap;
	struct path_end *ends;
	size_t n_ends, ends_cap;
	struct path_edge *edges;
	size_t n_edges, edges_cap;
	uint32_t *heads; /* of lists of nodes */
	size_t n_heads, heads_cap;
	struct map index; /* of edges, and of lists by a condition */
	struct arena arena;
};

struct path_hit {
	uint32_t id;      /* as given to automaton_add() */
	struct str value; /* of the attribute, decoded and trimmed; empty for elements */
};

/* A step that was reached and is still open. */
struct path_state {
	uint32_t node;
	uint32_t depth;
};

#define PATH_STATES_MAX 256
#define PATH_HITS_MAX   20000

struct automaton_run {
	const struct automaton *automaton;
	struct arena *arena; /* of the page */
	struct tagpath *path;
	struct path_state states[PATH_STATES_MAX];
	size_t n_states;
	struct path_hit *hits;
	size_t n, cap;
};

/* Find `path` and call it `id`.  Strings are copied. */
void automaton_add(struct automaton *m, const struct path *path, uint32_t id);
void automaton_release(struct automaton *m);

void automaton_start(struct automaton_run *r, const struct automaton *m, struct arena *a);
/* The next tag of the page; start tags may add to `hits`. */
void automaton_take(struct automaton_run *r, const struct html_token *k);
void automaton_run_release(struct automaton_run *r);
#endif
