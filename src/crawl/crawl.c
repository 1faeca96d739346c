#include "crawl/display.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "crawl/display.h"
#include "crawl/final_sweep.h"
#include "crawl/loop.h"
#include "crawl/play.h"
#include "crawl/reload.h"
#include "crawl/reorder.h"
#include "crawl/round.h"
#include "crawl/setup.h"
#include "crawl/steer.h"
#include "engine/app_views.h"
#include "engine/focused.h"
#include "engine/offer.h"
#include "engine/outside_module.h"
#include "engine/url_rules.h"
#include "journal/clusters.h"
#include "online/online.h"
#include "os/log.h"
#include "writer/facts.h"

#define STATUS_MS     1000
#define LOOP_WAIT_MS  200
#define DRAIN_AT_ONCE 128
#define BEHIND_MAX    128 /* pages received and not yet written */
#define RULES_SAVE_MS 10000

static int64_t lease_time_ms(const struct crawl *c)
{
	return c->time.zero_ms + clock_mono_ms(c->upkeep);
}

/* --- giving out tasks --- */

struct resolving {
	struct crawl *c;
	uint32_t site;
	uint64_t nr;
};

#define ADDRESS_MS \
	((int64_t)600000) /* then the resolver, which knows the TTL, is asked */

static bool may_use_address(struct crawl *c, const struct ip *ip)
{
	const struct trace_event *e = crawl_played(c);

	return e ? e->outcome == TRACE_ADDRESS
		 : lease_address(&c->lease, ip, lease_time_ms(c), ADDRESS_MS + LEASE_MS);
}

static void note_resolved(struct crawl *c, uint64_t nr, const struct dns_answer *answer,
			  bool is_busy)
{
	struct trace_event e = { .kind = TRACE_RESOLVED, .request = nr };

	e.outcome = is_busy             ? TRACE_ADDRESS_BUSY
		    : answer->n > 0     ? TRACE_ADDRESS
		    : answer->temporary ? TRACE_NO_ADDRESS_YET
					: TRACE_NO_ADDRESS;
	if (answer->n > 0) {
		e.ip_bytes = answer->ips[0].n;
		memcpy(e.ip, answer->ips[0].bytes, e.ip_bytes);
	}
	crawl_event(c, &e);
}

static void resolved(void *arg, const struct dns_answer *answer)
{
	struct resolving *r = arg;

	if (r->c->exchange && answer->n > 0) {
		struct exchange_ticket *t = NEW(struct exchange_ticket);

		*t = (struct exchange_ticket){ r->site, answer->ips[0] };
		r->c->exchange->ops->claim(r->c->exchange, t->site, &t->ip, t);
		free(r);
		return;
	}
	bool is_busy = answer->n > 0 && !may_use_address(r->c, &answer->ips[0]);

	note_resolved(r->c, r->nr, answer, is_busy);
	int64_t now = crawl_time_ms(r->c);
	r->c->idle_until_ms = 0;
	if (is_busy)
		frontier_busy(&r->c->frontier, r->site, now + LEASE_MS);
	else if (answer->n > 0)
		frontier_resolved(&r->c->frontier, r->site, &answer->ips[0],
				  now + ADDRESS_MS);
	else {
		unreachable_note(&r->c->unreachable, r->site,
				 r->c->frontier.sites.v[r->site].origin,
				 answer->temporary ? CAUSE_DNS_TROUBLE : CAUSE_NO_NAME,
				 str_from(answer->error));
		if (!r->c->frontier.has_contact)
			unreachable_say_first(&r->c->unreachable);
		frontier_unresolved(&r->c->frontier, r->site, now);
		crawl_render_unreachable(r->c, r->site);
	}
	free(r);
}

static void resolve(struct crawl *c, uint32_t site)
{
	struct resolving *r = NEW(struct resolving);
	struct buf scratch = { 0 };
	struct url u;

	*r = (struct resolving){ .c = c, .site = site, .nr = c->events.names++ };
	if (url_parse(c->frontier.sites.v[site].origin, NULL, &scratch, &u, NULL) ==
	    ST_OK)
		c->fetcher->ops->resolve(c->fetcher, u.host, resolved, r);
	else
		resolved(r, &(struct dns_answer){ 0 });
	buf_release(&scratch);
}

