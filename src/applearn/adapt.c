#include "applearn/adapt.h"

#include <stdlib.h>

#include "applearn/known_places.h"
#include "base/alloc.h"
#include "base/encode.h"
#include "base/hash.h"

#define CANDIDATES_MAX 40
#define MIN_VOTES      2

/* --- what is known, and what is found --- */

struct lines {
	struct json *roots[2000];
	size_t n;
};

static void lines_release(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++)
		json_release(&l->roots[i]);
	l->n = 0;
}

static void lines_parse(struct lines *to, struct str text, struct str kind)
{
	struct str line;

	while (to->n < COUNT(to->roots) && str_take_line(&text, &line)) {
		struct json *o = NULL;

		if (json_parse(line, &o, NULL) != ST_OK)
			continue;
		if (str_eq(json_str(json_get(o, "object")), kind))
			to->roots[to->n++] = o;
		else
			json_release(&o);
	}
}

static struct str field_of(const struct json *o, struct str name)
{
	cleanup(buf_release) struct buf key = { 0 };

	buf_add(&key, name);
	return json_str(json_get(o, buf_cstr(&key)));
}

struct tally_f1 {
	size_t known, found, right;
};

static double f1(const struct tally_f1 *t)
{
	return t->known + t->found
		       ? 2.0 * (double)t->right / (double)(t->known + t->found)
		       : 1;
}

/* Each known value once, wherever it stands: order is the template's. */
static void compare(const struct lines *known, const struct lines *found, struct str name,
		    struct tally_f1 *to)
{
	cleanup(map_release) struct map values = { 0 };

	for (size_t i = 0; i < known->n; i++) {
		struct str v = field_of(known->roots[i], name);

		if (v.n == 0)
			continue;
		to->known++;
		*map_add(&values, hash64(v), NULL) += 1;
	}
	for (size_t i = 0; i < found->n; i++) {
		struct str v = field_of(found->roots[i], name);
		uint64_t *left = v.n ? map_find(&values, hash64(v)) : NULL;

		to->found += v.n > 0;
		if (left && *left > 0) {
			--*left;
			to->right++;
		}
	}
}

struct trial {
	const struct app_library *library;
	struct app_level level; /* a copy with one object of ours */
	struct app_object object;
	const struct adapt_page *pages;
	size_t n;
	struct lines *known, *found;
	struct buf text;
};

static void run_trial(struct trial *t, size_t page)
{
	struct app_verdict v = t->pages[page].verdict;

	v.level = &t->level;
	lines_release(t->found);
	buf_reset(&t->text);
	app_extract(t->library, &v, &t->pages[page].page, &t->text);
	lines_parse(t->found, buf_str(&t->text), t->object.id);
}

static void load_known(struct trial *t, size_t page)
{
	lines_release(t->known);
	lines_parse(t->known, t->pages[page].objects, t->object.id);
}

/* How well do the fields of the object, as they are now, give the known values? */
static double measure(struct trial *t, const struct app_field *only)
{
	double sum = 0;
	size_t fields = 0;

	for (size_t f = 0; f < t->object.n_fields; f++) {
		struct tally_f1 tally = { 0 };

		if (only && &t->object.fields[f] != only)
			continue;
		for (size_t p = 0; p < t->n; p++) {
			load_known(t, p);
			run_trial(t, p);
			compare(t->known, t->found, t->object.fields[f].name, &tally);
		}
		if (tally.known == 0)
			continue;
		sum += f1(&tally);
		fields++;
	}
	return fields ? sum / (double)fields : 0;
}

/* --- an object's place: each known object is inside exactly one --- */

/* By its longest value: short ones stand everywhere. */
static bool holds(struct str text, const struct json *known, const struct app_object *o)
{
	size_t longest = 0;
	struct str value = STR("");

	for (size_t f = 0; f < o->n_fields; f++) {
		struct str v = field_of(known, o->fields[f].name);

		longest = MAX(longest, v.n);
		if (v.n == longest)
			value = v;
	}
	return value.n > 0 && str_find(text, value) != STR_NONE;
}

static double measure_places(struct trial *t, const struct app_object *whole)
{
	struct tally_f1 tally = { 0 };

	for (size_t p = 0; p < t->n; p++) {
		load_known(t, p);
		run_trial(t, p);
		tally.known += t->known->n;
		tally.found += t->found->n;
		/* Both are in the order of the page; a place has one object. */
		size_t at = 0;
		for (size_t i = 0; i < t->found->n && at < t->known->n; i++) {
			struct str text = field_of(t->found->roots[i], STR("all"));

			if (!holds(text, t->known->roots[at], whole))
				continue;
			tally.right++;
			at++;
		}
	}
	return f1(&tally);
}

