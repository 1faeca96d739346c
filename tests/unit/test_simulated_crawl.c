/* Archives crawled again: what is found and lost, and that it is always the same. */
#include "scripted_web.h"
#include "simulate/comparison.h"
#include "simulate/replay.h"
#include "simulate/simulate.h"
#include "simulate/spec_column.h"

#define A "http://a.test"

static void number_page(struct str url, struct buf *body)
{
	uint64_t n = 0;

	(void)str_to_uint(str_skip(url, str_rfind_char(url, '/') + 1), 1000, &n);
	buf_addf(body, "<title>%llu</title><p>The page of the number %llu, which is not",
		 (unsigned long long)n, (unsigned long long)n);
	for (uint64_t k = 0; k < 40; k++)
		buf_addf(body, " w%llu",
			 (unsigned long long)((n * 7919 + k * 104729) % 99991));
	if (n < 30)
		buf_addf(body, "<p><a href=/n/%llu>a</a> <a href=/n/%llu>b</a>",
			 (unsigned long long)(2 * n + 1),
			 (unsigned long long)(2 * n + 2));
	buf_addf(body, " <a href=/n/%llu?sid=%llu>again</a>", (unsigned long long)n,
		 (unsigned long long)(n * 31 + 1000));
}

static const struct scripted_page tree[] = {
	{ A "/robots.txt", 200, "Content-Type: text/plain\r\n",
	  "User-agent: *\nDisallow: /private\n" },
	{ A "/", 200,
	  .body = "<p>Front<a href=/n/0>tree</a><a href=/moved>m</a><a "
		  "href=/private>p</a>"
		  "<a href=/copy>c</a><a href=/copy?again>c</a>" },
	{ A "/moved", 301, "Location: /target\r\n" },
	{ A "/target", 200, .body = "<p>Where the other one leads to, in some words" },
	{ A "/copy*", 200,
	  .body = "<p>Twice the same text under two URLs, in few words" },
	{ A "/n/*", 200, .make = number_page },
	{ NULL },
};

/* Record it once; the folder of the crawl. */
static const char *record(uint64_t max_pages)
{
	script_begin(tree);
	script_settings.no_warc = false;
	script_settings.max_pages = max_pages;
	script_run(A "/");
	return script_dir();
}

static void load(struct recorded_web *w, const char *dir)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list names = { 0 };
	char *archive = path_join(&a, dir, STR("archive"));
	struct diag why = { { 0 } };

	CHECK(dir_list(archive, STR(".warc.gz"), &a, &names, &why) == ST_OK);
	for (size_t i = 0; i < names.n; i++)
		CHECK(recorded_web_add(w, path_join(&a, archive, names.v[i]), &why) ==
		      ST_OK);
	CHECK(recorded_web_finish(w, &why) == ST_OK);
}

static void simulate(struct recorded_web *w, uint64_t max_pages,
		     struct crawl_outcome *ret)
{
	cleanup(spec_column_release) struct spec_column c = { 0 };
	struct str seed = STR(A "/");
	struct diag why = { { 0 } };

	CHECK(spec_column_read(&c, NULL, &why) == ST_OK);
	spec_column_take_seeds(&c, &(struct str_list){ &seed, 1, 1 });
	CHECK(spec_column_set(&c, STR("no-soft-404"), &why) == ST_OK);
	CHECK(spec_column_set(&c, STR("no-sitemaps"), &why) == ST_OK);
	c.settings.max_pages = max_pages;
	enum status st = simulate_run(&(struct simulated_spec){ .name = STR("it"),
								.settings = &c.settings,
								.seeds = &c.seeds },
				      w, ret, &why);
	if (st != ST_OK)
		printf("# %s\n", why.text);
	CHECK(st == ST_OK);
}

static void an_archive_is_found_by_url_and_read_again(void)
{
	cleanup(recorded_web_release) struct recorded_web w = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf body = { 0 };
	struct diag why = { { 0 } };
	struct str head;

	load(&w, record(0));
	uint32_t moved = recorded_find(&w, STR(A "/moved"));
	CHECK(moved != RECORDED_NONE && w.v[moved].code == 301);
	CHECK(recorded_find(&w, STR(A "/nowhere")) == RECORDED_NONE);
	/* The second copy is a revisit record: it has the body of the first. */
	uint32_t one = recorded_find(&w, STR(A "/copy"));
	uint32_t two = recorded_find(&w, STR(A "/copy?again"));
	CHECK(one != RECORDED_NONE && two != RECORDED_NONE);
	CHECK(w.v[two].origin == one || w.v[one].origin == two);
	CHECK(w.v[one].content == w.v[two].content);
	CHECK(recorded_read(&w, two, &a, &head, &body, &why) == ST_OK);
	CHECK(str_eq(buf_str(&body), str_from(tree[4].body)));
	CHECK(str_starts(head, STR("HTTP/1.1 200")));
	struct ip ip = recorded_address(&w, STR("a.test"));
	CHECK(ip.n == 4 && ip.bytes[0] == 127);
	ip = recorded_address(&w, STR("b.test"));
	CHECK(ip.n == 4 && ip.bytes[0] == 10);
}

