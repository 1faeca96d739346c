#include "page/text.h"

#include <assert.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/hash.h"
#include "html/entity.h"

/* Bytes the copying loop may write past the end of the text. */
#define SLACK 32

/* What `due` is before the first word: as '\n', but nothing is written. */
#define AT_START 1

void text_start(struct text *t, size_t input_bytes, size_t max_bytes, struct arena *a)
{
	*t = (struct text){
		/* References grow by a fifth at most: 6 bytes out of "&nGt;". */
		.max = MIN(input_bytes + input_bytes / 4 + SLACK, max_bytes),
		.due = AT_START,
		.linked_from = SIZE_MAX,
		.max_blocks = TEXT_BLOCKS_MAX,
		.arena = a,
	};
	t->p = arena_alloc(a, t->max + t->max / 4 + 4 * SLACK);
}

struct str text_cut(struct str s, size_t max)
{
	if (s.n <= max)
		return s;
	while (max > 0 && ((uint8_t)s.p[max] & 0xc0) == 0x80)
		max--;
	return (struct str){ s.p, max };
}

/* White space, and NUL, which is nothing at all. */
static const bool blanks[256] = {
	[0] = true,    [' '] = true,  ['\t'] = true, ['\n'] = true,
	['\v'] = true, ['\f'] = true, ['\r'] = true,
};

static inline bool is_blank(char c)
{
	return blanks[(uint8_t)c];
}

/* May what stands here change the space before it?  The end may: all can follow. */
static inline unsigned stops_behind(const char *p, const char *end)
{
	return p >= end || (uint8_t)*p <= 13 || *p == ' ' || *p == '&';
}

/*
 * Copy bytes that need no thought: no reference, no NUL, and no white space but
 * a single ' ' before something else.  Returns how many; may write SLACK more,
 * and read up to `readable`, which is `end` or after it.
 */
static inline size_t copy_plain(char *to, const char *p, const char *end,
				const char *readable)
{
	const char *start = p;

#ifdef __SSE2__
	const __m128i space = _mm_set1_epi8(' '), amp = _mm_set1_epi8('&');

	for (; readable - p >= 16; p += 16, to += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)p);
		__m128i sp = _mm_cmpeq_epi8(v, space);
		/* NUL to 13, unsigned: other control characters pass as they are. */
		__m128i low = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(13)), v);
		__m128i odd = _mm_or_si128(low, _mm_cmpeq_epi8(v, amp));
		unsigned s = (unsigned)_mm_movemask_epi8(sp);
		unsigned stop = (unsigned)_mm_movemask_epi8(odd);

		if (end - p < 16) /* a space at the end is not yet known to be single */
			stop |= 1u << (end - p);
		stop |= s & ((s | stop) >> 1 | stops_behind(p + 16, end) << 15);
		_mm_storeu_si128((__m128i *)to, v);
		if (stop)
			return (size_t)(p - start) + (size_t)__builtin_ctz(stop);
	}
#else
	(void)readable;
#endif
	for (; p < end && *p != '&' && !is_blank(*p); p++)
		*to++ = *p;
	return (size_t)(p - start);
}

/*
 * How many bytes at `p` are white space; sixteen at most are looked at.  NUL is
 * none here: it leaves no space behind.
 */
static inline size_t count_blanks(const char *p, const char *end, const char *readable)
{
	size_t n = 0;

#ifdef __SSE2__
	if (readable - p >= 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)p);
		__m128i from_tab = _mm_sub_epi8(v, _mm_set1_epi8('\t'));
		__m128i line = _mm_cmpeq_epi8(
			_mm_min_epu8(from_tab, _mm_set1_epi8('\r' - '\t')), from_tab);
		__m128i blank = _mm_or_si128(line, _mm_cmpeq_epi8(v, _mm_set1_epi8(' ')));

		n = (size_t)__builtin_ctz(~(unsigned)_mm_movemask_epi8(blank));
		return MIN(n, (size_t)(end - p));
	}
#else
	(void)readable;
#endif
	while (n < (size_t)(end - p) && p[n] && is_blank(p[n]))
		n++;
	return n;
}

/* The reference at `p`: a word's letter, or white space.  Returns the bytes taken. */
static size_t add_reference(const char *p, const char *end, char **q, char *due)
{
	char text[ENTITY_TEXT_MAX];
	size_t n = 0, taken = entity_decode(p, end, ENTITY_IN_TEXT, text, &n);

	if (!taken)
		text[0] = '&', n = taken = 1;
	if ((n == 1 && is_blank(text[0])) ||
	    (n == 2 && memcmp(text, "\xc2\xa0", 2) == 0)) {
		if (!*due)
			*due = ' ';
		return taken;
	}
	if (*due > AT_START)
		*(*q)++ = *due;
	*due = 0;
	memcpy(*q, text, n);
	*q += n;
	return taken;
}

