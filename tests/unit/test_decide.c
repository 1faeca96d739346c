#include "policy/decide.h"

#include "record/fetch.h"
#include "test.h"

/* --- found --- */

static const struct found_facts plain = {
	.is_valid = true,
	.hop = HOP_LINK,
	.seen = SEEN_FACT_NEW,
	.purpose = PURPOSES,
	.scope = { .accept = true, .reason = REASON_SCOPE_HOST },
};

static void a_new_link_in_scope_is_queued(void)
{
	struct url_decision d = policy_found(&plain);

	CHECK(d.outcome == OUTCOME_QUEUED && d.reason == REASON_SCOPE_HOST);
	CHECK(d.purpose == PURPOSE_LINK && d.off_hops == 0);
}

static void the_hop_is_the_purpose_unless_there_is_another(void)
{
	static const uint8_t by_hop[][2] = {
		{ HOP_LINK, PURPOSE_LINK },         { HOP_REDIRECT, PURPOSE_REDIRECT },
		{ HOP_EMBED, PURPOSE_EMBED },       { HOP_GUESS, PURPOSE_GUESS },
		{ HOP_MANIFEST, PURPOSE_MANIFEST }, { HOP_FORM, PURPOSE_FORM },
		{ HOP_INFERRED, PURPOSE_LINK },     { HOP_PREREQUISITE, PURPOSE_LINK },
	};
	struct found_facts f = plain;

	for (size_t i = 0; i < COUNT(by_hop); i++) {
		f.hop = by_hop[i][0];
		CHECK(policy_found(&f).purpose == by_hop[i][1]);
	}
	f.purpose = PURPOSE_RETURN;
	f.rule = RULE_FACT_PROBE;
	CHECK(policy_found(&f).purpose == PURPOSE_RETURN);
	f = plain;
	f.is_seed = true;
	CHECK(policy_found(&f).purpose == PURPOSE_SEED);
}

static void what_is_known_is_neither_refused_nor_skipped(void)
{
	struct found_facts f = plain;

	f.seen = SEEN_FACT_KNOWN;
	f.is_valid = false;
	f.scope.accept = false;
	f.trap = REASON_TRAP_CALENDAR;
	CHECK(policy_found(&f).outcome == OUTCOME_QUEUED);
	CHECK(policy_found(&f).reason == REASON_KNOWN);
	f = plain;
	f.seen = SEEN_FACT_UNSURE;
	f.scope = (struct scope_answer){ .reason = REASON_DEPTH };
	CHECK(policy_found(&f).outcome == OUTCOME_REFUSED);
}

static void refusals_name_their_reason(void)
{
	struct found_facts f = plain;

	f.is_valid = false;
	CHECK(policy_found(&f).outcome == OUTCOME_REFUSED);
	CHECK(policy_found(&f).reason == REASON_MALFORMED);
	f = plain;
	f.scope = (struct scope_answer){ .reason = REASON_EXCLUDE, .detail = STR("x") };
	f.trap = REASON_TRAP_CALENDAR;
	CHECK(policy_found(&f).reason == REASON_EXCLUDE);
	CHECK(str_eq(policy_found(&f).detail, STR("x")));
	f = plain;
	f.trap = REASON_TRAP_CALENDAR;
	CHECK(policy_found(&f).outcome == OUTCOME_REFUSED);
	CHECK(policy_found(&f).reason == REASON_TRAP_CALENDAR);
}

static void a_link_that_says_nofollow_is_refused_if_that_is_obeyed(void)
{
	struct found_facts f = plain;

	f.is_nofollow = true;
	CHECK(policy_found(&f).outcome == OUTCOME_REFUSED);
	CHECK(policy_found(&f).reason == REASON_NOFOLLOW);
	f.is_seed = true;
	CHECK(policy_found(&f).outcome == OUTCOME_QUEUED);
	f.is_seed = false;
	f.seen = SEEN_FACT_KNOWN; /* another link led there */
	CHECK(policy_found(&f).outcome == OUTCOME_QUEUED);
}

static void a_seed_is_no_trap_but_has_a_scope(void)
{
	struct found_facts f = plain;

	f.is_seed = true;
	f.trap = REASON_TRAP_CALENDAR;
	CHECK(policy_found(&f).outcome == OUTCOME_QUEUED);
	f.scope = (struct scope_answer){ .reason = REASON_SCHEME };
	CHECK(policy_found(&f).outcome == OUTCOME_REFUSED);
}