/* --dry-run: say that it would be fetched, and free its place. */
static void pretend(struct crawl *c, const struct frontier_step *s)
{
	struct diag why;

	printf("%-7s robots:allow\t" STR_FMT "\n", "fetch", STR_ARG(s->task.url));
	frontier_fetched(&c->frontier, s->site,
			 &(struct answer){ .end_ms = crawl_time_ms(c) }, 0);
	enum status st = frontier_judged(&c->frontier, s, false, 0, &why);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
}

/* The item is on its way. */
static void start_fetch(struct crawl *c, struct crawl_item *i)
{
	i->round = c->round;
	if (c->exchange)
		c->exchange->ops->note_request(c->exchange, i->step.site);
	round_prepare(c, i);
	cookies_give(&c->cookies, &i->step.task, &i->arena, clock_wall_ms(c->clock));
	if (crawl_render_start(c, i))
		return;
	c->counts.requests++;
	crawl_clock_sent(&c->time);
	crawl_start_request(c, i);
}

/* It ends for a reason that no other event has. */
static void note_stop(struct crawl *c, enum crawl_end end)
{
	if (!c->stopping)
		crawl_event(
			c, &(struct trace_event){ .kind = TRACE_STOP, .code = (int)end });
}

static void limit_reached(struct crawl *c, enum reason reason)
{
	char text[128];

	snprintf(text, sizeof(text), "limit reached: " STR_FMT,
		 STR_ARG(reason_table[reason].word));
	c->limit = reason;
	watch_limit(&c->watch, str_from(text));
	crawl_stop(c, CRAWL_LIMIT, text);
}

#define LOOK_AT_OTHERS_MS 50

/* What is held, failed or skipped here is swept up when no other node can help any more.
 */
static bool others_are_quiet(struct crawl *c)
{
	if (!c->exchange)
		return true;
	c->frontier.may_sweep = c->exchange->ops->may_settle(c->exchange);
	if (!c->frontier.may_sweep)
		c->idle_until_ms = crawl_time_ms(c) + LOOK_AT_OTHERS_MS;
	return c->frontier.may_sweep;
}

static bool all_nodes_are_done(struct crawl *c)
{
	if (!c->exchange || c->exchange->ops->is_over(c->exchange))
		return true;
	c->idle_until_ms = crawl_time_ms(c) + LOOK_AT_OTHERS_MS;
	return false;
}

/* Nothing is left to fetch, unless somebody has kept something for now. */
static void idle(struct crawl *c)
{
	c->idle_until_ms = INT64_MAX;
	/* What is still on its way may bring links. */
	if (!crawl_is_quiet(c))
		return;
	if (!others_are_quiet(c))
		return;
	if (steer_step_now(c) || url_rules_settle(c) || failed_retry_all(c) ||
	    app_views_settle(c) || final_sweep(c))
		c->idle_until_ms = 0;
	else if (!round_idle(c) && !steer_waits(c) && all_nodes_are_done(c))
		crawl_stop(c, CRAWL_FINISHED, "nothing left to fetch");
}

/* What the site's robots.txt says of it and of its use is stored with the page. */
static void note_robots(struct crawl *c, struct crawl_item *i)
{
	const struct robots *r = &robots_cache_get(&c->robots, i->step.site)->rules;

	i->robots_line = arena_copy(&i->arena, c->due_line);
	for (size_t k = 0; k < r->notes_n; k++)
		if (r->notes[k].kind == NOTE_CONTENT_SIGNAL) {
			i->content_signal = arena_copy(&i->arena, r->notes[k].value);
			return;
		}
}

/* What a step asks for; true when the item was taken for it. */
static bool take_step(struct crawl *c, struct crawl_item *i, bool *ret_more)
{
	*ret_more = true;
	switch ((enum step_kind)i->step.kind) {
	case STEP_ROBOTS:
		start_fetch(c, i);
		return true;
	case STEP_DUE:
		if (!crawl_due(c, &i->step))
			return false;
		if (!c->settings->dry_run) {
			note_robots(c, i);
			start_fetch(c, i);
			return true;
		}
		pretend(c, &i->step);
		return false;
	case STEP_RESOLVE:
		resolve(c, i->step.site);
		return false;
	case STEP_REFUSE:
		crawl_drop(c, &i->step,
			   &(struct due_decision){
				   .reason = i->step.reason,
				   .code = reason_table[i->step.reason].code },
			   STR(""));
		return false;
	case STEP_WAIT:
		c->idle_until_ms = i->step.until_ms;
		crawl_clock_wait(&c->time, i->step.until_ms);
		break;
	case STEP_LIMIT:
		limit_reached(c, i->step.reason);
		break;
	case STEP_IDLE:
		idle(c);
		break;
	}
	*ret_more = false;
	return false;
}

