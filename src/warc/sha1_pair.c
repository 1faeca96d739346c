#include "warc/sha1_pair.h"

#include <string.h>

void sha1_pair_plain(struct digest *d, const struct sha1_message of[2],
		     uint8_t ret[2][SHA1_BYTES])
{
	for (size_t i = 0; i < 2; i++) {
		digest_start(d);
		digest_add(d, of[i].head);
		digest_add(d, of[i].body);
		digest_end(d, ret[i]);
	}
}

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

#define TARGET   __attribute__((target("sha,sse4.1")))
#define BLOCK    64
#define RUNS_MAX 4

/* One message: whole blocks where they lie, and two copies where they do not. */
struct lane {
	uint32_t state[5];
	struct str runs[RUNS_MAX]; /* whole blocks each */
	size_t n, at;
	char seam[BLOCK];     /* where head and body meet */
	char tail[2 * BLOCK]; /* the rest, and the length */
};

static void add_run(struct lane *l, const char *p, size_t bytes)
{
	if (bytes > 0)
		l->runs[l->n++] = (struct str){ p, bytes };
}

/* FIPS 180-4 5.1.1: a one, zeros, and the count of bits. */
static void add_tail(struct lane *l, struct str a, struct str b, uint64_t bytes)
{
	size_t n = a.n + b.n, size = n + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
	uint64_t bits = __builtin_bswap64(bytes * 8);

	memset(l->tail, 0, sizeof(l->tail));
	memcpy(l->tail, a.p, a.n);
	memcpy(l->tail + a.n, b.p, b.n);
	l->tail[n] = (char)0x80;
	memcpy(l->tail + size - 8, &bits, 8);
	add_run(l, l->tail, size);
}

static void start(struct lane *l, struct str head, struct str body)
{
	static const uint32_t first[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
					   0xc3d2e1f0 };
	uint64_t bytes = head.n + body.n;
	size_t whole = head.n / BLOCK * BLOCK, lack = (BLOCK - head.n % BLOCK) % BLOCK;

	memcpy(l->state, first, sizeof(first));
	l->n = l->at = 0;
	add_run(l, head.p, whole);
	head = str_skip(head, whole);
	if (body.n < lack) {
		add_tail(l, head, body, bytes);
		return;
	}
	if (head.n > 0) {
		memcpy(l->seam, head.p, head.n);
		memcpy(l->seam + head.n, body.p, lack);
		add_run(l, l->seam, BLOCK);
		body = str_skip(body, lack);
	}
	whole = body.n / BLOCK * BLOCK;
	add_run(l, body.p, whole);
	add_tail(l, STR(""), str_skip(body, whole), bytes);
}

/* Four of the eighty steps: the state before them is the next four's E. */
#define STEPS(state, e, next_e, words, f)  \
	e = _mm_sha1nexte_epu32(e, words); \
	next_e = state;                    \
	state = _mm_sha1rnds4_epu32(state, e, f)
#define EXPAND(w0, w1, w2, w3) \
	w0 = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2), w3)
#define BOTH_EXPAND(k, l, m, n)         \
	EXPAND(a##k, a##l, a##m, a##n); \
	EXPAND(b##k, b##l, b##m, b##n)
#define BOTH_STEPS(e, next_e, k, f)           \
	STEPS(x, ex##e, ex##next_e, a##k, f); \
	STEPS(y, ey##e, ey##next_e, b##k, f)
#define BOTH_SIXTEEN(f0, f1, f2, f3) \
	BOTH_EXPAND(0, 1, 2, 3);     \
	BOTH_STEPS(0, 1, 0, f0);     \
	BOTH_EXPAND(1, 2, 3, 0);     \
	BOTH_STEPS(1, 0, 1, f1);     \
	BOTH_EXPAND(2, 3, 0, 1);     \
	BOTH_STEPS(0, 1, 2, f2);     \
	BOTH_EXPAND(3, 0, 1, 2);     \
	BOTH_STEPS(1, 0, 3, f3)

TARGET static inline __m128i load(const char *p, size_t i)
{
	const __m128i order = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);

	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)p + i), order);
}

TARGET static inline __m128i load_state(const uint32_t *s)
{
	return _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)s), 0x1b);
}

