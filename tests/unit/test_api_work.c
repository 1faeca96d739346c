/* The loop of campaigns against a mock with every trouble, on a clock that jumps. */
#include <stdlib.h>

#include "api/harvest.h"
#include "api/work.h"
#include "base/alloc.h"
#include "service/request.h"
#include "test.h"
#include "testweb/api_mock.h"

#define START_MS ((int64_t)1790000000000)

/* One description; how lists go on, and the limits, are filled in. */
static const char service_text[] =
	"{\"service\":\"mock\",\"base_url\":\"http://mock.example\",\"delay\":0,"
	"\"concurrency\":%u,%s"
	"\"budgets\":[{\"limit\":%u,\"window\":\"%ums\"}],"
	"\"errors\":[{\"status\":429,\"path\":\"backoff\",\"do\":\"wait\",\"wait_path\":"
	"\"backoff\"}],"
	"\"interactions\":{"
	"\"items\":{\"request\":{\"path\":\"/"
	"items\"},\"paginate\":%s,\"items\":\"items[*]\","
	"\"id\":\"{id}\",\"chain\":[{\"call\":\"comments\",\"when\":\"{comments}\","
	"\"params\":{"
	"\"item\":\"{id}\"}}]},"
	"\"search\":{\"kind\":\"items\",\"request\":{\"path\":\"/"
	"items\",\"params\":{\"q\":"
	"\"{keyword}\"}},\"paginate\":%s,\"items\":\"items[*]\",\"id\":\"{id}\"},"
	"\"comments\":{\"request\":{\"path\":\"/items/{item}/"
	"comments\"},\"items\":\"items[*]\","
	"\"id\":\"{id}\"}}}";

static const char *const ways[] = {
	"{\"type\":\"cursor\",\"param\":\"cursor\",\"next\":\"next\"}",
	"{\"type\":\"page\",\"param\":\"page\",\"total\":\"pages\"}",
	"{\"type\":\"offset\",\"param\":\"offset\",\"total\":\"total\"}",
	"{\"type\":\"link\"}",
	"{\"type\":\"continue\",\"next\":\"continue\"}",
};

struct sim_flight {
	uint32_t stream;
	bool is_login, in_use;
	int64_t due_ms;
	struct api_request request;
	struct api_mock_answer answer;
};

#define FLIGHTS 8

/* Everything that the engine has, without a file. */
struct sim {
	struct api_mock mock;
	struct rng rng;
	struct api_service service;
	struct secrets secrets;
	struct endpoint endpoint;
	struct quota quota;
	struct work work;
	struct sim_flight flights[FLIGHTS];
	struct map seen; /* hash of id -> times */
	int64_t now_ms;
	int64_t *times; /* of requests */
	size_t n_times, times_cap;
	uint64_t idle_ms;
};

static void sim_release(struct sim *s)
{
	for (unsigned i = 0; i < FLIGHTS; i++) {
		api_request_release(&s->flights[i].request);
		api_mock_answer_release(&s->flights[i].answer);
	}
	api_mock_release(&s->mock);
	work_release(&s->work);
	quota_release(&s->quota);
	api_service_release(&s->service);
	secrets_release(&s->secrets);
	buf_release(&s->endpoint.token);
	map_release(&s->seen);
	free(s->times);
}

struct sim_settings {
	struct api_mock_options mock;
	unsigned way, concurrency;
};

static bool sim_init(struct sim *s, const struct sim_settings *x)
{
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(doc_release) struct api_doc d = { 0 };
	struct diag why;
	const char *auth = x->mock.token_ms
				   ? "\"auth\":{\"type\":\"oauth2_client\",\"token_url\":"
				     "\"http://mock.example/token\"},"
				   : "";

	*s = (struct sim){ .rng = { x->mock.seed ^ 99 }, .now_ms = START_MS };
	buf_addf(&text, service_text, x->concurrency, auth, (unsigned)x->mock.limit,
		 (unsigned)x->mock.window_ms, ways[x->way], ways[x->way]);
	if (doc_parse(&d, STR("mock"), buf_str(&text), &why) != ST_OK ||
	    api_service_parse(&d, &s->service, &why) != ST_OK) {
		printf("# %s\n", why.text);
		return false;
	}
	api_mock_init(&s->mock, &x->mock);
	s->mock.window_start = START_MS;
	s->endpoint = (struct endpoint){ .service = &s->service,
					 .base = STR("http://mock.example"),
					 .host = STR("mock.example"),
					 .secrets = &s->secrets };
	work_init(&s->work, &s->quota, 1);
	uint32_t lane = work_add_lane(&s->work, STR("mock"), s->service.concurrency, 0);
	uint32_t e = work_add_endpoint(&s->work, lane, &s->service, STR("mock "));
	s->work.endpoints[e].wants_token = x->mock.token_ms > 0;
	return true;
}

