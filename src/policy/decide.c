#include "policy/decide.h"

#include "record/fetch.h"

/* --- found --- */

static struct url_decision refuse(enum reason reason, struct str detail)
{
	return (struct url_decision){ .outcome = OUTCOME_REFUSED,
				      .reason = (uint16_t)reason,
				      .detail = detail };
}

static enum purpose purpose_of(const struct found_facts *f)
{
	if (f->purpose < PURPOSES)
		return (enum purpose)f->purpose;
	switch ((enum rule_fact)f->rule) {
	case RULE_FACT_PROBE:
		return PURPOSE_RULE_PROBE;
	case RULE_FACT_EXPLORE:
		return PURPOSE_EXPLORATION;
	case RULE_FACT_REPLACE:
		return PURPOSE_REPLACEMENT;
	case RULE_FACT_NONE:
	case RULE_FACT_NEW:
	case RULE_FACT_SKIP:
		break;
	}
	return f->is_seed ? PURPOSE_SEED : purpose_of_hop(f->hop);
}

static enum reason veto_reason(enum veto veto)
{
	switch (veto) {
	case VETO_APPLICATION:
		return REASON_VETO_APPLICATION;
	case VETO_BLACKLIST:
		return REASON_VETO_BLACKLIST;
	case VETO_VIEW:
		return REASON_VETO_VIEW;
	case VETO_API:
		return REASON_API_OBJECT;
	case VETO_MODULE:
	case VETO_NONE:
	case VETOES:
		break;
	}
	return REASON_VETO_MODULE;
}

/* Within the scope the count begins anew. */
static uint8_t own_off_hops(const struct found_facts *f)
{
	return f->scope.off_site ? (uint8_t)MIN(f->page_off_hops + 1, 255) : 0;
}

/*
 * What is known was decided once, by the way that was found first: another way to it,
 * though it were too long, refuses nothing.  Seeds are the user's word: no trap; and what
 * is injected is so while the crawl runs, whatever its scope was.
 */
struct url_decision policy_found(const struct found_facts *f)
{
	if (f->seen == SEEN_FACT_KNOWN)
		return (struct url_decision){ .outcome = OUTCOME_QUEUED,
					      .purpose = (uint8_t)purpose_of(f),
					      .reason = REASON_KNOWN };
	if (!f->is_valid)
		return refuse(REASON_MALFORMED, STR(""));
	if (f->is_blacklisted)
		return refuse(REASON_BLACKLISTED, STR(""));
	if (f->purpose == PURPOSE_INJECTED)
		return (struct url_decision){ .outcome = OUTCOME_QUEUED,
					      .purpose = PURPOSE_INJECTED,
					      .reason = REASON_INJECTED };
	if (!f->scope.accept)
		return refuse(f->scope.reason, f->scope.detail);
	if (f->trap != REASON_NONE && !f->is_seed)
		return refuse(f->trap, STR(""));
	if (f->is_nofollow && !f->is_seed)
		return refuse(REASON_NOFOLLOW, STR(""));
	if (f->veto != VETO_NONE && !f->is_seed)
		return refuse(veto_reason((enum veto)f->veto), f->veto_by);
	if (f->rule == RULE_FACT_SKIP)
		return (struct url_decision){ .outcome = OUTCOME_SKIPPED,
					      .reason = REASON_URL_RULE };
	return (struct url_decision){ .outcome = OUTCOME_QUEUED,
				      .purpose = (uint8_t)purpose_of(f),
				      .reason = (uint16_t)f->scope.reason,
				      .off_hops = own_off_hops(f),
				      .detail = f->scope.detail };
}

/* --- due --- */

static struct due_decision drop(enum reason reason, int code)
{
	return (struct due_decision){ .reason = reason,
				      .skip = reason == REASON_URL_RULE,
				      .code = code ? code : reason_table[reason].code };
}

