#include "base/visible.h"

#include "base/utf8.h"

bool is_invisible(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e ||
	       c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || (c >= 0xfff9 && c <= 0xfffb) ||
	       (c >= 0xe0000 && c <= 0xe007f);
}

void buf_add_visible(struct buf *to, struct str s)
{
	while (s.n > 0) {
		uint32_t c = utf8_take(&s);

		buf_add_utf8(to, is_invisible(c) ? UTF8_REPLACEMENT : c);
	}
}

size_t make_visible(char *text, size_t n)
{
	struct str rest = { text, n };
	char *to = text;

	while (rest.n > 0) {
		const char *from = rest.p;
		uint32_t c = utf8_take(&rest);
		size_t taken = (size_t)(rest.p - from);
		bool bad = c == UTF8_REPLACEMENT || (is_invisible(c) && c != '\n');
		struct str put = !bad        ? (struct str){ from, taken }
				 : taken > 2 ? STR("\xef\xbf\xbd")
					     : STR("?");

		for (size_t i = 0; i < put.n; i++)
			*to++ = put.p[i];
	}
	if ((size_t)(to - text) < n)
		*to = '\0';
	return (size_t)(to - text);
}