static void the_same_settings_find_the_same(void)
{
	cleanup(recorded_web_release) struct recorded_web w = { 0 };
	cleanup(crawl_outcome_release) struct crawl_outcome o = { 0 }, recorded = { 0 };
	const char *dir = record(0);
	struct diag why = { { 0 } };

	load(&w, dir);
	CHECK(crawl_outcome_read(&recorded, &w, NULL, dir, &why) == ST_OK);
	simulate(&w, 0, &o);
	CHECK(recorded.lost_pages == 0 && recorded.unknown == 0);
	CHECK(o.found_new == recorded.found_new && o.found_new > 60);
	CHECK(o.lost_contents == 0 && o.redirects == 1);
	CHECK(o.reasons[REASON_ROBOTS] == 1); /* decided anew, from the recorded file */
	/* A second between two requests to the host, and nobody has waited. */
	CHECK(o.duration_ms > 60 * 1000);
}

static void what_a_budget_leaves_out_is_lost_and_said_why(void)
{
	cleanup(recorded_web_release) struct recorded_web w = { 0 };
	cleanup(crawl_outcome_release) struct crawl_outcome o = { 0 };

	load(&w, record(0));
	simulate(&w, 10, &o);
	CHECK(o.pages + o.redirects >= 10 && o.requests < 15);
	CHECK(o.lost_pages > 40 && o.lost_contents > 40);
	CHECK(o.lost_ends[END_NEVER_FOUND] + o.lost_ends[END_QUEUED] +
		      o.lost_ends[END_SKIPPED] + o.lost_ends[END_DROPPED] ==
	      o.lost_pages);
	CHECK(o.lost_ends[END_QUEUED] > 0 && o.lost_ends[END_NEVER_FOUND] > 0);
	CHECK(crawl_outcome_new_after(&o, 0) == 0);
	CHECK(crawl_outcome_new_after(&o, 1000) == o.found_new);
	CHECK(crawl_outcome_requests_for(&o, 1, o.found_new) ==
	      o.new_pages[o.n_new - 1].request);
	CHECK(crawl_outcome_requests_for(&o, 1, o.found_new + 1) == 0);
}

static void what_is_not_in_the_archive_is_counted_apart(void)
{
	cleanup(recorded_web_release) struct recorded_web w = { 0 };
	cleanup(crawl_outcome_release) struct crawl_outcome o = { 0 };

	load(&w, record(10));
	simulate(&w, 0, &o);
	CHECK(o.unknown > 5 && o.absent == o.unknown);
	CHECK(o.lost_pages == 0);
}

static void the_same_input_gives_the_same_bytes(void)
{
	cleanup(recorded_web_release) struct recorded_web w = { 0 };
	struct buf text[2] = { { 0 }, { 0 } };

	load(&w, record(0));
	for (size_t k = 0; k < 2; k++) {
		cleanup(crawl_outcome_release) struct crawl_outcome o = { 0 };
		struct comparison c = { .v = &o, .n = 1, .answers = w.n };

		simulate(&w, 40, &o);
		crawl_outcome_archive(&w, &c.pages, &c.contents);
		comparison_add_text(&c, &text[k]);
		comparison_write_json(&c, &text[k]);
		comparison_add_html(&c, &text[k]);
	}
	CHECK(text[0].n > 1000 && str_eq(buf_str(&text[0]), buf_str(&text[1])));
	buf_release(&text[0]);
	buf_release(&text[1]);
}

static void all_columns_are_judged_by_one_specification(void)
{
	cleanup(recorded_web_release) struct recorded_web w = { 0 };
	cleanup(spec_column_release) struct spec_column c = { 0 };
	cleanup(crawl_outcome_release) struct crawl_outcome o = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	const char *dir = record(0);
	struct relevance *judge = NULL;
	struct diag why = { { 0 } };

	load(&w, dir);
	CHECK(spec_column_read(&c, NULL, &why) == ST_OK);
	CHECK(relevance_open(&judge, &w, &c.settings, &why) == ST_OK && !judge);
	CHECK(spec_column_set(&c, STR("want=target"), &why) ==
	      ST_OK); /* nobody says it */
	CHECK(spec_column_set(&c, STR("want=leads to"), &why) == ST_OK);
	CHECK(relevance_open(&judge, &w, &c.settings, &why) == ST_OK && judge);
	CHECK(crawl_outcome_read(&o, &w, judge, dir, &why) == ST_OK);
	CHECK(o.has_relevance && o.relevant == 1 && o.found_new > 60);
	CHECK(crawl_outcome_relevance_after(&o, 0) == 0);
	CHECK(crawl_outcome_relevance_after(&o, UINT64_MAX) > 0.4);
	struct comparison all = { .v = &o, .n = 1, .answers = w.n };
	comparison_add_text(&all, &text);
	CHECK(str_find(buf_str(&text), STR("relevance per request")) != STR_NONE);
	comparison_add_html(&all, &text);
	CHECK(str_find(buf_str(&text), STR("Relevance in all")) != STR_NONE);
	relevance_close(judge);
}

