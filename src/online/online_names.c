/*
 * online_names.c - several rules in one text, for the journal and for people: what
 * skipped a URL, or is being checked.  No rule's text has a blank after a comma.
 */
#include <stdlib.h>

#include "online/online_internal.h"

static const struct str between = STR(", ");

static int compare_texts(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* In the order of the alphabet, so that the same rules have one name in the ledger. */
void dust_online_put_rules(const struct dust_online *o, const struct online_key *k,
			   struct buf *to)
{
	struct str text[ONLINE_RULES_MAX];

	for (size_t i = 0; i < k->n_rules; i++)
		text[i] = o->rules.all.v[k->rule[i]].text;
	qsort(text, k->n_rules, sizeof(*text), compare_texts);
	for (size_t i = 0; i < k->n_rules; i++) {
		if (to->n > 0)
			buf_add(to, between);
		buf_add(to, text[i]);
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
