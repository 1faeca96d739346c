#include "base/visible.h"

#include <string.h>

#include "test.h"

static struct str in_place(char *text)
{
	return (struct str){ text, make_visible(text, strlen(text)) };
}

static void messages_are_made_harmless_in_place(void)
{
	char plain[] = "caf\u00e9 \u65e5\n", escape[] = "a\033[2Jb\tc",
	     c1[] = "x\xc2\x9bK", bidi[] = "txt.\u202eexe", bad[] = "\xff\xfe!";

	CHECK(str_eq(in_place(plain), STR("caf\u00e9 \u65e5\n")));
	CHECK(str_eq(in_place(escape), STR("a?[2Jb?c")));
	CHECK(str_eq(in_place(c1), STR("x?K")) && c1[3] == '\0');
	CHECK(str_eq(in_place(bidi), STR("txt.\ufffdexe")));
	CHECK(str_eq(in_place(bad), STR("?"
					"?!")));
}

static void what_a_diag_quotes_is_harmless(void)
{
	struct diag why;

	diag_say(&why, "line %d: '%s' is no URL", 3, "\033]0;owned\a\u202e");
	CHECK(strcmp(why.text, "line 3: '?]0;owned?\ufffd' is no URL") == 0);
}

int main(void)
{
	RUN(messages_are_made_harmless_in_place);
	RUN(what_a_diag_quotes_is_harmless);
	DONE();
}