static void sim_begin(struct sim *s, const char *interaction, const struct var *v)
{
	work_add(&s->work,
		 &(struct stream_start){ .interaction = (uint32_t)api_service_find(
						 &s->service, str_from(interaction)),
					 .params = v,
					 .n_params = v ? 1 : 0,
					 .is_root = true });
}

static struct sim_flight *free_flight(struct sim *s)
{
	for (unsigned i = 0; i < FLIGHTS; i++)
		if (!s->flights[i].in_use)
			return &s->flights[i];
	return NULL;
}

static struct str field_of(const struct buf *fields, const char *name)
{
	struct str rest = buf_str(fields), line;

	while (str_take_line(&rest, &line))
		if (str_starts(line, str_from(name)))
			return str_trim(str_skip(line, str_from(name).n));
	return STR("");
}

static void sim_send(struct sim *s, const struct work_next *next)
{
	struct sim_flight *f = free_flight(s);
	struct stream *x = &s->work.streams[next->stream];
	struct request_facts facts = { .interaction =
					       &s->service.interactions[x->interaction],
				       .params = x->params,
				       .n_params = x->n_params,
				       .page = str_from(x->page) };
	struct diag why;
	enum status st;

	f->in_use = true;
	f->is_login = next->kind == WORK_LOGIN;
	f->stream = next->stream;
	st = f->is_login ? request_build_login(&s->endpoint, &f->request, &why)
			 : request_build(&s->endpoint, &facts, &f->request, &why);
	if (st != ST_OK)
		abort();
	api_mock_answer(
		&s->mock,
		&(struct api_mock_request){
			.is_post = f->request.is_post,
			.target = str_skip(buf_str(&f->request.url),
					   STR("http://mock.example").n),
			.authorization = field_of(&f->request.fields, "Authorization:"),
			.now_ms = s->now_ms },
		&f->answer);
	f->due_ms = s->now_ms + 5 + (int64_t)rng_below(&s->rng, 400);
	VEC_ADD(s->times, s->n_times, s->times_cap, s->now_ms);
}

static void take_items(struct sim *s, const struct api_interaction *i,
		       const struct json *root, struct page_report *r)
{
	const struct json *list = json_get(root, "items");

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		struct str id = json_str(json_get(v, "id"));
		struct var own = { STR("item"), id };
		uint64_t *times = map_add(&s->seen, hash64(id), NULL);

		r->items++;
		r->new_items += ++*times == 1;
		r->page_hash = hash64_seeded(id, r->page_hash);
		if (i->n_chains > 0 && value_is_true(json_get(v, "comments")))
			work_add(&s->work,
				 &(struct stream_start){
					 .interaction = (uint32_t)api_service_find(
						 &s->service, STR("comments")),
					 .params = &own,
					 .n_params = 1 });
	}
}

static void sim_login(struct sim *s, const struct api_mock_answer *a)
{
	struct json *root = NULL;
	struct diag why;

	buf_reset(&s->endpoint.token);
	if (a->status == 200 && json_parse(buf_str(&a->body), &root, &why) == ST_OK)
		value_add_text(json_get(root, "access_token"), &s->endpoint.token);
	json_release(&root);
	work_logged_in(&s->work, 0, s->endpoint.token.n > 0, s->now_ms);
}

