/*
 * fact_message.h - what a page taught, as bytes on the bus, between the writer and the
 * knowledge base.
 *
 * A worker makes the body (links and objects, before rules touch the links) and the
 * head (what judging and encoding added); the writer puts the number of the item before
 * them.  Markers say up to which number the journal is committed.  Pure.
 */
#ifndef PIPELINE_FACT_MESSAGE_H
#define PIPELINE_FACT_MESSAGE_H

#include "base/arena.h"
#include "base/buf.h"
#include "kb/facts.h"

struct crawl_item;

enum fact_kind {
	FACT_PAGE = 1,
	FACT_RULE,
	FACT_COMMITTED, /* everything up to `number` stands */
	FACT_BEGUN,     /* a process began: what is above `number` never happened */
};

struct fact_message {
	uint8_t kind;    /* enum fact_kind */
	uint64_t number; /* of the item */
	uint32_t round;  /* which visit of the crawl: 1 for the first */
	struct fact_page page;
	struct fact_object *objects;
	size_t n_objects;
	struct fact_rule rule;
};

void fact_body_add(const struct crawl_item *i, struct buf *to);
void fact_head_add(const struct crawl_item *i, struct buf *to);
void fact_rule_add(const struct fact_rule *r, uint32_t round, struct buf *to);
/* The writer's part of a message, before the others. */
void fact_number_add(enum fact_kind kind, uint64_t number, struct buf *to);
/* Lists in `a`, strings in `in`.  ST_CORRUPT when it is not exactly one. */
must_use enum status fact_message_decode(struct str in, struct arena *a,
					 struct fact_message *ret);
/* A URL as RDF may write it: what an IRI may not hold is percent-encoded, in `a`. */
struct str iri_of_url(struct str url, struct arena *a);
#endif
