/*
 * Every shipped description against recorded answers: tests/services/NAME.json has a
 * campaign, the answers by URL, and what must come of it.  A request that is not in the
 * file fails the test, and so does an answer that nobody requested.
 */
#include <stdlib.h>
#include <string.h>

#include "api/run.h"
#include "base/encode.h"
#include "kb/kb.h"
#include "service/secrets.h"
#include "test.h"
#include "tmp.h"
#include "warc/digest.h"

#ifndef SERVICE_FIXTURES
#define SERVICE_FIXTURES "tests/services"
#endif

#define ANSWERS_MAX 64

struct fixture_web {
	struct fetcher base; /* first */
	const struct json *answers;
	bool used[ANSWERS_MAX];
	struct fake_clock clock;
	fetch_done_fn *on_done;
	void *ctx;
	unsigned unknown, wrong;
	uint64_t requests;
};

static struct fixture_web web;

/* --- a WebSocket's answer, made here: its accept depends on the URL --- */

static void add_frame(struct buf *to, struct str message)
{
	buf_add_u8(to, 0x81);
	buf_add_u8(to, 126);
	buf_add_u8(to, (uint8_t)(message.n >> 8));
	buf_add_u8(to, (uint8_t)message.n);
	buf_add(to, message);
}

static void add_frames(const struct json *list, struct buf *to)
{
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		cleanup(buf_release) struct buf text = { 0 };
		struct json_out o = { .to = &text };

		value_add_tree(v, &o);
		add_frame(to, buf_str(&text));
	}
}

