#include "testweb/mangle.h"

#include <iconv.h>
#include <stdlib.h>

#include "base/base.h"
#include "testweb/languages.h"

static const char *charset_of(struct str html)
{
	size_t at = str_find(str_slice(html, 0, 200), STR("lang=\""));

	for (unsigned l = 0; at != STR_NONE && l < LANGUAGES; l++)
		if (str_starts(str_skip(html, at + 6), str_from(language_facts[l].code)))
			return language_facts[l].charset;
	return "windows-1252";
}

/* What the charset cannot say becomes a question mark. */
static void convert(struct str in, const char *charset, struct buf *to)
{
	iconv_t cd = iconv_open(charset, "utf-8");
	char *from = (char *)(uintptr_t)in.p, *out = buf_reserve(to, in.n * 2);
	size_t left = in.n, room = in.n * 2;

	if (cd == (iconv_t)-1 || !out)
		return;
	while (left && iconv(cd, &from, &left, &out, &room) == (size_t)-1 && room &&
	       left) {
		do {
			from++;
			left--;
		} while (left && (*from & 0xc0) == 0x80);
		*out++ = '?';
		room--;
	}
	to->n += in.n * 2 - room;
	iconv_close(cd);
}

struct str mangle_charset(struct buf *body, unsigned form)
{
	struct buf other = { 0 };
	const char *charset = charset_of(buf_str(body));

	convert(buf_str(body), charset, &other);
	SWAP(*body, other);
	buf_release(&other);
	/* The lie is in the field, in the page (which always says utf-8), or in both. */
	switch (form % 3) {
	case 0:
		return STR("text/html; charset=utf-8");
	case 1:
		return STR("text/html");
	default:
		return STR("text/html; charset=x-unknown");
	}
}

static const struct {
	struct str good, bad;
} mistakes[] = {
	{ STR("</p>"), STR("") },
	{ STR("</li>"), STR("</lI foo=bar>") },
	{ STR("<main>"), STR("<main><b><i>crossed</b></i><p <p><table><tr><a name=x>") },
	{ STR("</h1>"), STR("</h2>&nosuch; &#xZZ; &copy") },
	{ STR("<footer>"),
	  STR("<!-- a -- b --!><footer class=x class=y ' \"><form><form>") },
	{ STR("<ul>"), STR("<UL\n>") },
	{ STR("</body>\n</html>"), STR("</html></body><p>after the end<a href=") },
};

void mangle_html(struct buf *body)
{
	struct buf bad = { 0 };
	struct str in = buf_str(body);

	for (size_t i = 0; i < in.n;) {
		size_t m = 0;

		while (m < COUNT(mistakes) &&
		       !str_starts(str_skip(in, i), mistakes[m].good))
			m++;
		if (in.p[i] == '<' && m < COUNT(mistakes)) {
			buf_add(&bad, mistakes[m].bad);
			i += mistakes[m].good.n;
		} else {
			buf_add_char(&bad, in.p[i++]);
		}
	}
	SWAP(*body, bad);
	buf_release(&bad);
}
