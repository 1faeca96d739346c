/*
 * priority.h - how soon a URL is wanted: the queue's priority.
 *
 * One function from what is known of a link to 0 (last) .. 255 (first).  Without a score
 * the way decides: near the seeds first, plain URLs before those with sessions and
 * parameters.  With a score (focus/) the score decides, and the way only between equals.
 * Deliberate requests have priorities of their own.  Pure.
 */
#ifndef POLICY_PRIORITY_H
#define POLICY_PRIORITY_H

#include "record/purpose.h"
#include "url/url.h"

struct priority_facts {
	uint8_t purpose; /* enum purpose: link, embed, redirect, form, guess ... */
	uint32_t depth;
	uint8_t penalty; /* url_penalty() */
	bool has_score;
	float score;   /* 0 to 1 */
	bool in_order; /* all links alike: they are fetched as they were found */
};

/* 0 for a plain URL, up to 60 for one with sessions and parameters. */
uint8_t url_penalty(const struct url *u);
uint8_t policy_priority(const struct priority_facts *f);
#endif
