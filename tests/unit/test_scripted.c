/* Whole crawls of scripted webs: what is decided, in which order, and why. */
#include "scripted_web.h"

#define A "http://a.test"

static void links_are_followed_in_order_and_once(void)
{
	static const struct scripted_page pages[] = {
		{ A "/", 200,
		  .body = "<p>front<a href=/1>1</a><a href=/2>2</a>"
			  "<a href=http://b.test/>b</a><a href='mailto:x@y'>m</a>" },
		{ A "/1", 200, .body = "<p>one<a href=/2>2</a><a href=/>front</a>" },
		{ A "/2", 200, .body = "<p>two<a href=/gone>gone</a>" },
		{ NULL },
	};

	script_begin(pages);
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_is("queue seed " A "/\n"
			"queue link " A "/1\n"
			"queue link " A "/2\n"
			"refuse out-of-scope http://b.test/\n"
			"refuse scheme mailto:x@y\n"
			"done 200 " A "/\n"
			"done 200 " A "/1\n"
			"queue link " A "/gone\n"
			"done 200 " A "/2\n"
			"done 404 " A "/gone\n"));
	CHECK(script_is_whole());
}

static void what_robots_txt_denies_is_dropped_when_its_turn_comes(void)
{
	static const struct scripted_page pages[] = {
		{ A "/robots.txt", 200, "Content-Type: text/plain\r\n",
		  "User-agent: *\nDisallow: /private\n" },
		{ A "/", 200, .body = "<p>x<a href=/private/1>p</a><a href=/open>o</a>" },
		{ A "/open", 200, .body = "<p>open" },
		{ NULL },
	};

	script_begin(pages);
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("drop robots " A "/private/1\n"));
	CHECK(script_says("done 200 " A "/open\n"));
	CHECK(str_find(buf_str(&script.requests), STR("/private")) == STR_NONE);
	CHECK(script_result.counts.robots_denied == 1 && script_is_whole());
}

static void sitemaps_are_read_wherever_they_are(void)
{
	static const struct scripted_page pages[] = {
		{ A "/robots.txt", 200, "Content-Type: text/plain\r\n",
		  "Sitemap: " A "/map.xml\n" },
		{ A "/map.xml", 200, "Content-Type: application/xml\r\n",
		  "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
		  "<url><loc>" A "/hidden</loc></url></urlset>" },
		{ A "/hidden", 200, .body = "<p>only the sitemap knows" },
		{ A "/", 200, .body = "<p>front" },
		{ "http://b.test/", 200, .body = "<p>another" },
		{ "http://b.test/sitemap.xml", 200, "Content-Type: application/xml\r\n",
		  "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
		  "<url><loc>http://b.test/deep</loc></url></urlset>" },
		{ "http://b.test/deep", 200, .body = "<p>deep" },
		{ NULL },
	};

	script_begin(pages);
	script_settings.sitemaps = true;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("queue sitemap " A "/map.xml\n"));
	CHECK(script_says("queue manifest " A "/hidden\n"));
	CHECK(script_says("done 200 " A "/hidden\n"));
	CHECK(!script_says("/sitemap.xml")); /* it says where they are */
	script_begin(pages);
	script_settings.sitemaps = true;
	CHECK(script_run("http://b.test/") == CRAWL_FINISHED);
	CHECK(script_says("done 200 http://b.test/deep\n"));
}

#define INDEX(next)                                                      \
	"Content-Type: application/xml\r\n",                             \
		"<sitemapindex><sitemap><loc>" A next "</loc></sitemap>" \
		"</sitemapindex>"

/* Each index names another one: only their budget ends it, in every process. */
static void sitemaps_that_name_others_without_end_have_a_budget(void)
{
	static const struct scripted_page pages[] = {
		{ A "/", 200, .body = "<p>front<a href=/page>page</a>" },
		{ A "/page", 200, .body = "<p>page" },
		{ A "/sitemap.xml", 200, INDEX("/s1") },
		{ A "/s1", 200, INDEX("/s2") },
		{ A "/s2", 200, INDEX("/s3") },
		{ A "/s3", 200, INDEX("/s4") },
		{ NULL },
	};

	script_begin(pages);
	script_settings.sitemaps = true;
	script_settings.host_sitemaps = 3;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("done 200 " A "/s2\n"));
	CHECK(script_says("drop host-sitemaps " A "/s3\n"));
	CHECK(script_says("done 200 " A "/page\n") && script_is_whole());
	script_begin(pages);
	script_settings.sitemaps = true;
	script_settings.host_sitemaps = 3;
	script_settings.max_pages = 4; /* with two of them */
	CHECK(script_run(A "/") == CRAWL_LIMIT);
	CHECK(!script_says("done 200 " A "/s2\n"));
	script_settings.max_pages = 0;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("done 200 " A "/s2\n"));
	CHECK(script_says("drop host-sitemaps " A "/s3\n"));
}

