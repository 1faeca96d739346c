#include "sketch/text_sketch.h"

#include <stdlib.h>

#include "base/unicode.h"
#include "base/utf8.h"
#include "sketch/text_sketch_impl.h"

void hash_list_release(struct hash_list *l)
{
	free(l->v);
	*l = (struct hash_list){ 0 };
}

void word_batch_init(struct word_batch *b, unsigned size, struct text_sketch *ret,
		     struct hash_list *shingles)
{
	*ret = (struct text_sketch){ .n_words = 0 };
	oph_init(ret->slots);
	b->n = 0;
	b->size = MIN(MAX(size, 1u), (unsigned)HISTORY);
	memset(b->planes, 0, sizeof(b->planes));
	b->to = ret;
	b->shingles = shingles;
}

void word_batch_flush(struct word_batch *b)
{
	flush_words(b);
}

/* A text shorter than one shingle is one shingle. */
static void add_short_text(struct word_batch *b)
{
	const uint64_t *words = b->v + HISTORY - b->to->n_words;
	uint64_t window = 0;

	for (size_t i = 0; i < b->to->n_words; i++)
		window = piece_rotl(window, 1) ^ words[i];
	window = shingle_finish(window);
	add_shingles(b, &window, 1);
}

/* The counters of all lanes added up: plane by plane, with carry. */
static void join_lanes(const lanes *planes, unsigned n, uint64_t *ret)
{
	memset(ret, 0, n * sizeof(*ret));
	for (unsigned lane = 0; lane < SIM_LANES; lane++) {
		uint64_t carry = 0;

		for (unsigned j = 0; j < n; j++) {
			uint64_t a = ret[j], b = planes[j][lane];

			ret[j] = a ^ b ^ carry;
			carry = (a & b) | (carry & (a ^ b));
		}
	}
}

/* Bits counted in more than half of the shingles, by comparing plane by plane. */
static uint64_t majority(const lanes *lane_planes, uint64_t n)
{
	uint64_t half = n / 2, above = 0, level = ~(uint64_t)0, planes[SIM_PLANES];
	/* No counter is above n: the planes beyond its bits are empty. */
	unsigned used = n ? MIN(64u - (unsigned)__builtin_clzll(n), SIM_PLANES) : 0;

	join_lanes(lane_planes, used, planes);
	for (unsigned j = used; j-- > 0;) {
		uint64_t want = half >> j & 1 ? ~(uint64_t)0 : 0;

		above |= level & planes[j] & ~want;
		level &= ~(planes[j] ^ want);
	}
	return above;
}

void word_batch_finish(struct word_batch *b)
{
	if (b->to->n_words && b->to->n_words < b->size)
		add_short_text(b);
	b->to->simhash = majority(b->planes, b->to->n_shingles);
}

/* The next code point without consuming it. */
static inline uint32_t peek(const char *p, const char *end, size_t *ret_n)
{
	unsigned char c = (unsigned char)*p;
	struct str s;

	if (c < 0x80) {
		*ret_n = 1;
		return c;
	}
	s = (struct str){ p, (size_t)(end - p) };
	uint32_t cp = utf8_take(&s);
	*ret_n = (size_t)(end - p) - s.n;
	return cp;
}

/* A word in the making: hashed 16 bytes at a time, however long it gets. */
struct word_hash {
	uint64_t h;
	uint64_t last[2]; /* the bytes after the last whole block */
	unsigned n_last;
	size_t n;
};

static inline void word_hash_add(struct word_hash *w, uint32_t cp)
{
	unsigned char bytes[4];
	unsigned n = 0;

	if (cp < 0x80) {
		bytes[n++] = (unsigned char)cp;
	} else if (cp < 0x800) {
		bytes[n++] = (unsigned char)(0xc0 | cp >> 6);
		bytes[n++] = (unsigned char)(0x80 | (cp & 63));
	} else if (cp < 0x10000) {
		bytes[n++] = (unsigned char)(0xe0 | cp >> 12);
		bytes[n++] = (unsigned char)(0x80 | (cp >> 6 & 63));
		bytes[n++] = (unsigned char)(0x80 | (cp & 63));
	} else {
		bytes[n++] = (unsigned char)(0xf0 | cp >> 18);
		bytes[n++] = (unsigned char)(0x80 | (cp >> 12 & 63));
		bytes[n++] = (unsigned char)(0x80 | (cp >> 6 & 63));
		bytes[n++] = (unsigned char)(0x80 | (cp & 63));
	}
	for (unsigned i = 0; i < n; i++) {
		if (w->n_last == 16) {
			w->h = piece_mum(w->last[0] ^ PIECE_K0 ^ w->h,
					 w->last[1] ^ PIECE_K1);
			w->last[0] = w->last[1] = 0;
			w->n_last = 0;
		}
		w->last[w->n_last >> 3] |= (uint64_t)bytes[i] << 8 * (w->n_last & 7);
		w->n_last++;
	}
	w->n += n;
}

static inline uint64_t word_hash_end(const struct word_hash *w)
{
	return piece_hash_last(w->h, w->last[0], w->last[1], w->n);
}

const char *word_batch_add_scalar(struct word_batch *b, struct str in, const char *until)
{
	const char *p = in.p, *end = in.p + in.n;
	size_t n;

	while (p < end) {
		struct word_hash w = { .n = 0 };
		enum unicode_class first = UNICODE_SEPARATOR;

		while (p < end) { /* one word, and the separator that ends it */
			uint32_t cp = peek(p, end, &n);
			int32_t entry = unicode_entry(cp);
			enum unicode_class class = (enum unicode_class)(entry & 7);

			if (w.n == 0 && p >= until)
				return p;
			if (class == UNICODE_WORD || class == UNICODE_ALONE) {
				if (w.n && (class == UNICODE_ALONE || first != class))
					break;
				first = class;
				word_hash_add(&w, (uint32_t)((int32_t)cp + (entry >> 3)));
			} else if (class == UNICODE_MARK && w.n) {
				word_hash_add(&w, cp);
			} else if (class == UNICODE_SEPARATOR && w.n) {
				break;
			}
			p += n;
		}
		if (w.n)
			word_batch_add(b, word_hash_end(&w));
	}
	return p;
}

void text_sketch_scalar(struct str text, unsigned size, struct text_sketch *ret,
			struct hash_list *shingles)
{
	struct word_batch b;

	word_batch_init(&b, size, ret, shingles);
	word_batch_add_scalar(&b, text, text.p + text.n);
	word_batch_flush(&b);
	word_batch_finish(&b);
}

bool text_sketch_has_avx2(void)
{
#if defined(__x86_64__)
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
#else
	return false;
#endif
}

void text_shingles(struct str text, unsigned size, struct text_sketch *ret,
		   struct hash_list *shingles)
{
	if (text_sketch_has_avx2())
		text_sketch_avx2(text, size, ret, shingles);
	else
		text_sketch_scalar(text, size, ret, shingles);
}

void text_sketch(struct str text, unsigned size, struct text_sketch *ret,
		 struct hash_list *shingles)
{
	text_shingles(text, size, ret, shingles);
	oph_densify(ret->slots);
}

uint64_t text_simhash(struct str text, unsigned size)
{
	struct text_sketch s;

	text_shingles(text, size, &s, NULL);
	return s.simhash;
}
