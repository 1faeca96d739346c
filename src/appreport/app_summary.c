#include "appreport/app_summary.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/map.h"
#include "os/file.h"
#include "os/map_file.h"

#define LINE_MAX_BYTES ((size_t)4 << 20)

/* A page while it is read. */
struct page_line {
	struct str url, level;
	uint32_t site;
	uint32_t top; /* union-find: a page of the same whole */
	uint64_t objects;
	bool has_total;
	uint64_t total;
	uint32_t first_next, n_next;
};

struct reading {
	struct app_summary *s;
	struct page_line *pages;
	size_t n, cap;
	struct str *next; /* of all pages */
	size_t n_next, next_cap;
	struct map by_url, by_number; /* of pages, + 1 */
	struct map by_site;
	struct map objects;  /* seen ones of each whole */
	struct map answered; /* URLs; 2: it failed */
};

static void reading_release(struct reading *r)
{
	free(r->pages);
	free(r->next);
	map_release(&r->by_url);
	map_release(&r->by_number);
	map_release(&r->by_site);
	map_release(&r->objects);
	map_release(&r->answered);
}

static struct str server_of(struct str url)
{
	size_t scheme = str_find(url, STR("://"));
	struct str rest = scheme == STR_NONE ? url : str_skip(url, scheme + 3);

	return str_slice(rest, 0, str_find_char(rest, '/'));
}

static uint32_t site_of(struct reading *r, struct str application, struct str server)
{
	bool is_new;
	uint64_t *at =
		map_add(&r->by_site, hash64(application) + 31 * hash64(server), &is_new);

	if (is_new) {
		*at = r->s->n;
		VEC_ADD(r->s->sites, r->s->n, r->s->cap,
			(struct app_site){ .application =
						   arena_copy(&r->s->arena, application),
					   .server = arena_copy(&r->s->arena, server) });
	}
	return (uint32_t)*at;
}

static struct app_level_sum *level_of(struct app_site *site, struct str level)
{
	for (size_t i = 0; i < site->n_levels; i++)
		if (str_eq(site->levels[i].level, level))
			return &site->levels[i];
	VEC_ADD(site->levels, site->n_levels, site->levels_cap,
		(struct app_level_sum){ .level = level });
	return &site->levels[site->n_levels - 1];
}

/* --- lines --- */

static uint64_t number_of(const struct json *o, const char *name)
{
	double v = json_number(json_get(o, name), 0);

	return v > 0 && v < 1e15 ? (uint64_t)v : 0;
}

/* A page that was fetched again stands for itself: the last line counts. */
static void take_page(struct reading *r, const struct json *o)
{
	struct arena *a = &r->s->arena;
	struct str url = json_str(json_get(o, "url"));
	const struct json *next = json_get(o, "next");
	bool is_new;

	if (url.n == 0 || r->n == UINT32_MAX - 1) {
		r->s->bad_lines++;
		return;
	}
	uint32_t nr = site_of(r, json_str(json_get(o, "application")), server_of(url));
	uint64_t *at = map_add(&r->by_url, hash64(url), &is_new);
	if (is_new) {
		uint32_t top = (uint32_t)r->n;

		*at = r->n + 1;
		VEC_ADD(r->pages, r->n, r->cap,
			(struct page_line){ .url = arena_copy(a, url), .top = top });
		r->s->sites[nr].pages++;
	}
	struct page_line *p = &r->pages[*at - 1];
	*map_add(&r->by_number, number_of(o, "page") + 1, NULL) = *at;
	if (is_new || !str_eq(p->level, json_str(json_get(o, "level"))))
		p->level = arena_copy(a, json_str(json_get(o, "level")));
	p->site = nr;
	p->objects = number_of(o, "objects");
	p->has_total = json_kind(json_get(o, "total")) == JSON_NUMBER;
	p->total = number_of(o, "total");
	p->first_next = (uint32_t)r->n_next;
	p->n_next = 0;
	for (const struct json *n = json_first(next); n; n = json_next(n), p->n_next++)
		VEC_ADD(r->next, r->n_next, r->next_cap, arena_copy(a, json_str(n)));
	r->s->sites[nr].wanted += number_of(o, "wanted");
	r->s->sites[nr].left_out += number_of(o, "left_out");
}

