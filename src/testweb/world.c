#include "testweb/world.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/date.h"
#include "testweb/alias.h"
#include "testweb/kind.h"
#include "testweb/noise.h"
#include "testweb/trap.h"
#include "testweb/trouble.h"

const char *const kind_names[KINDS] = {
	"blog", "forum", "wiki", "shop", "news", "docs", "gallery", "mirror",
};

const char *const view_names[VIEWS] = {
	"front",   "item",    "list",          "profile", "revision", "about",
	"archive", "action",  "private",       "go",      "short",    "trap",
	"trouble", "robots",  "sitemap-index", "sitemap", "rss",      "atom",
	"asset",   "missing", "control",       "hidden",  "door",     "map",
};

const char *const noise_names[NOISES] = {
	"time", "counter", "ads", "token", "echo", "rotation",
};

#define DAY_MS      86400000ll
#define BEGINNING   1735689600000ll /* day 0 is 2025-01-01 */
#define ITEM_EVERY  (7 * 3600000ll) /* between two items of a site, about */
#define PER_ADDRESS 4

void world_options_default(struct world_options *o)
{
	*o = (struct world_options){
		.seed = 1,
		.pages = 10000,
		.hosts = 32,
		.hosts_per_address = PER_ADDRESS,
		.kinds = (1u << KINDS) - 1,
		.traps = (1u << TRAPS) - 1,
		.trouble_share = 0.03,
		.alias_share = 0.3,
		.words_scale = 1,
	};
}

/* Families and manners are drawn a site, so that a rule learnt on one is wrong on
 * another. */
static void choose_aliases(struct site *s, struct rng *r)
{
	uint32_t able = kind_of(s)->aliases;

	s->aliases = ALIAS_WWW | ALIAS_SCHEME | ALIAS_UNKNOWN;
	for (unsigned i = 0; i < ALIASES; i++)
		if (able & 1u << i && rng_chance(r, 0.6))
			s->aliases |= 1u << i;
	if (!(s->flags & SITE_SUBDOMAIN))
		s->aliases &= ~(uint32_t)ALIAS_FOLDER;
	s->redirects = (uint32_t)rng_next(r) & (uint32_t)rng_next(r) & s->aliases &
		       ALIAS_REDIRECTABLE;
	if ((s->aliases & ALIAS_SESSION) && rng_chance(r, 0.4))
		s->flags |= SITE_SID_IN_LINKS;
}

static void choose_manners(struct site *s, struct rng *r)
{
	static const struct {
		uint32_t flag;
		double chance;
	} manners[] = {
		{ SITE_HTTPS, 0.5 },       { SITE_WWW, 0.5 },
		{ SITE_SUBDOMAIN, 0.15 },  { SITE_REL_CANONICAL, 0.5 },
		{ SITE_TRANSLATED, 0.15 }, { SITE_ABSOLUTE, 0.3 },
		{ SITE_SITEMAP, 0.75 },    { SITE_CHUNKED, 0.3 },
	};

	for (size_t i = 0; i < COUNT(manners); i++)
		if (rng_chance(r, manners[i].chance))
			s->flags |= manners[i].flag;
	if (s->flags &
	    SITE_SUBDOMAIN) /* seen from a folder, a path alone leads elsewhere */
		s->flags = (s->flags & ~(uint32_t)SITE_WWW) | SITE_ABSOLUTE;
	for (unsigned i = 0; i < NOISES; i++)
		if (rng_chance(r, 0.12))
			s->noise |= 1u << i;
	if (rng_chance(r, 0.15))
		s->crawl_delay_ms = (uint16_t)(100 + 100 * rng_below(r, 10));
	s->latency_ms = (uint16_t)(4 + exp(4.6 * rng_unit(r)) * 2);
	s->style = (uint8_t)rng_next(r);
}

static void choose_language(struct site *s, struct rng *r)
{
	s->language = rng_chance(r, 0.5) ? LANG_EN : (uint8_t)rng_below(r, LANGUAGES);
	s->language2 = s->language == LANG_EN ? (uint8_t)(1 + rng_below(r, LANGUAGES - 1))
					      : (uint8_t)LANG_EN;
	s->topic = (uint8_t)rng_below(r, TOPICS);
}

static enum site_kind choose_kind(uint32_t kinds, uint32_t i, struct rng *r)
{
	uint32_t real = kinds & ~(1u << KIND_MIRROR);

	if (!real)
		real = 1u << KIND_BLOG;
	/* The first sites take the kinds in turn, so that a small world has them all. */
	for (unsigned n = i < KINDS ? i : (unsigned)rng_below(r, KINDS);; n++)
		if (real & 1u << n % KINDS)
			return (enum site_kind)(n % KINDS);
}

static void name_site(struct world *w, uint32_t i)
{
	struct buf name = { 0 };
	struct site *s = &w->sites[i];

	words_spell(&w->words, LANG_EN, hash_mix(w->options.seed), i, '-', &name);
	buf_add(&name, STR(".test"));
	s->name_n = (uint8_t)MIN(name.n, (size_t)SITE_NAME_MAX);
	for (size_t k = 0; k < s->name_n; k++)
		s->name[k] = name.p[k];
	buf_release(&name);
}

