#include "apps/automaton.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "html/entity.h"

#define NONE UINT32_MAX

struct path_node {
	struct path_step step;
	uint32_t next;             /* in the same list of the index; NONE at its end */
	uint32_t first_end;        /* paths that end here */
	bool has_child, has_below; /* next steps of either axis */
};

struct path_end {
	uint32_t id, next;
	struct str attr;
};

/* What a node has for elements of one name, on one axis. */
struct path_edge {
	uint32_t plain; /* nodes without conditions */
	uint64_t attrs; /* a bit per hash of the names of attributes that are asked */
	bool has_attr, has_value, has_class;
};

/* --- keys of the index --- */

static uint64_t name_hash(struct str name)
{
	char lower[40];
	size_t n = MIN(name.n, sizeof(lower));

	for (size_t i = 0; i < n; i++)
		lower[i] = ascii_lower(name.p[i]);
	return hash64((struct str){ lower, n });
}

static uint64_t edge_key(uint32_t node, bool anywhere, uint64_t name)
{
	return hash_mix(name + 2 * (uint64_t)node + anywhere + 1);
}

enum key_kind { KEY_ATTR = 1, KEY_VALUE, KEY_CLASS };

static uint64_t attr_key(uint64_t edge, enum key_kind kind, uint64_t name,
			 struct str value)
{
	uint64_t h = hash_mix(edge ^ hash_mix(name + kind));

	return kind == KEY_ATTR ? h : hash_mix(h + hash64(value));
}

static uint64_t attr_bit(uint64_t name)
{
	return (uint64_t)1 << (name & 63);
}

/* --- building --- */

static bool step_eq(const struct path_step *a, const struct path_step *b)
{
	if (a->anywhere != b->anywhere || !str_eq(a->name, b->name) ||
	    a->n_conditions != b->n_conditions)
		return false;
	for (size_t i = 0; i < a->n_conditions; i++)
		if (a->conditions[i].test != b->conditions[i].test ||
		    !str_eq(a->conditions[i].name, b->conditions[i].name) ||
		    !str_eq(a->conditions[i].value, b->conditions[i].value))
			return false;
	return true;
}

static struct path_step copy_step(struct arena *a, const struct path_step *s)
{
	struct path_step copy = *s;

	copy.name = arena_copy(a, s->name);
	for (size_t i = 0; i < s->n_conditions; i++) {
		copy.conditions[i].name = arena_copy(a, s->conditions[i].name);
		copy.conditions[i].value = arena_copy(a, s->conditions[i].value);
	}
	return copy;
}

static struct path_edge *edge_of(struct automaton *m, uint64_t key)
{
	bool is_new;
	uint64_t *at = map_add(&m->index, key, &is_new);

	if (is_new) {
		*at = m->n_edges;
		VEC_ADD(m->edges, m->n_edges, m->edges_cap,
			(struct path_edge){ .plain = NONE });
	}
	return &m->edges[*at];
}

/* The condition by which a step is found: an exact one if it has any. */
static const struct path_condition *best_condition(const struct path_step *s)
{
	const struct path_condition *best = NULL;

	for (size_t i = 0; i < s->n_conditions; i++) {
		const struct path_condition *c = &s->conditions[i];

		if (!best || c->test == TEST_EQUALS ||
		    (c->test == TEST_CLASS && best->test != TEST_EQUALS))
			best = c;
	}
	return best;
}

/* Where the list begins in which a step stands. */
static uint32_t *list_of(struct automaton *m, uint64_t edge_at, const struct path_step *s)
{
	const struct path_condition *c = best_condition(s);
	struct path_edge *e = edge_of(m, edge_at);
	bool is_new;

	if (!c)
		return &e->plain;
	uint64_t name = name_hash(c->name);
	enum key_kind kind = c->test == TEST_EQUALS  ? KEY_VALUE
			     : c->test == TEST_CLASS ? KEY_CLASS
						     : KEY_ATTR;
	e->attrs |= attr_bit(name);
	e->has_attr |= kind == KEY_ATTR;
	e->has_value |= kind == KEY_VALUE;
	e->has_class |= kind == KEY_CLASS;
	uint64_t *at =
		map_add(&m->index, attr_key(edge_at, kind, name, c->value), &is_new);
	if (is_new) {
		*at = m->n_heads;
		VEC_ADD(m->heads, m->n_heads, m->heads_cap, NONE);
	}
	return &m->heads[*at];
}

