/*
 * due.c - the turn of a queued URL has come: it is decided once more, for much may have
 * been learnt since it was found.
 */
#include <stdio.h>

#include "engine/focused.h"
#include "engine/steps.h"
#include "engine/url_rules.h"
#include "journal/ledger.h"

/* The path and query of a task, as robots.txt sees them. */
static struct str path_of(const struct crawl *c, const struct frontier_step *s)
{
	return str_skip(s->task.url, c->frontier.sites.v[s->site].origin.n);
}

static struct due_decision decide(struct crawl *c, const struct frontier_step *s,
				  struct str *ret_line)
{
	struct due_facts f = {
		.dead_code = s->dead_code,
		.budget = s->budget,
		.is_expired = steered_is_expired(c, s->task.key),
		.is_denied = !c->settings->ignore_robots && s->dead_code == 0 &&
			     !robots_cache_allows(&c->robots, s->site, path_of(c, s),
						  c->robots_line, ret_line),
		.is_junk_guess = hops_end_in_guess(s->task.hops) &&
				 !guesses_are_worth(&c->guesses, s->site),
		.is_forgotten = !crawl_render_awaits(c, &s->task),
	};
	struct due_decision d = policy_due(&f);

	if (!d.fetch)
		return d;
	f.is_known_by_rule = url_rules_skip_due(c, &s->task);
	return policy_due(&f);
}

static void print_dropped(const struct frontier_step *s, enum reason reason,
			  struct str detail)
{
	printf("%-7s " STR_FMT "%s" STR_FMT "\t" STR_FMT "\n", "drop",
	       STR_ARG(reason_table[reason].word), detail.n ? " " : "", STR_ARG(detail),
	       STR_ARG(s->task.url));
}

void crawl_drop(struct crawl *c, const struct frontier_step *s,
		const struct due_decision *d, struct str detail)
{
	int64_t now = clock_wall_ms(c->clock);

	if (d->skip) {
		url_rules_note_skip(c, s);
	} else {
		c->counts.dropped++;
		c->counts.robots_denied += d->reason == REASON_ROBOTS;
		c->counts.unreachable += d->reason == REASON_SITE_DEAD;
		url_rules_dropped(c, s->task.url, d->reason);
		watch_refusal(&c->watch, s->task.url, d->reason, detail);
		crawl_render_dropped(c, s, d);
		if (c->settings->dry_run)
			print_dropped(s, d->reason, detail);
		ledger_add(&journal_batch(c)->ledger,
			   &(struct ledger_line){ .url = s->task.url,
						  .via = s->task.via,
						  .reason = d->reason,
						  .detail = detail,
						  .code = d->code,
						  .now_ms = now });
	}
	journal_batch_add(c, &(struct journal_record){
				     .kind = JOURNAL_DROPPED,
				     .dropped = { .url = s->task.url,
						  .detail = detail,
						  .key = s->task.key,
						  .now_ms = now,
						  .code = d->code,
						  .purpose = s->task.purpose,
						  .reason = (uint16_t)d->reason } });
}

bool crawl_due(struct crawl *c, struct frontier_step *s)
{
	struct str line = { "", 0 };

	if (focused_postpone(c, s))
		return false;
	struct due_decision d = decide(c, s, &line);
	bool sent = false;
	struct diag why;
	enum status st;

	c->due_line = line;
	if (d.fetch) {
		st = frontier_send(&c->frontier, s, crawl_time_ms(c), &sent, &why);
		if (sent)
			url_rules_sent(c, &s->task);
	} else {
		crawl_drop(c, s, &d, line);
		st = frontier_drop(&c->frontier, s, &why);
	}
	if (st != ST_OK)
		crawl_fail(c, st, &why);
	return sent && st == ST_OK;
}
