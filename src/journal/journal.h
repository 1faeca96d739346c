/*
 * journal.h - every decision of a crawl, in order, for ever.
 *
 * The one truth of a crawl's state: seen set, queues, budgets and digests are made
 * again from it.  What is decided of a URL stands behind what it follows from: the page
 * that it was found on, its own earlier decisions, the answers that taught the rule.
 * Records are appended in memory, written in blocks, and become
 * valid with the next commit record, which names how far the archive and the
 * ledger go; whatever stands behind the last commit is cut when a crawl goes on.
 *
 * Plain data with bytes on disk; decoded strings point into the record.  Written
 * by one thread (the writer), read by anybody.
 */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "archive/archive.h"
#include "base/arena.h"
#include "os/segment_log.h"
#include "policy/decide.h"
#include "policy/url_life.h"
#include "record/discovery.h"
#include "record/fetch.h"

enum journal_kind {
	JOURNAL_BEGIN = 1, /* a process began */
	JOURNAL_LINKS,     /* what was decided of the links of a page */
	JOURNAL_LATE,      /* a link that was undecided turned out new */
	JOURNAL_DROPPED,   /* it was queued, but will not be asked */
	JOURNAL_RETRY,     /* an attempt failed; queued again */
	JOURNAL_DONE,      /* it was asked, and this is what came of it */
	JOURNAL_ROBOTS,    /* what a robots.txt means, and until when */
	JOURNAL_COMMIT,
	JOURNAL_END,     /* the process ended in an orderly way */
	JOURNAL_STEERED, /* somebody outside changed the fate of a queued URL */
	JOURNAL_TRACE,   /* events of the loop, see trace.h */
	JOURNAL_SENT,    /* found, and another node's business: a message for it */
	JOURNAL_APPLIED, /* so far the messages of others are applied (cluster/) */
	JOURNAL_KINDS,
};

/* What begins with it; several may. */
enum begin_flag {
	BEGIN_ROUND = 1,       /* a round of visits: all limits count from here */
	BEGIN_RENEW_PAGES = 2, /* these limits were given anew */
	BEGIN_RENEW_BYTES = 4,
	BEGIN_RENEW_TIME = 8,
};

struct journal_begin {
	int64_t now_ms;
	struct str version;  /* of thresh */
	uint64_t scope;      /* hash of what decides the scope; 0: as before */
	uint64_t token;      /* of the lease; 0: as before */
	uint8_t flags;       /* enum begin_flag */
	struct str settings; /* of a process: see settings_format_changed() */
	uint64_t seeds;      /* of a process: so many, the first of crawl.yaml */
};

struct journal_link {
	struct str url;
	struct str key;    /* by URL rules; empty when no rule concerns it */
	struct str rules;  /* which: their texts */
	struct str detail; /* of a skip: the URL that stands for it */
	uint32_t depth;
	uint8_t outcome; /* enum outcome */
	uint8_t purpose; /* enum purpose, of one that is queued */
	uint16_t reason; /* enum reason */
	uint8_t hop, priority, off_hops;
	bool has_score;
	float score;       /* 0 to 1 */
	struct str scores; /* how it was made, see record/discovery.h */
};

struct journal_links {
	struct str via; /* empty for seeds */
	struct str hops, source;
	int64_t now_ms;
	uint8_t off_hops; /* of the page itself */
	uint64_t known;   /* links that were nothing new, and are not listed */
	struct journal_link *v;
	size_t n;
};

struct journal_dropped {
	struct str url, detail;
	struct u128 key;
	int64_t now_ms;
	int code;
	uint8_t purpose; /* for which it was queued */
	uint16_t reason;
};

/* Of a page that was queued for a browser. */
enum journal_rendered {
	RENDERED_NOT, /* it never was */
	RENDERED_DONE,
	RENDERED_FAILED,
	RENDERED_SKIPPED, /* others of its template had brought nothing */
};