/* 127.x.y.1 to 127.x.y.250; 127.0.0.* is left to whatever else runs here. */
static uint32_t choose_address(const struct world_options *o, uint32_t site)
{
	uint32_t nr = site / (uint32_t)o->hosts_per_address;

	return 127u << 24 | (1 + nr / 250 / 250) << 16 | nr / 250 % 250 << 8 |
	       (1 + nr % 250);
}

static void init_site(struct world *w, uint32_t i)
{
	const struct world_options *o = &w->options;
	struct site *s = &w->sites[i];
	struct rng r = { hash_mix(o->seed * 0x9e3779b97f4a7c15u + i) };

	s->key = rng_next(&r);
	s->origin = i;
	s->kind = (uint8_t)choose_kind(o->kinds, i, &r);
	s->address = choose_address(o, i);
	choose_language(s, &r);
	choose_manners(s, &r);
	if (o->hurry)
		s->crawl_delay_ms = 0;
	choose_aliases(s, &r);
	s->traps = trap_choose(o->traps, s->kind, rng_next(&r));
	if (s->traps & 1u << TRAP_SOFT_404)
		s->flags |= SITE_SOFT_404;
	name_site(w, i);
}

/* Every eighth site of a world with mirrors shows another one's pages. */
static bool wants_mirror(const struct world_options *o, uint32_t i)
{
	return o->kinds & 1u << KIND_MIRROR && o->hosts > 1 && i % 8 == 7;
}

static void init_mirror(struct world *w, uint32_t i)
{
	struct site *s = &w->sites[i];
	uint32_t origin = (uint32_t)(hash_mix(w->options.seed + i) % (i & ~7u ? i : 7));

	while (w->sites[origin].origin != origin)
		origin--;
	uint32_t address = s->address, flags = s->flags;
	*s = w->sites[origin];
	s->origin = origin;
	s->address = address;
	s->traps = 0;
	/* A mirror has a host and manners of its own, but the paths of the original. */
	s->flags = (s->flags & ~(uint32_t)(SITE_HTTPS | SITE_WWW | SITE_SUBDOMAIN)) |
		   (flags & (SITE_HTTPS | SITE_WWW));
	s->aliases &= ~(uint32_t)ALIAS_FOLDER;
	s->redirects &= ~(uint32_t)ALIAS_FOLDER;
	name_site(w, i);
}

/* Sizes of sites differ by a factor of about 20; together they have all pages. */
static void share_pages(struct world *w)
{
	double total = 0;
	uint64_t given = 0;
	uint32_t n = w->n_sites, real = 0;
	struct rng r = { w->options.seed ^ 0x5173 };
	double *weight = xcalloc(n, sizeof(*weight));

	for (uint32_t i = 0; i < n; i++) {
		weight[i] =
			wants_mirror(&w->options, i) ? 0 : 0.2 - log(1 - rng_unit(&r));
		total += weight[i];
		real += weight[i] > 0;
	}
	uint64_t extra = w->options.pages - real;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t items =
			(uint64_t)((double)extra * weight[i] / total) + (weight[i] > 0);

		w->sites[i].n_items = (uint32_t)MIN(items, (uint64_t)ITEMS_MAX);
		given += w->sites[i].n_items;
	}
	for (uint32_t i = 0; given < w->options.pages && i < n; i = (i + 1) % n)
		if (weight[i] > 0 && w->sites[i].n_items < ITEMS_MAX) {
			w->sites[i].n_items++;
			given++;
		}
	free(weight);
}

static void count_categories(struct site *s)
{
	uint32_t root = (uint32_t)sqrt((double)s->n_items) / 3;

	s->categories = (uint16_t)MIN(MAX(root, 1u), CATEGORIES_MAX);
}

/*
 * A site whose robots.txt never works may not be entered, so nothing may be
 * reached through it alone: only leaves of the tree of front pages are closed.
 */
static void close_sites(struct world *w)
{
	for (uint32_t i = w->n_sites / 2 + 8; i < w->n_sites; i++)
		if (w->options.troubles & 1u << TROUBLE_ROBOTS &&
		    w->sites[i].origin == i && i % 8 != 6 && w->sites[i].key % 16 == 0 &&
		    i != w->agency)
			w->sites[i].flags |= SITE_CLOSED;
}

enum status world_init(struct world *w, const struct world_options *o, struct diag *why)
{
	*w = (struct world){ .options = *o, .agency = NO_SITE };
	if (o->hosts < 1 || o->hosts > SITES_MAX || o->hosts_per_address < 1)
		return diag_fail(why, ST_TOO_LARGE, "hosts must be 1 to %u", SITES_MAX);
	if (o->pages < o->hosts || o->pages > (uint64_t)ITEMS_MAX * o->hosts / 4)
		return diag_fail(why, ST_TOO_LARGE,
				 "pages must be at least the hosts (%llu)",
				 (unsigned long long)o->hosts);
	w->n_sites = (uint32_t)o->hosts;
	w->sites = xcalloc(w->n_sites, sizeof(*w->sites));
	words_init(&w->words, o->seed);
	share_pages(w);
	for (uint32_t i = 0; i < w->n_sites; i++) {
		init_site(w, i);
		count_categories(&w->sites[i]);
		if (wants_mirror(o, i))
			init_mirror(w, i);
		else if (w->sites[i].kind == KIND_NEWS && w->agency == NO_SITE)
			w->agency = i;
	}
	close_sites(w);
	return ST_OK;
}

