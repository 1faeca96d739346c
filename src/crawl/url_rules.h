/*
 * url_rules.h - the URL rules at work in the loop: which links need not be asked
 * for, because another URL is known to be the same page.
 *
 * Between the links of a page and the frontier.  The seen set has every URL under its
 * own name, so that nothing is asked twice however rules come and go.  A URL that a
 * rule changes is queued under its key (a name of its own, so that it is never taken
 * for the URL that looks like the key); one whose key is known is skipped, with the
 * rule in journal and ledger, but for those that prove or watch the rule.  What was
 * skipped returns when the rule is retracted, or when the URL it was skipped for
 * cannot be got.  Owned by the loop thread.
 */
#ifndef CRAWL_URL_RULES_H
#define CRAWL_URL_RULES_H

#include "crawl/crawl.h"
#include "crawl/journal.h"
#include "online/online.h"

/* Of what proves a rule: soon, since until it is back the rule is only trusted. */
#define PROBE_PRIORITY 235

/* Before the journal is replayed. */
must_use enum status url_rules_open(struct crawl *c, struct diag *why);

/*
 * Sort the links of a page: those that are known by name are left out, those to
 * offer come first, under their keys; `ret_n` counts them and those that rules skip,
 * which follow, with their decisions.
 */
must_use enum status url_rules_sort(struct crawl *c, struct crawl_item *i,
				    const struct frontier_page *page,
				    struct discovery *links, size_t n,
				    struct frontier_decision *d, size_t *ret_offered,
				    size_t *ret_n, struct diag *why);

/* By which a queued URL is dropped when a rule has come to know its page. */
#define URL_RULES_NAME STR("rules")
/*
 * Whether a rule skips the URL, queued under this key, now that its turn has come: much
 * may have been learnt since it was found.  If so it must be dropped by the above name.
 */
bool url_rules_skip_queued(struct crawl *c, struct u128 key, const struct queued_url *q);
/* The lines of that, as if it had been skipped when it was found. */
void url_rules_note_skip(struct crawl *c, const struct frontier_step *s);
/* The hash of its key, now; of the URL itself without rules. */
uint64_t url_rules_key(struct crawl *c, struct str url);
/* An answer came, and was judged. */
void url_rules_learn(struct crawl *c, const struct crawl_item *i);
/* Its answer sends to another URL that probably is the same page: that one may be asked
 * in its place.  False when it does not. */
bool url_rules_moved(struct crawl *c, struct crawl_item *i);
/* A queued URL will not be asked, by the frontier's rule of this name. */
void url_rules_dropped(struct crawl *c, struct str url, struct str rule);
/* After a step of learning that took so long: how long until the next. */
int64_t url_rules_pause_ns(int64_t spent_ns);
/* A bit of learning, and the return of what was wrongly skipped. */
void url_rules_step(struct crawl *c);
/* What was skipped for a page that never came is offered as one that nobody asked for. */
void url_rules_ask_owed(struct crawl *c, const struct online_skip *s);
/* Nothing is left to ask: true when rules still want something to be. */
bool url_rules_settle(struct crawl *c);
must_use enum status url_rules_save(struct crawl *c, struct diag *why);

/* Whether the line says that what was skipped is asked after all. */
bool url_rules_is_return(const struct journal_link *l);
/* The journal of an earlier process. */
must_use enum status url_rules_restore_link(struct crawl *c,
					    const struct journal_links *page,
					    const struct journal_link *l,
					    struct diag *why);
void url_rules_restore_check(struct crawl *c, const struct journal_link *l);
void url_rules_restore_done(struct crawl *c, const struct journal_done *d);
#endif
