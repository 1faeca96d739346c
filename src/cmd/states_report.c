#include "cmd/states_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "states/choose.h"

static void count_outcomes(const struct model *m, uint64_t ret[DEED_OUTCOMES])
{
	for (size_t i = 0; i < m->deed_count; i++)
		ret[m->deeds[i].outcome]++;
}

#define REASONS_MAX 32 /* told apart; there are about twenty */

struct reason {
	struct str words;
	uint64_t n;
};

static int by_number(const void *a, const void *b)
{
	const struct reason *x = a, *y = b;

	return x->n < y->n ? 1 : x->n > y->n ? -1 : str_cmp(x->words, y->words);
}

/* Why so much was left out, the most frequent first. */
static void print_reasons(const struct model *m, enum deed_outcome outcome)
{
	struct reason all[REASONS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < m->deed_count; i++) {
		const struct deed *d = &m->deeds[i];
		size_t at = 0;

		if (d->outcome != outcome)
			continue;
		while (at < n && !str_eq(all[at].words, d->why))
			at++;
		if (at == n && n < REASONS_MAX)
			all[n++] = (struct reason){ d->why, 0 };
		if (at < n)
			all[at].n++;
	}
	qsort(all, n, sizeof(*all), by_number);
	for (size_t i = 0; i < n; i++)
		printf("  %llu %s: " STR_FMT "\n", (unsigned long long)all[i].n,
		       outcome == DEED_FAILED ? "could not be done"
					      : deed_outcome_name((uint8_t)outcome),
		       STR_ARG(all[i].words));
}

#define PROBLEMS_SHOWN 5

static void print_problems(const struct problems *p)
{
	if (p->n == 0)
		return;
	printf("%zu problems:", p->n);
	for (int k = 0; k < PROBLEM_KINDS; k++)
		if (p->counts[k])
			printf(" %llu %s", (unsigned long long)p->counts[k],
			       problem_kind_name((enum problem_kind)k));
	printf("\n");
	for (size_t i = 0; i < p->n && i < PROBLEMS_SHOWN; i++)
		printf("  state %u, " STR_FMT "\n", p->v[i].state,
		       (int)MIN(p->v[i].text.n, 160), p->v[i].text.p);
}

/* "Everything was tried" only where that is true. */
static const char *words_for_end(const struct crawl_summary *s,
				 const uint64_t outcomes[DEED_OUTCOMES])
{
	static const char *const ends[] = {
		[END_EXHAUSTED] = "everything was tried",
		[END_MAX_STATES] = "the limit of states",
		[END_MAX_TIME] = "the limit of time",
		[END_STOPPED] = "interrupted",
		[END_MAX_EVENTS] = "the limit of events",
		[END_ENOUGH] = "what is left is estimated to bring little",
		[END_ERROR] = "ended early",
	};

	if (s->stats->end == END_EXHAUSTED &&
	    outcomes[DEED_FAILED] + outcomes[DEED_SKIPPED])
		return "nothing is left that is worth trying";
	return ends[s->stats->end];
}

/*
 * 0: complete.  A few controls that something covers are in every application; more than
 * one in twenty, or a state that could not be returned to, is a gap.
 */
int states_exit_code(const struct crawl_summary *s)
{
	uint64_t outcomes[DEED_OUTCOMES] = { 0 };
	bool unreachable = false;

	count_outcomes(s->model, outcomes);
	for (size_t i = 0; i < s->model->state_count; i++)
		unreachable = unreachable || s->model->states[i]->unreachable;
	switch (s->stats->end) {
	case END_STOPPED:
		return EXIT_INTERRUPTED;
	case END_ERROR:
		return EXIT_PARTIAL;
	case END_EXHAUSTED:
	case END_ENOUGH:
		return unreachable || outcomes[DEED_FAILED] > 1 + outcomes[DEED_DONE] / 20
			       ? EXIT_PARTIAL
			       : EXIT_FINE;
	default:
		return EXIT_LIMIT;
	}
}

