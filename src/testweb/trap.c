#include "testweb/trap.h"

#include "base/encode.h"

const char *const trap_names[TRAPS] = {
	"calendar", "path",   "facets",  "loop", "ladder",
	"echo",     "random", "soft404", "grid",
};

uint32_t trap_choose(uint32_t allowed, enum site_kind kind, uint64_t r)
{
	uint32_t chosen = allowed & (uint32_t)r;

	/* Shops live by their filters. */
	if (kind == KIND_SHOP)
		chosen |= allowed & (1u << TRAP_FACETS | 1u << TRAP_GRID);
	else if (kind != KIND_GALLERY)
		chosen &= ~(1u << TRAP_FACETS);
	return chosen;
}

static const char *const facet_names[] = { "brand",    "color",  "size",  "price",
					   "material", "rating", "stock", "year" };
static const char *const grid_sorts[] = { "name", "date", "price", "rating" };
static const unsigned grid_limits[] = { 10, 25, 50, 100 };

/* A selection is four bits a facet: 0 for none, else the number of the value. */
static void format_facets(const struct world *w, const struct place *p, struct draft *d)
{
	const struct site *s = &w->sites[p->site];

	draft_add(d, STR("/find"));
	draft_param(d, "cat", category_name(w, s, p->item));
	for (unsigned i = 0; i < COUNT(facet_names); i++)
		if (p->nonce >> 4 * i & 15)
			draft_param_uint(d, facet_names[i], p->nonce >> 4 * i & 15);
}

static bool find_category(const struct world *w, const struct site *s, struct str name,
			  uint32_t *ret)
{
	for (uint32_t c = 0; c < s->categories; c++)
		if (str_eq(category_name(w, s, c), name))
			return *ret = c, true;
	return false;
}

static bool parse_facets(const struct world *w, struct target *t, struct place *p)
{
	struct str cat;
	uint64_t v;

	p->sub = TRAP_FACETS;
	p->nonce = 0;
	if (!target_take(t, "cat", &cat) ||
	    !find_category(w, &w->sites[p->site], cat, &p->item))
		return false;
	for (unsigned i = 0; i < COUNT(facet_names); i++)
		if (target_take_uint(t, facet_names[i], 15, &v))
			p->nonce |= v << 4 * i;
	return true;
}

/* part = page; nonce = sort + 4 * descending + 8 * limit */
static void format_grid(const struct world *w, const struct place *p, struct draft *d)
{
	draft_add(d, STR("/browse"));
	draft_param(d, "cat", category_name(w, &w->sites[p->site], p->item));
	draft_param(d, "sort", str_from(grid_sorts[p->nonce & 3]));
	draft_param(d, "order", p->nonce & 4 ? STR("desc") : STR("asc"));
	draft_param_uint(d, "limit", grid_limits[p->nonce >> 3 & 3]);
	draft_param_uint(d, "page", p->part + 1);
}

static bool parse_grid(const struct world *w, struct target *t, struct place *p)
{
	struct str cat, sort = { 0 }, order = { 0 };
	uint64_t limit = 10, page = 1;

	p->sub = TRAP_GRID;
	p->nonce = 0;
	if (!target_take(t, "cat", &cat) ||
	    !find_category(w, &w->sites[p->site], cat, &p->item))
		return false;
	(void)target_take(t, "sort", &sort);
	(void)target_take(t, "order", &order);
	(void)target_take_uint(t, "limit", 1000, &limit);
	(void)target_take_uint(t, "page", 1u << 20, &page);
	for (unsigned i = 0; i < 4; i++) {
		if (str_eq(sort, str_from(grid_sorts[i])))
			p->nonce |= i;
		if (limit == grid_limits[i])
			p->nonce |= (uint64_t)i << 3;
	}
	p->nonce |= str_eq(order, STR("desc")) ? 4 : 0;
	p->part = page ? (uint32_t)page - 1 : 0;
	return true;
}

static void format_path(const struct place *p, struct draft *d)
{
	draft_add(d, STR("/explore/"));
	for (uint32_t i = 0; i < p->part; i++)
		draft_add(d, STR("more/"));
}

static void format_random(const struct place *p, struct draft *d)
{
	char text[16];

	for (unsigned i = 0; i < 16; i++)
		text[i] = "0123456789abcdef"[p->nonce >> (60 - 4 * i) & 15];
	draft_add(d, STR("/r/"));
	draft_add(d, (struct str){ text, 16 });
}

