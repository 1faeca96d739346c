/*
 * item.h - one fetch on its way through the crawl, from task to journal.
 *
 * An item is owned by one thread at a time and handed on through queues:
 *
 *   ITEM_FETCHING   loop    the transfer runs
 *   ITEM_RENDERING  browser its page is shown, where it needs that
 *   ITEM_DIGESTING  worker  body decoded, parsed, sketched; links made absolute
 *   ITEM_JUDGING    writer  is it new?  gets its place in the order
 *   ITEM_DECIDING   loop    its links are decided; its journal lines are made
 *   ITEM_ENCODING   worker  WARC records compressed
 *   ITEM_WRITING    writer  archive, lists, journal, in the order of judging
 *
 * Items are used again: their buffers have grown to what pages need.  Most items wait
 * for a server.  What a page needs once it is there is lent to them by then
 * (`struct item_room`), so that there are as many of it as pages are worked on.
 */
#ifndef PIPELINE_ITEM_H
#define PIPELINE_ITEM_H

#include "apps/seen_text.h"
#include "archive/capture.h"
#include "frontier/frontier.h"
#include "journal/journal.h"
#include "os/queue.h"
#include "policy/recrawl.h"
#include "record/page.h"
#include "record/rendering.h"
#include "record/verdict.h"
#include "warc/stored_head.h"

struct site_answer;

enum item_stage {
	ITEM_FETCHING,
	ITEM_RENDERING, /* in a browser */
	ITEM_DIGESTING,
	ITEM_JUDGING,
	ITEM_DECIDING,
	ITEM_ENCODING,
	ITEM_WRITING,
	ITEM_LINES, /* no fetch: only journal and ledger lines to write */
};

struct crawl_item {
	uint8_t stage; /* enum item_stage */
	struct arena arena;
	struct buf body;    /* as received */
	struct buf decoded; /* without Content-Encoding */
	struct frontier_step step;
	struct fetch_result result;
	uint64_t request; /* its number, in the order of sending */
	unsigned robots_redirects;
	uint32_t round;             /* which visit of the crawl: 1 for the first */
	struct str refused_by;      /* the rule that did not want its body */
	bool no_guesses;            /* those of its site have turned out junk */
	uint32_t app_remembered;    /* application of its server so far (apps/) */
	struct journal_done before; /* of a revisit: the visit that stored it */
	bool has_before;
	bool has_room;       /* lent to it */
	uint8_t render_from; /* enum render_need: so much need, and it is rendered */
	uint8_t render_hold; /* with less, it waits for what others of its kind bring */
	struct rendering *rendering; /* what a browser made of it; NULL: none did */

	/* from the digesting worker */
	struct stored_head head;
	struct str mime, content_type, location, etag;
	struct str
		canonical; /* what the page says its URL is, absolute; empty for none */
	int64_t modified_ms;
	uint32_t retry_after_ms;
	struct page page;
	bool has_page;
	uint8_t need;          /* of a browser: enum render_need */
	bool needs_browser;    /* it will be rendered: as it is it tells little */
	struct str need_words; /* the evidence */
	bool awaits_trial;     /* it may be rendered later */
	size_t brought;        /* bytes of text that only the browser had */
	bool follow;           /* the links may be followed */
	uint32_t app;     /* the application that made it, a number of the library's */
	bool app_certain; /* by the page itself, not by its server */
	struct text_sample said; /* of its text, if its application is known */
	struct str app_name;     /* as people write it; or empty */
	struct str objects, app_page, augmented; /* see app_output.h; or empty */
	struct site_answer
		*api; /* of a request to its site's API; NULL: none could be read */
	struct discovery *links;
	size_t n_links;
	const struct link **origins; /* where on the page each stood; NULL: in the head */
	struct str fields, outlinks; /* for its metadata records: lines; JSON, or empty */
	struct str robots_line, content_signal; /* of its site's robots.txt; or empty */
	float relevance; /* of the page, 0 to 1, in a crawl with a focus */
	bool has_relevance;
	struct buf facts; /* what it taught, for the knowledge base */
	uint8_t sha1[SHA1_BYTES];
	bool has_sha1;
	uint8_t block_sha1[SHA1_BYTES]; /* of the whole response */
	bool has_block_sha1;
	unsigned worker;

	/* from judging */
	uint64_t content; /* the same for pages that say the same; 0 when unknown */
	uint64_t seq; /* of a batch of lines: of the first page that stands behind it */
	struct verdict verdict; /* strings in the arena */
	bool has_verdict;
	bool novel;           /* no other page says the same */
	unsigned new_percent; /* of its text was nowhere on its site before */
	struct str marks;     /* see page_marks() */
	struct str like;      /* URL of the page that it is, or nearly is */
	enum change change;   /* of a revisit */
	enum capture_form form;
	struct capture_origin origin;

	/* of a batch of lines */
	bool commit; /* all that was before it is to be on disk when it comes back */

	/* from deciding */
	struct buf journal; /* whole records, sized, to be appended before `done` */
	struct buf ledger;  /* lines */
	struct buf record;  /* the one being encoded */
	uint32_t links_new;
	size_t pages_new; /* of them: no pictures, scripts, guesses */

	/* from writing */
	uint64_t position; /* of its `done` record in the journal */
	bool written;

	/* from encoding */
	struct capture capture;
	enum status st;
	struct diag why;

	struct crawl_item *next; /* in the pool, or in the writer's list of batches */
};

/* Memory for a page that is worked on. */
struct item_room {
	struct arena arena;
	struct buf decoded, journal, ledger, facts, record;
	struct capture capture;
};

#define ITEM_BATCH 16

struct crawl_item *item_new(void);
/* Ready for the next fetch; buffers keep their memory up to a bound. */
/* Of a rendered page: bytes of text that neither it nor its site had without a browser.
 */
size_t item_brought(const struct crawl_item *i);
void item_reset(struct crawl_item *i);
void item_free(struct crawl_item *i);
/* Its own buffers are empty; the arena is not. */
void item_lend(struct crawl_item *i, struct item_room *room);
/* After item_reset(), or before the end; of the item only the body is left. */
struct item_room item_take_room(struct crawl_item *i);
void item_room_release(struct item_room *room);

/*
 * Items that go to their next stage together: each wake-up of a sleeping thread costs
 * as much as parsing half a page, so a few share one.  One thread fills it.
 */
struct item_batch {
	struct queue *to;
	void *v[ITEM_BATCH];
	size_t n;
};

/* Full, it goes by itself. */
void item_batch_add(struct item_batch *b, struct crawl_item *i);
/* Before the thread sleeps.  Items that a closed queue refuses are freed. */
void item_batch_send(struct item_batch *b);
#endif
