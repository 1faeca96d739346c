#include "render/brought.h"

#include "base/hash.h"
#include "base/map.h"

#define IN_A_ROW 3

static bool take_word(struct str *from, struct str *ret)
{
	size_t at = 0, end;

	while (at < from->n && (unsigned char)from->p[at] <= ' ')
		at++;
	for (end = at; end < from->n && (unsigned char)from->p[end] > ' ';)
		end++;
	*ret = str_slice(*from, at, end);
	*from = str_skip(*from, end);
	return ret->n > 0;
}

/* Three words in a row. */
struct row {
	uint64_t word[IN_A_ROW];
	size_t bytes[IN_A_ROW];
	bool known[IN_A_ROW]; /* it stands in a row of the other text */
};

static uint64_t add_word(struct row *r, struct str word)
{
	uint64_t hash = 0;

	for (int i = 0; i + 1 < IN_A_ROW; i++) {
		r->word[i] = r->word[i + 1];
		r->bytes[i] = r->bytes[i + 1];
		r->known[i] = r->known[i + 1];
	}
	r->word[IN_A_ROW - 1] = hash64(word);
	r->bytes[IN_A_ROW - 1] = word.n;
	r->known[IN_A_ROW - 1] = false;
	for (int i = 0; i < IN_A_ROW; i++)
		hash = hash_mix(hash + r->word[i]);
	return hash;
}

/* Behind the last word come as many empty ones, so that it is in as many rows. */
static bool take_word_or_end(struct str *from, int *ends, struct str *ret)
{
	return take_word(from, ret) || ++*ends < IN_A_ROW;
}

size_t text_brought(struct str had, struct str has)
{
	struct map rows = { 0 };
	struct row r = { 0 };
	struct str word;
	size_t brought = 0;

	for (int ends = 0; take_word_or_end(&had, &ends, &word);)
		map_add(&rows, add_word(&r, word), NULL);
	r = (struct row){ 0 };
	for (int ends = 0; take_word_or_end(&has, &ends, &word);) {
		bool known = map_find(&rows, add_word(&r, word));

		for (int i = 0; i < IN_A_ROW; i++)
			r.known[i] |= known;
		/* The first has been in all its rows. */
		brought += r.known[0] ? 0 : r.bytes[0];
	}
	map_release(&rows);
	return brought;
}
