#include "crawl/url_rules.h"

#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "crawl/internal.h"
#include "crawl/judge.h"
#include "online/online.h"

/* Of the loop's time a tenth is for learning, however fast pages come: a pause of fixed
 * length taught eight sites of 2,000 pages a second in turns of half a second. */
#define LEARNING_SHARE 10
#define PAUSE_MIN_NS   1000000

/* Of names in the seen set; no URL has a fragment there. */
static const struct str by_key = STR("#key"), by_probe = STR("#probe"),
			by_return = STR("#again"), by_check = STR("#check"),
			by_owed = STR("#owed");

static char *folder(struct crawl *c, struct arena *a)
{
	return path_join(a, c->dir, STR("rules"));
}

static bool may_ask(void *arg, struct str url)
{
	struct crawl *c = arg;

	return frontier_may_ask(&c->frontier, url);
}

enum status url_rules_open(struct crawl *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct online_options o = online_standard;

	if (!c->settings->rules)
		return ST_OK;
	o.seed = c->settings->random_seed;
	o.shipped = c->settings->shipped_rules;
	o.may_ask = may_ask;
	o.arg = c;
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

static struct str with_suffix(struct crawl_item *i, struct str text, struct str suffix)
{
	char *p = arena_alloc(&i->arena, text.n + suffix.n);

	memcpy(p, text.p, text.n);
	memcpy(p + text.n, suffix.p, suffix.n);
	return (struct str){ p, text.n + suffix.n };
}

static void rename_key(struct discovery *d, struct str key)
{
	d->key = key;
	d->hash = hash128(key);
}

/*
 * Is a page asked or queued under this key, as far as the seen set can tell at once?
 * A URL that is its own key has been noted there just now, which says nothing.
 */
static bool key_is_known(struct crawl *c, struct str url, struct str key,
			 struct str named)
{
	return (!str_eq(url, key) &&
		seen_peek(&c->frontier.seen, hash128(key)) == SEEN_KNOWN) ||
	       seen_peek(&c->frontier.seen, hash128(named)) == SEEN_KNOWN;
}

/*
 * A redirect between two URLs of one key: only the first has been asked, and it has
 * no page.  `k` is the target's, and is kept.
 */
static bool is_page_of_redirect(struct crawl *c, struct crawl_item *i,
				const struct discovery *d, struct online_key *k)
{
	struct online_key from;

	if (d->hop != HOP_REDIRECT ||
	    (k->representative.n > 0 && !str_eq(k->representative, d->via)))
		return false;
	k->key = arena_copy(&i->arena, k->key);
	k->representative = arena_copy(&i->arena, k->representative);
	dust_online_key(c->rules, d->via, &from);
	return str_eq(from.key, k->key);
}

/* Decide a link that rules change; its new name, or the decision to skip it. */
static bool skip_by_rule(struct crawl *c, struct crawl_item *i, struct discovery *d,
			 struct online_key *k, struct frontier_decision *ret)
{
	struct str named = with_suffix(i, k->key, by_key);

	d->rule = rule_names(c, &i->arena, k);
	k->via = d->via;
	k->depth = d->depth;
	if (is_page_of_redirect(c, i, d, k)) {
		rename_key(d, with_suffix(i, d->url, by_probe));
		dust_online_queued(c->rules, d->url);
		return false;
	}
	bool failed = k->representative.n == 0 && failed_has(&c->failed, k->key);
	if (failed) { /* the only one that was asked: this one may come */
		failed_forget(&c->failed, k->key);
		rename_key(d, with_suffix(i, d->url, by_probe));
		dust_online_queued(c->rules, d->url);
		return false;
	}
	switch (dust_online_decide(c->rules, d->url, k,
				   key_is_known(c, d->url, k->key, named))) {
	case ONLINE_SKIP:
		d->key = arena_copy(&i->arena, k->key);
		*ret = (struct frontier_decision){
			.verdict = FRONTIER_SKIPPED,
			.stage = STR("rules"),
			.rule = d->rule,
			.detail = arena_copy(&i->arena, k->representative),
		};
		return true;
	case ONLINE_PROBE:
		d->priority = PROBE_PRIORITY;
		d->wanted = true;
		rename_key(d, with_suffix(i, d->url, by_probe));
		break;
	case ONLINE_EXPLORE:
		rename_key(d, with_suffix(i, d->url, by_probe));
		break;
	case ONLINE_NEW:
	case ONLINE_SEEN: /* by a claim of the site's: nobody has asked for it */
		rename_key(d, named);
		break;
	}
	dust_online_queued(c->rules, d->url);
	return false;
}

/* False when it is known by its own name, or as new as any that no rule concerns. */
static bool concerns_rules(struct crawl *c, const struct frontier_page *page,
			   const struct discovery *d, struct online_key *k)
{
	/* On disk, what is not surely new is probably known: it takes the plain way. */
	if (seen_peek(&c->frontier.seen, d->hash) != SEEN_NEW ||
	    !frontier_would_take(&c->frontier, page, d))
		return false;
	dust_online_key(c->rules, d->url, k);
	return k->n_rules > 0;
}

enum status url_rules_sort(struct crawl *c, struct crawl_item *i,
			   const struct frontier_page *page, struct discovery *links,
			   size_t n, struct frontier_decision *d, size_t *ret_offered,
			   size_t *ret_n, struct diag *why)
{
	struct discovery *skipped = arena_alloc(&i->arena, (n + 1) * sizeof(*skipped));
	size_t kept = 0, n_skipped = 0;

	for (size_t l = 0; l < n; l++) {
		struct frontier_decision decision;
		struct discovery link = links[l];
		struct online_key k;

		if (concerns_rules(c, page, &link, &k)) {
			TRY(frontier_note(&c->frontier, link.hash, why));
			if (skip_by_rule(c, i, &link, &k, &decision)) {
				/* Decisions fill up from the end. */
				d[n - ++n_skipped] = decision;
				skipped[n_skipped - 1] = link;
				continue;
			}
		}
		links[kept++] = link;
	}
	*ret_offered = kept;
	*ret_n = kept + n_skipped;
	for (size_t l = 0; l < n_skipped; l++) {
		links[kept + l] = skipped[n_skipped - 1 - l];
		d[kept + l] = d[n - n_skipped + l];
	}
	return ST_OK;
}

/* The lines of a skip of a single URL. */
static void note_skip(struct crawl *c, struct crawl_item *note, struct discovery *d,
		      const struct online_key *k)
{
	d->rule = rule_names(c, &note->arena, k);
	d->key = arena_copy(&note->arena, k->key);
	crawl_write_links(
		c, note, &(struct frontier_page){ 0 }, d, 1,
		&(struct frontier_decision){
			.verdict = FRONTIER_SKIPPED,
			.stage = STR("rules"),
			.rule = d->rule,
			.detail = arena_copy(&note->arena, k->representative) });
}

/* --- when its turn has come --- */

static bool is_named(struct u128 key, struct str url, struct str suffix)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add(&b, url);
	buf_add(&b, suffix);
	return u128_eq(key, hash128(buf_str(&b)));
}

