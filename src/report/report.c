#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/date.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/utf8.h"
#include "os/file.h"
#include "report/apps_section.h"
#include "report/plot.h"

#define ROWS_MAX 25 /* of a table; the rest is summed up */

static const char head[] =
	"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "
	"content=\"width=device-width\"><style>";
/* What only the report has, behind the look that it shares with the dashboard. */
static const char own_style[] =
	"body{margin:0 auto;max-width:76rem;padding:1.5rem}"
	"h2{font-size:1.05rem;margin:0 0 "
	".7rem}section{background:var(--panel);border:1px solid "
	"var(--line);border-radius:var(--radius);padding:1rem 1.1rem;margin:0 0 "
	".9rem;min-width:0}"
	".two{display:grid;grid-template-columns:repeat(auto-fit,minmax(24rem,1fr));gap:"
	"0 2rem}"
	".two{align-items:start}td .bar{margin-left:.8rem}.cards{grid-template-columns:"
	"repeat(auto-fit,minmax(8.2rem,1fr))}"
	"@media print{body{max-width:none;padding:0}h2{break-after:avoid}"
	".two{display:block}.card{box-shadow:none}}"
	"@media(max-width:40rem){.two{display:block}}"
	"</style>";

static void add_escaped(struct buf *b, struct str s)
{
	cleanup(buf_release) struct buf clean = { 0 };

	buf_add_utf8_repaired(&clean, s);
	buf_add_markup(b, buf_str(&clean));
}

/* 1234567 as 1,234,567 */
static void add_grouped(struct buf *b, uint64_t n)
{
	char digits[32];
	int len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			buf_add_char(b, ',');
		buf_add_char(b, digits[i]);
	}
}

static void add_bytes(struct buf *b, uint64_t n)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	double v = (double)n;
	size_t u = 0;

	for (; v >= 1000 && u + 1 < COUNT(units); u++)
		v /= 1000;
	buf_addf(b, u ? "%.1f %s" : "%.0f %s", v, units[u]);
}

static void add_card(struct buf *b, const char *what, uint64_t n, bool is_bytes)
{
	buf_add(b, STR("<div class=card><b>"));
	if (is_bytes)
		add_bytes(b, n);
	else
		add_grouped(b, n);
	buf_addf(b, "</b>%s</div>", what);
}

static uint64_t spared(const struct tally *t)
{
	return counts_sum(&t->spared[SPARED_KNOWN]) +
	       counts_sum(&t->spared[SPARED_NOTHING]);
}

static void add_rendered(const struct tally *t, struct buf *b)
{
	if (t->rendered == 0)
		return;
	buf_add(b, STR("<p>Rendered "));
	add_grouped(b, t->rendered);
	buf_add(b, STR(" of "));
	add_grouped(b, t->requests);
	buf_add(b, STR(" answers in a browser; they brought "));
	add_grouped(b, t->rendered_links);
	buf_add(b, STR(" links and "));
	add_bytes(b, t->rendered_bytes);
	buf_add(b, STR(" of text that the plain answers had not.</p>"));
}

static void add_cards(const struct tally *t, struct buf *b)
{
	buf_add(b, STR("<div class=cards>"));
	add_card(b, "requests", t->requests, false);
	add_card(b, "new pages", t->fates[FATE_NEW].requests, false);
	add_card(b, "duplicates",
		 t->fates[FATE_EXACT].requests + t->fates[FATE_NEAR].requests, false);
	add_card(b, "in bodies", t->bytes, true);
	add_card(b, "requests saved", spared(t), false);
	add_card(b, "bytes saved, about", spared(t) * tally_page_bytes(t), true);
	add_card(b, "hosts", t->hosts.n, false);
	add_card(b, "failed", t->failed + t->server_errors, false);
	buf_add(b, STR("</div>"));
	add_rendered(t, b);
}

static void add_bar(struct buf *b, uint64_t n, uint64_t most)
{
	buf_addf(b, "<td style=width:35%%><div class=bar style=width:%.1f%%></div>",
		 100.0 * (double)n / (double)MAX(most, 1));
}

/* The names of enum fate, for people and for programs. */
static const struct {
	const char *title, *key;
} fate_names[FATES] = {
	[FATE_NEW] = { "new page", "new" },
	[FATE_EXACT] = { "duplicate", "exact" },
	[FATE_NEAR] = { "near-duplicate", "near" },
	[FATE_CHANGED] = { "changed since the last visit", "changed" },
	[FATE_UNCHANGED] = { "unchanged since the last visit", "unchanged" },
	[FATE_SOFT_404] = { "soft 404: missing, with status 200", "soft_404" },
	[FATE_REDIRECT] = { "redirect", "redirect" },
	[FATE_REFUSED] = { "error (4xx, 5xx)", "error" },
	[FATE_FAILED] = { "no answer", "failed" },
	[FATE_OWN] = { "robots.txt, probes, checks of rules", "own" },
};