static uint32_t add_step(struct automaton *m, uint32_t from, const struct path_step *s)
{
	uint64_t key = edge_key(from, s->anywhere, name_hash(s->name));
	uint32_t *list = list_of(m, key, s);

	for (uint32_t i = *list; i != NONE; i = m->nodes[i].next)
		if (step_eq(&m->nodes[i].step, s))
			return i;
	uint32_t own = (uint32_t)m->n;
	struct path_node node = { .step = copy_step(&m->arena, s),
				  .next = *list,
				  .first_end = NONE };
	*list = own;
	VEC_ADD(m->nodes, m->n, m->cap, node);
	if (s->anywhere)
		m->nodes[from].has_below = true;
	else
		m->nodes[from].has_child = true;
	return own;
}

void automaton_add(struct automaton *m, const struct path *path, uint32_t id)
{
	uint32_t at = 0;

	if (m->n == 0)
		VEC_ADD(m->nodes, m->n, m->cap, (struct path_node){ .first_end = NONE });
	for (size_t i = 0; i < path->n; i++)
		at = add_step(m, at, &path->steps[i]);
	struct path_end end = { .id = id,
				.next = m->nodes[at].first_end,
				.attr = arena_copy(&m->arena, path->attr) };
	m->nodes[at].first_end = (uint32_t)m->n_ends;
	VEC_ADD(m->ends, m->n_ends, m->ends_cap, end);
}

void automaton_release(struct automaton *m)
{
	free(m->nodes);
	free(m->ends);
	free(m->edges);
	free(m->heads);
	map_release(&m->index);
	arena_release(&m->arena);
	*m = (struct automaton){ 0 };
}

/* --- running --- */

void automaton_start(struct automaton_run *r, const struct automaton *m, struct arena *a)
{
	r->automaton = m;
	r->arena = a;
	r->n = 0;
	if (!r->path)
		r->path = NEW(struct tagpath);
	tagpath_start(r->path);
	r->n_states = 0;
	if (m->n > 0)
		r->states[r->n_states++] = (struct path_state){ 0 };
}

void automaton_run_release(struct automaton_run *r)
{
	free(r->path);
	free(r->hits);
	*r = (struct automaton_run){ 0 };
}

static const struct html_attr *find_attr(const struct html_token *k, struct str name)
{
	for (size_t i = 0; i < k->n_attrs; i++)
		if (str_eq_nocase(k->attrs[i].name, name))
			return &k->attrs[i];
	return NULL;
}

static struct str decoded(struct automaton_run *r, struct str value)
{
	return memchr(value.p, '&', value.n)
		       ? entity_decode_all(value, ENTITY_IN_ATTRIBUTE, r->arena)
		       : value;
}

static bool has_word(struct str words, struct str word)
{
	size_t at;

	while ((at = str_find(words, word)) != STR_NONE) {
		if ((at == 0 || ascii_is_space(words.p[at - 1])) &&
		    (at + word.n == words.n || ascii_is_space(words.p[at + word.n])))
			return true;
		words = str_skip(words, at + 1);
	}
	return false;
}

static bool holds(struct automaton_run *r, const struct html_token *k,
		  const struct path_condition *c)
{
	const struct html_attr *a = find_attr(k, c->name);

	if (!a)
		return false;
	if (c->test == TEST_EXISTS)
		return true;
	struct str value = decoded(r, a->value);

	switch ((enum path_test)c->test) {
	case TEST_EQUALS:
		return str_eq(value, c->value);
	case TEST_CONTAINS:
		return str_find(value, c->value) != STR_NONE;
	case TEST_STARTS:
		return str_starts(value, c->value);
	case TEST_CLASS:
		return has_word(value, c->value);
	case TEST_EXISTS:
		break;
	}
	return false;
}

static void note_ends(struct automaton_run *r, const struct html_token *k,
		      const struct path_node *n)
{
	for (uint32_t i = n->first_end; i != NONE; i = r->automaton->ends[i].next) {
		const struct path_end *e = &r->automaton->ends[i];
		const struct html_attr *a = e->attr.n ? find_attr(k, e->attr) : NULL;

		if ((e->attr.n && !a) || r->n == PATH_HITS_MAX)
			continue;
		struct path_hit hit = { .id = e->id, .value = STR("") };
		if (a)
			hit.value = str_trim(decoded(r, a->value));
		VEC_ADD(r->hits, r->n, r->cap, hit);
	}
}

