/*
 * rule_life.h - the life of a rule in a crawl: its states, the events, one table.
 *
 * Every change of a rule's state goes through rule_transition() or rule_obey_file(); the
 * table in rule_life.c is all there is.  The state also gives the word that stands in
 * rule files (dust/rule.h), which is kept in step here and nowhere else.  Which event a
 * fetch, a site or a person is, is decided by the callers (online_evidence.c,
 * online_rules.c, online_files.c).  Plain data, no memory of its own; the thread of the
 * learner.
 */
#ifndef ONLINE_RULE_LIFE_H
#define ONLINE_RULE_LIFE_H

#include "dust/rule.h"

enum rule_life_state {
	LIFE_NONE,      /* not a rule yet: a zeroed life */
	LIFE_PROBATION, /* never proved here; URLs it would skip are fetched as probes */
	LIFE_TRUSTED,   /* not proved here, but by a person, offline, or on other sites */
	LIFE_PROVED,    /* its probes found the pages it promised */
	LIFE_DOUBTED,   /* was proved, and has to prove itself anew */
	LIFE_RETRACTED, /* contradicted: not applied, what it skipped returns */
	LIFE_OFF,       /* a person does not want it: not applied, never learnt again */
	LIFE_STATES,
};

enum rule_event {
	EVENT_LEARNT,       /* duplicates of the site offer it, or it ships with Thresh */
	EVENT_VOUCHED,      /* it is applied here because it is believed everywhere */
	EVENT_PROVED,       /* enough probes, or enough sites, agree */
	EVENT_DOUBTED,      /* contradicted together with another rule, or elsewhere */
	EVENT_CONTRADICTED, /* contradicted, too doubtful, or not proved in the end */
	EVENT_RELEARNT,     /* all pages that are remembered agree with it again */
	RULE_EVENTS,
};

/* The state and what is counted of the present trial. */
struct rule_life {
	enum rule_life_state state;
	uint32_t issued;        /* probes given out */
	uint32_t doubts;        /* probes that were neither for nor against it */
	uint32_t silent;        /* probes that said nothing, and were given out again */
	uint64_t settled;       /* its probes when it was last settled, and one more */
	uint64_t proofs_before; /* proofs from before this trial: they do not count again
				 */
	uint8_t relearnt;       /* how often it came back */
	uint8_t least;          /* proofs that its kind needs, beside the option */
};

/* The event must be possible in the rule's state: otherwise it is a bug, and aborts. */
void rule_transition(struct rule_life *life, struct rule *rule, enum rule_event event);
/*
 * A file says in which state a rule is, by its word: that holds, whatever was before.
 * `probes` are the proofs that a rule needs; `is_general` of a rule that is judged by its
 * sites and not by probes of its own.
 */
void rule_obey_file(struct rule_life *life, struct rule *rule, enum rule_state word,
		    unsigned probes, bool is_general);

/* Fetches that found the page that the rule promised. */
uint64_t rule_proofs(const struct rule_life *life, const struct rule_evidence *e);
/* Proofs that end the present trial: `probes`, or more where rules of its kind are often
 * wrong; each time it comes back twice as many. */
uint32_t rule_proofs_wanted(const struct rule_life *life, unsigned probes);
bool rule_has_proofs(const struct rule_life *life, const struct rule_evidence *e,
		     unsigned probes);

static inline bool life_is_on_trial(enum rule_life_state s)
{
	return s == LIFE_PROBATION || s == LIFE_DOUBTED;
}

/* Believed: it skips without asking for probes. */
static inline bool life_is_believed(enum rule_life_state s)
{
	return s == LIFE_TRUSTED || s == LIFE_PROVED;
}

static inline bool life_is_active(enum rule_life_state s)
{
	return life_is_on_trial(s) || life_is_believed(s);
}

/* The word in files.  A check does not outlive the process: who is being checked has to
 * prove itself anew. */
enum rule_state rule_word(enum rule_life_state s, bool is_checked);

/*
 * Abort unless these hold (n.n in rule_life.c):
 *  1. The rule has been born, and its word is that of its state.
 *  2. On trial it has not the proofs that would end the trial.
 *  3. Proved at a site, it has as many proofs as a first trial asks for.
 *  4. Doubted, it had been proved.
 *  5. It has not come back more often than the limit, nor if it never was retracted.
 *  6. A general rule has no probes of its own.
 */
void assert_rule_life(const struct rule_life *life, const struct rule *rule,
		      unsigned probes, bool is_general);

#define RULE_RELEARNT_MAX 2
#endif
