#include "test.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "os/file.h"
#include "testweb/link.h"
#include "testweb/manifest.h"
#include "testweb/score.h"
#include "testweb/truth.h"

/*
 * A crawl folder written by hand: ten pages that must be kept, of which seven
 * are kept, one was dropped, one skipped, one never asked for.
 */
static struct world w;
static char dir[] = "/tmp/thresh-score-XXXXXX";
static struct arena arena;
static struct diag why;
static struct place pages[10];

static const char *path(const char *name)
{
	return path_join(&arena, dir, str_from(name));
}

static struct place with_alias(struct place p, uint32_t family, uint64_t nonce)
{
	p.alias = family;
	p.nonce = nonce;
	return p;
}

static void add_url(struct buf *b, struct place p)
{
	link_write(&w, &p, true, b);
}

static void add_crawl_line(struct buf *b, unsigned status, struct place p)
{
	buf_addf(b, "2026-11-15T02:43:18.123Z %5u %10u ", status, 1000u);
	add_url(b, p);
	buf_add(b, STR(" L - text/html #001 20261115024318123+12 sha1:X - -\n"));
}

static void add_index_line(struct buf *b, struct place p, const char *mime)
{
	buf_add(b, STR("test,x)/ 20261115024318 {\"url\": \""));
	add_url(b, p);
	buf_addf(b,
		 "\", \"mime\": \"%s\", \"status\": \"200\", \"digest\": \"sha1:X\"}\n",
		 mime);
}

/* Ten pages of one site, none a copy of another, and the site's aliases. */
static uint32_t find_pages(void)
{
	for (uint32_t site = 0; site < w.n_sites; site++) {
		unsigned n = 0;

		for (uint32_t i = 0; i < w.sites[site].n_items && n < 10; i++) {
			struct place p = { .site = site, .view = VIEW_ITEM, .item = i };

			if (truth_of(&w, &p).class == CLASS_PAGE)
				pages[n++] = p;
		}
		if (n == 10 && w.sites[site].aliases & ALIAS_TRACKING &&
		    w.sites[site].crawl_delay_ms)
			return site;
	}
	return NO_SITE;
}

static void write_manifest(void)
{
	cleanup(buf_release) struct buf all = { 0 }, some = { 0 };
	struct str rest, line;

	manifest_write(&w, &(struct manifest_options){ 0 }, &all);
	rest = buf_str(&all);
	(void)str_take_line(&rest, &line); /* the options; the pages follow by hand */
	buf_add(&some, line);
	buf_add(&some, STR("\n"));
	for (unsigned i = 0; i < 10; i++) {
		add_url(&some, pages[i]);
		buf_addf(&some, "\tx\tpage\t\tx\tkeep\t100\tequal\t%s\ten\n",
			 i % 2 ? "chess" : "music");
	}
	CHECK(file_save(path("truth.tsv"), buf_str(&some), &why) == ST_OK);
}

static void write_folder(void)
{
	cleanup(buf_release) struct buf log = { 0 }, index = { 0 }, skipped = { 0 };
	struct place robots = { .site = pages[0].site, .view = VIEW_ROBOTS };

	add_crawl_line(&log, 200, robots);
	for (unsigned i = 0; i < 8; i++)
		add_crawl_line(&log, 200, pages[i]);
	add_crawl_line(&log, 200, with_alias(pages[0], ALIAS_TRACKING, 4));
	add_crawl_line(&log, 200, with_alias(pages[1], ALIAS_TRACKING, 8));
	add_crawl_line(&log, 503, pages[2]);
	add_crawl_line(&log, 200, pages[3]);
	for (unsigned i = 0; i < 6; i++)
		add_index_line(&index, pages[i], "text/html");
	add_index_line(&index, pages[6], "warc/revisit");
	buf_add(&skipped, STR("{\"url\": \""));
	add_url(&skipped, pages[8]);
	buf_add(&skipped, STR("\", \"reason\": \"rule\"}\n"));
	CHECK(dir_make(path("indexes"), &why) == ST_OK);
	CHECK(file_save(path("crawl.log"), buf_str(&log), &why) == ST_OK);
	CHECK(file_save(path("indexes/index.cdxj"), buf_str(&index), &why) == ST_OK);
	CHECK(file_save(path("skipped.jsonl"), buf_str(&skipped), &why) == ST_OK);
}