bool crawl_dispatch_one(struct crawl *c)
{
	struct crawl_item *i = crawl_take_item(c);
	struct diag why;

	crawl_event_kind(c, TRACE_NEXT);
	enum status st =
		frontier_next(&c->frontier, crawl_time_ms(c), &i->arena, &i->step, &why);
	bool more = false;

	if (st != ST_OK)
		crawl_fail(c, st, &why);
	if (st != ST_OK || !take_step(c, i, &more))
		crawl_give_item(c, i);
	return more;
}

/*
 * What was received waits for little: more would only be more memory to go through.  One
 * at a time means that its links are decided and it is written before the next.
 */
static bool has_room(const struct crawl *c)
{
	size_t in_flight = crawl_in_flight(c);
	/* What is in a browser may wait for what is to be given out. */
	size_t items = c->items - c->render.items;

	if (c->time.is_logical)
		return items == (size_t)(c->batch != NULL) &&
		       c->frontier.resolving == 0 && crawl_clock_hold_ms(&c->time) == 0;
	return in_flight < c->settings->concurrency && items < in_flight + BEHIND_MAX;
}

/* By its own clock the frontier would not notice. */
static void check_real_time(struct crawl *c)
{
	int64_t real = crawl_clock_real_ms(&c->time);

	if (c->time.is_logical &&
	    budget_total_reached(&c->frontier.budget, real) == REASON_MAX_TIME) {
		note_stop(c, CRAWL_LIMIT);
		limit_reached(c, REASON_MAX_TIME);
	}
}

static void dispatch(struct crawl *c)
{
	check_real_time(c);
	crawl_clock_look(&c->time);
	while (!c->stopping && !c->steer.is_paused &&
	       lease_holds(&c->lease, lease_time_ms(c)) && has_room(c) &&
	       (!c->exchange || c->exchange->ops->may_fetch(c->exchange)) &&
	       c->idle_until_ms <= crawl_time_ms(c))
		if (!crawl_dispatch_one(c))
			return;
}

/* --- what comes back --- */

void crawl_take_back(struct crawl *c, struct crawl_item *i)
{
	if (i->stage == ITEM_DECIDING) {
		crawl_event(c, &(struct trace_event){ .kind = TRACE_JUDGED,
						      .request = i->request });
		c->events.is_decided = true;
		crawl_decide(c, i);
		return;
	}
	if (i->st != ST_OK)
		crawl_fail(c, i->st, &i->why);
	c->journal_is_whole |= i->commit;
	round_done(c, i);
	crawl_give_item(c, i);
	/* The last one on its way may have been all that kept the end away. */
	if (c->items == 0)
		c->idle_until_ms = 0;
}

static void drain(void *arg)
{
	struct crawl *c = arg;
	void *items[DRAIN_AT_ONCE];
	size_t n;

	while (queue_take_many(&c->to_loop, 0, items, DRAIN_AT_ONCE, &n) == ST_OK)
		for (size_t k = 0; k < n; k++)
			crawl_take_back(c, items[k]);
}

/* --- once a second --- */

static void check_disk(struct crawl *c)
{
	uint64_t free_bytes;

	if (disk_free(c->dir, &free_bytes, NULL) == ST_OK &&
	    free_bytes < c->settings->min_disk) {
		note_stop(c, CRAWL_DISK_LOW);
		crawl_stop(c, CRAWL_DISK_LOW, "the disk is nearly full");
	}
}

/* What was learnt and is no decision: rules, cookies. */
static void save_learnt(struct crawl *c, int64_t now)
{
	struct diag why;

	if (now < c->next_save_ms)
		return;
	c->next_save_ms = now + RULES_SAVE_MS;
	if (url_rules_save(c, &why) != ST_OK)
		log_event(LOG_WARN, "rules", "%s", why.text);
	if (cookies_save(&c->cookies, c->dir, &why) != ST_OK)
		log_event(LOG_WARN, "cookies", "%s", why.text);
}

