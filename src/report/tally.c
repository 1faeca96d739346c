#include "report/tally.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/date.h"
#include "base/json.h"
#include "os/map_file.h"
#include "policy/reason.h"
#include "record/fetch.h"
#include "report/form.h"

/* Forms of traps that are told apart; a trap that makes up forms cannot fill the memory.
 */
#define FORMS_MAX 10000

void counts_add(struct counts *c, struct str name, uint64_t n)
{
	size_t before = c->names.n;
	uint32_t id = intern_add(&c->names, name);

	if (c->names.n > before) {
		VEC_RESERVE(c->n, c->cap, c->names.n);
		c->n[id] = 0;
	}
	c->n[id] += n;
}

uint64_t counts_sum(const struct counts *c)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < c->names.n; i++)
		sum += c->n[i];
	return sum;
}

static const struct counts *sorting; /* qsort() has no context; one thread reports */

static int by_count(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (sorting->n[x] != sorting->n[y])
		return sorting->n[x] > sorting->n[y] ? -1 : 1;
	return str_cmp(intern_str(&sorting->names, x), intern_str(&sorting->names, y));
}

void counts_order(const struct counts *c, uint32_t *ret)
{
	for (uint32_t i = 0; i < c->names.n; i++)
		ret[i] = i;
	sorting = c;
	if (c->names.n)
		qsort(ret, c->names.n, sizeof(*ret), by_count);
}

static void counts_release(struct counts *c)
{
	intern_release(&c->names);
	free(c->n);
}

void tally_release(struct tally *t)
{
	intern_release(&t->hosts);
	free(t->by_host);
	counts_release(&t->mimes);
	counts_release(&t->languages);
	counts_release(&t->traps);
	for (size_t i = 0; i < SPARINGS; i++)
		counts_release(&t->spared[i]);
	counts_release(&t->statuses);
	app_summary_release(&t->apps);
	*t = (struct tally){ 0 };
}

/* The next field of a line whose fields are padded with blanks. */
static bool take_field(struct str *line, struct str *ret)
{
	while (line->n && line->p[0] == ' ')
		*line = str_skip(*line, 1);
	return str_take_until(line, ' ', ret);
}

static bool parse_code(struct str s, int *ret)
{
	bool negative = str_take_char(&s, '-');
	uint64_t n;

	if (!str_to_uint(s, 99999, &n))
		return false;
	*ret = negative ? -(int)n : (int)n;
	return true;
}

bool log_line_parse(struct str line, struct log_line *ret)
{
	struct log_line l = { 0 };
	struct str field[12];

	for (size_t i = 0; i < COUNT(field); i++)
		if (!take_field(&line, &field[i]))
			return false;
	if (!date_parse_iso(field[0], &l.time_ms) || !parse_code(field[1], &l.code))
		return false;
	if (!str_to_uint(field[2], UINT64_MAX, &l.bytes))
		l.bytes = 0;
	size_t plus = str_find_char(field[8], '+');
	if (plus == STR_NONE ||
	    !str_to_uint(str_skip(field[8], plus + 1), UINT64_MAX, &l.duration_ms))
		l.duration_ms = 0;
	l.url = field[3];
	l.hops = field[4];
	l.via = field[5];
	l.mime = field[6];
	l.annotations = field[11];
	*ret = l;
	return true;
}

static struct host_tally *host_tally(struct tally *t, struct str url)
{
	size_t before = t->hosts.n;
	uint32_t id = intern_add(&t->hosts, url_host(url));

	if (t->hosts.n > before) {
		VEC_RESERVE(t->by_host, t->host_cap, t->hosts.n);
		t->by_host[id] = (struct host_tally){ 0 };
	}
	return &t->by_host[id];
}

static void count_status(struct tally *t, const struct log_line *l)
{
	char name[16];

	t->ok += l->code >= 200 && l->code < 300;
	t->not_modified += l->code == 304;
	t->redirects += l->code >= 300 && l->code < 400 && l->code != 304;
	t->client_errors += l->code >= 400 && l->code < 500;
	t->server_errors += l->code >= 500;
	t->failed += l->code <= 0;
	snprintf(name, sizeof(name), "%d", l->code);
	counts_add(&t->statuses, str_from(name), 1);
}