static uint64_t waste_of(const struct score *s, struct str name)
{
	for (size_t i = 0; i < s->n_wastes; i++)
		if (str_eq(s->wastes[i].name, name))
			return s->wastes[i].requests;
	return 0;
}

static void a_crawl_is_counted_right(void)
{
	struct score_options o = { .dir = dir, .manifest = path("truth.tsv") };
	cleanup(score_release) struct score s = { 0 };

	write_manifest();
	write_folder();
	CHECK(score_crawl(&o, &s, &why) == ST_OK);
	CHECK(s.must_keep == 10 && s.found == 7);
	CHECK(s.lost[LOSS_DROPPED] == 1 && s.lost[LOSS_SKIPPED] == 1);
	CHECK(s.lost[LOSS_UNREQUESTED] == 1 && s.lost[LOSS_FAILED] == 0);
	CHECK(s.requests == 13 && s.useful_requests == 8 && s.overhead_requests == 1);
	CHECK(s.bytes == 13000 && s.useful_bytes == 8000 && s.records == 7);
	CHECK(waste_of(&s, STR("alias tracking")) == 2);
	CHECK(waste_of(&s, STR("failed page")) == 1);
	CHECK(waste_of(&s, STR("again page")) == 1);
	CHECK(s.curve[CURVE_POINTS - 1].requests == 13);
	CHECK(s.curve[CURVE_POINTS - 1].pages == 8);
	CHECK(s.curve[10].pages == 7 && s.curve[10].requests == 8);
}

static void a_topic_narrows_what_must_be_kept(void)
{
	struct score_options o = {
		.dir = dir,
		.manifest = path("truth.tsv"),
		.topic = STR("chess"),
	};
	cleanup(score_release) struct score s = { 0 };

	CHECK(score_crawl(&o, &s, &why) == ST_OK);
	CHECK(s.must_keep == 5 && s.found == 3); /* pages 1, 3, 5 of 1, 3, 5, 7, 9 */
	CHECK(s.useful_requests == 4 && s.requests == 13);
}

static void the_numbers_are_printed(void)
{
	struct score_options o = { .dir = dir, .manifest = path("truth.tsv") };
	cleanup(score_release) struct score s = { 0 };
	cleanup(buf_release) struct buf text = { 0 }, json = { 0 };
	cleanup(json_release) struct json *v = NULL;

	CHECK(score_crawl(&o, &s, &why) == ST_OK);
	score_write_table(&s, &text);
	CHECK(str_find(buf_str(&text), STR("70.00 %")) != STR_NONE);
	CHECK(str_find(buf_str(&text), STR("not judged without")) != STR_NONE);
	score_write_json(&s, &json);
	CHECK(json_parse(buf_str(&json), &v, &why) == ST_OK);
	CHECK(json_number(json_get(v, "found"), 0) == 7);
	CHECK(json_count(json_get(v, "curve")) == CURVE_POINTS);
	CHECK(json_kind(json_get(v, "violations")) == JSON_NULL);
}

static void what_cannot_be_read_is_said(void)
{
	struct score_options o = { .dir = "/nonexistent", .manifest = path("truth.tsv") };
	cleanup(score_release) struct score s = { 0 };

	CHECK(score_crawl(&o, &s, &why) == ST_NOT_FOUND);
	o.manifest = path("crawl.log");
	CHECK(score_crawl(&o, &s, &why) == ST_SYNTAX);
}

static struct visit visit(struct place p, int64_t start_ms, int64_t end_ms)
{
	return (struct visit){
		.start_us = start_ms * 1000 + 1,
		.end_us = end_ms * 1000 + 1,
		.place = p,
		.host = 7,
		.address = 127u << 24 | 1 << 16 | 1,
		.retry_ms = -1,
		.status = 200,
	};
}

