/* Whole campaigns against the mock: what is in the folder at the end. */
#include <sys/wait.h>

#include "api_web.h"
#include "kb/kb.h"

#define ITEMS 130

static const struct api_mock_options plain = {
	.seed = 3, .items = ITEMS, .page_size = 20, .comments_most = 2
};

static const char forum_text[] =
	"{\"service\":\"forum\",\"base_url\":\"http://forum.example\",\"delay\":0,"
	"\"auth\":{\"type\":\"api_key_query\",\"name\":\"key\",\"optional\":true},"
	"\"budgets\":[{\"limit\":30,\"window\":\"10s\"}],"
	"\"interactions\":{"
	"\"items\":{\"request\":{\"path\":\"/items\"},\"paginate\":{\"type\":\"cursor\","
	"\"param\":\"cursor\",\"next\":\"next\"},\"items\":\"items[*]\",\"id\":\"{id}\","
	"\"incremental\":{\"value\":\"{number}\",\"set\":{\"since\":\"{since}\"}},"
	"\"map\":[{\"subject\":\"http://forum.example/{id}\",\"a\":\"sioc:Post\","
	"\"sioc:content\":\"{text}\",\"schema:dateCreated\":\"{created}^^xsd:dateTime\","
	"\"sioc:has_creator\":\"<http://forum.example/user/{author}>\"}],"
	"\"links\":[{\"url\":\"{text|links}\",\"score\":0.7}],"
	"\"chain\":[{\"call\":\"comments\",\"when\":\"{comments}\",\"params\":{\"item\":"
	"\"{id}\"}}]},"
	"\"comments\":{\"request\":{\"path\":\"/items/{item}/"
	"comments\"},\"items\":\"items[*]\","
	"\"id\":\"{id}\",\"map\":[{\"subject\":\"http://forum.example/{id}\",\"a\":["
	"\"sioc:Post\",\"schema:Comment\"],\"sioc:content\":\"{text}\"}]}}}";

/* Another platform: other paths, other words, the same model. */
static const char blog_text[] =
	"{\"service\":\"blog\",\"base_url\":\"http://blog.example\",\"delay\":0,"
	"\"interactions\":{\"posts\":{\"kind\":\"post\",\"request\":{\"path\":\"/items\","
	"\"params\":{\"q\":\"{keyword}\"}},\"paginate\":{\"type\":\"link\"},"
	"\"items\":\"items[*]\",\"id\":\"{number}\","
	"\"map\":[{\"subject\":\"http://blog.example/post/{number}\",\"a\":\"sioc:Post\","
	"\"sioc:content\":\"{text}\",\"sioc:has_creator\":"
	"\"<http://blog.example/author/{author}>\"}]}}}";

static const char forum_campaign[] = "name: c\nservices: [forum]\n";

static const char *services(void)
{
	static char *dir;
	struct diag why;
	cleanup(arena_release) struct arena a = { 0 };

	if (dir)
		return dir;
	dir = strdup(tmp_path("services"));
	if (dir_make(dir, &why) != ST_OK ||
	    file_replace(path_join(&a, dir, STR("forum.json")), str_from(forum_text),
			 &why) != ST_OK ||
	    file_replace(path_join(&a, dir, STR("blog.json")), str_from(blog_text),
			 &why) != ST_OK)
		abort();
	return dir;
}

static size_t all_comments(void)
{
	size_t n = 0;

	for (uint32_t i = 0; i < api_web.mock.o.items; i++)
		n += api_mock_comments(&api_web.mock, i);
	return n;
}

static bool has_each_once(const char *dir, size_t lines)
{
	struct str text = api_web_file(dir, "c/items.jsonl");
	cleanup(buf_release) struct buf id = { 0 };

	if (count_of(text, "\n") != lines)
		printf("# %zu lines, not %zu\n", count_of(text, "\n"), lines);
	for (uint32_t i = 0; i < api_web.mock.o.items; i++) {
		buf_reset(&id);
		buf_addf(&id, "\"id\":\"i%u\",\"iri\"", i);
		if (count_of(text, buf_cstr(&id)) != 1) {
			printf("# i%u is there %zu times\n", i,
			       count_of(text, buf_cstr(&id)));
			return false;
		}
	}
	return count_of(text, "\n") == lines;
}

