#include "testweb/truth.h"

#include "testweb/feeds.h"
#include "testweb/link.h"
#include "testweb/noise.h"
#include "testweb/trap.h"
#include "testweb/trouble.h"
#include "testweb/way.h"

const char *const class_names[CLASSES] = {
	"page",       "lookalike", "listing", "near",    "alias",
	"redirect",   "trap",      "trouble", "noindex", "action",
	"disallowed", "feed",      "asset",   "missing", "outside",
};

/* site 17 bits, view 5, then category 12 and page 20, or item 24 and part 18 */
static uint64_t pack(uint32_t site, const struct place *p)
{
	uint64_t rest = p->view == VIEW_LIST
				? (uint64_t)p->item << 20 | p->part
				: (uint64_t)p->item << 18 | (p->part & 0x3ffff);

	return (uint64_t)site << 47 | (uint64_t)p->view << 42 | rest;
}

static const uint16_t edit_steps[] = { 5, 10, 20, 50, 100, 200 };

struct item_root item_root(const struct world *w, uint32_t site, uint32_t item)
{
	const struct site *s = &w->sites[site];
	uint64_t h = item_hash(s, item, ABOUT_NEAR);
	struct item_root root = { site, item, 0 };

	/* The item of the group of eight that is copied is never itself a copy. */
	if (item % 8 == 7 && h & 1 && s->kind != KIND_FORUM && s->kind != KIND_GALLERY) {
		root.item = item - 1 - (uint32_t)(h >> 8) % 4;
		root.edit_permille = edit_steps[(h >> 16) % COUNT(edit_steps)];
	} else if (item % 16 == 5 && h & 1 && s->kind == KIND_NEWS &&
		   w->agency != NO_SITE && s->origin != w->agency) {
		const struct site *agency = &w->sites[w->agency];
		uint32_t story = (uint32_t)((h >> 16) % agency->n_items) & ~7u;

		root.site = w->agency;
		root.item = story;
		root.edit_permille = edit_steps[(h >> 40) % COUNT(edit_steps)];
	}
	if (root.edit_permille &&
	    (item_language(&w->sites[root.site], root.item) != item_language(s, item) ||
	     item_hash(&w->sites[root.site], root.item, ABOUT_BIRTH) % 12 == 0 ||
	     item_hash(&w->sites[root.site], root.item, ABOUT_BIRTH) % 40 == 1))
		return (struct item_root){ site, item,
					   0 }; /* the root must be there always */
	return root;
}

uint32_t item_family(const struct site *s, uint32_t item)
{
	if (s->kind != KIND_SHOP || item % 4 == 0 || item % 4 == 3 ||
	    item_hash(s, item - item % 4, ABOUT_VARIANT) & 1)
		return item;
	return item - item % 4;
}

static bool looks_alike(const struct site *s, const struct place *p)
{
	if (p->view == VIEW_PROFILE || s->kind == KIND_GALLERY)
		return true;
	return p->view == VIEW_ITEM && item_family(s, p->item) != p->item;
}

bool truth_redirect(const struct world *w, const struct place *p, struct place *ret)
{
	const struct site *s = &w->sites[p->site];

	*ret = place_canonical(*p);
	if (p->view <= VIEW_ARCHIVE && p->alias & s->redirects)
		return true;
	if (p->view == VIEW_SHORT) {
		ret->view = VIEW_ITEM;
		return true;
	}
	if (p->view == VIEW_TRAP && (p->sub == TRAP_LOOP || p->sub == TRAP_LADDER)) {
		ret->item = p->sub == TRAP_LOOP ? (p->item + 1) % 4 : p->item + 1;
		return true;
	}
	return false;
}

static void judge_item(const struct world *w, const struct place *p, struct truth *t)
{
	const struct site *s = world_content(w, p->site);
	struct item_root root = item_root(w, s->origin, p->item);

	if (!item_exists(w, s, p->item)) {
		t->class = CLASS_MISSING;
		return;
	}
	if (root.edit_permille) {
		struct place at = { .view = VIEW_ITEM, .item = root.item };

		t->class = CLASS_NEAR;
		t->edit_permille = (uint16_t)root.edit_permille;
		t->cluster = pack(root.site, &at);
		return;
	}
	t->class = looks_alike(s, p) ? CLASS_LOOKALIKE : CLASS_PAGE;
	t->must_keep = true;
}

static void judge_revision(const struct place *p, const struct site *s, struct truth *t)
{
	struct place current = { .view = VIEW_ITEM, .item = p->item };

	t->class = CLASS_NEAR;
	t->edit_permille = (uint16_t)(30 * (p->part + 1));
	t->cluster = pack(s->origin, &current);
}

