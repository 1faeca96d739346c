/*
 * ranker.h - the last phase of scoring, by what the whole crawl knows.
 *
 * Workers score links by their page alone.  The ranker adds what hosts were worth so far
 * and how much links lead to a URL, makes one score of all (weighted average, or learnt
 * weights), joins it with what other pages said of the same URL, and learns from what the
 * fetched pages were.  It also sees when a crawl is saturated.  The loop thread's; no
 * clock, no file.
 */
#ifndef FOCUS_RANKER_H
#define FOCUS_RANKER_H

#include "focus/focus.h"
#include "focus/host_quality.h"
#include "focus/importance.h"
#include "focus/joint.h"
#include "focus/learner.h"
#include "url/suffix.h"

struct ranker_options {
	bool learns;     /* weights are learnt, otherwise the average counts */
	bool is_frozen;  /* they are not learnt any more */
	float relevant;  /* from which relevance on a page is relevant */
	float min_yield; /* of the last pages: relevant and new; below it is saturated */
	uint32_t window; /* how many last pages */
	int64_t start_ms;
};

struct ranker {
	const struct focus *focus;
	struct ranker_options options;
	struct host_quality hosts;
	struct importance importance;
	struct joint joint;
	struct learner learner;
	struct suffix_cache *suffixes;
	uint8_t *last; /* ring of the last pages: relevant and new */
	uint32_t last_n, last_at, last_relevant;
	uint32_t
		*moved; /* of the links scored last: those whose score has changed much */
	size_t n_moved, moved_cap;
	uint64_t pages, relevant; /* fetched in all */
	double relevance;         /* their sum */
};

void ranker_init(struct ranker *r, const struct focus *f,
		 const struct ranker_options *options);
void ranker_release(struct ranker *r);

/* The page whose links are offered. */
struct ranker_page {
	struct str url;
	uint64_t key; /* low half of its identity */
	int64_t now_ms;
	struct arena *bytes; /* for the scores of the links */
};

/* Sets score, scores and priority of each link that a worker has scored.  `moved` lists
 * those that waited before with another priority. */
void ranker_score_links(struct ranker *r, const struct ranker_page *page,
			struct discovery *links, size_t n);
/*
 * A module from outside has said so much of a queued URL: its priority by all that is
 * known.  `s` is what the other modules have said, and takes the new value.
 */
uint8_t ranker_add_outside(struct ranker *r, const struct discovery *d,
			   struct focus_scores *s, float said, int64_t now_ms);
/* Of a URL that waited: its priority by what is known now. */
uint8_t ranker_priority_again(struct ranker *r, const struct fetch_task *t);

/* A fetched page: `scores` are those it was queued with (empty for a seed). */
struct ranker_answer {
	struct str url, scores;
	float relevance;
	bool is_new; /* no duplicate */
};
void ranker_learn(struct ranker *r, const struct ranker_answer *a);
/* It left the queue. */
void ranker_forget(struct ranker *r, uint64_t key);
/* Relevant new pages per request have fallen below the bound. */
bool ranker_is_saturated(const struct ranker *r);
#endif