static void add_fates(const struct tally *t, struct buf *b)
{
	buf_add(b, STR("<section><h2>Results of requests</h2><table>"));
	for (size_t i = 0; i < FATES; i++) {
		if (t->fates[i].requests == 0)
			continue;
		buf_addf(b, "<tr><td>%s<td class=n>", fate_names[i].title);
		add_grouped(b, t->fates[i].requests);
		buf_add(b, STR("<td class=n>"));
		add_bytes(b, t->fates[i].bytes);
		add_bar(b, t->fates[i].requests, t->requests);
	}
	buf_add(b, STR("</table></section>"));
}

/* Name, count and a bar, by falling count. */
static void add_counts(const char *title, const struct counts *c, struct buf *b)
{
	uint32_t *order = xcalloc(c->names.n, sizeof(*order));
	uint64_t rest = 0, most = 1;

	counts_order(c, order);
	if (c->names.n)
		most = MAX(c->n[order[0]], 1);
	buf_addf(b, "<section><h2>%s</h2>", title);
	buf_add(b, c->names.n ? STR("<table>") : STR("<p class=mut>none<table>"));
	for (size_t i = 0; i < c->names.n; i++) {
		if (i >= ROWS_MAX) {
			rest += c->n[order[i]];
			continue;
		}
		buf_add(b, STR("<tr><td>"));
		add_escaped(b, intern_str(&c->names, order[i]));
		buf_add(b, STR("<td class=n>"));
		add_grouped(b, c->n[order[i]]);
		add_bar(b, c->n[order[i]], most);
	}
	if (rest) {
		buf_add(b, STR("<tr class=mut><td>all others<td class=n>"));
		add_grouped(b, rest);
		buf_add(b, STR("<td>"));
	}
	buf_add(b, STR("</table></section>"));
	free(order);
}

static const struct tally *sorting_hosts;

static int by_requests(const void *a, const void *b)
{
	const struct host_tally *x = &sorting_hosts->by_host[*(const uint32_t *)a];
	const struct host_tally *y = &sorting_hosts->by_host[*(const uint32_t *)b];

	return x->requests == y->requests ? 0 : x->requests > y->requests ? -1 : 1;
}

static double mean_ms(const struct host_tally *h)
{
	return h->requests ? (double)h->time_ms / (double)h->requests : 0;
}

static int by_slowness(const void *a, const void *b)
{
	double x = mean_ms(&sorting_hosts->by_host[*(const uint32_t *)a]);
	double y = mean_ms(&sorting_hosts->by_host[*(const uint32_t *)b]);

	return x == y ? 0 : x > y ? -1 : 1;
}

static void add_hosts(const struct tally *t, const char *title,
		      int (*order)(const void *, const void *), struct buf *b)
{
	uint32_t *ids = xcalloc(t->hosts.n, sizeof(*ids));

	for (uint32_t i = 0; i < t->hosts.n; i++)
		ids[i] = i;
	sorting_hosts = t;
	if (t->hosts.n)
		qsort(ids, t->hosts.n, sizeof(*ids), order);
	buf_addf(b,
		 "<section><h2>%s</h2><table><tr><th>host<th class=n>requests<th "
		 "class=n>new<th "
		 "class=n>duplicates<th class=n>failed<th class=n>received<th "
		 "class=n>mean "
		 "ms<th class=n>slowest ms",
		 title);
	for (size_t i = 0; i < t->hosts.n && i < ROWS_MAX; i++) {
		const struct host_tally *h = &t->by_host[ids[i]];

		buf_add(b, STR("<tr><td>"));
		add_escaped(b, intern_str(&t->hosts, ids[i]));
		buf_addf(b,
			 "<td class=n>%llu<td class=n>%llu<td class=n>%llu<td "
			 "class=n>%llu<td class=n>",
			 (unsigned long long)h->requests, (unsigned long long)h->novel,
			 (unsigned long long)h->duplicates,
			 (unsigned long long)h->failed);
		add_bytes(b, h->bytes);
		buf_addf(b, "<td class=n>%.0f<td class=n>%llu", mean_ms(h),
			 (unsigned long long)h->slowest_ms);
	}
	buf_add(b, STR("</table></section>"));
	free(ids);
}

static void add_sizes(const struct tally *t, struct buf *b)
{
	unsigned last = 0;

	for (unsigned i = 0; i < SIZE_CLASSES; i++)
		last = t->sizes[i] ? i : last;
	buf_add(b, STR("<section><h2>Sizes of answers</h2><table>"));
	uint64_t most = 1;
	for (unsigned i = 0; i <= last; i++)
		most = MAX(most, t->sizes[i]);
	for (unsigned i = 0; i <= last; i++) {
		buf_add(b, STR("<tr><td>up to "));
		add_bytes(b, (uint64_t)64 << i);
		buf_add(b, STR("<td class=n>"));
		add_grouped(b, t->sizes[i]);
		add_bar(b, t->sizes[i], most);
	}
	buf_add(b, STR("</table></section>"));
}

