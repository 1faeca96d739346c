/*
 * What is shown while a crawl runs: lines for a terminal, JSON for programs.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/log.h"
#include "crawl/internal.h"
#include "frontier/waiting.h"

static void add_grouped(struct buf *b, uint64_t v)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%llu", (unsigned long long)v);

	for (int i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			buf_add_char(b, ',');
		buf_add_char(b, text[i]);
	}
}

static void add_bytes(struct buf *b, double bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	size_t u = 0;

	for (; bytes >= 1000 && u + 1 < COUNT(units); u++)
		bytes /= 1000;
	buf_addf(b, u == 0 ? "%.0f %s" : "%.1f %s", bytes, units[u]);
}

static void add_time(struct buf *b, int64_t ms)
{
	int64_t s = ms / 1000;

	buf_addf(b, "%lld:%02lld:%02lld", (long long)(s / 3600), (long long)(s / 60 % 60),
		 (long long)(s % 60));
}

struct site_census {
	unsigned active, waiting, dead, done;
	unsigned waits[SITE_WAITS]; /* of the waiting */
};

static struct site_census count_sites(struct crawl *c)
{
	struct frontier *f = &c->frontier;
	struct site_census n = { 0 };
	int64_t now = crawl_time_ms(c);

	for (size_t i = 0; i < f->sites.origins.n; i++) {
		struct site *s = &f->sites.v[i];

		if (s->state == SITE_DEAD)
			n.dead++;
		else if (f->lanes.v[s->lanes.id[LANE_HOST]].lane.in_flight > 0)
			n.active++;
		else if (s->queue.live == 0)
			n.done++;
		else
			n.waits[site_wait_of(f, (uint32_t)i, now)]++;
	}
	for (unsigned k = 0; k < SITE_WAITS; k++)
		n.waiting += n.waits[k];
	return n;
}

/* Pages of the last seconds, smoothed. */
static void update_rate(struct crawl *c)
{
	int64_t now = clock_mono_ms(c->clock);
	double seconds = (double)(now - c->rate_ms) / 1000;

	if (seconds < 0.5)
		return;
	double rate = (double)(c->counts.done - c->rate_done) / seconds;
	c->rate = c->rate_ms == c->start_mono_ms ? rate : 0.7 * c->rate + 0.3 * rate;
	c->rate_ms = now;
	c->rate_done = c->counts.done;
}

static void add_forecast(struct crawl *c, struct buf *b)
{
	uint64_t queued = c->frontier.queues.live;

	if (c->rate < 0.01 || queued == 0)
		return;
	buf_add(b, STR(", at this rate the queue lasts "));
	add_time(b, (int64_t)((double)queued / c->rate * 1000));
}

static void format_lines(struct crawl *c, struct buf *b)
{
	const struct crawl_counts *n = &c->counts;

	add_grouped(b, n->done);
	buf_add(b, STR(" done  "));
	add_grouped(b, c->frontier.queues.live);
	buf_add(b, STR(" queued  "));
	add_grouped(b, c->frontier.found);
	buf_addf(b, " found  %.0f/s  ", c->rate);
	add_bytes(b, (double)n->received_bytes);
	buf_add(b, STR("  "));
	add_grouped(b, n->failed);
	buf_add(b, STR(" failed  "));
	add_time(b, clock_mono_ms(c->clock) - c->start_mono_ms);
	struct site_census s = count_sites(c);
	buf_addf(b, "\nhosts: %u active, %u waiting", s.active, s.waiting);
	buf_add_waits(b, s.waits);
	buf_addf(b, ", %u done, %u given up; %zu requests in flight", s.done, s.dead,
		 fetch_in_flight(c->fetch));
	buf_add(b, STR("\nsame bytes: "));
	add_grouped(b, n->exact);
	buf_add(b, STR(" ("));
	add_bytes(b, (double)n->identical_bytes);
	buf_add(b, STR(" not stored again)  nearly the same: "));
	add_grouped(b, n->near);
	buf_add(b, STR("  skipped by rules: "));
	add_grouped(b, n->rule_skips);
	buf_add(b, STR("  not asked: "));
	add_grouped(b, n->refused + n->dropped);
	add_forecast(c, b);
}

