#include "policy/reason.h"

#include "record/fetch.h"
#include "test.h"

static void every_reason_has_its_words(void)
{
	for (enum reason r = REASON_NONE + 1; r < REASONS; r++) {
		const struct reason_row *row = &reason_table[r];

		CHECK(row->stage.n > 0 && row->word.n > 0 && row->sentence.n > 0);
		CHECK(reason_find(row->stage, row->word) == r);
	}
}

/* Whatever keeps a URL from being fetched has a code for crawl.log, says what it saves,
 * and what would change it. */
static void what_refuses_says_what_would_change_it(void)
{
	for (enum reason r = REASON_NONE + 1; r < REASONS; r++) {
		const struct reason_row *row = &reason_table[r];
		bool keeps_out = row->code != 0;

		CHECK(keeps_out <= (row->saving != SAVING_NONE));
		CHECK(!keeps_out || row->code < 0);
		CHECK(!keeps_out || row->change.n > 0 || r == REASON_MALFORMED);
	}
}

static void what_the_scope_decides_is_told_apart(void)
{
	CHECK(reason_is_scope(REASON_SEED) && reason_is_scope(REASON_DEPTH));
	CHECK(!reason_is_scope(REASON_TRAP_DEEP_PATH) && !reason_is_scope(REASON_NONE));
	for (enum reason r = 0; r < REASONS; r++)
		CHECK(reason_is_scope(r) == str_eq(reason_table[r].stage, STR("scope")));
}

static void the_text_of_a_rule_is_a_url_rule(void)
{
	CHECK(reason_find(STR("rules"), STR("drop sid")) == REASON_URL_RULE);
	CHECK(reason_find(STR("queue"), STR("nonsense")) == REASON_NONE);
}

static void codes_are_heritrix_s(void)
{
	CHECK(reason_table[REASON_TRAP_CALENDAR].code == FETCH_TRAP);
	CHECK(reason_table[REASON_DEPTH].code == FETCH_TOO_MANY_HOPS);
	CHECK(reason_table[REASON_OUT_OF_SCOPE].code == FETCH_OUT_OF_SCOPE);
	CHECK(reason_table[REASON_ROBOTS].code == FETCH_ROBOTS_DENIED);
	CHECK(reason_table[REASON_HOST_PAGES].code == FETCH_QUOTA);
	CHECK(reason_table[REASON_URL_RULE].code == FETCH_CUSTOM);
}

int main(void)
{
	RUN(every_reason_has_its_words);
	RUN(what_refuses_says_what_would_change_it);
	RUN(what_the_scope_decides_is_told_apart);
	RUN(the_text_of_a_rule_is_a_url_rule);
	RUN(codes_are_heritrix_s);
	DONE();
}