static void add_span(const struct tally *t, struct buf *b)
{
	if (!t->first_ms) {
		buf_add(b, STR("<p class=mut>No requests yet.</p>"));
		return;
	}
	buf_add(b, STR("<p class=mut>"));
	buf_add_date_iso(b, t->first_ms, false);
	buf_add(b, STR(" to "));
	buf_add_date_iso(b, t->last_ms, false);
	double seconds = (double)(t->last_ms - t->first_ms) / 1000;
	buf_addf(b, ", %.0f s", seconds);
	if (seconds >= 1)
		buf_addf(b, ", %.1f requests per second", (double)t->requests / seconds);
	if (t->bad_lines)
		buf_addf(b, "; %llu lines of the log could not be read",
			 (unsigned long long)t->bad_lines);
	buf_add(b, STR("</p>"));
}

void report_add_html(const struct tally *t, struct str title, struct buf *b)
{
	buf_add(b, str_from(head));
	buf_add(b, look_css);
	buf_add(b, str_from(own_style));
	buf_add(b, STR("<title>Crawl of "));
	add_escaped(b, title);
	buf_add(b, STR("</title><h1>"));
	add_escaped(b, title);
	buf_add(b, STR("</h1>"));
	add_span(t, b);
	add_cards(t, b);
	buf_add(b, STR("<div class=two><section><h2>New pages over requests</h2>"));
	plot_line(&(struct plot){ .y = t->unique_at,
				  .n = t->curve_n,
				  .x_max = (double)t->requests,
				  .x_name = "requests",
				  .ideal = true },
		  b);
	buf_add(b, STR("</section><section><h2>Requests per second</h2>"));
	plot_line(&(struct plot){ .y = t->rate,
				  .n = t->curve_n,
				  .x_max = (double)(t->last_ms - t->first_ms) / 1000,
				  .x_name = "seconds" },
		  b);
	buf_add(b, STR("</section></div><div class=two>"));
	add_fates(t, b);
	add_counts("Skipped: page known under another URL", &t->spared[SPARED_KNOWN], b);
	add_counts("Refused: nothing new to expect", &t->spared[SPARED_NOTHING], b);
	add_counts("Refused: out of scope, robots-denied, limits",
		   &t->spared[SPARED_OUTSIDE], b);
	add_counts("Answers by status", &t->statuses, b);
	add_counts("Languages", &t->languages, b);
	add_counts("Types", &t->mimes, b);
	add_sizes(t, b);
	buf_add(b, STR("</div>"));
	add_counts("Traps and templates that brought nothing new", &t->traps, b);
	apps_section_add(&t->apps, b);
	add_hosts(t, "Hosts", by_requests, b);
	add_hosts(t, "Slowest hosts", by_slowness, b);
	buf_add(b, STR("</html>\n"));
}

static void put_counts(struct json_out *o, const char *name, const struct counts *c)
{
	json_key(o, str_from(name));
	json_open(o, '{');
	for (uint32_t i = 0; i < c->names.n; i++) {
		json_key(o, intern_str(&c->names, i));
		json_add_uint(o, c->n[i]);
	}
	json_close(o, '}');
}

void report_add_json(const struct tally *t, struct buf *to)
{
	cleanup(buf_release) struct buf apps = { 0 };
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_uint(&o, "requests", t->requests);
	for (size_t i = 0; i < FATES; i++) {
		char bytes[32];

		snprintf(bytes, sizeof(bytes), "%s_bytes", fate_names[i].key);
		json_put_uint(&o, fate_names[i].key, t->fates[i].requests);
		json_put_uint(&o, bytes, t->fates[i].bytes);
	}
	json_put_uint(&o, "bytes", t->bytes);
	json_put_uint(&o, "ok", t->ok);
	json_put_uint(&o, "not_modified", t->not_modified);
	json_put_uint(&o, "redirects", t->redirects);
	json_put_uint(&o, "client_errors", t->client_errors);
	json_put_uint(&o, "server_errors", t->server_errors);
	json_put_uint(&o, "hosts", t->hosts.n);
	json_put_uint(&o, "spared", spared(t));
	json_put_uint(&o, "spared_bytes_about", spared(t) * tally_page_bytes(t));
	json_put_int(&o, "first_ms", t->first_ms);
	json_put_int(&o, "last_ms", t->last_ms);
	put_counts(&o, "spared_known", &t->spared[SPARED_KNOWN]);
	put_counts(&o, "spared_nothing_new", &t->spared[SPARED_NOTHING]);
	put_counts(&o, "outside", &t->spared[SPARED_OUTSIDE]);
	put_counts(&o, "traps", &t->traps);
	put_counts(&o, "status", &t->statuses);
	put_counts(&o, "languages", &t->languages);
	put_counts(&o, "types", &t->mimes);
	app_summary_json(&t->apps, &apps);
	json_key(&o, STR("applications"));
	json_add_raw(&o, str_trim(buf_str(&apps)));
	json_close(&o, '}');
	buf_add_char(to, '\n');
}

enum status report_write(const char *dir, struct diag *why)
{
	cleanup(tally_release) struct tally t = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	char path[4096];

	TRY(tally_load(&t, dir, why));
	report_add_html(&t, str_from(dir), &b);
	snprintf(path, sizeof(path), "%s/report.html", dir);
	return file_save(path, buf_str(&b), why);
}