/* What a person or a server wants comes before what was learnt. */
struct due_decision policy_due(const struct due_facts *f)
{
	if (f->dead_code != 0)
		return drop(REASON_SITE_DEAD, f->dead_code);
	if (f->is_denied)
		return drop(REASON_ROBOTS, 0);
	if (f->is_expired)
		return drop(REASON_EXPIRED, 0);
	if (f->budget != REASON_NONE)
		return drop(f->budget, 0);
	if (f->is_junk_guess)
		return drop(REASON_GUESS, 0);
	if (f->is_forgotten)
		return drop(REASON_RENDER_OVER, 0);
	if (f->is_known_by_rule)
		return drop(REASON_URL_RULE, 0);
	return (struct due_decision){ .fetch = true };
}

/* --- answers --- */

bool answer_is_trouble(int code)
{
	return code == 429 || code == 503 || code == FETCH_CONNECT_FAILED ||
	       code == FETCH_CONNECTION_LOST || code == FETCH_TIMED_OUT;
}

bool answer_may_pass(int code)
{
	return answer_is_trouble(code) || code == 500 || code == 502 || code == 504 ||
	       code == 408 || code == FETCH_DNS_FAILED || code == FETCH_RUNTIME_ERROR;
}

static bool is_slow_to_fail(const struct answer_facts *f)
{
	return f->code == FETCH_TIMED_OUT || f->code == FETCH_CONNECT_FAILED ||
	       f->code == FETCH_DNS_FAILED || f->truncated == TRUNCATED_TIME;
}

/*
 * Half an answer too: what broke off may come whole next time.  What is too slow is
 * tried once more, since each time takes all the time there is.  At the last attempt a
 * server that is there is not given up at the first "busy".
 */
static bool is_worth_a_retry(const struct answer_facts *f)
{
	if (f->purpose == PURPOSE_ROBOTS || f->attempt >= f->retries || f->cannot_pass)
		return false;
	if (is_slow_to_fail(f) && f->purpose == PURPOSE_LAST_ATTEMPT)
		return false;
	return answer_may_pass(f->code) || f->truncated == TRUNCATED_DISCONNECT ||
	       (f->truncated == TRUNCATED_TIME && f->attempt == 0);
}

struct answer_decision policy_answer(const struct answer_facts *f)
{
	if (is_worth_a_retry(f))
		return (struct answer_decision){ ANSWER_RETRY, REASON_RETRY };
	if (f->sets_cookie)
		return (struct answer_decision){ ANSWER_RETRY, REASON_COOKIE };
	return (struct answer_decision){ ANSWER_JUDGE, REASON_NONE };
}

/* --- links --- */

/*
 * The pages of a list are nearly alike, and each leads to the next one.  So where the
 * links of duplicates are worth nothing a near-duplicate is believed in what it repeats,
 * not in what it alone knows.
 */
static enum follow_what follow_duplicate(const struct follow_facts *f)
{
	switch (f->duplicate_links) {
	case DUPLICATES_FOLLOW:
		return FOLLOW_ALL;
	case DUPLICATES_YIELD:
		if (f->duplicates_pay)
			return FOLLOW_ALL;
		return f->verdict == VERDICT_NEAR ? FOLLOW_UNKNOWN : FOLLOW_NOTHING;
	case DUPLICATES_IGNORE:
		break;
	}
	return FOLLOW_NOTHING;
}

enum follow_what policy_follow(const struct follow_facts *f)
{
	if (f->purpose == PURPOSE_SOFT_404_PROBE || f->purpose == PURPOSE_CHECK ||
	    (f->is_judged && f->verdict == VERDICT_SOFT_404))
		return FOLLOW_NOTHING;
	if (f->purpose == PURPOSE_API) /* lists are alike, their links are not */
		return FOLLOW_ALL;
	if (!f->may_follow && f->purpose != PURPOSE_ROBOTS)
		return FOLLOW_NOTHING;
	if (answer_is_redirect(f->code) && f->redirects >= REDIRECTS_MAX)
		return FOLLOW_NOTHING;
	return f->is_judged && !f->is_novel ? follow_duplicate(f) : FOLLOW_ALL;
}
