#include "testweb/score.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/intern.h"
#include "base/json.h"
#include "base/map.h"
#include "base/sort.h"
#include "os/map_file.h"
#include "testweb/manifest.h"
#include "testweb/route.h"
#include "testweb/truth.h"

const char *const loss_names[LOSSES] = {
	"never requested",
	"skipped by the crawl",
	"requested, not answered",
	"answered, not stored",
};

/* What has become of a cluster so far. */
enum {
	MUST = 1,
	KEPT = 2,
	ASKED = 4,
	CAME = 8,
	SKIPPED = 16,
	COUNTED = 32, /* on the curve */
};

struct scoring {
	const struct score_options *o;
	struct score *s;
	struct world w;
	struct map clusters; /* cluster -> bits */
	struct visit *visits;
	uint64_t *bytes; /* of each visit */
	size_t n_visits, cap_visits, cap_bytes;
	struct intern waste_names; /* id = index in s->wastes */
	struct arena arena;
	struct diag *why;
};

static struct truth truth_of_url(const struct scoring *g, struct str url)
{
	struct place p;

	if (!route_url(&g->w, url, &p))
		return (struct truth){ .class = CLASS_OUTSIDE };
	return truth_of(&g->w, &p);
}

static void mark(struct scoring *g, uint64_t cluster, uint64_t bits)
{
	uint64_t *state = map_find(&g->clusters, cluster);

	if (state)
		*state |= bits;
}

static bool shows_content(unsigned class)
{
	return class == CLASS_PAGE || class == CLASS_LOOKALIKE ||
	       class == CLASS_LISTING || class == CLASS_NEAR || class == CLASS_ALIAS;
}

/* `rest`: bytes, equal, topic, language. */
static bool is_wanted(const struct scoring *g, struct str rest)
{
	struct str topic = { "", 0 };

	for (unsigned i = 0; i < 3; i++)
		(void)str_take_until(&rest, '\t', &topic);
	return g->o->topic.n == 0 || str_eq(topic, g->o->topic);
}

static enum status read_manifest(struct scoring *g)
{
	struct map_file f = { 0 };
	struct str rest, line, url, field;

	TRY(map_file_open(&f, g->o->manifest, MAP_SEQUENTIAL, g->why));
	rest = f.bytes;
	struct world_options options;
	enum status st = str_take_line(&rest, &line) ? ST_OK : ST_SYNTAX;
	if (st == ST_OK)
		st = manifest_parse_options(line, &options, g->why);
	if (st == ST_OK)
		st = world_init(&g->w, &options, g->why);
	while (st == ST_OK && str_take_line(&rest, &line)) {
		if (!str_take_until(&line, '\t', &url) || str_starts(url, STR("#")))
			continue;
		for (unsigned i = 0; i < 5; i++)
			(void)str_take_until(&line, '\t', &field);
		if (str_eq(field, STR("keep")) && is_wanted(g, line))
			*map_add(&g->clusters, truth_of_url(g, url).cluster, NULL) = MUST;
	}
	map_file_release(&f);
	return st;
}

static uint64_t hash_host(bool https, struct str host)
{
	host = str_slice(host, 0, str_find_char(host, ':'));
	return hash64_seeded(host, https);
}

static void add_visit(struct scoring *g, struct visit v, uint64_t bytes)
{
	size_t n = g->n_visits;

	VEC_RESERVE(g->bytes, g->cap_bytes, n + 1);
	g->bytes[n] = bytes;
	VEC_ADD(g->visits, g->n_visits, g->cap_visits, v);
}

static enum status read_log(struct scoring *g)
{
	struct map_file f = { 0 };
	struct str rest, line;
	struct access a;
	enum status st = ST_OK;

	TRY(map_file_open(&f, g->o->log, MAP_SEQUENTIAL, g->why));
	rest = f.bytes;
	for (unsigned nr = 1; st == ST_OK && str_take_line(&rest, &line); nr++) {
		if (str_starts(line, STR("#")))
			continue;
		if (access_parse(line, &a) != ST_OK) {
			st = diag_fail(g->why, ST_SYNTAX, "%s: line %u is no request",
				       g->o->log, nr);
			break;
		}
		add_visit(
			g,
			(struct visit){
				.start_us = a.start_us,
				.end_us = a.end_us,
				.place = route_request(&g->w, a.https, a.host, a.target),
				.host = hash_host(a.https, a.host),
				.address = a.address,
				.client = a.client_port,
				.retry_ms = a.retry_ms,
				.status = (uint16_t)a.status,
			},
			a.bytes);
	}
	map_file_release(&f);
	return st;
}

static struct str next_word(struct str *line)
{
	struct str word = { "", 0 };

	*line = str_trim(*line);
	(void)str_take_until(line, ' ', &word);
	return word;
}