static void impoliteness_is_seen(void)
{
	uint32_t site = pages[0].site;
	struct place robots = { .site = site, .view = VIEW_ROBOTS };
	struct place private = { .site = site, .view = VIEW_PRIVATE };
	int64_t delay = w.sites[site].crawl_delay_ms;
	struct visit v[] = {
		visit(pages[0], 0, 10), /* before robots.txt */
		visit(robots, 100, 110),
		visit(pages[1], 5000, 5010),
		visit(private, 10000, 10010),              /* forbidden */
		visit(pages[2], 10000 + delay / 2, 15000), /* too soon */
		visit(pages[3], 14000, 14100),             /* second at once */
		visit(pages[4], 20000, 20010),             /* asks for 3 s */
		visit(pages[5], 22000, 22010),             /* too soon for that */
		visit(pages[6], 30000, 30010),
	};
	struct politeness p;
	struct politeness_options o = { .per_host = 1, .per_address = 1 };

	v[6].retry_ms = 3000;
	politeness_judge(&w, &o, v, COUNT(v), &p);
	CHECK(p.count[VIOLATION_ROBOTS_LATE] == 1);
	CHECK(p.count[VIOLATION_FORBIDDEN] == 1);
	CHECK(p.count[VIOLATION_DELAY] == 1);
	CHECK(p.count[VIOLATION_RETRY] == 1);
	CHECK(p.count[VIOLATION_PER_HOST] == 1 && p.most_per_host == 2);
	CHECK(p.count[VIOLATION_PER_ADDRESS] == 1);
}

/* What is sent before the answer was read cannot heed it; the log shows what proves that
 * it was. */
static void requests_on_their_way_are_forgiven(void)
{
	struct place robots = { .site = pages[0].site, .view = VIEW_ROBOTS };
	struct visit v[] = {
		visit(robots, 100, 110),
		visit(pages[0], 5000, 5010), /* asks for 30 s */
		visit(pages[1], 6100, 6110),
		visit(pages[2], 6200, 6210),
		visit(pages[3], 6300, 6310),
	};
	struct politeness p;
	struct politeness_options o = { .per_host = 3 };

	v[1].retry_ms = 30000;
	for (size_t i = 0; i < COUNT(v); i++)
		v[i].client = (uint32_t)i + 1;
	politeness_judge(&w, &o, v, COUNT(v), &p);
	CHECK(p.count[VIOLATION_RETRY] == 0);
	/* The connection that told it is used again: from then on it knows. */
	v[3].client = v[1].client;
	politeness_judge(&w, &o, v, COUNT(v), &p);
	CHECK(p.count[VIOLATION_RETRY] == 2);
	v[3].client = 4;
	/* Three are open at once: the first answer takes up none of the three places. */
	v[2].end_us = v[3].end_us = 7000000;
	politeness_judge(&w, &o, v, COUNT(v), &p);
	CHECK(p.count[VIOLATION_RETRY] == 1);
	/* With one place every request knows. */
	o.per_host = 1;
	politeness_judge(&w, &o, v, COUNT(v), &p);
	CHECK(p.count[VIOLATION_RETRY] == 3);
	/* And in the end everybody has read it. */
	o.per_host = 3;
	v[4] = visit(pages[3], 15000, 15010);
	politeness_judge(&w, &o, v, COUNT(v), &p);
	CHECK(p.count[VIOLATION_RETRY] == 1);
}

