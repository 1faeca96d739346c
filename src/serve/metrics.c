/*
 * metrics.c - GET /metrics, in the text format of Prometheus (version 0.0.4).
 *
 * Numbers come from the crawl's snapshots.  No label has a value from the web but for a
 * few hosts; base units; counters end in _total.
 */
#include "dust/rule_file.h"
#include "os/file.h"
#include "serve/views.h"

struct metric {
	const char *name, *type, *help;
	const char *label; /* name of the label; NULL: none */
};

struct sources {
	struct json *status, *live;
};

static void add_head(struct buf *b, const struct metric *m)
{
	buf_addf(b, "# HELP %s %s\n# TYPE %s %s\n", m->name, m->help, m->name, m->type);
}

static void add_sample(struct buf *b, const struct metric *m, struct str value,
		       double number)
{
	if (m->label)
		buf_addf(b, "%s{%s=\"" STR_FMT "\"} %.17g\n", m->name, m->label,
			 STR_ARG(value), number);
	else
		buf_addf(b, "%s %.17g\n", m->name, number);
}

/* --- what is a field of a snapshot --- */

struct field {
	const char *value; /* of the label */
	const char *field; /* of status.json */
};

struct labelled {
	struct metric metric;
	struct field fields[8];
};

static const struct labelled from_status[] = {
	{ { "thresh_requests_total", "counter", "Answers by class of status.", "class" },
	  { { "2xx", "ok" },
	    { "3xx", "redirects" },
	    { "4xx", "client_errors" },
	    { "5xx", "server_errors" },
	    { "none", "failed" } } },
	{ { "thresh_pages_total", "counter", "URLs that were answered and judged.",
	    NULL },
	  { { "", "done" } } },
	{ { "thresh_new_pages_total", "counter", "Pages that are no duplicates.", NULL },
	  { { "", "novel" } } },
	{ { "thresh_retries_total", "counter", "Requests that were sent again.", NULL },
	  { { "", "retries" } } },
	{ { "thresh_received_bytes_total", "counter", "Bytes received.", NULL },
	  { { "", "received_bytes" } } },
	{ { "thresh_duplicates_total", "counter",
	    "Duplicates, predicted ones without a request.", "kind" },
	  { { "exact", "exact_duplicates" },
	    { "near", "near_duplicates" },
	    { "predicted", "skipped_by_rules" } } },
	{ { "thresh_avoided_requests_total", "counter",
	    "URLs that were not requested, by what saved the request.", "rule_class" },
	  { { "url_rule", "skipped_by_rules" }, { "refused", "refused" } } },
	{ { "thresh_frontier_urls", "gauge", "URLs in the frontier.", "state" },
	  { { "queued", "queued" },
	    { "held", "held" },
	    { "inflight", "in_flight" },
	    { "known", "known" } } },
	{ { "thresh_found_urls_total", "counter", "Distinct URLs queued so far.", NULL },
	  { { "", "found" } } },
	{ { "thresh_hosts", "gauge", "Hosts by state.", "state" },
	  { { "active", "hosts_active" },
	    { "waiting", "hosts_waiting" },
	    { "done", "hosts_done" },
	    { "given_up", "hosts_given_up" } } },
	{ { "thresh_pages_per_second", "gauge", "Rate of the last seconds.", NULL },
	  { { "", "rate" } } },
};

static const struct labelled from_live[] = {
	{ { "thresh_disk_free_bytes", "gauge", "Free space on the crawl's disk.", NULL },
	  { { "", "disk_free_bytes" } } },
	{ { "thresh_memory_bytes", "gauge", "Resident memory of the crawl.", NULL },
	  { { "", "memory_bytes" } } },
	{ { "thresh_warc_queue_records", "gauge", "Pages on their way to the archive.",
	    NULL },
	  { { "", "warc_queue" } } },
	{ { "thresh_commits_total", "counter", "Commits of this process.", NULL },
	  { { "", "commits" } } },
	{ { "thresh_injected_urls_total", "counter",
	    "URLs taken from the inbox by this process.", "result" },
	  { { "queued", "injected" }, { "moved", "moved" }, { "ignored", "ignored" } } },
};

static void add_labelled(struct buf *b, const struct labelled *v, size_t n,
			 const struct json *from)
{
	for (size_t i = 0; i < n; i++) {
		add_head(b, &v[i].metric);
		for (size_t k = 0; k < COUNT(v[i].fields) && v[i].fields[k].field; k++)
			add_sample(b, &v[i].metric, str_from(v[i].fields[k].value),
				   json_number(json_get(from, v[i].fields[k].field), 0));
	}
}

/* --- what is an object of numbers --- */

static void add_object(struct buf *b, const struct metric *m, const struct json *from,
		       double factor)
{
	add_head(b, m);
	for (const struct json *v = json_first(from); v; v = json_next(v))
		add_sample(b, m, json_name(v), json_number(v, 0) * factor);
}