/* crawl.log: time, status, size, URL ... in the order in which they were fetched. */
static void read_crawl_line(struct scoring *g, struct str line, int64_t nr)
{
	(void)next_word(&line);
	struct str status = next_word(&line), size = next_word(&line),
		   url = next_word(&line);
	uint64_t code = 0, bytes = 0;
	struct place p;

	if (!str_to_uint(status, 999, &code) || code < 100 || !route_url(&g->w, url, &p))
		return; /* negative codes are the crawler's own: nothing was asked */
	(void)str_to_uint(size, UINT64_MAX, &bytes);
	add_visit(g,
		  (struct visit){ .start_us = nr, .place = p, .status = (uint16_t)code },
		  bytes);
}

static enum status each_line(struct scoring *g, const char *name,
			     void (*take)(struct scoring *g, struct str line, int64_t nr),
			     bool *ret_there)
{
	struct map_file f = { 0 };
	const char *path = path_join(&g->arena, g->o->dir, str_from(name));
	struct str rest, line;

	*ret_there = file_exists(path);
	if (!*ret_there)
		return ST_OK;
	TRY(map_file_open(&f, path, MAP_SEQUENTIAL, g->why));
	rest = f.bytes;
	for (int64_t nr = 1; str_take_line(&rest, &line); nr++)
		take(g, line, nr);
	map_file_release(&f);
	return ST_OK;
}

/* One record of the index: what the crawl has kept. */
static void read_index_line(struct scoring *g, struct str line, int64_t nr)
{
	cleanup(json_release) struct json *o = NULL;
	size_t brace = str_find_char(line, '{');
	uint64_t status = 0;

	(void)nr;
	if (brace == STR_NONE || json_parse(str_skip(line, brace), &o, NULL) != ST_OK)
		return;
	const struct json *s = json_get(o, "status");
	if (json_kind(s) == JSON_NUMBER)
		status = (uint64_t)json_number(s, 0);
	else
		(void)str_to_uint(json_str(s), 999, &status);
	struct truth t = truth_of_url(g, json_str(json_get(o, "url")));
	g->s->records++;
	/*
	 * A revisit says that the same bytes are kept elsewhere, which may be under
	 * the URL of another page; the bytes are there all the same.
	 */
	bool revisit = str_eq(json_str(json_get(o, "mime")), STR("warc/revisit"));
	if ((status == 200 || revisit) && shows_content(t.class))
		mark(g, t.cluster, KEPT);
}

static void read_skipped_line(struct scoring *g, struct str line, int64_t nr)
{
	cleanup(json_release) struct json *o = NULL;

	(void)nr;
	if (json_parse(str_trim(line), &o, NULL) != ST_OK)
		return;
	struct truth t = truth_of_url(g, json_str(json_get(o, "url")));
	if (shows_content(t.class))
		mark(g, t.cluster, SKIPPED);
}

static void mark_kept_without_index(struct scoring *g)
{
	for (size_t i = 0; i < g->n_visits; i++) {
		struct truth t = truth_of(&g->w, &g->visits[i].place);

		if (g->visits[i].status == 200 && shows_content(t.class))
			mark(g, t.cluster, KEPT);
	}
}

static enum status read_crawl(struct scoring *g)
{
	static const char *const indexes[] = { "indexes/index.cdxj", "index.cdxj" };
	bool there = false, indexed = false;

	if (g->o->log) {
		TRY(read_log(g));
	} else {
		TRY(each_line(g, "crawl.log", read_crawl_line, &there));
		if (!there)
			return diag_fail(g->why, ST_NOT_FOUND,
					 "%s has no crawl.log, and no --log is given",
					 g->o->dir);
	}
	for (size_t i = 0; i < COUNT(indexes) && !indexed; i++)
		TRY(each_line(g, indexes[i], read_index_line, &indexed));
	if (!indexed)
		mark_kept_without_index(g);
	return each_line(g, "skipped.jsonl", read_skipped_line, &there);
}

/* The log is written when answers end; the curve and the judge want the starts. */
static void sort_visits(struct scoring *g)
{
	struct sort_pair *order = xcalloc(g->n_visits + 1, sizeof(*order));
	struct sort_pair *scratch = xcalloc(g->n_visits + 1, sizeof(*order));
	struct visit *visits = xcalloc(g->n_visits + 1, sizeof(*visits));
	uint64_t *bytes = xcalloc(g->n_visits + 1, sizeof(*bytes));

	for (size_t i = 0; i < g->n_visits; i++)
		order[i] = (struct sort_pair){ (uint64_t)g->visits[i].start_us, i };
	sort_pairs(order, scratch, g->n_visits);
	free(scratch);
	for (size_t i = 0; i < g->n_visits; i++) {
		visits[i] = g->visits[order[i].value];
		bytes[i] = g->bytes[order[i].value];
	}
	free(order);
	free(g->visits);
	free(g->bytes);
	g->visits = visits;
	g->bytes = bytes;
}

