#include "apps/seen_text.h"

#include "base/hash.h"

#define BITS_PER_RUN 12

static bool is_word_byte(char c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || (unsigned char)c >= 0x80;
}

/* The hash of the next word in lower case; 0 at the end. */
static uint64_t take_word(struct str *text)
{
	uint64_t h = 0;
	size_t i = 0;

	while (i < text->n && !is_word_byte(text->p[i]))
		i++;
	for (; i < text->n && is_word_byte(text->p[i]); i++)
		h = h * 0x100000001b3u + (unsigned char)ascii_lower(text->p[i]) + 1;
	*text = str_skip(*text, i);
	return h;
}

struct text_sample seen_text_sample(struct str text, struct arena *a)
{
	uint64_t last[SEEN_TEXT_WORDS] = { 0 }, word;
	uint64_t *v = arena_alloc(a, SEEN_TEXT_PAGE * sizeof(*v));
	size_t n = 0, words = 0;

	while (n < SEEN_TEXT_PAGE && (word = take_word(&text)) != 0) {
		uint64_t run = 0;

		for (size_t i = 0; i + 1 < SEEN_TEXT_WORDS; i++)
			last[i] = last[i + 1];
		last[SEEN_TEXT_WORDS - 1] = word;
		for (size_t i = 0; i < SEEN_TEXT_WORDS; i++)
			run = hash_mix(run + last[i]);
		if (++words >= SEEN_TEXT_WORDS && run % SEEN_TEXT_SHARE == 0)
			v[n++] = run;
	}
	return (struct text_sample){ v, n };
}

void seen_text_add(struct seen_text *s, struct text_sample t)
{
	if (!s->is_made)
		bloom_init(&s->runs, SEEN_TEXT_MAX, BITS_PER_RUN);
	s->is_made = true;
	for (size_t i = 0; i < t.n && s->n < SEEN_TEXT_MAX; i++)
		s->n += !bloom_add(&s->runs, t.v[i]);
}

size_t seen_text_new(const struct seen_text *s, struct text_sample t)
{
	size_t n = 0;

	if (!s->is_made || s->n >= SEEN_TEXT_MAX)
		return s->is_made ? 0 : t.n;
	for (size_t i = 0; i < t.n; i++)
		n += !bloom_may_have(&s->runs, t.v[i]);
	return n;
}

void seen_text_release(struct seen_text *s)
{
	bloom_release(&s->runs);
	*s = (struct seen_text){ 0 };
}
