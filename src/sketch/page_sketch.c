#include "sketch/page_sketch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"

#define THIN_MAX        30
#define RAW             0x80u /* beside `thin` */
#define SLOTS_TELL_FROM (2 * OPH_SLOTS)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "slots and sets are stored as they stand in memory");

void page_sketch_release(struct page_sketch *s)
{
	free(s->set);
	free(s->order);
	hash_list_release(&s->scratch);
	*s = (struct page_sketch){ 0 };
}

/* How far to thin out, so that what is left fits: by occurrences, not distinct shingles,
 * which is cheaper and as deterministic. */
static unsigned choose_thin(const uint64_t *v, size_t n)
{
	size_t left = n;
	unsigned thin = 0;

	/* Mostly one pass or none; a table of counts makes every value wait. */
	while (left > PAGE_SET_MAX && thin < THIN_MAX) {
		thin++;
		left = 0;
		for (size_t i = 0; i < n; i++)
			left += (uint32_t)v[i] >> (32 - thin) == 0;
	}
	return thin;
}

/*
 * Values are hashes, evenly spread below 2^bits: one pass puts each near its
 * place, and an insertion sort over what is nearly sorted does the rest.
 */
static void sort_spread(const uint32_t *from, size_t n, unsigned bits, uint32_t *to)
{
	uint32_t starts[2048 + 1] = { 0 };
	unsigned by = n > 1024 ? 11 : n > 512 ? 10 : 8, shift = bits > by ? bits - by : 0;

	for (size_t i = 0; i < n; i++)
		starts[(from[i] >> shift) + 1]++;
	for (size_t i = 1; i <= (size_t)1 << by; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < n; i++)
		to[starts[from[i] >> shift]++] = from[i];
	for (size_t i = 1; i < n; i++) {
		uint32_t v = to[i];
		size_t j = i;

		for (; j > 0 && to[j - 1] > v; j--)
			to[j] = to[j - 1];
		to[j] = v;
	}
}

void page_sketch_sort(struct page_sketch *s)
{
	size_t n = s->n_set;

	if (!s->raw)
		return;
	SWAP(s->set, s->order);
	SWAP(s->cap_set, s->cap_order);
	s->n_order = n;
	VEC_RESERVE(s->set, s->cap_set, n + 1);
	sort_spread(s->order, n, 32u - s->thin, s->set);
	s->n_set = 0;
	for (size_t i = 0; i < n; i++)
		if (s->n_set == 0 || s->set[s->n_set - 1] != s->set[i])
			s->set[s->n_set++] = s->set[i];
	s->raw = false;
}

/* The values below 2^(32 - thin), in the order of the text. */
static void take_values(const struct hash_list *l, struct page_sketch *s)
{
	uint32_t *set = s->set;
	size_t n = 0, most = MIN(l->n, (size_t)PAGE_SET_MAX);

	if (s->thin == 0) {
		for (size_t i = 0; i < most; i++)
			set[i] = (uint32_t)l->v[i];
		s->n_set = most;
		return;
	}
	for (size_t i = 0; i < l->n && n < PAGE_SET_MAX; i++) {
		set[n] = (uint32_t)l->v[i];
		n += set[n] >> (32 - s->thin) == 0;
	}
	s->n_set = n;
}

void page_sketch_make_raw(struct str text, struct page_sketch *s)
{
	struct hash_list *l = &s->scratch;

	s->payload = (struct u128){ 0, 0 };
	l->n = 0;
	text_sketch(text, PAGE_SHINGLE_WORDS, &s->text, l);
	s->thin = (uint8_t)choose_thin(l->v, l->n);
	VEC_RESERVE(s->set, s->cap_set, MIN(l->n, (size_t)PAGE_SET_MAX) + 1);
	take_values(l, s);
	s->raw = true;
	s->n_order = 0;
}

void page_sketch_make(struct str text, struct page_sketch *s)
{
	page_sketch_make_raw(text, s);
	page_sketch_sort(s);
}

bool page_sketch_comparable(const struct text_sketch *a, const struct text_sketch *b)
{
	return a->n_shingles >= PAGE_MIN_SHINGLES && b->n_shingles >= PAGE_MIN_SHINGLES;
}

