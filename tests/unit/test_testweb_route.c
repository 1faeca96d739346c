#include "test.h"

#include <string.h>

#include "testweb/manifest.h"
#include "testweb/route.h"
#include "testweb/trap.h"

static struct world w;

static void make(uint64_t seed, uint64_t pages, uint64_t hosts)
{
	struct world_options o;
	struct diag why;

	world_options_default(&o);
	o.seed = seed;
	o.pages = pages;
	o.hosts = hosts;
	if (world_init(&w, &o, &why) != ST_OK)
		printf("# %s\n", why.text);
}

static struct place random_place(struct rng *r)
{
	static const uint8_t views[] = { VIEW_ITEM,    VIEW_ITEM,     VIEW_ITEM,
					 VIEW_LIST,    VIEW_FRONT,    VIEW_ABOUT,
					 VIEW_PROFILE, VIEW_REVISION, VIEW_ARCHIVE };
	struct place p = { .site = (uint32_t)rng_below(r, w.n_sites) };
	const struct site *s = &w.sites[p.site];

	p.view = views[rng_below(r, COUNT(views))];
	p.item = (uint32_t)rng_below(r, s->n_items);
	if (p.view == VIEW_ITEM) {
		p.part = (uint32_t)rng_below(r, item_parts(s, p.item));
	} else if (p.view == VIEW_LIST) {
		p.item = rng_chance(r, 0.2) ? LIST_ALL
					    : (uint32_t)rng_below(r, s->categories);
		p.part = (uint32_t)rng_below(r, list_pages(s, p.item));
	} else if (p.view == VIEW_PROFILE && site_profiles(s)) {
		p.item = (uint32_t)rng_below(r, site_profiles(s));
	} else if (p.view == VIEW_REVISION && site_revisions(s, p.item)) {
		p.part = (uint32_t)rng_below(r, site_revisions(s, p.item));
	} else if (p.view == VIEW_ARCHIVE) {
		p.item = 2000 * 12 + (uint32_t)rng_below(r, 300);
	} else {
		p.view = VIEW_FRONT;
		p.item = 0;
	}
	return p;
}

static bool same(const struct place *a, const struct place *b)
{
	return a->site == b->site && a->view == b->view && a->item == b->item &&
	       a->part == b->part && a->alias == b->alias;
}

static bool comes_back(struct place p)
{
	cleanup(buf_release) struct buf url = { 0 };
	struct draft d;
	struct place back;

	p.alias = link_draft(&w, &p, &d);
	link_write_origin(&w, p.site, &d, &url);
	draft_write(&d, &url);
	p.alias &= ~(uint32_t)ALIAS_FRAGMENT;
	if (route_url(&w, buf_str(&url), &back) && same(&p, &back))
		return true;
	printf("# %s: kind %s view %s/%s item %u/%u part %u/%u alias %x/%x\n",
	       buf_cstr(&url), kind_names[w.sites[p.site].kind], view_names[p.view],
	       view_names[back.view], p.item, back.item, p.part, back.part, p.alias,
	       back.alias);
	return false;
}

static void every_url_leads_back_to_its_place(void)
{
	struct rng r = { 42 };

	for (unsigned i = 0; i < 60000; i++) {
		struct place p = random_place(&r);
		uint32_t can = link_families(&w, &p);

		p.nonce = rng_next(&r);
		CHECK(comes_back(p));
		p.alias = link_compatible(can & (uint32_t)rng_next(&r) &
					  (uint32_t)rng_next(&r));
		CHECK(comes_back(p));
	}
}

static void every_family_alone_leads_back_to_its_page(void)
{
	struct rng r = { 43 };
	uint32_t seen = 0;

	for (unsigned i = 0; i < 20000; i++) {
		struct place p = random_place(&r);
		uint32_t can = link_families(&w, &p);

		p.nonce = rng_next(&r);
		for (unsigned f = 0; f < ALIASES; f++)
			if (can & 1u << f) {
				p.alias = 1u << f;
				CHECK(comes_back(p));
				seen |= 1u << f;
			}
	}
	CHECK(__builtin_popcount(seen) >=
	      ALIASES - 2); /* unknown and mirror are not written */
}