static void a_campaign_brings_every_item_once(void)
{
	char *dir = strdup(tmp_path("once"));
	struct api_result r;

	api_web_begin(&plain);
	CHECK(api_web_run(dir, services(), forum_campaign, (struct api_run_options){ 0 },
			  &r));
	CHECK(r.end == API_COMPLETE);
	CHECK(r.counts.new_items == ITEMS + all_comments());
	CHECK(has_each_once(dir, ITEMS + all_comments()));
	CHECK(count_of(api_web_file(dir, "c/links.jsonl"), "\"score\":0.7") == ITEMS);
	CHECK(count_of(api_web_file(dir, "c/triples.nq"), "sioc/ns#Post>") ==
	      ITEMS + all_comments());
	CHECK(count_of(api_web_file(dir, "c/triples.nq"),
		       "prov#wasDerivedFrom> <urn:uuid:") == ITEMS + all_comments());
	CHECK(api_web.mock.over_budget == 0 && api_web.mock.twice == 0);
	free(dir);
}

static void a_second_run_fetches_what_is_new_or_changed(void)
{
	char *dir = strdup(tmp_path("again"));
	struct api_result r;

	api_web_begin(&plain);
	CHECK(api_web_run(dir, services(), forum_campaign, (struct api_run_options){ 0 },
			  &r));
	api_web.mock.o.items += 5;
	api_web.mock.o.changed_from = ITEMS - 1;
	buf_reset(&api_web.targets);
	api_web.mock.twice = 0;
	CHECK(api_web_run(dir, services(), forum_campaign, (struct api_run_options){ 0 },
			  &r));
	/* Since the last number: one page, and the comments of what is new. */
	CHECK(str_starts(buf_str(&api_web.targets), STR("/items?since=129\n")));
	size_t comments = 0;
	for (uint32_t i = ITEMS; i < ITEMS + 5; i++)
		comments += api_mock_comments(&api_web.mock, i);
	CHECK(r.counts.changed == 1 && r.counts.new_items == 5 + 1 + comments);
	CHECK(r.counts.requests <= 1 + 6);
	CHECK(count_of(api_web_file(dir, "c/items.jsonl"), "\"changed\":true") == 1);
	/* And once more: nothing. */
	CHECK(api_web_run(dir, services(), forum_campaign, (struct api_run_options){ 0 },
			  &r));
	CHECK(r.counts.requests == 1 && r.counts.new_items == 0);
	free(dir);
}

static enum status count_rows(void *arg, struct str bytes)
{
	buf_add(arg, bytes);
	return ST_OK;
}

static void one_query_asks_two_platforms(void)
{
	static const char campaign[] =
		"name: c\nkeywords: [solar]\n"
		"services:\n  - forum: {interactions: [items]}\n  - blog\n";
	char *dir = strdup(tmp_path("two"));
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf out = { 0 };
	struct api_result r;
	struct kb k;
	struct diag why;
	size_t matches = 0;

	api_web_begin(&plain);
	CHECK(api_web_run(dir, services(), campaign, (struct api_run_options){ 0 }, &r));
	for (uint32_t i = 0; i < ITEMS; i++)
		matches += api_mock_matches(&api_web.mock, i, STR("solar"));
	CHECK(kb_open(&k, path_join(&a, dir, STR("kb")),
		      &(struct store_options){ .read_only = true, .must_exist = true },
		      &why) == ST_OK);
	struct results_writer w = { .format = RESULTS_CSV,
				    .flush = count_rows,
				    .context = &out };
	enum status st = kb_query(
		&k,
		STR("PREFIX sioc: <http://rdfs.org/sioc/ns#> PREFIX t: "
		    "<https://thresh.invalid/vocab#> SELECT ?service (COUNT(?p) AS ?n) "
		    "WHERE "
		    "{ GRAPH <urn:thresh:campaign:c> { ?p a sioc:Post ; sioc:has_creator "
		    "?who ; "
		    "t:service ?service } } GROUP BY ?service ORDER BY ?service"),
		STR(""), NULL, &w, &why);
	if (st != ST_OK)
		printf("# %s\n", why.text);
	CHECK(st == ST_OK);
	cleanup(buf_release) struct buf want = { 0 };
	buf_addf(&want, "service,n\r\nblog,%zu\r\nforum,%u\r\n", matches, ITEMS);
	if (!str_eq(buf_str(&out), buf_str(&want)))
		printf("# %.*s# not %.*s", STR_ARG(buf_str(&out)),
		       STR_ARG(buf_str(&want)));
	CHECK(str_eq(buf_str(&out), buf_str(&want)));
	results_release(&w);
	kb_close(&k);
	free(dir);
}

