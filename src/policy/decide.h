/*
 * decide.h - what becomes of a URL, decided from facts.
 *
 * Each moment of a URL's life at which something is decided has one function: from a
 * record of what is known to a record of what happens and why.  Whoever calls gathers
 * the facts (seen set, rules, robots.txt, budgets, scores of modules) and carries the
 * decision out.  A new module is a new fact, not a new call.  Pure: no clock, file,
 * thread or socket.
 */
#ifndef POLICY_DECIDE_H
#define POLICY_DECIDE_H

#include "policy/reason.h"
#include "policy/scope.h"
#include "record/advice.h"
#include "record/purpose.h"
#include "record/verdict.h"

/* --- a URL was found, or returns --- */

enum seen_fact {
	SEEN_FACT_NEW,    /* surely */
	SEEN_FACT_KNOWN,  /* surely */
	SEEN_FACT_UNSURE, /* only the disk can tell */
};

enum rule_fact {
	RULE_FACT_NONE,    /* no rule concerns it */
	RULE_FACT_NEW,     /* rules change it; nobody has its page yet */
	RULE_FACT_PROBE,   /* its fetch would test a rule */
	RULE_FACT_EXPLORE, /* its fetch samples what a proved rule skips */
	RULE_FACT_REPLACE, /* the URL that stands for its page brought none */
	RULE_FACT_SKIP,    /* its page is known */
};

struct found_facts {
	bool is_valid; /* it could be parsed, has a host, and is short enough */
	bool is_seed;
	uint8_t hop;     /* enum hop */
	uint8_t seen;    /* enum seen_fact, of its own URL */
	uint8_t rule;    /* enum rule_fact; RULE_FACT_NONE for what returns */
	uint8_t purpose; /* of what returns or is fetched deliberately; PURPOSES: by hop
			  */
	uint8_t page_off_hops; /* of the page it was found on */
	struct scope_answer scope;
	enum reason trap; /* REASON_NONE for none */
	bool is_nofollow; /* its link is marked rel=nofollow, and that is obeyed */
	uint8_t veto;     /* enum veto: a module forbids it */
	struct str veto_by;
	bool is_blacklisted; /* by whoever steers the crawl */
};

/* What came of a URL that was found; the numbers are the journal's. */
enum outcome {
	OUTCOME_QUEUED,
	OUTCOME_KNOWN,     /* found before, or the same as a known one by a rule */
	OUTCOME_UNDECIDED, /* the seen set on disk will tell whether it is new */
	OUTCOME_REFUSED,   /* for the first time: worth a line in the ledger */
	OUTCOME_REFUSED_AGAIN,
	OUTCOME_SKIPPED, /* another URL stands for its page */
	OUTCOMES,
};

struct url_decision {
	uint8_t outcome;   /* enum outcome; QUEUED: unless the seen set knows it */
	uint8_t purpose;   /* of one that is queued: enum purpose */
	uint16_t reason;   /* enum reason: which took, refused or skipped it */
	uint8_t off_hops;  /* of one that is queued: hops away from the scope */
	struct str rules;  /* of a skip: the texts of the rules */
	struct str detail; /* the pattern that decided, or the URL that stands for it */
};

struct url_decision policy_found(const struct found_facts *f);

/* --- its turn has come --- */

struct due_facts {
	int dead_code;         /* of a site that is given up; 0 for none */
	bool is_expired;       /* the deadline it was injected with has passed */
	enum reason budget;    /* REASON_NONE while there is some */
	bool is_denied;        /* by robots.txt */
	bool is_junk_guess;    /* from a script, where such guesses lead nowhere */
	bool is_forgotten;     /* a browser requested it, and waits no more */
	bool is_known_by_rule; /* a rule has learnt since then that its page is known */
};

struct due_decision {
	bool fetch;
	bool skip; /* not fetched, because another URL stands for it */
	enum reason reason;
	int code; /* enum fetch_code of one that is not fetched */
};

struct due_decision policy_due(const struct due_facts *f);

/* --- an answer, or none --- */

struct answer_facts {
	int code;          /* HTTP status or enum fetch_code */
	uint8_t truncated; /* enum truncation */
	uint8_t purpose;
	unsigned attempt, retries; /* this one, from 0; how many may follow the first */
	bool cannot_pass; /* a wrong certificate, a header without end: no use in a retry
			   */
	bool sets_cookie; /* it set a cookie and leads to itself: it wants to see it */
};

enum answer_action {
	ANSWER_RETRY, /* back into the queue, for another attempt */
	ANSWER_JUDGE, /* it is what there is */
};

struct answer_decision {
	enum answer_action action;
	enum reason reason; /* of a retry */
};

struct answer_decision policy_answer(const struct answer_facts *f);

/* The server is in trouble, or out of reach: its host is given a pause. */
bool answer_is_trouble(int code);
/* It may be different next time. */
bool answer_may_pass(int code);
/* Status 2xx. */
static inline bool answer_is_success(int code)
{
	return code >= 200 && code < 300;
}
static inline bool answer_is_redirect(int code)
{
	return code >= 300 && code < 400;
}

/* --- the links of a judged page --- */

/* Redirects in a row, then they lead nowhere. */
#define REDIRECTS_MAX 5

enum duplicate_links { /* which links of a duplicate are followed: --duplicate-links */
		       DUPLICATES_YIELD, /* those of sites where that has paid */
		       DUPLICATES_FOLLOW,
		       DUPLICATES_IGNORE,
};

struct follow_facts {
	int code;
	uint8_t purpose;
	uint8_t verdict; /* enum verdict_kind, if `is_judged` */
	bool is_judged;  /* there is a verdict */
	bool is_novel;
	bool may_follow;     /* nofollow, language and so on allow it */
	bool duplicates_pay; /* links of duplicates have paid on this site */
	unsigned redirects;  /* in a row, that led to it */
	enum duplicate_links duplicate_links;
};

enum follow_what {
	FOLLOW_NOTHING,
	FOLLOW_UNKNOWN, /* only what nobody has asked for under any URL */
	FOLLOW_ALL,
};

enum follow_what policy_follow(const struct follow_facts *f);
#endif
