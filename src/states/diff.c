#include "states/diff.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

/* One crawl, with a key for each kept state that the other crawl can look up. */
struct side {
	const struct model *m;
	struct str origin;
	uint64_t *keys;     /* by raw number of a kept state */
	struct map by_key;  /* -> raw number */
	struct map actions; /* key of an edge's start and action -> edge */
	uint64_t *edge_keys;
	struct buf *problems; /* by raw number: of the state and of its events */
};

const char *diff_kind_name(enum diff_kind kind)
{
	static const char *const names[] = { "state", "edge", "problem" };

	return names[kind];
}

const char *diff_what_name(enum diff_what what)
{
	static const char *const names[] = { "added", "gone", "changed" };

	return names[what];
}

/*
 * A text without the crawl's own origin: the same application elsewhere, on another port,
 * is the same application.
 */
static void add_without_origin(struct str text, struct str origin, struct buf *to)
{
	size_t at;

	while (origin.n && (at = str_find(text, origin)) != STR_NONE) {
		buf_add(to, str_slice(text, 0, at));
		text = str_skip(text, at + origin.n);
	}
	buf_add(to, text);
}

/* "http://host:port" of the first state; of files the folder. */
static struct str origin_of(const struct model *m)
{
	struct str url = m->states[0]->seen.url;
	size_t scheme = str_find(url, STR("://"));

	if (scheme == STR_NONE || !str_starts(url, STR("http")))
		return STR("");
	size_t slash = str_find_char(str_skip(url, scheme + 3), '/');
	return slash == STR_NONE ? url : str_slice(url, 0, scheme + 3 + slash);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return hash64_seeded((struct str){ (const char *)&value, sizeof(value) }, hash);
}

/* The first key of the sequence made from `hash` that the map does not hold yet. */
static uint64_t free_key(const struct map *m, uint64_t hash)
{
	uint64_t key = hash;

	for (uint64_t k = 1; map_find(m, key); k++)
		key = mix(hash, k);
	return key;
}

static void open_side(struct side *s, const struct model *m)
{
	*s = (struct side){ .m = m, .origin = origin_of(m) };
	s->keys = xcalloc(m->state_count + 1, sizeof(*s->keys));
	s->problems = xcalloc(m->state_count + 1, sizeof(*s->problems));
	s->edge_keys = xcalloc(m->simulation.edge_count + 1, sizeof(*s->edge_keys));
	for (size_t i = 0; i < m->simulation.kept_count; i++) {
		uint32_t nr = m->simulation.kept[i];

		s->keys[nr] = free_key(&s->by_key, m->states[nr]->identity.template_hash);
		*map_add(&s->by_key, s->keys[nr], NULL) = nr;
		add_without_origin(m->states[nr]->problems, s->origin, &s->problems[nr]);
	}
	for (size_t i = 0; i < m->deed_count; i++)
		if (m->deeds[i].outcome == DEED_DONE)
			add_without_origin(m->deeds[i].why, s->origin,
					   &s->problems[m->deeds[i].state]);
}

static void close_side(struct side *s)
{
	for (size_t i = 0; i < s->m->state_count; i++)
		buf_release(&s->problems[i]);
	free(s->problems);
	free(s->keys);
	free(s->edge_keys);
	map_release(&s->by_key);
	map_release(&s->actions);
}

static void add_item(struct diff *d, enum diff_kind kind, enum diff_what what,
		     const struct buf *text)
{
	struct diff_item item = { kind, what, arena_copy(&d->bytes, buf_str(text)) };

	VEC_ADD(d->items, d->n, d->cap, item);
	d->counts[kind][what]++;
}

static void add_state_words(struct buf *b, const struct model *m, uint32_t nr)
{
	const struct observation *o = &m->states[nr]->seen;

	buf_addf(b, "%u", nr);
	if (o->title.n) {
		buf_add(b, STR(" \""));
		buf_add(b, str_slice(o->title, 0, MIN(o->title.n, 60)));
		buf_add_char(b, '"');
	}
	buf_add_char(b, ' ');
	buf_add(b, o->url);
}

/* A state of `s` at this URL that the other side does not know; STATE_UNSEEN: none. */
static uint32_t stranger_at(const struct side *s, const struct side *other,
			    struct str url)
{
	if (str_starts(url, other->origin))
		url = str_skip(url, other->origin.n);
	for (size_t i = 0; i < s->m->simulation.kept_count; i++) {
		uint32_t nr = s->m->simulation.kept[i];

		struct str here = s->m->states[nr]->seen.url;

		if (str_starts(here, s->origin))
			here = str_skip(here, s->origin.n);
		if (!map_find(&other->by_key, s->keys[nr]) && str_eq(here, url))
			return nr;
	}
	return STATE_UNSEEN;
}

