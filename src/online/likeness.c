#include "online/likeness.h"

#include "base/hash.h"

/* Of the shorter one; a line such as "printed on" may be its own. */
#define PART_ENOUGH 0.8

#define PARAGRAPH_MIN 24  /* bytes without digits; less is a label */
#define DIGITS_MATTER 200 /* a longer one differs in more than a counter */
#define APART_ENOUGH  3   /* paragraphs of its own; fewer may be an advertisement */

void likeness_add(struct likeness *l, uint64_t hash, size_t length)
{
	uint16_t n = (uint16_t)MIN(length, UINT16_MAX);
	unsigned at = l->n;

	if (at == LIKENESS_MARKS) {
		if (l->length[--at] >= n)
			return;
	} else {
		l->n++;
	}
	for (; at > 0 && l->length[at - 1] < n; at--) {
		l->hash[at] = l->hash[at - 1];
		l->length[at] = l->length[at - 1];
	}
	l->hash[at] = (uint32_t)(hash >> 32 ^ hash);
	l->length[at] = n;
}

void likeness_add_content(struct likeness *l, struct str text)
{
	char letters[DIGITS_MATTER];
	size_t n = 0;

	if (text.n < sizeof(letters)) {
		for (size_t i = 0; i < text.n; i++)
			if (!ascii_is_digit(text.p[i]))
				letters[n++] = text.p[i];
		text = (struct str){ letters, n };
	}
	if (text.n < PARAGRAPH_MIN)
		return;
	unsigned bit = (unsigned)(hash64(text) % (64 * LIKENESS_WORDS));
	l->paragraphs[bit / 64] |= (uint64_t)1 << bit % 64;
}

/* Paragraphs of `a` that `b` surely does not have. */
static unsigned own_paragraphs(const struct likeness *a, const struct likeness *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < LIKENESS_WORDS; i++)
		n += (unsigned)__builtin_popcountll(a->paragraphs[i] & ~b->paragraphs[i]);
	return n;
}

bool likeness_is_apart(const struct likeness *a, const struct likeness *b)
{
	return MIN(own_paragraphs(a, b), own_paragraphs(b, a)) >= APART_ENOUGH;
}

static uint32_t total(const struct likeness *l)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < l->n; i++)
		sum += l->length[i];
	return sum;
}

/* Bytes of the paragraphs that both have. */
static uint32_t common(const struct likeness *a, const struct likeness *b)
{
	uint32_t shared = 0;
	uint32_t taken = 0; /* of b: a paragraph counts once */

	for (unsigned i = 0; i < a->n; i++)
		for (unsigned k = 0; k < b->n; k++) {
			if (a->hash[i] != b->hash[k] || (taken & 1u << k))
				continue;
			shared += MIN(a->length[i], b->length[k]);
			taken |= 1u << k;
			break;
		}
	return shared;
}

double likeness_of(const struct likeness *a, const struct likeness *b)
{
	if (total(a) == 0 || total(b) == 0)
		return -1;
	return (double)common(a, b) / MAX(total(a), total(b));
}

bool likeness_is_part(const struct likeness *a, const struct likeness *b)
{
	uint32_t least = MIN(total(a), total(b));

	return least > 0 && ((a->main != 0 && a->main == b->main) ||
			     common(a, b) >= PART_ENOUGH * least);
}

bool likeness_is_same(const struct likeness *a, const struct likeness *b)
{
	return a->main != 0 && a->main == b->main && likeness_of(a, b) >= 0.9 &&
	       !likeness_is_apart(a, b);
}
