#include "serve/service.h"

#include <string.h>

#include "control/ring.h"
#include "journal/journal.h"
#include "serve/events.h"
#include "serve/views.h"
#include "test.h"
#include "tmp.h"

static struct service s;
static struct diag why;

static void write_file(const char *name, const char *text)
{
	cleanup(arena_release) struct arena a = { 0 };

	if (file_save(path_join(&a, tmp_path("crawl"), str_from(name)), str_from(text),
		      &why) != ST_OK)
		abort();
}

static struct request ask(const char *method, const char *path)
{
	return (struct request){ .method = str_from(method),
				 .path = str_from(path),
				 .guard = { .method = str_from(method),
					    .host = STR("127.0.0.1:8080") } };
}

/* The status; the body is in `last`. */
static struct buf last;

static unsigned answer(struct request *q)
{
	struct response r = { 0 };

	if (service_allows(&s, q, &r))
		service_answer(&s, q, &r);
	buf_reset(&last);
	buf_add(&last, buf_str(&r.body));
	response_release(&r);
	return r.status;
}

static unsigned get(const char *path, const char *name, const char *value)
{
	struct request q = ask("GET", path);

	if (name) {
		q.arguments[0].name = str_from(name);
		q.arguments[0].value = str_from(value);
		q.n_arguments = 1;
	}
	return answer(&q);
}

static unsigned change(const char *method, const char *path, const char *body, bool may)
{
	static struct buf bearer;
	struct request q = ask(method, path);

	buf_reset(&bearer);
	buf_addf(&bearer, "Bearer " STR_FMT, STR_ARG(buf_str(&s.token)));
	if (may)
		q.guard.authorization = buf_str(&bearer);
	q.body = str_from(body);
	return answer(&q);
}

static bool says(const char *words)
{
	return strstr(buf_cstr(&last), words) != NULL;
}

static void open_service(bool is_public)
{
	struct service_options o = { .dir = tmp_path("crawl"), .is_public = is_public };

	service_close(&s);
	if (service_open(&s, &o, &why) != ST_OK)
		abort();
}

static void the_openapi_document_has_what_the_server_answers_and_nothing_else(void)
{
	cleanup(json_release) struct json *root = NULL;
	struct str method, path;
	size_t documented = 0, n = 0;

	CHECK(json_parse(openapi_text, &root, &why) == ST_OK);
	const struct json *paths = json_get(root, "paths");
	for (const struct json *p = json_first(paths); p; p = json_next(p))
		documented += json_count(p);
	for (; service_route(n, &method, &path); n++) {
		char name[64], verb[16];

		snprintf(name, sizeof(name), STR_FMT, STR_ARG(path));
		snprintf(verb, sizeof(verb), STR_FMT, STR_ARG(method));
		for (char *c = verb; *c; c++)
			*c = ascii_lower(*c);
		const struct json *operation = json_get(json_get(paths, name), verb);
		if (!operation)
			printf("# %s %s is not documented\n", verb, name);
		CHECK(operation);
		bool is_change = strcmp(verb, "get") != 0;
		CHECK((json_get(operation, "security") != NULL) == is_change);
	}
	CHECK(n == documented);
}

static void what_changes_the_crawl_wants_the_token_and_all_does_elsewhere(void)
{
	struct str method, path;

	open_service(false);
	for (size_t i = 0; service_route(i, &method, &path); i++) {
		char name[64], verb[16];

		snprintf(name, sizeof(name), STR_FMT, STR_ARG(path));
		snprintf(verb, sizeof(verb), STR_FMT, STR_ARG(method));
		bool is_get = strcmp(verb, "GET") == 0;
		CHECK((change(verb, name, "", false) == 401) == !is_get);
	}
	open_service(true);
	CHECK(get("/status", NULL, NULL) == 401);
	CHECK(get("/", NULL, NULL) == 200);
	CHECK(change("GET", "/status", "", true) == 200);
	open_service(false);
}

static void other_sites_and_names_are_refused(void)
{
	struct request q = ask("GET", "/status");

	CHECK(answer(&q) == 200);
	q.guard.host = STR("evil.example");
	CHECK(answer(&q) == 421 || answer(&q) == 403);
	q.guard.host = STR("127.0.0.1:8080");
	q.guard.origin = STR("http://evil.example");
	CHECK(answer(&q) == 403 && says("application/problem") == false);
	q = ask("POST", "/pause");
	q.guard.fetch_site = STR("cross-site");
	CHECK(answer(&q) == 403);
}

