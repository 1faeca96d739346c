#include "frontier/frontier.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/map.h"
#include "offer.h"
#include "test.h"

static char dir[] = "/tmp/thresh-frontier-XXXXXX";

/* --- a small world: each page of a host links to others, after a delay --- */

enum { HOSTS = 12, PAGES = 40, LINKS = 6 };

struct world {
	struct frontier f;
	int64_t now_ms;
	unsigned fetched[HOSTS][PAGES];
	int64_t last_start[HOSTS];
	unsigned traps, refusals, robots;
	bool redirected[PAGES];
	bool polite;
	struct {
		struct frontier_step step;
		struct arena a;
		int64_t end_ms;
	} flights[64];
	size_t n_flights;
	uint64_t order;        /* hash of everything fetched, in order */
	unsigned unsent_every; /* so many tasks are not sent, the first time */
	bool no_links;         /* its pages have none */
	unsigned landed, unsent;
};

static struct frontier_settings settings(void)
{
	struct politeness host = { .at_once = 1,
				   .factor = 2,
				   .min_ms = 100,
				   .max_ms = 5000,
				   .backoff_ms = 1000,
				   .backoff_max_ms = 60000 };
	struct frontier_settings s = {
		.dir = dir,
		.max_attempts = 3,
		.max_site_failures = 3,
		.site_retry_ms = 1000,
		.random_seed = 5,
		.traps = { .max_segments = 12, .max_repeats = 2, .max_parameters = 8 },
		.templates = { .first = 100, .per_novel = 10 },
	};

	s.politeness[LANE_HOST] = host;
	s.politeness[LANE_DOMAIN] = (struct politeness){ .at_once = 2, .min_ms = 20 };
	s.politeness[LANE_ADDRESS] = (struct politeness){ .at_once = 4, .min_ms = 5 };
	return s;
}

static void link_to(struct discovery *d, char text[80], const char *via, unsigned depth)
{
	*d = (struct discovery){
		.url = str_from(text),
		.key = str_from(text),
		.hash = hash128(str_from(text)),
		.via = str_from(via),
		.depth = depth,
		.hop = HOP_LINK,
		.priority = (uint8_t)(depth > 60 ? 1 : 200 - 3 * depth),
	};
}

/* The links of a page: others of its host, one of the next host, one into a trap. */
static bool follow(struct world *w, const struct frontier_step *s, unsigned host,
		   unsigned page)
{
	struct discovery d[LINKS + 4];
	struct url_decision decisions[LINKS + 4];
	char text[LINKS + 4][80], via[80];
	struct diag why;
	unsigned n = 0, depth = s->task.depth + 1;

	if (w->no_links)
		return true;
	snprintf(via, sizeof(via), STR_FMT, STR_ARG(s->task.url));
	for (; n < LINKS; n++) {
		snprintf(text[n], sizeof(text[n]), "http://h%u.example%u.org/p/%u", host,
			 host / 3, (page * LINKS + n + 1) % PAGES);
		link_to(&d[n], text[n], via, depth);
	}
	snprintf(text[n], sizeof(text[n]), "http://h%u.example%u.org/p/0",
		 (host + 1) % HOSTS, (host + 1) % HOSTS / 3);
	link_to(&d[n], text[n], via, depth);
	n++;
	snprintf(text[n], sizeof(text[n]), "http://h%u.example%u.org/trap/%u", host,
		 host / 3, page);
	link_to(&d[n], text[n], via, depth);
	n++;
	snprintf(text[n], sizeof(text[n]), "http://h%u.example%u.org/private/%u", host,
		 host / 3, page);
	link_to(&d[n], text[n], via, depth);
	n++;
	snprintf(text[n], sizeof(text[n]), "http://elsewhere.net/%u", page);
	link_to(&d[n], text[n], via, depth);
	n++;
	return offer_links(&w->f,
			   &(struct frontier_page){ .hops = s->task.hops,
						    .source = s->task.source,
						    .off_hops = s->off_hops },
			   d, n, w->now_ms, decisions, &why) == ST_OK;
}

