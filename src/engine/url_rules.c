#include "engine/url_rules.h"

#include <string.h>

#include "base/alloc.h"
#include "engine/offer.h"
#include "engine/steps.h"
#include "online/online.h"
#include "os/log.h"
#include "writer/judge.h"

static char *folder(struct crawl *c, struct arena *a)
{
	return path_join(a, c->dir, STR("rules"));
}

enum status url_rules_open(struct crawl *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct online_options o = online_defaults;

	if (!c->settings->rules)
		return ST_OK;
	o.seed = c->settings->random_seed;
	o.shipped = c->settings->shipped_rules;
	o.min_freq = (unsigned)c->settings->rules_min_freq;
	o.explore = c->settings->rules_explore;
	o.fpr_max = c->settings->rules_error;
	c->rules = dust_online_new(&o);
	TRY(dust_online_keep_skips_in(c->rules, path_join(&a, c->dir, STR("state/skips")),
				      why));
	return dust_online_load(c->rules, folder(c, &a), why);
}

/* All rules that it takes: each of them alone may be the one that is wrong. */
static struct str rule_names(struct crawl *c, struct arena *a, const struct online_key *k)
{
	cleanup(buf_release) struct buf names = { 0 };

	dust_online_put_rules(c->rules, k, &names);
	return arena_copy(a, buf_str(&names));
}

/*
 * Is a page fetched or queued under this key, as far as the seen set can tell at once?
 * By the name of the URL that is the key, or by the key of another one.
 */
static bool key_is_known(struct crawl *c, struct str url, struct str key)
{
	const struct seen *seen = &c->frontier.seen;

	return (!str_eq(url, key) && seen_peek(seen, hash128(key)) == SEEN_KNOWN) ||
	       seen_peek(seen, purpose_identity(PURPOSE_LINK, STR(""), key)) ==
		       SEEN_KNOWN;
}

/*
 * A redirect between two URLs of one key: only the first has been asked, and it has
 * no page.  `k` is the target's, and is kept.
 */
static bool is_page_of_redirect(struct crawl *c, struct arena *a,
				const struct discovery *d, struct online_key *k)
{
	struct online_key from;

	if (d->hop != HOP_REDIRECT ||
	    (k->representative.n > 0 && !str_eq(k->representative, d->via)))
		return false;
	k->key = arena_copy(a, k->key);
	k->representative = arena_copy(a, k->representative);
	dust_online_key(c->rules, d->via, &from);
	return str_eq(from.key, k->key);
}

/* Nothing is known of its page but that another URL of it brought none. */
static bool replaces(struct crawl *c, struct arena *a, const struct discovery *d,
		     struct online_key *k)
{
	if (is_page_of_redirect(c, a, d, k))
		return true;
	if (k->representative.n > 0 || !failed_has(&c->failed, k->key))
		return false;
	failed_forget(&c->failed, k->key);
	return true;
}

static enum rule_fact fact_of(enum online_decision decision)
{
	switch (decision) {
	case ONLINE_SKIP:
		return RULE_FACT_SKIP;
	case ONLINE_PROBE:
		return RULE_FACT_PROBE;
	case ONLINE_EXPLORE:
		return RULE_FACT_EXPLORE;
	case ONLINE_NEW:
	case ONLINE_SEEN: /* by a claim of the site's: nobody has fetched it */
		break;
	}
	return RULE_FACT_NEW;
}

enum rule_fact url_rules_look(struct crawl *c, struct arena *a, struct discovery *d,
			      struct str *ret_stands_for_it)
{
	enum rule_fact fact = RULE_FACT_REPLACE;
	struct online_key k;

