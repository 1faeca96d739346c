/*
 * guard.h - what must not be clicked: logout, delete, pay, unsubscribe.
 *
 * Judged by what an element says, what programs call it, where it leads, how it asks, and
 * what the dialog or form around it is about (facts.js); once when the element is
 * offered, and again, with what stands under the pointer at that moment, when it is about
 * to be clicked. A refusal is reported with its reason, never silent.  Pure.
 */
#ifndef OBSERVE_GUARD_H
#define OBSERVE_GUARD_H

#include "observe/observe.h"

struct guard_options {
	bool allow_destructive;  /* the user knows what the application can lose */
	struct str_list exclude; /* texts that are never touched; see also candidate */
	struct str_list include; /* when given, only these are */
	struct str origin; /* "https://host": links that leave it are not followed */
};

/* All in lower case, as facts.js gives them; each may be empty. */
struct guard_facts {
	struct str says;   /* what people read */
	struct str marks;  /* what programs call it, in words */
	struct str around; /* what the dialog or form around it is about */
	struct str href, action, method;
};

/* NULL when it may be done; otherwise the reason, in static words. */
const char *guard_refuses(const struct guard_options *g, const struct candidate *c);
/* The same for what is hit by a click that was meant for `c`. */
const char *guard_refuses_hit(const struct guard_options *g, const struct candidate *c,
			      const struct guard_facts *hit);
/*
 * A request that writes, as it is about to be sent: does it delete or end something?  By
 * method, address and the fields of its body that say what is to be done.
 */
const char *guard_refuses_request(const struct guard_options *g, struct str method,
				  struct str url, struct str body);
/* Is `url` of the origin `origin`, "https://host:port"?  A prefix alone is not. */
bool guard_is_within(struct str url, struct str origin);

enum guard_list {
	GUARD_LOGOUT,
	GUARD_DESTROY,
	GUARD_PAY,
	GUARD_UNSUBSCRIBE,
	GUARD_SENDING,  /* harmless where they only show something */
	GUARD_CODE,     /* in the names that programs use */
	GUARD_DISMISS,  /* leaves a dialog as it was */
	GUARD_HARMLESS, /* beside a word of taking away: only the view changes */
	GUARD_LISTS
};
struct word_list {
	const char *const *v;
	size_t n;
};
extern const struct word_list guard_words[GUARD_LISTS];
#endif
