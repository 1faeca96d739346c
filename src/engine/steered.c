#include "engine/steps.h"
#include "engine/url_rules.h"
#include "journal/ledger.h"

bool steered_is_expired(struct crawl *c, struct u128 key)
{
	const uint64_t *at = map_find(&c->steer.deadlines, key.lo);

	if (!at)
		return false;
	bool is_late = clock_wall_ms(c->clock) > (int64_t)*at;
	map_remove(&c->steer.deadlines, key.lo);
	return is_late;
}

bool steered_is_blacklisted(const struct crawl *c, struct u128 hash)
{
	return c->steer.blacklist.n > 0 && map_find(&c->steer.blacklist, hash.lo);
}

enum status steered_drop(struct crawl *c, const struct discovery *d, enum reason reason,
			 struct str detail, struct diag *why)
{
	int64_t now = clock_wall_ms(c->clock);

	TRY(frontier_remove(&c->frontier, d->url, d->hash, why));
	c->counts.dropped++;
	c->steer.dropped++;
	url_rules_dropped(c, d->url, reason);
	ledger_add(&journal_batch(c)->ledger, &(struct ledger_line){ .url = d->url,
								     .via = d->via,
								     .reason = reason,
								     .detail = detail,
								     .now_ms = now });
	journal_batch_add(c, &(struct journal_record){
				     .kind = JOURNAL_DROPPED,
				     .dropped = { .url = d->url,
						  .detail = detail,
						  .key = d->hash,
						  .now_ms = now,
						  .code = reason_table[reason].code,
						  .purpose = d->purpose,
						  .reason = (uint16_t)reason } });
	watch_refusal(&c->watch, d->url, reason, detail);
	return ST_OK;
}

void steered_write(struct crawl *c, enum steering what, struct str url, struct u128 key,
		   uint64_t number)
{
	crawl_blind(c, BLIND_CONTROL);
	journal_batch_add(c, &(struct journal_record){
				     .kind = JOURNAL_STEERED,
				     .steered = { .what = (uint8_t)what,
						  .url = url,
						  .key = key,
						  .number = number,
						  .now_ms = clock_wall_ms(c->clock) } });
}

enum status steered_move(struct crawl *c, struct str url, struct u128 key,
			 uint8_t priority, struct diag *why)
{
	TRY(frontier_prioritise(&c->frontier, url, key, priority, why));
	c->steer.moved++;
	c->idle_until_ms = 0;
	steered_write(c, STEER_MOVE, url, key, priority);
	return ST_OK;
}

bool steered_find_queued(struct crawl *c, struct str url, struct u128 *ret)
{
	struct u128 own = hash128(url);

	if (seen_peek(&c->frontier.seen, own) == SEEN_NEW)
		return false;
	*ret = own;
	if (frontier_is_queued(&c->frontier, own))
		return true;
	if (!c->rules)
		return false;
	struct online_key k;
	dust_online_key(c->rules, url, &k);
	*ret = purpose_identity(PURPOSE_LINK, url, k.key);
	return frontier_is_queued(&c->frontier, *ret);
}

void steered_score(const struct crawl *c, struct discovery *links, size_t n)
{
	for (size_t k = 0; c->steer.scores.n > 0 && k < n; k++) {
		const uint64_t *v = map_find(&c->steer.scores, links[k].hash.lo);

		if (v)
			links[k].priority = (uint8_t)(*v - 1);
	}
}
