#include "online/rule_life.h"

#include "test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROBES 3

/* A rule of a site in this state, with so many probes that agreed. */
static void make(enum rule_life_state s, uint64_t probes, struct rule_life *life,
		 struct rule *rule)
{
	static const enum rule_state words[LIFE_STATES] = {
		[LIFE_PROBATION] = RULE_PROBATION, [LIFE_TRUSTED] = RULE_VALID,
		[LIFE_PROVED] = RULE_CONFIRMED,    [LIFE_DOUBTED] = RULE_PROBATION,
		[LIFE_RETRACTED] = RULE_RETRACTED, [LIFE_OFF] = RULE_DISABLED,
	};

	*life = (struct rule_life){ .state = s };
	*rule = (struct rule){ .state = words[s], .evidence.probes = probes };
}

static bool aborts(enum rule_life_state s, enum rule_event e)
{
	struct rule_life life;
	struct rule rule;
	int status;

	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		make(s, PROBES, &life, &rule);
		rule_transition(&life, &rule, e);
		_exit(0);
	}
	return waitpid(child, &status, 0) == child &&
	       !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* The table once more, written as the sentences of rule_life.h; all else is a bug. */
static const struct {
	enum rule_life_state from;
	enum rule_event event;
	enum rule_life_state to;
} legal[] = {
	{ LIFE_NONE, EVENT_LEARNT, LIFE_PROBATION },
	{ LIFE_NONE, EVENT_VOUCHED, LIFE_TRUSTED },
	{ LIFE_PROBATION, EVENT_PROVED, LIFE_PROVED },
	{ LIFE_PROBATION, EVENT_DOUBTED, LIFE_PROBATION },
	{ LIFE_PROBATION, EVENT_CONTRADICTED, LIFE_RETRACTED },
	{ LIFE_TRUSTED, EVENT_PROVED, LIFE_PROVED },
	{ LIFE_TRUSTED, EVENT_DOUBTED, LIFE_PROBATION },
	{ LIFE_TRUSTED, EVENT_CONTRADICTED, LIFE_RETRACTED },
	{ LIFE_PROVED, EVENT_PROVED, LIFE_PROVED },
	{ LIFE_PROVED, EVENT_DOUBTED, LIFE_DOUBTED },
	{ LIFE_PROVED, EVENT_CONTRADICTED, LIFE_RETRACTED },
	{ LIFE_DOUBTED, EVENT_PROVED, LIFE_PROVED },
	{ LIFE_DOUBTED, EVENT_DOUBTED, LIFE_DOUBTED },
	{ LIFE_DOUBTED, EVENT_CONTRADICTED, LIFE_RETRACTED },
	{ LIFE_RETRACTED, EVENT_DOUBTED, LIFE_RETRACTED },
	{ LIFE_RETRACTED, EVENT_CONTRADICTED, LIFE_RETRACTED },
	{ LIFE_RETRACTED, EVENT_RELEARNT, LIFE_PROBATION },
	{ LIFE_OFF, EVENT_DOUBTED, LIFE_OFF },
	{ LIFE_OFF, EVENT_CONTRADICTED, LIFE_OFF },
};

static void every_event_leads_where_the_table_says_or_is_a_bug(void)
{
	size_t bugs = 0;

	for (size_t i = 0; i < COUNT(legal); i++) {
		struct rule_life life;
		struct rule rule;

		make(legal[i].from, PROBES, &life, &rule);
		rule_transition(&life, &rule, legal[i].event);
		CHECK(life.state == legal[i].to);
		CHECK(rule.state == rule_word(legal[i].to, false));
	}
	for (int s = 0; s < LIFE_STATES; s++)
		for (int e = 0; e < RULE_EVENTS; e++) {
			bool is_legal = false;

			for (size_t i = 0; i < COUNT(legal); i++)
				is_legal |= (int)legal[i].from == s &&
					    (int)legal[i].event == e;
			if (is_legal)
				continue;
			CHECK(aborts((enum rule_life_state)s, (enum rule_event)e));
			bugs++;
		}
	CHECK(bugs + COUNT(legal) == (size_t)LIFE_STATES * RULE_EVENTS);
}

