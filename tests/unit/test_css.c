#include "page/css.h"

#include <string.h>

#include "base/buf.h"
#include "test.h"

static void urls_are_found_and_nothing_else(void)
{
	static const char *const samples[][2] = {
		{ "a{b:url(x)}", "x " },
		{ "a{b:URL( 'x y' )c:url(\"z\")}", "x y z " },
		{ "@import 'a'; @import url(b);@IMPORT \"c\" print;", "@a b @c " },
		{ "/* url(x) */ a{b:url(y)}", "y " },
		{ "a:before{content:'url(x)'}", "" },
		{ "a{b:url(x\\28 y)}", "x(y " },
		{ "a{b:url('a\\'b')}", "a'b " },
		{ "a{b:curl(x) b:my-url(y)}", "" },
		{ "@important 'x'; url(", "" },
		{ "a{b:src('x')}", "x " },
		{ "'unclosed\na{b:url(x)}", "x " },
		{ "/* unclosed url(x)", "" },
		{ "a{b:url()} c{d:url(e)}", "e " },
	};
	struct arena a = { 0 };
	struct buf out = { 0 };

	for (size_t i = 0; i < COUNT(samples); i++) {
		struct str css = str_from(samples[i][0]), url;
		enum css_url_kind kind;

		buf_reset(&out);
		while (css_next_url(&css, &a, &url, &kind))
			buf_addf(&out, "%s" STR_FMT " ", kind == CSS_IMPORT ? "@" : "",
				 STR_ARG(url));
		if (strcmp(buf_cstr(&out), samples[i][1]) != 0)
			printf("# %s: %s\n", samples[i][0], buf_cstr(&out));
		CHECK(strcmp(buf_cstr(&out), samples[i][1]) == 0);
	}
	buf_release(&out);
	arena_release(&a);
}

int main(void)
{
	RUN(urls_are_found_and_nothing_else);
	DONE();
}