static void add_accept(struct str fields, struct buf *to)
{
	struct str key =
		str_skip(fields, str_find(fields, STR("Sec-WebSocket-Key: ")) + 19);
	cleanup(buf_release) struct buf text = { 0 };
	uint8_t sum[20];

	buf_add(&text, str_slice(key, 0, str_find_char(key, '\r')));
	buf_add(&text, STR("258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
	struct digest d;

	digest_init(&d, DIGEST_SHA1);
	digest_of(&d, buf_str(&text), sum);
	digest_release(&d);
	buf_add(to, STR("Sec-WebSocket-Accept: "));
	buf_add_base64(to, (struct str){ (const char *)sum, sizeof(sum) });
	buf_add(to, STR("\r\n"));
}

/* --- the fetcher --- */

static const struct json *find(struct str url)
{
	size_t i = 0;

	for (const struct json *v = json_first(web.answers); v; v = json_next(v), i++)
		if (i < ANSWERS_MAX && !web.used[i] &&
		    str_eq(json_str(json_get(v, "url")), url)) {
			web.used[i] = true;
			return v;
		}
	return NULL;
}

static void add_body(const struct json *answer, struct buf *to)
{
	struct json_out o = { .to = to };

	buf_reset(to);
	if (json_get(answer, "frames"))
		add_frames(json_get(answer, "frames"), to);
	else if (json_get(answer, "text"))
		buf_add(to, json_str(json_get(answer, "text")));
	else if (json_get(answer, "body"))
		value_add_tree(json_get(answer, "body"), &o);
}

static void add_header(const struct json *answer, int status, struct str fields,
		       struct buf *to)
{
	buf_addf(to, "HTTP/1.1 %d X\r\n", status);
	for (const struct json *f = json_first(json_get(answer, "fields")); f;
	     f = json_next(f)) {
		buf_addf(to, STR_FMT ": " STR_FMT "\r\n", STR_ARG(json_name(f)),
			 STR_ARG(json_str(f)));
	}
	if (status == 101)
		add_accept(fields, to);
	buf_add(to, STR("\r\n"));
}

/* What the request must carry: credentials, a form. */
static bool carries(const struct json *answer, const struct fetch_task *task)
{
	struct str sent = json_str(json_get(answer, "sent"));
	struct str post = json_str(json_get(answer, "post"));

	if (sent.n && str_find(task->fields, sent) == STR_NONE) {
		printf("# " STR_FMT " is not sent, but\n# " STR_FMT "\n", STR_ARG(sent),
		       STR_ARG(task->fields));
		return false;
	}
	if (post.n && !str_eq(task->post, post)) {
		printf("# posted: " STR_FMT "\n", STR_ARG(task->post));
		return false;
	}
	return true;
}

static void fixture_start(struct fetcher *f, const struct fetch_task *task,
			  struct arena *arena, struct buf *body, void *cookie)
{
	const struct json *answer = find(task->url);
	int status = (int)json_number(json_get(answer, "status"),
				      json_get(answer, "frames") ? 101 : 200);
	cleanup(buf_release) struct buf header = { 0 };
	struct fetch_result r = { .start_ms = clock_wall_ms(&web.clock.base),
				  .protocol = STR("http/1.1"),
				  .request = STR("GET / HTTP/1.1\r\n\r\n"),
				  .code = status };

	(void)f;
	web.requests++;
	if (!answer) {
		printf("# not in the file: " STR_FMT "\n", STR_ARG(task->url));
		web.unknown++;
		r.code = 404;
	} else if (!carries(answer, task)) {
		web.wrong++;
	}
	add_body(answer, body);
	add_header(answer, r.code, task->fields, &header);
	r.header = arena_copy(arena, buf_str(&header));
	r.body = buf_str(body);
	r.body_bytes = body->n;
	r.truncated = status == 101 ? TRUNCATED_TIME : TRUNCATED_NOT;
	fake_clock_pass(&web.clock, 10);
	web.on_done(web.ctx, cookie, &r);
}

static void fixture_resolve(struct fetcher *f, struct str host, dns_done_fn *done,
			    void *arg)
{
	struct dns_answer a = { 0 };

	(void)f, (void)host;
	done(arg, &a);
}

static void fixture_allow(struct fetcher *f, const struct url *u)
{
	(void)f, (void)u;
}

static size_t fixture_none(const struct fetcher *f)
{
	(void)f;
	return 0;
}

static void fixture_nothing(struct fetcher *f)
{
	(void)f;
}

static enum status fixture_open(struct fetcher **ret, void *arg, struct loop *loop,
				const struct fetch_options *options,
				fetch_done_fn *on_done, void *ctx, struct diag *why)
{
	static const struct fetcher_ops ops = {
		.start = fixture_start,
		.resolve = fixture_resolve,
		.allow_seed = fixture_allow,
		.in_flight = fixture_none,
		.abort_all = fixture_nothing,
		.close = fixture_nothing,
	};

	(void)arg, (void)loop, (void)options, (void)why;
	web.base.ops = &ops;
	web.on_done = on_done;
	web.ctx = ctx;
	*ret = &web.base;
	return ST_OK;
}

static void fixture_pass(void *arg, int64_t ms)
{
	(void)arg;
	fake_clock_pass(&web.clock, ms);
}

/* --- one file --- */

static enum status keep(void *arg, struct str bytes)
{
	buf_add(arg, bytes);
	return ST_OK;
}

/* The answer of a query over the knowledge base, as CSV; lives until the next call. */
static struct str ask(const char *dir, const char *query)
{
	static struct buf out;
	cleanup(arena_release) struct arena a = { 0 };
	struct results_writer w = { .format = RESULTS_CSV,
				    .flush = keep,
				    .context = &out };
	struct diag why;
	struct kb k;

	buf_reset(&out);
	if (kb_open(&k, path_join(&a, dir, STR("kb")),
		    &(struct store_options){ .read_only = true, .must_exist = true },
		    &why) != ST_OK)
		return STR("no knowledge base");
	if (kb_query(&k, str_from(query), STR(""), NULL, &w, &why) != ST_OK)
		printf("# %s\n", why.text);
	results_release(&w);
	kb_close(&k);
	return buf_str(&out);
}

#define PREFIXES                                                                        \
	"PREFIX sioc: <http://rdfs.org/sioc/ns#> PREFIX schema: <https://schema.org/> " \
	"PREFIX prov: <http://www.w3.org/ns/prov#> "

/* One query for every platform: who wrote what, when; and where the bytes are. */
static bool has_one_model(const char *dir, const char *name)
{
	struct str bad = ask(
		dir, PREFIXES
		"SELECT ?p WHERE { GRAPH ?g { ?p a sioc:Post . FILTER(NOT EXISTS { ?p "
		"schema:dateCreated ?d } || NOT EXISTS { ?p sioc:content|schema:name ?c "
		"} || NOT EXISTS { ?p prov:wasDerivedFrom ?r } || NOT EXISTS { ?p "
		"sioc:has_creator|schema:author|sioc:has_modifier ?w }) } }");

	if (!str_eq(bad, STR("p\r\n"))) {
		printf("# %s: posts outside the model: " STR_FMT "\n", name,
		       STR_ARG(bad));
		return false;
	}
	return true;
}

static struct str load(const char *dir, const char *name)
{
	static struct buf text;
	cleanup(arena_release) struct arena a = { 0 };

	buf_reset(&text);
	if (file_load(path_join(&a, dir, str_from(name)), (size_t)8 << 20, &text, NULL) !=
	    ST_OK)
		return STR("");
	return buf_str(&text);
}

static size_t count_of(struct str text, struct str what)
{
	size_t n = 0;

	for (size_t at; (at = str_find(text, what)) != STR_NONE; n++)
		text = str_skip(text, at + 1);
	return n;
}

static bool has_items(const char *dir, const char *name, const struct json *items)
{
	bool fine = true;
	size_t sum = 0;

	for (const struct json *v = json_first(items); v; v = json_next(v)) {
		cleanup(buf_release) struct buf kind = { 0 };
		size_t want = (size_t)json_number(v, 0), have;

		buf_addf(&kind, "\"kind\":\"" STR_FMT "\"", STR_ARG(json_name(v)));
		have = count_of(load(dir, "c/items.jsonl"), buf_str(&kind));
		if (have != want)
			printf("# %s: %zu of kind " STR_FMT ", not %zu\n", name, have,
			       STR_ARG(json_name(v)), want);
		fine &= have == want;
		sum += want;
	}
	return fine && count_of(load(dir, "c/items.jsonl"), STR("\n")) == sum;
}

/* Every text of the list is in the file. */
static bool has_texts(const char *dir, const char *file, const struct json *list)
{
	bool fine = true;

	for (const struct json *v = json_first(list); v; v = json_next(v))
		if (str_find(load(dir, file), json_str(v)) == STR_NONE) {
			printf("# not in %s: " STR_FMT "\n# there: " STR_FMT "\n", file,
			       STR_ARG(json_str(v)), STR_ARG(load(dir, file)));
			fine = false;
		}
	return fine;
}

static bool is_all_used(const char *name)
{
	size_t i = 0;
	bool fine = true;

	for (const struct json *v = json_first(web.answers); v; v = json_next(v), i++)
		if (!web.used[i]) {
			printf("# %s: never requested: " STR_FMT "\n", name,
			       STR_ARG(json_str(json_get(v, "url"))));
			fine = false;
		}
	return fine;
}

static const char *folder_with(const char *name, struct str text)
{
	static char *dir;
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf file = { 0 };
	struct diag why;

	dir = dir ? dir : strdup(tmp_path("own"));
	buf_addf(&file, "%s.json", name);
	if (dir_make(dir, &why) != ST_OK ||
	    file_save(path_join(&a, dir, buf_str(&file)), text, &why) != ST_OK)
		abort();
	return dir;
}

/*
 * The shipped description, or the one in the fixture.  An example cannot be run; its copy
 * without that word can, as its text says.
 */
static const char *services_of(const struct json *fixture, const char *name)
{
	static const struct str word = { "\"example\": true, ", 17 };
	cleanup(buf_release) struct buf text = { 0 }, copy = { 0 };
	struct json_out o = { .to = &copy };
	struct catalog shipped = { 0 };

	if (json_get(fixture, "description")) {
		value_add_tree(json_get(fixture, "description"), &o);
		return folder_with(name, buf_str(&copy));
	}
	if (catalog_text(&shipped, str_from(name), &text, NULL) != ST_OK)
		abort();
	size_t at = str_find(buf_str(&text), word);
	if (at == STR_NONE)
		return NULL;
	buf_add(&copy, str_slice(buf_str(&text), 0, at));
	buf_add(&copy, str_skip(buf_str(&text), at + word.n));
	return folder_with(name, buf_str(&copy));
}

static bool run_one(const char *dir, const struct json *fixture, const char *name,
		    struct secrets *secrets, struct api_result *ret)
{
	struct api_outside outside = { &web.clock.base, fixture_open, fixture_pass,
				       NULL };
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(doc_release) struct api_doc d = { 0 };
	cleanup(catalog_release) struct catalog catalog = { .dir = services_of(fixture,
									       name) };
	struct fetch_options fetch = { .user_agent = STR("test") };
	struct api_run_options o = {
		.dir = dir, .secrets = secrets, .fetch = &fetch, .once = true
	};
	struct json_out out = { .to = &text };
	struct campaign c = { 0 };
	struct diag why = { { 0 } };

	value_add_tree(json_get(fixture, "campaign"), &out);
	enum status st = doc_parse(&d, str_from(name), buf_str(&text), &why);
	if (st == ST_OK)
		st = campaign_parse(&d, &catalog, &c, &why);
	if (st == ST_OK)
		st = api_run(&outside, &c, 1, &o, ret, &why);
	if (st != ST_OK)
		printf("# %s: %s\n", name, why.text);
	campaign_release(&c);
	return st == ST_OK;
}

static bool has_no_secret(const char *dir, const struct secrets *s)
{
	static const char *const files[] = { "c/items.jsonl", "c/links.jsonl",
					     "c/triples.nq", "c/state/status.json" };
	cleanup(buf_release) struct buf scratch = { 0 };
	bool fine = true;

	for (size_t i = 0; i < COUNT(files); i++) {
		struct str text = load(dir, files[i]);

		fine &= secrets_redact(s, text, &scratch).p == text.p;
	}
	return fine;
}

static bool fits(const char *name)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 }, file = { 0 };
	cleanup(json_release) struct json *fixture = NULL;
	cleanup(secrets_release) struct secrets secrets = { 0 };
	char *dir = path_join(&a, tmp_path(name), STR("out"));
	struct api_result r = { 0 };
	struct diag why;

	buf_addf(&file, "%s/%s.json", SERVICE_FIXTURES, name);
	if (file_load(buf_cstr(&file), (size_t)1 << 20, &text, &why) != ST_OK ||
	    json_parse(buf_str(&text), &fixture, &why) != ST_OK) {
		printf("# %s: %s\n", name, why.text);
		return false;
	}
	const struct json *want = json_get(fixture, "expect");
	if (json_get(fixture, "secrets")) {
		cleanup(buf_release) struct buf s = { 0 };
		struct json_out o = { .to = &s };

		value_add_tree(json_get(fixture, "secrets"), &o);
		if (json_parse(buf_str(&s), &secrets.root, &why) != ST_OK)
			return false;
	}
	web = (struct fixture_web){ .answers = json_get(fixture, "answers") };
	fake_clock_init(&web.clock, 1790000000000);
	bool fine = run_one(dir, fixture, name, &secrets, &r);
	fine &= web.unknown == 0 && web.wrong == 0;
	fine &= is_all_used(name);
	fine &= r.counts.failed == (uint64_t)json_number(json_get(want, "failed"), 0);
	fine &= has_items(dir, name, json_get(want, "items"));
	fine &= has_texts(dir, "c/links.jsonl", json_get(want, "links"));
	fine &= has_texts(dir, "c/triples.nq", json_get(want, "triples"));
	fine &= has_one_model(dir, name);
	fine &= has_no_secret(dir, &secrets);
	return fine;
}