	dust_online_key(c->rules, d->url, &k);
	if (k.n_rules == 0)
		return RULE_FACT_NONE;
	d->rule = rule_names(c, a, &k);
	k.via = d->via;
	k.depth = d->depth;
	if (!replaces(c, a, d, &k))
		fact = fact_of(dust_online_decide(c->rules, d->url, &k,
						  key_is_known(c, d->url, k.key)));
	/* Where pages are chosen, a probe waits for its turn as they do. */
	if (fact == RULE_FACT_PROBE && !c->focused)
		d->priority = PROBE_PRIORITY;
	if (fact == RULE_FACT_SKIP || fact == RULE_FACT_NEW)
		d->key = arena_copy(a, k.key);
	if (fact == RULE_FACT_SKIP)
		*ret_stands_for_it = arena_copy(a, k.representative);
	else
		dust_online_queued(c->rules, d->url);
	return fact;
}

/* The lines of a skip of a single URL. */
static void note_skip(struct crawl *c, struct crawl_item *to, struct discovery *d,
		      const struct online_key *k)
{
	d->rule = rule_names(c, &to->arena, k);
	d->key = arena_copy(&to->arena, k->key);
	crawl_write_links(c, to, &(struct frontier_page){ 0 }, d, 1,
			  &(struct url_decision){
				  .outcome = OUTCOME_SKIPPED,
				  .reason = REASON_URL_RULE,
				  .rules = d->rule,
				  .detail = arena_copy(&to->arena, k->representative) });
}

/* --- when its turn has come --- */

bool url_rules_skip_due(struct crawl *c, const struct fetch_task *t)
{
	struct online_key k;

	if (!c->rules || !purpose_table[t->purpose].may_be_skipped || t->attempt > 0)
		return false;
	dust_online_key(c->rules, t->url, &k);
	k.via = t->via;
	k.depth = t->depth;
	if (k.n_rules == 0 || k.representative.n == 0 ||
	    dust_online_decide(c->rules, t->url, &k, false) != ONLINE_SKIP)
		return false;
	dust_online_unqueued(c->rules, t->url);
	return true;
}

void url_rules_sent(struct crawl *c, const struct fetch_task *t)
{
	if (c->rules && purpose_is_page(t->purpose) && t->attempt == 0)
		dust_online_queued(c->rules, t->url);
}

void url_rules_note_skip(struct crawl *c, const struct frontier_step *s)
{
	struct crawl_item *to = journal_batch(c);
	struct discovery d = { .url = s->task.url,
			       .via = s->task.via,
			       .depth = s->task.depth,
			       .hop = HOP_LINK,
			       .priority = s->task.priority };
	struct online_key k;

	dust_online_key(c->rules, d.url, &k);
	note_skip(c, to, &d, &k);
}

uint64_t url_rules_key(struct crawl *c, struct str url)
{
	struct online_key k = { .key = url };

	if (c->rules)
		dust_online_key(c->rules, url, &k);
	return hash64(k.key);
}

static bool is_failure(int code)
{
	return code < 200 || code >= 400;
}

/* Of a failure, or of half a page. */
static enum online_failure cause_of(int code)
{
	return code >= 400 && !answer_may_pass(code) ? ONLINE_ABSENT : ONLINE_PASSING;
}

/* Less than that may be the same on many pages. */
#define MAIN_BYTES_MIN 200
/* Seconds; a page that shows for longer is meant to be read. */
#define REFRESH_AT_ONCE 2

static void see_text(const struct page *p, struct likeness *ret)
{
	uint64_t main = 0;

	for (size_t b = 0; b < p->n_blocks; b++) {
		likeness_add(ret, p->blocks[b].hash, p->blocks[b].text.n);
		if (!p->blocks[b].is_boilerplate)
			likeness_add_content(ret, p->blocks[b].text);
		if (p->blocks[b].is_main)
			main = hash_mix(main ^ p->blocks[b].hash);
	}
	ret->main = p->main_bytes >= MAIN_BYTES_MIN ? main : 0;
}

/* Where an answer sends its reader at once; empty when it is a page of its own. */
static struct str redirect_target(const struct crawl_item *i)
{
	bool by_code = i->result.code >= 300 && i->result.code < 400;

