/*
 * focused.h - a crawl that looks for something: the loop's side of focus/.
 *
 * Opens what the settings ask for, hands pages to the ranker, moves queued URLs whose
 * scores change, and restores all of it from the journal.  Without a focus every call
 * does nothing.  The loop thread's.
 */
#ifndef ENGINE_FOCUSED_H
#define ENGINE_FOCUSED_H

#include "engine/state.h"
#include "focus/ranker.h"

struct focused {
	struct focus focus;
	struct ranker ranker;
	struct buf files[2]; /* terms and black list, as read */
};

/* Is it a focused crawl, and is what it asks for sound? */
must_use enum status focused_check(const struct crawl_settings *s, struct diag *why);
/* What the settings want, without a crawl and without a ranker; *ret is NULL when that is
 * nothing. */
must_use enum status focused_new(const struct crawl_settings *s, struct focused **ret,
				 struct diag *why);
void focused_free(struct focused *f);
must_use enum status focused_open(struct crawl *c, struct diag *why);
void focused_release(struct crawl *c);
/* Before the links of a page are decided. */
void focused_score(struct crawl *c, struct crawl_item *i, struct discovery *links,
		   size_t n);
/* After: those that are known and wait may move. */
must_use enum status focused_move(struct crawl *c, const struct crawl_item *i,
				  const struct discovery *links,
				  const struct url_decision *d, struct diag *why);
/* What a page was. */
void focused_learn(struct crawl *c, const struct crawl_item *i);
/* It is due, but promises less than it did, and others more: back into the queue. */
bool focused_postpone(struct crawl *c, const struct frontier_step *s);
/* Replaying. */
void focused_restore(struct crawl *c, const struct journal_done *d);
#endif
