#include "html/tagpath.h"

#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "html/html_traits.h"
#include "record/page.h"

/* How far down an unclosed element, or one of unknown name, is looked for. */
#define SEARCH_MAX 32

void tagpath_start(struct tagpath *t)
{
	t->n = t->over = 0;
	t->cut = false;
	memset(t->open, 0, sizeof(t->open));
	t->entries[0] = (struct tagpath_entry){ .hashed = true };
}

static void pop_to(struct tagpath *t, size_t n)
{
	for (; t->n > n || (t->n && t->entries[t->n].closed); t->n--)
		t->open[t->entries[t->n].tag] -= !t->entries[t->n].closed;
}

/* A number for the name, the same whatever its case and whatever our tables are. */
static uint64_t name_number(const struct tagpath_entry *e)
{
	char lower[32];
	size_t n = MIN(e->name.n, sizeof(lower));

	if (e->tag != TAG_OTHER)
		return html_tag_names[e->tag].key + html_tag_names[e->tag].n;
	for (size_t i = 0; i < n; i++)
		lower[i] = ascii_lower(e->name.p[i]);
	return hash64((struct str){ lower, n });
}

static void hash_below(struct tagpath_entry *e, const struct tagpath_entry *up)
{
	uint64_t name = name_number(e);
	struct str class = str_trim(e->class);

	e->tags = hash_mix(up->tags + name);
	e->classes = hash_mix(up->classes + name + (class.n ? hash64(class) : 0));
	e->hashed = true;
}

/* Hash the entry and all above it that are not yet. */
static const struct tagpath_entry *hashed(struct tagpath *t,
					  const struct tagpath_entry *e)
{
	bool is_passing = e == &t->passing;
	size_t last = is_passing ? t->n : (size_t)(e - t->entries), first = last;

	while (!t->entries[first].hashed)
		first--;
	while (first++ < last)
		hash_below(&t->entries[first], &t->entries[first - 1]);
	if (is_passing && !e->hashed)
		hash_below(&t->passing, &t->entries[last]);
	return e;
}

uint64_t tagpath_tags(struct tagpath *t, const struct tagpath_entry *e)
{
	return e->hashed ? e->tags : hashed(t, e)->tags;
}

uint64_t tagpath_classes(struct tagpath *t, const struct tagpath_entry *e)
{
	return e->hashed ? e->classes : hashed(t, e)->classes;
}

static uint16_t region_of_role(struct str role)
{
	static const struct {
		struct str role;
		uint16_t region;
	} roles[] = {
		{ { "navigation", 10 }, REGION_NAV },
		{ { "banner", 6 }, REGION_HEADER },
		{ { "contentinfo", 11 }, REGION_FOOTER },
		{ { "complementary", 13 }, REGION_ASIDE },
		{ { "main", 4 }, REGION_MAIN },
		{ { "article", 7 }, REGION_ARTICLE },
		{ { "search", 6 }, REGION_FORM },
		{ { "menu", 4 }, REGION_NAV },
		{ { "menubar", 7 }, REGION_NAV },
		{ { "dialog", 6 }, REGION_ASIDE },
	};

	for (size_t i = 0; i < COUNT(roles); i++)
		if (str_eq_nocase(role, roles[i].role))
			return roles[i].region;
	return 0;
}

/* End what this start tag ends: <li> an open <li>, a block an open <p> ... */
static void close_implied(struct tagpath *t, const struct html_traits *x)
{
	size_t low = t->n > SEARCH_MAX ? t->n - SEARCH_MAX : 0, target = 0;

	for (size_t i = t->n; i > low; i--) {
		uint16_t group = html_traits[t->entries[i].tag].group;

		if (t->entries[i].closed)
			continue;
		if (group & x->closes)
			target = i;
		if (group & x->until)
			break;
	}
	if (target)
		pop_to(t, target - 1);
}

/* What attributes say of an element. */
static __attribute__((noinline)) void fill_attrs(struct tagpath_entry *e,
						 const struct html_token *k)
{
	for (size_t i = k->n_attrs; i-- > 0;) { /* backwards: the first class stays */
		const struct html_attr *a = &k->attrs[i];

		if (a->id == ATTR_CLASS)
			e->class = a->value;
		else if (a->id == ATTR_ROLE)
			e->region |= region_of_role(a->value);
		else if (a->id == ATTR_HIDDEN)
			e->region |= REGION_HIDDEN;
	}
}

static inline void fill(struct tagpath_entry *e, uint16_t region,
			const struct html_token *k)
{
	e->name = k->name;
	e->class = (struct str){ "", 0 };
	e->tag = k->tag;
	e->closed = e->hashed = false;
	e->region = region | html_traits[k->tag].region;
	if (k->attr_set &
	    (HTML_ATTR(ATTR_CLASS) | HTML_ATTR(ATTR_ROLE) | HTML_ATTR(ATTR_HIDDEN)))
		fill_attrs(e, k);
}