/* A trap leads ever deeper into itself: three more for each that is asked. */
static bool follow_trap(struct world *w, const struct frontier_step *s, unsigned host)
{
	struct discovery d[3];
	struct url_decision decisions[3];
	char text[3][80], via[80];
	struct diag why;

	snprintf(via, sizeof(via), STR_FMT, STR_ARG(s->task.url));
	for (unsigned i = 0; i < 3; i++) {
		snprintf(text[i], sizeof(text[i]), "http://h%u.example%u.org/trap/%u",
			 host, host / 3, 1000 + w->traps * 3 + i);
		link_to(&d[i], text[i], via, s->task.depth + 1);
	}
	w->traps++;
	if (w->no_links)
		return true;
	return offer_links(&w->f, &(struct frontier_page){ 0 }, d, 3, w->now_ms,
			   decisions, &why) == ST_OK;
}

/* A name that only sends to another one, which nobody has found yet. */
static bool redirect(struct world *w, const struct frontier_step *s, unsigned host,
		     unsigned page)
{
	char to[80];
	struct diag why;

	snprintf(to, sizeof(to), "http://h%u.example%u.org/z/%u", host, host / 3, page);
	w->redirected[page] = true;
	frontier_no_page(&w->f, s);
	return frontier_moved(&w->f, s->task.url, str_from(to)) &&
	       frontier_judged(&w->f, s, false, 0, &why) == ST_OK;
}

static bool land(struct world *w, size_t i)
{
	struct frontier_step *s = &w->flights[i].step;
	unsigned host, domain, page;
	char url[80];
	struct diag why;
	bool fine = true;

	if (w->unsent_every > 0 && ++w->landed % w->unsent_every == 0) {
		w->unsent++;
		fine = frontier_put_back(&w->f, s, &why) == ST_OK;
		arena_release(&w->flights[i].a);
		w->flights[i] = w->flights[--w->n_flights];
		return fine;
	}
	snprintf(url, sizeof(url), STR_FMT, STR_ARG(s->task.url));
	frontier_fetched(&w->f, s->site,
			 &(struct answer){ .end_ms = w->now_ms, .duration_ms = 40 },
			 1000);
	if (s->task.purpose == PURPOSE_ROBOTS) {
		w->robots++;
		frontier_robots_known(&w->f, s->site, w->now_ms + 86400000, 0);
	} else if (sscanf(url, "http://h%u.example%u.org/p/%u", &host, &domain, &page) ==
		   3) {
		w->fetched[host][page]++;
		fine = follow(w, s, host, page) &&
		       frontier_judged(&w->f, s, true, 100, &why) == ST_OK;
	} else if (sscanf(url, "http://h%u.example%u.org/trap/%u", &host, &domain,
			  &page) == 3) {
		fine = follow_trap(w, s, host) &&
		       frontier_judged(&w->f, s, false, 100, &why) == ST_OK;
	} else if (sscanf(url, "http://h%u.example%u.org/z/%u", &host, &domain, &page) ==
		   3) {
		bool novel = w->fetched[host][page]++ == 0;

		fine = frontier_judged(&w->f, s, novel, novel ? 5 : 0, &why) == ST_OK;
	} else if (sscanf(url, "http://www.h%u.example%u.org/z/%u", &host, &domain,
			  &page) == 3) {
		fine = redirect(w, s, host, page);
	}
	w->order = hash64_seeded(s->task.url, w->order);
	arena_release(&w->flights[i].a);
	w->flights[i] = w->flights[--w->n_flights];
	return fine;
}

static bool land_due(struct world *w)
{
	for (size_t i = 0; i < w->n_flights;)
		if (w->flights[i].end_ms > w->now_ms)
			i++;
		else if (!land(w, i))
			return false;
	return true;
}

static int64_t next_landing(const struct world *w)
{
	int64_t next = INT64_MAX;

	for (size_t i = 0; i < w->n_flights; i++)
		next = MIN(next, w->flights[i].end_ms);
	return next;
}

static void launch(struct world *w, const struct frontier_step *s, struct arena a)
{
	unsigned host = 0;
	char url[80];

	snprintf(url, sizeof(url), STR_FMT, STR_ARG(s->task.url));
	if (sscanf(url, "http://h%u.", &host) == 1 && host < HOSTS) {
		w->polite = w->polite && (w->last_start[host] == 0 ||
					  w->now_ms - w->last_start[host] >= 100);
		w->last_start[host] = w->now_ms;
	}
	w->flights[w->n_flights].step = *s;
	w->flights[w->n_flights].a = a;
	w->flights[w->n_flights++].end_ms = w->now_ms + 40;
}