static void sim_arrive(struct sim *s, struct sim_flight *f)
{
	const struct api_mock_answer *a = &f->answer;
	struct api_answer answer = { 0 };
	cleanup(http_head_release) struct http_head head = { 0 };
	cleanup(buf_release) struct buf next = { 0 };
	struct str url = buf_str(&f->request.url);

	f->in_use = false;
	if (f->is_login) {
		sim_login(s, a);
		return;
	}
	struct answer_facts facts = { .code = a->status ? a->status : -3,
				      .is_truncated = a->is_truncated,
				      .body = buf_str(&a->body),
				      .now_ms = s->now_ms,
				      .has_token = s->mock.o.token_ms > 0 };
	if (a->status && http_head_parse(&head, buf_str(&a->header), NULL) == ST_OK)
		facts.head = &head;
	struct stream *x = &s->work.streams[f->stream];
	const struct api_interaction *i = &s->service.interactions[x->interaction];
	api_answer_read(&s->service, i, &facts, &answer);
	struct page_report r = { .kind = answer.kind,
				 .wait_ms = answer.wait_ms,
				 .rate = answer.rate };
	if (answer.kind == ANSWER_ITEMS) {
		take_items(s, i, answer.root, &r);
		x = &s->work.streams[f->stream];
		r.end = page_next(&i->paginate,
				  &(struct page_facts){ &head, answer.root, url,
							str_from(x->page), r.items,
							x->pages + 1, x->items },
				  &next);
		r.next = buf_str(&next);
	}
	work_answered(&s->work, f->stream, &r, s->now_ms);
	api_answer_release(&answer);
}

/* The answer that comes next, or NULL. */
static struct sim_flight *next_flight(struct sim *s)
{
	struct sim_flight *first = NULL;

	for (unsigned i = 0; i < FLIGHTS; i++)
		if (s->flights[i].in_use &&
		    (!first || s->flights[i].due_ms < first->due_ms))
			first = &s->flights[i];
	return first;
}

/* Might one more request be sent now? */
static bool has_budget(const struct sim *s)
{
	size_t n = 0;

	while (n < s->n_times &&
	       s->times[s->n_times - 1 - n] > s->now_ms - (int64_t)s->mock.o.window_ms)
		n++;
	return n < (size_t)s->mock.o.limit;
}

static bool sim_run(struct sim *s)
{
	struct work_next next;
	struct diag why;

	for (unsigned steps = 0; steps < 200000; steps++) {
		struct sim_flight *f;

		if (work_next(&s->work, s->now_ms, &next, &why) != ST_OK)
			return false;
		if (next.kind == WORK_SEND || next.kind == WORK_LOGIN) {
			sim_send(s, &next);
			continue;
		}
		f = next_flight(s);
		if (next.kind == WORK_DONE && !f)
			return true;
		if (steps % 64 == 0)
			assert_work(&s->work);
		if (f && f->due_ms <= next.until_ms) {
			s->now_ms = MAX(s->now_ms, f->due_ms);
			sim_arrive(s, f);
		} else if (next.until_ms == INT64_MAX) {
			return false; /* stuck */
		} else {
			if (!f && has_budget(s))
				s->idle_ms += (uint64_t)MAX(next.until_ms - s->now_ms, 0);
			s->now_ms = MAX(next.until_ms, s->now_ms);
		}
	}
	return false;
}

/* In no window of this length more than the limit, wherever it begins. */
static bool is_within_budget(const struct sim *s)
{
	size_t limit = (size_t)s->mock.o.limit;

	for (size_t i = limit; i < s->n_times; i++)
		if (s->times[i] - s->times[i - limit] < (int64_t)s->mock.o.window_ms)
			return false;
	return true;
}

static bool has_all_items(struct sim *s, bool with_comments)
{
	cleanup(buf_release) struct buf id = { 0 };

	for (uint32_t i = 0; i < s->mock.o.items; i++) {
		uint32_t n = with_comments ? api_mock_comments(&s->mock, i) : 0;

		buf_reset(&id);
		buf_addf(&id, "i%u", i);
		if (!map_find(&s->seen, hash64(buf_str(&id))))
			return false;
		for (uint32_t k = 0; k < n; k++) {
			buf_reset(&id);
			buf_addf(&id, "i%u-c%u", i, k);
			if (!map_find(&s->seen, hash64(buf_str(&id))))
				return false;
		}
	}
	return true;
}

