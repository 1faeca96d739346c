/*
 * What is shown while a crawl runs.
 */
#include <stdio.h>

#include "crawl/display.h"
#include "engine/steps.h"
#include "os/log.h"
#include "report/status.h"

static struct crawl_status status_of(struct crawl *c)
{
	return (struct crawl_status){
		.counts = c->counts,
		.sites = live_census(&c->frontier, crawl_time_ms(c)),
		.queued = c->frontier.queues.live,
		.held = c->frontier.queues.held,
		.found = c->frontier.found,
		.known = seen_count(&c->frontier.seen),
		.in_flight = crawl_in_flight(c),
		.rate = c->rate,
		.time_ms = clock_wall_ms(c->clock),
		.elapsed_ms = clock_mono_ms(c->clock) - c->start_mono_ms,
		.is_stopping = c->stopping,
		.ended = c->ended ? str_from(c->why.text) : STR(""),
	};
}

void crawl_format_status(struct crawl *c, struct buf *to)
{
	struct crawl_status s = status_of(c);

	status_format_json(&s, to);
}

static void format_lines(struct crawl *c, struct buf *to)
{
	struct crawl_status s = status_of(c);

	status_format(&s, to);
}

void crawl_publish(struct crawl *c)
{
	size_t in_flight = crawl_in_flight(c);

	watch_second(&c->watch, &(struct watch_facts){
					.frontier = &c->frontier,
					.rules = c->rules,
					.counts = &c->counts,
					.commits = __atomic_load_n(&c->writer.commits,
								   __ATOMIC_RELAXED),
					.in_flight = in_flight,
					.in_writer = c->items - MIN(c->items, in_flight),
					.injected = c->steer.injected,
					.moved = c->steer.moved,
					.ignored = c->steer.ignored,
					.rate = c->rate,
					.done_before = c->done_before,
					.frontier_ms = crawl_time_ms(c),
					.mono_ms = clock_mono_ms(c->clock),
					.start_mono_ms = c->start_mono_ms,
					.is_paused = c->steer.is_paused,
					.has_ended = c->ended,
				});
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
		log_event(LOG_ANSWER, "status", STR_FMT, STR_ARG(line));
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