/* Sent, held, or dropped because robots.txt denies it. */
static bool take_turn(struct world *w, struct frontier_step *s, struct arena a)
{
	size_t origin = w->f.sites.v[s->site].origin.n;
	struct diag why;
	bool sent;

	if (str_starts(str_skip(s->task.url, origin), STR("/private"))) {
		bool fine = frontier_drop(&w->f, s, &why) == ST_OK;

		w->refusals++;
		arena_release(&a);
		return fine;
	}
	if (frontier_send(&w->f, s, w->now_ms, &sent, &why) != ST_OK)
		return false;
	if (sent)
		launch(w, s, a);
	else
		arena_release(&a);
	return true;
}

/* True when it ended by itself. */
static bool crawl(struct world *w, unsigned most)
{
	for (unsigned i = 0; i < most; i++) {
		struct frontier_step s;
		struct arena a = { 0 };
		struct diag why;

		if (i % 64 == 0)
			assert_frontier(&w->f);
		if (frontier_next(&w->f, w->now_ms, &a, &s, &why) != ST_OK)
			return false;
		bool may_launch = w->n_flights < COUNT(w->flights);
		if (s.kind == STEP_ROBOTS && may_launch) {
			launch(w, &s, a);
			continue;
		}
		if (s.kind == STEP_DUE && may_launch) {
			if (!take_turn(w, &s, a))
				return false;
			continue;
		}
		arena_release(&a);
		if (s.kind == STEP_IDLE)
			return w->n_flights == 0;
		if (s.kind == STEP_REFUSE)
			w->refusals++;
		if (s.kind == STEP_RESOLVE) {
			struct ip ip = { .n = 4,
					 .bytes = { 10, 0, 0, (uint8_t)(s.site / 2) } };

			frontier_resolved(&w->f, s.site, &ip, w->now_ms + 3600000);
		}
		if (s.kind == STEP_WAIT) {
			int64_t next = MIN(s.until_ms, next_landing(w));

			w->now_ms = MAX(w->now_ms, next);
			if (!land_due(w))
				return false;
		}
	}
	return false;
}

static bool begin(struct world *w, const struct frontier_settings *s)
{
	struct discovery seed;
	struct url_decision decision;
	char text[80] = "http://h0.example0.org/p/0";
	struct buf scratch = { 0 };
	struct diag why;
	struct url u;

	*w = (struct world){ .now_ms = 1000000, .polite = true };
	if (frontier_open(&w->f, s, &why) != ST_OK)
		return false;
	w->f.scope.kind = SCOPE_CUSTOM;
	if (scope_add_include(&w->f.scope, STR("^http://(www\\.)?h[0-9]+\\.example"),
			      &why) != ST_OK ||
	    url_parse(str_from(text), NULL, &scratch, &u, NULL) != ST_OK)
		return false;
	scope_add_seed(&w->f.scope, &u, STR("example0.org"));
	scope_finish(&w->f.scope);
	buf_release(&scratch);
	link_to(&seed, text, "", 0);
	return offer_links(&w->f, &(struct frontier_page){ .source = STR("seed") }, &seed,
			   1, w->now_ms, &decision, &why) == ST_OK &&
	       decision.outcome == OUTCOME_QUEUED;
}

static void every_page_once_politely_and_traps_end(void)
{
	struct frontier_settings s = settings();
	static struct world w;

	CHECK(begin(&w, &s));
	CHECK(crawl(&w, 1000000));
	for (unsigned h = 0; h < HOSTS; h++)
		for (unsigned p = 0; p < PAGES; p++)
			CHECK(w.fetched[h][p] == 1);
	CHECK(w.polite && w.robots == HOSTS);
	CHECK(w.traps > 0 && w.traps <= HOSTS * 150);
	/* The rest of the trap, and the private pages, are each told. */
	CHECK(w.refusals >= HOSTS * PAGES);
	CHECK(w.f.queues.live == 0 && w.f.queues.held == 0);
	frontier_close(&w.f);
}

