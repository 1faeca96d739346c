/* Whole crawls that look for something: what is fetched first, what never, when it ends.
 */
#include "scripted_web.h"

#include "focus/scores.h"

#define A "http://a.test"

static struct str words[] = { STR("solar energy"), STR("wind=0.5") };

static void look_for_solar_energy(void)
{
	/* The lists are released with the settings. */
	for (size_t i = 0; i < COUNT(words); i++)
		VEC_ADD(script_settings.want.v, script_settings.want.n,
			script_settings.want.cap, words[i]);
}

static const struct scripted_page web[] = {
	{ A "/", 200,
	  .body = "<p>Cooking <a href=/cook>recipes of all kinds</a></p>"
		  "<p>Sports <a href=/sport>results of today</a></p>"
		  "<p>Power: <a href=/power>solar energy for all</a></p>"
		  "<p>Spam <a href=http://a.test/spam/1>win a solar energy car</a></p>" },
	{ A "/cook", 200, .body = "<p>Soup and bread and more of the same" },
	{ A "/sport", 200, .body = "<p>They won and lost, and it rained" },
	{ A "/power", 200,
	  .body = "<p>Solar energy is what this page is about, solar energy and wind"
		  "<a href=/more>more</a>" },
	{ A "/more", 200, .body = "<p>Even more on solar energy here, as promised" },
	{ NULL },
};

static size_t place_of(const char *url)
{
	return str_find(buf_str(&script.requests), str_from(url));
}

static void what_promises_the_topic_is_fetched_first(void)
{
	script_begin(web);
	look_for_solar_energy();
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(place_of("/power\n") < place_of("/cook\n"));
	CHECK(script_is("queue seed " A "/\n"
			"queue link " A "/cook\n"
			"queue link " A "/sport\n"
			"queue link " A "/power\n"
			"queue link " A "/spam/1\n"
			"done 200 " A "/\n"
			"queue link " A "/more\n"
			"done 200 " A "/power\n"
			"done 404 " A "/spam/1\n"
			"done 200 " A "/more\n" /* found last */
			"done 200 " A "/cook\n"
			"done 200 " A "/sport\n"));
	CHECK(script_is_whole());
	script_begin(web);
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(place_of("/power\n") > place_of("/cook\n"));
	CHECK(place_of("/more\n") > place_of("/sport\n"));
}

static void a_black_list_keeps_urls_out(void)
{
	const char *name = tmp_path("spam.txt");
	FILE *f = fopen(name, "w");

	CHECK(f && fputs("# spam\nhttp://a.test/spam/\n", f) > 0 && fclose(f) == 0);
	script_begin(web);
	script_settings.blacklist = arena_copy(&script_arena, str_from(name));
	CHECK(script_run(A "/") == CRAWL_FINISHED);
	CHECK(script_count("refuse blacklist " A "/spam/1\n") == 1);

	CHECK(script_says("done 200 " A "/power\n"));
	CHECK(place_of("/spam/1") == STR_NONE && script_is_whole());
}

/* --- a site without end, 1 of 10 pages on topic --- */

static void make_page(struct str url, struct buf *body)
{
	uint64_t n = 0;
	struct str rest = str_skip(url, sizeof(A "/n") - 1);

	str_take_uint(&rest, 1000000, &n);
	buf_addf(body, "<p>Page %llu on %s. It has words of its own: w%llu x%llu.</p>",
		 (unsigned long long)n,
		 n % 10 == 0 ? "solar energy, and what solar energy is" : "other things",
		 (unsigned long long)n * 77, (unsigned long long)n * 13);
	for (uint64_t k = 0; k < 10 && n < 300; k++) {
		uint64_t to = n * 10 + k;

		buf_addf(body, "<p><a href=/n%llu>%s %llu</a></p>",
			 (unsigned long long)to, to % 10 == 0 ? "solar energy" : "other",
			 (unsigned long long)to);
	}
}

static const struct scripted_page endless[] = {
	{ A "/n*", 200, .make = make_page },
	{ NULL },
};

static size_t relevant_fetched(void)
{
	struct str all = buf_str(&script.requests), line;
	size_t n = 0;

	while (str_take_until(&all, '\n', &line))
		n += str_ends(line, STR("0"));
	return n;
}

static void begin_endless(void)
{
	script_begin(endless);
	script_settings.near_duplicates = false; /* the pages are much alike */
}

