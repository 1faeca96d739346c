#include "base/encode.h"
#include "base/utf8.h"
#include "report/plot.h"
#include "simulate/comparison.h"

_Static_assert(COLUMNS_MAX <= PLOT_OTHERS + 1, "a line for each column");

static const char head[] =
	"<!doctype html><html lang=en><meta charset=utf-8>"
	"<meta name=viewport content='width=device-width'><title>simulated crawls</title>"
	"<style>:root{--c0:#0b62c4;--c1:#b3541e;--c2:#1d7a46;--c3:#8a3fa0;--c4:#a08000;"
	"--c5:#c0306a;--c6:#3d8f9e;--c7:#666;--line:#d5dae0;--mut:#5b6570;"
	"color-scheme:light dark}"
	"@media(prefers-color-scheme:dark){:root{--c0:#6db1ff;--c1:#ffb27a;--c2:#6fd49b;"
	"--c3:#d79bea;--c4:#e5cf5a;--c5:#ff8fbb;--c6:#86d3e0;--c7:#aaa;--line:#333a42;"
	"--mut:#9aa4ae}}"
	"body{margin:0 auto;max-width:60rem;padding:1.5rem;font:16px/1.5 "
	"system-ui,sans-serif}"
	"h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}"
	"table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;"
	"border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums}"
	"td:first-child,th:first-child{text-align:left;white-space:pre}"
	"svg{width:100%;height:auto}svg text{fill:var(--mut);font-size:11px}"
	"svg .grid{stroke:var(--line)}svg [class^=line]{fill:none;stroke-width:2}"
	"svg .line{stroke:var(--c0)}svg .line1{stroke:var(--c1)}svg "
	".line2{stroke:var(--c2)}"
	"svg .line3{stroke:var(--c3)}svg .line4{stroke:var(--c4)}svg "
	".line5{stroke:var(--c5)}"
	"svg .line6{stroke:var(--c6)}svg .line7{stroke:var(--c7)}"
	".key b{font-weight:600}.key span{margin-right:1.5rem}</style>";

static void add_name(const struct crawl_outcome *o, struct buf *to)
{
	cleanup(buf_release) struct buf clean = { 0 };

	buf_add_utf8_repaired(&clean, o->name);
	buf_add_markup(to, buf_str(&clean));
}

static void add_key(const struct comparison *c, struct buf *to)
{
	buf_add(to, STR("<p class=key>"));
	for (size_t k = 0; k < c->n; k++) {
		buf_addf(to, "<span><b style='color:var(--c%zu)'>&#9644;</b> ", k);
		add_name(&c->v[k], to);
		buf_add(to, STR("</span>"));
	}
	buf_add(to, STR("</p>"));
}

/* One number of each column at each of CURVE_STEPS + 1 or PERIODS places. */
typedef double curve_fn(const struct comparison *c, size_t k, size_t at);

static uint64_t requests_at(const struct comparison *c, size_t at)
{
	return comparison_requests(c) * at / CURVE_STEPS;
}

static double new_pages(const struct comparison *c, size_t k, size_t at)
{
	return (double)crawl_outcome_new_after(&c->v[k], requests_at(c, at));
}

static double total_relevance(const struct comparison *c, size_t k, size_t at)
{
	return crawl_outcome_relevance_after(&c->v[k], requests_at(c, at));
}

static void add_curves(const struct comparison *c, const char *title, curve_fn *value,
		       size_t n, struct buf *to)
{
	double y[COLUMNS_MAX][CURVE_STEPS + 1];
	struct plot p = { .y = y[0],
			  .n = n,
			  .x_max = (double)comparison_requests(c),
			  .x_name = "requests" };

	for (size_t k = 0; k < c->n; k++) {
		for (size_t at = 0; at < n; at++)
			y[k][at] = value(c, k, at);
		if (k > 0)
			p.others[k - 1] = y[k];
	}
	buf_addf(to, "<h2>%s</h2>", title);
	add_key(c, to);
	plot_line(&p, to);
}

static void add_row(const struct comparison *c, const char *label, const uint64_t *values,
		    struct buf *to)
{
	buf_addf(to, "<tr><td>%s", label);
	for (size_t k = 0; k < c->n; k++)
		buf_addf(to, "<td>%llu", (unsigned long long)values[k]);
	buf_add_char(to, '\n');
}

static void add_table(const struct comparison *c, struct buf *to)
{
	uint64_t values[COLUMNS_MAX];

	buf_add(to, STR("<h2>Counts</h2><table><tr><th>"));
	for (size_t k = 0; k < c->n; k++) {
		buf_add(to, STR("<th>"));
		add_name(&c->v[k], to);
	}
	for (const struct comparison_row *r = comparison_rows; r->name; r++) {
		for (size_t k = 0; k < c->n; k++)
			values[k] = comparison_value(&c->v[k], r);
		add_row(c, r->label, values, to);
	}
	for (enum reason r = 0; r < REASONS; r++) {
		cleanup(buf_release) struct buf label = { 0 };

		if (!comparison_has_reason(c, r, false))
			continue;
		for (size_t k = 0; k < c->n; k++)
			values[k] = c->v[k].reasons[r];
		buf_addf(&label, "not fetched, " STR_FMT ":" STR_FMT "%c",
			 STR_ARG(reason_table[r].stage), STR_ARG(reason_table[r].word),
			 '\0');
		add_row(c, label.p, values, to);
	}
	buf_add(to, STR("</table>"));
}

void comparison_add_html(const struct comparison *c, struct buf *to)
{
	buf_add(to, str_from(head));
	buf_addf(to,
		 "<h1>Simulated crawls</h1><p>The archive has %llu answers, %llu pages, "
		 "%llu distinct contents.</p>",
		 (unsigned long long)c->answers, (unsigned long long)c->pages,
		 (unsigned long long)c->contents);
	if (comparison_has_relevance(c)) {
		add_curves(c, "Relevance per request, by period", comparison_period,
			   PERIODS, to);
		add_curves(c, "Relevance in all after so many requests", total_relevance,
			   CURVE_STEPS + 1, to);
	}
	add_curves(c, "New pages after so many requests", new_pages, CURVE_STEPS + 1, to);
	add_table(c, to);
	buf_add(to, STR("</html>\n"));
}
