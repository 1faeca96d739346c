#include "policy/url_life.h"

#include "test.h"

static enum url_state after(enum url_state s, size_t n, const enum url_event *events)
{
	for (size_t i = 0; i < n && s != URL_STATES; i++)
		s = url_life_next(s, events[i]);
	return s;
}
#define LIFE(...)                                                                 \
	after(URL_UNKNOWN,                                                        \
	      sizeof((enum url_event[]){ __VA_ARGS__ }) / sizeof(enum url_event), \
	      (const enum url_event[]){ __VA_ARGS__ })

static void a_page_is_found_queued_sent_and_answered(void)
{
	CHECK(LIFE(URL_EVENT_QUEUE) == URL_QUEUED);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND) == URL_IN_FLIGHT);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND, URL_EVENT_ANSWER) == URL_ANSWERED);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND, URL_EVENT_GONE) == URL_GONE);
	CHECK(LIFE(URL_EVENT_UNDECIDED, URL_EVENT_QUEUE, URL_EVENT_SEND,
		   URL_EVENT_RETRY) == URL_QUEUED);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND, URL_EVENT_PUT_BACK) == URL_QUEUED);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_HOLD, URL_EVENT_RELEASE, URL_EVENT_SEND) ==
	      URL_IN_FLIGHT);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_HOLD, URL_EVENT_REFUSE) == URL_REFUSED);
}

static void what_was_skipped_or_refused_may_return(void)
{
	CHECK(LIFE(URL_EVENT_SKIP, URL_EVENT_QUEUE) == URL_QUEUED);
	CHECK(LIFE(URL_EVENT_SKIP, URL_EVENT_SKIP) == URL_SKIPPED);
	CHECK(LIFE(URL_EVENT_REFUSE, URL_EVENT_QUEUE) == URL_QUEUED);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SKIP, URL_EVENT_QUEUE) == URL_QUEUED);
	CHECK(LIFE(URL_EVENT_SKIP, URL_EVENT_REFUSE) == URL_REFUSED);
}

static void a_failure_has_one_more_attempt_and_an_answer_none(void)
{
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND, URL_EVENT_FAIL) == URL_FAILED);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND, URL_EVENT_FAIL, URL_EVENT_QUEUE) ==
	      URL_QUEUED);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND, URL_EVENT_ANSWER, URL_EVENT_QUEUE) ==
	      URL_STATES);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND, URL_EVENT_GONE, URL_EVENT_QUEUE) ==
	      URL_STATES);
}

static void what_cannot_happen_is_told(void)
{
	CHECK(LIFE(URL_EVENT_SEND) == URL_STATES);
	CHECK(LIFE(URL_EVENT_ANSWER) == URL_STATES);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_QUEUE) == URL_STATES);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_ANSWER) == URL_STATES);
	CHECK(LIFE(URL_EVENT_REFUSE, URL_EVENT_SEND) == URL_STATES);
	CHECK(LIFE(URL_EVENT_SKIP, URL_EVENT_SEND) == URL_STATES);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_HOLD, URL_EVENT_SEND) == URL_STATES);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND, URL_EVENT_REFUSE) == URL_STATES);
	CHECK(LIFE(URL_EVENT_QUEUE, URL_EVENT_SEND, URL_EVENT_SKIP) == URL_STATES);
}

/* From every state a final one can be reached, and no event leads back to nowhere. */
static void every_life_can_end(void)
{
	bool ends[URL_STATES] = { false };

	for (unsigned round = 0; round < URL_STATES; round++)
		for (enum url_state s = 0; s < URL_STATES; s++) {
			ends[s] |= url_state_is_final(s);
			for (enum url_event e = 0; e < URL_EVENTS; e++) {
				enum url_state to = url_life_next(s, e);

				CHECK(to != URL_UNKNOWN);
				ends[s] |= to != URL_STATES && ends[to];
			}
		}
	for (enum url_state s = 0; s < URL_STATES; s++)
		CHECK(ends[s] && url_state_names[s]);
	for (enum url_event e = 0; e < URL_EVENTS; e++)
		CHECK(url_event_names[e]);
}

static void what_waits_is_not_final(void)
{
	CHECK(!url_state_is_final(URL_UNKNOWN) && !url_state_is_final(URL_FOUND));
	CHECK(!url_state_is_final(URL_QUEUED) && !url_state_is_final(URL_HELD));
	CHECK(!url_state_is_final(URL_IN_FLIGHT));
	CHECK(url_state_is_final(URL_ANSWERED) && url_state_is_final(URL_GONE));
	CHECK(url_state_is_final(URL_REFUSED) && url_state_is_final(URL_SKIPPED));
	CHECK(url_state_is_final(URL_FAILED));
}

int main(void)
{
	RUN(a_page_is_found_queued_sent_and_answered);
	RUN(what_was_skipped_or_refused_may_return);
	RUN(a_failure_has_one_more_attempt_and_an_answer_none);
	RUN(what_cannot_happen_is_told);
	RUN(every_life_can_end);
	RUN(what_waits_is_not_final);
	DONE();
}
