#include "crawl/blocks.h"

#include "base/hash.h"

#define FIRST_ROOM    ((uint64_t)1 << 18)
#define DIGITS_MATTER 200 /* a longer paragraph differs in more than a counter */

void blocks_release(struct blocks *b)
{
	for (size_t i = 0; i < b->n; i++)
		bloom_release(&b->filters[i]);
	*b = (struct blocks){ 0 };
}

/* Counters, dates and prices are not what makes a paragraph another one. */
static uint64_t hash_without_digits(struct str text, uint64_t seed)
{
	char part[256];
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		if (ascii_is_digit(text.p[i]))
			continue;
		part[n++] = text.p[i];
		if (n == sizeof(part)) {
			seed = hash64_seeded((struct str){ part, n }, seed);
			n = 0;
		}
	}
	return hash64_seeded((struct str){ part, n }, seed);
}

static void grow(struct blocks *b)
{
	b->room = b->n == 0 ? FIRST_ROOM : 4 * b->room;
	b->keys = 0;
	bloom_init(&b->filters[b->n++], b->room, 12);
}

/* True when it was not there. */
static bool add(struct blocks *b, uint64_t hash)
{
	for (size_t i = 0; i + 1 < b->n; i++)
		if (bloom_may_have(&b->filters[i], hash))
			return false;
	if (b->n == 0 || (b->keys >= b->room && b->n < BLOCKS_FILTERS))
		grow(b);
	if (bloom_add(&b->filters[b->n - 1], hash))
		return false;
	b->keys++;
	return true;
}

unsigned blocks_add(struct blocks *b, uint64_t site, const struct page *p)
{
	uint64_t fresh = 0, all = 0;

	for (size_t i = 0; i < p->n_blocks; i++) {
		struct str text = p->blocks[i].text;

		all += text.n;
		uint64_t hash = text.n > DIGITS_MATTER
					? hash_mix(p->blocks[i].hash ^ site)
					: hash_without_digits(text, site);

		if (add(b, hash))
			fresh += text.n;
	}
	/* A little is not nothing. */
	return all == 0 ? 100 : (unsigned)((fresh * 100 + all - 1) / all);
}
