#include "simulate/comparison.h"

#include <stdio.h>

#include "base/json.h"

#define AT(field) offsetof(struct crawl_outcome, field)

const struct comparison_row comparison_rows[] = {
	{ "requests", "requests", AT(requests) },
	{ "pages", "  pages (2xx)", AT(pages) },
	{ "redirects", "  redirects", AT(redirects) },
	{ "absent", "  client errors (4xx)", AT(absent) },
	{ "failed", "  failed", AT(failed) },
	{ "not_in_archive", "  not in the archive", AT(unknown) },
	{ "new", "new pages", AT(found_new) },
	{ "relevant", "  relevant", AT(relevant) },
	{ "duplicates", "duplicates", AT(duplicates) },
	{ "near_duplicates", "near-duplicates", AT(near_duplicates) },
	{ "fetched", "URLs fetched", AT(ends[END_FETCHED]) },
	{ "skipped", "  skipped by URL rules", AT(ends[END_SKIPPED]) },
	{ "refused", "  refused", AT(ends[END_REFUSED]) },
	{ "dropped", "  dropped", AT(ends[END_DROPPED]) },
	{ "queued", "  left in the queue", AT(ends[END_QUEUED]) },
	{ "lost_pages", "recorded pages not fetched", AT(lost_pages) },
	{ "lost_never_found", "  never found", AT(lost_ends[END_NEVER_FOUND]) },
	{ "lost_queued", "  left in the queue", AT(lost_ends[END_QUEUED]) },
	{ "lost_skipped", "  skipped by URL rules", AT(lost_ends[END_SKIPPED]) },
	{ "lost_refused", "  refused", AT(lost_ends[END_REFUSED]) },
	{ "lost_dropped", "  dropped", AT(lost_ends[END_DROPPED]) },
	{ "lost_contents", "recorded contents lost", AT(lost_contents) },
	{ NULL, NULL, 0 },
};

bool comparison_has_reason(const struct comparison *c, enum reason r, bool lost)
{
	for (size_t k = 0; k < c->n; k++)
		if ((lost ? c->v[k].lost_reasons : c->v[k].reasons)[r] > 0)
			return r != REASON_NONE;
	return false;
}

uint64_t comparison_requests(const struct comparison *c)
{
	uint64_t most = 0;

	for (size_t k = 0; k < c->n; k++)
		most = MAX(most, c->v[k].requests);
	return most;
}

bool comparison_has_relevance(const struct comparison *c)
{
	return c->n > 0 && c->v[0].has_relevance;
}

double comparison_period(const struct comparison *c, size_t k, size_t at)
{
	const struct crawl_outcome *o = &c->v[k];
	uint64_t most = comparison_requests(c);
	uint64_t from = most * at / PERIODS,
		 to = MIN(most * (at + 1) / PERIODS, o->requests);

	if (to <= from)
		return 0;
	return (crawl_outcome_relevance_after(o, to) -
		crawl_outcome_relevance_after(o, from)) /
	       (double)(to - from);
}

/* --- text --- */

#define LABEL_WIDTH  30
#define COLUMN_WIDTH 16

static void add_label(struct buf *to, const char *label)
{
	buf_addf(to, "%-*s", LABEL_WIDTH, label);
}

static void add_cell(struct buf *to, struct str text)
{
	struct str cut = str_slice(
		text, text.n > COLUMN_WIDTH - 2 ? text.n - (COLUMN_WIDTH - 2) : 0,
		text.n);

	buf_addf(to, "%*s" STR_FMT, (int)(COLUMN_WIDTH - cut.n), "", STR_ARG(cut));
}

static void add_count(struct buf *to, uint64_t n)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%llu", (unsigned long long)n);

	add_cell(to, (struct str){ text, (size_t)len });
}

static void add_reasons(const struct comparison *c, struct buf *to)
{
	for (enum reason r = 0; r < REASONS; r++) {
		char label[64];

		if (!comparison_has_reason(c, r, false))
			continue;
		snprintf(label, sizeof(label), "  " STR_FMT ":" STR_FMT,
			 STR_ARG(reason_table[r].stage), STR_ARG(reason_table[r].word));
		add_label(to, label);
		for (size_t k = 0; k < c->n; k++)
			add_count(to, c->v[k].reasons[r]);
		buf_add_char(to, '\n');
	}
}

static void add_shares(const struct comparison *c, double share, struct buf *to)
{
	char label[64];
	uint64_t most = 0;

	for (size_t k = 0; k < c->n; k++)
		most = MAX(most, c->v[k].found_new);
	snprintf(label, sizeof(label), "  requests for %.0f %% of %llu", 100 * share,
		 (unsigned long long)most);
	add_label(to, label);
	for (size_t k = 0; k < c->n; k++) {
		uint64_t n = crawl_outcome_requests_for(&c->v[k], share, most);

		if (n > 0)
			add_count(to, n);
		else
			add_cell(to, STR("-"));
	}
	buf_add_char(to, '\n');
}

static void add_decimal(struct buf *to, double v, int digits)
{
	char text[48];
	int n = snprintf(text, sizeof(text), "%.*f", digits, v);

	add_cell(to, (struct str){ text, (size_t)n });
}

