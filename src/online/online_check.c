/*
 * online_check.c - before a proved rule falls: is the page that contradicts it really
 * another one?
 *
 * Pages change between two fetches, and some change with every fetch.  The page that
 * was known is asked once more, and stands beside the one that differs as it is now.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "online/online_internal.h"

#define CHECKS_MAX      256 /* in all; past that a contradiction counts at once */
#define SITE_CHECKS_MAX 4   /* a site that contradicts so often is believed */

bool online_are_proved(const struct dust_online *o, const struct online_key *k)
{
	for (size_t i = 0; i < k->n_rules; i++)
		if (o->all.v[k->rule[i]].state != RULE_CONFIRMED)
			return false;
	return k->n_rules > 0;
}

/* What is on trial again was, too. */
static bool were_proved(const struct dust_online *o, const struct online_key *k)
{
	for (size_t i = 0; i < k->n_rules; i++)
		if (!rule_is_active(&o->all.v[k->rule[i]]) ||
		    online_is_on_first_trial(o, k->rule[i]))
			return false;
	return k->n_rules > 0;
}

static size_t checks_of(const struct dust_online *o, const struct site *s)
{
	size_t n = 0;

	for (size_t i = 0; i < o->n_checks; i++)
		n += o->checks[i].site == s->nr;
	return n;
}

bool online_dispute(struct dust_online *o, const struct site *s, const struct page *p,
		    const struct likeness *other, const struct online_key *k)
{
	if (!other || other->n == 0 || !were_proved(o, k) || o->n_checks >= CHECKS_MAX ||
	    checks_of(o, s) >= SITE_CHECKS_MAX)
		return false;
	struct check c = { .url = arena_copy(&o->names_kept, page_url(s, p)),
			   .before = p->like,
			   .other = *other,
			   .rules = *k,
			   .site = s->nr };
	for (size_t i = 0; i < o->n_checks; i++)
		c.asked |= o->checks[i].asked && str_eq(o->checks[i].url, c.url);
	VEC_ADD(o->checks, o->n_checks, o->checks_cap, c);
	o->dirty = true;
	return true;
}

bool online_is_disputed(const struct dust_online *o, uint32_t rule)
{
	for (size_t i = 0; i < o->n_checks; i++)
		for (size_t k = 0; k < o->checks[i].rules.n_rules; k++)
			if (o->checks[i].rules.rule[k] == rule)
				return true;
	return false;
}

bool dust_online_next_check(struct dust_online *o, struct str *ret)
{
	size_t at = 0;

	while (at < o->n_checks && o->checks[at].asked)
		at++;
	if (at == o->n_checks)
		return false;
	*ret = o->checks[at].url;
	for (size_t i = at; i < o->n_checks; i++)
		o->checks[i].asked |= str_eq(o->checks[i].url, *ret);
	return true;
}

/* A page that is neither what it was nor what the other is differs from itself. */
static enum comparison judge(const struct check *c, const struct likeness *now)
{
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
	for (size_t i = 0; i < o->n_checks;) {
		struct check c = o->checks[i];

		if (!str_eq(c.url, url)) {
			i++;
			continue;
		}
		o->checks[i] = o->checks[--o->n_checks];
		online_probe(o, o->sites[c.site], &c.rules,
			     now ? judge(&c, now) : COMPARE_OTHER);
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
	for (size_t i = 0; i < o->n_checks; i++)
		if (str_eq(o->checks[i].url, url))
			dust_online_put_rules(o, &o->checks[i].rules, to);
}

void dust_online_restore_check(struct dust_online *o, struct str url, struct str rules)
{
	struct check c = { .url = arena_copy(&o->names_kept, url),
			   .site = online_site(o, url)->nr,
			   .asked = true };
	uint32_t nr;

	while (c.rules.n_rules < ONLINE_RULES_MAX &&
	       online_take_rule(o, url, &rules, &nr))
		if (nr != RULE_NONE)
			c.rules.rule[c.rules.n_rules++] = nr;
	VEC_ADD(o->checks, o->n_checks, o->checks_cap, c);
}

void dust_online_restore_checked(struct dust_online *o, struct str url)
{
	for (size_t i = 0; i < o->n_checks;)
		if (str_eq(o->checks[i].url, url))
			o->checks[i] = o->checks[--o->n_checks];
		else
			i++;
}

void online_restore_disputes(struct dust_online *o)
{
	for (size_t i = 0; i < o->n_checks; i++)
		for (size_t k = 0; k < o->checks[i].rules.n_rules; k++)
			online_try_again(o, o->checks[i].rules.rule[k]);
	o->n_checks = 0;
}
