#include "apps/library.h"

#include <stdlib.h>

#include "apps/shipped.h"
#include "base/alloc.h"
#include "base/hash.h"

#define GENERATIONS_MAX 8

void library_add_problem(struct app_library *l, const struct diag *why)
{
	VEC_ADD(l->problems, l->n_problems, l->problems_cap,
		(struct app_problem){ *why });
}

static void say_problem(struct app_library *l, const struct app *a, unsigned line,
			const char *what, struct str word)
{
	struct diag why;

	diag_say(&why, STR_FMT ":%u:1: %s '" STR_FMT "'", STR_ARG(a->file), line, what,
		 (int)MIN(word.n, 80), word.p);
	library_add_problem(l, &why);
}

void library_add(struct app_library *l, struct str xml, struct str file)
{
	struct diag why;
	struct app app;

	if (l->n == APPS_MAX) {
		diag_say(&why, STR_FMT ":1:1: more than %d descriptions", STR_ARG(file),
			 APPS_MAX);
		library_add_problem(l, &why);
		return;
	}
	if (description_read(xml, file, &l->arena, &app, &why) != ST_OK) {
		library_add_problem(l, &why);
		return;
	}
	uint64_t *at = map_find(&l->by_id, hash64(app.id));
	if (at) { /* the user's description of the same name replaces the shipped one */
		description_release(&l->apps[*at]);
		l->apps[*at] = app;
		return;
	}
	*map_add(&l->by_id, hash64(app.id), NULL) = l->n;
	VEC_ADD(l->apps, l->n, l->cap, app);
}

void library_add_shipped(struct app_library *l)
{
	for (size_t i = 0; i < shipped_apps_n; i++)
		library_add(l, *shipped_apps[i].text, str_from(shipped_apps[i].name));
}

uint32_t library_find(const struct app_library *l, struct str id)
{
	const uint64_t *at = map_find(&l->by_id, hash64(id));

	return at ? (uint32_t)*at : APP_NONE;
}

bool library_is_a(const struct app_library *l, uint32_t app, uint32_t ancestor)
{
	for (unsigned i = 0; app != APP_NONE && i <= GENERATIONS_MAX; i++) {
		if (app == ancestor)
			return true;
		app = l->wholes[app].parent;
	}
	return false;
}

struct str library_kind(const struct app_library *l, uint32_t app)
{
	for (unsigned i = 0; l->wholes[app].parent != APP_NONE && i < GENERATIONS_MAX;
	     i++)
		app = l->wholes[app].parent;
	return l->apps[app].id;
}

/* --- joining --- */

static bool has_level(const struct app_whole *w, struct str id)
{
	for (size_t i = 0; i < w->n_levels; i++)
		if (str_eq(w->levels[i]->id, id))
			return true;
	return false;
}

static void add_rules(struct app_library *l, struct app_whole *w, const struct app *from,
		      const struct app_rule *rules, size_t n, struct str level)
{
	for (size_t i = 0; i < n; i++) {
		struct app_link_rule r = { &rules[i], level, APP_NONE, from };

		if (rules[i].links.n)
			r.path = l->n_link_paths++;
		VEC_ADD(w->rules, w->n_rules, w->rules_cap, r);
	}
}

static void inherit(struct app_library *l, struct app_whole *w, const struct app *from)
{
	for (size_t i = 0; i < from->n_levels; i++) {
		const struct app_level *level = &from->levels[i];

		add_rules(l, w, from, level->rules, level->n_rules, level->id);
		if (!has_level(w, level->id))
			VEC_ADD(w->levels, w->n_levels, w->levels_cap, level);
	}
	add_rules(l, w, from, from->rules, from->n_rules, STR(""));
	for (size_t i = 0; i < from->n_canonicals; i++)
		VEC_ADD(w->canonicals, w->n_canonicals, w->canonicals_cap,
			&from->canonicals[i]);
}

static void join(struct app_library *l, uint32_t nr)
{
	struct app_whole *w = &l->wholes[nr];
	const struct app *at = &l->apps[nr];

	w->own = at;
	w->parent = at->extends.n ? library_find(l, at->extends) : APP_NONE;
	if (at->extends.n && w->parent == APP_NONE)
		say_problem(l, at, 1, "there is no application", at->extends);
	while (at && w->generation < GENERATIONS_MAX) {
		uint32_t parent = at->extends.n ? library_find(l, at->extends) : APP_NONE;

		inherit(l, w, at);
		at = parent == APP_NONE ? NULL : &l->apps[parent];
		w->generation++;
	}
	if (at) {
		say_problem(l, &l->apps[nr], 1, "it extends itself:", l->apps[nr].id);
		w->parent = APP_NONE;
	}
}

/* --- compiling --- */

static void add_path(struct app_library *l, struct str text, uint32_t id)
{
	struct path p;

	/* It was parsed once when it was read. */
	if (path_parse(text, &l->arena, &p, NULL) == ST_OK)
		automaton_add(&l->paths, &p, id);
}

