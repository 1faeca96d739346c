#include "sparql/parse.h"
#include "test.h"

#include <string.h>

#define P "PREFIX : <http://a/> "

/* The error of a query, or "" when it is fine. */
static const char *complaint(const char *text, bool update)
{
	static struct diag why;
	struct request r;
	enum status st = update ? sparql_parse_update(str_from(text), STR(""), &r, &why)
				: sparql_parse_query(str_from(text), STR(""), &r, &why);

	if (st != ST_OK)
		return why.text;
	request_release(&r);
	return "";
}

static void well_formed_queries_are_accepted(void)
{
	static const char *const rows[] = {
		"SELECT * {}",
		P "SELECT ?s (COUNT(*) AS ?n) { ?s :p [ :q 1, -2.5, 1e6 ; a :C ] } GROUP "
		  "BY ?s",
		P
		"ASK { ?s :p/^:q*|!(:a|^:b) ?o . OPTIONAL { ?o :r ?x FILTER(?x > 1) } }",
		P "SELECT ?x { { SELECT (MAX(?y) AS ?x) { ?s :p ?y } } } ORDER BY "
		  "DESC(?x) LIMIT 3",
		P "CONSTRUCT WHERE { ?s :p (1 2 ?x) }",
		P "DESCRIBE ?x :y { ?x :p 'it\\'s' } VALUES ?x { :a UNDEF }",
		P "SELECT ?a { ?a :p ?b FILTER NOT EXISTS { ?a :q _:z } MINUS { ?a :r 1 "
		  "} }",
		P "SELECT (IF(BOUND(?a), 1, 2)+-1 AS ?c) { BIND(STR(:x) AS ?a) }",
		P "SELECT * { GRAPH ?g { ?s ?p ?o } SERVICE SILENT <http://e/> { ?s ?p "
		  "?o } }",
		P "SELECT * { ?s :p\\,q:r%20 \"\"\"long \"quoted\" \"\"\"@en-GB }",
		"SELECT * { ?s ?p '\\u00e9' } # end",
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		if (*complaint(rows[i], false))
			printf("# %s: %s\n", rows[i], complaint(rows[i], false));
		CHECK(!*complaint(rows[i], false));
	}
}

static void errors_name_place_and_expectation(void)
{
	static const char *const rows[][2] = {
		{ "", "line 1 column 1: expected SELECT, CONSTRUCT, DESCRIBE or ASK, "
		      "found the end" },
		{ "SELECT ?x\nWHERE { ?x :p 1 }",
		  "line 2 column 12: prefix ':' is not declared" },
		{ "SELECT ?x { ?x <p> }",
		  "line 1 column 20: expected a variable or an IRI, found '}'" },
		{ "SELECT ?x { ?x <p> 1 ",
		  "line 1 column 22: expected a pattern or '}', found the end" },
		{ "SELECT * { BIND(1 AS ?x) BIND(2 AS ?x) }",
		  "line 1 column 36: BIND to ?x, which is bound already" },
		{ "SELECT * { FILTER(REGEX(?x)) }",
		  "line 1 column 19: REGEX takes another number of arguments than 1" },
		{ "SELECT * { VALUES (?a ?b) { (1) } }",
		  "line 1 column 29: 1 values for 2 variables" },
		{ "SELECT ?x { ?x <p> 'a\n' }",
		  "line 1 column 20: string without closing quote" },
		{ "SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o }",
		  "line 1 column 40: ?s is neither grouped nor in an aggregate" },
		{ "ASK { _:a ?p ?o OPTIONAL { _:a ?q 1 } }",
		  "line 1 column 28: label _:a was used in another group" },
		{ "SELECT * { ?s ?p ?o FILTER(COUNT(?s) > 1) }",
		  "line 1 column 28: no aggregate may stand here" },
		{ "SELECT * { ?s ?p '\\uD800' }",
		  "byte 19: \\u wants 4 hex digits of a character" },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		if (strcmp(complaint(rows[i][0], false), rows[i][1]) != 0)
			printf("# %s: %s\n", rows[i][0], complaint(rows[i][0], false));
		CHECK(strcmp(complaint(rows[i][0], false), rows[i][1]) == 0);
	}
}

static void updates_are_checked_too(void)
{
	CHECK(!*complaint(
		P "INSERT DATA { :a :b 1 . GRAPH :g { :a :b _:x } } ; CLEAR ALL", true));
	CHECK(!*complaint(
		P "WITH :g DELETE { ?s ?p ?o } INSERT { ?s :q ?o } USING :h WHERE "
		  "{ ?s ?p ?o }",
		true));
	CHECK(!*complaint(
		P "LOAD SILENT :x INTO GRAPH :g; DROP NAMED; COPY DEFAULT TO :g;", true));
	CHECK(!*complaint("", true));
	CHECK(*complaint(P "INSERT DATA { ?s :b 1 }", true));
	CHECK(*complaint(P "DELETE DATA { _:s :b 1 }", true));
	CHECK(*complaint(P "DELETE WHERE { _:s :b 1 }", true));
	CHECK(*complaint(P "INSERT DATA { _:s :b 1 } ; INSERT DATA { _:s :b 2 }", true));
	CHECK(*complaint(P "CREATE :g", true));
}

static void nesting_is_bounded(void)
{
	cleanup(buf_release) struct buf text = { 0 };

	buf_add(&text, STR("SELECT * "));
	for (int i = 0; i < 100000; i++)
		buf_add_char(&text, '{');
	CHECK(strstr(complaint(buf_cstr(&text), false), "nested more than"));
	buf_reset(&text);
	buf_add(&text, STR("ASK { FILTER "));
	for (int i = 0; i < 100000; i++)
		buf_add(&text, STR("(!-"));
	CHECK(strstr(complaint(buf_cstr(&text), false), "nested more than"));
}

static void groups_become_algebra(void)
{
	struct request r;
	struct diag why;
	const struct pattern *t;

	CHECK(sparql_parse_query(STR(P "SELECT * { ?a :p ?b FILTER(?b > 1) ?a :q ?c "
				       "OPTIONAL { ?c :r ?d FILTER(?d < ?b) } }"),
				 STR(""), &r, &why) == ST_OK);
	t = r.query->where;
	CHECK(t->kind == PATTERN_FILTER && t->left->kind == PATTERN_LEFT_JOIN);
	CHECK(t->left->expr && t->left->right->kind == PATTERN_BGP);
	CHECK(t->left->left->kind == PATTERN_BGP && t->left->left->triples.n == 2);
	CHECK(r.query->n_items == 4);
	request_release(&r);
}

int main(void)
{
	RUN(well_formed_queries_are_accepted);
	RUN(errors_name_place_and_expectation);
	RUN(updates_are_checked_too);
	RUN(nesting_is_bounded);
	RUN(groups_become_algebra);
	DONE();
}