static unsigned size_class(uint64_t bytes)
{
	unsigned c = 0;

	for (bytes >>= 6; bytes && c < SIZE_CLASSES - 1; bytes >>= 1)
		c++;
	return c;
}

static bool has_note(const struct log_line *l, const char *word)
{
	return str_find(l->annotations, str_from(word)) != STR_NONE;
}

/* No page that somebody wanted: "mime" is a body that was not downloaded. */
static bool is_own(const struct log_line *l)
{
	return str_ends(l->hops, STR("P")) || has_note(l, "probe") ||
	       has_note(l, "check") || has_note(l, "browser") || has_note(l, "mime");
}

static enum fate fate_of(const struct log_line *l)
{
	if (l->code <= 0)
		return FATE_FAILED;
	if (l->code == 304 || has_note(l, "unchanged"))
		return FATE_UNCHANGED;
	if (has_note(l, "changed") || has_note(l, "first")) /* of a revisit */
		return FATE_CHANGED;
	if (l->code >= 300)
		return l->code < 400 ? FATE_REDIRECT : FATE_REFUSED;
	if (has_note(l, "soft404"))
		return FATE_SOFT_404;
	if (has_note(l, "duplicate:near"))
		return FATE_NEAR;
	if (has_note(l, "duplicate:"))
		return FATE_EXACT;
	return is_own(l) ? FATE_OWN : FATE_NEW;
}

/* "rendered:LINKS:BYTES": no request, but what a browser made of one. */
static bool count_rendered(struct tally *t, const struct log_line *l)
{
	size_t at = str_find(l->annotations, STR("rendered:"));
	uint64_t links, bytes;

	if (at == STR_NONE)
		return false;
	struct str rest = str_skip(l->annotations, at + 9), first;
	rest = str_slice(rest, 0, str_find_char(rest, ','));
	if (t && str_take_until(&rest, ':', &first) &&
	    str_to_uint(first, UINT64_MAX, &links) &&
	    str_to_uint(rest, UINT64_MAX, &bytes)) {
		t->rendered++;
		t->rendered_links += links;
		t->rendered_bytes += bytes;
	}
	return true;
}

static void count_line(struct tally *t, const struct log_line *l)
{
	if (count_rendered(t, l))
		return;
	struct host_tally *h = host_tally(t, l->url);
	enum fate fate = fate_of(l);

	t->requests++;
	t->bytes += l->bytes;
	t->fates[fate].requests++;
	t->fates[fate].bytes += l->bytes;
	count_status(t, l);
	if (l->code > 0) {
		counts_add(&t->mimes, l->mime, 1);
		t->sizes[size_class(l->bytes)]++;
	}
	h->requests++;
	h->novel += fate == FATE_NEW;
	h->duplicates += fate == FATE_EXACT || fate == FATE_NEAR;
	h->failed += l->code <= 0 || l->code >= 400;
	h->bytes += l->bytes;
	h->time_ms += l->duration_ms;
	h->slowest_ms = MAX(h->slowest_ms, l->duration_ms);
	t->first_ms = t->first_ms ? MIN(t->first_ms, l->time_ms) : l->time_ms;
	t->last_ms = MAX(t->last_ms, l->time_ms);
}

uint64_t tally_page_bytes(const struct tally *t)
{
	struct share pages = { 0 };

	for (size_t i = FATE_NEW; i <= FATE_NEAR; i++) {
		pages.requests += t->fates[i].requests;
		pages.bytes += t->fates[i].bytes;
	}
	return pages.requests ? pages.bytes / pages.requests : 0;
}

static void load_log(struct tally *t, struct str text)
{
	struct str line;
	struct log_line l;

	while (str_take_line(&text, &line)) {
		if (log_line_parse(line, &l))
			count_line(t, &l);
		else
			t->bad_lines += line.n > 0;
	}
}