/* Asked to prove something, or because others of its key failed. */
static bool is_on_purpose(struct u128 key, struct str url)
{
	return failed_is_last(url, key) || is_named(key, url, by_probe) ||
	       is_named(key, url, by_return) || is_named(key, url, by_owed);
}

bool url_rules_skip_queued(struct crawl *c, struct u128 key, const struct queued_url *q)
{
	struct online_key k;

	if (!c->rules || q->kind != FETCH_PAGE || q->attempt > 0)
		return false;
	dust_online_key(c->rules, q->url, &k);
	k.via = q->via;
	k.depth = q->depth;
	if (k.n_rules > 0 && k.representative.n > 0 && !q->is_seed &&
	    !is_on_purpose(key, q->url) &&
	    dust_online_decide(c->rules, q->url, &k, false) == ONLINE_SKIP) {
		dust_online_unqueued(c->rules, q->url);
		return true;
	}
	/* Others of its key need not be asked, as soon as it is under way. */
	dust_online_queued(c->rules, q->url);
	return false;
}

void url_rules_note_skip(struct crawl *c, const struct frontier_step *s)
{
	struct crawl_item *note = crawl_note(c);
	struct discovery d = { .url = s->task.url,
			       .via = s->task.via,
			       .depth = s->task.depth,
			       .hop = HOP_LINK,
			       .priority = s->task.priority };
	struct online_key k;

	dust_online_key(c->rules, d.url, &k);
	note_skip(c, note, &d, &k);
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
	return code >= 400 && !crawl_may_pass(code) ? ONLINE_ABSENT : ONLINE_PASSING;
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
	if (t->kind == FETCH_EXPLORE)
		learn_check(c, i);
	/* Asked again a page differs from itself: that says nothing of rules. */
	if (t->kind != FETCH_PAGE)
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
	const struct str suffixes[] = { STR(""), by_probe, by_return, by_owed };
	struct diag why;

	if (target.n == 0 || !frontier_moved(&c->frontier, i->step.task.url, target))
		return false;
	for (size_t k = 0; k < COUNT(suffixes); k++) {
		struct u128 name = hash128(with_suffix(i, target, suffixes[k]));
		enum status st = frontier_let_go(&c->frontier, target, name, &why);

		if (st != ST_OK)
			crawl_fail(c, st, &why);
	}
	return true;
}

void url_rules_dropped(struct crawl *c, struct str url, struct str rule)
{
	if (!c->rules)
		return;
	/* Others of its key would be dropped for the same; reckon() asks for what is
	 * owed. */
	if (str_eq(rule, STR("template")))
		dust_online_unqueued(c->rules, url);
	else
		dust_online_failed(c->rules, url, ONLINE_UNASKED);
}

/* --- what returns --- */

static struct discovery offered_again(struct crawl_item *note,
				      const struct online_skip *s)
{
	return (struct discovery){ .url = arena_copy(&note->arena, s->url),
				   .via = arena_copy(&note->arena, s->via),
				   .depth = s->depth,
				   .hop = HOP_INFERRED,
				   .priority = 150 };
}

