/* online_moved.c - a URL that leads to another one: what that says of rules and skips. */
#include "online/online_internal.h"

static bool have_one_key(struct dust_online *o, const struct online_site *s, struct str a,
			 struct str b)
{
	struct online_key k;

	online_make_key(o, s, a, &k);
	uint64_t key = hash64(k.key);
	online_make_key(o, s, b, &k);
	return hash64(k.key) == key;
}

/* The server itself says how it spells the URL: that is as good as a fetch of both. */
static void credit_redirect(struct dust_online *o, struct str url, struct str to)
{
	struct online_site *s = online_current_site(o, url);
	struct online_key k;

	online_make_key(o, s, url, &k);
	online_rules_between(o, s, url, to, &k);
	online_keep_spellings(&o->rules, &k);
	online_probe(o, &k, COMPARE_SAME);
}

void dust_online_moved(struct dust_online *o, struct str url, struct str to)
{
	struct online_site *s = online_current_site(o, url);
	struct online_key k;

	dust_online_same(o, url, to);
	/* If so, the target stands for the key, however it fares. */
	bool within = s == online_current_site(o, to) && !str_eq(url, to) &&
		      have_one_key(o, s, url, to);
	if (within)
		credit_redirect(o, url, to);
	s = online_current_site(o, url);
	dust_online_unqueued(o, url);
	online_make_key(o, s, url, &k);
	uint64_t key = hash64(k.key);
	if (!online_representative(s, key))
		online_return(o, &(struct returning){ .rule = RULE_NONE,
						      .failed = url,
						      .first = to,
						      .alone = within,
						      .key = key,
						      .cause = ONLINE_MOVED });
}