/* The bounds are those of report/live.h, in seconds. */
static void add_durations(struct buf *b, const struct json *live)
{
	static const char *const bounds[] = { "0.01", "0.025", "0.05", "0.1",
					      "0.25", "0.5",   "1",    "2.5",
					      "10",   "60",    "+Inf" };
	const char *name = "thresh_fetch_duration_seconds";
	double sum = 0;
	size_t i = 0;

	buf_addf(
		b,
		"# HELP %s Time until the last byte of an answer.\n# TYPE %s histogram\n",
		name, name);
	for (const struct json *v = json_first(json_get(live, "durations"));
	     v && i < COUNT(bounds); v = json_next(v)) {
		sum += json_number(v, 0);
		buf_addf(b, "%s_bucket{le=\"%s\"} %.17g\n", name, bounds[i++], sum);
	}
	buf_addf(b, "%s_sum %.17g\n%s_count %.17g\n", name,
		 json_number(json_get(live, "duration_sum_ms"), 0) / 1000, name, sum);
}

/* --- rules, archive --- */

static void add_rules(const struct service *s, struct buf *b)
{
	static const struct metric states = { "thresh_rules", "gauge",
					      "URL rules by state.", "state" };
	static const struct metric probes = { "thresh_probe_total", "counter",
					      "Fetches that tested a URL rule.",
					      "result" };
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(rule_set_release) struct rule_set rules = { 0 };
	char *dir = path_join(&a, s->dir, STR("rules"));
	double n[RULE_STATES] = { 0 }, refuted = 0, all = 0;
	struct diag why;

	if (dir_exists(dir) && rules_load(dir, &rules, &why) != ST_OK)
		return;
	for (size_t i = 0; i < rules.n; i++) {
		n[rules.v[i].state]++;
		all += (double)rules.v[i].evidence.probes;
		refuted += (double)rules.v[i].evidence.contradictions;
	}
	add_head(b, &states);
	for (unsigned k = 0; k < RULE_STATES; k++)
		add_sample(b, &states, rule_state_words[k], n[k]);
	add_head(b, &probes);
	add_sample(b, &probes, STR("confirmed"), all - refuted);
	add_sample(b, &probes, STR("refuted"), refuted);
}

static void add_stored(const struct service *s, struct buf *b)
{
	static const struct metric m = { "thresh_stored_bytes_total", "counter",
					 "Bytes of WARC files.", NULL };
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list names = { 0 };
	char *dir = path_join(&a, s->dir, STR("archive"));
	uint64_t sum = 0, size;
	struct diag why;

	if (dir_exists(dir) && dir_list(dir, STR(""), &a, &names, &why) == ST_OK)
		for (size_t i = 0; i < names.n; i++)
			if (file_size(path_join(&a, dir, names.v[i]), &size, &why) ==
			    ST_OK)
				sum += size;
	add_head(b, &m);
	add_sample(b, &m, STR(""), (double)sum);
}

/* What the requests that were not made would have cost, by the average page. */
static void add_avoided_bytes(const struct json *status, struct buf *b)
{
	static const struct metric m = { "thresh_avoided_bytes_total", "counter",
					 "Bytes of URLs that were not requested, "
					 "estimated by the average page.",
					 "method" };
	double done = json_number(json_get(status, "done"), 0);
	double bytes = json_number(json_get(status, "received_bytes"), 0);
	double skipped = json_number(json_get(status, "skipped_by_rules"), 0);

	add_head(b, &m);
	add_sample(b, &m, STR("average_page"), done > 0 ? skipped * bytes / done : 0);
}

void view_metrics(struct service *s, const struct request *q, struct response *r)
{
	static const struct metric errors = { "thresh_fetch_errors_total", "counter",
					      "Requests without an answer, by cause.",
					      "kind" };
	static const struct metric idle = { "thresh_idle_seconds_total", "counter",
					    "Time with nothing in flight, by cause.",
					    "reason" };
	static const struct metric events = { "thresh_events_total", "counter",
					      "Events by kind.", "kind" };
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(json_release) struct json *status = NULL, *live = NULL;
	struct buf *b = &r->body;

	(void)q;
	load_snapshot(s, STR("state/status.json"), &text);
	if (json_parse(buf_str(&text), &status, NULL) != ST_OK)
		status = NULL;
	buf_reset(&text);
	load_snapshot(s, STR("state/live.json"), &text);
	if (json_parse(buf_str(&text), &live, NULL) != ST_OK)
		live = NULL;
	r->status = 200;
	r->content_type = "text/plain; version=0.0.4; charset=utf-8";
	buf_addf(b, "# HELP thresh_build_info Version of the program.\n"
		    "# TYPE thresh_build_info gauge\n"
		    "thresh_build_info{version=\"" THRESH_VERSION "\"} 1\n");
	buf_addf(b,
		 "# HELP thresh_up Whether a crawl runs in the folder.\n"
		 "# TYPE thresh_up gauge\nthresh_up %d\n",
		 service_runs(s));
	add_labelled(b, from_status, COUNT(from_status), status);
	add_labelled(b, from_live, COUNT(from_live), live);
	add_object(b, &errors, json_get(live, "errors"), 1);
	add_object(b, &idle, json_get(live, "idle_ms"), 0.001);
	add_object(b, &events, json_get(live, "events"), 1);
	add_durations(b, live);
	add_avoided_bytes(status, b);
	add_stored(s, b);
	add_rules(s, b);
}