static void errors_are_problems_with_a_sentence(void)
{
	CHECK(get("/nothing", NULL, NULL) == 404 && says("\"status\":404"));
	CHECK(get("/../../etc/passwd", NULL, NULL) == 404);
	CHECK(change("POST", "/status", "", true) == 405 && says("\"detail\""));
	CHECK(get("/pages", "after", "x") == 400 && says("after must be a number"));
	CHECK(get("/why", NULL, NULL) == 400);
	CHECK(get("/events", "kinds", "page,colour") == 400 && says("colour"));
	CHECK(change("PATCH", "/queue", "{", true) == 400);
	CHECK(change("PATCH", "/queue", "{\"match\":\"(\",\"drop\":true}", true) == 400);
	CHECK(change("POST", "/pause", "", true) == 409 && says("no crawl runs"));
	CHECK(change("POST", "/rules", "{\"id\":\"r1\",\"action\":\"x\"}", true) == 400);
	CHECK(change("POST", "/rules", "{\"id\":\"r1\",\"action\":\"accept\"}", true) ==
	      404);
}

static void lists_are_read_with_a_cursor(void)
{
	write_file("pages.jsonl", "{\"format\": \"json-pages-1.0\"}\n{\"url\":\"1\"}\n"
				  "{\"url\":\"2\"}\n{\"url\":\"3\"}\n{\"url\":\"half");
	CHECK(get("/pages", "limit", "2") == 200);
	CHECK(says("[{\"url\":\"1\"},{\"url\":\"2\"}],\"next\":53,\"more\":true"));
	CHECK(get("/pages", "after", "53") == 200);
	CHECK(says("[{\"url\":\"3\"}],\"next\":65,\"more\":false"));
	CHECK(get("/pages", "after", "65") == 200 && says("\"pages\":[]"));
	CHECK(get("/pages", "after", "999999") == 200 && says("\"pages\":[]"));
	CHECK(get("/pages", "last", "2") == 200);
	CHECK(says("[{\"url\":\"2\"},{\"url\":\"3\"}]"));
	CHECK(get("/skipped", NULL, NULL) == 200 && says("\"skipped\":[]"));
}

static void demands_go_to_the_inbox(void)
{
	struct inbox_reader r;
	struct demand d;
	struct str block;

	CHECK(change("PATCH", "/queue", "{\"match\":\"/x\",\"hold\":true}", true) == 202);
	CHECK(says("\"accepted\":1") && says("\"running\":false"));
	inbox_reader_init(&r, tmp_path("crawl"), 0);
	CHECK(inbox_reader_next(&r, &block, &why) == ST_OK);
	CHECK(demand_next(&block, &d) == ST_OK && d.kind == DEMAND_HOLD &&
	      str_eq(d.text, STR("/x")));
	inbox_reader_release(&r);
}

static void a_crawl_that_runs_is_recognised(void)
{
	char text[64];

	snprintf(text, sizeof(text), "{\"pid\":%ld,\"done\":5}", (long)getpid());
	write_file("state/status.json", text);
	CHECK(service_runs(&s));
	CHECK(change("POST", "/pause", "", true) == 202);
	write_file("state/status.json", "{\"pid\":1,\"done\":5,\"ended\":\"done\"}");
	CHECK(!service_runs(&s));
	CHECK(get("/metrics", NULL, NULL) == 200 && says("thresh_pages_total 5\n") &&
	      says("thresh_up 0\n"));
	write_file("state/status.json", "{\"pid\": half");
	CHECK(get("/metrics", NULL, NULL) == 200 && !service_runs(&s));
}

static void a_second_server_only_shows(void)
{
	struct service other;
	struct service_options o = { .dir = tmp_path("crawl") };
	uint64_t end;

	CHECK(service_open(&other, &o, &why) == ST_OK && !other.takes_demands);
	CHECK(service_add(&other, STR("x"), &end, &why) == ST_DENIED);
	CHECK(str_eq(buf_str(&other.token), buf_str(&s.token)));
	service_close(&other);
}

