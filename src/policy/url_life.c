#include "policy/url_life.h"

const char *const url_state_names[URL_STATES] = {
	[URL_UNKNOWN] = "unknown",     [URL_FOUND] = "found",
	[URL_REFUSED] = "refused",     [URL_SKIPPED] = "skipped",
	[URL_QUEUED] = "queued",       [URL_HELD] = "held",
	[URL_IN_FLIGHT] = "in flight", [URL_ANSWERED] = "answered",
	[URL_GONE] = "gone",           [URL_FAILED] = "failed",
};

const char *const url_event_names[URL_EVENTS] = {
	[URL_EVENT_UNDECIDED] = "undecided", [URL_EVENT_REFUSE] = "refuse",
	[URL_EVENT_SKIP] = "skip",           [URL_EVENT_QUEUE] = "queue",
	[URL_EVENT_HOLD] = "hold",           [URL_EVENT_RELEASE] = "release",
	[URL_EVENT_SEND] = "send",           [URL_EVENT_PUT_BACK] = "put back",
	[URL_EVENT_RETRY] = "retry",         [URL_EVENT_ANSWER] = "answer",
	[URL_EVENT_GONE] = "gone",           [URL_EVENT_FAIL] = "fail",
};

/* 0, which is no state to go to, means that it cannot happen. */
static const uint8_t next[URL_STATES][URL_EVENTS] = {
	[URL_UNKNOWN] = { [URL_EVENT_UNDECIDED] = URL_FOUND,
			  [URL_EVENT_REFUSE] = URL_REFUSED,
			  [URL_EVENT_SKIP] = URL_SKIPPED,
			  [URL_EVENT_QUEUE] = URL_QUEUED },
	[URL_FOUND] = { [URL_EVENT_UNDECIDED] = URL_FOUND,
			[URL_EVENT_SKIP] = URL_SKIPPED,
			[URL_EVENT_REFUSE] = URL_REFUSED,
			[URL_EVENT_QUEUE] = URL_QUEUED },
	/* A nearer way to it, or another scope. */
	[URL_REFUSED] = { [URL_EVENT_UNDECIDED] = URL_FOUND,
			  [URL_EVENT_REFUSE] = URL_REFUSED,
			  [URL_EVENT_SKIP] = URL_SKIPPED,
			  [URL_EVENT_QUEUE] = URL_QUEUED },
	/* It returns: to be fetched, for another URL's sake, or not wanted any more. */
	[URL_SKIPPED] = { [URL_EVENT_UNDECIDED] = URL_FOUND,
			  [URL_EVENT_REFUSE] = URL_REFUSED,
			  [URL_EVENT_SKIP] = URL_SKIPPED,
			  [URL_EVENT_QUEUE] = URL_QUEUED },
	[URL_QUEUED] = { [URL_EVENT_REFUSE] = URL_REFUSED,
			 [URL_EVENT_SKIP] = URL_SKIPPED,
			 [URL_EVENT_HOLD] = URL_HELD,
			 [URL_EVENT_SEND] = URL_IN_FLIGHT },
	[URL_HELD] = { [URL_EVENT_RELEASE] = URL_QUEUED,
		       [URL_EVENT_REFUSE] = URL_REFUSED },
	[URL_IN_FLIGHT] = { [URL_EVENT_PUT_BACK] = URL_QUEUED,
			    [URL_EVENT_RETRY] = URL_QUEUED,
			    [URL_EVENT_ANSWER] = URL_ANSWERED,
			    [URL_EVENT_GONE] = URL_GONE,
			    [URL_EVENT_FAIL] = URL_FAILED },
	/* A last attempt. */
	[URL_FAILED] = { [URL_EVENT_QUEUE] = URL_QUEUED },
};

enum url_state url_life_next(enum url_state state, enum url_event event)
{
	uint8_t to = next[state][event];

	return to == URL_UNKNOWN ? URL_STATES : (enum url_state)to;
}

bool url_state_is_final(enum url_state state)
{
	switch (state) {
	case URL_REFUSED:
	case URL_SKIPPED:
	case URL_ANSWERED:
	case URL_GONE:
	case URL_FAILED:
		return true;
	default:
		return false;
	}
}