static void a_recorded_campaign_replays_to_the_same_items(void)
{
	char *dir = strdup(tmp_path("rec")), *kept = strdup(tmp_path("kept"));
	char *again = strdup(tmp_path("rep"));
	struct api_mock_options rough = plain;
	struct api_result r;

	rough.failing = rough.limited = rough.truncated = 0.05;
	api_web_begin(&rough);
	CHECK(api_web_run(dir, services(), forum_campaign,
			  (struct api_run_options){ .record = kept }, &r));
	uint64_t requests = r.counts.requests;
	cleanup(buf_release) struct buf first = { 0 };
	buf_addf(&first, "%zu", count_of(api_web_file(dir, "c/items.jsonl"), "\n"));
	api_web.started = 0;
	CHECK(api_web_run(again, services(), forum_campaign,
			  (struct api_run_options){ .replay = kept }, &r));
	CHECK(api_web.started == 0);
	CHECK(r.counts.requests == requests);
	CHECK(has_each_once(again, ITEMS + all_comments()));
	free(dir);
	free(kept);
	free(again);
}

/* --- kill -9 --- */

/* A child that runs the campaign and is killed at a request, or by us at any instant. */
static bool run_and_kill(const char *dir, unsigned nr, struct rng *rng, int64_t now_ms)
{
	uint64_t at = 1 + rng_below(rng, 40);
	bool late = rng_chance(rng, 0.5), by_parent = rng_chance(rng, 0.3);
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct api_result r;
		struct api_mock_options o = plain;

		o.failing = o.truncated = o.repeating = 0.03;
		o.seed = plain.seed; /* the truth stays */
		o.limit = 30;
		o.window_ms = 10000;
		api_web_begin(&o);
		api_web.mock.rng.state = nr;
		fake_clock_set_wall(&api_web.clock, now_ms);
		api_web.kill_at = at;
		api_web.kill_late = late;
		api_web.log = fopen(tmp_path("times"), "a");
		bool fine = api_web_run(dir, services(), forum_campaign,
					(struct api_run_options){ .once = true }, &r);
		_exit(fine && r.end == API_COMPLETE && api_web.mock.over_budget == 0 ? 0
										     : 1);
	}
	if (by_parent) {
		usleep((useconds_t)rng_below(rng, 30000));
		kill(pid, SIGKILL);
	}
	if (waitpid(pid, &status, 0) != pid)
		abort();
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The time of the last request: the next process begins after it. */
static int64_t last_time(struct str times, bool *ret_within)
{
	static int64_t v[1 << 16];
	size_t n = 0;
	struct str line;
	uint64_t t;

	while (n < COUNT(v) && str_take_line(&times, &line))
		if (str_to_uint(str_trim(line), INT64_MAX, &t))
			v[n++] = (int64_t)t;
	*ret_within = true;
	for (size_t i = 30; i < n; i++)
		*ret_within &= v[i] - v[i - 30] >= 10000;
	return n ? v[n - 1] : 1790000000000;
}

static unsigned kills = 25;

static void killed_at_any_time_nothing_is_lost_doubled_or_over_budget(void)
{
	char *dir = strdup(tmp_path("kill"));
	struct rng rng = { 11 };
	bool within = true, done = false;
	unsigned n = 0;

	api_web_begin(&plain);
	for (; n < kills || !done; n++) {
		int64_t now = last_time(api_web_file(tmp_folder, "times"), &within);

		CHECK(within);
		CHECK(n < 20 * kills);
		if (done) { /* it was complete before all kills were done: once more */
			cleanup(arena_release) struct arena a = { 0 };
			struct diag why;

			CHECK(has_each_once(dir, ITEMS + all_comments()));
			CHECK(dir_remove(path_join(&a, dir, STR("c")), &why) == ST_OK);
		}
		done = run_and_kill(dir, n, &rng, now + 50);
	}
	CHECK(has_each_once(dir, ITEMS + all_comments()));
	CHECK(count_of(api_web_file(dir, "c/triples.nq"),
		       "prov#wasDerivedFrom> <urn:uuid:") == ITEMS + all_comments());
	printf("# %u processes\n", n);
	free(dir);
}

