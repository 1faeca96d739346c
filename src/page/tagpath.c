#include "page/tagpath.h"

#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "page/html_traits.h"
#include "record/page.h"

/* How far down an unclosed element, or one of unknown name, is looked for. */
#define SEARCH_MAX 32

void tagpath_start(struct tagpath *t)
{
	t->n = t->over = 0;
	t->cut = false;
	memset(t->open, 0, sizeof(t->open));
	t->entries[0] = (struct tagpath_entry){ 0 };
}

bool tagpath_is_void(enum html_tag tag)
{
	return html_traits[tag].is & IS_VOID;
}

static void pop_to(struct tagpath *t, size_t n)
{
	for (; t->n > n || (t->n && t->entries[t->n].closed); t->n--)
		t->open[t->entries[t->n].tag] -= !t->entries[t->n].closed;
}

/* A number for the name, the same whatever its case and whatever our tables are. */
static uint64_t name_number(const struct html_token *k)
{
	char lower[32];
	size_t n = MIN(k->name.n, sizeof(lower));

	if (k->tag != TAG_OTHER)
		return html_tag_names[k->tag].key + html_tag_names[k->tag].n;
	for (size_t i = 0; i < n; i++)
		lower[i] = ascii_lower(k->name.p[i]);
	return hash64((struct str){ lower, n });
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

/* Take the names and classes of `k` down from `up`. */
static void fill(struct tagpath_entry *e, const struct tagpath_entry *up,
		 const struct html_token *k)
{
	uint64_t name = name_number(k), class = 0;
	uint16_t region = up->region | html_traits[k->tag].region;

	for (size_t i = 0; i < k->n_attrs; i++) {
		const struct html_attr *a = &k->attrs[i];

		if (a->id == ATTR_CLASS && !class)
			class = hash64(str_trim(a->value)) | 1;
		else if (a->id == ATTR_ROLE)
			region |= region_of_role(a->value);
		else if (a->id == ATTR_HIDDEN)
			region |= REGION_HIDDEN;
	}
	e->name = k->name;
	e->tag = k->tag;
	e->closed = false;
	e->region = region;
	e->tags = hash_mix(up->tags + name);
	e->classes = hash_mix(up->classes + name + class);
}

const struct tagpath_entry *tagpath_open(struct tagpath *t, const struct html_token *k)
{
	const struct html_traits *x = &html_traits[k->tag];

	if (x->closes && !k->in_foreign)
		close_implied(t, x);
	if ((x->is & IS_VOID) || (k->in_foreign && k->self_closing)) {
		fill(&t->passing, tagpath_top(t), k);
		return &t->passing;
	}
	if (t->n == TAGPATH_DEPTH_MAX) {
		t->over++;
		t->cut = true;
		fill(&t->passing, tagpath_top(t), k);
		return &t->passing;
	}
	fill(&t->entries[t->n + 1], &t->entries[t->n], k);
	t->open[k->tag]++;
	return &t->entries[++t->n];
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

void tagpath_set(struct str html, enum tagpath_with with, size_t max, struct arena *a,
		 uint64_t **ret, size_t *ret_n)
{
	struct html_tokenizer *z = arena_alloc(a, sizeof(*z));
	struct tagpath *t = arena_alloc(a, sizeof(*t));
	/* No tag is shorter than "<a>". */
	size_t n = 0, kept = 0, room = MIN(max, html.n / 3 + 1);
	uint64_t *ways = arena_alloc(a, 2 * room * sizeof(*ways));
	struct html_token k;

	html_start(z, html);
	tagpath_start(t);
	while (n < room && html_next(z, &k)) {
		if (k.kind == HTML_START_TAG) {
			const struct tagpath_entry *e = tagpath_open(t, &k);

			ways[n++] = with == TAGPATH_TAGS ? e->tags : e->classes;
		} else if (k.kind == HTML_END_TAG) {
			tagpath_close(t, &k);
		}
	}
	sort_u64(ways, ways + room, n);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || ways[i] != ways[kept - 1])
			ways[kept++] = ways[i];
	*ret = ways;
	*ret_n = kept;
}