/* --- candidates --- */

struct candidates {
	struct str v[CANDIDATES_MAX];
	size_t n;
};

static void add_candidate(struct candidates *c, struct str text)
{
	for (size_t i = 0; i < c->n; i++)
		if (str_eq(c->v[i], text))
			return;
	if (c->n < CANDIDATES_MAX && text.n > 0 && xpath_check(text, NULL) == ST_OK)
		c->v[c->n++] = text;
}

/* The old expression without one of its conditions, and without all. */
static void add_relaxed(struct candidates *c, struct str old, struct arena *a)
{
	cleanup(buf_release) struct buf bare = { 0 };
	size_t depth = 0;

	add_candidate(c, old);
	for (size_t i = 0; i < old.n; i++) {
		size_t end = i, open = 0;

		if (old.p[i] != '[')
			continue;
		for (; end < old.n; end++) {
			open += old.p[end] == '[';
			if (old.p[end] == ']' && --open == 0)
				break;
		}
		cleanup(buf_release) struct buf one = { 0 };
		buf_add(&one, str_slice(old, 0, i));
		buf_add(&one, str_skip(old, end + 1));
		add_candidate(c, arena_copy(a, buf_str(&one)));
	}
	for (size_t i = 0; i < old.n; i++) {
		depth += old.p[i] == '[';
		if (depth == 0)
			buf_add_char(&bare, old.p[i]);
		depth -= old.p[i] == ']' && depth > 0;
	}
	add_candidate(c, arena_copy(a, buf_str(&bare)));
}

/* Those with most votes first. */
static void add_voted(struct candidates *c, const struct place_votes *v, struct arena *a)
{
	bool *taken = xcalloc(v->steps.n + 1, sizeof(*taken));

	for (size_t round = 0; round < v->steps.n && c->n < CANDIDATES_MAX; round++) {
		uint32_t best = UINT32_MAX;

		for (uint32_t i = 0; i < v->steps.n; i++)
			if (!taken[i] && (best == UINT32_MAX || v->n[i] > v->n[best]))
				best = i;
		if (best == UINT32_MAX || v->n[best] < MIN_VOTES)
			break;
		taken[best] = true;
		add_candidate(c, arena_copy(a, intern_str(&v->steps, best)));
	}
	free(taken);
}

/* --- repair --- */

static void find_places(struct trial *t, const struct app_object *o,
			struct known_places *places)
{
	struct str names[PLACES_FIELDS];
	size_t n_names = MIN(o->n_fields, (size_t)PLACES_FIELDS);

	for (size_t i = 0; i < n_names; i++)
		names[i] = o->fields[i].name;
	for (size_t p = 0; p < t->n; p++) {
		load_known(t, p);
		known_places_add(places, t->pages[p].page.html,
				 (const struct json *const *)t->known->roots, t->known->n,
				 names, n_names);
	}
}

static struct str best_of(struct trial *t, const struct candidates *c, struct str *slot,
			  struct app_field *field, const struct app_object *whole,
			  double *ret)
{
	struct str best = *slot;

	*ret = -1;
	for (size_t i = 0; i < c->n; i++) {
		*slot = c->v[i];
		double worth = field ? measure(t, field) : measure_places(t, whole);

		if (worth > *ret + 1e-9) {
			*ret = worth;
			best = c->v[i];
		}
	}
	*slot = best;
	return best;
}

static void repair_place(struct trial *t, const struct app_object *o,
			 const struct known_places *places, struct adaptation *ret)
{
	struct app_field all = { .name = STR("all"), .select = STR(".") };
	struct app_field *fields = t->object.fields;
	size_t n_fields = t->object.n_fields;
	struct candidates c = { 0 };
	struct adapt_change change = { .what = o->id, .old = o->select, .line = o->line };

	t->object.fields = &all;
	t->object.n_fields = 1;
	change.before = measure_places(t, o);
	add_relaxed(&c, o->select, &ret->arena);
	add_voted(&c, &places->object, &ret->arena);
	change.made = best_of(t, &c, &t->object.select, NULL, o, &change.after);
	t->object.fields = fields;
	t->object.n_fields = n_fields;
	if (!str_eq(change.made, change.old))
		VEC_ADD(ret->v, ret->n, ret->cap, change);
}

