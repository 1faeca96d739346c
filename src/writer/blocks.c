#include "writer/blocks.h"

#include "base/hash.h"
#include "url/percent.h"

#define FIRST_ROOM    ((uint64_t)1 << 18)
#define DIGITS_MATTER 200 /* a longer paragraph differs in more than a counter */
#define ECHO_MIN      4   /* a shorter value may stand in any text */
#define AT_ONCE       32  /* blocks whose places in memory are asked for together */
#define ECHOES        8 /* values looked for, each as it is written and as it is meant */

void blocks_release(struct blocks *b)
{
	for (size_t i = 0; i < b->n; i++)
		bloom_release(&b->filters[i]);
	*b = (struct blocks){ 0 };
}

/* Values of the URL's parameters, longest first. */
struct echoes {
	struct str v[ECHOES];
	size_t n;
	struct buf decoded;
};

static void echoes_release(struct echoes *e)
{
	buf_release(&e->decoded);
}

static void add_echo(struct echoes *e, struct str value)
{
	size_t at = e->n;

	if (value.n < ECHO_MIN || (e->n == ECHOES && value.n <= e->v[ECHOES - 1].n))
		return;
	if (e->n < ECHOES)
		e->n++;
	else
		at--;
	for (; at > 0 && e->v[at - 1].n < value.n; at--)
		e->v[at] = e->v[at - 1];
	e->v[at] = value;
}

static void find_echoes(struct str query, struct echoes *ret)
{
	struct str part;

	/* Decoding never lengthens: the buffer does not move. */
	buf_reserve(&ret->decoded, query.n);
	while (str_take_until(&query, '&', &part)) {
		size_t equals = str_find_char(part, '='), from = ret->decoded.n;
		struct str value = equals == STR_NONE ? part : str_skip(part, equals + 1);

		add_echo(ret, value);
		buf_add_decoded(&ret->decoded, value);
		for (size_t i = from; i < ret->decoded.n; i++)
			if (ret->decoded.p[i] == '+')
				ret->decoded.p[i] = ' ';
		add_echo(ret, str_skip(buf_str(&ret->decoded), from));
	}
}

/* What stands before and after the longest echo in the text; false when there is none. */
static bool split_at_echo(struct str text, const struct echoes *e, struct str *ret_before,
			  struct str *ret_after)
{
	for (size_t i = 0; i < e->n; i++) {
		size_t at = str_find(text, e->v[i]);

		if (at == STR_NONE)
			continue;
		*ret_before = str_slice(text, 0, at);
		*ret_after = str_skip(text, at + e->v[i].n);
		return true;
	}
	return false;
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

/* What is compared of a block; `*ret_bytes` are its own. */
static uint64_t own_hash(const struct page_block *block, uint64_t site,
			 const struct echoes *echoes, size_t *ret_bytes)
{
	struct str before, after;

	*ret_bytes = block->text.n;
	if (split_at_echo(block->text, echoes, &before, &after)) {
		*ret_bytes = before.n + after.n;
		return hash_without_digits(after, hash_without_digits(before, site));
	}
	return block->text.n > DIGITS_MATTER ? hash_mix(block->hash ^ site)
					     : hash_without_digits(block->text, site);
}

/* Their lines of all filters, while the next ones are hashed. */
static void fetch(const struct blocks *b, uint64_t hash)
{
	for (size_t i = 0; i < b->n; i++)
		bloom_prefetch(&b->filters[i], hash);
}

unsigned blocks_add(struct blocks *b, uint64_t site, struct str query,
		    const struct page *p)
{
	cleanup(echoes_release) struct echoes echoes = { 0 };
	uint64_t fresh = 0, all = 0, hashes[AT_ONCE];
	size_t bytes[AT_ONCE], n;

	find_echoes(query, &echoes);
	for (size_t from = 0; from < p->n_blocks; from += n) {
		n = MIN(p->n_blocks - from, (size_t)AT_ONCE);
		for (size_t i = 0; i < n; i++) {
			hashes[i] =
				own_hash(&p->blocks[from + i], site, &echoes, &bytes[i]);
			fetch(b, hashes[i]);
		}
		for (size_t i = 0; i < n; i++) {
			all += bytes[i];
			fresh += add(b, hashes[i]) ? bytes[i] : 0;
		}
	}
	/* A little is not nothing. */
	return all == 0 ? 100 : (unsigned)((fresh * 100 + all - 1) / all);
}