static void options_are_set_by_name(void)
{
	cleanup(spec_column_release) struct spec_column c = { 0 };
	struct spec_column b;
	struct diag why = { { 0 } };

	CHECK(spec_column_read(&c, NULL, &why) == ST_OK);
	CHECK(spec_column_set(&c, STR("max-depth=3"), &why) == ST_OK);
	CHECK(spec_column_set(&c, STR("exclude=/x/"), &why) == ST_OK);
	CHECK(c.settings.max_depth == 3 && c.settings.rules);
	CHECK(spec_column_set(&c, STR("no-such-thing"), &why) == ST_SYNTAX);
	CHECK(spec_column_set(&c, STR("max-depth"), &why) == ST_SYNTAX);
	spec_column_breadth_first(&c, &b);
	CHECK(b.settings.max_depth == 3 && b.settings.exclude.n == 1);
	CHECK(!b.settings.rules && b.settings.order == ORDER_BREADTH_FIRST);
	spec_column_release(&b);
}

/* --- replay --- */

static void replay(const char *dir, uint64_t max_depth, struct replay_result *ret)
{
	struct crawl_settings s = { .max_depth = max_depth };
	const struct option_row *depth = option_find(crawl_options, STR("max-depth"));
	struct str seed = STR(A "/");
	struct diag why = { { 0 } };
	enum status st =
		replay_crawl(dir, &(struct str_list){ &seed, 1, 1 },
			     &(struct replay_options){ &s, &depth, 1 }, ret, &why);

	if (st != ST_OK)
		printf("# %s\n", why.text);
	CHECK(st == ST_OK);
}

static void a_recorded_crawl_decides_the_same_again(void)
{
	cleanup(replay_result_release) struct replay_result r = { 0 };

	script_begin(tree);
	script_settings.no_warc = false;
	script_settings.rules = true;
	script_run(A "/");
	replay(script_dir(), script_settings.max_depth, &r);
	CHECK(r.is_equal && r.rest.n == 0 && r.processes == 1);
	CHECK(r.transitions > 100);
	if (!r.is_equal)
		printf("# " STR_FMT "\n", STR_ARG(buf_str(&r.difference)));
}

static void another_decision_is_found_and_named(void)
{
	cleanup(replay_result_release) struct replay_result r = { 0 };

	replay(record(0), 2, &r);
	CHECK(!r.is_equal && r.transitions > 5 && r.rest.n == 0);
	CHECK(str_find(buf_str(&r.difference), STR("recorded at")) == 0);
	CHECK(str_find(buf_str(&r.difference), STR("refused (link, depth")) != STR_NONE);
}

static void processes_one_after_the_other_and_failures_are_replayed(void)
{
	static const struct scripted_page pages[] = {
		{ A "/", 200,
		  .body = "<p>x<a href=/twice>t</a><a href=/down>d</a><a href=/1>1</a>" },
		{ A "/twice", 200, .body = "<p>at last", .fails = 2 },
		{ A "/down", 200, .body = "<p>much later", .fails = 4 },
		{ A "/1", 200, .body = "<p>one<a href=/2>2</a>" },
		{ A "/2", 503, "Retry-After: 77\r\n", .body = "<p>never" },
		{ NULL },
	};
	cleanup(replay_result_release) struct replay_result r = { 0 };

	script_begin(pages);
	script_settings.no_warc = false;
	script_settings.retries = 2;
	script_settings.max_pages = 2;
	CHECK(script_run(A "/") == CRAWL_LIMIT);
	script_settings.max_pages = 0;
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_count("retry -3 " A "/twice\n") == 2);
	replay(script_dir(), script_settings.max_depth, &r);
	CHECK(r.is_equal && r.rest.n == 0 && r.processes == 2);
	if (!r.is_equal)
		printf("# " STR_FMT "\n", STR_ARG(buf_str(&r.difference)));
}

int main(void)
{
	RUN(an_archive_is_found_by_url_and_read_again);
	RUN(the_same_settings_find_the_same);
	RUN(what_a_budget_leaves_out_is_lost_and_said_why);
	RUN(what_is_not_in_the_archive_is_counted_apart);
	RUN(the_same_input_gives_the_same_bytes);
	RUN(all_columns_are_judged_by_one_specification);
	RUN(options_are_set_by_name);
	RUN(a_recorded_crawl_decides_the_same_again);
	RUN(another_decision_is_found_and_named);
	RUN(processes_one_after_the_other_and_failures_are_replayed);
	script_end();
	DONE();
}
