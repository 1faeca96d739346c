/* Enough rows that steps wait for batches, leap over blocks and drop what a limit drops.
 */
#include "kb/kb.h"
#include "test.h"

#include <stdlib.h>

#define SUBJECTS 6000u

static enum status collect(void *context, struct str bytes)
{
	buf_add(context, bytes);
	return ST_OK;
}

/* The answer as CSV without its head, lines between semicolons. */
static bool answers(struct kb *k, const char *query, const char *want)
{
	cleanup(buf_release) struct buf out = { 0 }, text = { 0 }, got = { 0 };
	struct results_writer w = { .format = RESULTS_CSV,
				    .flush = collect,
				    .context = &out };
	struct diag why = { "" };
	struct str rest, line;

	buf_addf(&text, "PREFIX : <http://x/> %s", query);
	enum status st = kb_query(k, buf_str(&text), STR("http://b/"), NULL, &w, &why);
	results_release(&w);
	rest = buf_str(&out);
	for (bool head = true; str_take_line(&rest, &line); head = false)
		if (!head)
			buf_addf(&got, "%s" STR_FMT, got.n ? ";" : "",
				 STR_ARG(str_trim(line)));
	if (st == ST_OK && str_eq(buf_str(&got), str_from(want)))
		return true;
	printf("# %s\n#   got  %s%s\n#   want %s\n", query, buf_cstr(&got), why.text,
	       want);
	return false;
}

static void make_graph(struct buf *to)
{
	for (unsigned i = 0; i < SUBJECTS; i++)
		buf_addf(to,
			 "<http://x/s%u> <http://x/kind> <http://x/k%u> .\n"
			 "<http://x/s%u> <http://x/size> "
			 "\"%u\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n"
			 "<http://x/s%u> <http://x/link> <http://x/s%u> .\n",
			 i, i % 3, i, i, i, i * 7 % SUBJECTS);
}

static const struct {
	const char *query, *want;
} asked[] = {
	{ "SELECT (COUNT(*) AS ?n) { ?s :kind ?k }", "6000" },
	{ "SELECT (COUNT(?s) AS ?n) (COUNT(DISTINCT ?k) AS ?d) { ?s :kind ?k }",
	  "6000,3" },
	{ "SELECT ?k (COUNT(*) AS ?n) { ?s :kind ?k } GROUP BY ?k ORDER BY ?k",
	  "http://x/k0,2000;http://x/k1,2000;http://x/k2,2000" },
	{ "SELECT ?k (COUNT(?t) AS ?n) (SUM(1) AS ?m) { ?s :link ?t . ?t :kind ?k } "
	  "GROUP BY ?k ORDER BY ?k",
	  "http://x/k0,2000,2000;http://x/k1,2000,2000;http://x/k2,2000,2000" },
	{ "SELECT ?k (COUNT(?s) AS ?n) { ?s :link ?t . ?t :kind ?k } "
	  "GROUP BY ?k ORDER BY ?k",
	  "http://x/k0,2000;http://x/k1,2000;http://x/k2,2000" },
	{ "SELECT (COUNT(*) AS ?n) { ?s :kind :k1 ; :size ?z FILTER(?z >= 3000) }",
	  "1000" },
	{ "SELECT (COUNT(*) AS ?n) { ?s :link ?t . ?t :size ?z FILTER(?z < 10) }", "10" },
	{ "SELECT (COUNT(*) AS ?n) { { ?s :kind ?k } UNION { ?s :size ?z } }", "12000" },
	{ "SELECT (COUNT(*) AS ?n) { ?s ?p ?s }", "6" },
	{ "SELECT (COUNT(*) AS ?n) { ?s :kind ?k . ?s ?p ?o }", "18000" },
	{ "SELECT DISTINCT ?k { ?s :kind ?k . ?s :link ?t } ORDER BY ?k",
	  "http://x/k0;http://x/k1;http://x/k2" },
	{ "SELECT DISTINCT ?p { ?s ?p ?o } ORDER BY ?p",
	  "http://x/kind;http://x/link;http://x/size" },
	{ "SELECT ?z { ?s :size ?z } ORDER BY DESC(?z) ?s LIMIT 2 OFFSET 1",
	  "5998;5997" },
	{ "SELECT ?k ?z { ?s :kind ?k ; :size ?z } ORDER BY ?k DESC(?z) LIMIT 2",
	  "http://x/k0,5997;http://x/k0,5994" },
	{ "SELECT (COUNT(*) AS ?n) { ?s :kind :k2 "
	  "FILTER NOT EXISTS { ?s :size ?z FILTER(?z < 5000) } }",
	  "334" },
	{ "SELECT (COUNT(*) AS ?n) { ?s :kind :k0 OPTIONAL { ?s :none ?x } }", "2000" },
	{ "SELECT (COUNT(*) AS ?n) { ?a :link ?b . ?b :link ?c . ?c :link ?d "
	  ". ?d :kind :k1 }",
	  "2000" },
};

static void ask_all(struct kb *k)
{
	bool ok = true;

	for (size_t i = 0; i < COUNT(asked); i++)
		ok &= answers(k, asked[i].query, asked[i].want);
	CHECK(ok);
}

static void in_memory_and_from_blocks(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct load_options load = { .syntax = RDF_NTRIPLES };
	struct load_counts counts;
	struct diag why;

	make_graph(&text);
	for (int on_disk = 0; on_disk < 2; on_disk++) {
		char dir[] = "/tmp/thresh-large-XXXXXX";
		struct kb k;

		CHECK(!on_disk || mkdtemp(dir));
		CHECK(kb_open(&k, on_disk ? dir : NULL, NULL, &why) == ST_OK);
		CHECK(kb_load_text(k.store, buf_str(&text), &load, &counts, &why) ==
		      ST_OK);
		CHECK(store_flush(k.store, &why) == ST_OK);
		ask_all(&k);
		kb_close(&k);
		CHECK(!on_disk || dir_remove(dir, &why) == ST_OK);
	}
}

/* Longer than a word has bits: planned in groups. */
static void patterns_may_have_many_triples(void)
{
	cleanup(buf_release) struct buf query = { 0 };
	struct load_options load = { .syntax = RDF_TURTLE };
	struct load_counts counts;
	struct diag why;
	struct kb k;

	CHECK(kb_open(&k, NULL, NULL, &why) == ST_OK);
	CHECK(kb_load_text(k.store,
			   STR("@prefix : <http://x/> . :a :p 1 ; :q :b . :b :p 2 ."),
			   &load, &counts, &why) == ST_OK);
	buf_add(&query, STR("SELECT (COUNT(*) AS ?n) { ?s :q ?t . "));
	for (unsigned i = 0; i < 140; i++)
		buf_addf(&query, "?%c :p ?v%u . ", i % 2 ? 's' : 't', i);
	buf_add(&query, STR("}"));
	CHECK(answers(&k, buf_cstr(&query), "1"));
	kb_close(&k);
}

int main(void)
{
	RUN(in_memory_and_from_blocks);
	RUN(patterns_may_have_many_triples);
	DONE();
}
