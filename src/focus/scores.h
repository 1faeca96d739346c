/*
 * scores.h - what each module said of one link, and with which weight it counted.
 *
 * Made by a worker (what the page tells), completed by the loop (what the crawl knows),
 * kept with the link in queue and journal: `why` prints it, the learner learns from it.
 * Values are 0 to 1 in steps of 1/254; a module may have nothing to say.  Plain data with
 * bytes on disk.
 */
#ifndef FOCUS_SCORES_H
#define FOCUS_SCORES_H

#include "base/buf.h"
#include "base/json.h"

/* One per module, text has three; the numbers are the journal's. */
enum focus_part {
	PART_DOCUMENT,    /* terms in the text of the page that links */
	PART_PARAGRAPH,   /* in the paragraph around the link */
	PART_ANCHOR,      /* in its anchor text */
	PART_URL_WORDS,   /* in the words of its URL */
	PART_URL_PATTERN, /* --want-url, --avoid-url */
	PART_APPLICATION, /* what the site's software shows there */
	PART_HOST,        /* what came of its host and domain so far */
	PART_IMPORTANCE,  /* how much links lead to it, see importance.h */
	PART_DEPTH,       /* how near to a seed */
	PART_FRESHNESS,   /* how new the page that links, or the entry of a feed, is */
	PART_POSITION,    /* where on the page: main content, list, navigation ... */
	PART_OUTSIDE,     /* a module of the user's */
	PART_PLAIN,       /* how plain its URL is: no sessions, few parameters */
	PARTS,
};

#define PART_NONE 255u /* nothing was said */

enum focus_method {
	METHOD_AVERAGE,
	METHOD_LEARNT,
	METHODS,
};

struct focus_scores {
	uint8_t method;       /* enum focus_method */
	uint8_t value[PARTS]; /* 0 to 254, or PART_NONE */
	int8_t weight[PARTS]; /* in steps of 1/WEIGHT_STEPS */
	int8_t bias;          /* of the learner, the same */
	uint8_t learnt;       /* how much the learner counts beside the average, of 255 */
	uint8_t explore;      /* added for a place that is little known, of 255 */
	uint32_t arm;         /* host and tag path of the link */
	uint32_t form;        /* host and form of its URL */
};

#define WEIGHT_STEPS 16.0f
#define SCORES_BYTES (1 + 2 * PARTS + 3 + 4 + 4)

/* Nothing said by anybody. */
struct focus_scores focus_scores_none(void);
void focus_scores_set(struct focus_scores *s, enum focus_part part, float value);
static inline bool focus_scores_has(const struct focus_scores *s, enum focus_part part)
{
	return s->value[part] != PART_NONE;
}
static inline float focus_scores_value(const struct focus_scores *s, enum focus_part part)
{
	return (float)s->value[part] / 254.0f;
}
static inline int8_t focus_weight_byte(float weight)
{
	float w = weight * WEIGHT_STEPS;

	return (int8_t)(w > 127.0f ? 127.0f : w < -127.0f ? -127.0f : w);
}

/* `to` has room for SCORES_BYTES. */
void focus_scores_encode(const struct focus_scores *s, char *to);
must_use enum status focus_scores_decode(struct str in, struct focus_scores *ret);

/* PARTS when there is none of this name. */
enum focus_part focus_part_find(struct str name);
/* A row per module: value, weight, contribution; as text for people, or as JSON array. */
void focus_scores_format(const struct focus_scores *s, struct buf *to);
void focus_scores_put(const struct focus_scores *s, struct json_out *o);
#endif
