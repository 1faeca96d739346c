#include "focus/ranker.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "policy/priority.h"

/* A queued URL moves when its priority changes by so much: moving costs a write. */
#define MOVE_STEPS 6

void ranker_init(struct ranker *r, const struct focus *f,
		 const struct ranker_options *options)
{
	*r = (struct ranker){ .focus = f,
			      .options = *options,
			      .joint = { .start_ms = options->start_ms } };
	learner_init(&r->learner);
	r->learner.is_frozen = options->is_frozen;
	r->suffixes = xcalloc(1, sizeof(*r->suffixes));
	r->last = xcalloc(MAX(options->window, 1u), 1);
}

void ranker_release(struct ranker *r)
{
	host_quality_release(&r->hosts);
	importance_release(&r->importance);
	joint_release(&r->joint);
	learner_release(&r->learner);
	free(r->suffixes);
	free(r->last);
	free(r->moved);
	*r = (struct ranker){ 0 };
}

/* --- links --- */

static struct str host_of(struct str url)
{
	size_t scheme = str_find(url, STR("://"));
	struct str rest = scheme == STR_NONE ? url : str_skip(url, scheme + 3);

	return str_slice(rest, 0, str_find_char(rest, '/'));
}

static struct str domain_of(struct ranker *r, struct str host)
{
	return suffix_site_cached(r->suffixes,
				  str_slice(host, 0, str_rfind_char(host, ':')));
}

static float aggregate(const struct ranker *r, struct focus_scores *s)
{
	float average = focus_average(r->focus->weights, s);

	return r->options.learns ? learner_score(&r->learner, s, average) : average;
}

static uint8_t priority_of(const struct discovery *d, float score)
{
	return policy_priority(&(struct priority_facts){ .purpose = d->purpose,
							 .depth = d->depth,
							 .penalty = d->penalty,
							 .has_score = true,
							 .score = score });
}

static void note_move(struct ranker *r, const struct discovery *d, float before, size_t k)
{
	int was = priority_of(d, before);

	if (abs(was - d->priority) >= MOVE_STEPS)
		VEC_ADD(r->moved, r->n_moved, r->moved_cap, (uint32_t)k);
}

static void score_link(struct ranker *r, const struct ranker_page *page,
		       struct str from_domain, struct discovery *d, size_t k)
{
	struct str host = host_of(d->url), domain = domain_of(r, host);
	struct focus_scores s;
	float before;

	if (!d->has_score || focus_scores_decode(d->scores, &s) != ST_OK)
		return;
	host_quality_link(&r->hosts, from_domain, domain);
	focus_scores_set(&s, PART_HOST, host_quality_score(&r->hosts, host, domain));
	focus_scores_set(&s, PART_IMPORTANCE,
			 importance_score(&r->importance, d->hash.lo));
	d->score =
		joint_add(&r->joint, d->hash.lo, aggregate(r, &s), page->now_ms, &before);
	d->priority = priority_of(d, d->score);
	char *bytes = arena_alloc(page->bytes, SCORES_BYTES);
	focus_scores_encode(&s, bytes);
	d->scores = (struct str){ bytes, SCORES_BYTES };
	if (before >= 0)
		note_move(r, d, before, k);
}

void ranker_score_links(struct ranker *r, const struct ranker_page *page,
			struct discovery *links, size_t n)
{
	double cash = importance_take(&r->importance, page->key);
	struct str from = domain_of(r, host_of(page->url));

	r->n_moved = 0;
	for (size_t k = 0; k < n; k++)
		importance_give(&r->importance, links[k].hash.lo, cash / (double)n);
	for (size_t k = 0; k < n; k++)
		score_link(r, page, from, &links[k], k);
}

uint8_t ranker_add_outside(struct ranker *r, const struct discovery *d,
			   struct focus_scores *s, float said, int64_t now_ms)
{
	focus_scores_set(s, PART_OUTSIDE, said);
	float score = aggregate(r, s);
	joint_set(&r->joint, d->hash.lo, score, now_ms);
	return priority_of(d, score);
}

uint8_t ranker_priority_again(struct ranker *r, const struct fetch_task *t)
{
	struct str host = host_of(t->url);
	struct focus_scores s;

	if (focus_scores_decode(t->scores, &s) != ST_OK)
		return t->priority;
	focus_scores_set(&s, PART_HOST,
			 host_quality_score(&r->hosts, host, domain_of(r, host)));
	return priority_of(&(struct discovery){ .purpose = t->purpose },
			   aggregate(r, &s));
}

/* --- answers --- */

static void note_last(struct ranker *r, bool counts)
{
	uint32_t window = r->options.window;

	if (window == 0)
		return;
	if (r->last_n == window)
		r->last_relevant -= r->last[r->last_at];
	else
		r->last_n++;
	r->last[r->last_at] = counts;
	r->last_relevant += counts;
	r->last_at = (r->last_at + 1) % window;
}

void ranker_learn(struct ranker *r, const struct ranker_answer *a)
{
	bool is_relevant = a->relevance >= r->options.relevant;
	struct focus_scores s;

	r->pages++;
	r->relevant += is_relevant && a->is_new;
	r->relevance += a->is_new ? (double)a->relevance : 0;
	note_last(r, is_relevant && a->is_new);
	struct str host = host_of(a->url);
	host_quality_learn(&r->hosts, host, domain_of(r, host),
			   a->is_new ? a->relevance : 0);
	if (focus_scores_decode(a->scores, &s) == ST_OK)
		learner_add(&r->learner, &s, is_relevant && a->is_new);
}

void ranker_forget(struct ranker *r, uint64_t key)
{
	joint_remove(&r->joint, key);
}

bool ranker_is_saturated(const struct ranker *r)
{
	return r->options.min_yield > 0 && r->options.window > 0 &&
	       r->last_n == r->options.window &&
	       (float)r->last_relevant < r->options.min_yield * (float)r->options.window;
}