static void links_marked_nofollow_are_obeyed_on_demand(void)
{
	static const struct scripted_page pages[] = {
		{ A "/", 200,
		  .body = "<p>front<a href=/1 rel=nofollow>1</a>"
			  "<a href=/2 rel='ugc nofollow'>2</a><a href=/3>3</a>"
			  "<a href=/4 rel=nofollow>4</a><a href=/4>4</a>" },
		{ A "/1", 200, .body = "<p>one" },
		{ A "/2", 200, .body = "<p>two" },
		{ A "/3", 200, .body = "<p>three<a href=/2>2</a>" },
		{ A "/4", 200, .body = "<p>four" },
		{ NULL },
	};

	script_begin(pages);
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("done 200 " A "/1\n"));
	script_begin(pages);
	script_settings.obey_rel_nofollow = true;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("refuse nofollow " A "/1\n") &&
	      !script_says("done 200 " A "/1"));
	CHECK(script_says("refuse nofollow " A "/2\n")); /* until /3 links to it */
	CHECK(script_says("done 200 " A "/2\n") && script_says("done 200 " A "/4\n"));
	CHECK(!script_says("refuse nofollow " A "/4\n") && script_is_whole());
}

static void what_may_pass_is_retried_and_then_tried_a_last_time(void)
{
	static const struct scripted_page pages[] = {
		{ A "/", 200, .body = "<p>x<a href=/twice>t</a><a href=/down>d</a>" },
		{ A "/twice", 200, .body = "<p>at last", .fails = 2 },
		{ A "/down", 200, .body = "<p>much later", .fails = 4 },
		{ NULL },
	};

	script_begin(pages);
	script_settings.retries = 2;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_count("retry -3 " A "/twice\n") == 2);
	CHECK(script_says("done 200 " A "/twice\n"));
	CHECK(script_says("done -3 " A "/down\nqueue last-attempt " A "/down\n"));
	CHECK(script_says("done 200 " A "/down\n") && script_is_whole());
	CHECK(script_result.counts.ok == 3);
}

static void a_site_out_of_reach_is_tried_again_and_by_the_next_process(void)
{
	static const struct scripted_page pages[] = {
		{ A "/", 200, .body = "<p>here" },
		{ NULL },
	};

	script_begin(pages);
	script.no_names = true;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_is("queue seed " A "/\ndrop site-dead " A "/\n"));
	CHECK(script_result.counts.unreachable == 1 && script_result.unreachable.n == 1);
	script.no_names = false;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("queue seed " A "/\ndone 200 " A "/\n"));
	CHECK(script_result.unreachable.n == 0 && script_is_whole());
}

static void redirects_end_after_five(void)
{
	static const struct scripted_page pages[] = {
		{ A "/r0", 302, "Location: /r1\r\n" },
		{ A "/r1", 302, "Location: /r2\r\n" },
		{ A "/r2", 302, "Location: /r3\r\n" },
		{ A "/r3", 302, "Location: /r4\r\n" },
		{ A "/r4", 302, "Location: /r5\r\n" },
		{ A "/r5", 302, "Location: /r6\r\n" },
		{ A "/r6", 302, "Location: /r7\r\n" },
		{ NULL },
	};

	script_begin(pages);
	CHECK(script_run(A "/r0") == CRAWL_FINISHED);
	CHECK(script_says("queue redirect " A "/r5\n") && !script_says(A "/r6"));
}

static void depth_traps_and_budgets_refuse_by_name(void)
{
	static const struct scripted_page pages[] = {
		{ A "/", 200, .body = "<p>x<a href=/a/a/a/a>t</a><a href=/1>1</a>" },
		{ A "/1", 200, .body = "<p>one<a href=/2>2</a>" },
		{ A "/2", 200, .body = "<p>two<a href=/3>3</a>" },
		{ NULL },
	};

	script_begin(pages);
	script_settings.max_depth = 1;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("refuse repeated-segments " A "/a/a/a/a\n"));
	CHECK(script_says("refuse depth " A "/2\n"));
	script_begin(pages);
	script_settings.host_pages = 2;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("drop host-pages " A "/2\n") && script_is_whole());
}

