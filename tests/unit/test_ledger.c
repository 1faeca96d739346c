#include "journal/ledger.h"

#include "record/fetch.h"
#include "test.h"

static bool has(const struct buf *b, const char *text)
{
	return str_find(buf_str(b), str_from(text)) != STR_NONE;
}

static void a_refusal_has_the_words_and_the_code_of_its_reason(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	ledger_add(&b, &(struct ledger_line){ .url = STR("http://a.org/x"),
					      .via = STR("http://a.org/"),
					      .reason = REASON_DEPTH });
	CHECK(has(&b, "\"stage\":\"scope\"") && has(&b, "\"rule\":\"depth\""));
	CHECK(has(&b, "\"code\":-4001") && has(&b, "\"via\":\"http://a.org/\""));
	CHECK(!has(&b, "\"key\"") && !has(&b, "\"detail\""));
	CHECK(b.p[b.n - 1] == '\n');
}

static void a_skip_names_its_rules_and_the_url_that_stands_for_it(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	ledger_add(&b, &(struct ledger_line){ .url = STR("http://a.org/x?sid=1"),
					      .key = STR("http://a.org/x"),
					      .rules = STR("drop sid"),
					      .detail = STR("http://a.org/x?sid=2"),
					      .reason = REASON_URL_RULE });
	CHECK(has(&b, "\"stage\":\"rules\"") && has(&b, "\"rule\":\"drop sid\""));
	CHECK(has(&b, "\"detail\":\"http://a.org/x?sid=2\""));
	CHECK(has(&b, "\"key\":\"http://a.org/x\"") && has(&b, "\"code\":-5002"));
}

static void another_code_wins(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	ledger_add(&b, &(struct ledger_line){ .url = STR("http://a.org/"),
					      .reason = REASON_SITE_DEAD,
					      .code = FETCH_DNS_FAILED });
	CHECK(has(&b, "\"code\":-1}"));
}

int main(void)
{
	RUN(a_refusal_has_the_words_and_the_code_of_its_reason);
	RUN(a_skip_names_its_rules_and_the_url_that_stands_for_it);
	RUN(another_code_wins);
	DONE();
}