static void a_budget_is_spent_on_the_topic(void)
{
	begin_endless();
	script_settings.max_pages = 60;
	CHECK(script_run(A "/n1") == CRAWL_LIMIT);
	size_t without = relevant_fetched();
	begin_endless();
	look_for_solar_energy();
	script_settings.max_pages = 60;
	CHECK(script_run(A "/n1") == CRAWL_LIMIT);
	CHECK(relevant_fetched() >= 2 * without);
}

static void a_saturated_crawl_ends_with_its_evidence(void)
{
	begin_endless();
	look_for_solar_energy();
	script_settings.min_yield = 0.05;
	script_settings.yield_window = 30;
	CHECK(script_run(A "/n1") == CRAWL_LIMIT);
	CHECK(script_result.limit == REASON_SATURATION);
	CHECK(script_result.counts.requests < 600 && relevant_fetched() >= 20);
}

/* --- many hosts --- */

static void make_host(struct str url, struct buf *body)
{
	bool good = str_find(url, STR("good")) != STR_NONE;
	size_t slash = str_rfind_char(url, '/');
	uint64_t n = 0;
	struct str rest = str_skip(url, slash + 1);

	str_take_uint(&rest, 1000000, &n);
	buf_addf(body, "<p>%s, on page %llu of this host, w%llu</p>",
		 good ? "Solar energy, solar energy" : "Other things",
		 (unsigned long long)n, (unsigned long long)(n * 99));
	for (unsigned k = 1; k <= 5; k++)
		buf_addf(body, "<p><a href=/%llu>page</a></p>",
			 (unsigned long long)(n * 5 + k));
}

static const struct scripted_page hosts[] = {
	{ A "/", 200,
	  .body = "<p><a href=http://bad1.test/0>1</a><a href=http://bad2.test/0>2</a>"
		  "<a href=http://good.test/0>3</a><a href=http://bad3.test/0>4</a>" },
	{ "http://good.test/*", 200, .make = make_host },
	{ "http://bad*", 200, .make = make_host },
	{ NULL },
};

/* All may be asked at any time: requests go to the host that is worth them. */
static void the_best_host_is_asked_most(void)
{
	script_begin(hosts);
	look_for_solar_energy();
	script_settings.scope = SCOPE_ANY;
	script_settings.near_duplicates = false;
	script_settings.delay_ms = script_settings.domain_delay_ms = 0;
	script_settings.address_delay_ms = 0;
	script_settings.delay_factor = 0;
	script_settings.max_pages = 60;
	CHECK(script_run(A "/") == CRAWL_LIMIT);
	CHECK(script_count("done 200 http://good.test/") > 45);
}

/* --- resuming --- */

struct learnt {
	size_t links, answers;
};

static bool count_scores(void *arg, const struct journal_record *r)
{
	struct learnt *n = arg;
	struct focus_scores s;

	if (r->kind == JOURNAL_LINKS)
		for (size_t i = 0; i < r->links.n; i++)
			n->links +=
				r->links.v[i].has_score &&
				focus_scores_decode(r->links.v[i].scores, &s) == ST_OK;
	if (r->kind == JOURNAL_DONE && r->done.has_relevance)
		n->answers += focus_scores_decode(r->done.scores, &s) == ST_OK;
	return true;
}

static void a_learner_goes_on_where_it_was(void)
{
	struct learnt n = { 0 };
	struct diag why;

	begin_endless();
	look_for_solar_energy();
	script_settings.focus = 1; /* learn */
	script_settings.max_pages = 100;
	CHECK(script_run(A "/n1") == CRAWL_LIMIT);
	script_settings.max_pages = 200;
	CHECK(script_run(A "/n1") == CRAWL_LIMIT);
	CHECK(relevant_fetched() > 30); /* 20 by chance */
	CHECK(journal_each(path_join(&script_arena, script_dir(), STR("state/journal")),
			   count_scores, &n, &why) == ST_OK);
	CHECK(n.links > 500 && n.answers > 150);
}

int main(void)
{
	RUN(what_promises_the_topic_is_fetched_first);
	RUN(a_black_list_keeps_urls_out);
	RUN(a_budget_is_spent_on_the_topic);
	RUN(a_saturated_crawl_ends_with_its_evidence);
	RUN(the_best_host_is_asked_most);
	RUN(a_learner_goes_on_where_it_was);
	script_end();
	DONE();
}
