#include "test.h"

#include "testweb/answer.h"
#include "testweb/link.h"
#include "testweb/route.h"
#include "testweb/way.h"

static struct world w;
static struct memory memory;
static struct answer answer;

static void make(uint32_t ways)
{
	struct world_options o;

	world_options_default(&o);
	o.pages = 200;
	o.hosts = 12;
	o.ways = ways;
	if (world_init(&w, &o, NULL) == ST_OK)
		memory_init(&memory, &w);
}

static void release(void)
{
	answer_release(&answer);
	answer = (struct answer){ 0 };
	memory_release(&memory);
	world_release(&w);
}

/* What the server says to a request for this place. */
static void get(const struct place *p)
{
	cleanup(buf_release) struct buf url = { 0 };

	link_write(&w, p, true, &url);
	struct str rest = buf_str(&url), host;
	bool https = str_take_prefix(&rest, STR("https://"));
	if (!https)
		str_take_prefix(&rest, STR("http://"));
	size_t slash = str_find_char(rest, '/');
	host = str_slice(rest, 0, slash);
	struct asked asked = { .https = https,
			       .request = { .host = host,
					    .target = str_skip(rest, slash) } };
	answer_make(&w, &memory, &asked, &answer);
}

static void a_hidden_page_and_its_url_belong_together(void)
{
	make((1u << WAYS) - 1);
	unsigned pages[WAYS] = { 0 };

	for (uint32_t site = 0; site < w.n_sites; site++)
		for (uint32_t i = 0; i < WAYS * HIDDEN_EACH; i++) {
			struct place p = { .site = site, .view = VIEW_HIDDEN, .item = i },
				     back;
			cleanup(buf_release) struct buf url = { 0 };

			link_write(&w, &p, true, &url);
			CHECK(route_url(&w, buf_str(&url), &back));
			if (!way_exists(&w, site, way_of(i))) {
				CHECK(back.view == VIEW_MISSING);
				continue;
			}
			CHECK(back.view == VIEW_HIDDEN && back.item == i && !back.alias);
			struct truth t = truth_of(&w, &back);
			CHECK(t.class == CLASS_PAGE);
			CHECK(truth_way(t.cluster) == (int)way_of(i));
			CHECK(t.must_keep == !(w.sites[site].flags & SITE_CLOSED));
			get(&p);
			CHECK(answer.status == 200 && answer.body.n > 1000);
			pages[way_of(i)]++;
		}
	for (unsigned i = 0; i < WAYS; i++)
		CHECK(pages[i] > 0);
	release();
}

static bool body_names(const struct place *p)
{
	cleanup(buf_release) struct buf url = { 0 };

	link_write(&w, p, false, &url);
	return str_find(buf_str(&answer.body), buf_str(&url)) != STR_NONE ||
	       str_find(buf_str(&answer.fields), buf_str(&url)) != STR_NONE;
}

/* How many pages of a site with links (fronts, lists, items, doors) name it. */
static unsigned count_pages_naming(const struct place *hidden)
{
	const struct site *s = &w.sites[hidden->site];
	struct place p = { .site = hidden->site };
	unsigned n = 0;

	get(&p);
	n += body_names(hidden);
	p.view = VIEW_ABOUT;
	get(&p);
	n += body_names(hidden);
	p.view = VIEW_ITEM;
	for (p.item = 0; p.item < s->n_items; p.item++) {
		get(&p);
		n += body_names(hidden);
	}
	p.view = VIEW_LIST;
	for (p.item = 0; p.item < s->categories; p.item++) {
		get(&p);
		n += body_names(hidden);
	}
	p.view = VIEW_HIDDEN;
	for (p.item = 0; p.item < WAYS * HIDDEN_EACH; p.item++) {
		get(&p);
		n += body_names(hidden);
	}
	return n;
}

/* Where each way shows its first page. */
static bool is_shown(const struct place *hidden)
{
	static const struct {
		uint8_t view, item;
	} shown[WAYS] = {
		[WAY_SITEMAP] = { VIEW_MAP, MAP_PAGES },
		[WAY_NESTED] = { VIEW_MAP, MAP_NESTED },
		[WAY_UNANNOUNCED] = { VIEW_SITEMAP_INDEX, 0 },
		[WAY_FEED] = { VIEW_RSS, 0 },
		[WAY_FIELD] = { VIEW_DOOR, WAY_FIELD * HIDDEN_EACH },
		[WAY_CANONICAL] = { VIEW_DOOR, WAY_CANONICAL * HIDDEN_EACH },
		[WAY_REFRESH] = { VIEW_DOOR, WAY_REFRESH * HIDDEN_EACH },
		[WAY_FORM] = { VIEW_DOOR, WAY_FORM * HIDDEN_EACH },
	};
	enum way way = way_of(hidden->item);
	struct place p = { .site = hidden->site,
			   .view = shown[way].view,
			   .item = shown[way].item };

	if (way == WAY_PACKED) {
		p = (struct place){ .site = hidden->site,
				    .view = VIEW_MAP,
				    .item = MAP_PACKED };
		get(&p);
		return str_eq(answer.type, STR("application/gzip")) &&
		       str_starts(buf_str(&answer.body), STR("\x1f\x8b"));
	}
	get(&p);
	return answer.status == 200 && body_names(hidden);
}

static void each_is_shown_in_its_way_and_in_no_other(void)
{
	make((1u << WAYS) - 1);
	for (uint32_t site = 0; site < w.n_sites; site++)
		for (unsigned way = 0; way < WAYS; way++) {
			struct place p = { .site = site,
					   .view = VIEW_HIDDEN,
					   .item = way * HIDDEN_EACH };

			if (!way_exists(&w, site, (enum way)way))
				continue;
			CHECK(is_shown(&p));
			if (site < 3 && w.sites[site].noise == 0)
				CHECK(count_pages_naming(&p) == 0);
		}
	release();
}

static void robots_names_maps_only_where_there_are_some(void)
{
	make((1u << WAYS) - 1);
	for (uint32_t site = 0; site < w.n_sites; site++) {
		struct place p = { .site = site, .view = VIEW_ROBOTS };

		get(&p);
		bool named = str_find(buf_str(&answer.body), STR("/maps/index.xml")) !=
			     STR_NONE;
		CHECK(named == way_has_maps(&w, site));
		if (way_exists(&w, site, WAY_UNANNOUNCED))
			CHECK(str_find(buf_str(&answer.body), STR("Sitemap:")) ==
			      STR_NONE);
	}
	release();
}

static void without_the_option_nothing_is_hidden(void)
{
	make(0);
	for (uint32_t site = 0; site < w.n_sites; site++) {
		struct place front = { .site = site };

		get(&front);
		CHECK(str_find(buf_str(&answer.body), STR("/door/")) == STR_NONE);
		for (unsigned way = 0; way < WAYS; way++)
			CHECK(!way_exists(&w, site, (enum way)way));
	}
	release();
}

int main(void)
{
	RUN(a_hidden_page_and_its_url_belong_together);
	RUN(each_is_shown_in_its_way_and_in_no_other);
	RUN(robots_names_maps_only_where_there_are_some);
	RUN(without_the_option_nothing_is_hidden);
	DONE();
}