static void say(const struct sim *s, unsigned nr, const char *what)
{
	printf("# schedule %u: %s; %llu requests, %llu over budget, %llu too early, %llu "
	       "twice, %zu pending, %llu failed\n",
	       nr, what, (unsigned long long)s->mock.requests,
	       (unsigned long long)s->mock.over_budget,
	       (unsigned long long)s->mock.too_early, (unsigned long long)s->mock.twice,
	       s->work.pending, (unsigned long long)s->work.counts[0].failed);
	for (size_t i = 0; i < s->work.n && i < 20; i++)
		printf("#   stream %zu: %s after %u pages, %u attempts\n", i,
		       stream_end_words[s->work.streams[i].end], s->work.streams[i].pages,
		       s->work.streams[i].attempts);
	printf("#   %u items by %u, dialect %d, loops %d\n", s->mock.o.items,
	       s->mock.o.page_size, s->mock.o.dialect, s->mock.o.loops);
}

static struct sim_settings random_settings(uint64_t seed)
{
	struct rng r = { seed };
	bool rough = rng_chance(&r, 0.7);
	double p = rough ? 0.03 : 0;
	struct sim_settings x = {
		.mock = { .seed = rng_next(&r),
			  .items = 1 + (uint32_t)rng_below(&r, 60),
			  .page_size = 1 + (uint32_t)rng_below(&r, 12),
			  .comments_most = (uint32_t)rng_below(&r, 3),
			  .limit = 1 + rng_below(&r, 30),
			  .window_ms = 1000 + rng_below(&r, 60000),
			  .dialect = (enum rate_dialect)rng_below(&r, DIALECTS),
			  .skew_ms = (int64_t)rng_below(&r, 20000000) - 10000000,
			  .limited = p,
			  .failing = p,
			  .lost = p,
			  .truncated = p,
			  .repeating = rough ? 0.1 : 0,
			  .drifting = rough ? 0.02 : 0,
			  .loops = rng_chance(&r, 0.2),
			  .token_ms = rng_chance(&r, 0.3) ? 20000 + rng_below(&r, 100000)
							  : 0 },
		.way = (unsigned)rng_below(&r, COUNT(ways)),
		.concurrency = 1 + (unsigned)rng_below(&r, 4),
	};

	/* A login costs a request: a token must outlive the window. */
	if (x.mock.token_ms)
		x.mock.token_ms += 3 * x.mock.window_ms;
	/* Pages and offsets end by their totals; they cannot lead back. */
	if (x.way == 1 || x.way == 2)
		x.mock.loops = false;
	return x;
}

static void nothing_is_lost_doubled_or_over_budget_in_1000_schedules(void)
{
	for (unsigned nr = 0; nr < 1000; nr++) {
		struct sim_settings x = random_settings(nr + 1);
		struct sim s;
		bool fine = sim_init(&s, &x);
		const char *what = NULL;

		if (fine)
			sim_begin(&s, "items", NULL);
		if (!fine || !sim_run(&s))
			what = "it does not end";
		else if (!has_all_items(&s, true))
			what = "an item is lost";
		else if (s.mock.over_budget > 0 || !is_within_budget(&s))
			what = "over budget";
		else if (s.mock.too_early > 0 && x.concurrency == 1)
			what = "a wait was not kept";
		else if (s.mock.twice > 0)
			what = "a page was fetched twice";
		else if (s.work.counts[0].failed > 0)
			what = "a stream failed";
		if (what)
			say(&s, nr, what);
		sim_release(&s);
		CHECK(!what);
	}
}

/* Of servers that are in no trouble and say nothing of their limits: whoever waits for
 * them to count anew has spent all there was, but for a hundredth of the time. */
static void no_time_passes_while_budget_is_left_in_1000_schedules(void)
{
	uint64_t all_idle = 0, all = 0;

	for (unsigned nr = 0; nr < 1000; nr++) {
		struct sim_settings x = random_settings(nr + 9000);
		struct sim s;

		x.mock.limited = x.mock.failing = x.mock.lost = x.mock.truncated = 0;
		x.mock.repeating = x.mock.drifting = 0;
		x.mock.loops = false;
		x.mock.token_ms = 0;
		x.mock.dialect = DIALECT_RETRY_SECONDS; /* with refusals only */
		CHECK(sim_init(&s, &x));
		sim_begin(&s, "items", NULL);
		bool fine = sim_run(&s) && s.mock.over_budget == 0 &&
			    is_within_budget(&s) &&
			    s.idle_ms * 100 <= (uint64_t)(s.now_ms - START_MS);
		all_idle += s.idle_ms;
		all += (uint64_t)(s.now_ms - START_MS);
		if (!fine)
			printf("# schedule %u: idle for %llu ms\n", nr,
			       (unsigned long long)s.idle_ms);
		sim_release(&s);
		CHECK(fine);
	}
	printf("# idle %llu of %llu s\n", (unsigned long long)all_idle / 1000,
	       (unsigned long long)all / 1000);
}