void states_print_words(const struct crawl_summary *s)
{
	const struct model *m = s->model;
	uint64_t outcomes[DEED_OUTCOMES] = { 0 };

	count_outcomes(m, outcomes);
	printf("%zu states, %zu edges, %zu observations merged; %s\n",
	       m->simulation.kept_count, m->simulation.edge_count,
	       m->state_count - m->simulation.kept_count, words_for_end(s, outcomes));
	printf("%llu events fired, %llu refused, %llu could not be done, %llu left the "
	       "site, %llu skipped\n",
	       (unsigned long long)outcomes[DEED_DONE],
	       (unsigned long long)outcomes[DEED_REFUSED],
	       (unsigned long long)outcomes[DEED_FAILED],
	       (unsigned long long)outcomes[DEED_LEFT],
	       (unsigned long long)outcomes[DEED_SKIPPED]);
	print_reasons(m, DEED_REFUSED);
	print_reasons(m, DEED_FAILED);
	print_reasons(m, DEED_SKIPPED);
	struct species all = choose_species(m);
	printf("about %.0f states in all are to be expected (95 %%: %.0f to %.0f)\n",
	       all.estimate, all.low, all.high);
	print_problems(s->problems);
	if (s->stats->end == END_ERROR)
		printf("ended early: %s\n", s->stats->end_reason.text);
	if (s->stats->start_changed)
		printf("the start page is not what it was when the crawl began\n");
	printf("see " STR_FMT "/overview/index.html\n", STR_ARG(s->dir));
}

static void add_ways(const struct explore_stats *stats, struct json_out *o)
{
	static const char *const names[WAYS] = { "stayed", "history", "edge", "url",
						 "short",  "replay",  "fresh" };

	json_key(o, STR("ways_back"));
	json_open(o, '{');
	for (int i = 0; i < WAYS; i++)
		json_put_uint(o, names[i], stats->ways[i]);
	json_close(o, '}');
}

void states_print_json(const struct crawl_summary *s)
{
	const struct model *m = s->model;
	uint64_t outcomes[DEED_OUTCOMES] = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	count_outcomes(m, outcomes);
	json_open(&o, '{');
	json_put_str(&o, "folder", s->dir);
	json_put_str(&o, "end", str_from(explore_end_name(s->stats->end)));
	json_put_uint(&o, "states", m->simulation.kept_count);
	json_put_uint(&o, "edges", m->simulation.edge_count);
	json_put_uint(&o, "observations", m->state_count);
	struct species all = choose_species(m);
	json_key(&o, STR("states_estimated"));
	json_open(&o, '[');
	json_add_double(&o, round(all.estimate));
	json_add_double(&o, round(all.low));
	json_add_double(&o, round(all.high));
	json_close(&o, ']');
	json_key(&o, STR("events"));
	json_open(&o, '{');
	for (uint8_t i = DEED_DONE; i < DEED_OUTCOMES; i++)
		json_put_uint(&o, deed_outcome_name(i), outcomes[i]);
	json_close(&o, '}');
	json_put_uint(&o, "tabs_replaced", s->stats->tabs_replaced);
	json_put_uint(&o, "browser_restarts", s->stats->restarts);
	if (s->stats->tabs_replaced + s->stats->restarts)
		json_put_str(&o, "last_restart", str_from(s->stats->restart_reason.text));
	json_put_uint(&o, "settled_by_the_real_clock", s->stats->fallbacks);
	json_put_uint(&o, "requests", s->stats->exchanges);
	json_put_uint(&o, "requests_past_the_cap", s->stats->exchanges_skipped);
	json_put_uint(&o, "writes_sent", s->stats->writes_sent);
	json_put_uint(&o, "writes_answered", s->stats->writes_answered);
	json_put_uint(&o, "requests_held_back", s->stats->held_back);
	json_put_uint(&o, "frames_not_seen", s->stats->opaque_frames);
	json_key(&o, STR("problems"));
	json_open(&o, '[');
	for (size_t i = 0; i < s->problems->n; i++) {
		json_open(&o, '{');
		json_put_uint(&o, "state", s->problems->v[i].state);
		json_put_str(&o, "problem", s->problems->v[i].text);
		json_close(&o, '}');
	}
	json_close(&o, ']');
	add_ways(s->stats, &o);
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}