/* It waited as told, and was told again by an answer that it had not read yet. */
static void a_later_answer_counts_when_it_is_read(void)
{
	struct place robots = { .site = pages[0].site, .view = VIEW_ROBOTS };
	struct visit v[] = {
		visit(robots, 100, 110),
		visit(pages[0], 5000, 5010), /* asks for 1 s */
		visit(pages[1], 5005, 5900), /* asks for 2 s */
		visit(pages[2], 6010, 6020),
		visit(pages[3], 6100, 6110),
	};
	struct politeness p;
	struct politeness_options o = { .per_host = 3 };

	v[1].retry_ms = 1000;
	v[2].retry_ms = 2000;
	for (size_t i = 0; i < COUNT(v); i++)
		v[i].client = (uint32_t)i + 1;
	v[3].client = v[1].client;
	politeness_judge(&w, &o, v, COUNT(v), &p);
	CHECK(p.count[VIOLATION_RETRY] == 0);
	v[4].client = v[2].client;
	politeness_judge(&w, &o, v, COUNT(v), &p);
	CHECK(p.count[VIOLATION_RETRY] == 1);
}

static void a_polite_crawl_has_no_violations(void)
{
	uint32_t site = pages[0].site;
	struct place robots = { .site = site, .view = VIEW_ROBOTS };
	int64_t delay = w.sites[site].crawl_delay_ms;
	struct visit v[11];
	struct politeness p;
	struct politeness_options o = { .per_host = 1, .per_address = 1 };

	v[0] = visit(robots, 0, 5);
	for (unsigned i = 0; i < 10; i++)
		v[i + 1] = visit(pages[i], (i + 1) * delay, (i + 1) * delay + 5);
	politeness_judge(&w, &o, v, COUNT(v), &p);
	for (unsigned i = 0; i < VIOLATIONS; i++)
		CHECK(p.count[i] == 0);
}

static void log_lines_can_be_read_back(void)
{
	struct access_log log;
	struct access a = { .start_us = 17,
			    .end_us = 29,
			    .client_port = 4711,
			    .status = 429,
			    .address = 127u << 24 | 258,
			    .host = STR("www.a.test"),
			    .bytes = 12,
			    .retry_ms = 1500,
			    .https = true,
			    .method = STR("GET"),
			    .target = STR("/a?b=c") };
	struct access back;
	cleanup(buf_release) struct buf text = { 0 };
	struct str rest, line;

	CHECK(access_log_open(&log, path("log.tsv"), &why) == ST_OK);
	access_log_add(&log, &a);
	a.retry_ms = -1;
	access_log_add(&log, &a);
	access_log_close(&log);
	CHECK(file_load(path("log.tsv"), 10000, &text, &why) == ST_OK);
	rest = buf_str(&text);
	CHECK(str_take_line(&rest, &line) && str_eq(line, STR(ACCESS_LOG_MAGIC)));
	CHECK(str_take_line(&rest, &line) && access_parse(line, &back) == ST_OK);
	CHECK(back.start_us == 17 && back.end_us == 29 && back.client_port == 4711);
	CHECK(back.status == 429 && back.address == a.address && back.retry_ms == 1500);
	CHECK(str_eq(back.host, a.host) && str_eq(back.target, a.target) && back.https);
	CHECK(str_take_line(&rest, &line) && access_parse(line, &back) == ST_OK);
	CHECK(back.retry_ms == -1);
	CHECK(access_parse(STR("1\t2\t3\tx"), &back) == ST_SYNTAX);
}

int main(void)
{
	struct world_options o;

	world_options_default(&o);
	o.pages = 2000;
	if (!mkdtemp(dir) || world_init(&w, &o, &why) != ST_OK || find_pages() == NO_SITE)
		return printf("# cannot begin\n"), 1;
	RUN(a_crawl_is_counted_right);
	RUN(a_topic_narrows_what_must_be_kept);
	RUN(the_numbers_are_printed);
	RUN(what_cannot_be_read_is_said);
	RUN(impoliteness_is_seen);
	RUN(requests_on_their_way_are_forgiven);
	RUN(a_later_answer_counts_when_it_is_read);
	RUN(a_polite_crawl_has_no_violations);
	RUN(log_lines_can_be_read_back);
	if (dir_remove(dir, &why) != ST_OK)
		printf("# %s\n", why.text);
	arena_release(&arena);
	world_release(&w);
	DONE();
}
