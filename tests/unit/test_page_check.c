#include "dup/page_check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "dup/bogus_answers.h"
#include "os/file.h"
#include "sketch/exact.h"
#include "test.h"
#include "tmp.h"

static struct diag why;
static struct arena bytes;

static struct str words(uint64_t seed, size_t n)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct rng r = { seed };

	for (size_t i = 0; i < n; i++) {
		for (int k = 0; k < 5; k++)
			buf_add_char(&text, (char)('a' + rng_below(&r, 26)));
		buf_add_char(&text, ' ');
	}
	return arena_copy(&bytes, buf_str(&text));
}

/* A page of the test host: a long menu and footer around its own `content`. */
static struct page_answer see(struct page_check *c, struct str content)
{
	struct str blocks[] = { words(1, 120), words(2, 80), content, words(3, 100) };
	struct checked_page in = { .url = STR("http://h/x"),
				   .host = STR("h"),
				   .blocks = blocks,
				   .n_blocks = COUNT(blocks) };
	struct page_answer a;

	in.payload = payload_digest(content);
	if (page_check_see(c, &in, &a, &why) != ST_OK)
		printf("# %s\n", why.text);
	return a;
}

static void the_template_is_learnt_and_left_out(void)
{
	struct page_check c;

	CHECK(page_check_open(&c, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	for (uint64_t i = 0; i < 5; i++)
		see(&c, words(100 + i, 60));
	/* 60 own words in 300 of template: with the template they would all be near */
	for (uint64_t i = 0; i < 5; i++) {
		struct page_answer a = see(&c, words(200 + i, 60));

		CHECK(a.verdict.kind == VERDICT_NEW && a.template_simhash != 0);
	}
	struct page_answer again = see(&c, words(200, 60));
	CHECK(again.verdict.kind == VERDICT_EXACT);
	CHECK(see(&c, STR("ok")).verdict.kind == VERDICT_TEMPLATE_ONLY);
	page_check_release(&c);
}

static void counters_do_not_hide_a_template_but_prices_are_content(void)
{
	struct templates t = { 0 };
	bool marks[3];
	char text[3][80];

	for (unsigned i = 0; i < 6; i++) {
		struct str blocks[3];

		snprintf(text[0], sizeof(text[0]),
			 "Visitors since 1999-%u: %u, online %u", i, 17 << i,
			 i * i * 1001);
		snprintf(text[1], sizeof(text[1]), "%u.50", 10 + i);
		snprintf(text[2], sizeof(text[2]), "%s \xc3\xa9t\xc3\xa9 %u",
			 i % 2 ? "IN THE SUMMER OF" : "in the Summer of", 1990 + i);
		for (unsigned k = 0; k < 3; k++)
			blocks[k] = str_from(text[k]);
		templates_see(&t, STR("h"), blocks, 3, marks);
		CHECK(!marks[1]);
		CHECK(marks[0] == (i >= TEMPLATE_MIN_PAGES));
		CHECK(marks[2] == (i >= TEMPLATE_MIN_PAGES));
	}
	templates_release(&t);
}

static void before_it_is_learnt_the_template_makes_pages_near(void)
{
	struct page_check c;

	CHECK(page_check_open(&c, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	CHECK(see(&c, words(100, 60)).verdict.kind == VERDICT_NEW);
	CHECK(see(&c, words(101, 60)).verdict.kind == VERDICT_NEAR);
	page_check_release(&c);
}

static void an_answer_like_the_probe_is_a_soft_404(void)
{
	struct page_check c;
	struct str sorry = words(9, 150);
	struct checked_page probe = { .url = STR("http://h/bogus"),
				      .host = STR("h"),
				      .blocks = &sorry,
				      .n_blocks = 1 };
	struct str echo[] = { sorry, STR("no page is called some old name") };
	struct str real[] = { sorry, words(10, 100) };
	struct page_answer a;

	CHECK(page_check_open(&c, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	CHECK(!page_check_has_probe(&c, STR("h")));
	page_check_probe(&c, &probe);
	CHECK(page_check_has_probe(&c, STR("h")));
	struct checked_page in = {
		.url = STR("http://h/y"), .host = STR("h"), .blocks = echo, .n_blocks = 2
	};
	CHECK(page_check_see(&c, &in, &a, &why) == ST_OK);
	CHECK(a.verdict.kind == VERDICT_SOFT_404 && a.verdict.score >= 0.95);
	in.blocks = real;
	CHECK(page_check_see(&c, &in, &a, &why) == ST_OK);
	CHECK(a.verdict.kind == VERDICT_NEW);
	in.host = STR("other");
	in.blocks = &sorry;
	in.n_blocks = 1;
	CHECK(page_check_see(&c, &in, &a, &why) == ST_OK);
	CHECK(a.verdict.kind != VERDICT_SOFT_404);
	page_check_release(&c);
}

static void all_of_it_survives_closing(void)
{
	char dir[] = "/tmp/test_page_check.XXXXXX";
	struct str sorry = words(9, 150);
	struct checked_page probe = { .host = STR("h"), .blocks = &sorry, .n_blocks = 1 };
	struct page_check c;

	CHECK(mkdtemp(dir));
	struct dup_index_options how = { .dir = dir };
	CHECK(page_check_open(&c, &how, &why) == ST_OK);
	for (uint64_t i = 0; i < 6; i++)
		see(&c, words(100 + i, 60));
	page_check_probe(&c, &probe);
	CHECK(page_check_sync(&c, NULL, &why) == ST_OK);
	page_check_release(&c);
	CHECK(page_check_open(&c, &how, &why) == ST_OK);
	CHECK(page_check_has_probe(&c, STR("h")));
	CHECK(see(&c, words(300, 60)).verdict.kind == VERDICT_NEW);
	CHECK(see(&c, words(105, 60)).verdict.kind == VERDICT_EXACT);
	page_check_release(&c);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static uint64_t bytes_of(const char *dir, const char *name)
{
	char path[256];
	uint64_t n = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return file_size(path, &n, &why) == ST_OK ? n : 0;
}

/* A commit a second must not write what a thousand hosts have taught. */
static void what_is_synced_grows_with_what_is_new(void)
{
	char dir[] = "/tmp/test_page_check.XXXXXX", host[16];
	struct page_check c;
	struct page_answer a;

	CHECK(mkdtemp(dir));
	struct dup_index_options how = { .dir = dir };
	CHECK(page_check_open(&c, &how, &why) == ST_OK);
	for (uint64_t i = 0; i < 300; i++) {
		struct str blocks[100];
		struct checked_page p = { .host = { host, 0 }, .blocks = blocks };

		p.host.n = (size_t)snprintf(host, sizeof(host), "h%u", (unsigned)i);
		for (p.n_blocks = 0; p.n_blocks < 100; p.n_blocks++)
			blocks[p.n_blocks] = words(i * 100 + p.n_blocks, 5);
		CHECK(page_check_see(&c, &p, &a, &why) == ST_OK);
		page_check_probe(&c, &p);
		if (i == 0)
			page_check_probe(&c, &p);
	}
	CHECK(page_check_sync(&c, NULL, &why) == ST_OK);
	uint64_t templates = bytes_of(dir, "templates"),
		 probes = bytes_of(dir, "probes.seg");
	CHECK(templates > 300 * 100 * 8 && probes > 300 * 500);
	struct str one = words(1, 80);
	struct checked_page p = { .host = STR("h7"), .blocks = &one, .n_blocks = 1 };
	CHECK(page_check_see(&c, &p, &a, &why) == ST_OK);
	page_check_probe(&c, &p);
	CHECK(page_check_sync(&c, NULL, &why) == ST_OK);
	CHECK(bytes_of(dir, "templates") == templates);
	CHECK(bytes_of(dir, "probes.seg") < probes + 2000);
	page_check_release(&c);
	CHECK(page_check_open(&c, &how, &why) == ST_OK);
	CHECK(c.probes.n == 300);
	CHECK(bogus_find(&c.probes, hash64(STR("h7")))->text.n_words == 80);
	page_check_release(&c);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void a_host_cannot_fill_the_memory(void)
{
	struct templates t = { 0 };
	struct buf out = { 0 };
	struct templates again = { 0 };
	bool mark[64];

	for (uint64_t page = 0; page < 1000; page++) {
		struct str blocks[64];

		for (uint64_t i = 0; i < 64; i++)
			blocks[i] = i == 0 ? STR("the menu") : words(page * 64 + i, 3);
		templates_see(&t, STR("h"), blocks, 64, mark);
		CHECK(t.v[0].counts.n <= TEMPLATE_BLOCKS);
		CHECK(mark[0] == (page >= TEMPLATE_MIN_PAGES) && !mark[1]);
		arena_reset(&bytes);
	}
	templates_encode(&t, &out);
	CHECK(templates_decode(buf_str(&out), &again) == ST_OK && again.n == 1);
	out.p[12] ^= 1;
	CHECK(templates_decode(buf_str(&out), &again) == ST_CORRUPT);
	templates_release(&t);
	templates_release(&again);
	buf_release(&out);
}

static void a_page_of_little_text_in_a_large_frame_is_none(void)
{
	struct page_check c;
	struct page_answer a;
	struct str frame =
		STR("menu one two three four five six seven eight nine ten eleven "
		    "twelve thirteen fourteen fifteen sixteen seventeen eighteen "
		    "nineteen twenty imprint contact help search about us here");
	struct str sorry[] = { frame,
			       STR("the page that you asked for is not here, it may "
				   "have moved or it never was, we are sorry and "
				   "suggest that you go back to where you were") };
	struct str little[] = { frame, STR("moved over there") };
	struct checked_page probe = { .host = STR("h"), .blocks = sorry, .n_blocks = 2 };
	struct checked_page page = { .url = STR("http://h/go"),
				     .host = STR("h"),
				     .blocks = little,
				     .n_blocks = 2 };

	CHECK(page_check_open(&c, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	page_check_probe(&c, &probe);
	CHECK(page_check_see(&c, &page, &a, &why) == ST_OK);
	CHECK(a.verdict.kind != VERDICT_SOFT_404);
	probe.url = STR("http://h/other");
	CHECK(page_check_see(&c, &probe, &a, &why) == ST_OK);
	CHECK(a.verdict.kind == VERDICT_SOFT_404);
	probe.is_there = true; /* a front page */
	CHECK(page_check_see(&c, &probe, &a, &why) == ST_OK);
	CHECK(a.verdict.kind != VERDICT_SOFT_404);
	page_check_release(&c);
}

/* What stands beside the text changes with every request. */
static void a_frame_that_changes_does_not_hide_the_probes_main_text(void)
{
	struct page_check c;
	struct page_answer a;
	struct str frame = STR("menu one two three four five six seven eight nine ten "
			       "eleven twelve imprint contact help search about us here "
			       "and a long footer of the same words on every page of "
			       "this host that nobody ever reads to its very end");
	struct str sorry = STR("the page that you asked for is not here, it may have "
			       "moved or it never was, we are sorry");
	struct str asked[] = { frame, sorry, STR("see also the red boat on its sea") };
	struct str other[] = { frame, sorry, STR("see also nine green hills of home") };
	struct str real[] = { frame, STR("a short note about the ways of boats"),
			      STR("see also nine green hills of home") };
	bool is_main[] = { false, true, false };
	struct checked_page probe = { .host = STR("h"), .blocks = asked, .n_blocks = 3 };
	struct checked_page page = {
		.url = STR("http://h/b"), .host = STR("h"), .blocks = other, .n_blocks = 3
	};

	CHECK(page_check_open(&c, &(struct dup_index_options){ 0 }, &why) == ST_OK);
	page_check_probe(&c, &probe);
	page.is_main = is_main;
	CHECK(page_check_see(&c, &page, &a, &why) == ST_OK);
	CHECK(a.verdict.kind == VERDICT_SOFT_404);
	page.blocks = real;
	CHECK(page_check_see(&c, &page, &a, &why) == ST_OK);
	CHECK(a.verdict.kind != VERDICT_SOFT_404);
	page_check_release(&c);
}

static void a_damaged_memory_of_probes_is_begun_anew(void)
{
	char path[128];
	struct bogus_answers p;

	snprintf(path, sizeof(path), "%s", tmp_path("probes.seg"));
	CHECK(file_save(path, STR("this was never a segment of ours, whoever wrote it"),
			&why) == ST_OK);
	CHECK(bogus_open(&p, path, &why) == ST_OK);
	bogus_release(&p);
	CHECK(bogus_open(&p, path, &why) == ST_OK);
	bogus_release(&p);
}

int main(void)
{
	RUN(a_damaged_memory_of_probes_is_begun_anew);
	RUN(the_template_is_learnt_and_left_out);
	RUN(counters_do_not_hide_a_template_but_prices_are_content);
	RUN(before_it_is_learnt_the_template_makes_pages_near);
	RUN(an_answer_like_the_probe_is_a_soft_404);
	RUN(all_of_it_survives_closing);
	RUN(what_is_synced_grows_with_what_is_new);
	RUN(a_host_cannot_fill_the_memory);
	RUN(a_frame_that_changes_does_not_hide_the_probes_main_text);
	arena_release(&bytes);
	RUN(a_page_of_little_text_in_a_large_frame_is_none);
	DONE();
}