static void a_limit_stops_and_a_new_one_goes_on(void)
{
	static const struct scripted_page pages[] = {
		{ A "/", 200, .body = "<p>x<a href=/1>1</a><a href=/2>2</a>" },
		{ A "/1", 200, .body = "<p>one" },
		{ A "/2", 200, .body = "<p>two<a href=/3>3</a>" },
		{ A "/3", 200, .body = "<p>three" },
		{ NULL },
	};

	script_begin(pages);
	script_settings.max_pages = 2;
	CHECK(script_run(A "/") == CRAWL_LIMIT);
	CHECK(script_result.limit == REASON_MAX_PAGES &&
	      !script_says("done 200 " A "/2"));
	CHECK(script_run(A "/") == CRAWL_LIMIT); /* the same limit is still reached */
	CHECK(!script_says("done 200 " A "/2"));
	script_settings.renew_pages = true;
	CHECK(script_run(A "/") == CRAWL_LIMIT);
	CHECK(script_says("done 200 " A "/2") && script_says("done 200 " A "/3"));
	script_settings.renew_pages = false;
	script_settings.max_pages = 0;
	CHECK(script_run(A "/") == CRAWL_FINISHED && script_is_whole());
}

static void nofollow_in_the_head_counts_as_in_the_page(void)
{
	static const struct scripted_page pages[] = {
		{ A "/", 200, .body = "<p>x<a href=/tag>1</a><a href=/meta>2</a>" },
		{ A "/tag", 200, "X-Robots-Tag: nofollow\r\n", "<p>y<a href=/no1>n</a>" },
		{ A "/meta", 200,
		  .body = "<meta name=robots content=nofollow><p>z<a href=/no2>n</a>" },
		{ NULL },
	};

	script_begin(pages);
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(!script_says(A "/no1") && !script_says(A "/no2"));
	script_begin(pages);
	script_settings.obey_nofollow = false;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("done 404 " A "/no1\n") && script_says("done 404 " A "/no2\n"));
}

/* --- pages without end --- */

static void add_words(struct buf *to, uint64_t seed, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		seed = hash_mix(seed + i + 1);
		for (unsigned k = 0; k < 6; k++)
			buf_add_char(to, (char)('a' + (seed >> (5 * k)) % 26));
		buf_add_char(to, ' ');
	}
}

/* Each page under three sessions, which a list names. */
static void make_shop(struct str url, struct buf *body)
{
	struct str path = str_skip(url, sizeof(A) - 1);

	if (str_eq(path, STR("/"))) {
		buf_add(body, STR("<p>all "));
		for (unsigned i = 0; i < 40; i++)
			for (unsigned s = 0; s < 3; s++)
				buf_addf(body, "<a href='/item/%u?sid=%u'>%u</a> ", i,
					 100 * i + s, i);
		return;
	}
	path = str_slice(path, 0, str_find_char(path, '?'));
	buf_add(body, STR("<title>item</title><p>"));
	add_words(body, hash64(path), 80);
}

static void a_rule_is_learnt_and_skips_what_is_known(void)
{
	static const struct scripted_page pages[] = {
		{ A "/robots.txt", 404 },
		{ A "/*", 200, .make = make_shop },
		{ NULL },
	};

	script_begin(pages);
	script_settings.rules = true;
	script_settings.shipped_rules = false;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says(" by drop sid\n"));
	unsigned fetched = script_count("done 200 " A "/item/");
	CHECK(fetched >= 40 && fetched < 80); /* of 120 */
	for (unsigned i = 0; i < 40; i++) {
		char text[64];

		snprintf(text, sizeof(text), "done 200 " A "/item/%u?", i);
		CHECK(script_says(text));
	}
	CHECK(script_is_whole());
}

/* A long article, its comments eight per page; the first page has two addresses. */
static void make_blog(struct str url, struct buf *body)
{
	struct str path = str_skip(url, sizeof(A) - 1);
	bool is_second = str_find(path, STR("comment-page-2")) != STR_NONE;

	if (str_eq(path, STR("/"))) {
		buf_add(body, STR("<p>all "));
		for (unsigned i = 0; i < 24; i++)
			buf_addf(body, "<a href='/%u/%u/a%u/'>%u</a> ", 2000 + i / 12,
				 i % 12, i, i);
		return;
	}
	size_t end = str_find(path, STR("comment-page"));
	path = end == STR_NONE ? path : str_slice(path, 0, end);
	buf_add(body, STR("<title>post</title><main><article>"));
	for (unsigned i = 0; i < 20; i++) {
		buf_add(body, STR("<p>"));
		add_words(body, hash64(path) + i * 1000, 40);
	}
	buf_add(body, STR("</article><ol>"));
	for (unsigned i = 0; i < 8; i++) {
		buf_add(body, STR("<li><footer><b>Reader</b> says: <a href='#c'>June 2, "
				  "2024 at 2:00 am</a></footer><p>"));
		add_words(body, hash64(path) + 100000 * (i + 8u * is_second + 1), 9);
		buf_addf(body, "</p><div><a href='#r'>Reply to this comment</a></div>");
	}
	for (unsigned i = 1; i < 3; i++)
		buf_addf(body, "</ol></main><a href='" STR_FMT "comment-page-%u/'>%u</a>",
			 STR_ARG(path), i, i);
}

