/* Queries that are made to break the one who answers: each ends soon, in its limits. */
#include "kb/kb.h"
#include "test.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "os/clock.h"

#define TIME_MS      500
#define TIME_MOST_MS 20000 /* a machine under load and under sanitizers */
#define MEMORY_BYTES ((uint64_t)64 << 20)

static struct kb kb;
static uint64_t time_ms = TIME_MS;

static enum status drop(void *context, struct str bytes)
{
	*(size_t *)context += bytes.n;
	return ST_OK;
}

static enum status collect(void *context, struct str bytes)
{
	buf_add(context, bytes);
	return ST_OK;
}

/* Run on a stack of the usual size; how long it took must be fine, too. */
struct asked {
	struct str text;
	bool update;
	enum status st;
	struct diag why;
	int64_t ms;
	size_t bytes;
};

static void *run(void *context)
{
	struct asked *a = context;
	struct query_options o = { .limits = { time_ms, MEMORY_BYTES, 0 } };
	struct results_writer w = { .format = RESULTS_CSV,
				    .graph_format = RESULTS_NTRIPLES,
				    .flush = drop,
				    .context = &a->bytes };
	int64_t from = clock_mono_ms(&real_clock);
	struct update_counts counts;

	a->st = a->update
			? kb_update(&kb, a->text, STR("http://b/"), &o, &counts, &a->why)
			: kb_query(&kb, a->text, STR("http://b/"), &o, &w, &a->why);
	results_release(&w);
	a->ms = clock_mono_ms(&real_clock) - from;
	return NULL;
}

static enum status ask(struct buf *text, bool update)
{
	struct asked a = { .text = buf_str(text), .update = update };
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)8 << 20);
	pthread_create(&t, &attr, run, &a);
	pthread_join(t, NULL);
	pthread_attr_destroy(&attr);
	if (a.ms > TIME_MOST_MS)
		printf("# it took %lld ms\n", (long long)a.ms);
	if (a.st != ST_OK)
		printf("# %s\n", a.why.text);
	buf_release(text);
	return a.ms > TIME_MOST_MS ? ST_IO : a.st;
}

/* `n` times `each`, where %zu is the number (at most four times), with `between`. */
static struct buf repeat(const char *head, const char *each, size_t n,
			 const char *between, const char *tail)
{
	struct buf b = { 0 };

	buf_addf(&b, "PREFIX : <http://x/> %s", head);
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_add(&b, str_from(between));
		for (const char *p = each; *p; p++) {
			if (*p == '#')
				buf_add_uint(&b, i);
			else
				buf_add_char(&b, *p);
		}
	}
	buf_add(&b, str_from(tail));
	return b;
}

static enum status ask_repeated(const char *head, const char *each, size_t n,
				const char *between, const char *tail)
{
	struct buf b = repeat(head, each, n, between, tail);

	return ask(&b, false);
}

