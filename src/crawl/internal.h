/* internal.h - what the files of the loop share among themselves. */
#ifndef CRAWL_INTERNAL_H
#define CRAWL_INTERNAL_H

#include "crawl/crawl.h"
#include "crawl/harvest.h"

struct worker {
	struct crawl *crawl;
	unsigned nr;
	struct thread thread;
	struct harvest harvest;
	struct encoder encoder;
	struct crawl_item *unpaired; /* its digest waits for that of another page */
};

/* crawl.c: in the middle of something long, what every turn of the loop does.  Signals
 * are heard: the crawl may be stopping afterwards. */
void crawl_breathe(struct crawl *c);

/* workers.c */
must_use enum status workers_start(struct crawl *c, struct diag *why);
void workers_stop(struct crawl *c);

/* A note is handed over when it has so much, or at the end of a turn of the loop. */
#define NOTE_FULL ((size_t)256 * 1024)

/* pool.c: items, and the note that collects lines */
struct crawl_item *crawl_take_item(struct crawl *c);
void crawl_give_item(struct crawl *c, struct crawl_item *i);
/* Its page has come: memory to work on it, until it is given back. */
void crawl_lend_room(struct crawl *c, struct crawl_item *i);
void crawl_release_pool(struct crawl *c);
/* The open note, made when there is none. */
struct crawl_item *crawl_note(struct crawl *c);
void crawl_note_record(struct crawl *c, const struct journal_record *r);
/* Hand the note to the writer. */
void crawl_send_note(struct crawl *c);
void item_add_record(struct crawl_item *i, const struct journal_record *r);

/* types.c: bodies that nobody wants */
bool crawl_wants_body(void *ctx, void *cookie, int status, struct str header);
void crawl_note_refused(struct crawl *c, struct crawl_item *i);

#define REDIRECTS_MAX 5

/* robots_answer.c */
void crawl_robots_fetched(struct crawl *c, struct crawl_item *i);

/* decide.c: what becomes of an answer */
void crawl_fetched(void *ctx, void *cookie, struct fetch_result *r);
/* Worth another attempt: what may be different next time. */
bool crawl_may_pass(int code);
/* What the display adds up; a crawl that goes on counts what was before, too. */
void crawl_count_answer(struct crawl_counts *n, int code, uint64_t wire_bytes);
void crawl_count_verdict(struct crawl_counts *n, const struct verdict *v);
/* Now that there is a connection: may it still be asked? */
bool crawl_may_send(void *ctx, void *cookie);
void crawl_decide(struct crawl *c, struct crawl_item *i);
void crawl_refuse(struct crawl *c, const struct frontier_step *s);
must_use enum status crawl_offer_seeds(struct crawl *c, struct diag *why);
must_use enum status crawl_offer_seed(struct crawl *c, struct str text, struct diag *why);
/* The journal's and the ledger's lines of what was decided. */
void crawl_write_links(struct crawl *c, struct crawl_item *i,
		       const struct frontier_page *page, const struct discovery *links,
		       size_t n, const struct frontier_decision *d);
void crawl_late_links(struct crawl *c);

/* Decide links, by rules and frontier; lines go to `i`. */
must_use enum status crawl_offer(struct crawl *c, struct crawl_item *i,
				 const struct frontier_page *page,
				 struct discovery *links, size_t n, struct diag *why);

/* The lines of what was decided, to journal and ledger. */
void crawl_write_links(struct crawl *c, struct crawl_item *i,
		       const struct frontier_page *page, const struct discovery *links,
		       size_t n, const struct frontier_decision *d);

/* Without the rules. */
must_use enum status crawl_offer_as_is(struct crawl *c, struct crawl_item *i,
				       const struct frontier_page *page,
				       struct discovery *links, size_t n,
				       struct diag *why);

/* replay.c */
/* A link of the journal as it was found. */
struct discovery crawl_link_discovery(const struct journal_links *l,
				      const struct journal_link *k);
must_use enum status crawl_replay(struct crawl *c, struct writer_start *ret_start,
				  struct digests *digests, bool *ret_fresh,
				  struct diag *why);

/*
 * The time by which is waited: the wall clock as it was when the process began, going on
 * evenly.  Somebody who sets the clock back two hours does not stop the crawl for two
 * hours.
 */
static inline int64_t crawl_time_ms(const struct crawl *c)
{
	return c->time_zero_ms + clock_mono_ms(c->clock);
}

/* display.c */
void crawl_show(struct crawl *c, bool last);
/* On demand: the lines of the display, or the status as JSON. */
void crawl_tell_status(struct crawl *c);
void crawl_format_status(struct crawl *c, struct buf *to);

/* ledger.c */
struct ledger_line {
	struct str url, via, stage, rule, detail, key;
	int code;
	int64_t now_ms;
};
void ledger_add(struct buf *to, const struct ledger_line *l);

void crawl_fail(struct crawl *c, enum status st, const struct diag *why);
void crawl_stop(struct crawl *c, enum crawl_end end, const char *why);
#endif
