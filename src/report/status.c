#include "report/status.h"

#include <stdio.h>
#include <unistd.h>

#include "base/json.h"

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

static void add_forecast(const struct crawl_status *s, struct buf *b)
{
	uint64_t queued = s->queued;

	if (s->rate < 0.01 || queued == 0)
		return;
	buf_add(b, STR(", at this rate the queue lasts "));
	add_time(b, (int64_t)((double)queued / s->rate * 1000));
}

void status_format(const struct crawl_status *s, struct buf *b)
{
	const struct crawl_counts *n = &s->counts;

	add_grouped(b, n->done);
	buf_add(b, STR(" fetched  "));
	add_grouped(b, s->queued);
	buf_add(b, STR(" queued  "));
	add_grouped(b, s->found);
	buf_addf(b, " found  %.0f/s  ", s->rate);
	add_bytes(b, (double)n->received_bytes);
	buf_add(b, STR("  "));
	add_grouped(b, counts_failed(n));
	buf_add(b, STR(" failed  "));
	add_time(b, s->elapsed_ms);
	buf_addf(b, "\nhosts: %u active, %u waiting", s->sites.active, s->sites.waiting);
	buf_add_waits(b, s->sites.waits);
	buf_addf(b, ", %u done, %u given up; %llu requests in flight", s->sites.done,
		 s->sites.dead, (unsigned long long)s->in_flight);
	buf_add(b, STR("\nduplicates: "));
	add_grouped(b, n->exact);
	buf_add(b, STR(" ("));
	add_bytes(b, (double)n->identical_bytes);
	buf_add(b, STR(" not stored again)  near-duplicates: "));
	add_grouped(b, n->near);
	buf_add(b, STR("  skipped by rules: "));
	add_grouped(b, n->rule_skips);
	buf_add(b, STR("  refused: "));
	add_grouped(b, n->refused + n->dropped);
	add_forecast(s, b);
}

void status_format_json(const struct crawl_status *s, struct buf *to)
{
	const struct crawl_counts *n = &s->counts;
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "event", STR("status"));
	json_put_int(&o, "time_ms", s->time_ms);
	json_put_uint(&o, "pid", (uint64_t)getpid());
	json_put_uint(&o, "done", n->done);
	json_put_uint(&o, "queued", s->queued);
	json_put_uint(&o, "held", s->held);
	json_put_uint(&o, "found", s->found);
	json_put_uint(&o, "known", s->known);
	json_put_uint(&o, "in_flight", s->in_flight);
	json_put_double(&o, "rate", s->rate);
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
	json_put_uint(&o, "refused", n->refused + n->dropped);
	json_put_uint(&o, "robots_denied", n->robots_denied);
	json_put_uint(&o, "types_refused", n->types_refused);
	json_put_uint(&o, "skipped_by_rules", n->rule_skips);
	json_put_uint(&o, "bytes_not_stored_again", n->identical_bytes);
	json_put_uint(&o, "rendered", n->rendered);
	json_put_uint(&o, "render_failed", n->render_failed);
	json_put_uint(&o, "render_paid", n->render_paid);
	json_put_uint(&o, "render_new_links", n->render_links);
	json_put_uint(&o, "render_new_text_bytes", n->render_text_bytes);
	json_put_uint(&o, "render_refused_requests", n->render_refused);
	json_put_uint(&o, "render_requests_from_memory", n->render_from_memory);
	json_put_uint(&o, "render_wanted", n->render_wanted);
	json_put_uint(&o, "module_sent", n->module_sent);
	json_put_uint(&o, "module_answered", n->module_answered);
	json_put_uint(&o, "module_missed", n->module_missed);
	json_put_uint(&o, "hosts_active", s->sites.active);
	json_put_uint(&o, "hosts_waiting", s->sites.waiting);
	json_key(&o, STR("hosts_waiting_for"));
	json_open(&o, '{');
	for (unsigned k = 0; k < SITE_WAITS; k++)
		json_put_uint(&o, site_wait_names[k], s->sites.waits[k]);
	json_close(&o, '}');
	json_put_uint(&o, "hosts_done", s->sites.done);
	json_put_uint(&o, "hosts_given_up", s->sites.dead);
	json_put_bool(&o, "stopping", s->is_stopping);
	if (s->ended.n > 0)
		json_put_str(&o, "ended", s->ended);
	json_close(&o, '}');
}