/* Found by a short way, it is in the crawl: a way that is too long refuses nothing. */
static void a_known_page_is_known_by_any_way(void)
{
	struct frontier_settings s = settings();
	struct url_decision decision[2];
	struct discovery d[2];
	char text[2][80] = { "http://h0.example0.org/p/1", "http://h0.example0.org/p/2" };
	static struct world w;
	struct diag why;

	CHECK(begin(&w, &s));
	w.f.scope.max_depth = 2;
	for (unsigned i = 0; i < 2; i++)
		link_to(&d[i], text[i], "http://h0.example0.org/p/0", 1 + 2 * i);
	CHECK(offer_links(&w.f, &(struct frontier_page){ 0 }, d, 2, w.now_ms, decision,
			  &why) == ST_OK);
	CHECK(decision[0].outcome == OUTCOME_QUEUED);
	CHECK(decision[1].outcome == OUTCOME_REFUSED);
	d[0].depth = 3;
	CHECK(offer_links(&w.f, &(struct frontier_page){ 0 }, d, 2, w.now_ms, decision,
			  &why) == ST_OK);
	CHECK(decision[0].outcome == OUTCOME_KNOWN);
	CHECK(decision[1].outcome == OUTCOME_REFUSED_AGAIN);
	frontier_close(&w.f);
}

/* The last URL of a site is refused by robots.txt: now what was held has its turn. */
static void a_refusal_may_be_all_that_kept_others_held(void)
{
	struct frontier_settings s = settings();
	struct discovery d[11];
	struct url_decision decisions[11];
	char text[11][80];
	static struct world w;
	struct diag why;

	s.templates.first = 2;
	CHECK(begin(&w, &s));
	for (unsigned i = 0; i < 11; i++) {
		snprintf(text[i], sizeof(text[i]), "http://h9.example3.org/%s/%u",
			 i < 10 ? "trap" : "private", i);
		link_to(&d[i], text[i], "http://h0.example0.org/", i < 10 ? 1 : 50);
	}
	w.no_links = true;
	CHECK(offer_links(&w.f, &(struct frontier_page){ 0 }, d, 11, w.now_ms, decisions,
			  &why) == ST_OK);
	CHECK(crawl(&w, 100000));
	CHECK(w.traps == 10);
	frontier_close(&w.f);
}

/* Each page stands under eight URLs that differ in a session: the second to the eighth do
 * not use up what their template may cost. */
static void other_urls_of_known_pages_do_not_starve_pages(void)
{
	struct frontier_settings s = settings();
	struct url_decision decision;
	struct discovery d;
	static struct world w;
	unsigned pages = 0, asked = 0;
	char text[80];
	struct diag why;

	s.templates.first = 10;
	CHECK(begin(&w, &s));
	w.no_links = true;
	for (unsigned i = 0; i < 30 * 8; i++) {
		snprintf(text, sizeof(text), "http://h9.example3.org/z/%u?sid=%u", i / 8,
			 i);
		link_to(&d, text, "http://h0.example0.org/", 1);
		CHECK(offer_links(&w.f, &(struct frontier_page){ 0 }, &d, 1, w.now_ms,
				  &decision, &why) == ST_OK);
	}
	CHECK(crawl(&w, 100000));
	for (unsigned i = 0; i < 30; i++) {
		pages += w.fetched[9][i] > 0;
		asked += w.fetched[9][i];
	}
	CHECK(pages == 30);
	CHECK(asked < 70);
	frontier_close(&w.f);
}

/* The last attempt for pages that failed does not depend on what others brought, nor does
 * what proves a rule. */
static void offer_z(struct world *w, const char *prefix, unsigned page)
{
	struct url_decision decision;
	struct discovery d;
	char text[80];
	struct diag why;

	snprintf(text, sizeof(text), "http://%sh9.example3.org/z/%u", prefix, page);
	link_to(&d, text, "http://h0.example0.org/", 1);
	CHECK(offer_links(&w->f, &(struct frontier_page){ 0 }, &d, 1, w->now_ms,
			  &decision, &why) == ST_OK);
}

/*
 * The name of a site that only redirects has used up all that its template had by the
 * time its pages are found: each that it led to is asked, and no other.
 */
static void redirects_do_not_use_up_what_pages_need(void)
{
	struct frontier_settings s = settings();
	static struct world w;
	unsigned redirected = 0;

	s.templates.first = 4;
	CHECK(begin(&w, &s));
	w.no_links = true;
	for (unsigned i = 0; i < PAGES; i++)
		offer_z(&w, "www.", i);
	CHECK(crawl(&w, 100000));
	for (unsigned i = 0; i < PAGES; i++)
		offer_z(&w, "", i);
	CHECK(crawl(&w, 100000));
	for (unsigned i = 0; i < PAGES; i++) {
		redirected += w.redirected[i];
		CHECK(w.fetched[9][i] >= w.redirected[i]);
	}
	CHECK(redirected >= 8 && redirected < PAGES);
	frontier_close(&w.f);
}