static void only_a_file_switches_a_rule_on_again(void)
{
	struct rule_life life;
	struct rule rule;

	make(LIFE_OFF, 0, &life, &rule);
	rule_obey_file(&life, &rule, RULE_VALID, PROBES, false);
	CHECK(life.state == LIFE_TRUSTED && rule.state == RULE_VALID);
	rule_obey_file(&life, &rule, RULE_DISABLED, PROBES, false);
	CHECK(life.state == LIFE_OFF && rule.state == RULE_DISABLED);
	rule_obey_file(&life, &rule, RULE_RETRACTED, PROBES, false);
	CHECK(life.state == LIFE_RETRACTED);
	assert_rule_life(&life, &rule, PROBES, false);
}

static enum rule_life_state read_as(enum rule_state word, uint64_t probes, uint64_t wrong,
				    bool is_general)
{
	struct rule_life life = { 0 };
	struct rule rule = { .state = word,
			     .evidence = { .probes = probes, .contradictions = wrong } };

	rule_obey_file(&life, &rule, word, PROBES, is_general);
	assert_rule_life(&life, &rule, PROBES, is_general);
	return life.state;
}

static void the_word_in_a_file_and_the_probes_tell_the_state(void)
{
	CHECK(read_as(RULE_VALID, 0, 0, false) == LIFE_TRUSTED);
	CHECK(read_as(RULE_CONFIRMED, 3, 0, false) == LIFE_PROVED);
	CHECK(read_as(RULE_CONFIRMED, 2, 0, false) == LIFE_TRUSTED);
	CHECK(read_as(RULE_CONFIRMED, 3, 1, false) == LIFE_TRUSTED);
	CHECK(read_as(RULE_PROBATION, 2, 0, false) == LIFE_PROBATION);
	CHECK(read_as(RULE_PROBATION, 3, 0, false) == LIFE_DOUBTED);
	CHECK(read_as(RULE_PROBATION, 9, 8, false) == LIFE_PROBATION);
	/* The sites decide of a general rule, whatever else stands in its file. */
	CHECK(read_as(RULE_CONFIRMED, 0, 0, true) == LIFE_PROVED);
	CHECK(read_as(RULE_PROBATION, 9, 0, true) == LIFE_PROBATION);
	CHECK(read_as(RULE_VALID, 9, 0, true) == LIFE_TRUSTED);
}

static void who_is_doubted_has_to_prove_itself_anew(void)
{
	struct rule_life life;
	struct rule rule;

	make(LIFE_PROVED, 5, &life, &rule);
	life.issued = 4;
	life.silent = 2;
	rule_transition(&life, &rule, EVENT_DOUBTED);
	CHECK(life.proofs_before == 5 && life.issued == 0 && life.silent == 0);
	assert_rule_life(&life, &rule, PROBES, false);
	rule.evidence.probes = 7;
	CHECK(!rule_has_proofs(&life, &rule.evidence, PROBES));
	/* Doubted once more it does not begin again: that would never end. */
	rule_transition(&life, &rule, EVENT_DOUBTED);
	CHECK(life.proofs_before == 5);
	rule.evidence.probes = 8;
	CHECK(rule_has_proofs(&life, &rule.evidence, PROBES));
}

static void doubts_and_contradictions_are_no_proofs(void)
{
	struct rule_life life = { .doubts = 2 };
	struct rule_evidence e = { .probes = 6, .contradictions = 1 };

	CHECK(rule_proofs(&life, &e) == 3);
	e.probes = 3;
	CHECK(rule_proofs(&life, &e) == 0);
	e.probes = 2;
	CHECK(rule_proofs(&life, &e) == 0);
}

