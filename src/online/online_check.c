/*
 * online_check.c - before a proved rule is retracted: is the page that contradicts it
 * really another one?
 *
 * Pages change between two fetches, and some change with every fetch.  The page that
 * was known is fetched once more, and compared with the one that differs as it is now.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "online/online_internal.h"

#define CHECKS_MAX      256 /* in all; past that a contradiction counts at once */
#define SITE_CHECKS_MAX 4   /* past that a site is believed */

void check_table_release(struct check_table *t)
{
	free(t->v);
	arena_release(&t->urls);
}

/* Believed, or proved before they came on trial again. */
static bool were_believed(const struct rule_table *t, const struct online_key *k)
{
	for (size_t i = 0; i < k->n_rules; i++) {
		enum rule_life_state s = rule_table_state(t, k->rule[i]);

		if (!life_is_active(s) || s == LIFE_PROBATION)
			return false;
	}
	return k->n_rules > 0;
}

static size_t checks_of(const struct check_table *t, const struct online_site *s)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		n += t->v[i].site == s->nr;
	return n;
}

bool online_start_check(struct dust_online *o, const struct online_site *s,
			const struct online_page *p, const struct likeness *other,
			const struct online_key *k)
{
	struct check_table *t = &o->checks;

	if (!other || other->n == 0 || !were_believed(&o->rules, k) ||
	    t->n >= CHECKS_MAX || checks_of(t, s) >= SITE_CHECKS_MAX)
		return false;
	struct rule_check c = { .url = arena_copy(&t->urls, page_url(s, p)),
				.before = p->like,
				.other = *other,
				.rules = *k,
				.site = s->nr };
	for (size_t i = 0; i < t->n; i++)
		c.is_requested |= t->v[i].is_requested && str_eq(t->v[i].url, c.url);
	VEC_ADD(t->v, t->n, t->cap, c);
	o->rules.dirty = true;
	return true;
}

bool check_table_has_rule(const struct check_table *t, uint32_t rule)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->v[i].rules.n_rules; k++)
			if (t->v[i].rules.rule[k] == rule)
				return true;
	return false;
}

bool dust_online_next_check(struct dust_online *o, struct str *ret)
{
	struct check_table *t = &o->checks;
	size_t at = 0;

	while (at < t->n && t->v[at].is_requested)
		at++;
	if (at == t->n)
		return false;
	*ret = t->v[at].url;
	for (size_t i = at; i < t->n; i++)
		t->v[i].is_requested |= str_eq(t->v[i].url, *ret);
	return true;
}

/* A page that is neither what it was nor what the other is differs from itself. */
static enum comparison judge(const struct rule_check *c, const struct likeness *now)
{
	if (likeness_is_apart(now, &c->other))
		return likeness_is_apart(now, &c->before) ? COMPARE_DOUBT : COMPARE_OTHER;
	if (likeness_is_same(now, &c->other))
		return COMPARE_SAME;
	if (online_is_alike(now, &c->other))
		return COMPARE_DOUBT;
	return c->before.n > 0 && !online_is_alike(now, &c->before) ? COMPARE_DOUBT
								    : COMPARE_OTHER;
}

/* `now` is NULL when it did not come. */
static void conclude(struct dust_online *o, struct str url, const struct likeness *now)
{
	for (size_t i = 0; i < o->checks.n;) {
		struct rule_check c = o->checks.v[i];

		if (!str_eq(c.url, url)) {
			i++;
			continue;
		}
		o->checks.v[i] = o->checks.v[--o->checks.n];
		online_probe(o, &c.rules, now ? judge(&c, now) : COMPARE_OTHER);
	}
}

void dust_online_checked(struct dust_online *o, struct str url,
			 const struct likeness *like)
{
	conclude(o, url, like->n > 0 ? like : NULL);
}

void online_check_failed(struct dust_online *o, struct str url)
{
	conclude(o, url, NULL);
}

/* --- across a kill: the check stands in the journal, what it compared is gone --- */

void dust_online_check_rules(const struct dust_online *o, struct str url, struct buf *to)
{
	for (size_t i = 0; i < o->checks.n; i++)
		if (str_eq(o->checks.v[i].url, url))
			dust_online_put_rules(o, &o->checks.v[i].rules, to);
}

void dust_online_restore_check(struct dust_online *o, struct str url, struct str rules)
{
	struct rule_check c = { .url = arena_copy(&o->checks.urls, url),
				.site = online_site_of(o, url)->nr,
				.is_requested = true };
	uint32_t nr;

	while (c.rules.n_rules < ONLINE_RULES_MAX &&
	       online_take_rule(o, url, &rules, &nr))
		if (nr != RULE_NONE)
			c.rules.rule[c.rules.n_rules++] = nr;
	VEC_ADD(o->checks.v, o->checks.n, o->checks.cap, c);
}

void dust_online_restore_checked(struct dust_online *o, struct str url)
{
	for (size_t i = 0; i < o->checks.n;)
		if (str_eq(o->checks.v[i].url, url))
			o->checks.v[i] = o->checks.v[--o->checks.n];
		else
			i++;
}

void online_restore_checks(struct dust_online *o)
{
	for (size_t i = 0; i < o->checks.n; i++)
		for (size_t k = 0; k < o->checks.v[i].rules.n_rules; k++)
			rule_table_doubt(&o->rules, o->checks.v[i].rules.rule[k]);
	o->checks.n = 0;
}