static void judge_view(const struct world *w, const struct place *p, struct truth *t)
{
	const struct site *s = world_content(w, p->site);

	switch ((enum view)p->view) {
	case VIEW_ITEM:
		judge_item(w, p, t);
		break;
	case VIEW_FRONT:
	case VIEW_LIST:
		t->class = CLASS_LISTING;
		t->must_keep = true;
		break;
	case VIEW_PROFILE:
	case VIEW_ABOUT:
		t->class = p->view == VIEW_ABOUT ? CLASS_PAGE : CLASS_LOOKALIKE;
		t->must_keep = true;
		break;
	case VIEW_REVISION:
		if (item_exists(w, s, p->item))
			judge_revision(p, s, t);
		break;
	case VIEW_ARCHIVE:
		t->class = CLASS_NOINDEX;
		break;
	case VIEW_ACTION:
		t->class = CLASS_ACTION;
		break;
	case VIEW_PRIVATE: /* allowed after all, where robots.txt cannot be read */
		t->class = robots_forbids(w, p) ? CLASS_DISALLOWED : CLASS_NOINDEX;
		break;
	case VIEW_HIDDEN:
		t->class = CLASS_PAGE;
		t->must_keep = true;
		break;
	case VIEW_GO:
	case VIEW_SHORT:
	case VIEW_DOOR:
		t->class = CLASS_REDIRECT;
		break;
	case VIEW_TRAP:
		t->class = CLASS_TRAP;
		break;
	case VIEW_TROUBLE:
		t->class = CLASS_TROUBLE;
		break;
	case VIEW_ROBOTS:
	case VIEW_SITEMAP_INDEX:
	case VIEW_SITEMAP:
	case VIEW_RSS:
	case VIEW_ATOM:
	case VIEW_MAP:
		t->class = CLASS_FEED;
		break;
	case VIEW_ASSET:
		t->class = CLASS_ASSET;
		break;
	case VIEW_CONTROL:
		t->class = CLASS_OUTSIDE;
		break;
	default:
		t->class = s->flags & SITE_SOFT_404 ? CLASS_TRAP : CLASS_MISSING;
	}
}

/* Within a trap all is one cluster, whatever the numbers in the URL. */
static uint64_t page_of(uint32_t origin, const struct place *p)
{
	struct place at = *p;

	if (p->view == VIEW_TRAP) {
		at.item = p->sub;
		at.part = 0;
	} else if (p->view == VIEW_MISSING) {
		at.item = at.part = 0;
	} else if (p->view == VIEW_ACTION) {
		at.item = 0;
	} else if (p->view == VIEW_TROUBLE || p->view == VIEW_ASSET ||
		   p->view == VIEW_SITEMAP) {
		at.part = p->sub;
	}
	return pack(origin, &at);
}

static bool is_content(unsigned class)
{
	return class <= CLASS_NEAR || class == CLASS_NOINDEX;
}

struct truth truth_of(const struct world *w, const struct place *p)
{
	struct truth t = { .class = CLASS_MISSING };
	struct place goal;

	if (p->site == NO_SITE)
		return (struct truth){ .class = CLASS_OUTSIDE };
	const struct site *s = &w->sites[p->site];
	t.page = t.cluster = page_of(s->origin, p);
	judge_view(w, p, &t);
	if (s->flags & SITE_CLOSED || w->sites[s->origin].flags & SITE_CLOSED)
		t.must_keep = false;
	if (!is_content(t.class))
		return t;
	t.families = p->alias | (s->origin != p->site ? ALIAS_MIRROR : 0);
	/* Links that carry the session id, and hosts written out, differ with the URL. */
	t.equal = !(t.families & (ALIAS_VIEWS | ALIAS_SESSION | ALIAS_MIRROR)) &&
		  s->noise == 0;
	if (t.families) {
		t.class = truth_redirect(w, p, &goal) ? CLASS_REDIRECT : CLASS_ALIAS;
		t.must_keep = false;
		t.edit_permille = 0;
	}
	return t;
}

int truth_way(uint64_t page)
{
	return (page >> 42 & 31) == VIEW_HIDDEN
		       ? (int)way_of((uint32_t)(page >> 18 & 0xffffff))
		       : -1;
}

void truth_write_page(const struct world *w, uint64_t page, struct buf *to)
{
	unsigned view = page >> 42 & 31;
	uint64_t rest = page & ((1ull << 42) - 1);
	uint64_t item = view == VIEW_LIST ? rest >> 20 : rest >> 18;
	uint64_t part = view == VIEW_LIST ? rest & 0xfffff : rest & 0x3ffff;

	(void)w;
	buf_add_uint(to, page >> 47);
	buf_add_char(to, '.');
	buf_add(to, str_from(view < VIEWS ? view_names[view] : "?"));
	if (view == VIEW_TRAP)
		return buf_addf(to, ".%s", trap_names[item % TRAPS]);
	buf_addf(to, ".%u.%u", (unsigned)item, (unsigned)part);
}

void truth_write_detail(const struct world *w, const struct place *p,
			const struct truth *t, struct buf *to)
{
	bool first = true;

	(void)w;
	if (t->class == CLASS_TRAP)
		return buf_add(to, str_from(p->view == VIEW_TRAP ? trap_names[p->sub]
								 : "soft404"));
	if (t->class == CLASS_TROUBLE)
		return buf_add(to, str_from(trouble_names[p->sub]));
	if (t->class == CLASS_NEAR)
		return buf_addf(to, "%s %u.%u%%",
				p->view == VIEW_REVISION ? "revision" : "edit",
				t->edit_permille / 10u, t->edit_permille % 10u);
	if (t->class == CLASS_REDIRECT && p->view == VIEW_GO)
		return buf_add(to, STR("meta"));
	if (p->view == VIEW_HIDDEN || p->view == VIEW_DOOR) {
		buf_add(to, str_from(p->view == VIEW_DOOR ? "door " : "only by "));
		buf_add(to, str_from(way_names[way_of(p->item)]));
		first = false;
	}
	for (unsigned i = 0; i < ALIASES; i++)
		if (t->families & 1u << i) {
			if (!first)
				buf_add_char(to, '+');
			buf_add(to, str_from(alias_names[i]));
			first = false;
		}
}