void world_release(struct world *w)
{
	free(w->sites);
	words_release(&w->words);
	*w = (struct world){ 0 };
}

uint32_t world_find(const struct world *w, struct str name)
{
	uint32_t nr;

	if (!str_ends(name, STR(".test")))
		return NO_SITE;
	name = str_slice(name, 0, name.n - 5);
	if (!words_unspell(&w->words, LANG_EN, hash_mix(w->options.seed), name, '-', &nr))
		return NO_SITE;
	return nr < w->n_sites ? nr : NO_SITE;
}

unsigned item_topic(const struct site *s, uint32_t item)
{
	uint64_t h = item_hash(s, item, ABOUT_TOPIC);

	return h % 10 < 7 ? s->topic : (unsigned)(h >> 8) % TOPICS;
}

enum language item_language(const struct site *s, uint32_t item)
{
	bool translated = s->flags & SITE_TRANSLATED && item % 2 == 1;

	return (enum language)(translated ? s->language2 : s->language);
}

/* One item in twelve comes later, one in forty goes away. */
bool item_exists(const struct world *w, const struct site *s, uint32_t item)
{
	uint64_t h = item_hash(s, item, ABOUT_BIRTH), day = w->options.day;

	if (item >= s->n_items)
		return false;
	if (h % 12 == 0)
		return day >= 1 + (h >> 8) % 60;
	if (h % 40 == 1)
		return day < 5 + (h >> 8) % 120;
	return true;
}

/* 60 % never change, 25 % about monthly, 10 % weekly, 5 % daily. */
unsigned item_version(const struct world *w, const struct site *s, uint32_t item)
{
	uint64_t h = item_hash(s, item, ABOUT_CHANGE), day = w->options.day;
	unsigned part = (unsigned)(h % 100);
	unsigned every = part < 60 ? 0 : part < 85 ? 30 : part < 95 ? 7 : 1;

	return every ? (unsigned)((day + (h >> 8) % every) / every) : 0;
}

int64_t item_date_ms(const struct site *s, uint32_t item)
{
	int64_t back = (int64_t)(s->n_items - item) * ITEM_EVERY;

	/* A site of many items writes faster, so that none is older than 20 years. */
	back %= 20 * 365 * DAY_MS;
	return BEGINNING - back - (int64_t)(item_hash(s, item, ABOUT_DATE) % 3600000);
}

int64_t item_edited_ms(const struct world *w, const struct site *s, uint32_t item)
{
	unsigned version = item_version(w, s, item);
	int64_t day = (int64_t)w->options.day;

	if (version == 0)
		return item_date_ms(s, item);
	return BEGINNING + day * DAY_MS - (int64_t)(version % 7) * 3600000;
}

unsigned item_parts(const struct site *s, uint32_t item)
{
	uint64_t h = item_hash(s, item, ABOUT_POSTS);

	if (s->kind != KIND_FORUM || h % 4)
		return 1;
	return 2 + (unsigned)(h >> 8) % 3;
}

static uint32_t category_items(const struct site *s, uint32_t category)
{
	if (category == LIST_ALL)
		return s->n_items;
	return (s->n_items + s->categories - 1 - category) / s->categories;
}

uint32_t list_pages(const struct site *s, uint32_t category)
{
	return MAX(1u, (category_items(s, category) + LIST_LENGTH - 1) / LIST_LENGTH);
}

bool list_item(const struct site *s, uint32_t category, uint32_t page, uint32_t k,
	       uint32_t *ret_item)
{
	uint64_t nr = (uint64_t)page * LIST_LENGTH + k;

	if (k >= LIST_LENGTH || nr >= category_items(s, category))
		return false;
	*ret_item = (uint32_t)(category == LIST_ALL ? nr : nr * s->categories + category);
	return true;
}

uint32_t site_profiles(const struct site *s)
{
	return s->kind == KIND_FORUM || s->kind == KIND_WIKI ? s->n_items / 8 + 1 : 0;
}

uint32_t site_revisions(const struct site *s, uint32_t item)
{
	if (s->kind == KIND_DOCS)
		return 3;
	return s->kind == KIND_WIKI ? (uint32_t)(item_hash(s, item, ABOUT_VARIANT) % 5)
				    : 0;
}

struct str category_name(const struct world *w, const struct site *s, uint32_t category)
{
	if (category < TOPICS)
		return str_from(topic_facts[(s->topic + category) % TOPICS].name);
	return words_slug(&w->words, LANG_EN, category);
}