	if (!by_code &&
	    (i->result.code != 200 || !i->has_page || i->page.refresh.n == 0 ||
	     i->page.refresh_seconds > REFRESH_AT_ONCE))
		return STR("");
	for (size_t l = 0; l < i->n_links; l++)
		if (i->links[l].hop == HOP_REDIRECT &&
		    !str_eq(i->links[l].url, i->step.task.url))
			return i->links[l].url;
	return STR("");
}

/*
 * Half a page: it may come whole under another URL.  One that is too long is cut under
 * all of them; it stands for the others, but is compared with none.
 */
static bool is_cut_off(const struct crawl_item *i)
{
	return i->result.truncated != TRUNCATED_NOT &&
	       i->result.truncated != TRUNCATED_LENGTH;
}

/* A page that contradicts rules was asked once more. */
static void learn_check(struct crawl *c, const struct crawl_item *i)
{
	struct likeness like = { 0 };

	if (i->result.code == 200 && i->has_page && redirect_target(i).n == 0 &&
	    i->result.truncated == TRUNCATED_NOT)
		see_text(&i->page, &like);
	dust_online_checked(c->rules, i->step.task.url, &like);
}

void url_rules_learn(struct crawl *c, const struct crawl_item *i)
{
	const struct fetch_task *t = &i->step.task;
	struct likeness like = { 0 };

	if (!c->rules)
		return;
	if (t->purpose == PURPOSE_CHECK)
		learn_check(c, i);
	/* Fetched again a page differs from itself: that says nothing of rules. */
	if (!purpose_is_page(t->purpose) && t->purpose != PURPOSE_BROWSER)
		return;
	dust_online_answered(c->rules, t->url);
	if (is_failure(i->result.code) || is_cut_off(i))
		dust_online_failed(c->rules, t->url, cause_of(i->result.code));
	struct str target = redirect_target(i);
	if (target.n > 0)
		dust_online_moved(c->rules, t->url, target);
	if (i->result.code != 200 || i->content == 0 || target.n > 0 ||
	    i->result.truncated != TRUNCATED_NOT)
		return;
	see_text(&i->page, &like);
	dust_online_page(c->rules, t->url, i->content, &like);
	if (i->canonical.n > 0 && !str_eq(i->canonical, t->url))
		dust_online_same(c->rules, t->url, i->canonical);
}

bool url_rules_moved(struct crawl *c, struct crawl_item *i)
{
	struct str target = redirect_target(i);
	struct diag why;

	if (target.n == 0 || !frontier_moved(&c->frontier, i->step.task.url, target))
		return false;
	struct u128 own = hash128(target);
	for (enum purpose p = 0; p < PURPOSES; p++) {
		struct u128 name = purpose_identity(p, target, target);

		if (!purpose_is_page(p) || (p != PURPOSE_LINK && u128_eq(name, own)))
			continue;
		enum status st = frontier_release_held(&c->frontier, target, name, &why);
		if (st != ST_OK)
			crawl_fail(c, st, &why);
	}
	return true;
}

void url_rules_dropped(struct crawl *c, struct str url, enum reason reason)
{
	if (!c->rules)
		return;
	/* Others of its key would be dropped for the same: the final sweep sees to it. */
	if (reason == REASON_TEMPLATE || reason == REASON_API_OBJECT)
		dust_online_unqueued(c->rules, url);
	else
		dust_online_failed(c->rules, url, ONLINE_NOT_REQUESTED);
}

/* --- what returns --- */

static struct discovery offered_again(struct crawl_item *to, const struct online_skip *s)
{
	struct str url = arena_copy(&to->arena, s->url);

	return (struct discovery){ .url = url,
				   .key = url,
				   .via = arena_copy(&to->arena, s->via),
				   .depth = s->depth,
				   .hop = HOP_INFERRED,
				   .priority = 150 };
}

