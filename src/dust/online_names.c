/*
 * online_names.c - several rules in one text, for the journal and for people: what
 * skipped a URL, or is being checked.  No rule's text has a blank after a comma.
 */
#include "dust/online_internal.h"

static const struct str between = STR(", ");

void dust_online_put_rules(const struct dust_online *o, const struct online_key *k,
			   struct buf *to)
{
	for (size_t i = 0; i < k->n_rules; i++) {
		if (to->n > 0)
			buf_add(to, between);
		buf_add(to, o->all.v[k->rule[i]].text);
	}
}

bool online_take_rule(struct dust_online *o, struct str url, struct str *names,
		      uint32_t *ret_nr)
{
	struct str text = str_slice(*names, 0, str_find(*names, between));

	if (names->n == 0)
		return false;
	*ret_nr = online_rule_at(o, url, text);
	*names = str_skip(*names, MIN(names->n, text.n + between.n));
	return true;
}