static void offer_again(struct crawl *c, struct crawl_item *note, struct discovery *d)
{
	struct diag why;
	enum status st =
		crawl_offer_as_is(c, note, &(struct frontier_page){ 0 }, d, 1, &why);

	if (st != ST_OK)
		crawl_fail(c, st, &why);
}

/* Decided anew, but for the rule that is gone or the URL that cannot be got. */
static void take_back(struct crawl *c, const struct online_return *r,
		      const struct online_skip *s)
{
	struct crawl_item *note = crawl_note(c);
	struct discovery d = offered_again(note, s);
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
		note_skip(c, note, &d, &k);
		return;
	}
	if (decision == ONLINE_PROBE) {
		d.priority = PROBE_PRIORITY;
		d.wanted = true;
	}
	rename_key(&d, with_suffix(note, d.url, by_return));
	dust_online_queued(c->rules, d.url);
	offer_again(c, note, &d);
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

void url_rules_ask_owed(struct crawl *c, const struct online_skip *s)
{
	struct crawl_item *note = crawl_note(c);
	struct discovery d = offered_again(note, s);

	c->counts.rule_skips--;
	rename_key(&d, with_suffix(note, d.url, by_owed));
	dust_online_queued(c->rules, d.url);
	frontier_forget_page(&c->frontier, d.url);
	offer_again(c, note, &d);
}

/* Asked once more, whatever scope and the seen set say; only to compare. */
static void ask_again(struct crawl *c, struct str url)
{
	struct crawl_item *note = crawl_note(c);
	struct discovery d = { .url = arena_copy(&note->arena, url),
			       .via = arena_copy(&note->arena, url),
			       .hop = HOP_INFERRED,
			       .priority = PROBE_PRIORITY,
			       .kind = FETCH_EXPLORE };
	struct frontier_page page = { 0 };
	struct frontier_decision taken = { .verdict = FRONTIER_QUEUED,
					   .stage = STR("rules"),
					   .rule = STR("check") };
	cleanup(buf_release) struct buf rules = { 0 };
	struct diag why;

	dust_online_check_rules(c->rules, d.url, &rules);
	d.rule = arena_copy(&note->arena, buf_str(&rules));
	rename_key(&d, with_suffix(note, d.url, by_check));
	enum status st = frontier_ask_anyway(&c->frontier, &d, &page, &why);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	crawl_write_links(c, note, &page, &d, 1, &taken);
	c->idle_until_ms = 0;
}

static bool ask_checks(struct crawl *c)
{
	struct str url;
	bool any = false;

	for (; dust_online_next_check(c->rules, &url); any = true)
		ask_again(c, url);
	return any;
}

int64_t url_rules_pause_ns(int64_t spent_ns)
{
	return MAX(spent_ns * (LEARNING_SHARE - 1), (int64_t)PAUSE_MIN_NS);
}

void url_rules_step(struct crawl *c)
{
	struct online_return r;
	int64_t began = clock_mono_ns(c->clock);

	if (!c->rules || began < c->next_rules_ns)
		return;
	dust_online_step(c->rules);
	int64_t ended = clock_mono_ns(c->clock);
	c->next_rules_ns = ended + url_rules_pause_ns(ended - began);
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

bool url_rules_is_return(const struct journal_link *l)
{
	return str_ends(l->key, by_return) || str_ends(l->key, by_owed);
}

enum status url_rules_restore_link(struct crawl *c, const struct journal_links *page,
				   const struct journal_link *l, struct diag *why)
{
	struct online_skip skip = { l->url, page->via, l->depth };
	struct str key = l->key.n > 0 ? l->key : l->url;

	if (l->verdict == FRONTIER_REFUSED ||
	    (l->key.n == 0 && l->verdict != FRONTIER_SKIPPED))
		return ST_OK;
	/* A URL under a rule's key is known by its own name too. */
	TRY(frontier_restore_known(&c->frontier, hash128(l->url), why));
	if (!c->rules)
		return ST_OK;
	if (l->verdict == FRONTIER_SKIPPED) {
		c->counts.rule_skips++;
		dust_online_restore_skip(c->rules, &skip, key, l->rule);
		return ST_OK;
	}
	if (url_rules_is_return(l)) {
		c->counts.rule_skips--;
		dust_online_restore_return(c->rules, l->url);
	}
	dust_online_queued(c->rules, l->url);
	return ST_OK;
}

void url_rules_restore_check(struct crawl *c, const struct journal_link *l)
{
	if (c->rules && str_ends(l->key, by_check))
		dust_online_restore_check(c->rules, l->url, l->key_rule);
}

void url_rules_restore_done(struct crawl *c, const struct journal_done *d)
{
	struct verdict v;

	if (c->rules && d->kind == FETCH_EXPLORE)
		dust_online_restore_checked(c->rules, d->url);
	/* A redirect is no page either; where to is not told here. */
	if (c->rules && d->kind == FETCH_PAGE && (d->code < 200 || d->code >= 300))
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