/* What the pages were worth by what is wanted. */
static void add_relevance(const struct comparison *c, struct buf *to)
{
	uint64_t most = comparison_requests(c);

	add_label(to, "relevance in all");
	for (size_t k = 0; k < c->n; k++)
		add_decimal(to, crawl_outcome_relevance_after(&c->v[k], UINT64_MAX), 1);
	buf_add(to, STR("\nrelevance per request\n"));
	for (size_t at = 0; at < PERIODS; at++) {
		char label[64];

		snprintf(label, sizeof(label), "  requests %llu to %llu",
			 (unsigned long long)(most * at / PERIODS + 1),
			 (unsigned long long)(most * (at + 1) / PERIODS));
		add_label(to, label);
		for (size_t k = 0; k < c->n; k++) {
			if (most * at / PERIODS < c->v[k].requests)
				add_decimal(to, comparison_period(c, k, at), 3);
			else
				add_cell(to, STR("-"));
		}
		buf_add_char(to, '\n');
	}
}

static void add_time(const struct comparison *c, struct buf *to)
{
	add_label(to, "time in the simulation");
	for (size_t k = 0; k < c->n; k++) {
		int64_t s = c->v[k].duration_ms / 1000;
		char text[32];
		int n = snprintf(text, sizeof(text), "%lld:%02d:%02d",
				 (long long)(s / 3600), (int)(s / 60 % 60),
				 (int)(s % 60));

		add_cell(to, (struct str){ text, (size_t)n });
	}
	buf_add_char(to, '\n');
}

void comparison_add_text(const struct comparison *c, struct buf *to)
{
	buf_addf(to, "archive: %llu answers, %llu pages, %llu distinct contents\n",
		 (unsigned long long)c->answers, (unsigned long long)c->pages,
		 (unsigned long long)c->contents);
	add_label(to, "");
	for (size_t k = 0; k < c->n; k++)
		add_cell(to, c->v[k].name);
	buf_add_char(to, '\n');
	for (const struct comparison_row *r = comparison_rows; r->name; r++) {
		add_label(to, r->label);
		for (size_t k = 0; k < c->n; k++)
			add_count(to, comparison_value(&c->v[k], r));
		buf_add_char(to, '\n');
		if (r->offset == AT(relevant)) {
			add_shares(c, 0.5, to);
			add_shares(c, 0.9, to);
		}
	}
	if (comparison_has_relevance(c))
		add_relevance(c, to);
	add_time(c, to);
	buf_add(to, STR("URLs not fetched, by reason\n"));
	add_reasons(c, to);
}

/* --- JSON --- */

static void put_reasons(struct json_out *o, const char *name, const uint64_t *n)
{
	json_key(o, str_from(name));
	json_open(o, '{');
	for (enum reason r = REASON_NONE + 1; r < REASONS; r++) {
		cleanup(buf_release) struct buf key = { 0 };

		if (n[r] == 0)
			continue;
		buf_addf(&key, STR_FMT ":" STR_FMT, STR_ARG(reason_table[r].stage),
			 STR_ARG(reason_table[r].word));
		json_key(o, buf_str(&key));
		json_add_uint(o, n[r]);
	}
	json_close(o, '}');
}

static void put_curve(struct json_out *o, const struct crawl_outcome *v,
		      uint64_t requests)
{
	json_key(o, STR("new_pages_after"));
	json_open(o, '[');
	for (uint64_t k = 0; k <= CURVE_STEPS; k++) {
		uint64_t at = requests * k / CURVE_STEPS;

		json_open(o, '[');
		json_add_uint(o, at);
		json_add_uint(o, crawl_outcome_new_after(v, at));
		json_close(o, ']');
		if (at >= v->requests)
			break;
	}
	json_close(o, ']');
}

/* [requests, relevant pages, their relevance added up] */
static void put_relevance(struct json_out *o, const struct crawl_outcome *v,
			  uint64_t requests)
{
	json_key(o, STR("relevance_after"));
	json_open(o, '[');
	for (uint64_t k = 0; k <= CURVE_STEPS; k++) {
		uint64_t at = requests * k / CURVE_STEPS;

		json_open(o, '[');
		json_add_uint(o, at);
		json_add_uint(o, crawl_outcome_relevant_after(v, at));
		json_add_double(o, crawl_outcome_relevance_after(v, at));
		json_close(o, ']');
		if (at >= v->requests)
			break;
	}
	json_close(o, ']');
}

static void put_outcome(struct json_out *o, const struct crawl_outcome *v,
			uint64_t requests)
{
	json_open(o, '{');
	json_put_str(o, "name", v->name);
	for (const struct comparison_row *r = comparison_rows; r->name; r++)
		json_put_uint(o, r->name, comparison_value(v, r));
	json_put_uint(o, "bytes", v->bytes);
	json_put_int(o, "time_ms", v->duration_ms);
	put_reasons(o, "not_fetched", v->reasons);
	put_reasons(o, "lost", v->lost_reasons);
	put_curve(o, v, requests);
	if (v->has_relevance)
		put_relevance(o, v, requests);
	json_close(o, '}');
}

void comparison_write_json(const struct comparison *c, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_key(&o, STR("archive"));
	json_open(&o, '{');
	json_put_uint(&o, "answers", c->answers);
	json_put_uint(&o, "pages", c->pages);
	json_put_uint(&o, "contents", c->contents);
	json_close(&o, '}');
	json_key(&o, STR("crawls"));
	json_open(&o, '[');
	for (size_t k = 0; k < c->n; k++)
		put_outcome(&o, &c->v[k], comparison_requests(c));
	json_close(&o, ']');
	json_close(&o, '}');
	buf_add_char(to, '\n');
}
