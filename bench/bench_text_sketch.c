/*
 * bench_text_sketch - text to SimHash64 and 128 slots, the two kernels side by
 * side.  CPU time, best of five; the text is made up, English-like word lengths.
 */
#include <stdio.h>
#include <time.h>

#include "base/rng.h"
#include "sketch/text_sketch.h"

#define TEXT_BYTES ((size_t)64 << 20)
#define DOC_BYTES  ((size_t)15 << 10)

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Words of 1 to 12 letters, mean 4.7, from a vocabulary of 20,000; some are capitalised.
 */
static void write_words(struct buf *to, double odd)
{
	static char words[20000][16];
	struct rng r = { 1 };

	for (size_t i = 0; i < COUNT(words); i++) {
		size_t n = 1 + rng_below(&r, 4) + rng_below(&r, 3) + rng_below(&r, 4) +
			   (rng_below(&r, 8) == 0 ? rng_below(&r, 4) : 0);

		for (size_t k = 0; k < n; k++)
			words[i][k] = (char)('a' + rng_below(&r, 26));
	}
	while (to->n < TEXT_BYTES) {
		double u = rng_unit(&r);
		char *w = words[(size_t)(u * u * u * COUNT(words))];

		if (rng_chance(&r, odd))
			buf_add(to, STR("caf\xc3\xa9"));
		buf_add(to, str_from(w));
		buf_add(to, rng_below(&r, 9) ? STR(" ") : STR(", "));
	}
}

static double measure(struct str text,
		      void (*kernel)(struct str, unsigned, struct text_sketch *,
				     struct hash_list *))
{
	double best = 1e9;

	for (int round = 0; round < 5; round++) {
		double start = cpu_s();
		uint64_t sum = 0;

		for (size_t at = 0; at < text.n; at += DOC_BYTES) {
			struct text_sketch s;

			kernel(str_slice(text, at, at + DOC_BYTES), 5, &s, NULL);
			sum ^= s.simhash;
		}
		double took = cpu_s() - start;
		best = took < best ? took : best;
		if (sum == 1)
			printf("\n");
	}
	return (double)text.n / best / 1e6;
}

int main(void)
{
	struct buf text = { 0 }, mixed = { 0 };

	write_words(&text, 0);
	write_words(&mixed, 0.02);
	printf("| kernel | ASCII MB/s | 2 %% non-ASCII words MB/s |\n|---|---|---|\n");
	printf("| plain C | %.0f | %.0f |\n", measure(buf_str(&text), text_sketch_scalar),
	       measure(buf_str(&mixed), text_sketch_scalar));
	if (text_sketch_has_avx2())
		printf("| AVX2 | %.0f | %.0f |\n",
		       measure(buf_str(&text), text_sketch_avx2),
		       measure(buf_str(&mixed), text_sketch_avx2));
	buf_release(&text);
	buf_release(&mixed);
	return 0;
}
