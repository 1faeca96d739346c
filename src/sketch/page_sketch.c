#include "sketch/page_sketch.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/sort.h"

#define THIN_MAX 30

void page_sketch_release(struct page_sketch *s)
{
	free(s->set);
	hash_list_release(&s->scratch);
	*s = (struct page_sketch){ 0 };
}

/* Only the values below 2^(32 - thin): a prefix of the sorted set. */
static size_t thin_out(uint64_t *v, size_t n, unsigned thin)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		v[kept] = v[i];
		kept += v[i] >> (32 - thin) == 0;
	}
	return kept;
}

static size_t sort_unique(uint64_t *v, uint64_t *scratch, size_t n)
{
	size_t kept = 0;

	sort_u64(v, scratch, n);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || v[kept - 1] != v[i])
			v[kept++] = v[i];
	return kept;
}

static void make_set(struct page_sketch *s)
{
	struct hash_list *l = &s->scratch;
	size_t n = l->n;

	VEC_RESERVE(l->v, l->cap, 2 * n + 1);
	for (size_t i = 0; i < n; i++)
		l->v[i] = (uint32_t)l->v[i];
	/* By occurrences, not distinct shingles: cheaper, and as deterministic. */
	for (s->thin = 0; n > PAGE_SET_MAX && s->thin < THIN_MAX;)
		n = thin_out(l->v, n, ++s->thin);
	n = sort_unique(l->v, l->v + l->n, n);
	VEC_RESERVE(s->set, s->cap_set, n);
	for (size_t i = 0; i < n; i++)
		s->set[i] = (uint32_t)l->v[i];
	s->n_set = n;
}

void page_sketch_make(struct str text, struct page_sketch *s)
{
	s->payload = (struct u128){ 0, 0 };
	s->scratch.n = 0;
	text_sketch(text, PAGE_SHINGLE_WORDS, &s->text, &s->scratch);
	make_set(s);
}

bool page_sketch_comparable(const struct page_sketch *a, const struct page_sketch *b)
{
	return a->text.n_shingles >= PAGE_MIN_SHINGLES &&
	       b->text.n_shingles >= PAGE_MIN_SHINGLES;
}

/* How many of the ascending values are below 2^(32 - thin). */
static size_t prefix_below(const struct page_sketch *s, unsigned thin)
{
	size_t lo = 0, hi = s->n_set;

	if (thin == s->thin)
		return s->n_set;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->set[mid] >> (32 - thin) == 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static uint32_t scale(uint32_t n, unsigned thin)
{
	return (uint32_t)MIN((uint64_t)n << thin, (uint64_t)UINT32_MAX);
}

struct overlap page_sketch_overlap(const struct page_sketch *a,
				   const struct page_sketch *b)
{
	unsigned thin = MAX(a->thin, b->thin);
	struct overlap o =
		overlap_u32(a->set, prefix_below(a, thin), b->set, prefix_below(b, thin));

	return (struct overlap){ scale(o.shared, thin), scale(o.only_a, thin),
				 scale(o.only_b, thin) };
}

void page_sketch_encode(const struct page_sketch *s, struct buf *to)
{
	buf_add_u8(to, PAGE_SKETCH_VERSION);
	buf_add_u64(to, s->payload.lo);
	buf_add_u64(to, s->payload.hi);
	buf_add_u64(to, s->text.digest.lo);
	buf_add_u64(to, s->text.digest.hi);
	buf_add_u64(to, s->text.simhash);
	buf_add_varint(to, s->text.n_words);
	buf_add_varint(to, s->text.n_shingles);
	for (unsigned i = 0; i < OPH_SLOTS; i++)
		buf_add_u32(to, s->text.slots[i]);
	buf_add_u8(to, s->thin);
	buf_add_varint(to, s->n_set);
	buf_add(to, (struct str){ (const char *)s->set, s->n_set * sizeof(*s->set) });
}

static bool take_u128(struct str *in, struct u128 *ret)
{
	return str_take_u64(in, &ret->lo) && str_take_u64(in, &ret->hi);
}

static bool take_set(struct str in, struct page_sketch *s)
{
	uint64_t n;

	if (!str_take_u8(&in, &s->thin) || s->thin > THIN_MAX ||
	    !str_take_varint(&in, &n) || n > PAGE_SET_MAX || in.n != n * 4)
		return false;
	VEC_RESERVE(s->set, s->cap_set, (size_t)n + 1);
	if (n)
		memcpy(s->set, in.p, in.n);
	s->n_set = (size_t)n;
	for (size_t i = 1; i < n; i++)
		if (s->set[i] <= s->set[i - 1])
			return false;
	return n == 0 || (uint64_t)s->set[n - 1] >> (32 - s->thin) == 0;
}

enum status page_sketch_decode(struct str in, struct page_sketch *ret)
{
	struct text_sketch *t = &ret->text;
	uint8_t version;

	if (!str_take_u8(&in, &version) || version != PAGE_SKETCH_VERSION ||
	    !take_u128(&in, &ret->payload) || !take_u128(&in, &t->digest) ||
	    !str_take_u64(&in, &t->simhash) || !str_take_varint(&in, &t->n_words) ||
	    !str_take_varint(&in, &t->n_shingles))
		return ST_CORRUPT;
	for (unsigned i = 0; i < OPH_SLOTS; i++)
		if (!str_take_u32(&in, &t->slots[i]))
			return ST_CORRUPT;
	return take_set(in, ret) ? ST_OK : ST_CORRUPT;
}