TARGET static inline void save_state(uint32_t *s, __m128i abcd, __m128i e)
{
	_mm_storeu_si128((__m128i *)s, _mm_shuffle_epi32(abcd, 0x1b));
	s[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

TARGET static void take_blocks(uint32_t *s, uint32_t *t, const char *p, const char *q,
			       size_t bytes)
{
	__m128i x = load_state(s), y = load_state(t), ex1, ey1;
	__m128i ex0 = _mm_set_epi32((int)s[4], 0, 0, 0),
		ey0 = _mm_set_epi32((int)t[4], 0, 0, 0);

	for (const char *end = p + bytes; p < end; p += BLOCK, q += BLOCK) {
		__m128i x_before = x, y_before = y, ex_before = ex0, ey_before = ey0;
		__m128i a0 = load(p, 0), a1 = load(p, 1), a2 = load(p, 2),
			a3 = load(p, 3);
		__m128i b0 = load(q, 0), b1 = load(q, 1), b2 = load(q, 2),
			b3 = load(q, 3);

		ex0 = _mm_add_epi32(ex0, a0);
		ey0 = _mm_add_epi32(ey0, b0);
		ex1 = x;
		ey1 = y;
		x = _mm_sha1rnds4_epu32(x, ex0, 0);
		y = _mm_sha1rnds4_epu32(y, ey0, 0);
		BOTH_STEPS(1, 0, 1, 0);
		BOTH_STEPS(0, 1, 2, 0);
		BOTH_STEPS(1, 0, 3, 0);
		BOTH_SIXTEEN(0, 1, 1, 1);
		BOTH_SIXTEEN(1, 1, 2, 2);
		BOTH_SIXTEEN(2, 2, 2, 3);
		BOTH_SIXTEEN(3, 3, 3, 3);
		ex0 = _mm_sha1nexte_epu32(ex0, ex_before);
		ey0 = _mm_sha1nexte_epu32(ey0, ey_before);
		x = _mm_add_epi32(x, x_before);
		y = _mm_add_epi32(y, y_before);
	}
	save_state(s, x, ex0);
	save_state(t, y, ey0);
}

static void advance(struct lane *l, size_t bytes)
{
	l->runs[l->at] = str_skip(l->runs[l->at], bytes);
	l->at += l->runs[l->at].n == 0;
}

/* What one has more than the other: the second lane runs along for nothing. */
static void finish(struct lane *l)
{
	uint32_t nobody[5] = { 0 };

	for (; l->at < l->n; l->at++)
		take_blocks(l->state, nobody, l->runs[l->at].p, l->runs[l->at].p,
			    l->runs[l->at].n);
}

static void by_turns(const struct sha1_message of[2], uint8_t ret[2][SHA1_BYTES])
{
	struct lane l[2];

	for (size_t i = 0; i < 2; i++)
		start(&l[i], of[i].head, of[i].body);
	while (l[0].at < l[0].n && l[1].at < l[1].n) {
		struct str a = l[0].runs[l[0].at], b = l[1].runs[l[1].at];
		size_t bytes = MIN(a.n, b.n);

		take_blocks(l[0].state, l[1].state, a.p, b.p, bytes);
		advance(&l[0], bytes);
		advance(&l[1], bytes);
	}
	for (size_t i = 0; i < 2; i++) {
		finish(&l[i]);
		for (size_t k = 0; k < 5; k++) {
			uint32_t word = __builtin_bswap32(l[i].state[k]);

			memcpy(ret[i] + 4 * k, &word, 4);
		}
	}
}

static bool has_instructions(void)
{
	static int known; /* 0: not asked yet; whoever asks first, finds the same */
	unsigned a, b, c, d;
	int is = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (is == 0) {
		bool sse = __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_1;
		bool sha = __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_SHA;

		is = sse && sha ? 1 : -1;
		__atomic_store_n(&known, is, __ATOMIC_RELAXED);
	}
	return is > 0;
}
#else
static void by_turns(const struct sha1_message of[2], uint8_t ret[2][SHA1_BYTES])
{
	(void)of, (void)ret;
}

static bool has_instructions(void)
{
	return false;
}
#endif

void sha1_pair(struct digest *d, const struct sha1_message of[2],
	       uint8_t ret[2][SHA1_BYTES])
{
	if (has_instructions())
		by_turns(of, ret);
	else
		sha1_pair_plain(d, of, ret);
}