static void repair_field(struct trial *t, const struct app_object *o, size_t nr,
			 const struct known_places *places, struct adaptation *ret)
{
	struct app_field *f = &t->object.fields[nr];
	struct candidates c = { 0 };
	cleanup(buf_release) struct buf what = { 0 };

	buf_addf(&what, STR_FMT "/" STR_FMT, STR_ARG(o->id), STR_ARG(f->name));
	struct adapt_change change = { .what = arena_copy(&ret->arena, buf_str(&what)),
				       .old = f->select,
				       .line = f->line,
				       .before = measure(t, f) };
	if (change.before >= ADAPT_WORKS)
		return;
	add_relaxed(&c, f->select, &ret->arena);
	if (nr < PLACES_FIELDS)
		add_voted(&c, &places->fields[nr], &ret->arena);
	change.made = best_of(t, &c, &f->select, f, o, &change.after);
	if (f->match.n > 0) { /* what it cut off may be gone as well */
		struct app_field old = *f;
		double without;

		f->match = f->to = STR("");
		struct str made = best_of(t, &c, &f->select, f, o, &without);
		if (without > change.after + 1e-9) {
			change.made = made;
			change.after = without;
			change.match = old.match;
			change.to = old.to;
		} else {
			*f = old;
		}
	}
	if (change.after > change.before)
		VEC_ADD(ret->v, ret->n, ret->cap, change);
	else
		f->select = change.old;
}

void adapt_object(const struct app_library *l, const struct app_level *level, size_t kind,
		  const struct adapt_page *pages, size_t n, struct adaptation *ret)
{
	const struct app_object *o = &level->objects[kind];
	struct trial t = { .library = l, .pages = pages, .n = n };
	struct known_places places = { 0 };
	size_t bytes = o->n_fields * sizeof(*o->fields);

	*ret = (struct adaptation){ 0 };
	if (o->n_fields == 0)
		return;
	t.known = NEW(struct lines);
	t.found = NEW(struct lines);
	t.object = *o;
	t.object.fields = arena_alloc(&ret->arena, bytes);
	for (size_t i = 0; i < o->n_fields; i++)
		t.object.fields[i] = o->fields[i];
	t.level = (struct app_level){ .id = level->id,
				      .objects = &t.object,
				      .n_objects = 1 };
	ret->before = ret->after = measure(&t, NULL);
	if (ret->before < ADAPT_TRUSTED) {
		find_places(&t, o, &places);
		repair_place(&t, o, &places, ret);
		for (size_t i = 0; i < o->n_fields; i++)
			repair_field(&t, o, i, &places, ret);
		ret->after = measure(&t, NULL);
	}
	known_places_release(&places);
	lines_release(t.known);
	lines_release(t.found);
	free(t.known);
	free(t.found);
	buf_release(&t.text);
}

void adaptation_release(struct adaptation *a)
{
	free(a->v);
	arena_release(&a->arena);
	*a = (struct adaptation){ 0 };
}

/* --- in the text of the description --- */

/* Replace one attribute in the given line, or else wherever it stands. */
static bool replace_attr(struct buf *text, const char *name, struct str old,
			 struct str made, uint32_t line)
{
	cleanup(buf_release) struct buf before = { 0 }, after = { 0 }, out = { 0 };
	struct str all = buf_str(text);
	size_t at = 0;

	buf_addf(&before, " %s=\"", name);
	buf_add_markup(&before, old);
	buf_add_char(&before, '"');
	if (made.n > 0) {
		buf_addf(&after, " %s=\"", name);
		buf_add_markup(&after, made);
		buf_add_char(&after, '"');
	}
	for (uint32_t n = 1; n < line && at < all.n; at++)
		n += all.p[at] == '\n';
	size_t found = str_find(str_skip(all, at), buf_str(&before));
	if (found == STR_NONE) {
		at = 0;
		found = str_find(all, buf_str(&before));
	}
	if (found == STR_NONE)
		return false;
	buf_add(&out, str_slice(all, 0, at + found));
	buf_add(&out, buf_str(&after));
	buf_add(&out, str_skip(all, at + found + before.n));
	buf_reset(text);
	buf_add(text, buf_str(&out));
	return true;
}

bool adaptation_apply(const struct adaptation *a, struct str xml, struct buf *to)
{
	bool fine = true;

	buf_add(to, xml);
	for (size_t i = 0; i < a->n; i++) {
		const struct adapt_change *c = &a->v[i];

		/* `match` first: it stands on the line, whatever `select` is by now. */
		if (c->match.n > 0)
			fine &= replace_attr(to, "match", c->match, STR(""), c->line) &&
				(c->to.n == 0 ||
				 replace_attr(to, "to", c->to, STR(""), c->line));
		if (!str_eq(c->old, c->made))
			fine &= replace_attr(to, "select", c->old, c->made, c->line);
	}
	return fine;
}