struct journal_done {
	struct str url;
	struct u128 key;
	int code;
	struct str error;
	int64_t start_ms;
	uint32_t duration_ms, retry_after_ms;
	uint64_t wire_bytes, body_bytes;
	struct str mime, language, location;
	struct str etag;
	int64_t modified_ms;
	struct str sha1; /* 20 bytes, or empty */
	struct str warc_file, record_id;
	uint64_t warc_offset, warc_length;
	struct str verdict; /* its bytes; empty for none */
	uint32_t links;
	uint8_t purpose, attempt;
	uint8_t new_percent; /* of its text: nowhere on its site before */
	bool novel;          /* no other page says the same */
	uint8_t change;      /* enum change, against the visit before */
	/* the way to it, so that it can be asked again */
	struct str via, hops, source;
	uint32_t depth;
	uint8_t off_hops;
	struct str marks; /* of its paragraphs; see page_marks() */
	/* of a crawl with a focus */
	bool has_relevance;
	float relevance;   /* of the page itself, 0 to 1 */
	struct str scores; /* with which it was queued */
	/* of a crawl with a browser */
	uint8_t need; /* it may be rendered later, as it needs so much; 0: it will not */
	uint8_t rendered;    /* enum journal_rendered */
	struct str evidence; /* for that need, in words */
	uint64_t brought;    /* bytes of text that only the browser had */
};

struct journal_robots {
	struct str origin, reason;
	int status;
	int64_t now_ms, until_ms;
	uint32_t crawl_delay_ms;
};

struct journal_commit {
	int64_t now_ms;
	struct archive_position archive;
	uint64_t ledger_bytes;
	uint64_t pages; /* done so far, for readers in a hurry */
};

struct journal_end {
	int64_t now_ms;
	struct str reason;
};

/* What was done to a URL on demand; what is dropped has a JOURNAL_DROPPED. */
enum steering {
	STEER_READ, /* all demands before `number`, a position of the inbox, are done */
	STEER_MOVE, /* queued with another priority: `number` */
	STEER_HOLD, /* not fetched until it is moved */
	STEER_DEADLINE,  /* dropped unless requested before `number`, a time in ms */
	STEER_BLACKLIST, /* refused, now and later */
	STEER_MODULE,    /* a module's score, of 65535, above its priority: `number` */
	STEERINGS,
};

struct journal_steered {
	uint8_t what; /* enum steering */
	struct str url;
	struct u128 key; /* as it is queued; of STEER_BLACKLIST the hash of the URL */
	uint64_t number;
	int64_t now_ms;
};

struct journal_trace {
	struct str events;
};

struct journal_sent {
	uint32_t partition;
	struct str message; /* cluster/message.h */
};

#define JOURNAL_MARK UINT32_MAX /* no partition: `next` is a number that was reached */

struct journal_applied {
	uint32_t partition;
	uint64_t next;  /* offset of the first message that is not applied */
	uint64_t epoch; /* of the owner that the log named last */
};

struct journal_record {
	enum journal_kind kind;
	union {
		struct journal_begin begin;
		struct journal_links links;
		struct journal_dropped dropped; /* JOURNAL_RETRY too */
		struct journal_done done;
		struct journal_robots robots;
		struct journal_commit commit;
		struct journal_end end;
		struct journal_steered steered;
		struct journal_trace trace;
		struct journal_sent sent;
		struct journal_applied applied;
	};
};

void journal_encode(const struct journal_record *r, struct buf *to);
/*
 * `a` takes the list of links.  ST_CORRUPT when it is not exactly one record.
 * A link's URL lies in `a`, other strings in `in`.
 */
must_use enum status journal_decode(struct str in, struct arena *a,
				    struct journal_record *ret);

extern const struct segment_kind journal_segments;

/*
 * The record at `position`, which segment_log_add() gave; strings in `a`.  ST_NOT_FOUND
 * when there is none, or not yet in the file.
 */
must_use enum status journal_read(const char *dir, uint64_t position, struct arena *a,
				  struct journal_record *ret);

/* Where its redirect leads, as it would be queued, in `a`; empty when nowhere. */
struct str journal_target(const struct journal_done *d, struct arena *a);
/* Half a page: cut off by time or by the server, whenever it was fetched. */
bool journal_is_half(const struct journal_done *d);
/* A link of the journal as it was found. */
struct discovery journal_discovery(const struct journal_links *l,
				   const struct journal_link *k);
/* What the link, or an end, means for the life of its URL (policy/url_life.h). */
enum url_event journal_link_event(const struct journal_link *l);
enum url_event journal_done_event(const struct journal_done *d);

/* Every record of the journal in `dir`, running or not, up to where it is whole or `see`
 * says false. */
must_use enum status journal_each(const char *dir,
				  bool (*see)(void *arg, const struct journal_record *r),
				  void *arg, struct diag *why);

/* The position behind the last commit, and what it says; ST_NOT_FOUND for none. */
must_use enum status journal_last_commit(const char *dir, uint64_t *ret_end,
					 struct journal_commit *ret, struct diag *why);
#endif