/* One that is held when another one of its page leads to it need not wait. */
static void what_is_held_can_be_released(void)
{
	struct frontier_settings s = settings();
	static struct world w;
	struct str url = STR("http://h9.example3.org/z/7");
	struct diag why;

	CHECK(begin(&w, &s));
	w.no_links = true;
	offer_z(&w, "", 7);
	CHECK(queue_store_hold(&w.f.queues, &w.f.sites.v[1].queue, hash128(url), &why) ==
	      ST_OK);
	CHECK(w.f.queues.held == 1 && w.f.queues.live == 1);
	CHECK(frontier_release_held(&w.f, url, hash128(STR("nobody")), &why) == ST_OK);
	CHECK(w.f.queues.held == 1);
	CHECK(frontier_release_held(&w.f, url, hash128(url), &why) == ST_OK);
	CHECK(w.f.queues.held == 0 && w.f.queues.live == 2);
	CHECK(crawl(&w, 100000));
	CHECK(w.fetched[9][7] == 1);
	frontier_close(&w.f);
}

static void what_is_wanted_is_not_held(void)
{
	struct frontier_settings s = settings();
	struct url_decision decision;
	struct discovery d;
	static struct world w;
	char text[80];
	struct diag why;

	s.templates.first = 1;
	CHECK(begin(&w, &s));
	w.no_links = true;
	for (unsigned i = 0; i < 40; i++) {
		snprintf(text, sizeof(text), "http://h9.example3.org/trap/%u", i);
		link_to(&d, text, "http://h0.example0.org/", 1);
		d.purpose = PURPOSE_LAST_ATTEMPT;
		CHECK(frontier_queue_anyway(&w.f, &d, &(struct frontier_page){ 0 },
					    &why) == ST_OK);
		snprintf(text, sizeof(text), "http://h9.example3.org/trap/1%u", i);
		link_to(&d, text, "http://h0.example0.org/", 1);
		d.purpose = i % 2 == 0 ? PURPOSE_RULE_PROBE : PURPOSE_LINK;
		CHECK(offer_links(&w.f, &(struct frontier_page){ 0 }, &d, 1, w.now_ms,
				  &decision, &why) == ST_OK);
	}
	CHECK(crawl(&w, 100000));
	CHECK(w.traps >= 40 + 20 && w.traps < 40 + 40);
	frontier_close(&w.f);
}

/* A failure, or a redirect to the same page under https, makes no page known. */
static void what_brought_no_page_makes_none_known(void)
{
	struct novelty t = { .settings = { .first = 5, .per_novel = 10 } };
	struct template_key key = { 1, 2, 3, 4 };

	novelty_note_page(&t, key, true);
	CHECK(novelty_was_asked(&t, key));
	novelty_note_page(&t, novelty_again(key), false);
	CHECK(!novelty_was_asked(&t, key));
	novelty_release(&t);
}

static void what_was_not_sent_is_as_if_it_had_not_been_given_out(void)
{
	struct frontier_settings s = settings();
	static struct world w;
	unsigned pages = 0;

	CHECK(begin(&w, &s));
	w.unsent_every = 5;
	CHECK(crawl(&w, 1000000));
	for (unsigned h = 0; h < HOSTS; h++)
		for (unsigned p = 0; p < PAGES; p++)
			pages += w.fetched[h][p];
	CHECK(pages == HOSTS * PAGES && w.unsent > pages / 10);
	CHECK(w.polite && w.f.budget.total.pages == pages + w.traps);
	frontier_close(&w.f);
}

static void the_same_seed_and_web_give_the_same_order(void)
{
	struct frontier_settings s = settings();
	static struct world a, b;

	CHECK(begin(&a, &s) && crawl(&a, 1000000));
	frontier_close(&a.f);
	CHECK(begin(&b, &s) && crawl(&b, 1000000));
	frontier_close(&b.f);
	CHECK(a.order == b.order && a.now_ms == b.now_ms);
}