static void offer_again(struct crawl *c, struct crawl_item *to, struct discovery *d,
			enum purpose purpose)
{
	struct diag why;

	d->purpose = (uint8_t)purpose;
	d->hash = purpose_identity(purpose, d->url, d->key);
	dust_online_queued(c->rules, d->url);
	enum status st = crawl_offer(c, to, &(struct frontier_page){ 0 }, d, 1, &why);

	if (st != ST_OK)
		crawl_fail(c, st, &why);
}

/* Decided anew, but for the rule that is gone or the URL that cannot be got. */
static void take_back(struct crawl *c, const struct online_return *r,
		      const struct online_skip *s)
{
	struct crawl_item *to = journal_batch(c);
	struct discovery d = offered_again(to, s);
	struct online_key k;

	c->counts.rule_skips--;
	dust_online_key(c->rules, d.url, &k);
	bool known = k.n_rules > 0 && !str_eq(r->failed, k.key) &&
		     !str_eq(d.url, k.key) &&
		     seen_peek(&c->frontier.seen, hash128(k.key)) == SEEN_KNOWN;
	enum online_decision decision = ONLINE_NEW;
	k.via = d.via;
	k.depth = d.depth;
	if (k.n_rules > 0)
		decision = dust_online_decide(c->rules, d.url, &k, known);
	if (decision == ONLINE_SKIP) { /* by another rule, or for another URL */
		note_skip(c, to, &d, &k);
		return;
	}
	if (decision == ONLINE_PROBE && !c->focused)
		d.priority = PROBE_PRIORITY;
	offer_again(c, to, &d,
		    decision == ONLINE_PROBE ? PURPOSE_RETURN_PROBE : PURPOSE_RETURN);
}

static void take_all_back(struct crawl *c, const struct online_return *r)
{
	if (r->rule != UINT32_MAX && r->n > 0)
		log_event(LOG_DEBUG, "rule", "%s: " STR_FMT "; %zu URLs come back",
			  r->unproved ? "not proved yet" : "retracted",
			  STR_ARG(dust_online_rules(c->rules)->v[r->rule].text), r->n);
	for (size_t k = 0; k < r->n; k++)
		take_back(c, r, &r->urls[k]);
}

void url_rules_sweep(struct crawl *c, const struct online_skip *s)
{
	struct crawl_item *to = journal_batch(c);
	struct discovery d = offered_again(to, s);

	c->counts.rule_skips--;
	frontier_forget_page(&c->frontier, d.url);
	offer_again(c, to, &d, PURPOSE_FINAL_SWEEP);
}

/* Fetched once more, whatever scope and the seen set say; only to compare. */
static void fetch_again(struct crawl *c, struct str text)
{
	struct crawl_item *to = journal_batch(c);
	struct str url = arena_copy(&to->arena, text);
	struct discovery d = { .url = url,
			       .key = url,
			       .hash = purpose_identity(PURPOSE_CHECK, url, url),
			       .via = url,
			       .hop = HOP_INFERRED,
			       .priority = PROBE_PRIORITY,
			       .purpose = PURPOSE_CHECK };
	cleanup(buf_release) struct buf rules = { 0 };
	struct diag why;

	dust_online_check_rules(c->rules, d.url, &rules);
	d.rule = arena_copy(&to->arena, buf_str(&rules));
	enum status st = crawl_queue_anyway(c, to, &(struct frontier_page){ 0 }, &d,
					    REASON_CHECK, STR(""), &why);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
}

static bool ask_checks(struct crawl *c)
{
	struct str url;
	bool any = false;

	for (; dust_online_next_check(c->rules, &url); any = true)
		fetch_again(c, url);
	return any;
}

/*
 * Learning keeps pace with the answers, not with the clock, so that the same answers
 * teach the same: each earns so many pages of learning, and a step costs as many as its
 * site has.
 */
#define EARNED_PER_ANSWER 8
#define EARNED_MOST       8192

