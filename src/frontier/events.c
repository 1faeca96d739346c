/*
 * What the frontier is told: addresses, robots, ends of transfers, verdicts; and
 * the journal of an earlier process.
 */
#include "frontier/internal.h"

/* Most likely the address is wrong, and somebody sits and waits to be told. */
#define FIRST_CONTACT_MS 2000

static void wake(struct frontier *f, uint32_t site)
{
	schedule_ready(&f->schedule, f->sites.v[site].domain);
}

/* Again after a while that doubles; given up after some. */
static void fail_site(struct frontier *f, uint32_t site, int code, int64_t now_ms)
{
	struct site *s = &f->sites.v[site];
	unsigned doublings = MIN(s->failures, 10u);

	int64_t wait_ms = (int64_t)f->settings.site_retry_ms << doublings;

	s->state = SITE_NEW;
	s->failures++;
	s->blocked_until_ms =
		now_ms + (f->has_contact ? wait_ms : MIN(wait_ms, FIRST_CONTACT_MS));
	if (s->failures >= f->settings.max_site_failures) {
		s->state = s->was_revived ? SITE_DEAD : SITE_PAUSED;
		s->dead_code = (int16_t)code;
	}
	wake(f, site);
}

bool frontier_revive_sites(struct frontier *f, int64_t now_ms)
{
	bool any = false;

	for (uint32_t i = 0; i < f->sites.origins.n; i++) {
		struct site *s = &f->sites.v[i];

		if (s->state != SITE_PAUSED || s->queue.live == 0 ||
		    f->sites.domains[s->domain].is_away)
			continue;
		s->state = SITE_NEW;
		s->failures = 0;
		s->was_revived = any = true;
		s->blocked_until_ms = MAX(s->blocked_until_ms, now_ms);
		site_list(&f->sites, i);
		wake(f, i);
	}
	return any;
}

void frontier_resolved(struct frontier *f, uint32_t site, const struct ip *ip,
		       int64_t until_ms)
{
	struct site *s = &f->sites.v[site];
	struct buf *text = &f->scratch[1];

	f->resolving--;
	buf_reset(text);
	buf_add_ip(text, ip);
	s->ip = *ip;
	s->address_until_ms = until_ms;
	s->lanes.id[LANE_ADDRESS] = lanes_get(&f->lanes, LANE_ADDRESS, buf_str(text));
	s->state = s->robots_until_ms > 0 ? SITE_OPEN : SITE_NEEDS_ROBOTS;
	wake(f, site);
}

void frontier_share(struct frontier *f)
{
	f->is_shared = f->sites.start_away = true;
}

void frontier_set_away(struct frontier *f, uint32_t domain, bool is_away)
{
	bool wakes = f->sites.domains[domain].is_away && !is_away;

	f->sites.domains[domain].is_away = is_away;
	if (wakes)
		schedule_ready(&f->schedule, domain);
}

void frontier_pause_site(struct frontier *f, uint32_t site, int64_t until_ms)
{
	struct site *s = &f->sites.v[site];

	s->blocked_until_ms = MAX(s->blocked_until_ms, until_ms);
}

void frontier_busy(struct frontier *f, uint32_t site, int64_t until_ms)
{
	struct site *s = &f->sites.v[site];

	f->resolving--;
	s->state = SITE_NEW;
	s->blocked_until_ms = until_ms;
	wake(f, site);
}

void frontier_unresolved(struct frontier *f, uint32_t site, int64_t now_ms)
{
	f->resolving--;
	fail_site(f, site, FETCH_DNS_FAILED, now_ms);
}

void frontier_site_dead(struct frontier *f, uint32_t site, int code)
{
	struct site *s = &f->sites.v[site];

	s->state = SITE_DEAD;
	s->dead_code = (int16_t)code;
	wake(f, site);
}

void frontier_robots_known(struct frontier *f, uint32_t site, int64_t until_ms,
			   uint32_t crawl_delay_ms)
{
	struct site *s = &f->sites.v[site];

	s->state = SITE_OPEN;
	s->failures = 0;
	s->was_revived = false;
	s->robots_until_ms = until_ms;
	f->lanes.v[s->lanes.id[LANE_HOST]].lane.crawl_delay_ms = crawl_delay_ms;
	wake(f, site);
}

void frontier_robots_failed(struct frontier *f, uint32_t site, int64_t now_ms)
{
	struct site *s = &f->sites.v[site];

	fail_site(f, site, FETCH_ROBOTS_PREREQUISITE, now_ms);
	/* The address is fine: no need to look it up again. */
	if (s->state == SITE_NEW && s->address_until_ms > now_ms)
		s->state = SITE_NEEDS_ROBOTS;
}

/* A place is free: whoever waited for one of the site's lanes may try. */
static void wake_waiters(struct frontier *f, uint32_t site)
{
	const struct lane_set *lanes = &f->sites.v[site].lanes;
	uint32_t domain;

	for (unsigned k = 0; k < LANE_KINDS; k++)
		if (lanes->id[k] != LANE_NONE)
			while (lane_next_waiter(&f->lanes, lanes->id[k], &domain))
				schedule_ready(&f->schedule, domain);
	wake(f, site);
}