/* All steps of a list whose conditions hold are reached. */
static void try_list(struct automaton_run *r, const struct html_token *k, uint32_t depth,
		     uint32_t list)
{
	for (uint32_t i = list; i != NONE; i = r->automaton->nodes[i].next) {
		const struct path_node *n = &r->automaton->nodes[i];
		size_t c = 0;

		while (c < n->step.n_conditions && holds(r, k, &n->step.conditions[c]))
			c++;
		if (c < n->step.n_conditions)
			continue;
		note_ends(r, k, n);
		if ((n->has_child || n->has_below) && r->n_states < PATH_STATES_MAX)
			r->states[r->n_states++] = (struct path_state){ i, depth };
	}
}

static void try_key(struct automaton_run *r, const struct html_token *k, uint32_t depth,
		    uint64_t key)
{
	const uint64_t *list = map_find(&r->automaton->index, key);

	if (list)
		try_list(r, k, depth, r->automaton->heads[*list]);
}

static void try_classes(struct automaton_run *r, const struct html_token *k,
			uint32_t depth, uint64_t edge, struct str classes)
{
	uint64_t name = name_hash(STR("class"));
	size_t i = 0;

	while (i < classes.n) {
		size_t from;

		while (i < classes.n && ascii_is_space(classes.p[i]))
			i++;
		for (from = i; i < classes.n && !ascii_is_space(classes.p[i]);)
			i++;
		struct str word = str_slice(classes, from, i);
		if (word.n && !has_word(str_slice(classes, 0, from), word))
			try_key(r, k, depth, attr_key(edge, KEY_CLASS, name, word));
	}
}

/* The first attribute of a name is the one that counts. */
static bool is_repeated(const struct html_token *k, size_t i)
{
	return find_attr(k, k->attrs[i].name) != &k->attrs[i];
}

static void try_edge(struct automaton_run *r, const struct html_token *k, uint32_t depth,
		     uint64_t key)
{
	const uint64_t *at = map_find(&r->automaton->index, key);

	if (!at)
		return;
	const struct path_edge *e = &r->automaton->edges[*at];
	try_list(r, k, depth, e->plain);
	for (size_t i = 0; i < k->n_attrs && e->attrs; i++) {
		uint64_t name = name_hash(k->attrs[i].name);

		if (!(e->attrs & attr_bit(name)) || is_repeated(k, i))
			continue;
		struct str value = decoded(r, k->attrs[i].value);
		if (e->has_attr)
			try_key(r, k, depth, attr_key(key, KEY_ATTR, name, STR("")));
		if (e->has_value)
			try_key(r, k, depth, attr_key(key, KEY_VALUE, name, value));
		if (e->has_class && str_eq_nocase(k->attrs[i].name, STR("class")))
			try_classes(r, k, depth, key, value);
	}
}

static void open_element(struct automaton_run *r, const struct html_token *k)
{
	const struct automaton *m = r->automaton;
	const struct tagpath_entry *e = tagpath_open(r->path, k);
	uint32_t depth =
		(uint32_t)(e == &r->path->passing ? r->path->n + 1
						  : (size_t)(e - r->path->entries));
	uint64_t name = name_hash(k->name), any = name_hash(STR(""));

	while (r->n_states > 1 && r->states[r->n_states - 1].depth >= depth)
		r->n_states--;
	size_t before = r->n_states;
	for (size_t i = 0; i < before; i++) {
		const struct path_state s = r->states[i];
		const struct path_node *n = &m->nodes[s.node];

		if (n->has_below) {
			try_edge(r, k, depth, edge_key(s.node, true, name));
			try_edge(r, k, depth, edge_key(s.node, true, any));
		}
		if (n->has_child && s.depth + 1 == depth) {
			try_edge(r, k, depth, edge_key(s.node, false, name));
			try_edge(r, k, depth, edge_key(s.node, false, any));
		}
	}
}

void automaton_take(struct automaton_run *r, const struct html_token *k)
{
	if (k->kind == HTML_START_TAG)
		open_element(r, k);
	else if (k->kind == HTML_END_TAG)
		tagpath_close(r->path, k);
}
