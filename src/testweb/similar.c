#include "testweb/similar.h"

#include "base/buf.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/utf8.h"

#define SHINGLE 3

static bool is_separator(uint32_t c)
{
	return c < 0x30 || (c >= 0x3a && c < 0x41) || (c >= 0x5b && c < 0x61) ||
	       (c >= 0x7b && c < 0xc0) || c == 0x3001 || c == 0x3002 || c == 0xff0c ||
	       c == 0x060c;
}

/* Words between tags; a character of Chinese or Japanese is a word. */
static void add_shingles(struct str html, struct map *to, uint64_t bit)
{
	uint64_t last[SHINGLE] = { 0 }, word = 0;

	while (html.n) {
		if (html.p[0] == '<') {
			size_t end = str_find_char(html, '>');

			html = str_skip(html, end == STR_NONE ? html.n : end + 1);
			continue;
		}
		uint32_t c = utf8_take(&html);
		bool ends =
			is_separator(c) || c >= 0x2e80 || (html.n && html.p[0] == '<');

		if (!is_separator(c))
			word = hash_mix(word + c);
		if (!ends || !word)
			continue;
		for (unsigned i = 0; i + 1 < SHINGLE; i++)
			last[i] = last[i + 1];
		last[SHINGLE - 1] = word;
		word = 0;
		uint64_t h = 0;
		for (unsigned i = 0; i < SHINGLE; i++)
			h = hash_mix(h + last[i]);
		*map_add(to, h, NULL) |= bit;
	}
}

double similar_pages(struct str html_a, struct str html_b)
{
	struct map seen = { 0 };
	struct map_slot slot;
	size_t both = 0;

	add_shingles(html_a, &seen, 1);
	add_shingles(html_b, &seen, 2);
	for (size_t at = 0; map_next(&seen, &at, &slot);)
		both += slot.value == 3;
	double j = seen.n ? (double)both / (double)seen.n : 1;
	map_release(&seen);
	return j;
}

static struct str content_of(struct str html)
{
	size_t from = str_find(html, STR("<main>")), to = str_find(html, STR("</main>"));

	return from == STR_NONE || to == STR_NONE ? html : str_slice(html, from, to);
}

double similar_contents(struct str html_a, struct str html_b)
{
	return similar_pages(content_of(html_a), content_of(html_b));
}