bool page_sketch_too_far(const struct text_sketch *a, const struct text_sketch *b,
			 double least)
{
	double expected = least * OPH_SLOTS;
	double deviation = sqrt(expected * (1 - least));

	return MIN(a->n_shingles, b->n_shingles) >= SLOTS_TELL_FROM &&
	       oph_equal(a->slots, b->slots) < expected - 4.5 * deviation;
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

	assert(!a->raw && !b->raw);
	struct overlap o =
		overlap_u32(a->set, prefix_below(a, thin), b->set, prefix_below(b, thin));

	return (struct overlap){ scale(o.shared, thin), scale(o.only_a, thin),
				 scale(o.only_b, thin) };
}

/* Shared and differing values below 2^(32 - thin) that are not in `common`. */
static struct overlap content_overlap(const struct page_sketch *a,
				      const struct page_sketch *b, unsigned thin,
				      const struct shingle_set *common)
{
	size_t i = 0, j = 0, n_a = prefix_below(a, thin), n_b = prefix_below(b, thin);
	struct overlap o = { 0 };

	while (i < n_a || j < n_b) {
		bool in_a = j == n_b || (i < n_a && a->set[i] <= b->set[j]);
		bool in_b = i == n_a || (j < n_b && b->set[j] <= a->set[i]);
		bool own = !shingle_set_has(common, in_a ? a->set[i] : b->set[j]);

		o.shared += own && in_a && in_b;
		o.only_a += own && in_a && !in_b;
		o.only_b += own && in_b && !in_a;
		i += in_a;
		j += in_b;
	}
	return (struct overlap){ scale(o.shared, thin), scale(o.only_a, thin),
				 scale(o.only_b, thin) };
}

#define LOOKUP_BITS 11 /* at the most: one value each is enough */

/* Where the values of an ascending set begin that have the same highest bits. */
struct lookup {
	uint16_t starts[(1 << LOOKUP_BITS) + 1];
	const uint32_t *set;
	unsigned shift;
};

_Static_assert(PAGE_SET_MAX <= UINT16_MAX, "places in a set fit");

static void lookup_init(struct lookup *l, const struct page_sketch *s)
{
	unsigned bits = 32u - s->thin, by = MIN(bits, 4u);
	size_t next = 0;

	while (by < MIN(bits, LOOKUP_BITS) && (size_t)1 << by < s->n_set)
		by++;
	l->set = s->set;
	l->shift = bits - by;
	for (size_t at = 0; at < s->n_set; at++)
		for (size_t k = s->set[at] >> l->shift; next <= k; next++)
			l->starts[next] = (uint16_t)at;
	for (; next <= (size_t)1 << by; next++)
		l->starts[next] = (uint16_t)s->n_set;
}

static inline bool lookup_has(const struct lookup *l, uint32_t value)
{
	size_t k = value >> l->shift;

	for (size_t i = l->starts[k]; i < l->starts[k + 1]; i++)
		if (l->set[i] == value)
			return true;
	return false;
}

struct passages {
	uint32_t longest;  /* in shingles */
	uint32_t replaced; /* words of the long ones */
};

/* `least`: of how many words a passage is long. */
static void end_passage(struct passages *p, uint32_t run, unsigned thin, uint32_t least)
{
	uint32_t shingles = scale(run, thin);

	p->longest = MAX(p->longest, shingles);
	if (shingles >= least + NEAR_PASSAGE_EDGE)
		p->replaced += shingles - NEAR_PASSAGE_EDGE;
}

static uint32_t long_passage(struct overlap content)
{
	uint32_t longer = content.shared + MAX(content.only_a, content.only_b);

	return MIN(MAX(longer / NEAR_PASSAGE_PART, 1u), (uint32_t)NEAR_PASSAGE_WORDS);
}

/* The runs of a's values in their order that neither `b` has nor all have. */
static struct passages find_passages(const struct page_sketch *a,
				     const struct page_sketch *b,
				     const struct shingle_set *common, uint32_t least)
{
	unsigned thin = MAX(a->thin, b->thin);
	struct lookup theirs;
	struct passages found = { 0 };
	uint32_t run = 0;

	lookup_init(&theirs, b);
	for (size_t i = 0; i < a->n_order; i++) {
		uint32_t v = a->order[i];

		if ((uint64_t)v >> (32 - thin))
			continue;
		if (!lookup_has(&theirs, v) && !(common && shingle_set_has(common, v))) {
			run++;
		} else if (run) {
			end_passage(&found, run, thin, least);
			run = 0;
		}
	}
	end_passage(&found, run, thin, least);
	return found;
}

