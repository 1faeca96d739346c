#include "cmd/states_report.h"

#include <stdio.h>
#include <stdlib.h>

static void count_outcomes(const struct model *m, uint64_t ret[DEED_LEFT + 1])
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
static void print_reasons(const struct model *m)
{
	struct reason all[REASONS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < m->deed_count; i++) {
		const struct deed *d = &m->deeds[i];
		size_t at = 0;

		if (d->outcome != DEED_REFUSED)
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
		printf("  %llu refused: " STR_FMT "\n", (unsigned long long)all[i].n,
		       STR_ARG(all[i].words));
}

void states_print_words(const struct crawl_summary *s)
{
	static const char *const ends[] = { "everything was tried", "the limit of states",
					    "the limit of time or events",
					    "interrupted" };
	const struct model *m = s->model;
	uint64_t outcomes[DEED_LEFT + 1] = { 0 };

	count_outcomes(m, outcomes);
	printf("%zu states, %zu edges, %zu observations merged; %s\n",
	       m->simulation.kept_count, m->simulation.edge_count,
	       m->state_count - m->simulation.kept_count, ends[s->stats->end]);
	printf("%llu events fired, %llu refused, %llu could not be done, %llu left the "
	       "site\n",
	       (unsigned long long)outcomes[DEED_DONE],
	       (unsigned long long)outcomes[DEED_REFUSED],
	       (unsigned long long)outcomes[DEED_FAILED],
	       (unsigned long long)outcomes[DEED_LEFT]);
	print_reasons(m);
	printf("see " STR_FMT "/overview/index.html\n", STR_ARG(s->dir));
}

static void add_ways(const struct explore_stats *stats, struct json_out *o)
{
	static const char *const names[WAYS] = { "stayed", "history", "edge",
						 "url",    "replay",  "fresh" };

	json_key(o, STR("ways_back"));
	json_open(o, '{');
	for (int i = 0; i < WAYS; i++)
		json_put_uint(o, names[i], stats->ways[i]);
	json_close(o, '}');
}

void states_print_json(const struct crawl_summary *s)
{
	const struct model *m = s->model;
	uint64_t outcomes[DEED_LEFT + 1] = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	count_outcomes(m, outcomes);
	json_open(&o, '{');
	json_put_str(&o, "folder", s->dir);
	json_put_str(&o, "end", str_from(explore_end_name(s->stats->end)));
	json_put_uint(&o, "states", m->simulation.kept_count);
	json_put_uint(&o, "edges", m->simulation.edge_count);
	json_put_uint(&o, "observations", m->state_count);
	json_key(&o, STR("events"));
	json_open(&o, '{');
	for (uint8_t i = DEED_DONE; i <= DEED_LEFT; i++)
		json_put_uint(&o, deed_outcome_name(i), outcomes[i]);
	json_close(&o, '}');
	json_put_uint(&o, "tabs_replaced", s->stats->tabs_replaced);
	json_put_uint(&o, "browser_restarts", s->stats->restarts);
	if (s->stats->tabs_replaced + s->stats->restarts)
		json_put_str(&o, "last_restart", str_from(s->stats->restart_reason.text));
	json_put_uint(&o, "settled_by_the_real_clock", s->stats->fallbacks);
	json_put_uint(&o, "requests", s->stats->exchanges);
	json_put_uint(&o, "requests_past_the_cap", s->stats->exchanges_skipped);
	json_put_uint(&o, "frames_not_seen", s->stats->opaque_frames);
	add_ways(s->stats, &o);
	json_close(&o, '}');
	printf(STR_FMT "\n", STR_ARG(buf_str(&b)));
}