static void a_small_memory_changes_nothing_but_the_order(void)
{
	struct frontier_settings s = settings();
	static struct world w;

	s.seen_ram_bytes = 1;
	CHECK(begin(&w, &s));
	CHECK(w.f.seen.on_disk);
	while (!crawl(&w, 1000)) {
		struct arena a = { 0 };
		struct discovery d;
		struct diag why;

		while (frontier_late(&w.f, &a, &d, &why) == ST_OK)
			arena_reset(&a);
		arena_release(&a);
	}
	for (unsigned h = 0; h < HOSTS; h++)
		for (unsigned p = 0; p < PAGES; p++)
			CHECK(w.fetched[h][p] == 1);
	frontier_close(&w.f);
}

static void a_limit_of_the_crawl_stops_it(void)
{
	struct frontier_settings s = settings();
	static struct world w;

	s.budget.max_pages = 25;
	CHECK(begin(&w, &s));
	struct frontier_step step = { 0 };
	for (unsigned i = 0; i < 100000 && step.kind != STEP_LIMIT; i++) {
		struct arena a = { 0 };
		struct diag why;

		crawl(&w, 1);
		if (w.f.budget.total.pages >= 25)
			CHECK(frontier_next(&w.f, w.now_ms, &a, &step, &why) == ST_OK);
		arena_release(&a);
	}
	CHECK(step.kind == STEP_LIMIT && step.reason == REASON_MAX_PAGES);
	while (w.n_flights > 0) {
		w.now_ms = next_landing(&w);
		CHECK(land_due(&w));
	}
	frontier_close(&w.f);
}

static uint32_t host_lane(struct sites *s, struct lanes *l, const char *text)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url u;

	if (url_parse(str_from(text), NULL, &scratch, &u, NULL) != ST_OK)
		return LANE_NONE;
	uint32_t site = sites_get(s, l, &u);
	return s->v[site].lanes.id[LANE_HOST];
}

static void a_port_of_its_own_is_a_server_of_its_own(void)
{
	cleanup(lanes_release) struct lanes l = { 0 };
	cleanup(sites_release) struct sites s = { 0 };
	uint32_t plain = host_lane(&s, &l, "http://h.example.org/a");

	CHECK(host_lane(&s, &l, "https://h.example.org/b") == plain);
	CHECK(host_lane(&s, &l, "http://h.example.org:8080/c") != plain);
	CHECK(host_lane(&s, &l, "http://127.0.0.1:81/") !=
	      host_lane(&s, &l, "http://127.0.0.1:82/"));
}

static void a_queued_url_survives_its_bytes(void)
{
	struct queued_url q = { .url = STR("https://a.org:81/x/y?z=1"),
				.via = STR("https://a.org:81/x/"),
				.hops = STR("LLE"),
				.source = 300,
				.depth = 70000,
				.off_hops = 2,
				.attempt = 3,
				.purpose = PURPOSES - 1 };
	struct queued_url r;
	struct buf b = { 0 };
	struct arena a = { 0 };

	queued_url_encode(&q, 16, &b);
	CHECK(b.n < 30);
	CHECK(queued_url_decode(buf_str(&b), STR("https://a.org:81"), &a, &r) == ST_OK);
	CHECK(str_eq(q.url, r.url) && str_eq(q.via, r.via) && str_eq(q.hops, r.hops));
	CHECK(r.source == 300 && r.depth == 70000 && r.off_hops == 2 && r.attempt == 3 &&
	      r.purpose == PURPOSES - 1 && !r.is_again);
	for (size_t n = 0; n + 1 < b.n; n++)
		(void)!queued_url_decode((struct str){ b.p, n }, STR("https://a.org:81"),
					 &a, &r);
	arena_release(&a);
	buf_release(&b);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	RUN(every_page_once_politely_and_traps_end);
	RUN(a_known_page_is_known_by_any_way);
	RUN(a_refusal_may_be_all_that_kept_others_held);
	RUN(other_urls_of_known_pages_do_not_starve_pages);
	RUN(redirects_do_not_use_up_what_pages_need);
	RUN(what_is_held_can_be_released);
	RUN(what_is_wanted_is_not_held);
	RUN(what_brought_no_page_makes_none_known);
	RUN(what_was_not_sent_is_as_if_it_had_not_been_given_out);
	RUN(the_same_seed_and_web_give_the_same_order);
	RUN(a_small_memory_changes_nothing_but_the_order);
	RUN(a_limit_of_the_crawl_stops_it);
	RUN(a_port_of_its_own_is_a_server_of_its_own);
	RUN(a_queued_url_survives_its_bytes);
	struct diag why;
	if (dir_remove(dir, &why) != ST_OK)
		puts("# left a folder behind");
	DONE();
}