static void a_page_in_a_trap_leads_back(void)
{
	struct rng r = { 44 };

	for (unsigned i = 0; i < 5000; i++) {
		uint32_t site = (uint32_t)rng_below(&r, w.n_sites);
		unsigned t = (unsigned)rng_below(&r, TRAPS);
		struct place p = trap_entry(&w, site, (enum trap)t, i), back;
		cleanup(buf_release) struct buf url = { 0 };

		if (!(w.sites[site].traps & 1u << t) || t == TRAP_SOFT_404)
			continue;
		if (t == TRAP_FACETS)
			p.nonce = rng_next(&r) & 0x7777777777777777u & 0xffffffff;
		if (t == TRAP_GRID) {
			p.nonce = rng_below(&r, 32);
			p.part = (uint32_t)rng_below(&r, 100);
		}
		link_write(&w, &p, true, &url);
		CHECK(route_url(&w, buf_str(&url), &back));
		CHECK(back.view == VIEW_TRAP && back.sub == t);
		CHECK(t == TRAP_ECHO || (back.item == p.item && back.nonce == p.nonce));
	}
}

static void strange_urls_are_missing_pages(void)
{
	static const char *const paths[] = { "/nothing",
					     "/?",
					     "/%",
					     "/wiki/%00",
					     "/..//",
					     "/a/b/c/d/e",
					     "/viewtopic.php?t=99999999999999",
					     "/dp/B1" };
	cleanup(buf_release) struct buf url = { 0 };
	struct place p;

	for (uint32_t s = 0; s < w.n_sites; s++)
		for (size_t i = 0; i < COUNT(paths); i++) {
			buf_reset(&url);
			buf_addf(&url, "http://" STR_FMT "%s",
				 STR_ARG(site_name(&w.sites[s])), paths[i]);
			CHECK(route_url(&w, buf_str(&url), &p));
			CHECK(p.view == VIEW_MISSING || p.view == VIEW_FRONT);
		}
	CHECK(route_url(&w, STR("http://elsewhere.test/"), &p) && p.view == VIEW_CONTROL);
	CHECK(!route_url(&w, STR("ftp://elsewhere.test/"), &p));
}

static void unknown_parameters_change_nothing(void)
{
	struct rng r = { 45 };

	for (unsigned i = 0; i < 2000; i++) {
		struct place p = random_place(&r), back;
		cleanup(buf_release) struct buf url = { 0 };

		link_write(&w, &p, true, &url);
		buf_add(&url, str_find_char(buf_str(&url), '?') == STR_NONE
				      ? STR("?xyz=1")
				      : STR("&xyz=1"));
		CHECK(route_url(&w, buf_str(&url), &back));
		CHECK(back.view == p.view && back.item == p.item && back.part == p.part);
		CHECK(back.alias == ALIAS_UNKNOWN);
	}
}

static void the_manifest_depends_on_the_seed_alone(void)
{
	struct manifest_options o = { .aliases = 2, .bytes = true };
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 }, c = { 0 };

	world_release(&w);
	make(5, 300, 16);
	manifest_write(&w, &o, &a);
	world_release(&w);
	make(5, 300, 16);
	manifest_write(&w, &o, &b);
	world_release(&w);
	make(6, 300, 16);
	manifest_write(&w, &o, &c);
	CHECK(a.n > 10000);
	CHECK(str_eq(buf_str(&a), buf_str(&b)));
	CHECK(!str_eq(buf_str(&a), buf_str(&c)));
}

int main(void)
{
	make(1, 20000, 64);
	RUN(every_url_leads_back_to_its_place);
	RUN(every_family_alone_leads_back_to_its_page);
	RUN(a_page_in_a_trap_leads_back);
	RUN(strange_urls_are_missing_pages);
	RUN(unknown_parameters_change_nothing);
	RUN(the_manifest_depends_on_the_seed_alone);
	world_release(&w);
	DONE();
}