/* To the folder, and to whoever reads our lines. */
static void tell_status(struct crawl *c)
{
	cleanup(buf_release) struct buf status = { 0 };

	crawl_format_status(c, &status);
	if (c->settings->json) {
		printf(STR_FMT "\n", STR_ARG(buf_str(&status)));
		fflush(stdout);
	}
	watch_save(c->dir, STR("state/status.json"), buf_str(&status));
}

static void renew_lease(struct crawl *c)
{
	struct diag why;
	enum status st = lease_renew(&c->lease, lease_time_ms(c), &why);

	if (st != ST_OK)
		crawl_fail(c, st, &why);
}

static void every_second(struct crawl *c)
{
	int64_t now = clock_mono_ms(c->upkeep);

	if (now < c->next_status_ms)
		return;
	c->next_status_ms = now + STATUS_MS;
	renew_lease(c);
	check_disk(c);
	tell_status(c);
	crawl_publish(c);
	save_learnt(c, now);
	journal_batch(c); /* an empty one comes back with what the writer has to say */
}

/* --- signals --- */

static void interrupted(struct crawl *c)
{
	if (!c->stopping) {
		note_stop(c, CRAWL_INTERRUPTED);
		crawl_stop(c, CRAWL_INTERRUPTED, "interrupted");
		progress_clear(&c->progress);
		log_event(
			LOG_INFO, "stopping",
			"finishing %zu requests, saving state (again to stop now; resume "
			"with: thresh crawl %s)",
			crawl_in_flight(c), c->dir);
		return;
	}
	crawl_event_kind(c, TRACE_ABORT);
	c->aborting = true;
	c->fetcher->ops->abort_all(c->fetcher);
}

static void arrived(struct signals *s, int signal)
{
	struct crawl *c = s->arg;

	switch (signal) {
	case SIGHUP:
		crawl_blind(c, BLIND_SETTINGS);
		reload_settings(c);
		break;
	case SIGUSR1:
		crawl_tell_status(c);
		break;
	default:
		interrupted(c);
	}
}

void crawl_pump_events(struct crawl *c)
{
	struct diag why;

	every_second(c);
	crawl_show(c, false);
	enum status st = loop_step(&c->loop, 0, &why);
	if (st != ST_OK)
		crawl_fail(c, st, &why);
}

/* --- the whole --- */

static bool is_over(const struct crawl *c)
{
	return c->stopping && c->items == 0 && crawl_in_flight(c) == 0;
}

static enum status turn(struct crawl *c)
{
	int64_t wait = LOOP_WAIT_MS;

	while (!is_over(c)) {
		if (c->frontier.seen.on_disk) {
			crawl_blind(c, BLIND_SEEN_ON_DISK);
			crawl_late_links(c);
		}
		if (c->exchange && !c->stopping)
			c->exchange->ops->step(c->exchange);
		url_rules_step(c);
		reload_step(c);
		bool is_steered = steer_step(c);
		is_steered |= reorder_step(c);
		if (c->stopping)
			crawl_render_stop(c);
		dispatch(c);
		every_second(c);
		crawl_flush_events(c, false);
		journal_batch_send(c);
		watch_flush(&c->watch);
		crawl_show(c, false);
		if (is_over(c)) /* nothing will come that could end the wait */
			break;
		crawl_clock_look(&c->time);
		int64_t until = c->idle_until_ms - crawl_time_ms(c);
		wait = MIN(MAX(until, crawl_clock_hold_ms(&c->time)), LOOP_WAIT_MS);
		/* Full: something has to come back first. */
		if (c->stopping || (!has_room(c) && crawl_clock_hold_ms(&c->time) == 0))
			wait = LOOP_WAIT_MS;
		if (c->steer.is_paused || is_steered)
			wait = is_steered ? 0 : LOOP_WAIT_MS;
		item_batch_send(&c->for_workers);
		item_batch_send(&c->for_writer);
		if (c->outside->pass_time && crawl_clock_hold_ms(&c->time) > 0) {
			c->outside->pass_time(c->outside->arg,
					      crawl_clock_hold_ms(&c->time));
			wait = 0;
		}
		TRY(loop_step(&c->loop, wait, &c->why));
	}
	return ST_OK;
}