static void a_veto_refuses_what_is_no_seed(void)
{
	static const enum reason reasons[VETOES] = {
		[VETO_APPLICATION] = REASON_VETO_APPLICATION,
		[VETO_BLACKLIST] = REASON_VETO_BLACKLIST,
		[VETO_MODULE] = REASON_VETO_MODULE,
		[VETO_VIEW] = REASON_VETO_VIEW,
		[VETO_API] = REASON_API_OBJECT,
	};
	struct found_facts f = plain;

	f.veto_by = STR("spam.example");
	for (enum veto v = VETO_NONE + 1; v < VETOES; v++) {
		f.veto = (uint8_t)v;
		f.is_seed = false;
		CHECK(policy_found(&f).outcome == OUTCOME_REFUSED);
		CHECK(policy_found(&f).reason == reasons[v]);
		CHECK(str_eq(policy_found(&f).detail, f.veto_by));
		f.is_seed = true;
		CHECK(policy_found(&f).outcome == OUTCOME_QUEUED);
	}
}

static void rules_skip_only_what_would_be_taken(void)
{
	struct found_facts f = plain;

	f.rule = RULE_FACT_SKIP;
	CHECK(policy_found(&f).outcome == OUTCOME_SKIPPED);
	CHECK(policy_found(&f).reason == REASON_URL_RULE);
	f.trap = REASON_TRAP_CALENDAR;
	CHECK(policy_found(&f).outcome == OUTCOME_REFUSED);
}

static void rules_say_why_a_url_is_fetched(void)
{
	struct found_facts f = plain;

	f.rule = RULE_FACT_PROBE;
	CHECK(policy_found(&f).purpose == PURPOSE_RULE_PROBE);
	f.rule = RULE_FACT_EXPLORE;
	CHECK(policy_found(&f).purpose == PURPOSE_EXPLORATION);
	f.rule = RULE_FACT_REPLACE;
	CHECK(policy_found(&f).purpose == PURPOSE_REPLACEMENT);
	f.rule = RULE_FACT_NEW;
	CHECK(policy_found(&f).purpose == PURPOSE_LINK);
	CHECK(policy_found(&f).outcome == OUTCOME_QUEUED);
}

static void hops_off_the_scope_are_counted_from_it(void)
{
	struct found_facts f = plain;

	f.page_off_hops = 3;
	CHECK(policy_found(&f).off_hops == 0);
	f.scope.off_site = true;
	CHECK(policy_found(&f).off_hops == 4);
	f.page_off_hops = 255;
	CHECK(policy_found(&f).off_hops == 255);
}

/* --- due --- */

static void a_url_that_nothing_speaks_against_is_fetched(void)
{
	struct due_decision d = policy_due(&(struct due_facts){ 0 });

	CHECK(d.fetch && !d.skip && d.reason == REASON_NONE);
}

static void each_fact_drops_with_its_code(void)
{
	static const struct {
		struct due_facts facts;
		enum reason reason;
		int code;
		bool skip;
	} cases[] = {
		{ { .dead_code = FETCH_DNS_FAILED }, REASON_SITE_DEAD, FETCH_DNS_FAILED },
		{ { .is_denied = true }, REASON_ROBOTS, FETCH_ROBOTS_DENIED },
		{ { .budget = REASON_HOST_PAGES }, REASON_HOST_PAGES, FETCH_QUOTA },
		{ { .is_junk_guess = true }, REASON_GUESS, FETCH_CUSTOM },
		{ { .is_known_by_rule = true }, REASON_URL_RULE, FETCH_CUSTOM, true },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct due_decision d = policy_due(&cases[i].facts);

		CHECK(!d.fetch && d.reason == cases[i].reason);
		CHECK(d.code == cases[i].code && d.skip == cases[i].skip);
	}
}

/* What people and servers want comes before what was learnt. */
static void the_first_of_several_reasons_is_named(void)
{
	struct due_facts f = { .dead_code = -1,
			       .is_denied = true,
			       .budget = REASON_HOST_BYTES,
			       .is_junk_guess = true,
			       .is_known_by_rule = true };

	CHECK(policy_due(&f).reason == REASON_SITE_DEAD);
	f.dead_code = 0;
	CHECK(policy_due(&f).reason == REASON_ROBOTS);
	f.is_denied = false;
	CHECK(policy_due(&f).reason == REASON_HOST_BYTES);
	f.budget = REASON_NONE;
	CHECK(policy_due(&f).reason == REASON_GUESS);
	f.is_junk_guess = false;
	CHECK(policy_due(&f).reason == REASON_URL_RULE);
}

