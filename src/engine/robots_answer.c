/*
 * What the loop does with the answer to a robots.txt: the rules of its site, the
 * sitemaps it names, and where it is when it has moved.
 */
#include "engine/steps.h"
#include "url/normal.h"
#include "web/coding.h"

#define ROBOTS_FRESH_MS ((int64_t)86400000) /* RFC 9309 2.4: a day at most */
#define SITEMAPS_MAX    1000                /* of one robots.txt */
#define NAMED_PRIORITY  210
#define USUAL_PRIORITY  60 /* behind the pages: it is a guess */

static void add_sitemap(struct crawl_item *i, struct str url, uint8_t priority)
{
	url = arena_copy(&i->arena, url);
	i->links[i->n_links++] = (struct discovery){
		.url = url,
		.key = url,
		.hash = hash128(url),
		.via = i->step.task.url,
		.depth = 1,
		.hop = HOP_MANIFEST,
		.priority = priority,
		.purpose = PURPOSE_SITEMAP,
	};
}

/* Where it usually is: worth one request when nobody says where it is. */
static void add_usual_sitemap(struct crawl *c, struct crawl_item *i)
{
	cleanup(buf_release) struct buf url = { 0 };

	buf_add(&url, c->frontier.sites.v[i->step.site].origin);
	buf_add(&url, STR("/sitemap.xml"));
	add_sitemap(i, buf_str(&url), USUAL_PRIORITY);
}

/* The sitemaps that a robots.txt names, or the usual one, as links of the item. */
static void add_sitemaps(struct crawl *c, struct crawl_item *i)
{
	const struct robots *r = &robots_cache_get(&c->robots, i->step.site)->rules;
	struct buf scratch[2] = { { 0 }, { 0 } };
	size_t n = MIN(r->notes_n, (size_t)SITEMAPS_MAX);
	struct url u;

	if (!c->settings->sitemaps || c->settings->scope == SCOPE_PAGE)
		return;
	i->links = arena_alloc(&i->arena, (n + 1) * sizeof(*i->links));
	for (size_t k = 0; k < n; k++)
		if (r->notes[k].kind == NOTE_SITEMAP &&
		    url_parse_normal(r->notes[k].value, NULL, NORMAL_STANDARD, scratch,
				     &u, NULL) == ST_OK)
			add_sitemap(i, url_without_fragment(&u), NAMED_PRIORITY);
	if (i->n_links == 0)
		add_usual_sitemap(c, i);
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
}

static void learn(struct crawl *c, struct crawl_item *i)
{
	int64_t now = crawl_time_ms(c);
	struct str coding = stored_head_field(&i->head, STR("Content-Encoding"));
	struct str body = i->result.body;

	i->decoded.limit = ROBOTS_MAX_BYTES + 1;
	if (!coding_is_identity(coding) &&
	    coding_decode(coding, i->result.body, &i->decoded) != ST_UNSUPPORTED)
		body = buf_str(&i->decoded);
	struct robots_policy p =
		robots_cache_set(&c->robots, i->step.site, MAX(i->result.code, 0), body,
				 i->retry_after_ms, now);
	struct site_robots *s = robots_cache_get(&c->robots, i->step.site);
	int64_t until = now + MIN((int64_t)p.ask_again_ms, ROBOTS_FRESH_MS);
	uint32_t delay = (uint32_t)MIN(s->rules.crawl_delay_ms, UINT32_MAX);

	if (i->result.code == FETCH_BLOCKED)
		frontier_site_dead(&c->frontier, i->step.site, FETCH_BLOCKED);
	else if (p.access == ROBOTS_DISALLOW && answer_may_pass(i->result.code))
		frontier_robots_failed(&c->frontier, i->step.site, now);
	else
		frontier_robots_known(&c->frontier, i->step.site, until, delay);
	item_add_record(
		i, &(struct journal_record){
			   .kind = JOURNAL_ROBOTS,
			   .robots = { .origin = c->frontier.sites.v[i->step.site].origin,
				       .reason = str_from(p.reason ? p.reason : ""),
				       .status = i->result.code,
				       .now_ms = now,
				       .until_ms = until,
				       .crawl_delay_ms = delay } });
	if (p.access != ROBOTS_DISALLOW)
		add_sitemaps(c, i);
}

/* A robots.txt that moved is asked for where it is now, five times (RFC 9309 2.3.1.2). */
static bool follow(struct crawl *c, struct crawl_item *i)
{
	struct buf scratch = { 0 }, base_scratch = { 0 };
	struct url base, u;
	bool moved =
		i->result.code >= 300 && i->result.code < 400 && i->location.n > 0 &&
		i->robots_redirects < REDIRECTS_MAX &&
		url_parse(i->step.task.url, NULL, &base_scratch, &base, NULL) == ST_OK &&
		url_parse(i->location, &base, &scratch, &u, NULL) == ST_OK &&
		url_is_http(&u);

	if (moved) {
		struct crawl_item *next = crawl_take_item(c);

		next->robots_redirects = i->robots_redirects + 1;
		next->step = i->step;
		next->step.task = (struct fetch_task){
			.url = arena_copy(&next->arena, url_without_fragment(&u)),
			.via = arena_copy(&next->arena, i->step.task.url),
			.hops = STR("PR"),
			.source = STR(""),
			.purpose = PURPOSE_ROBOTS,
		};
		next->step.task.key = hash128(next->step.task.url);
		frontier_start(&c->frontier, i->step.site, crawl_time_ms(c));
		crawl_start_request(c, next);
	}
	buf_release(&scratch);
	buf_release(&base_scratch);
	return moved;
}

void crawl_robots_fetched(struct crawl *c, struct crawl_item *i)
{
	if (!follow(c, i))
		learn(c, i);
}