/* Killed when the journal's folder was there and its first file was not, or was half. */
static void a_folder_without_a_whole_journal_begins_anew(void)
{
	static const char *const heads[] = { NULL, "", "thr" };
	cleanup(arena_release) struct arena a = { 0 };
	struct api_result r;
	struct diag why;

	for (size_t k = 0; k < COUNT(heads); k++) {
		char name[20];

		snprintf(name, sizeof(name), "torn%zu", k);
		char *dir = strdup(tmp_path(name));
		char *journal = path_join(&a, dir, STR("c/state/journal"));
		CHECK(dir_make(journal, &why) == ST_OK);
		if (heads[k])
			CHECK(file_replace(path_join(&a, journal,
						     STR("00000000000000000000.seg")),
					   str_from(heads[k]), &why) == ST_OK);
		api_web_begin(&plain);
		CHECK(api_web_run(dir, services(), forum_campaign,
				  (struct api_run_options){ 0 }, &r));
		CHECK(has_each_once(dir, ITEMS + all_comments()));
		free(dir);
	}
}

/* --- kill -9 within a stream --- */

#define STREAM 300

static const char stream_campaign[] =
	"name: c\nkeywords: [solar]\nservices:\n  - jetstream: {instance: "
	"\"http://stream.example\", interactions: [posts]}\n";

static bool run_stream_and_kill(const char *dir, struct rng *rng, int64_t now_ms)
{
	uint64_t at = 1 + rng_below(rng, 30);
	bool late = rng_chance(rng, 0.5), by_parent = rng_chance(rng, 0.3);
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct api_result r;

		api_web_begin(&plain);
		api_web.stream = STREAM;
		fake_clock_set_wall(&api_web.clock, now_ms);
		api_web.kill_at = at;
		api_web.kill_late = late;
		bool fine = api_web_run(dir, services(), stream_campaign,
					(struct api_run_options){ .once = true }, &r);
		_exit(fine && r.end == API_COMPLETE ? 0 : 1);
	}
	if (by_parent) {
		usleep((useconds_t)rng_below(rng, 20000));
		kill(pid, SIGKILL);
	}
	if (waitpid(pid, &status, 0) != pid)
		abort();
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool has_stream_once(const char *dir)
{
	struct str text = api_web_file(dir, "c/items.jsonl");
	cleanup(buf_release) struct buf id = { 0 };

	for (unsigned k = 0; k < STREAM; k += 3) {
		buf_reset(&id);
		buf_addf(&id, "/k%u\",\"iri\"", k);
		if (count_of(text, buf_cstr(&id)) != 1) {
			printf("# k%u is there %zu times\n", k,
			       count_of(text, buf_cstr(&id)));
			return false;
		}
	}
	return count_of(text, "\n") == STREAM / 3;
}

static void a_stream_brings_every_match_once(void)
{
	char *dir = strdup(tmp_path("whole"));
	struct api_result r;

	api_web_begin(&plain);
	api_web.stream = STREAM;
	CHECK(api_web_run(dir, services(), stream_campaign,
			  (struct api_run_options){ .once = true }, &r));
	CHECK(r.end == API_COMPLETE && r.counts.new_items == STREAM / 3);
	CHECK(has_stream_once(dir));
	free(dir);
}

/* It goes on from its cursor: the messages before are not lost, those at it not twice. */
static void a_stream_that_is_killed_goes_on_from_its_cursor(void)
{
	char *dir = strdup(tmp_path("stream"));
	cleanup(arena_release) struct arena a = { 0 };
	struct rng rng = { 5 };
	unsigned n = 0;
	bool done = false;
	struct diag why;

	for (; n < kills || !done; n++) {
		CHECK(n < 20 * kills);
		if (done) {
			CHECK(has_stream_once(dir));
			CHECK(dir_remove(path_join(&a, dir, STR("c")), &why) == ST_OK);
		}
		done = run_stream_and_kill(dir, &rng, 1790000000000 + n * 60000);
	}
	CHECK(has_stream_once(dir));
	CHECK(count_of(api_web_file(dir, "c/triples.nq"),
		       "prov#wasDerivedFrom> <urn:uuid:") >= STREAM / 3);
	printf("# %u processes in a stream\n", n);
	free(dir);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		kills = (unsigned)atoi(argv[1]);
	RUN(a_campaign_brings_every_item_once);
	RUN(a_second_run_fetches_what_is_new_or_changed);
	RUN(one_query_asks_two_platforms);
	RUN(a_recorded_campaign_replays_to_the_same_items);
	RUN(killed_at_any_time_nothing_is_lost_doubled_or_over_budget);
	RUN(a_folder_without_a_whole_journal_begins_anew);
	RUN(a_stream_brings_every_match_once);
	RUN(a_stream_that_is_killed_goes_on_from_its_cursor);
	api_mock_release(&api_web.mock);
	buf_release(&api_web.targets);
	DONE();
}