static void a_second_page_of_comments_is_no_copy_of_the_article(void)
{
	static const struct scripted_page pages[] = {
		{ A "/robots.txt", 404 },
		{ A "/*", 200, .make = make_blog },
		{ NULL },
	};

	script_begin(pages);
	script_settings.rules = true;
	script_settings.near_duplicates = true;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_count("/comment-page-2/\n") == 2 * 24); /* queued and done, each */
	CHECK(script_says("/comment-page-1/ by ") && script_is_whole());
}

/* The same script, cut off after every few pages and gone on with: nothing is lost, and
 * nothing is fetched twice. */
static void a_crawl_in_pieces_is_whole(void)
{
	static const struct scripted_page pages[] = {
		{ A "/robots.txt", 404 },
		{ A "/*", 200, .make = make_shop },
		{ NULL },
	};
	enum crawl_end end = CRAWL_LIMIT;

	script_begin(pages);
	script_settings.rules = true;
	script_settings.max_pages = 7;
	for (unsigned i = 0; i < 40 && end == CRAWL_LIMIT; i++) {
		end = script_run(A "/");
		script_settings.renew_pages = true;
	}
	CHECK(end == CRAWL_FINISHED && script_is_whole());
	for (unsigned i = 0; i < 40; i++) {
		char text[64];

		snprintf(text, sizeof(text), "done 200 " A "/item/%u?", i);
		CHECK(script_says(text));
	}
}

static unsigned versions;

static void make_version(struct str url, struct buf *body)
{
	(void)url;
	buf_addf(body, "<p>version %u ", versions);
	add_words(body, versions, 60);
}

static void pages_are_visited_again_when_they_are_due(void)
{
	static const struct scripted_page pages[] = {
		{ A "/robots.txt", 404 },
		{ A "/", 200, .make = make_version },
		{ NULL },
	};

	script_begin(pages);
	versions = 1;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	script_settings.recrawl = true;
	fake_clock_pass(&script.clock, DAY_MS / 2);
	CHECK(script_run(A "/") == CRAWL_FINISHED); /* not due yet */
	CHECK(script_count("done 200 " A "/\n") == 1);
	fake_clock_pass(&script.clock, DAY_MS);
	versions = 2;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_says("queue revisit " A "/\ndone 200 " A "/\n"));
	CHECK(script_result.counts.changed == 1 && script_is_whole());
}

static void make_calendar(struct str url, struct buf *body)
{
	size_t at = str_rfind_char(url, '/');
	uint64_t day = 0;

	(void)!str_to_uint(str_skip(url, at + 1), UINT64_MAX, &day);
	buf_addf(body,
		 "<p>no events on this day<a href=/day/%llu>next</a>"
		 "<a href=/day/%llu>next but one</a>",
		 (unsigned long long)day + 1, (unsigned long long)day + 2);
}

static void an_endless_calendar_ends(void)
{
	static const struct scripted_page pages[] = {
		{ A "/robots.txt", 404 },
		{ A "/day/*", 200, .make = make_calendar },
		{ NULL },
	};

	script_begin(pages);
	script_settings.max_depth = 100000;
	script_settings.max_pages = 5000;
	CHECK(script_run(A "/day/1") == CRAWL_FINISHED);
	CHECK(script_count("done 200") < 1000 && script_is_whole());
}

int main(void)
{
	RUN(links_are_followed_in_order_and_once);
	RUN(what_robots_txt_denies_is_dropped_when_its_turn_comes);
	RUN(sitemaps_are_read_wherever_they_are);
	RUN(sitemaps_that_name_others_without_end_have_a_budget);
	RUN(links_marked_nofollow_are_obeyed_on_demand);
	RUN(what_may_pass_is_retried_and_then_tried_a_last_time);
	RUN(a_site_out_of_reach_is_tried_again_and_by_the_next_process);
	RUN(redirects_end_after_five);
	RUN(depth_traps_and_budgets_refuse_by_name);
	RUN(a_limit_stops_and_a_new_one_goes_on);
	RUN(nofollow_in_the_head_counts_as_in_the_page);
	RUN(a_rule_is_learnt_and_skips_what_is_known);
	RUN(a_second_page_of_comments_is_no_copy_of_the_article);
	RUN(a_crawl_in_pieces_is_whole);
	RUN(pages_are_visited_again_when_they_are_due);
	RUN(an_endless_calendar_ends);
	script_end();
	DONE();
}
