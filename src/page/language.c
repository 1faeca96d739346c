#include "page/language.h"

#include <string.h>

#include "page/language_cld2.h"
#include "page/text.h"

#define ENOUGH_BYTES 24 /* fewer do not tell a language */

struct str language_of(struct str text, uint8_t *ret_percent)
{
	int percent = 0;
	const char *code = NULL;

	if (text.n >= ENOUGH_BYTES && text.n <= INT32_MAX)
		code = language_cld2(text.p, (int)text.n, &percent);
	*ret_percent = (uint8_t)percent;
	return code ? str_from(code) : (struct str){ "", 0 };
}

/* Main blocks, one after the other, up to LANGUAGE_MORE_BYTES. */
static struct str sample_of(const struct page *p, char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_blocks && n + 1 < LANGUAGE_MORE_BYTES; i++) {
		if (!p->blocks[i].is_main)
			continue;
		struct str s = text_cut(p->blocks[i].text, LANGUAGE_MORE_BYTES - n - 1);

		memcpy(to + n, s.p, s.n);
		n += s.n;
		to[n++] = ' ';
	}
	return (struct str){ to, n };
}

void language_find(struct page *p)
{
	char buffer[LANGUAGE_MORE_BYTES];
	struct str s = sample_of(p, buffer);

	if (s.n < LANGUAGE_SAMPLE_BYTES / 8)
		s = text_cut(p->text, LANGUAGE_MORE_BYTES);
	p->language =
		language_of(text_cut(s, LANGUAGE_SAMPLE_BYTES), &p->language_percent);
	if (p->language_percent < LANGUAGE_SURE_PERCENT && s.n > LANGUAGE_SAMPLE_BYTES)
		p->language = language_of(s, &p->language_percent);
}