/* --- answers --- */

static bool is_retried(struct answer_facts f)
{
	f.retries = f.retries ? f.retries : 2;
	return policy_answer(&f).action == ANSWER_RETRY;
}

static void what_may_pass_is_retried(void)
{
	static const int pass[] = { 429,
				    503,
				    500,
				    502,
				    504,
				    408,
				    FETCH_CONNECT_FAILED,
				    FETCH_CONNECTION_LOST,
				    FETCH_TIMED_OUT,
				    FETCH_DNS_FAILED,
				    FETCH_RUNTIME_ERROR };
	static const int stay[] = {
		200, 204, 301, 304, 400,           401,
		403, 404, 410, 501, FETCH_BLOCKED, FETCH_UNSUPPORTED
	};

	for (size_t i = 0; i < COUNT(pass); i++)
		CHECK(answer_may_pass(pass[i]) &&
		      is_retried((struct answer_facts){ .code = pass[i] }));
	for (size_t i = 0; i < COUNT(stay); i++)
		CHECK(!answer_may_pass(stay[i]) &&
		      !is_retried((struct answer_facts){ .code = stay[i] }));
}

static void trouble_gives_the_host_a_pause(void)
{
	CHECK(answer_is_trouble(429) && answer_is_trouble(503));
	CHECK(answer_is_trouble(FETCH_TIMED_OUT) &&
	      answer_is_trouble(FETCH_CONNECT_FAILED));
	CHECK(answer_is_trouble(FETCH_CONNECTION_LOST));
	CHECK(!answer_is_trouble(500) && !answer_is_trouble(FETCH_DNS_FAILED));
}

static void attempts_are_counted(void)
{
	CHECK(is_retried((struct answer_facts){ .code = 503, .attempt = 1 }));
	CHECK(!is_retried((struct answer_facts){ .code = 503, .attempt = 2 }));
	CHECK(!is_retried(
		(struct answer_facts){ .code = 503, .purpose = PURPOSE_ROBOTS }));
}

static void what_cannot_pass_is_not_retried(void)
{
	struct answer_facts f = { .code = FETCH_CONNECT_FAILED };

	CHECK(is_retried(f));
	f.cannot_pass = true;
	CHECK(!is_retried(f));
}

static void half_an_answer_is_retried_and_a_slow_one_once(void)
{
	struct answer_facts f = { .code = 200, .truncated = TRUNCATED_DISCONNECT };

	CHECK(is_retried(f));
	f.attempt = 1;
	CHECK(is_retried(f));
	f.truncated = TRUNCATED_TIME;
	CHECK(!is_retried(f));
	f.attempt = 0;
	CHECK(is_retried(f));
	f.truncated = TRUNCATED_LENGTH;
	CHECK(!is_retried(f));
}

static void the_last_attempt_does_not_wait_for_what_is_slow_to_fail(void)
{
	static const int slow[] = { FETCH_TIMED_OUT, FETCH_CONNECT_FAILED,
				    FETCH_DNS_FAILED };
	struct answer_facts f = { .purpose = PURPOSE_LAST_ATTEMPT };

	for (size_t i = 0; i < COUNT(slow); i++) {
		f.code = slow[i];
		CHECK(!is_retried(f));
	}
	f.code = 429;
	CHECK(is_retried(f));
	f.code = 200;
	f.truncated = TRUNCATED_TIME;
	CHECK(!is_retried(f));
}

static void a_cookie_that_wants_to_be_seen_is_a_retry_of_its_own(void)
{
	struct answer_facts f = { .code = 302, .sets_cookie = true, .retries = 0 };

	CHECK(policy_answer(&f).action == ANSWER_RETRY);
	CHECK(policy_answer(&f).reason == REASON_COOKIE);
	f.sets_cookie = false;
	CHECK(policy_answer(&f).action == ANSWER_JUDGE);
	f = (struct answer_facts){ .code = 503, .sets_cookie = true, .retries = 1 };
	CHECK(policy_answer(&f).reason == REASON_RETRY);
}

static void codes_have_their_classes(void)
{
	CHECK(answer_is_success(200) && answer_is_success(299));
	CHECK(!answer_is_success(199) && !answer_is_success(300));
	CHECK(answer_is_redirect(300) && answer_is_redirect(399));
	CHECK(!answer_is_redirect(299) && !answer_is_redirect(400));
}

/* --- links --- */

static const struct follow_facts page = { .code = 200, .may_follow = true };