void frontier_fetched(struct frontier *f, uint32_t site, const struct answer *a,
		      uint64_t bytes)
{
	struct site *s = &f->sites.v[site];

	f->in_flight--;
	s->spent.bytes += bytes;
	f->sites.domains[s->domain].spent.bytes += bytes;
	f->budget.total.bytes += bytes;
	f->has_contact |= !a->is_silent;
	struct answer told = *a;
	told.backoff_max_ms = f->has_contact ? 0 : FIRST_CONTACT_MS;
	lanes_stop(&f->lanes, &s->lanes, &told);
	wake_waiters(f, site);
}

bool frontier_may_send(const struct frontier *f, uint32_t site, int64_t now_ms)
{
	uint32_t host = f->sites.v[site].lanes.id[LANE_HOST];

	return lane_may_send(&f->lanes.v[host].lane, now_ms);
}

void frontier_wake_site(struct frontier *f, uint32_t site)
{
	site_list(&f->sites, site);
	wake(f, site);
}

enum status frontier_try_held(struct frontier *f, uint32_t site, struct diag *why)
{
	struct host_queue *q = &f->sites.v[site].queue;
	uint32_t hold = 0, n;

	if (q->live > 0 || f->sites.v[site].unjudged > 0)
		return ST_OK;
	while (host_queue_next_hold(q, &hold) && hold < HOLD_OTHERS)
		TRY(queue_store_unhold_some(
			&f->queues, q, hold,
			novelty_try(&f->templates, hold, host_queue_held(q, hold)), &n,
			why));
	if (q->live > 0)
		frontier_wake_site(f, site);
	return ST_OK;
}

/* Whatever came of it, its links are in the queue. */
static void note_judged(struct frontier *f, uint32_t site)
{
	f->unjudged--;
	f->sites.v[site].unjudged--;
}

void frontier_no_page(struct frontier *f, const struct frontier_step *s)
{
	novelty_note_page(&f->templates, s->template, false);
}

bool frontier_moved(struct frontier *f, struct str url, struct str to)
{
	struct template_key from = frontier_template(f, url),
			    target = frontier_template(f, to);

	if (target.page == 0 || from.page != target.page)
		return false;
	novelty_move(&f->templates, target);
	return true;
}

bool frontier_may_fetch(struct frontier *f, struct str url)
{
	return novelty_may_ask(&f->templates, frontier_template(f, url));
}

enum status frontier_release_held(struct frontier *f, struct str url, struct u128 key,
				  struct diag *why)
{
	struct queued found;
	struct url u;
	bool held;
	enum status st =
		queue_store_find(&f->queues, key, &f->scratch[3], &found, &held, why);

	if (st == ST_NOT_FOUND)
		return ST_OK;
	TRY(st);
	if (!held || url_parse(url, NULL, &f->scratch[0], &u, NULL) != ST_OK)
		return ST_OK;
	uint32_t site = sites_get(&f->sites, &f->lanes, &u);
	TRY(queue_store_unhold(&f->queues, &f->sites.v[site].queue, key, why));
	frontier_wake_site(f, site);
	return ST_OK;
}

enum status frontier_judged(struct frontier *f, const struct frontier_step *s, bool novel,
			    unsigned new_percent, struct diag *why)
{
	struct host_queue *q = &f->sites.v[s->site].queue;
	uint32_t hold = novelty_hold(&f->templates, s->template), n = 0;

	note_judged(f, s->site);
	f->novel += novelty_answer(&f->templates, s->template, novel, new_percent);
	uint32_t held = host_queue_held(q, hold);
	if (held > 0)
		TRY(queue_store_unhold_some(
			&f->queues, q, hold,
			novelty_credit(&f->templates, s->template, held), &n, why));
	if (n > 0)
		frontier_wake_site(f, s->site);
	return frontier_try_held(f, s->site, why);
}

static enum status enqueue_again(struct frontier *f, const struct frontier_step *s,
				 unsigned attempt, struct diag *why)
{
	struct queued_url q = frontier_queued_url(f, s);

	q.attempt = (uint8_t)attempt;
	q.is_again = false; /* it was sent, whatever paid for it */
	f->found--;         /* it is no new one */
	return frontier_enqueue_encoded(f, s->site, s->task.key, s->task.priority, &q,
					f->sites.v[s->site].origin.n, why);
}

enum status frontier_requeue(struct frontier *f, const struct frontier_step *s,
			     struct diag *why)
{
	note_judged(f, s->site);
	return enqueue_again(f, s, s->task.attempt + 1, why);
}

void frontier_free_place(struct frontier *f, uint32_t site)
{
	f->in_flight--;
	lanes_cancel(&f->lanes, &f->sites.v[site].lanes);
	wake_waiters(f, site);
}

enum status frontier_put_back(struct frontier *f, const struct frontier_step *s,
			      struct diag *why)
{
	struct site *site = &f->sites.v[s->site];

