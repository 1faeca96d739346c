#include "test.h"
#include "web/http_guard.h"

static const struct str names[] = { { "kb.example", 10 }, { "kb.internal", 11 } };

static const struct guard_rules rules = { .hosts = names, .n_hosts = 2 };

#define US "127.0.0.1:7878"

struct row {
	struct guard_request q;
	enum guard_verdict want;
};

#define REQUEST(...) ((struct guard_request){ .method = STR("GET"), __VA_ARGS__ })

static void every_request_is_judged_whatever_its_method(void)
{
	static const char *const methods[] = { "GET", "HEAD", "POST", "PUT", "DELETE" };
	const struct row rows[] = {
		/* programs */
		{ REQUEST(.host = STR(US)), GUARD_ALLOWED },
		{ REQUEST(.host = STR("")), GUARD_ALLOWED },
		/* our own page */
		{ REQUEST(.host = STR(US), .origin = STR("http://" US),
			  .fetch_site = STR("same-origin")),
		  GUARD_ALLOWED },
		{ REQUEST(.host = STR("localhost:1"),
			  .origin = STR("http://LOCALHOST:1")),
		  GUARD_ALLOWED },
		{ REQUEST(.host = STR("kb.example"), .origin = STR("https://kb.example")),
		  GUARD_ALLOWED },
		/* the address bar */
		{ REQUEST(.host = STR(US), .fetch_site = STR("none")), GUARD_ALLOWED },
		/* rebound names */
		{ REQUEST(.host = STR("evil.example:7878")), GUARD_OTHER_HOST },
		{ REQUEST(.host = STR("kb.example.evil")), GUARD_OTHER_HOST },
		{ REQUEST(.host = STR("localhost.evil")), GUARD_OTHER_HOST },
		{ REQUEST(.host = STR("127.0.0.1.evil")), GUARD_OTHER_HOST },
		/* images, scripts and forms of other pages */
		{ REQUEST(.host = STR(US), .fetch_site = STR("cross-site")),
		  GUARD_OTHER_SITE },
		{ REQUEST(.host = STR(US), .fetch_site = STR("same-site")),
		  GUARD_OTHER_SITE },
		{ REQUEST(.host = STR(US), .fetch_site = STR("cross-site"),
			  .fetch_mode = STR("navigate")),
		  GUARD_OTHER_SITE },
		{ REQUEST(.host = STR(US), .origin = STR("http://evil.example")),
		  GUARD_OTHER_ORIGIN },
		{ REQUEST(.host = STR(US), .origin = STR("null")), GUARD_OTHER_ORIGIN },
		{ REQUEST(.host = STR(US), .origin = STR("http://127.0.0.1:80")),
		  GUARD_OTHER_ORIGIN },
		{ REQUEST(.host = STR(US), .origin = STR("http://" US ".evil")),
		  GUARD_OTHER_ORIGIN },
		{ REQUEST(.host = STR(""), .origin = STR("http://")),
		  GUARD_OTHER_ORIGIN },
		{ REQUEST(.host = STR(US), .referer = STR("http://evil.example/x")),
		  GUARD_OTHER_ORIGIN },
		{ REQUEST(.host = STR(US), .referer = STR("http://" US "/?x=1")),
		  GUARD_ALLOWED },
		{ REQUEST(.host = STR("[::1]:7"), .origin = STR("http://[::1]:7")),
		  GUARD_ALLOWED },
		{ REQUEST(.host = STR("192.168.1.5:7878")), GUARD_ALLOWED },
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		for (size_t m = 0; m < COUNT(methods); m++) {
			struct guard_request q = rows[i].q;

			q.method = str_from(methods[m]);
			if (guard_decide(&rules, &q) != rows[i].want)
				printf("# row %zu, %s: %d\n", i, methods[m],
				       (int)guard_decide(&rules, &q));
			CHECK(guard_decide(&rules, &q) == rows[i].want);
		}
}

static void the_page_may_be_linked_to_but_not_framed_into_a_post(void)
{
	struct guard_request q = REQUEST(.host = STR(US), .fetch_site = STR("cross-site"),
					 .fetch_mode = STR("navigate"), .is_page = true,
					 .referer = STR("http://docs.example/"));

	CHECK(guard_decide(&rules, &q) == GUARD_ALLOWED);
	q.method = STR("POST");
	CHECK(guard_decide(&rules, &q) == GUARD_OTHER_SITE);
	q.method = STR("GET");
	q.fetch_mode = STR("no-cors");
	CHECK(guard_decide(&rules, &q) == GUARD_OTHER_SITE);
}

static void a_token_is_wanted_of_all_but_the_page(void)
{
	struct guard_rules with = rules;
	struct guard_request q = REQUEST(.host = STR(US));

	with.token = STR("s3cret");
	CHECK(guard_decide(&with, &q) == GUARD_NO_TOKEN);
	CHECK(guard_status(GUARD_NO_TOKEN) == 401 && *guard_reason_words(GUARD_NO_TOKEN));
	q.authorization = STR("Bearer s3cre");
	CHECK(guard_decide(&with, &q) == GUARD_NO_TOKEN);
	q.authorization = STR("Bearer s3cret0");
	CHECK(guard_decide(&with, &q) == GUARD_NO_TOKEN);
	q.authorization = STR("Basic s3cret");
	CHECK(guard_decide(&with, &q) == GUARD_NO_TOKEN);
	q.authorization = STR("bearer s3cret");
	CHECK(guard_decide(&with, &q) == GUARD_ALLOWED);
	q = REQUEST(.host = STR(US), .is_page = true);
	CHECK(guard_decide(&with, &q) == GUARD_ALLOWED);
}

static void the_longest_idle_connection_goes_and_none_at_work(void)
{
	struct guard_connection v[] = {
		{ GUARD_ANSWERING, 1 }, { GUARD_IDLE, 30 }, { GUARD_IDLE, 20 },
		{ GUARD_SENDING, 2 },   { GUARD_FREE, 0 },
	};

	CHECK(guard_victim(v, COUNT(v), 10000) == 2);
	v[1].phase = v[2].phase = GUARD_ANSWERING;
	CHECK(guard_victim(v, COUNT(v), 10000) == 3);
	CHECK(guard_victim(v, COUNT(v), 2 + GUARD_SILENT_MS - 1) == SIZE_MAX);
	v[3].phase = GUARD_ANSWERING;
	CHECK(guard_victim(v, COUNT(v), 10000) == SIZE_MAX);
	CHECK(guard_victim(v, 0, 0) == SIZE_MAX);
}

static void a_budget_is_never_exceeded(void)
{
	struct guard_budget b = { .limit = 10 };

	CHECK(guard_take(&b, 6) && !guard_take(&b, 5) && guard_take(&b, 4));
	guard_give(&b, 6);
	CHECK(guard_take(&b, 6) && !guard_take(&b, 1) && !guard_take(&b, UINT64_MAX));
}

int main(void)
{
	RUN(every_request_is_judged_whatever_its_method);
	RUN(the_page_may_be_linked_to_but_not_framed_into_a_post);
	RUN(a_token_is_wanted_of_all_but_the_page);
	RUN(the_longest_idle_connection_goes_and_none_at_work);
	RUN(a_budget_is_never_exceeded);
	DONE();
}
