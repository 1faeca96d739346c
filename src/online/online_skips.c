/* online_skips.c - the table of what was skipped, and its restoration after a restart. */
#include <stdlib.h>

#include "base/alloc.h"
#include "online/online_internal.h"

void skip_table_release(struct skip_table *t)
{
	free(t->v);
	map_release(&t->by_key);
	skip_store_release(&t->store);
	map_release(&t->restored);
	free(t->orphans);
}

enum status dust_online_keep_skips_in(struct dust_online *o, const char *path,
				      struct diag *why)
{
	return skip_store_open(&o->skips.store, path, why);
}

void skip_table_file(struct skip_table *t, uint32_t nr, uint64_t key)
{
	uint64_t *latest = map_add(&t->by_key, key, NULL);

	t->v[nr].older = *latest ? (uint32_t)(*latest - 1) : UINT32_MAX;
	*latest = (uint64_t)nr + 1;
}

bool skip_table_add(struct skip_table *t, const struct online_skip *what, uint64_t key,
		    uint32_t *ret)
{
	struct skip s = { .older = UINT32_MAX };

	if (t->n >= t->max || !skip_store_add(&t->store, what, &s.at))
		return false;
	VEC_ADD(t->v, t->n, t->cap, s);
	*ret = (uint32_t)t->n - 1;
	skip_table_file(t, *ret, key);
	return true;
}

bool skip_table_read(const struct skip_table *t, uint32_t nr, struct arena *a,
		     struct online_skip *ret)
{
	return t->v[nr].at != SKIP_RETURNED &&
	       skip_store_read(&t->store, t->v[nr].at, a, ret);
}

bool skip_table_take(struct skip_table *t, uint32_t nr, struct arena *a,
		     struct online_skip *ret)
{
	if (!skip_table_read(t, nr, a, ret))
		return false;
	t->v[nr].at = SKIP_RETURNED;
	return true;
}

uint32_t skip_table_latest(const struct skip_table *t, uint64_t key)
{
	const uint64_t *latest = map_find(&t->by_key, key);

	return latest ? (uint32_t)*latest - 1 : UINT32_MAX;
}

bool online_remember_skip(struct dust_online *o, struct str url,
			  const struct online_key *k)
{
	uint32_t nr;
	bool kept =
		skip_table_add(&o->skips, &(struct online_skip){ url, k->via, k->depth },
			       hash64(k->key), &nr);

	if (!kept && !rule_table_are_believed(&o->rules, k))
		return false;
	o->sweep.is_done &= !kept;
	o->rules.dirty = true;
	dust_online_answered(o, url);
	for (size_t i = 0; i < k->n_rules; i++) {
		struct rule_record *r = &o->rules.records[k->rule[i]];

		o->rules.all.v[k->rule[i]].evidence.skipped++;
		if (kept)
			VEC_ADD(r->skips, r->n_skips, r->skips_cap, nr);
	}
	return true;
}

/* --- what an earlier process skipped --- */

void dust_online_restore_skip(struct dust_online *o, const struct online_skip *skip,
			      struct str key, struct str rules)
{
	struct skip_table *t = &o->skips;
	bool orphaned = rules.n == 0;
	uint32_t nr, at;

	if (!skip_table_add(t, skip, hash64(key), &at))
		return;
	/* It may have returned, and been skipped again: only the last time counts. */
	dust_online_restore_return(o, skip->url);
	*map_add(&t->restored, hash64(skip->url), NULL) = at;
	while (online_take_rule(o, skip->url, &rules, &nr))
		if (nr != RULE_NONE) {
			struct rule_record *r = &o->rules.records[nr];

			VEC_ADD(r->skips, r->n_skips, r->skips_cap, at);
		} else { /* learnt shortly before the end, and not saved */
			orphaned = true;
		}
	if (orphaned)
		VEC_ADD(t->orphans, t->n_orphans, t->orphans_cap,
			(struct orphan){ hash64(key), at });
}

void dust_online_restore_return(struct dust_online *o, struct str url)
{
	uint64_t *at = map_find(&o->skips.restored, hash64(url));

	if (at)
		o->skips.v[*at].at = SKIP_RETURNED;
}

void dust_online_restored(struct dust_online *o)
{
	struct skip_table *t = &o->skips;

	online_restore_checks(o);
	for (size_t i = 0; i < t->n_orphans; i++)
		if (t->v[t->orphans[i].skip].at != SKIP_RETURNED)
			online_return(o, &(struct returning){ .rule = RULE_NONE,
							      .failed = STR(""),
							      .key = t->orphans[i].key });
	for (uint32_t i = 0; i < o->rules.all.n; i++)
		if (!life_is_active(rule_table_state(&o->rules, i)) &&
		    o->rules.records[i].n_skips > 0)
			online_return(o, &(struct returning){ .rule = i });
	map_release(&t->restored);
}