static void events_come_with_their_ids_and_can_be_chosen(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *path = path_join(&a, tmp_path("crawl"), STR("state/events.ring"));
	struct event_stream *e = event_stream_new(tmp_path("crawl"), 0, ~0u);
	struct ring r;

	CHECK(event_stream_fill(e, 1) && strstr(buf_cstr(&e->text), "retry:"));
	CHECK(ring_open(&r, path, 8192, &why) == ST_OK);
	ring_add(&r, STR("{\"event\":\"page\",\"url\":\"http://a/\"}"));
	ring_add(&r, STR("{\"event\":\"skip\",\"url\":\"http://b/\"}"));
	CHECK(ring_flush(&r, &why) == ST_OK);
	buf_reset(&e->text);
	CHECK(event_stream_fill(e, 2));
	CHECK(strstr(buf_cstr(&e->text), "event: page\ndata: {\"event\":\"page\""));
	CHECK(strstr(buf_cstr(&e->text), "event: skip"));
	buf_reset(&e->text);
	CHECK(!event_stream_fill(e, 3) && event_stream_fill(e, 20000));
	event_stream_free(e);
	e = event_stream_new(tmp_path("crawl"), 0, 1u << 1); /* EVENT_SKIP */
	CHECK(event_stream_fill(e, 1) && !strstr(buf_cstr(&e->text), "event: page"));
	CHECK(strstr(buf_cstr(&e->text), "event: skip"));
	event_stream_free(e);
	ring_close(&r);
}

static void add_record(struct segment_log *l, const struct journal_record *r)
{
	cleanup(buf_release) struct buf b = { 0 };

	journal_encode(r, &b);
	if (segment_log_add(l, buf_str(&b), NULL, &why) != ST_OK)
		abort();
}

static void the_queue_is_what_the_journal_leaves_in_order(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *dir = path_join(&a, tmp_path("crawl"), STR("state/journal"));
	struct segment_log l;
	struct journal_link links[] = {
		{ .url = STR("http://a.org/1"), .priority = 10 },
		{ .url = STR("http://a.org/2"), .priority = 20 },
		{ .url = STR("http://a.org/3"), .priority = 30 },
		{ .url = STR("http://b.org/4"), .priority = 40 },
		{ .url = STR("http://a.org/5"), .outcome = OUTCOME_REFUSED },
	};

	CHECK(segment_log_open(&l, dir, &journal_segments,
			       &(struct segment_log_options){ 0 }, NULL, &why) == ST_OK);
	add_record(&l, &(struct journal_record){
			       .kind = JOURNAL_LINKS,
			       .links = { .v = links, .n = COUNT(links) } });
	add_record(&l,
		   &(struct journal_record){ .kind = JOURNAL_DONE,
					     .done = { .url = links[2].url,
						       .key = hash128(links[2].url) } });
	add_record(&l, &(struct journal_record){ .kind = JOURNAL_STEERED,
						 .steered = { STEER_MOVE, links[0].url,
							      hash128(links[0].url), 250,
							      1 } });
	CHECK(segment_log_flush(&l, &why) == ST_OK);
	segment_log_close(&l);
	CHECK(get("/queue", "host", "a.org") == 200);
	CHECK(says(
		"\"queued\":2,\"urls\":[{\"url\":\"http://a.org/1\",\"priority\":250"));
	CHECK(says("http://a.org/2") && !says("a.org/3") && !says("b.org") &&
	      !says("a.org/5"));
	CHECK(get("/queue", "host", "http://b.org") == 200 && says("\"queued\":1,"));
	CHECK(get("/queue", "host", "a.or") == 200 && says("\"queued\":0,"));
	CHECK(get("/why", "url", "http://a.org/1") == 200 && says("\"priority\":10"));
}

int main(void)
{
	cleanup(arena_release) struct arena a = { 0 };

	if (dir_make(path_join(&a, tmp_path("crawl"), STR("state")), &why) != ST_OK)
		abort();
	RUN(the_openapi_document_has_what_the_server_answers_and_nothing_else);
	RUN(what_changes_the_crawl_wants_the_token_and_all_does_elsewhere);
	RUN(other_sites_and_names_are_refused);
	RUN(errors_are_problems_with_a_sentence);
	RUN(lists_are_read_with_a_cursor);
	RUN(demands_go_to_the_inbox);
	RUN(a_crawl_that_runs_is_recognised);
	RUN(a_second_server_only_shows);
	RUN(events_come_with_their_ids_and_can_be_chosen);
	RUN(the_queue_is_what_the_journal_leaves_in_order);
	service_close(&s);
	buf_release(&last);
	DONE();
}