void url_rules_step(struct crawl *c)
{
	struct online_return r;

	if (!c->rules || c->decided == c->learnt)
		return;
	crawl_event_kind(c, TRACE_LEARN);
	c->learning_credit += (int64_t)(c->decided - c->learnt) * EARNED_PER_ANSWER;
	c->learning_credit = MIN(c->learning_credit, (int64_t)EARNED_MOST);
	c->learnt = c->decided;
	while (c->learning_credit > 0 && dust_online_step(c->rules))
		c->learning_credit -= (int64_t)dust_online_step_cost(c->rules);
	while (dust_online_next_return(c->rules, &r))
		take_all_back(c, &r);
	ask_checks(c);
}

bool url_rules_settle(struct crawl *c)
{
	struct online_return r;
	bool any = false;

	if (!c->rules)
		return false;
	/* Learning is over when nothing comes any more. */
	while (dust_online_step(c->rules))
		;
	dust_online_idle(c->rules);
	any = ask_checks(c);
	while (dust_online_next_return(c->rules, &r)) {
		any |= r.n > 0;
		take_all_back(c, &r);
	}
	/* All rules at once: a round takes as long as its slowest answer. */
	bool settling = !any;
	for (size_t at = 0; settling && dust_online_settle(c->rules, &at, &r);) {
		any |= r.n > 0;
		take_all_back(c, &r);
	}
	return any;
}

enum status url_rules_save(struct crawl *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	if (!c->rules)
		return ST_OK;
	TRY(dir_make(folder(c, &a), why));
	return dust_online_save(c->rules, folder(c, &a), why);
}

/* --- the journal of an earlier process --- */

/* Whether rules had a say in it. */
static bool is_concerned(const struct journal_link *l)
{
	return l->key.n > 0 || l->outcome == OUTCOME_SKIPPED ||
	       purpose_table[l->purpose].was_skipped;
}

enum status url_rules_restore_link(struct crawl *c, const struct journal_links *page,
				   const struct journal_link *l, struct diag *why)
{
	struct online_skip skip = { l->url, page->via, l->depth };
	struct str key = l->key.n > 0 ? l->key : l->url;

	if (l->outcome == OUTCOME_REFUSED || !is_concerned(l))
		return ST_OK;
	/* A URL under a rule's key is known by its own name, too. */
	TRY(frontier_restore_known(&c->frontier, hash128(l->url), why));
	if (!c->rules)
		return ST_OK;
	if (l->outcome == OUTCOME_SKIPPED) {
		c->counts.rule_skips++;
		dust_online_restore_skip(c->rules, &skip, key, l->rules);
		return ST_OK;
	}
	if (purpose_table[l->purpose].was_skipped) {
		c->counts.rule_skips--;
		dust_online_restore_return(c->rules, l->url);
	}
	dust_online_queued(c->rules, l->url);
	return ST_OK;
}

void url_rules_restore_check(struct crawl *c, const struct journal_link *l)
{
	if (c->rules && l->purpose == PURPOSE_CHECK)
		dust_online_restore_check(c->rules, l->url, l->rules);
}

void url_rules_restore_done(struct crawl *c, const struct journal_done *d)
{
	struct verdict v;

	if (c->rules && d->purpose == PURPOSE_CHECK)
		dust_online_restore_checked(c->rules, d->url);
	/* A redirect is no page either; where to is not told here. */
	if (c->rules && purpose_is_page(d->purpose) && (d->code < 200 || d->code >= 300))
		dust_online_failed(c->rules, d->url,
				   d->code >= 300 && d->code < 400 ? ONLINE_MOVED
								   : cause_of(d->code));
	if (!c->rules || d->code != 200 || d->verdict.n == 0 ||
	    verdict_decode(d->verdict, &v) != ST_OK)
		return;
	uint64_t content = verdict_content(&v, d->url);
	if (content)
		dust_online_restore_page(c->rules, d->url, content);
}