/* Collapse and decode `s` into `q`; `*due` as in struct text.  Returns the new end. */
static char *collapse(char *q, struct str s, const char *readable, enum text_form form,
		      char *due)
{
	const char *p = s.p, *end = s.p + s.n;

	while (p < end) {
		if (is_blank(*p)) {
			if (*p && !*due)
				*due = ' ';
			p += *p ? count_blanks(p, end, readable) : 1;
			continue;
		}
		if (*p == '&' && form == TEXT_DECODE) {
			p += add_reference(p, end, &q, due);
			continue;
		}
		if (*due > AT_START)
			*q++ = *due;
		*due = 0;
		*q = *p; /* an '&' that means itself stops the copying */
		size_t n = 1 + copy_plain(q + 1, p + 1, end, readable);

		q += n;
		p += n;
	}
	return q;
}

static const char *readable_end(const struct text *t, struct str s)
{
	uintptr_t p = (uintptr_t)s.p, from = (uintptr_t)t->source.p;

	return p >= from && p < from + t->source.n ? t->source.p + t->source.n
						   : s.p + s.n;
}

void text_add(struct text *t, struct str s, enum text_form form)
{
	const char *readable = readable_end(t, s);
	size_t leading = count_blanks(s.p, s.p + s.n, readable);

	if (t->cut)
		return;
	if (s.n > t->max - t->n) {
		s = text_cut(s, t->max - t->n);
		t->cut = true;
	}
	/* A third of all pieces is the white space between two tags. */
	if (leading && leading >= s.n) {
		if (!t->due)
			t->due = ' ';
		return;
	}
	t->n = (size_t)(collapse(t->p + t->n, s, readable, form, &t->due) - t->p);
	if (t->n > t->max) /* the last piece may have grown a little past the bound */
		t->n = text_cut((struct str){ t->p, t->n }, t->max).n;
}

void text_newline(struct text *t)
{
	if (t->due != AT_START)
		t->due = '\n';
}

/* Where the next word will stand, after the separator that is due. */
static size_t next_word_at(const struct text *t)
{
	return t->n + (t->due > AT_START);
}

/* How much of the text so far, from `from` on, is inside the open anchor. */
static size_t linked_since(const struct text *t, size_t from)
{
	if (t->linked_from == SIZE_MAX)
		return 0;
	return t->n - MIN(t->n, MAX(t->linked_from, from));
}

static void add_block(struct text *t, uint64_t path, uint16_t region)
{
	if (t->n_blocks == t->max_blocks) {
		t->blocks_cut = true;
		return;
	}
	if (t->n_blocks == t->cap_blocks) {
		size_t cap = t->cap_blocks ? 2 * t->cap_blocks : 32;
		struct page_block *more = arena_alloc(t->arena, cap * sizeof(*more));

		if (t->n_blocks)
			memcpy(more, t->blocks, t->n_blocks * sizeof(*more));
		t->blocks = more;
		t->cap_blocks = cap;
	}
	struct str s =
		str_trim((struct str){ t->p + t->block_from, t->n - t->block_from });
	t->blocks[t->n_blocks++] = (struct page_block){
		.text = s,
		.hash = t->no_hash ? 0 : hash64(s),
		.path = path,
		.linked_bytes = (uint32_t)(t->linked + linked_since(t, t->block_from)),
		.region = region,
	};
}

void text_end_block(struct text *t, uint64_t path, uint16_t region)
{
	text_newline(t);
	if (!text_in_block(t))
		return;
	add_block(t, path, region);
	t->block_from = next_word_at(t);
	t->linked = 0;
}

void text_open_anchor(struct text *t)
{
	t->linked_from = next_word_at(t);
}

struct str text_close_anchor(struct text *t, size_t max)
{
	size_t from = MIN(t->linked_from, t->n);

	assert(t->linked_from != SIZE_MAX);
	t->linked += linked_since(t, t->block_from);
	t->linked_from = SIZE_MAX;
	return text_cut((struct str){ t->p + from, t->n - from }, max);
}

struct str text_clean(struct str s, enum text_form form, struct arena *a)
{
	char due = AT_START, *to;

	s = str_trim(s);
	if (s.n == 0)
		return (struct str){ "", 0 };
	to = arena_alloc(a, s.n + s.n / 4 + SLACK);
	char *q = collapse(to, s, s.p + s.n, form, &due);
	return (struct str){ to, (size_t)(q - to) };
}