static void add_regex(struct app_library *l, const struct app_pattern *p, uint32_t owner)
{
	bool body = p->place == PLACE_TEXT || p->place == PLACE_HTML;

	if (regex_set_add(body ? &l->bodies : &l->heads, p->match, NULL) != ST_OK)
		return;
	if (body) {
		VEC_ADD(l->body_owners, l->n_bodies, l->bodies_cap, owner);
	} else {
		l->owners[owner].regex = (uint32_t)l->n_heads;
		VEC_ADD(l->head_owners, l->n_heads, l->heads_cap, owner);
	}
	l->reads_html |= p->place == PLACE_HTML;
}

static uint64_t present_key(enum app_place place, struct str name)
{
	char lower[64];
	size_t n = MIN(name.n, sizeof(lower));

	for (size_t i = 0; i < n; i++)
		lower[i] = ascii_lower(name.p[i]);
	return hash64_seeded((struct str){ lower, n }, place);
}

uint32_t library_present(const struct app_library *l, enum app_place place,
			 struct str name)
{
	const uint64_t *at =
		name.n ? map_find(&l->present, present_key(place, name)) : NULL;

	return at ? (uint32_t)*at : APP_NONE;
}

/* A pattern without an expression: its presence, or its number, is what counts. */
static void add_present(struct app_library *l, const struct app_pattern *p,
			uint32_t owner)
{
	bool is_new;

	if (p->place == PLACE_GRAPH) {
		l->owners[owner].next = l->first_graph;
		l->first_graph = owner;
	} else if (p->place == PLACE_HEADER || p->place == PLACE_META) {
		uint64_t *first =
			map_add(&l->present, present_key(p->place, p->name), &is_new);

		l->owners[owner].next = is_new ? APP_NONE : (uint32_t)*first;
		*first = owner;
	}
}

static void add_patterns(struct app_library *l, uint32_t app,
			 const struct app_level *level, const struct app_pattern *v,
			 size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint32_t nr = (uint32_t)l->n_owners;

		VEC_ADD(l->owners, l->n_owners, l->owners_cap,
			(struct app_owner){ &v[i], app, level, APP_NONE, APP_NONE });
		if (v[i].place == PLACE_PATH)
			add_path(l, v[i].path, nr);
		if (v[i].match.n)
			add_regex(l, &v[i], nr);
		else
			add_present(l, &v[i], nr);
	}
}

static void compile_app(struct app_library *l, uint32_t nr)
{
	const struct app *a = &l->apps[nr];
	const struct app_whole *w = &l->wholes[nr];

	add_patterns(l, nr, NULL, a->patterns, a->n_patterns);
	for (size_t i = 0; i < a->n_levels; i++)
		add_patterns(l, nr, &a->levels[i], a->levels[i].patterns,
			     a->levels[i].n_patterns);
	for (size_t i = 0; i < w->n_rules; i++)
		if (w->rules[i].path != APP_NONE)
			add_path(l, w->rules[i].rule->links,
				 LINK_PATHS + w->rules[i].path);
}

/* Sizes of the two databases stand before them, and a hash of all patterns first. */
static uint64_t fingerprint(const struct app_library *l)
{
	uint64_t h = 1;

	for (size_t i = 0; i < l->n_owners; i++)
		h = hash_mix(h ^ hash64(l->owners[i].pattern->match)) +
		    l->owners[i].pattern->place;
	return h;
}

void library_finish(struct app_library *l, struct str compiled)
{
	struct str heads = STR(""), bodies = STR("");
	uint64_t hash;

	l->first_graph = APP_NONE;
	l->wholes = xcalloc(l->n + 1, sizeof(*l->wholes));
	for (uint32_t i = 0; i < l->n; i++)
		join(l, i);
	for (uint32_t i = 0; i < l->n; i++)
		compile_app(l, i);
	if (!str_take_u64(&compiled, &hash) || hash != fingerprint(l) ||
	    !str_take_sized(&compiled, &heads) || !str_take_sized(&compiled, &bodies))
		heads = bodies = STR("");
	regex_set_finish(&l->heads, heads);
	regex_set_finish(&l->bodies, bodies);
}

void library_save(const struct app_library *l, struct buf *to)
{
	cleanup(buf_release) struct buf set = { 0 };

	buf_add_u64(to, fingerprint(l));
	regex_set_save(&l->heads, &set);
	buf_add_sized(to, buf_str(&set));
	buf_reset(&set);
	regex_set_save(&l->bodies, &set);
	buf_add_sized(to, buf_str(&set));
}

void library_release(struct app_library *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->wholes) {
			free(l->wholes[i].levels);
			free(l->wholes[i].rules);
			free(l->wholes[i].canonicals);
		}
		description_release(&l->apps[i]);
	}
	free(l->wholes);
	free(l->apps);
	map_release(&l->by_id);
	map_release(&l->present);
	free(l->owners);
	free(l->head_owners);
	free(l->body_owners);
	free(l->problems);
	regex_set_release(&l->heads);
	regex_set_release(&l->bodies);
	automaton_release(&l->paths);
	arena_release(&l->arena);
	*l = (struct app_library){ 0 };
}
