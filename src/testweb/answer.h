/*
 * answer.h - what the server says to a request, and in which (bad) manner.
 *
 * answer_make() decides; deliver.h puts it on the wire.  One answer is reused
 * for all requests, since each is handed over before the next is made.
 */
#ifndef TESTWEB_ANSWER_H
#define TESTWEB_ANSWER_H

#include "base/map.h"
#include "testweb/compress.h"
#include "testweb/trouble.h"
#include "testweb/truth.h"

enum delivery {
	DELIVER_LENGTH,      /* with Content-Length, as it should be */
	DELIVER_CHUNKED,     /* in chunks, as it should be */
	DELIVER_UNTIL_CLOSE, /* without length */
	DELIVER_TRUNCATED,   /* part of it, then closed */
	DELIVER_OVERLONG,    /* more than Content-Length says */
	DELIVER_BAD_LENGTH,  /* Content-Length that is none */
	DELIVER_BAD_CHUNKS,
	DELIVER_RESET,        /* nothing, then reset */
	DELIVER_RESET_WITHIN, /* part of it, then reset */
	DELIVER_DRIP,         /* all of it, slowly */
	DELIVER_TRICKLE,      /* a byte now and then, without end */
	DELIVER_ENDLESS_HEADERS,
	DELIVER_ENDLESS_BODY,
	DELIVER_STALL, /* nothing, for ever */
};

/* What the server remembers between requests; owned by the server. */
struct memory {
	struct map tries;      /* page and trouble -> tries so far */
	uint32_t *requests;    /* by site: for the bursts of 5xx */
	int64_t *allowance_ms; /* by site: when the next request is within the limit */
	uint64_t count;        /* all answers */
	uint64_t delays;       /* all requests that had to wait for theirs */
	struct compressors compressors;
};

struct answer {
	unsigned status;
	struct str type; /* Content-Type */
	struct buf body;
	struct buf packed;      /* the body compressed */
	struct buf fields;      /* further header lines, each with its line end */
	uint8_t coding;         /* enum coding of what is sent */
	uint8_t delivery;       /* enum delivery */
	uint32_t form;          /* which form of the delivery */
	bool close;             /* no further request on this connection */
	int32_t retry_after_ms; /* what was asked for; -1 nothing */
	struct place place;
	struct truth truth;
};

struct asked {
	struct http_request request;
	bool https;
	int64_t now_ms; /* wall clock */
	int64_t mono_ms;
};

void memory_init(struct memory *m, const struct world *w);
void memory_release(struct memory *m);
/* Forget the tries: every passing trouble strikes again. */
void memory_reset(struct memory *m, const struct world *w);

/* How long the host takes before it answers; 0 unless the trouble `latency` is on. */
uint32_t answer_delay_ms(const struct world *w, struct memory *m,
			 const struct asked *asked);
void answer_make(struct world *w, struct memory *m, const struct asked *asked,
		 struct answer *ret);
void answer_release(struct answer *a);
/* Only the page, without trouble: for the manifest and for tests. */
void answer_render(const struct world *w, const struct place *p, struct str host,
		   struct str target, struct buf *to);
#endif