static void close_all(struct crawl *c)
{
	crawl_render_close(c);
	if (c->fetcher)
		c->fetcher->ops->close(c->fetcher);
	workers_stop(c);
	reorder_release(c);
	outside_module_release(c);
	focused_release(c);
	writer_release(&c->writer);
	if (c->frontier_open)
		frontier_close(&c->frontier);
	steer_release(&c->steer);
	watch_release(&c->watch);
	app_views_release(c);
	site_api_release(c);
	robots_cache_release(&c->robots);
	revisits_release(&c->revisits);
	cookies_release(&c->cookies);
	lease_give_back(&c->lease);
	ports_close(&c->ports);
	probes_release(&c->probes);
	guesses_release(&c->guesses);
	copies_release(&c->copies);
	failed_release(&c->failed);
	crawl_events_release(&c->events);
	unreachable_release(&c->unreachable);
	free(c->unreached);
	arena_release(&c->unreached_text);
	dust_online_release(&c->rules);
	if (c->batch) /* begun, and then a seed was refused */
		crawl_give_item(c, c->batch);
	crawl_release_pool(c);
	queue_release(&c->to_workers);
	queue_release(&c->to_loop);
	progress_release(&c->progress);
	if (c->has_signals)
		signals_close(&c->signals, &c->loop);
	loop_wake_release(&c->wake, &c->loop);
	loop_release(&c->loop);
}

static enum status open_loop(struct crawl *c, struct diag *why)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, 0 };

	TRY(signals_open(&c->signals, signals, why));
	c->has_signals = true;
	TRY(loop_init(&c->loop, c->clock, why));
	TRY(signals_watch(&c->signals, &c->loop, arrived, c, why));
	TRY(loop_wake_init(&c->wake, &c->loop, drain, c, why));
	queue_init(&c->to_workers, 4 * c->items_max);
	queue_init(&c->to_loop, 4 * c->items_max);
	c->for_workers.to = &c->to_workers;
	c->for_writer.to = &c->writer.in;
	queue_wake_by(&c->to_loop, c->wake.watch.fd);
	progress_init(&c->progress, 2, c->clock);
	c->progress.off = c->settings->quiet || c->settings->json;
	return ST_OK;
}

/* The rules in force, as they are at the end. */
static void rules_as_facts(struct crawl *c)
{
	const struct rule_set *rules = c->rules ? dust_online_rules(c->rules) : NULL;

	for (size_t i = 0; c->settings->facts && rules && i < rules->n; i++) {
		const struct rule *r = &rules->v[i];
		cleanup(buf_release) struct buf id = { 0 }, one = { 0 };

		/* Of the many that are shipped most never meet their URL. */
		if (r->evidence.skipped == 0 && r->evidence.probes == 0)
			continue;
		rule_add_id(&id, r->text);
		fact_rule_add(
			&(struct fact_rule){ buf_str(&id), r->text, r->evidence.skipped },
			c->round, &one);
		buf_add_sized(&journal_batch(c)->facts, buf_str(&one));
	}
}

/* For whoever learns rules from them; who is in a hurry goes without. */
static void write_clusters(struct crawl *c)
{
	struct diag why;
	uint64_t n;

	if (c->end != CRAWL_INTERRUPTED && !c->settings->dry_run &&
	    clusters_write(c->dir, c->ports.batch, &n, &why) != ST_OK)
		log_event(LOG_WARN, "clusters", "%s", why.text);
}

/* An interrupted crawl leaves the rest of the facts to the next process. */
static enum status finish_facts(struct crawl *c)
{
	struct facts *facts = TAKE(c->writer.facts);
	struct diag why;

	if (facts && facts_close(facts, c->end != CRAWL_INTERRUPTED, &why) != ST_OK)
		log_event(LOG_WARN, "facts", "%s", why.text);
	return ST_OK;
}

static enum status run(struct crawl *c, struct diag *why)
{
	struct writer_start start = { .items_max = c->items_max };
	struct digests digests = { 0 };
	bool fresh;

