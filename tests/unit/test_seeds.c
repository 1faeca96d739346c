#include "spec/seeds.h"

#include "test.h"

static void a_seed_may_have_its_own_frequency(void)
{
	struct str rows[] = { STR("6h https://news.test"), STR("30s http://b.test/x") };
	struct crawl_settings s = { .revisit_ms = 1000,
				    .revisit_min_ms = 500,
				    .revisit_max_ms = 9000,
				    .revisit_seeds = { rows, 2, 2 } };

	struct recrawl r = revisit_rule(&s, STR("http://other.test/"));
	CHECK(r.first_ms == 1000 && r.min_ms == 500 && r.max_ms == 9000);
	r = revisit_rule(&s, STR("https://news.test/")); /* in its normal form */
	CHECK(r.first_ms == 6 * 3600000 && r.min_ms == r.first_ms &&
	      r.max_ms == r.first_ms);
	CHECK(revisit_rule(&s, STR("http://b.test/x")).first_ms == 30000);
	s.revisit_ms = 0; /* always due */
	r = revisit_rule(&s, STR("http://other.test/"));
	CHECK(r.first_ms == 0 && r.min_ms == 0 && r.max_ms == 0);
}

static void a_frequency_without_seed_or_time_is_refused(void)
{
	struct diag why;
	struct str seed;
	uint64_t ms;

	CHECK(revisit_seed_parse(STR("6h"), &ms, &seed, &why) == ST_SYNTAX);
	CHECK(revisit_seed_parse(STR("often http://a/"), &ms, &seed, &why) == ST_SYNTAX);
	CHECK(revisit_seed_parse(STR(" 2d  http://a/ "), &ms, &seed, &why) == ST_OK);
	CHECK(ms == 2 * 86400000 && str_eq(seed, STR("http://a/")));
}

static void lists_of_seeds_tell_it_after_a_tab(void)
{
	struct str_list seeds = { 0 }, revisits = { 0 }, passed = { 0 };
	struct arena a = { 0 };
	struct diag why;

	CHECK(seeds_parse(
		      STR("a.org\trevisit=6h\tnutch.score=2 # daily news\n# x\nb.org\n"),
		      STR("list"), &seeds, &revisits, &passed, &a, &why) == ST_OK);
	CHECK(seeds.n == 2 && str_eq(seeds.v[1], STR("https://b.org")));
	CHECK(revisits.n == 1 && str_eq(revisits.v[0], STR("6h https://a.org")));
	CHECK(seeds_parse(STR("a.org\trevisit=often\n"), STR("list"), &seeds, &revisits,
			  &passed, &a, &why) == ST_SYNTAX);
	str_list_release(&seeds);
	str_list_release(&revisits);
	str_list_release(&passed);
	arena_release(&a);
}

static void crawl_yaml_tells_it_too_and_keeps_it(void)
{
	struct str_list seeds = { 0 }, back = { 0 };
	struct crawl_settings s = { 0 }, t = { 0 };
	struct arena a = { 0 };
	struct buf text = { 0 };
	struct diag why;

	options_default(crawl_options, &s, &a);
	options_default(crawl_options, &t, &a);
	CHECK(settings_parse(STR("seeds: [http://b/, {url: 'http://a/', revisit: 6h}]\n"),
			     &s, &seeds, &a, &why) == ST_OK);
	CHECK(seeds.n == 2 && s.revisit_seeds.n == 1);
	settings_format(&s, &seeds, &text);
	CHECK(settings_parse(buf_str(&text), &t, &back, &a, &why) == ST_OK);
	CHECK(back.n == 2 && t.revisit_seeds.n == 1 &&
	      str_eq(t.revisit_seeds.v[0], STR("6h http://a/")));
	CHECK(settings_parse(STR("seeds: [{revisit: 6h}]\n"), &t, &back, &a, &why) ==
	      ST_SYNTAX);
	settings_release(&s);
	settings_release(&t);
	str_list_release(&seeds);
	str_list_release(&back);
	buf_release(&text);
	arena_release(&a);
}

static void a_topic_may_stand_in_a_section(void)
{
	struct crawl_settings s = { 0 };
	struct str_list seeds = { 0 };
	struct arena a = { 0 };
	struct diag why;

	options_default(crawl_options, &s, &a);
	CHECK(settings_parse(STR("focus:\n  want:\n    - wind\n"
				 "    - {term: solar, aliases: [PV, sun], weight: 2}\n"
				 "    - {term: Apple, entity: true}\n"
				 "  max-pages: 7\n"),
			     &s, &seeds, &a, &why) == ST_OK);
	CHECK(s.want.n == 3 && s.max_pages == 7 && str_eq(s.want.v[0], STR("wind")));
	CHECK(str_eq(s.want.v[1], STR("solar|PV|sun=2")));
	CHECK(str_eq(s.want.v[2], STR("entity:Apple")));
	CHECK(settings_parse(STR("focus: {want: [{aliases: [x]}]}"), &s, &seeds, &a,
			     &why) == ST_SYNTAX);
	CHECK(settings_parse(STR("focus: {want: [{term: x, wait: 1}]}"), &s, &seeds, &a,
			     &why) == ST_SYNTAX);
	CHECK(settings_parse(STR("focus: &f {focus: *f}"), &s, &seeds, &a, &why) ==
	      ST_SYNTAX);
	settings_release(&s);
	arena_release(&a);
}

int main(void)
{
	RUN(a_seed_may_have_its_own_frequency);
	RUN(a_frequency_without_seed_or_time_is_refused);
	RUN(lists_of_seeds_tell_it_after_a_tab);
	RUN(crawl_yaml_tells_it_too_and_keeps_it);
	RUN(a_topic_may_stand_in_a_section);
	DONE();
}
