#include "rdf/ntriples.h"

#include <string.h>

#include "base/rng.h"
#include "rdf/scan_bytes.h"
#include "test.h"

static bool accepts(const char *line, bool quads)
{
	struct nt_reader r = { .in = str_from(line), .quads = quads };
	struct statement s;
	struct diag why;
	enum status st = nt_next(&r, &s, &why);

	nt_reader_release(&r);
	return st == ST_OK;
}

static void the_grammar_is_strict(void)
{
	CHECK(accepts("<http://a/s> <http://a/p> <http://a/o> .", false));
	CHECK(accepts("<http://a/s>\t<http://a/p>\t\"o\"\t. # why", false));
	CHECK(accepts("<http://a/s><http://a/p>_:b.", false));
	CHECK(accepts("_:a.b <http://a/p> \"x\"@en-GB .", false));
	CHECK(accepts("_:1 <http://a/p> \"\\u00e9\"^^<http://a/t> .", false));
	CHECK(!accepts("<s> <http://a/p> <http://a/o> .", false));
	CHECK(!accepts("<http://a/ s> <http://a/p> <http://a/o> .", false));
	CHECK(!accepts("<http://a/\\u0020s> <http://a/p> <http://a/o> .", false));
	CHECK(!accepts("<http://a/s> <http://a/p> \"o\\z\" .", false));
	CHECK(!accepts("<http://a/s> <http://a/p> \"o\"@1 .", false));
	CHECK(!accepts("<http://a/s> _:p <http://a/o> .", false));
	CHECK(!accepts("\"s\" <http://a/p> <http://a/o> .", false));
	CHECK(!accepts("<http://a/s> <http://a/p> <http://a/o>", false));
	CHECK(!accepts("<http://a/s> <http://a/p> <http://a/o> . .", false));
	CHECK(!accepts("<http://a/s> <http://a/p> \"\xff\" .", false));
	CHECK(!accepts("<http://a/s> <http://a/p> <http://a/o> <http://a/g> .", false));
	CHECK(accepts("<http://a/s> <http://a/p> <http://a/o> <http://a/g> .", true));
	CHECK(accepts("<http://a/s> <http://a/p> <http://a/o> _:g .", true));
	CHECK(!accepts("<http://a/s> <http://a/p> <http://a/o> \"g\" .", true));
}

static void a_bad_line_is_told_and_passed_over(void)
{
	struct nt_reader r = { .in = STR("# head\n<http://a/s> <http://a/p> \"1\" .\r\n"
					 "oops\n\n<http://a/s> <http://a/p> \"2\" .") };
	struct statement s;
	struct diag why;

	CHECK(nt_next(&r, &s, &why) == ST_OK && r.line == 2);
	CHECK(nt_next(&r, &s, &why) == ST_SYNTAX && r.line == 3);
	CHECK(str_starts(str_from(why.text), STR("column 1: ")));
	CHECK(nt_next(&r, &s, &why) == ST_OK && r.line == 5);
	CHECK(str_eq(s.object.text, STR("2")));
	CHECK(nt_next(&r, &s, &why) == ST_NOT_FOUND);
	nt_reader_release(&r);
}

static void what_is_written_reads_back(void)
{
	struct nt_reader r = {
		.in = STR("<http://a/\\u00E9> <http://a/p> "
			  "\"tab\\t quote\\\" \\U0001F600 \\u0001\"@EN .\n")
	};
	cleanup(buf_release) struct buf text = { 0 };
	struct statement s, again;
	struct diag why;

	CHECK(nt_next(&r, &s, &why) == ST_OK);
	CHECK(str_eq(s.subject.text, STR("http://a/\xc3\xa9")));
	statement_format(&s, &text);
	struct nt_reader r2 = { .in = buf_str(&text) };
	CHECK(nt_next(&r2, &again, &why) == ST_OK);
	CHECK(term_eq(s.object, again.object) && term_eq(s.subject, again.subject));
	nt_reader_release(&r);
	nt_reader_release(&r2);
}

/* Every byte at every place of a block, and texts of chance. */
static void sixteen_bytes_at_once_see_what_one_sees(void)
{
	char text[80];
	struct rng r = { 5 };

	for (unsigned round = 0; round < 20000; round++) {
		size_t n = rng_below(&r, sizeof(text) + 1);

		memset(text, 'a', sizeof(text));
		if (round < 256 * 40)
			text[round / 256] = (char)round;
		for (unsigned i = 0; round >= 256 * 40 && i < 3; i++)
			text[rng_below(&r, sizeof(text))] = (char)rng_below(&r, 256);
		CHECK(scan_iri(text, text + n) == scan_iri_bytewise(text, text + n));
		CHECK(scan_literal(text, text + n) ==
		      scan_literal_bytewise(text, text + n));
	}
}

static void any_line_end_ends_a_line(void)
{
	struct nt_reader r = { .in = STR("<a:s> <a:p> \"1\" . # <a:s> <a:p> \"x\" .\r"
					 "<a:s> <a:p> \"2\" .\r\n"
					 "<a:s> <a:p> \"three\r"
					 "<a:s> <a:p> \"4\\\n"
					 "# \r\r\n<a:s> <a:p> <a:o\n"
					 "<a:s> <a:p> \"5\" .") };
	struct statement s;
	struct diag why;

	CHECK(nt_next(&r, &s, &why) == ST_OK && str_eq(s.object.text, STR("1")));
	CHECK(nt_next(&r, &s, &why) == ST_OK && str_eq(s.object.text, STR("2")));
	CHECK(nt_next(&r, &s, &why) == ST_SYNTAX && r.line == 3);
	CHECK(nt_next(&r, &s, &why) == ST_SYNTAX && r.line == 4);
	CHECK(nt_next(&r, &s, &why) == ST_SYNTAX && r.line == 7);
	CHECK(nt_next(&r, &s, &why) == ST_OK && r.line == 8);
	CHECK(nt_next(&r, &s, &why) == ST_NOT_FOUND);
	nt_reader_release(&r);
}

int main(void)
{
	RUN(sixteen_bytes_at_once_see_what_one_sees);
	RUN(any_line_end_ends_a_line);
	RUN(the_grammar_is_strict);
	RUN(a_bad_line_is_told_and_passed_over);
	RUN(what_is_written_reads_back);
	DONE();
}