static void who_comes_back_has_to_prove_twice_as_much(void)
{
	struct rule_life life;
	struct rule rule;

	make(LIFE_RETRACTED, 7, &life, &rule);
	life.doubts = 3;
	life.settled = 4;
	life.issued = 9;
	life.proofs_before = 2;
	rule.evidence.skipped = 99;
	rule_transition(&life, &rule, EVENT_RELEARNT);
	CHECK(life.state == LIFE_PROBATION && life.relearnt == 1);
	CHECK(life.doubts == 0 && life.settled == 0 && life.issued == 0);
	CHECK(life.proofs_before == 0 && rule.evidence.probes == 0);
	CHECK(rule.evidence.skipped == 0);
	CHECK(rule_proofs_wanted(&life, PROBES) == 6);
	rule_transition(&life, &rule, EVENT_CONTRADICTED);
	rule_transition(&life, &rule, EVENT_RELEARNT);
	CHECK(life.relearnt == 2 && rule_proofs_wanted(&life, PROBES) == 12);
}

static void what_is_being_checked_is_written_as_on_probation(void)
{
	CHECK(rule_word(LIFE_PROVED, true) == RULE_PROBATION);
	CHECK(rule_word(LIFE_TRUSTED, true) == RULE_PROBATION);
	CHECK(rule_word(LIFE_RETRACTED, true) == RULE_RETRACTED);
	CHECK(rule_word(LIFE_OFF, true) == RULE_DISABLED);
	CHECK(rule_word(LIFE_PROVED, false) == RULE_CONFIRMED);
}

static void states_fall_into_those_on_trial_believed_and_inactive(void)
{
	for (int i = LIFE_PROBATION; i < LIFE_STATES; i++) {
		enum rule_life_state s = (enum rule_life_state)i;
		struct rule_life life;
		struct rule rule;

		make(s, 0, &life, &rule);
		CHECK(life_is_on_trial(s) == (s == LIFE_PROBATION || s == LIFE_DOUBTED));
		CHECK(life_is_believed(s) == (s == LIFE_TRUSTED || s == LIFE_PROVED));
		CHECK(life_is_active(s) == rule_is_active(&rule));
	}
}

/* Each invariant of the header, broken once. */
static bool is_refused(struct rule_life life, struct rule rule, bool is_general)
{
	int status;

	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(1);
		assert_rule_life(&life, &rule, PROBES, is_general);
		_exit(0);
	}
	return waitpid(child, &status, 0) == child &&
	       !(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void each_broken_invariant_is_found(void)
{
	struct rule_life life;
	struct rule rule;

	make(LIFE_PROVED, 3, &life, &rule);
	CHECK(!is_refused(life, rule, false));
	rule.state = RULE_PROBATION;
	CHECK(is_refused(life, rule, false)); /* 1 */
	CHECK(is_refused((struct rule_life){ 0 }, (struct rule){ 0 }, false));
	make(LIFE_PROBATION, 3, &life, &rule);
	CHECK(is_refused(life, rule, false)); /* 2 */
	make(LIFE_PROVED, 2, &life, &rule);
	CHECK(is_refused(life, rule, false)); /* 3 */
	make(LIFE_DOUBTED, 2, &life, &rule);
	CHECK(is_refused(life, rule, false)); /* 4 */
	make(LIFE_PROBATION, 0, &life, &rule);
	life.relearnt = RULE_RELEARNT_MAX + 1;
	CHECK(is_refused(life, rule, false)); /* 5 */
	make(LIFE_PROBATION, 0, &life, &rule);
	CHECK(!is_refused(life, rule, true));
	life.issued = 1;
	CHECK(is_refused(life, rule, true)); /* 6 */
}

int main(void)
{
	RUN(every_event_leads_where_the_table_says_or_is_a_bug);
	RUN(only_a_file_switches_a_rule_on_again);
	RUN(the_word_in_a_file_and_the_probes_tell_the_state);
	RUN(who_is_doubted_has_to_prove_itself_anew);
	RUN(doubts_and_contradictions_are_no_proofs);
	RUN(who_comes_back_has_to_prove_twice_as_much);
	RUN(what_is_being_checked_is_written_as_on_probation);
	RUN(states_fall_into_those_on_trial_believed_and_inactive);
	RUN(each_broken_invariant_is_found);
	DONE();
}
