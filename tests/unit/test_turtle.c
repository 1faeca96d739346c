#include "rdf/turtle.h"
#include "test.h"

static enum status collect(void *context, const struct statement *s)
{
	statement_format(s, context);
	return ST_OK;
}

static void prefixes_lists_and_numbers_are_expanded(void)
{
	cleanup(buf_release) struct buf got = { 0 };
	struct diag why;

	CHECK(turtle_parse(STR("@prefix : <http://a/> .\n:s :p 1, 2.5, true, \"x\"@en ; "
			       "a <c> ."),
			   SYNTAX_TURTLE, STR("http://base/d/"),
			   (struct turtle_sink){ collect, &got }, &why) == ST_OK);
	CHECK(str_find(buf_str(&got), STR("<http://a/s> <http://a/p> \"1\"^^<" XSD
					  "integer> .\n")) != STR_NONE);
	CHECK(str_find(buf_str(&got), STR("<http://base/d/c>")) != STR_NONE);
	CHECK(str_find(buf_str(&got), STR("\"x\"@en")) != STR_NONE);
}

static void graphs_of_trig_are_kept(void)
{
	cleanup(buf_release) struct buf got = { 0 };
	struct diag why;

	CHECK(turtle_parse(STR("<http://g> { <http://s> <http://p> <http://o> }"),
			   SYNTAX_TRIG, STR(""), (struct turtle_sink){ collect, &got },
			   &why) == ST_OK);
	CHECK(str_eq(buf_str(&got),
		     STR("<http://s> <http://p> <http://o> <http://g> .\n")));
}

static void an_error_names_its_line(void)
{
	cleanup(buf_release) struct buf got = { 0 };
	struct diag why;

	CHECK(turtle_parse(STR("<http://s> <http://p> 1 .\n<http://s> oops"),
			   SYNTAX_TURTLE, STR(""), (struct turtle_sink){ collect, &got },
			   &why) == ST_SYNTAX);
	CHECK(str_starts(str_from(why.text), STR("line 2")));
}

static void what_is_written_reads_back(void)
{
	cleanup(buf_release) struct buf text = { 0 }, got = { 0 }, want = { 0 };
	struct turtle_writer w;
	struct diag why;
	struct statement s = { term_iri(STR("http://a/s")),
			       term_iri(STR(RDF "type")),
			       term_iri(STR("https://schema.org/WebPage")),
			       { 0 } };

	turtle_start(&w, &text);
	turtle_add(&w, &s);
	statement_format(&s, &want);
	s.object = term_typed(STR("a\"b"), STR(XSD "token"));
	turtle_add(&w, &s);
	statement_format(&s, &want);
	s.predicate = term_iri(STR("http://a/q"));
	turtle_add(&w, &s);
	statement_format(&s, &want);
	turtle_stop(&w);
	CHECK(turtle_parse(buf_str(&text), SYNTAX_TURTLE, STR(""),
			   (struct turtle_sink){ collect, &got }, &why) == ST_OK);
	CHECK(str_eq(buf_str(&got), buf_str(&want)));
}

static enum status read_nested(const char *open, const char *inner, const char *close,
			       int depth)
{
	cleanup(buf_release) struct buf text = { 0 }, got = { 0 };
	struct diag why;

	buf_add(&text, STR("<http://a/s> <http://a/p> "));
	for (int i = 0; i < depth; i++)
		buf_addf(&text, "%s", open);
	buf_addf(&text, "%s", inner);
	for (int i = 0; i < depth; i++)
		buf_addf(&text, "%s", close);
	buf_add(&text, STR(" ."));
	return turtle_parse(buf_str(&text), SYNTAX_TURTLE, STR(""),
			    (struct turtle_sink){ collect, &got }, &why);
}

static void brackets_may_be_nested_but_not_without_end(void)
{
	CHECK(read_nested("[ <http://a/p> ", "1", " ]", TURTLE_DEPTH_MAX) == ST_OK);
	CHECK(read_nested("( ", "1", " )", TURTLE_DEPTH_MAX) == ST_OK);
	CHECK(read_nested("[ <http://a/p> ", "1", " ]", 200000) == ST_TOO_LARGE);
	CHECK(read_nested("( ", "1", " )", 200000) == ST_TOO_LARGE);
	/* Also where the end is missing. */
	CHECK(read_nested("[ <http://a/p> ", "", "", 200000) == ST_TOO_LARGE);
}

static void brackets_in_strings_names_and_comments_do_not_count(void)
{
	CHECK(read_nested("", "\"", "[(\\\"", 5000) != ST_TOO_LARGE);
	CHECK(read_nested("", "'''", "[(", 5000) != ST_TOO_LARGE);
	CHECK(read_nested("'[[\\'((' , ", "1", "", 3000) == ST_OK);
	CHECK(read_nested("\"\"\"[[\n[\"\"\" , ", "1", "", 3000) == ST_OK);
	CHECK(read_nested("<http://a/((> , ", "1", "", 3000) == ST_OK);
	CHECK(read_nested("2 , # [[((\n", "1", "", 3000) == ST_OK);
	/* An IRI that cannot be one hides nothing. */
	CHECK(read_nested("< [ <http://a/p> ", "1", "", 200000) == ST_TOO_LARGE);
}

int main(void)
{
	RUN(brackets_may_be_nested_but_not_without_end);
	RUN(brackets_in_strings_names_and_comments_do_not_count);
	RUN(prefixes_lists_and_numbers_are_expanded);
	RUN(graphs_of_trig_are_kept);
	RUN(an_error_names_its_line);
	RUN(what_is_written_reads_back);
	DONE();
}