void crawl_format_status(struct crawl *c, struct buf *to)
{
	const struct crawl_counts *n = &c->counts;
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "event", STR("status"));
	json_put_int(&o, "time_ms", clock_wall_ms(c->clock));
	json_put_uint(&o, "pid", (uint64_t)getpid());
	json_put_uint(&o, "done", n->done);
	json_put_uint(&o, "queued", c->frontier.queues.live);
	json_put_uint(&o, "held", c->frontier.queues.held);
	json_put_uint(&o, "found", c->frontier.found);
	json_put_uint(&o, "known", seen_count(&c->frontier.seen));
	json_put_uint(&o, "in_flight", fetch_in_flight(c->fetch));
	json_put_double(&o, "rate", c->rate);
	json_put_uint(&o, "received_bytes", n->received_bytes);
	json_put_uint(&o, "ok", n->ok);
	json_put_uint(&o, "not_modified", n->not_modified);
	json_put_uint(&o, "redirects", n->redirects);
	json_put_uint(&o, "client_errors", n->client_errors);
	json_put_uint(&o, "server_errors", n->server_errors);
	json_put_uint(&o, "failed", n->failed);
	json_put_uint(&o, "retries", n->retries);
	json_put_uint(&o, "exact_duplicates", n->exact);
	json_put_uint(&o, "near_duplicates", n->near);
	json_put_uint(&o, "soft_404", n->soft_404);
	json_put_uint(&o, "novel", n->novel);
	json_put_uint(&o, "revisited", n->revisited);
	json_put_uint(&o, "unchanged", n->unchanged);
	json_put_uint(&o, "changed", n->changed);
	json_put_uint(&o, "gone", n->gone);
	json_put_uint(&o, "not_asked", n->refused + n->dropped);
	json_put_uint(&o, "robots_denied", n->robots_denied);
	json_put_uint(&o, "types_refused", n->types_refused);
	json_put_uint(&o, "skipped_by_rules", n->rule_skips);
	json_put_uint(&o, "bytes_not_stored_again", n->identical_bytes);
	struct site_census s = count_sites(c);
	json_put_uint(&o, "hosts_active", s.active);
	json_put_uint(&o, "hosts_waiting", s.waiting);
	json_key(&o, STR("hosts_waiting_for"));
	json_open(&o, '{');
	for (unsigned k = 0; k < SITE_WAITS; k++)
		json_put_uint(&o, site_wait_names[k], s.waits[k]);
	json_close(&o, '}');
	json_put_uint(&o, "hosts_done", s.done);
	json_put_uint(&o, "hosts_given_up", s.dead);
	json_put_bool(&o, "stopping", c->stopping);
	if (c->ended)
		json_put_str(&o, "ended", str_from(c->why.text));
	json_close(&o, '}');
}

void crawl_tell_status(struct crawl *c)
{
	cleanup(buf_release) struct buf status = { 0 };
	struct str rest, line;

	update_rate(c);
	if (c->settings->json)
		crawl_format_status(c, &status);
	else
		format_lines(c, &status);
	progress_clear(&c->progress);
	rest = buf_str(&status);
	while (str_take_line(&rest, &line))
		log_event(LOG_INFO, "status", STR_FMT, STR_ARG(line));
}

void crawl_show(struct crawl *c, bool last)
{
	cleanup(buf_release) struct buf lines = { 0 };

	update_rate(c);
	if (c->settings->quiet || c->settings->json ||
	    (!last && !progress_due(&c->progress)))
		return;
	format_lines(c, &lines);
	if (last)
		progress_end(&c->progress, buf_str(&lines));
	else
		progress_show(&c->progress, buf_str(&lines));
}