/* The plots need to know the whole first: a second reading. */
static void load_curves(struct tally *t, struct str text)
{
	struct str line;
	struct log_line l;
	uint64_t seen = 0, unique = 0;
	double span = (double)(t->last_ms - t->first_ms) + 1;

	t->curve_n = (size_t)MIN(t->requests, CURVE_POINTS);
	while (t->curve_n && str_take_line(&text, &line)) {
		if (!log_line_parse(line, &l) || count_rendered(NULL, &l))
			continue;
		unique += fate_of(&l) == FATE_NEW;
		t->unique_at[seen * t->curve_n / t->requests] = (double)unique;
		t->rate[(size_t)((double)(l.time_ms - t->first_ms) / span *
				 (double)t->curve_n)] += 1;
		seen++;
	}
	for (size_t i = 0; i < t->curve_n; i++)
		t->rate[i] /= MAX(span / (double)t->curve_n, 1) / 1000;
}

/* The string value of a member, without building the tree: these files are long. */
static struct str member(struct str line, struct str name)
{
	size_t at = str_find(line, name);
	struct str rest = at == STR_NONE ? STR("") : str_skip(line, at + name.n);

	return str_slice(rest, 0, str_find_char(rest, '"'));
}

static void load_pages(struct tally *t, struct str text)
{
	struct str line;

	while (str_take_line(&text, &line)) {
		struct str language = member(line, STR("\"language\":\""));

		if (language.n)
			counts_add(&t->languages, language, 1);
	}
}

static enum sparing sparing_of(struct str stage, struct str rule)
{
	switch (reason_table[reason_find(stage, rule)].saving) {
	case SAVING_KNOWN:
		return SPARED_KNOWN;
	case SAVING_NOTHING:
		return SPARED_NOTHING;
	case SAVING_NONE:
	case SAVING_OUTSIDE:
		break;
	}
	return SPARED_OUTSIDE;
}

static void count_trap(struct tally *t, struct str url)
{
	cleanup(buf_release) struct buf form = { 0 };

	if (t->traps.names.n < FORMS_MAX)
		buf_add_url_form(&form, url);
	counts_add(&t->traps, form.n ? buf_str(&form) : STR("other forms"), 1);
}

static void load_skips(struct tally *t, struct str text)
{
	struct str line;
	cleanup(buf_release) struct buf name = { 0 };

	while (str_take_line(&text, &line)) {
		struct str stage = member(line, STR("\"stage\":\""));
		struct str rule = member(line, STR("\"rule\":\""));
		enum sparing why = sparing_of(stage, rule);

		/* The ledger has pages without content, too: those were fetched. */
		if (str_eq(stage, STR("content")))
			continue;
		buf_reset(&name);
		buf_add(&name, stage);
		buf_add(&name, STR(": "));
		buf_add(&name, rule);
		counts_add(&t->spared[why], buf_str(&name), 1);
		if (why == SPARED_NOTHING)
			count_trap(t, member(line, STR("\"url\":\"")));
	}
}

typedef void load_fn(struct tally *t, struct str text);

/* A file that is not there yet is an empty one. */
static enum status with_file(struct tally *t, const char *dir, const char *name,
			     load_fn *load, load_fn *again, struct diag *why)
{
	char path[4096];
	struct map_file map = { 0 };

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	enum status st = map_file_open(&map, path, MAP_SEQUENTIAL, why);
	if (st == ST_NOT_FOUND)
		return ST_OK;
	TRY(st);
	load(t, map.bytes);
	if (again)
		again(t, map.bytes);
	map_file_release(&map);
	return ST_OK;
}

enum status tally_load(struct tally *ret, const char *dir, struct diag *why)
{
	struct tally t = { 0 };
	enum status st = with_file(&t, dir, "crawl.log", load_log, load_curves, why);

	if (st == ST_OK)
		st = with_file(&t, dir, "pages.jsonl", load_pages, NULL, why);
	if (st == ST_OK)
		st = with_file(&t, dir, "skipped.jsonl", load_skips, NULL, why);
	if (st == ST_OK)
		st = app_summary_load(&t.apps, dir, why);
	if (st != ST_OK) {
		tally_release(&t);
		return st;
	}
	*ret = t;
	return ST_OK;
}