static void links_of_new_pages_are_followed(void)
{
	struct follow_facts f = page;

	CHECK(policy_follow(&f) == FOLLOW_ALL);
	f.is_judged = f.is_novel = true;
	CHECK(policy_follow(&f) == FOLLOW_ALL);
	f.may_follow = false;
	CHECK(policy_follow(&f) == FOLLOW_NOTHING);
	f.purpose = PURPOSE_ROBOTS; /* its sitemaps */
	CHECK(policy_follow(&f) == FOLLOW_ALL);
}

static void probes_checks_and_soft_404s_lead_nowhere(void)
{
	struct follow_facts f = page;

	f.purpose = PURPOSE_SOFT_404_PROBE;
	CHECK(policy_follow(&f) == FOLLOW_NOTHING);
	f.purpose = PURPOSE_CHECK;
	CHECK(policy_follow(&f) == FOLLOW_NOTHING);
	f.purpose = PURPOSE_LINK;
	f.verdict = VERDICT_SOFT_404;
	CHECK(policy_follow(&f) == FOLLOW_ALL);
	f.is_judged = true;
	f.is_novel = true;
	CHECK(policy_follow(&f) == FOLLOW_NOTHING);
}

static void links_of_duplicates_depend_on_what_they_brought(void)
{
	struct follow_facts f = page;

	f.is_judged = true;
	f.verdict = VERDICT_EXACT;
	f.duplicate_links = DUPLICATES_YIELD;
	CHECK(policy_follow(&f) == FOLLOW_NOTHING);
	f.verdict = VERDICT_NEAR;
	CHECK(policy_follow(&f) == FOLLOW_UNKNOWN);
	f.duplicates_pay = true;
	CHECK(policy_follow(&f) == FOLLOW_ALL);
	f.duplicate_links = DUPLICATES_IGNORE;
	CHECK(policy_follow(&f) == FOLLOW_NOTHING);
	f.duplicate_links = DUPLICATES_FOLLOW;
	f.duplicates_pay = false;
	CHECK(policy_follow(&f) == FOLLOW_ALL);
}

static void lists_of_an_api_are_alike_and_lead_on(void)
{
	struct follow_facts f = { .code = 200,
				  .purpose = PURPOSE_API,
				  .is_judged = true,
				  .verdict = VERDICT_NEAR };

	CHECK(policy_follow(&f) == FOLLOW_ALL);
	f.purpose = PURPOSE_LINK;
	CHECK(policy_follow(&f) != FOLLOW_ALL);
}

static void redirects_end_after_five(void)
{
	struct follow_facts f = page;

	f.code = 302;
	f.redirects = REDIRECTS_MAX - 1;
	CHECK(policy_follow(&f) == FOLLOW_ALL);
	f.redirects = REDIRECTS_MAX;
	CHECK(policy_follow(&f) == FOLLOW_NOTHING);
	f.code = 200;
	CHECK(policy_follow(&f) == FOLLOW_ALL);
}

int main(void)
{
	RUN(a_new_link_in_scope_is_queued);
	RUN(the_hop_is_the_purpose_unless_there_is_another);
	RUN(what_is_known_is_neither_refused_nor_skipped);
	RUN(refusals_name_their_reason);
	RUN(a_link_that_says_nofollow_is_refused_if_that_is_obeyed);
	RUN(a_seed_is_no_trap_but_has_a_scope);
	RUN(a_veto_refuses_what_is_no_seed);
	RUN(rules_skip_only_what_would_be_taken);
	RUN(rules_say_why_a_url_is_fetched);
	RUN(hops_off_the_scope_are_counted_from_it);
	RUN(a_url_that_nothing_speaks_against_is_fetched);
	RUN(each_fact_drops_with_its_code);
	RUN(the_first_of_several_reasons_is_named);
	RUN(what_may_pass_is_retried);
	RUN(trouble_gives_the_host_a_pause);
	RUN(attempts_are_counted);
	RUN(what_cannot_pass_is_not_retried);
	RUN(half_an_answer_is_retried_and_a_slow_one_once);
	RUN(the_last_attempt_does_not_wait_for_what_is_slow_to_fail);
	RUN(a_cookie_that_wants_to_be_seen_is_a_retry_of_its_own);
	RUN(codes_have_their_classes);
	RUN(links_of_new_pages_are_followed);
	RUN(probes_checks_and_soft_404s_lead_nowhere);
	RUN(links_of_duplicates_depend_on_what_they_brought);
	RUN(redirects_end_after_five);
	RUN(lists_of_an_api_are_alike_and_lead_on);
	DONE();
}