const struct tagpath_entry *tagpath_open(struct tagpath *t, const struct html_token *k)
{
	const struct html_traits *x = &html_traits[k->tag];

	if (x->closes && !k->in_foreign)
		close_implied(t, x);
	bool is_passing = (x->is & IS_VOID) || (k->in_foreign && k->self_closing);
	struct tagpath_entry *top = &t->entries[t->n], *e = top + 1;

	if (is_passing || t->n == TAGPATH_DEPTH_MAX) {
		t->over += !is_passing;
		t->cut |= !is_passing;
		e = &t->passing;
	} else {
		t->open[k->tag]++;
		t->n++;
	}
	fill(e, top->region, k);
	return e;
}

static bool is_same(const struct tagpath_entry *e, const struct html_token *k)
{
	return e->tag == k->tag && !e->closed &&
	       (k->tag != TAG_OTHER || str_eq_nocase(e->name, k->name));
}

/* May an end tag reach past this entry to the one it closes? */
static bool is_barrier(const struct html_traits *of, const struct tagpath_entry *e)
{
	const struct html_traits *x = &html_traits[e->tag];

	if (of->is & IS_FORMAT)
		return false;
	if (!(of->is & IS_BLOCK))
		return x->is & (IS_BLOCK | IS_SCOPE);
	/* Inside a cell only what belongs to tables closes what is outside. */
	return (x->is & IS_SCOPE) &&
	       !(of->group & (GROUP_TABLE | GROUP_ROWS | GROUP_ROW | GROUP_CELL));
}

void tagpath_close(struct tagpath *t, const struct html_token *k)
{
	const struct html_traits *x = &html_traits[k->tag];
	size_t low = k->tag == TAG_OTHER && t->n > SEARCH_MAX ? t->n - SEARCH_MAX : 0;
	bool crossed_block = false;

	if (t->over && !(x->is & IS_VOID)) {
		t->over--;
		return;
	}
	if (!t->open[k->tag])
		return;
	/* Nine times out of ten it is the one opened last. */
	if (t->entries[t->n].tag == k->tag && k->tag != TAG_OTHER &&
	    !t->entries[t->n].closed) {
		tagpath_close_top(t);
		return;
	}
	for (size_t i = t->n; i > low; i--) {
		struct tagpath_entry *e = &t->entries[i];

		if (is_same(e, k)) {
			if (crossed_block && (x->is & IS_FORMAT)) {
				e->closed = true;
				t->open[k->tag]--;
			} else {
				pop_to(t, i - 1);
			}
			return;
		}
		if (e->closed)
			continue;
		if (is_barrier(x, e))
			return;
		crossed_block |= html_traits[e->tag].is & IS_BLOCK;
	}
}

/* Elements are many, different ways few: only these are kept, and sorted at the end. */
struct ways {
	uint64_t *slots; /* open addressing, a power of two, half full; 0 is free */
	size_t n, cap, max;
	struct arena *arena;
};

static uint64_t *find_slot(uint64_t *slots, size_t cap, uint64_t way)
{
	size_t i = way & (cap - 1);

	while (slots[i] && slots[i] != way)
		i = (i + 1) & (cap - 1);
	return &slots[i];
}

static void grow_ways(struct ways *w)
{
	size_t cap = w->cap ? 4 * w->cap : 256;
	uint64_t *slots = arena_alloc(w->arena, cap * sizeof(*slots));

	memset(slots, 0, cap * sizeof(*slots));
	for (size_t i = 0; i < w->cap; i++)
		if (w->slots[i])
			*find_slot(slots, cap, w->slots[i]) = w->slots[i];
	w->slots = slots;
	w->cap = cap;
}

static void add_way(struct ways *w, uint64_t way)
{
	way += way == 0;
	if (2 * w->n >= w->cap)
		grow_ways(w);
	uint64_t *slot = find_slot(w->slots, w->cap, way);

	if (!*slot && w->n < w->max) {
		*slot = way;
		w->n++;
	}
}

static void sort_ways(const struct ways *w, uint64_t **ret, size_t *ret_n)
{
	uint64_t *v = arena_alloc(w->arena, 2 * w->n * sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < w->cap; i++)
		if (w->slots[i])
			v[n++] = w->slots[i];
	sort_u64(v, v + n, n);
	*ret = v;
	*ret_n = n;
}

void tagpath_set(struct str html, enum tagpath_with with, size_t max, struct arena *a,
		 uint64_t **ret, size_t *ret_n)
{
	struct html_tokenizer *z = arena_alloc(a, sizeof(*z));
	struct tagpath *t = arena_alloc(a, sizeof(*t));
	struct html_token k;
	struct ways w = { .max = max, .arena = a };

	html_start(z, html);
	tagpath_start(t);
	while (html_next(z, &k)) {
		if (k.kind == HTML_START_TAG) {
			const struct tagpath_entry *e = tagpath_open(t, &k);

			add_way(&w, with == TAGPATH_TAGS ? tagpath_tags(t, e)
							 : tagpath_classes(t, e));
		} else if (k.kind == HTML_END_TAG) {
			tagpath_close(t, &k);
		}
	}
	sort_ways(&w, ret, ret_n);
}

bool tagpath_is_void(enum html_tag tag)
{
	return html_traits[tag].is & IS_VOID;
}