	TRY(open_loop(c, why));
	TRY(setup_frontier(c, why));
	TRY(url_rules_open(c, why));
	TRY(app_views_open(c, why));
	TRY(site_api_open(c, why));
	TRY(focused_open(c, why));
	if (c->exchange)
		TRY(c->exchange->ops->prepare(c->exchange, c, why));
	TRY(crawl_replay(c, &start, &digests, &fresh, why));
	TRY(ports_open_local(&c->ports, c->dir, c->token_before, why));
	TRY(lease_take(&c->lease, c->ports.coord, lease_time_ms(c), why));
	start.blob = c->ports.blob;
	TRY(writer_open(&c->writer, c->dir, c->settings, c->upkeep, &start, &digests,
			&c->to_loop, why));
	TRY(watch_open(&c->watch, c->dir, c->settings, c->clock, why));
	steer_open(c);
	TRY(setup_fetch(c, why));
	c->cookies.on = c->settings->cookies || c->settings->cookie_file.n > 0;
	TRY(cookies_load(&c->cookies, c->dir, c->settings->cookie_file,
			 clock_wall_ms(c->clock), why));
	TRY(setup_begin(c, why));
	TRY(writer_start_thread(&c->writer, why));
	TRY(workers_start(c, why));
	TRY(crawl_render_open(c, why));
	TRY(outside_module_open(c, why));
	TRY(reorder_open(c, why));
	crawl_event_kind(c, TRACE_START);
	if (c->exchange) {
		crawl_blind(c, BLIND_CONTROL);
		TRY(c->exchange->ops->open(c->exchange, why));
	}
	/* A seed known from before is only known once more. */
	crawl_retry_unreached(c);
	TRY(crawl_offer_seeds(c, why));
	TRY(reload_begin(c, why));
	TRY(round_begin(c, why));
	c->start_mono_ms = c->rate_ms = clock_mono_ms(c->clock);
	c->rate_done = c->done_before = c->counts.done;
	TRY(c->outside->script ? crawl_play(c) : turn(c));
	assert_frontier(&c->frontier);
	c->ended = true;
	crawl_show(c, true);
	tell_status(c);
	crawl_publish(c);
	watch_flush(&c->watch);
	if (c->st != ST_OK) {
		*why = c->why;
		return c->st;
	}
	workers_stop(c);
	TRY(url_rules_save(c, why));
	TRY(cookies_save(&c->cookies, c->dir, why));
	rules_as_facts(c);
	crawl_flush_events(c, true);
	journal_batch_send(c);
	TRY(writer_close(&c->writer, str_from(c->why.text), why));
	if (c->exchange)
		c->exchange->ops->close(c->exchange);
	drain(c); /* the last batch */
	write_clusters(c);
	return finish_facts(c);
}

#define UNREACHABLE_NAMED 10

void crawl_result_release(struct crawl_result *r)
{
	str_list_release(&r->unreachable);
	arena_release(&r->bytes);
}

const struct crawl_outside real_outside = { .clock = &real_clock,
					    .open_fetcher = fetcher_open_network };

enum status crawl_run(const char *dir, struct crawl_settings *settings,
		      struct str_list *seeds, struct crawl_result *ret, struct diag *why)
{
	return crawl_run_in(&real_outside, dir, settings, seeds, ret, why);
}

enum status crawl_run_in(const struct crawl_outside *outside, const char *dir,
			 struct crawl_settings *settings, struct str_list *seeds,
			 struct crawl_result *ret, struct diag *why)
{
	struct crawl *c = NEW(struct crawl);

	*c = (struct crawl){
		.settings = settings,
		.seeds = seeds,
		.dir = dir,
		.outside = outside,
		.exchange = outside->exchange,
		.clock = outside->clock,
		.upkeep = outside->upkeep ? outside->upkeep : outside->clock,
		.round = 1,
		.items_max = settings->concurrency + BEHIND_MAX,
	};
	if (!settings->discover) /* nor by robots.txt, nor by ourselves */
		settings->sitemaps = settings->soft_404 = false;
	crawl_clock_init(&c->time, c->clock, settings->concurrency == 1);
	enum status st = run(c, why);
	/* What fails before the first task never passes crawl_fail. */
	ret->end = st == ST_DISK_FULL ? CRAWL_DISK_LOW
		   : st != ST_OK      ? CRAWL_FAILED
				      : c->end;
	ret->limit = c->limit;
	ret->counts = c->counts;
	unreachable_list(&c->unreachable, UNREACHABLE_NAMED, &ret->bytes,
			 &ret->unreachable);
	if (st == ST_OK && c->why.text[0])
		*why = c->why;
	close_all(c);
	free(c);
	return st == ST_DISK_FULL ? ST_OK : st;
}