typedef void take_line_fn(struct reading *r, struct str line);

static void take_page_line(struct reading *r, struct str line)
{
	struct json *o = NULL;

	if (line.n > LINE_MAX_BYTES || json_parse(line, &o, NULL) != ST_OK)
		r->s->bad_lines++;
	else
		take_page(r, o);
	json_release(&o);
}

#define LOG_WORDS 4 /* of a line of crawl.log: time, code, bytes, URL */

static void split_log_line(struct str line, struct str word[LOG_WORDS])
{
	for (size_t i = 0; i < LOG_WORDS; i++) {
		while (line.n && line.p[0] == ' ')
			line = str_skip(line, 1);
		word[i] = str_slice(line, 0, str_find_char(line, ' '));
		line = str_skip(line, word[i].n);
	}
}

static void take_log_line(struct reading *r, struct str line)
{
	struct str word[LOG_WORDS];

	split_log_line(line, word);
	bool fine = word[1].n == 3 && (word[1].p[0] == '2' || word[1].p[0] == '3');
	uint64_t *at = map_add(&r->answered, hash64(word[3]), NULL);
	bool before = *at == 1;
	*at = fine || before ? 1 : 2;
}

static void each_line(struct reading *r, struct str rest, take_line_fn *take)
{
	struct str line;

	while (str_take_line(&rest, &line))
		if (line.n > 0)
			take(r, line);
}

/* --- wholes --- */

static uint32_t top_of(struct reading *r, uint32_t i)
{
	while (r->pages[i].top != i)
		i = r->pages[i].top = r->pages[r->pages[i].top].top;
	return i;
}

static void join(struct reading *r, uint32_t a, uint32_t b)
{
	uint32_t x = top_of(r, a), y = top_of(r, b);

	/* The first page that was fetched gives the whole its name. */
	if (x < y)
		r->pages[y].top = x;
	else
		r->pages[x].top = y;
}

static void join_pages(struct reading *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		for (uint32_t k = 0; k < r->pages[i].n_next; k++) {
			struct str url = r->next[r->pages[i].first_next + k];
			const uint64_t *at = map_find(&r->by_url, hash64(url));

			if (at && r->pages[*at - 1].site == r->pages[i].site &&
			    str_eq(r->pages[*at - 1].level, r->pages[i].level))
				join(r, i, (uint32_t)(*at - 1));
		}
}

/* The same post on two pages of a thread is one: by its id, or by all that it says. */
static void take_object_line(struct reading *r, struct str line)
{
	static const struct str mark = STR("\"object\":");
	struct str number = str_skip(line, sizeof("{\"page\":") - 1);
	size_t body = str_find(line, mark);
	uint64_t page;
	bool is_new;

	number = str_slice(number, 0, str_find_char(number, ','));
	if (body == STR_NONE || !str_to_uint(number, UINT64_MAX - 1, &page)) {
		r->s->bad_lines++;
		return;
	}
	const uint64_t *at = map_find(&r->by_number, page + 1);
	if (!at)
		return;
	struct page_line *top = &r->pages[top_of(r, (uint32_t)(*at - 1))];
	struct str what = str_skip(line, body);
	size_t id = str_find(what, STR(",\"id\":\""));
	if (id != STR_NONE && id < 60) {
		size_t end = str_find_char(str_skip(what, id + 7), '"');

		what = str_slice(what, 0, end == STR_NONE ? what.n : id + 7 + end);
	}
	map_add(&r->objects, hash64(what) * 31 + hash64(top->url), &is_new);
	if (!is_new)
		return;
	top->objects++;
	struct app_site *site = &r->s->sites[top->site];
	site->objects++;
	level_of(site, top->level)->objects++;
}

static struct app_whole_sum *whole_of(struct reading *r, uint32_t top, struct map *index)
{
	struct app_summary *s = r->s;
	bool is_new;
	uint64_t *at = map_add(index, (uint64_t)top + 1, &is_new);

	if (is_new) {
		*at = s->n_wholes;
		VEC_ADD(s->wholes, s->n_wholes, s->wholes_cap,
			(struct app_whole_sum){ .url = r->pages[top].url,
						.level = r->pages[top].level,
						.site = r->pages[top].site,
						.objects = r->pages[top].objects });
	}
	return &s->wholes[*at];
}

