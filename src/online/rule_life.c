#include "online/rule_life.h"

#include <assert.h>

#define BUG LIFE_NONE /* the event cannot happen in that state */

/* clang-format off */
static const enum rule_life_state next_state[LIFE_STATES][RULE_EVENTS] = {
	/*                   learnt          vouched       proved          doubted          contradicted     relearnt */
	[LIFE_NONE]      = { LIFE_PROBATION, LIFE_TRUSTED, BUG,            BUG,             BUG,             BUG },
	[LIFE_PROBATION] = { BUG,            BUG,          LIFE_PROVED,    LIFE_PROBATION,  LIFE_RETRACTED,  BUG },
	[LIFE_TRUSTED]   = { BUG,            BUG,          LIFE_PROVED,    LIFE_PROBATION,  LIFE_RETRACTED,  BUG },
	[LIFE_PROVED]    = { BUG,            BUG,          LIFE_PROVED,    LIFE_DOUBTED,    LIFE_RETRACTED,  BUG },
	[LIFE_DOUBTED]   = { BUG,            BUG,          LIFE_PROVED,    LIFE_DOUBTED,    LIFE_RETRACTED,  BUG },
	[LIFE_RETRACTED] = { BUG,            BUG,          BUG,            LIFE_RETRACTED,  LIFE_RETRACTED,  LIFE_PROBATION },
	[LIFE_OFF]       = { BUG,            BUG,          BUG,            LIFE_OFF,        LIFE_OFF,        BUG },
};
/* clang-format on */

static const enum rule_state word_of[LIFE_STATES] = {
	[LIFE_PROBATION] = RULE_PROBATION, [LIFE_TRUSTED] = RULE_VALID,
	[LIFE_PROVED] = RULE_CONFIRMED,    [LIFE_DOUBTED] = RULE_PROBATION,
	[LIFE_RETRACTED] = RULE_RETRACTED, [LIFE_OFF] = RULE_DISABLED,
};

enum rule_state rule_word(enum rule_life_state s, bool is_checked)
{
	return is_checked && life_is_believed(s) ? RULE_PROBATION : word_of[s];
}

uint64_t rule_proofs(const struct rule_life *life, const struct rule_evidence *e)
{
	uint64_t against = e->contradictions + life->doubts;

	return e->probes > against ? e->probes - against : 0;
}

/* Of the first trial; where nobody asks for probes there are none. */
static unsigned first_proofs(const struct rule_life *life, unsigned probes)
{
	return probes > 0 ? MAX(probes, life->least) : 0;
}

uint32_t rule_proofs_wanted(const struct rule_life *life, unsigned probes)
{
	return (uint32_t)first_proofs(life, probes) << life->relearnt;
}

bool rule_has_proofs(const struct rule_life *life, const struct rule_evidence *e,
		     unsigned probes)
{
	return rule_proofs(life, e) >=
	       life->proofs_before + rule_proofs_wanted(life, probes);
}

static void enter(struct rule_life *life, struct rule *rule, enum rule_life_state s)
{
	life->state = s;
	rule->state = word_of[s];
}

/* A new trial of a rule that was believed: what it has shown so far does not count. */
static void start_trial(struct rule_life *life, const struct rule *rule)
{
	life->proofs_before = rule_proofs(life, &rule->evidence);
	life->issued = life->silent = 0;
}

/* As if it were new, but that it has to prove more. */
static void start_over(struct rule_life *life, struct rule *rule)
{
	*life = (struct rule_life){ .relearnt = (uint8_t)(life->relearnt + 1),
				    .least = life->least };
	rule->evidence = (struct rule_evidence){ 0 };
}

void rule_transition(struct rule_life *life, struct rule *rule, enum rule_event event)
{
	enum rule_life_state to = next_state[life->state][event];

	assert(to != BUG);
	if (event == EVENT_RELEARNT)
		start_over(life, rule);
	else if (event == EVENT_DOUBTED && life_is_believed(life->state))
		start_trial(life, rule);
	enter(life, rule, to);
}

/*
 * "confirmed" is what both proved rules of a site and, in older files, trusted ones are
 * called: the probes tell.  They also tell who was proved before it came on trial.
 */
static enum rule_life_state state_in_file(enum rule_state word, uint64_t proofs,
					  unsigned probes, bool is_general)
{
	switch (word) {
	case RULE_PROBATION:
		return !is_general && proofs > 0 && proofs >= probes ? LIFE_DOUBTED
								     : LIFE_PROBATION;
	case RULE_CONFIRMED:
		return is_general || proofs >= probes ? LIFE_PROVED : LIFE_TRUSTED;
	case RULE_RETRACTED:
		return LIFE_RETRACTED;
	case RULE_DISABLED:
		return LIFE_OFF;
	case RULE_VALID:
	case RULE_STATES:
		break;
	}
	return LIFE_TRUSTED;
}

void rule_obey_file(struct rule_life *life, struct rule *rule, enum rule_state word,
		    unsigned probes, bool is_general)
{
	uint64_t proofs = rule_proofs(life, &rule->evidence);
	enum rule_life_state to =
		state_in_file(word, proofs, first_proofs(life, probes), is_general);

	if (to == LIFE_DOUBTED)
		start_trial(life, rule);
	enter(life, rule, to);
}

void assert_rule_life(const struct rule_life *life, const struct rule *rule,
		      unsigned probes, bool is_general)
{
	enum rule_life_state s = life->state;

	assert(s > LIFE_NONE && s < LIFE_STATES && rule->state == word_of[s]); /* 1 */
	assert(is_general || !life_is_on_trial(s) || probes == 0 ||            /* 2 */
	       !rule_has_proofs(life, &rule->evidence, probes));
	assert(is_general || s != LIFE_PROVED || /* 3 */
	       rule_proofs(life, &rule->evidence) >= probes);
	assert(is_general || s != LIFE_DOUBTED || life->proofs_before >= probes); /* 4 */
	assert(life->relearnt <= RULE_RELEARNT_MAX);                              /* 5 */
	assert(!is_general || (life->issued == 0 && life->doubts == 0));          /* 6 */
}
