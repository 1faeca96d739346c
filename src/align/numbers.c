#include "align/numbers.h"

#include <stdlib.h>

#include "align/tokenize_fast.h"
#include "base/alloc.h"

/* Days, versions and pages are in many rules: asking for them would be in vain. */
#define NEVER_RARE_DIGITS 2
#define PLACES_MIN        ((size_t)1 << 10)
#define PLACES_MAX        ((size_t)1 << 22)

struct bounds {
	size_t from, to;
};

void numbers_init(struct numbers *s, size_t clusters)
{
	size_t places = PLACES_MIN;

	while (places < PLACES_MAX && places / 4 < clusters)
		places *= 2;
	s->count = xcalloc(places, sizeof(*s->count));
	s->mask = places - 1;
}

void numbers_release(struct numbers *s)
{
	free(s->count);
	*s = (struct numbers){ 0 };
}

void numbers_flush(struct numbers *s)
{
	for (size_t i = 0; i < s->n_waiting; i++) {
		uint8_t *count = &s->count[s->waiting[i]];

		*count = (uint8_t)(*count + (*count < NUMBERS_MANY));
	}
	s->n_waiting = 0;
}

static bool note_number(struct cluster_numbers *c, struct str number, size_t room,
			uint32_t in)
{
	uint64_t word = word_number(number, room);
	size_t i = 0;

	while (i < c->n && c->word[i] != word)
		i++;
	if (i == CLUSTER_NUMBERS_MAX)
		return false;
	if (i == c->n) {
		c->word[i] = word;
		c->in[i] = 0;
		c->digits[i] = (uint16_t)number.n;
		c->n++;
	}
	c->in[i] |= in;
	return true;
}

/* Of the bytes `from` to `to`; no token crosses these bounds. */
static bool note_numbers(struct cluster_numbers *c, struct str url, struct bounds b,
			 uint32_t in)
{
	while (b.from < b.to) {
		size_t n = MIN(b.to - b.from, (size_t)64);
		uint64_t digits = classify(url, b.from, n).digits;

		for (; digits; digits &= digits + (digits & -digits)) {
			size_t at = b.from + (size_t)__builtin_ctzll(digits);
			struct str number = str_slice(url, at, at);

			while (at + number.n < b.to && ascii_is_digit(number.p[number.n]))
				number.n++;
			if (!note_number(c, number, url.n - at, in))
				return false;
			/* One that leaves the block is not looked at again. */
			n = MAX(n, at + number.n - b.from);
		}
		b.from += n;
	}
	return true;
}

bool cluster_numbers_find(struct ends ends, const struct str *urls, size_t n,
			  struct cluster_numbers *ret)
{
	ret->n = 0;
	if (n > 32)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!note_numbers(ret, urls[i],
				  (struct bounds){ ends.first, urls[i].n - ends.last },
				  (uint32_t)1 << i))
			return false;
	return true;
}

bool cluster_numbers_add_ends(struct cluster_numbers *c, struct ends ends, struct str url)
{
	return note_numbers(c, url, (struct bounds){ 0, ends.first }, 0) &&
	       note_numbers(c, url, (struct bounds){ url.n - ends.last, url.n }, 0);
}

bool cluster_numbers_differ(const struct cluster_numbers *c, size_t n, uint64_t *ret_word)
{
	uint32_t all = (uint32_t)(((uint64_t)1 << n) - 1);
	unsigned most = NEVER_RARE_DIGITS;

	for (size_t i = 0; i < c->n; i++)
		if (c->digits[i] > most && c->in[i] != 0 && c->in[i] != all) {
			most = c->digits[i];
			*ret_word = c->word[i];
		}
	return most > NEVER_RARE_DIGITS;
}

void numbers_merge(struct numbers *into, const struct numbers *from)
{
	for (size_t i = 0; into->count && i <= into->mask; i++) {
		unsigned sum = (unsigned)into->count[i] + from->count[i];

		into->count[i] = (uint8_t)MIN(sum, NUMBERS_MANY);
	}
}
