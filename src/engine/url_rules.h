/*
 * url_rules.h - the URL rules at work in the loop: which links need not be asked
 * for, because another URL is known to be the same page.
 *
 * Supplies a fact to the decision of a link, and of a URL that is due.  The seen set has
 * every URL under its own name, so that nothing is fetched twice however rules come and
 * go.  A URL that a rule changes is known by its key, too (purpose_identity()); one whose
 * key is known is skipped, with the rule in journal and ledger, but for those that prove
 * or watch the rule.  What was skipped returns when the rule is retracted, or when the
 * URL it was skipped for cannot be fetched.  Owned by the loop thread.
 */
#ifndef ENGINE_URL_RULES_H
#define ENGINE_URL_RULES_H

#include "engine/state.h"
#include "journal/journal.h"
#include "online/online.h"

/* Of what proves a rule: soon, since until it is back the rule is only trusted. */
#define PROBE_PRIORITY 235

/* Before the journal is replayed. */
must_use enum status url_rules_open(struct crawl *c, struct diag *why);

/*
 * What rules say of a link that nobody has found before, as a fact for policy_found().
 * Its key and the texts of the rules are filled in; of a skip `ret_stands_for_it` is the
 * URL of the page that is known.
 */
enum rule_fact url_rules_look(struct crawl *c, struct arena *a, struct discovery *d,
			      struct str *ret_stands_for_it);
/*
 * Whether a rule skips the URL now that its turn has come: much may have been learnt
 * since it was found.  If so it must be dropped, and url_rules_note_skip() be called.
 */
bool url_rules_skip_due(struct crawl *c, const struct fetch_task *t);
/* The lines of that, as if it had been skipped when it was found. */
void url_rules_note_skip(struct crawl *c, const struct frontier_step *s);
/* It is in flight: others of its key need not be fetched. */
void url_rules_sent(struct crawl *c, const struct fetch_task *t);
/* The hash of its key, now; of the URL itself without rules. */
uint64_t url_rules_key(struct crawl *c, struct str url);
/* An answer came, and was judged. */
void url_rules_learn(struct crawl *c, const struct crawl_item *i);
/* Its answer sends to another URL that probably is the same page: that one may be asked
 * in its place.  False when it does not. */
bool url_rules_moved(struct crawl *c, struct crawl_item *i);
/* A queued URL will not be fetched, for this reason. */
void url_rules_dropped(struct crawl *c, struct str url, enum reason reason);
/* A bit of learning, and the return of what was wrongly skipped. */
void url_rules_step(struct crawl *c);
/* What was skipped for a page that never came is offered as one nobody has fetched. */
void url_rules_sweep(struct crawl *c, const struct online_skip *s);
/* Nothing is left to fetch: true when rules still want something to be. */
bool url_rules_settle(struct crawl *c);
must_use enum status url_rules_save(struct crawl *c, struct diag *why);

/* The journal of an earlier process. */
must_use enum status url_rules_restore_link(struct crawl *c,
					    const struct journal_links *page,
					    const struct journal_link *l,
					    struct diag *why);
void url_rules_restore_check(struct crawl *c, const struct journal_link *l);
void url_rules_restore_done(struct crawl *c, const struct journal_done *d);
#endif
