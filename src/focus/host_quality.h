/*
 * host_quality.h - what came of a host so far: how many of its pages were relevant and
 * new, and how many other domains link to it.
 *
 * An estimate that begins at the mean of all hosts, follows the pages of its domain and
 * then the host's own as they come.  A domain that was tried little has a bonus (an
 * upper confidence bound), or the crawl would stay where it began.  Bounded: past a
 * million hosts or pairs of domains nothing new is noted. The loop thread's.
 */
#ifndef FOCUS_HOST_QUALITY_H
#define FOCUS_HOST_QUALITY_H

#include "base/map.h"
#include "base/str.h"

struct host_quality {
	struct map pages;   /* host, or domain -> pages, and the sum of their relevance */
	struct map pairs;   /* domain that links, domain that is linked */
	struct map degrees; /* domain -> other domains that link to it */
	double sum;         /* of all pages */
	uint64_t n;
};

void host_quality_release(struct host_quality *q);
/* A page of the host was fetched; a duplicate is worth nothing. */
void host_quality_learn(struct host_quality *q, struct str host, struct str domain,
			float relevance);
void host_quality_link(struct host_quality *q, struct str from_domain,
		       struct str to_domain);
/* 0 to 1. */
float host_quality_score(const struct host_quality *q, struct str host,
			 struct str domain);
#endif