static void every_shipped_description_reads_recorded_answers(void)
{
	bool all = true;

	for (const struct shipped_service *s = shipped_services; s->name; s++) {
		bool fine = fits(s->name);

		if (!fine)
			printf("# %s\n", s->name);
		all &= fine;
	}
	CHECK(all);
}

static void every_way_to_log_in_works(void)
{
	CHECK(fits("auth_basic"));
	CHECK(fits("auth_refresh"));
	/* The refresh token was replaced, and the new one is kept for the next run. */
	cleanup(arena_release) struct arena a = { 0 };
	char *dir = path_join(&a, tmp_path("auth_refresh"), STR("out"));
	CHECK(str_eq(load(dir, "tokens.json"),
		     STR("{\"auth_refresh@api.example\":{\"refresh_token\":"
			 "\"SECONDREFRESH\"}}")));
}

/* The fixtures of these services as one: a campaign, and all their answers. */
static bool join_fixtures(const char *const *names, struct json **ret)
{
	cleanup(buf_release) struct buf services = { 0 }, answers = { 0 }, all = { 0 };
	struct diag why;

	for (; *names; names++) {
		cleanup(buf_release) struct buf text = { 0 }, file = { 0 };
		cleanup(json_release) struct json *one = NULL;
		struct json_out s = { .to = &services }, a = { .to = &answers };

		buf_addf(&file, "%s/%s.json", SERVICE_FIXTURES, *names);
		if (file_load(buf_cstr(&file), (size_t)1 << 20, &text, &why) != ST_OK ||
		    json_parse(buf_str(&text), &one, &why) != ST_OK)
			return false;
		const struct json *v =
			json_first(json_get(json_get(one, "campaign"), "services"));
		buf_add(&services, services.n ? STR(",") : STR(""));
		value_add_tree(v, &s);
		for (v = json_first(json_get(one, "answers")); v; v = json_next(v)) {
			buf_add(&answers, answers.n ? STR(",") : STR(""));
			a = (struct json_out){ .to = &answers };
			value_add_tree(v, &a);
		}
	}
	buf_addf(&all,
		 "{\"campaign\":{\"name\":\"c\",\"keywords\":[\"solar\"],\"services\":"
		 "[%s]},\"answers\":[%s]}",
		 buf_cstr(&services), buf_cstr(&answers));
	return json_parse(buf_str(&all), ret, &why) == ST_OK;
}

