#include "kb/facts.h"
#include "kb/kb.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static enum status collect(void *context, struct str bytes)
{
	buf_add(context, bytes);
	return ST_OK;
}

static bool knows(struct kb *k, const char *pattern)
{
	cleanup(buf_release) struct buf text = { 0 }, out = { 0 };
	struct results_writer w = { .format = RESULTS_CSV,
				    .flush = collect,
				    .context = &out };
	struct diag why;

	buf_addf(&text,
		 "PREFIX s: <" SCHEMA "> PREFIX t: <" THRESH "> PREFIX p: <" PROV ">"
		 "PREFIX sioc: <" SIOC "> ASK { GRAPH <http://crawl/1> { %s } }",
		 pattern);
	enum status st = kb_query(k, buf_str(&text), STR(""), NULL, &w, &why);
	results_release(&w);
	return st == ST_OK && str_starts(buf_str(&out), STR("true"));
}

static void a_page_is_a_star_with_its_record(void)
{
	struct fact_link links[] = { { STR("http://b/"), STR("see b") },
				     { STR("http://c/"), STR("") } };
	struct fact_page page = { .url = STR("http://a/1"),
				  .title = STR("Eins"),
				  .language = STR("de"),
				  .host = STR("http://a/"),
				  .record = STR("urn:uuid:1"),
				  .fetched_ms = 1700000000000,
				  .status = 200,
				  .duplicate_of = STR("http://a/0"),
				  .links = links,
				  .n_links = 2 };
	struct fact_object post = { .iri = STR("http://a/1#p"),
				    .type = STR(SIOC "Post"),
				    .page = STR("http://a/1"),
				    .text = STR("hello") };
	struct fact_rule rule = { STR("drop sid"), STR("sid=*"), 7 };
	struct kb_writer w;
	struct diag why;
	struct kb k;

	CHECK(kb_open(&k, NULL, NULL, &why) == ST_OK);
	kb_writer_init(&w, k.store, &real_clock);
	CHECK(facts_add_page(&w, STR("http://crawl/1"), &page, &why) == ST_OK);
	CHECK(facts_add_object(&w, STR("http://crawl/1"), &post, &why) == ST_OK);
	CHECK(facts_add_rule(&w, STR("http://crawl/1"), &rule, &why) == ST_OK);
	CHECK(kb_writer_sync(&w, &why) == ST_OK);
	CHECK(knows(&k, "<http://a/1> a s:WebPage ; s:name 'Eins'@de ; t:status 200 ; "
			"p:wasDerivedFrom <urn:uuid:1> ; t:duplicateOf <http://a/0>"));
	CHECK(knows(&k, "<http://a/1> p:generatedAtTime ?t FILTER(YEAR(?t) = 2023)"));
	CHECK(knows(&k, "<http://a/1> t:linksTo <http://b/>, <http://c/> . "
			"?l t:source <http://a/1> ; t:target <http://b/> ; "
			"t:anchorText 'see b' ; p:wasDerivedFrom <urn:uuid:1>"));
	CHECK(!knows(&k, "<http://a/1> s:contentSize ?n"));
	CHECK(knows(&k, "?p a sioc:Post ; sioc:content 'hello'"));
	CHECK(knows(&k, "?r a t:Rule ; t:skipped 7"));
	kb_writer_release(&w);
	kb_close(&k);
}

static void groups_are_committed_by_count_and_by_time(void)
{
	struct fake_clock clock;
	struct kb_writer w;
	struct store *s;
	struct diag why;
	struct statement st = { term_iri(STR("http://a")),
				term_iri(STR("http://p")),
				term_iri(STR("http://o")),
				{ 0 } };

	fake_clock_init(&clock, 0);
	CHECK(store_open(&s, NULL, NULL, &why) == ST_OK);
	kb_writer_init(&w, s, &clock.base);
	CHECK(kb_writer_add(&w, &st, &why) == ST_OK && w.n == 1);
	fake_clock_pass(&clock, 1000);
	CHECK(kb_writer_add(&w, &st, &why) == ST_OK && w.n == 0);
	w.group_rows = 2;
	CHECK(kb_writer_add(&w, &st, &why) == ST_OK && w.n == 1);
	CHECK(kb_writer_add(&w, &st, &why) == ST_OK && w.n == 0);
	kb_writer_release(&w);
	store_close(s);
}

int main(void)
{
	RUN(a_page_is_a_star_with_its_record);
	RUN(groups_are_committed_by_count_and_by_time);
	DONE();
}
