#include <string.h>

#include "apps/description.h"
#include "test.h"

static struct arena arena;

static bool reads(struct str xml, struct app *ret, struct diag *why)
{
	return description_read(xml, STR("x.xml"), &arena, ret, why) == ST_OK;
}

static bool fails_with(struct str xml, const char *words)
{
	struct diag why = { "" };
	struct app app;

	if (reads(xml, &app, &why)) {
		description_release(&app);
		return false;
	}
	if (strcmp(why.text, words) != 0)
		printf("# %s\n", why.text);
	return strcmp(why.text, words) == 0;
}

static void all_of_a_description_is_read(void)
{
	struct app a;
	struct diag why;

	CHECK(reads(
		STR("<application id='p' name='P &amp; Q' extends='forum'>\n"
		    "<detect><script match='p_global\\.js' weight='80'/><class is='x'/>"
		    "<graph name='own-links' min='50'/></detect>\n"
		    "<level id='thread'><when><url match='[?&amp;]t=\\d'/></when>\n"
		    "<next links=\"//a[@rel='next']/@href\"/>\n"
		    "<object id='post' select='//div'><field name='n' select='b' "
		    "type='number'/></object></level>\n"
		    "<never url='login' why='login'/><canonical without='sid s'/>\n"
		    "<fixture file='f.html' url='http://f/'/></application>"),
		&a, &why));
	CHECK(str_eq(a.name, STR("P & Q")) && a.n_patterns == 3 && a.n_levels == 1);
	CHECK(a.patterns[0].place == PLACE_SCRIPT && a.patterns[0].weight == 80);
	CHECK(str_eq(a.patterns[1].path, STR("//*[has-class('x')]")));
	CHECK(a.patterns[2].min == 50 && a.patterns[2].weight == 50);
	CHECK(str_eq(a.levels[0].patterns[0].match, STR("[?&]t=\\d")));
	CHECK(a.levels[0].rules[0].action == ACTION_NEXT &&
	      a.levels[0].rules[0].line == 4);
	CHECK(a.levels[0].objects[0].fields[0].type == FIELD_NUMBER);
	CHECK(a.n_rules == 1 && a.rules[0].action == ACTION_NEVER && a.n_canonicals == 1);
	CHECK(a.n_fixtures == 1);
	description_release(&a);
	description_release(&a);
}

static void what_is_wrong_has_its_line_and_column(void)
{
	CHECK(fails_with(STR("<application id='a' name='A'>\n  <nevr url='x'/>\n"
			     "</application>"),
			 "x.xml:2:3: unknown element 'nevr'"));
	CHECK(fails_with(STR("<application id='a' name='A'>\n <never ulr='x' why='y'/>"
			     "</application>"),
			 "x.xml:2:2: unknown attribute 'ulr'"));
	CHECK(fails_with(STR("<application id='a' name='A'>\n\n   <never url='x'/>"
			     "</application>"),
			 "x.xml:3:4: missing attribute 'why'"));
	CHECK(fails_with(STR("<application id='a' name='A'><field name='x' select='y'/>"
			     "</application>"),
			 "x.xml:1:30: this element may not stand here: 'field'"));
	CHECK(fails_with(STR("<application id='a' name='A'><detect><url match='(x'/>"
			     "</detect></application>"),
			 "x.xml:1:38: regular expression '(x': missing closing "
			 "parenthesis, at character 3"));
	CHECK(fails_with(STR("<application id='a' name='A'><detect><path "
			     "select='a/b'/></detect></application>"),
			 "x.xml:1:38: XPath 'a/b': / or // expected at character 1"));
	CHECK(fails_with(STR("<application id='a' name='A'><detect>\n<class is='x' "
			     "weight='200'/></detect></application>"),
			 "x.xml:2:1: not a number from 0 to 100 '200'"));
	CHECK(fails_with(
		STR("<application id='a' name='A'>\n<about>x</abut></application>"),
		"x.xml:2:16: Opening and ending tag mismatch: about line 2 and "
		"abut"));
}

/* Entities of one's own can name files, and can grow without end. */
static void a_document_type_is_refused(void)
{
	struct app app;
	struct diag why;

	CHECK(!reads(STR("<!DOCTYPE a [<!ENTITY x SYSTEM '/etc/passwd'>]>\n"
			 "<application id='a' name='&x;'/>"),
		     &app, &why));
	CHECK(strstr(why.text, "document type"));
	CHECK(!reads(STR(""), &app, &why));
	CHECK(!reads(STR("<html/>"), &app, &why));
}

int main(void)
{
	RUN(all_of_a_description_is_read);
	RUN(what_is_wrong_has_its_line_and_column);
	RUN(a_document_type_is_refused);
	arena_release(&arena);
	DONE();
}