/* One question to six platforms in one campaign: who wrote on it, and who links where.
 */
static void one_query_asks_all_platforms_of_a_campaign(void)
{
	static const char *const names[] = { "archive_org", "bluesky",   "github",
					     "hackernews",  "jetstream", "stackexchange",
					     NULL };
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(json_release) struct json *fixture = NULL;
	cleanup(secrets_release) struct secrets secrets = { 0 };
	char *dir = path_join(&a, tmp_path("several"), STR("out"));
	struct api_result r = { 0 };

	CHECK(join_fixtures(names, &fixture));
	web = (struct fixture_web){ .answers = json_get(fixture, "answers") };
	fake_clock_init(&web.clock, 1790000000000);
	CHECK(run_one(dir, fixture, names[0], &secrets, &r));
	CHECK(web.unknown == 0 && web.wrong == 0 && r.counts.failed == 0);
	CHECK(has_one_model(dir, "several"));
	struct str who = ask(dir, PREFIXES
			     "PREFIX t: <https://thresh.invalid/vocab#> "
			     "SELECT DISTINCT ?service WHERE { GRAPH "
			     "<urn:thresh:campaign:c> { ?post a sioc:Post ; t:service "
			     "?service ; schema:dateCreated ?when ; "
			     "sioc:has_creator|schema:author|sioc:has_modifier ?who "
			     "; prov:wasDerivedFrom ?record } } ORDER BY ?service");
	if (count_of(who, STR("\r\n")) != COUNT(names))
		printf("# " STR_FMT "\n", STR_ARG(who));
	CHECK(count_of(who, STR("\r\n")) == COUNT(names));
	/* Links of posts have one predicate, whoever published them. */
	struct str links =
		ask(dir, PREFIXES "PREFIX t: <https://thresh.invalid/vocab#> "
				  "SELECT DISTINCT ?service WHERE { GRAPH ?g { ?post "
				  "sioc:links_to ?url ; t:service ?service } }");
	CHECK(count_of(links, STR("\r\n")) >= 3);
}

static void every_description_has_fewer_than_80_lines(void)
{
	for (const struct shipped_service *s = shipped_services; s->name; s++)
		CHECK(count_of(*s->text, STR("\n")) < 80);
}

int main(void)
{
	RUN(every_shipped_description_reads_recorded_answers);
	RUN(one_query_asks_all_platforms_of_a_campaign);
	RUN(every_way_to_log_in_works);
	RUN(every_description_has_fewer_than_80_lines);
	DONE();
}