/* From here on the state of `after` answers to the key that its forerunner had. */
static void compare_states(struct side *before, struct side *after, struct diff *d)
{
	const struct simulation *s = &before->m->simulation;

	for (size_t i = 0; i < s->kept_count; i++) {
		cleanup(buf_release) struct buf b = { 0 };
		uint32_t nr = s->kept[i];

		if (map_find(&after->by_key, before->keys[nr]))
			continue;
		uint32_t heir =
			stranger_at(after, before, before->m->states[nr]->seen.url);
		add_state_words(&b, before->m, nr);
		if (heir == STATE_UNSEEN) {
			add_item(d, DIFF_STATE, DIFF_GONE, &b);
			continue;
		}
		after->keys[heir] = before->keys[nr];
		*map_add(&after->by_key, before->keys[nr], NULL) = heir;
		buf_addf(&b, " is now %u, %.3f away", heir,
			 path_distance(&before->m->states[nr]->identity,
				       &after->m->states[heir]->identity));
		add_item(d, DIFF_STATE, DIFF_CHANGED, &b);
	}
	for (size_t i = 0; i < after->m->simulation.kept_count; i++) {
		cleanup(buf_release) struct buf b = { 0 };
		uint32_t nr = after->m->simulation.kept[i];

		if (map_find(&before->by_key, after->keys[nr]))
			continue;
		add_state_words(&b, after->m, nr);
		add_item(d, DIFF_STATE, DIFF_ADDED, &b);
	}
}

static const struct candidate *element_of(const struct model *m, const struct deed *e)
{
	return &m->states[e->state]->seen.candidates[e->candidate];
}

static void key_edges(struct side *s)
{
	const struct simulation *g = &s->m->simulation;

	for (size_t i = 0; i < g->edge_count; i++) {
		const struct deed *e = &s->m->deeds[g->edges[i].action];
		const struct candidate *c = element_of(s->m, e);
		uint64_t hash = mix(s->keys[g->edges[i].from], e->event);

		hash = hash64_seeded(c->text, hash64_seeded(c->tag, hash));
		s->edge_keys[i] = free_key(&s->actions, hash);
		*map_add(&s->actions, s->edge_keys[i], NULL) = i;
	}
}

static void add_edge_words(struct buf *b, const struct model *m, size_t edge)
{
	const struct transition *t = &m->simulation.edges[edge];
	const struct deed *e = &m->deeds[t->action];
	const struct candidate *c = element_of(m, e);

	buf_addf(b, "%u -> %u ", t->from, t->to);
	buf_add(b, event_name((enum event_kind)e->event));
	buf_add_char(b, ' ');
	buf_add(b, c->tag);
	buf_add(b, STR(" \""));
	buf_add(b, c->text);
	buf_add_char(b, '"');
}

static void compare_edges(struct side *before, struct side *after, struct diff *d)
{
	const struct simulation *old = &before->m->simulation,
				*new = &after->m->simulation;

	key_edges(before);
	key_edges(after);
	for (size_t i = 0; i < old->edge_count; i++) {
		cleanup(buf_release) struct buf b = { 0 };
		const uint64_t *at = map_find(&after->actions, before->edge_keys[i]);

		if (at &&
		    before->keys[old->edges[i].to] == after->keys[new->edges[*at].to])
			continue;
		add_edge_words(&b, before->m, i);
		if (at)
			buf_addf(&b, " leads to %u now", new->edges[*at].to);
		add_item(d, DIFF_EDGE, at ? DIFF_CHANGED : DIFF_GONE, &b);
	}
	for (size_t i = 0; i < new->edge_count; i++) {
		cleanup(buf_release) struct buf b = { 0 };

		if (map_find(&before->actions, after->edge_keys[i]))
			continue;
		add_edge_words(&b, after->m, i);
		add_item(d, DIFF_EDGE, DIFF_ADDED, &b);
	}
}

static bool has_line(struct str text, struct str line)
{
	struct str other;

	while (str_take_line(&text, &other))
		if (str_eq(other, line))
			return true;
	return false;
}

/* Problems of `of` that the same state of `in` does not have. */
static void compare_problems(const struct side *of, const struct side *in,
			     enum diff_what what, struct diff *d)
{
	for (size_t i = 0; i < of->m->simulation.kept_count; i++) {
		uint32_t nr = of->m->simulation.kept[i];
		struct str text = buf_str(&of->problems[nr]), line;
		const uint64_t *at = map_find(&in->by_key, of->keys[nr]);
		struct str known = at ? buf_str(&in->problems[*at]) : STR("");

		while (str_take_line(&text, &line)) {
			cleanup(buf_release) struct buf b = { 0 };

			if (has_line(known, line) || has_line(text, line))
				continue;
			buf_addf(&b, "%u ", nr);
			buf_add(&b, line);
			add_item(d, DIFF_PROBLEM, what, &b);
		}
	}
}

void diff_make(const struct model *before, const struct model *after, struct diff *ret)
{
	cleanup(close_side) struct side a, b;

	*ret = (struct diff){ 0 };
	open_side(&a, before);
	open_side(&b, after);
	compare_states(&a, &b, ret);
	compare_edges(&a, &b, ret);
	compare_problems(&b, &a, DIFF_ADDED, ret);
	compare_problems(&a, &b, DIFF_GONE, ret);
}

void diff_release(struct diff *d)
{
	free(d->items);
	arena_release(&d->bytes);
	*d = (struct diff){ 0 };
}