	frontier_free_place(f, s->site);
	if (s->task.purpose == PURPOSE_ROBOTS) {
		site->state = SITE_NEEDS_ROBOTS;
		return ST_OK;
	}
	note_judged(f, s->site);
	site->spent.pages--;
	site->spent.sitemaps -= s->task.purpose == PURPOSE_SITEMAP;
	f->sites.domains[site->domain].spent.pages--;
	f->budget.total.pages--;
	if (s->task.attempt == 0 && purpose_is_page(s->task.purpose)) {
		novelty_unask(&f->templates, s->template);
		novelty_note_page(&f->templates, s->template, false);
	}
	return enqueue_again(f, s, s->task.attempt, why);
}

enum status frontier_queue_anyway(struct frontier *f, const struct discovery *d,
				  const struct frontier_page *page, struct diag *why)
{
	f->found--; /* it is no new one */
	return frontier_enqueue(f, d, page, why);
}

bool frontier_is_queued(struct frontier *f, struct u128 key)
{
	struct queued found;
	bool held;

	return queue_store_find(&f->queues, key, &f->scratch[3], &found, &held, NULL) ==
	       ST_OK;
}

void frontier_new_round(struct frontier *f, int64_t now_ms)
{
	for (size_t i = 0; i < f->sites.origins.n; i++)
		f->sites.v[i].spent = (struct spent){ 0 };
	for (size_t i = 0; i < f->sites.names.n; i++)
		f->sites.domains[i].spent = (struct spent){ 0 };
	f->budget.total = f->budget.since = (struct spent){ 0 };
	f->budget.start_ms = now_ms;
}

/* --- the journal of an earlier process --- */

static enum status restore_key(struct frontier *f, struct u128 key, struct diag *why)
{
	struct seen_question q = { .key = key };

	return seen_add(&f->seen, &q, 1, why);
}

enum status frontier_note(struct frontier *f, struct u128 key, struct diag *why)
{
	return restore_key(f, key, why);
}

enum status frontier_restore(struct frontier *f, const struct discovery *d,
			     const struct frontier_page *page, struct diag *why)
{
	TRY(restore_key(f, d->hash, why));
	return frontier_enqueue(f, d, page, why);
}

enum status frontier_restore_later(struct frontier *f, const struct discovery *d,
				   const struct frontier_page *page, struct diag *why)
{
	cleanup(buf_release) struct buf payload = { 0 };
	struct seen_question q = { .key = d->hash };

	frontier_late_encode(f, d, page, page->off_hops, &payload);
	q.payload = buf_str(&payload);
	TRY(seen_add(&f->seen, &q, 1, why));
	return q.answer == SEEN_NEW ? frontier_enqueue(f, d, page, why) : ST_OK;
}

enum status frontier_restore_known(struct frontier *f, struct u128 key, struct diag *why)
{
	return restore_key(f, key, why);
}

void frontier_restore_clock(struct frontier *f, uint32_t site, const struct answer *a)
{
	lanes_stop(&f->lanes, &f->sites.v[site].lanes, a);
}

enum status frontier_restore_refused(struct frontier *f, const struct discovery *d,
				     struct diag *why)
{
	f->refused++;
	return restore_key(f, frontier_refused_key(d->hash), why);
}

static struct template_key restored_template(struct frontier *f, const struct url *url)
{
	struct template_key key = url_template_key(url, &f->scratch[1]);

	return novelty_was_asked(&f->templates, key) ? novelty_again(key) : key;
}

void frontier_restore_answer(struct frontier *f, const struct url *url, bool novel,
			     unsigned new_percent)
{
	f->novel += novelty_answer(&f->templates, restored_template(f, url), novel,
				   new_percent);
}

enum status frontier_restore_done(struct frontier *f, const struct url *url,
				  struct u128 key, bool fetched, uint64_t bytes,
				  struct diag *why)
{
	uint32_t site = sites_get(&f->sites, &f->lanes, url);
	struct site *s = &f->sites.v[site];

	TRY(queue_store_drop(&f->queues, &s->queue, key, why));
	if (!fetched)
		return ST_OK;
	s->spent.pages++;
	s->spent.bytes += bytes;
	f->sites.domains[s->domain].spent.pages++;
	f->sites.domains[s->domain].spent.bytes += bytes;
	f->budget.total.pages++;
	f->budget.total.bytes += bytes;
	/* It was asked, whatever its template had earned. */
	novelty_ask(&f->templates, restored_template(f, url));
	return ST_OK;
}

void frontier_restore_sitemap(struct frontier *f, uint32_t site)
{
	f->sites.v[site].spent.sitemaps++;
}

void frontier_restore_page(struct frontier *f, const struct url *url)
{
	struct template_key key = url_template_key(url, &f->scratch[1]);

	novelty_note_page(&f->templates, key, true);
	novelty_take_moved(&f->templates, key);
}

void frontier_forget_page(struct frontier *f, struct str url)
{
	novelty_note_page(&f->templates, frontier_template(f, url), false);
}

void frontier_resume(struct frontier *f, int64_t now_ms)
{
	for (size_t i = 0; i < f->lanes.names.n; i++)
		lane_resume(&f->lanes.v[i].lane, &f->lanes.rules[f->lanes.v[i].kind],
			    now_ms);
}