static void a_keyword_finds_what_matches_and_nothing_else(void)
{
	size_t all_hits = 0, all_found = 0, all_true = 0;

	for (unsigned nr = 0; nr < 100; nr++) {
		struct sim_settings x = random_settings(nr + 5000);
		struct sim s;
		struct var keyword = { STR("keyword"), api_mock_word(nr) };
		size_t hits = 0, truth = 0;

		CHECK(sim_init(&s, &x));
		sim_begin(&s, "search", &keyword);
		CHECK(sim_run(&s));
		for (uint32_t i = 0; i < x.mock.items; i++) {
			cleanup(buf_release) struct buf id = { 0 };
			bool wanted = api_mock_matches(&s.mock, i, keyword.value);

			buf_addf(&id, "i%u", i);
			truth += wanted;
			hits += wanted && map_find(&s.seen, hash64(buf_str(&id)));
		}
		if (hits != truth || s.seen.n != truth)
			say(&s, nr, "precision and recall");
		bool fine = hits == truth && s.seen.n == truth;
		all_hits += hits;
		all_found += s.seen.n;
		all_true += truth;
		sim_release(&s);
		CHECK(fine);
	}
	CHECK(all_true > 0);
	printf("# precision %.3f, recall %.3f over %zu items\n",
	       (double)all_hits / (double)all_found, (double)all_hits / (double)all_true,
	       all_true);
}

static void budget_that_is_left_is_used(void)
{
	struct sim_settings x = {
		.mock = { .seed = 7,
			  .items = 1000,
			  .page_size = 10,
			  .limit = 10,
			  .window_ms = 60000 },
		.concurrency = 1,
	};
	struct sim s;

	CHECK(sim_init(&s, &x));
	sim_begin(&s, "items", NULL);
	CHECK(sim_run(&s));
	/* 100 requests, ten per minute: nine full windows and what ten requests take. */
	int64_t took = s.now_ms - START_MS;
	CHECK(s.mock.requests == 100);
	CHECK(took >= 9 * 60000 && took < 9 * 60000 + 10 * 405 + 2000);
	sim_release(&s);
}

static void a_service_that_refuses_for_ever_is_stopped(void)
{
	struct sim_settings x = { .mock = { .seed = 1,
					    .items = 10,
					    .page_size = 5,
					    .limit = 100,
					    .window_ms = 1000,
					    .limited = 1 },
				  .concurrency = 1 };
	struct sim s;

	CHECK(sim_init(&s, &x));
	sim_begin(&s, "items", NULL);
	CHECK(sim_run(&s));
	CHECK(s.work.counts[0].failed == 1);
	CHECK(s.work.streams[0].end == END_STOPPED);
	CHECK(s.mock.requests == WORK_WAITS && s.mock.too_early == 0);
	sim_release(&s);
}

static void what_is_broken_for_ever_fails_after_some_attempts(void)
{
	struct sim_settings x = { .mock = { .seed = 1,
					    .items = 10,
					    .page_size = 5,
					    .limit = 100,
					    .window_ms = 1000,
					    .drifting = 1 },
				  .concurrency = 1 };
	struct sim s;

	CHECK(sim_init(&s, &x));
	sim_begin(&s, "items", NULL);
	CHECK(sim_run(&s));
	CHECK(s.work.streams[0].end == END_DRIFT);
	CHECK(s.mock.requests == WORK_ATTEMPTS);
	sim_release(&s);
}

int main(void)
{
	RUN(nothing_is_lost_doubled_or_over_budget_in_1000_schedules);
	RUN(no_time_passes_while_budget_is_left_in_1000_schedules);
	RUN(a_keyword_finds_what_matches_and_nothing_else);
	RUN(budget_that_is_left_is_used);
	RUN(a_service_that_refuses_for_ever_is_stopped);
	RUN(what_is_broken_for_ever_fails_after_some_attempts);
	DONE();
}