static void note_missing(struct reading *r, struct app_whole_sum *w, struct str url)
{
	const uint64_t *answered = map_find(&r->answered, hash64(url));

	if (answered && *answered == 1)
		return;
	for (size_t i = 0; i < MIN(w->n_missing, (uint64_t)MISSING_MAX); i++)
		if (str_eq(w->missing[i], url))
			return;
	if (w->n_missing < MISSING_MAX)
		w->missing[w->n_missing] = url;
	w->n_missing++;
}

static void make_wholes(struct reading *r)
{
	cleanup(map_release) struct map index = { 0 };

	for (uint32_t i = 0; i < r->n; i++) {
		const struct page_line *p = &r->pages[i];
		struct app_whole_sum *w = whole_of(r, top_of(r, i), &index);

		w->pages++;
		w->has_total |= p->has_total;
		w->total = MAX(w->total, p->total);
		for (uint32_t k = 0; k < p->n_next; k++)
			note_missing(r, w, r->next[p->first_next + k]);
	}
	size_t kept = 0;
	for (size_t i = 0; i < r->s->n_wholes; i++) {
		struct app_whole_sum *w = &r->s->wholes[i];
		struct app_level_sum *l = level_of(&r->s->sites[w->site], w->level);

		l->pages += w->pages;
		l->wholes++;
		l->incomplete += !app_whole_is_complete(w);
		if (w->pages > 1 || w->has_total || w->n_missing > 0)
			r->s->wholes[kept++] = *w;
	}
	r->s->n_wholes = kept;
}

/* Wanted or not: what failed on the server of an application may be missing of it. */
static void count_failed(struct reading *r, struct str line)
{
	struct str word[LOG_WORDS];

	split_log_line(line, word);
	uint64_t *at = map_find(&r->answered, hash64(word[3]));
	if (!at || *at != 2)
		return;
	*at = 3; /* once per URL */
	struct str server = server_of(word[3]);
	for (size_t i = 0; i < r->s->n; i++)
		if (str_eq(r->s->sites[i].server, server)) {
			r->s->sites[i].failed++;
			return;
		}
}

void app_summary_read(struct app_summary *ret, const struct app_summary_input *in)
{
	cleanup(reading_release) struct reading r = { .s = ret };

	*ret = (struct app_summary){ 0 };
	each_line(&r, in->pages, take_page_line);
	if (r.n == 0)
		return;
	each_line(&r, in->log, take_log_line);
	join_pages(&r);
	for (size_t i = 0; i < r.n; i++)
		r.pages[i].objects = 0; /* distinct ones are counted */
	each_line(&r, in->objects, take_object_line);
	make_wholes(&r);
	each_line(&r, in->log, count_failed);
}

static enum status map_if_there(struct map_file *m, const char *dir, struct str name,
				struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	const char *path = path_join(&a, dir, name);

	return file_exists(path) ? map_file_open(m, path, MAP_SEQUENTIAL, why) : ST_OK;
}

enum status app_summary_load(struct app_summary *ret, const char *dir, struct diag *why)
{
	cleanup(map_file_release) struct map_file pages = { 0 };
	cleanup(map_file_release) struct map_file objects = { 0 };
	cleanup(map_file_release) struct map_file log = { 0 };

	*ret = (struct app_summary){ 0 };
	TRY(map_if_there(&pages, dir, STR("apps.jsonl"), why));
	if (pages.bytes.n == 0)
		return ST_OK;
	TRY(map_if_there(&objects, dir, STR("objects.jsonl"), why));
	TRY(map_if_there(&log, dir, STR("crawl.log"), why));
	app_summary_read(ret, &(struct app_summary_input){ pages.bytes, objects.bytes,
							   log.bytes });
	return ST_OK;
}

void app_summary_release(struct app_summary *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->sites[i].levels);
	free(s->sites);
	free(s->wholes);
	arena_release(&s->arena);
	*s = (struct app_summary){ 0 };
}

bool app_whole_is_complete(const struct app_whole_sum *w)
{
	return w->n_missing == 0 && (!w->has_total || w->objects >= w->total);
}