static void add_waste(struct scoring *g, const struct visit *v, const struct truth *t,
		      const char *prefix, uint64_t bytes)
{
	struct score *s = g->s;
	cleanup(buf_release) struct buf name = { 0 };

	buf_add(&name, str_from(prefix));
	buf_add(&name, str_from(class_names[t->class]));
	size_t before = name.n;
	buf_add_char(&name, ' ');
	truth_write_detail(&g->w, &v->place, t, &name);
	if (name.n == before + 1)
		name.n--;
	uint32_t id = intern_add(&g->waste_names, buf_str(&name));
	if (id == s->n_wastes)
		VEC_ADD(s->wastes, s->n_wastes, s->cap_wastes,
			(struct waste){
				.name = arena_copy(&s->bytes_of_names, buf_str(&name)) });
	s->wastes[id].requests++;
	s->wastes[id].bytes += bytes;
}

/* Whether this request brought a page for the first time; if not, why it was in vain. */
static bool judge_visit(struct scoring *g, size_t i)
{
	const struct visit *v = &g->visits[i];
	struct truth t = truth_of(&g->w, &v->place);
	uint64_t *state = shows_content(t.class) || t.class == CLASS_REDIRECT
				  ? map_find(&g->clusters, t.cluster)
				  : NULL;
	bool came = v->status == 200 && t.class != CLASS_REDIRECT;

	if (state)
		*state |= came ? ASKED | CAME : ASKED;
	if (state && came && !(*state & COUNTED)) {
		*state |= COUNTED;
		g->s->useful_requests++;
		g->s->useful_bytes += g->bytes[i];
		return true;
	}
	if (t.class == CLASS_FEED)
		g->s->overhead_requests++;
	if (v->status == 304)
		add_waste(g, v, &t, "unchanged ", g->bytes[i]);
	else if (v->status != 200 && shows_content(t.class))
		add_waste(g, v, &t, "failed ", g->bytes[i]);
	else if (t.class <= CLASS_LISTING)
		add_waste(g, v, &t, "again ", g->bytes[i]);
	else
		add_waste(g, v, &t, "", g->bytes[i]);
	return false;
}

static void judge_visits(struct scoring *g)
{
	struct score *s = g->s;
	uint64_t pages = 0;
	unsigned point = 0;

	for (size_t i = 0; i < g->n_visits; i++) {
		if (g->visits[i].place.view == VIEW_CONTROL)
			continue;
		s->requests++;
		s->bytes += g->bytes[i];
		pages += judge_visit(g, i);
		while (point < CURVE_POINTS &&
		       (i + 1) * CURVE_POINTS >= (point + 1) * g->n_visits)
			s->curve[point++] = (struct curve_point){ s->requests, pages };
	}
}

static enum loss loss_of(uint64_t state)
{
	return state & CAME      ? LOSS_DROPPED
	       : state & SKIPPED ? LOSS_SKIPPED
	       : state & ASKED   ? LOSS_FAILED
				 : LOSS_UNREQUESTED;
}

static void add_example(struct scoring *g, uint64_t cluster, enum loss loss)
{
	struct score *s = g->s;
	cleanup(buf_release) struct buf text = { 0 };

	if (s->n_examples == g->o->examples)
		return;
	truth_write_page(&g->w, cluster, &text);
	struct lost_page one = { arena_copy(&s->bytes_of_names, buf_str(&text)),
				 (uint8_t)loss };
	VEC_ADD(s->examples, s->n_examples, s->cap_examples, one);
}

static void count_found(struct scoring *g)
{
	struct map_slot slot;

	for (size_t at = 0; map_next(&g->clusters, &at, &slot);) {
		int way = truth_way(slot.key);

		g->s->must_keep++;
		if (way >= 0) {
			g->s->way_must_keep[way]++;
			g->s->way_found[way] += (slot.value & KEPT) != 0;
		}
		if (slot.value & KEPT) {
			g->s->found++;
			continue;
		}
		enum loss loss = loss_of(slot.value);
		g->s->lost[loss]++;
		add_example(g, slot.key, loss);
	}
}

static int more_requests_first(const void *a, const void *b)
{
	const struct waste *x = a, *y = b;

	if (x->requests != y->requests)
		return x->requests < y->requests ? 1 : -1;
	return str_cmp(x->name, y->name);
}

enum status score_crawl(const struct score_options *o, struct score *ret,
			struct diag *why)
{
	struct scoring g = { .o = o, .s = ret, .why = why };

	*ret = (struct score){ .has_log = o->log };
	enum status st = read_manifest(&g);
	if (st == ST_OK)
		st = read_crawl(&g);
	if (st == ST_OK) {
		sort_visits(&g);
		judge_visits(&g);
		count_found(&g);
		if (o->log)
			politeness_judge(&g.w, &o->polite, g.visits, g.n_visits,
					 &ret->politeness);
		if (ret->n_wastes)
			qsort(ret->wastes, ret->n_wastes, sizeof(*ret->wastes),
			      more_requests_first);
	}
	world_release(&g.w);
	map_release(&g.clusters);
	intern_release(&g.waste_names);
	arena_release(&g.arena);
	free(g.visits);
	free(g.bytes);
	return st;
}

void score_release(struct score *s)
{
	free(s->wastes);
	free(s->examples);
	arena_release(&s->bytes_of_names);
	*s = (struct score){ 0 };
}