void page_sketch_compare(const struct page_sketch *a, const struct page_sketch *b,
			 const struct shingle_set *common, struct near_evidence *ret)
{
	ret->whole = page_sketch_overlap(a, b);
	page_sketch_compare_content(a, b, common, ret);
}

void page_sketch_compare_content(const struct page_sketch *a, const struct page_sketch *b,
				 const struct shingle_set *common,
				 struct near_evidence *ret)
{
	unsigned thin = MAX(a->thin, b->thin);

	if (shingle_set_is_empty(common))
		common = NULL;
	ret->content = common ? content_overlap(a, b, thin, common) : ret->whole;
	uint32_t least = long_passage(ret->content);
	struct passages x = find_passages(a, b, common, least);
	struct passages y = find_passages(b, a, common, least);

	ret->passage_a = x.longest;
	ret->passage_b = y.longest;
	ret->replaced_a = x.replaced;
	ret->replaced_b = y.replaced;
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
	buf_add(to, (struct str){ (const char *)s->text.slots, sizeof(s->text.slots) });
	const uint32_t *values = s->n_order ? s->order : s->set;
	size_t n = s->n_order ? s->n_order : s->n_set;

	buf_add_u8(to, (uint8_t)(s->thin | (s->raw || s->n_order ? RAW : 0)));
	buf_add_varint(to, n);
	buf_add(to, (struct str){ (const char *)values, n * sizeof(*values) });
}

static bool take_u128(struct str *in, struct u128 *ret)
{
	return str_take_u64(in, &ret->lo) && str_take_u64(in, &ret->hi);
}

static bool take_set(struct str in, struct page_sketch *s)
{
	uint8_t flags;
	uint64_t n;

	if (!str_take_u8(&in, &flags) || (flags & ~RAW) > THIN_MAX ||
	    !str_take_varint(&in, &n) || n > PAGE_SET_MAX || in.n != n * 4)
		return false;
	s->thin = (uint8_t)(flags & ~RAW);
	VEC_RESERVE(s->set, s->cap_set, (size_t)n + 1);
	if (n)
		memcpy(s->set, in.p, in.n);
	s->n_set = (size_t)n;
	s->n_order = 0;
	for (size_t i = 0; i < n; i++)
		if ((uint64_t)s->set[i] >> (32 - s->thin) != 0 ||
		    (!(flags & RAW) && i && s->set[i] <= s->set[i - 1]))
			return false;
	s->raw = flags & RAW;
	return true;
}

static bool take_text(struct str *in, struct text_sketch *t, struct u128 *ret_payload)
{
	struct str slots;
	uint8_t version;

	if (!str_take_u8(in, &version) || version != PAGE_SKETCH_VERSION ||
	    !take_u128(in, ret_payload) || !take_u128(in, &t->digest) ||
	    !str_take_u64(in, &t->simhash) || !str_take_varint(in, &t->n_words) ||
	    !str_take_varint(in, &t->n_shingles) ||
	    !str_take_bytes(in, sizeof(t->slots), &slots))
		return false;
	memcpy(t->slots, slots.p, sizeof(t->slots));
	return true;
}

enum status page_sketch_decode_text(struct str in, struct text_sketch *ret,
				    struct u128 *ret_payload)
{
	struct u128 payload;

	if (!take_text(&in, ret, &payload))
		return ST_CORRUPT;
	if (ret_payload)
		*ret_payload = payload;
	return ST_OK;
}

enum status page_sketch_decode_raw(struct str in, struct page_sketch *ret)
{
	return take_text(&in, &ret->text, &ret->payload) && take_set(in, ret)
		       ? ST_OK
		       : ST_CORRUPT;
}

enum status page_sketch_decode(struct str in, struct page_sketch *ret)
{
	TRY(page_sketch_decode_raw(in, ret));
	page_sketch_sort(ret);
	return ST_OK;
}