static void long_chains_are_refused_and_shorter_ones_run(void)
{
	static const struct {
		const char *head, *each, *between, *tail;
		size_t fine;
	} rows[] = {
		{ "SELECT (", "1", "*", " AS ?x) {}", 900 },
		{ "SELECT (", "1", "-", " AS ?x) {}", 900 },
		{ "SELECT * { ?s :p ?o ", "OPTIONAL { ?s :p ?o }", " ", "}", 200 },
		{ "SELECT * { ?s :p ?o ", "OPTIONAL { ?s :p ?o# }", " ", "} LIMIT 9",
		  200 },
		{ "SELECT * { ", "?s :p ?o", " . ", "}", 900 },
		{ "SELECT * { :s :p ?o ", "BIND(# AS ?v#)", " ", "}", 900 },
		{ "SELECT * { ?s :p ?o ", "MINUS { ?s :q ?o }", " ", "}", 200 },
		{ "SELECT * { ?s :p ?o ", "{ ?s :p ?o }", " ", "}", 200 },
		{ "SELECT * { ?s :p ?o ", "GRAPH ?g# { ?s :p ?o }", " ", "}", 150 },
		{ "SELECT * { ?s :p ?o ", "{ SELECT ?s { ?s :p ?o } }", " ", "}", 60 },
		{ "SELECT * { ?s (", "(:p|:q)", "/", ")* ?o }", 300 },
		{ "ASK { ?s ", ":p", "/", " ?o }", 400 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		enum status st = ask_repeated(rows[i].head, rows[i].each, rows[i].fine,
					      rows[i].between, rows[i].tail);

		if (st != ST_OK && st != ST_TIMEOUT)
			printf("# row %zu is refused\n", i);
		CHECK(st == ST_OK || st == ST_TIMEOUT);
		st = ask_repeated(rows[i].head, rows[i].each, 20000, rows[i].between,
				  rows[i].tail);
		if (st != ST_SYNTAX)
			printf("# row %zu is not refused\n", i);
		CHECK(st == ST_SYNTAX);
	}
}

static void what_is_associative_may_be_as_long_as_it_likes(void)
{
	time_ms = TIME_MOST_MS;
	CHECK(ask_repeated("ASK { :s1 :p ?o FILTER(", "?o = '#'", 80000, " || ", ")}") ==
	      ST_OK);
	CHECK(ask_repeated("ASK { :s1 :p ?o FILTER(", "?o != '#'", 80000, " && ", ")}") ==
	      ST_OK);
	CHECK(ask_repeated("ASK { :s1 :p ?o ", "FILTER(?o != '#')", 5000, " ", "}") ==
	      ST_OK);
	CHECK(ask_repeated("ASK { ", "{ :s# :p ?o }", 5000, " UNION ", "}") == ST_OK);
	CHECK(ask_repeated("ASK { :s1 :p ?o FILTER(?o IN (", "'#'", 80000, ", ", "))}") ==
	      ST_OK);
	time_ms = TIME_MS;
}

static void planning_and_parsing_keep_to_the_limits(void)
{
	enum status st =
		ask_repeated("SELECT * { ", "{ ?s# ?p# ?o# }", 5000, " UNION ", "}");

	CHECK(st == ST_TOO_LARGE || st == ST_TIMEOUT);
	st = ask_repeated("SELECT * { ", "{ BIND(1 AS ?v#) }", 20000, " UNION ", "}");
	CHECK(st == ST_TOO_LARGE || st == ST_TIMEOUT);
	st = ask_repeated("SELECT * { ", "{ SELECT ?v# { ?v# :p ?w# } }", 5000, " UNION ",
			  "}");
	CHECK(st == ST_TOO_LARGE || st == ST_TIMEOUT);
	/* Names are found by hash: a hundred thousand of them take no time. */
	time_ms = TIME_MOST_MS;
	CHECK(ask_repeated("SELECT * { VALUES (", "?v#", 100000, " ", ") {} }") == ST_OK);
	CHECK(ask_repeated("", "PREFIX p#: <http://p/>", 50000, "\n",
			   "ASK { p7:a p8:b 1 }") == ST_OK);
	CHECK(ask_repeated("ASK { ", "_:b# :p '#' . ", 900, " ", "}") == ST_OK);
	time_ms = TIME_MS;
}

static void a_regular_expression_keeps_to_the_limit_of_time(void)
{
	struct buf b = { 0 };

	buf_add(&b, STR("SELECT (COUNT(*) AS ?n) { ?s ?p ?o . ?t ?q ?u FILTER(REGEX("
			"CONCAT('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', STR(?s)), "
			"'^(a+)+$')) }"));
	CHECK(ask(&b, false) == ST_TIMEOUT);
	buf_add(&b, STR("SELECT (COUNT(*) AS ?n) { ?s ?p ?o . ?t ?q ?u FILTER(STRLEN("
			"REPLACE(CONCAT('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', STR(?s)), "
			"'^(a+)+$', 'b')) > 0) }"));
	CHECK(ask(&b, false) == ST_TIMEOUT);
	/* A long text that needs much stack is no error. */
	buf_add(&b, STR("SELECT ?x { BIND(REPLACE('a', 'a', '"));
	for (int i = 0; i < 100000; i++)
		buf_add(&b, STR("ab"));
	buf_add(&b, STR("') AS ?x) FILTER(REGEX(?x, '^(a|b)*$')) }"));
	time_ms = TIME_MOST_MS;
	CHECK(ask(&b, false) == ST_OK);
	time_ms = TIME_MS;
}

static void strings_are_charged_to_the_memory(void)
{
	struct buf b = repeat("SELECT (STRLEN(?v39) AS ?n) { BIND('aaaaaaaa' AS ?u) "
			      "BIND(?u AS ?v0) ",
			      "", 0, "", "");
	struct mallinfo2 before, after;

	for (int i = 0; i < 39; i++)
		buf_addf(&b, "BIND(CONCAT(?v%d, ?v%d) AS ?v%d) ", i, i, i + 1);
	buf_add_char(&b, '}');
	time_ms = TIME_MOST_MS;
	CHECK(ask(&b, false) == ST_TOO_LARGE);
	time_ms = TIME_MS;

	/* Nested, so that nothing is bound on the way. */
	buf_add(&b, STR("SELECT (STRLEN("));
	for (int i = 0; i < 60; i++)
		buf_add(&b, STR("REPLACE("));
	buf_add(&b, STR("'aaaaaaaa'"));
	for (int i = 0; i < 60; i++)
		buf_add(&b,
			STR(", 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')"));
	buf_add(&b, STR(") AS ?n) {}"));
	enum status st = ask(&b, false);
	CHECK(st == ST_TOO_LARGE || st == ST_TIMEOUT);

	before = mallinfo2();
	buf_add(&b, STR("SELECT (GROUP_CONCAT(?o; separator='----------------------') AS "
			"?g) { ?s ?p ?o . ?t ?q ?u . ?v ?w ?x }"));
	st = ask(&b, false);
	after = mallinfo2();
	CHECK(st == ST_TOO_LARGE || st == ST_TIMEOUT);
	CHECK(after.uordblks < before.uordblks + MEMORY_BYTES);
}

static void keys_to_order_by_are_charged_with_their_text(void)
{
	struct buf b = { 0 };

	buf_add(&b,
		STR("SELECT ?s ?t { ?s ?p ?o . ?t ?q ?u } ORDER BY "
		    "CONCAT(?o, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', "
		    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')"));
	enum status st = ask(&b, false);

	CHECK(st == ST_TOO_LARGE || st == ST_TIMEOUT);
}

/* Enough rows for several portions; sorted all the same. */
static void large_answers_are_sorted(void)
{
	struct asked a = { .text = STR(
				   "ASK { { SELECT ?x ?y { ?s <http://x/p> ?x . ?t "
				   "<http://x/p> ?y FILTER(STRLEN(?x) < 3 && "
				   "STRLEN(?y) = 3) } ORDER BY DESC(?y) ?x LIMIT 1 "
				   "OFFSET 89999 } FILTER(?x = '99' && ?y = '100') }") };
	struct query_options o = { .limits = { 60000, (uint64_t)1 << 30, 0 } };
	cleanup(buf_release) struct buf out = { 0 };
	struct results_writer w = { .format = RESULTS_CSV,
				    .flush = collect,
				    .context = &out };

	CHECK(kb_query(&kb, a.text, STR("http://b/"), &o, &w, &a.why) == ST_OK);
	results_release(&w);
	CHECK(str_find(buf_str(&out), STR("true")) != STR_NONE);
}

static void many_columns_are_no_limit(void)
{
	struct buf b = repeat("SELECT * { VALUES (", "?v#", 65, " ", ") {(");
	struct asked a = { 0 };

	for (int i = 0; i < 65; i++)
		buf_addf(&b, "%d ", i);
	buf_add(&b, STR(")} } ORDER BY"));
	for (int i = 0; i < 40; i++)
		buf_addf(&b, " ?v%d", i);
	buf_add(&b, STR(" LIMIT 18446744073709551615 OFFSET 0"));
	a.text = buf_str(&b);
	run(&a);
	CHECK(a.st == ST_OK);
	CHECK(a.bytes > 2 * 65 * 3);
	buf_release(&b);
}

/* DESCRIBE follows blank nodes as far as they go. */
static void a_long_chain_of_blank_nodes_is_described(void)
{
	struct buf b = { 0 };
	struct load_options load = { .syntax = RDF_NTRIPLES };
	struct load_counts counts;
	struct diag why;

	buf_add(&b, STR("<http://x/list> <http://x/next> _:b0 .\n"));
	for (int i = 0; i < 100000; i++)
		buf_addf(&b, "_:b%d <http://x/next> _:b%d .\n", i, i + 1);
	CHECK(kb_load_text(kb.store, buf_str(&b), &load, &counts, &why) == ST_OK);
	buf_release(&b);
	buf_add(&b, STR("DESCRIBE <http://x/list>"));
	enum status st = ask(&b, false);
	CHECK(st == ST_OK || st == ST_TIMEOUT);
}

static void updates_are_bounded_alike(void)
{
	struct buf b = repeat("DELETE WHERE { ", ":s# :p ?o", 20000, " . ", "}");

	CHECK(ask(&b, true) == ST_SYNTAX);
	time_ms = TIME_MOST_MS;
	b = repeat("INSERT DATA { ", ":n# :p '#'", 20000, " . ", "}");
	CHECK(ask(&b, true) == ST_OK);
	time_ms = TIME_MS;
	b = repeat("INSERT { ", "?s :q# ?o", 2000, " . ",
		   "} WHERE { ?s ?p ?o . ?t ?q ?u }");
	enum status st = ask(&b, true);
	CHECK(st == ST_TOO_LARGE || st == ST_TIMEOUT);
}

static bool fill(void)
{
	struct load_options load = { .syntax = RDF_NTRIPLES };
	cleanup(buf_release) struct buf b = { 0 };
	struct load_counts counts;
	struct diag why;

	for (int i = 0; i < 2000; i++)
		buf_addf(&b, "<http://x/s%d> <http://x/p> \"%d\" .\n", i, i);
	return kb_open(&kb, NULL, NULL, &why) == ST_OK &&
	       kb_load_text(kb.store, buf_str(&b), &load, &counts, &why) == ST_OK;
}

int main(void)
{
	if (!fill())
		return 1;
	RUN(long_chains_are_refused_and_shorter_ones_run);
	RUN(what_is_associative_may_be_as_long_as_it_likes);
	RUN(planning_and_parsing_keep_to_the_limits);
	RUN(a_regular_expression_keeps_to_the_limit_of_time);
	RUN(strings_are_charged_to_the_memory);
	RUN(keys_to_order_by_are_charged_with_their_text);
	RUN(large_answers_are_sorted);
	RUN(many_columns_are_no_limit);
	RUN(updates_are_bounded_alike);
	RUN(a_long_chain_of_blank_nodes_is_described);
	kb_close(&kb);
	DONE();
}
