/*
 * campaign.h - what is to be collected: campaign.yaml, or the same as JSON.
 *
 *   name: energy
 *   keywords: [solar, "wind power"]
 *   services:
 *     - mediawiki: {instance: "https://wiki.example.org/w"}
 *     - mastodon: {instance: "https://example.social", interactions: [tag]}
 *   every: 6h
 *   budget: {requests: 5000, items: 100000, time: 1h}
 *
 * Immutable after parsing; owns its memory.
 */
#ifndef API_CAMPAIGN_H
#define API_CAMPAIGN_H

#include "base/option.h"
#include "service/catalog.h"

#define CAMPAIGN_NAME_MAX 64

struct campaign_service {
	const struct api_service *service;
	struct var *params; /* instance and others; empty strings never */
	size_t n_params;
	bool *begins; /* per interaction of the service: it is begun */
};

struct campaign_pair {
	struct str keyword, service;
};

struct campaign {
	struct str name;
	struct str graph; /* IRI of its named graph */
	struct str_list keywords, entities;
	struct campaign_service *services;
	size_t n;
	struct campaign_pair *pairs; /* when there are any: only these */
	size_t n_pairs;
	int64_t start_ms, stop_ms;                     /* wall clock; 0: none */
	uint64_t every_ms;                             /* 0: once */
	uint64_t max_requests, max_items, max_time_ms; /* per run; 0: no limit */
	uint64_t saturation; /* a stream ends after so many pages without new items */
	uint64_t delay_ms;   /* at least, for all services; UINT64_MAX: as they say */
	struct arena arena;
};

void campaign_release(struct campaign *c);
/* Problems of the campaign are in `d`; those of a description it names in `why`. */
must_use enum status campaign_parse(struct api_doc *d, struct catalog *catalog,
				    struct campaign *ret, struct diag *why);
/* Whether this keyword is for this service: all, unless there are pairs. */
bool campaign_wants(const struct campaign *c, struct str keyword,
		    const struct campaign_service *s);
#endif