void trap_format(const struct world *w, const struct place *p, struct draft *d)
{
	switch ((enum trap)p->sub) {
	case TRAP_CALENDAR:
		draft_add(d, STR("/calendar/"));
		draft_add_uint(d, p->item / 12);
		draft_add(d, STR("/"));
		draft_add_padded(d, p->item % 12 + 1, 2);
		draft_add(d, STR("/"));
		break;
	case TRAP_PATH:
		format_path(p, d);
		break;
	case TRAP_FACETS:
		format_facets(w, p, d);
		break;
	case TRAP_LOOP:
	case TRAP_LADDER:
		draft_add(d, p->sub == TRAP_LOOP ? STR("/loop/") : STR("/ladder/"));
		draft_add_uint(d, p->item);
		break;
	case TRAP_ECHO:
		draft_add(d, STR("/search"));
		draft_param(d, "q", category_name(w, &w->sites[p->site], p->item));
		break;
	case TRAP_RANDOM:
		format_random(p, d);
		break;
	case TRAP_SOFT_404:
		draft_add(d, STR("/no-such-page/"));
		draft_add_uint(d, p->nonce);
		break;
	case TRAP_GRID:
		format_grid(w, p, d);
		break;
	case TRAPS:
		break;
	}
}

static bool parse_calendar(const struct target *t, struct place *p)
{
	uint64_t year, month;

	p->sub = TRAP_CALENDAR;
	if (t->n_segments != 3 || !str_to_uint(t->segments[1], 100000, &year) ||
	    !str_to_uint(t->segments[2], 12, &month) || month == 0)
		return false;
	p->item = (uint32_t)(year * 12 + month - 1);
	return true;
}

static bool parse_step(const struct target *t, struct place *p, enum trap trap)
{
	uint64_t nr;

	p->sub = (uint8_t)trap;
	if (t->n_segments != 2 || !str_to_uint(t->segments[1], UINT32_MAX - 1, &nr))
		return false;
	p->item = (uint32_t)nr;
	return true;
}

static bool parse_path_trap(const struct target *t, struct place *p)
{
	for (unsigned i = 1; i < t->n_segments; i++)
		if (!str_eq(t->segments[i], STR("more")))
			return false;
	p->sub = TRAP_PATH;
	p->part = t->depth - 1;
	return true;
}

static bool parse_random(const struct target *t, struct place *p)
{
	struct str text = target_segment(t, 1);

	if (t->n_segments != 2 || text.n != 16)
		return false;
	p->sub = TRAP_RANDOM;
	p->nonce = 0;
	for (size_t i = 0; i < 16; i++) {
		int v = ascii_hex_value(text.p[i]);

		if (v < 0)
			return false;
		p->nonce = p->nonce << 4 | (uint64_t)v;
	}
	return true;
}

static bool parse_echo(struct target *t, struct place *p)
{
	struct str q;

	if (!target_take(t, "q", &q))
		return false;
	p->sub = TRAP_ECHO;
	p->nonce = hash64(q);
	return true;
}

bool trap_parse(const struct world *w, struct target *t, struct place *ret)
{
	struct str first = target_segment(t, 0);
	struct place p = { .site = ret->site, .view = VIEW_TRAP };
	bool ok = false;

	if (str_eq(first, STR("calendar")))
		ok = parse_calendar(t, &p);
	else if (str_eq(first, STR("explore")))
		ok = parse_path_trap(t, &p);
	else if (str_eq(first, STR("find")))
		ok = parse_facets(w, t, &p);
	else if (str_eq(first, STR("loop")))
		ok = parse_step(t, &p, TRAP_LOOP);
	else if (str_eq(first, STR("ladder")))
		ok = parse_step(t, &p, TRAP_LADDER);
	else if (str_eq(first, STR("search")))
		ok = parse_echo(t, &p);
	else if (str_eq(first, STR("r")))
		ok = parse_random(t, &p);
	else if (str_eq(first, STR("browse")))
		ok = parse_grid(w, t, &p);
	ok = ok && w->sites[p.site].traps & 1u << p.sub;
	if (ok)
		*ret = p;
	return ok;
}

#define TODAY (2025u * 12)

struct place trap_entry(const struct world *w, uint32_t site, enum trap trap,
			uint64_t from)
{
	struct place p = { .site = site, .view = VIEW_TRAP, .sub = (uint8_t)trap };
	uint64_t h = hash_mix(w->sites[site].key + from + trap);

	switch (trap) {
	case TRAP_CALENDAR:
		p.item = TODAY;
		break;
	case TRAP_FACETS:
	case TRAP_GRID:
	case TRAP_ECHO:
		p.item = (uint32_t)(h % w->sites[site].categories);
		break;
	case TRAP_RANDOM:
	case TRAP_SOFT_404:
		p.nonce = h;
		break;
	default:
		break;
	}
	return p;
}
