/*
 * bench_dedup [N [MEMORY_MB]] - N made-up documents, every fifth a changed copy of
 * the one before it at a known resemblance.  Precision of the verified pairs,
 * recall against the S-curve, throughput, memory.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/rng.h"
#include "dup/batch.h"
#include "os/file.h"

#define WORDS    300
#define SHINGLES (WORDS - 4)
#define BINS     10

static double now_s(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool is_copy(uint64_t i)
{
	return i % 5 == 4;
}

/* How many of its words a copy has from the original: resemblance 0.3 to 0.98. */
static size_t shared_words(uint64_t i)
{
	return 140 + hash_mix(i) % 158;
}

static double resemblance(uint64_t copy)
{
	double shared = (double)shared_words(copy) - 4;

	return shared / (2.0 * SHINGLES - shared);
}

/* What the model says of a copy: the rest of it is one passage. */
static double probability(uint64_t copy)
{
	uint32_t shared = (uint32_t)shared_words(copy) - 4, rest = SHINGLES - shared;
	struct overlap o = { shared, rest, rest };
	struct near_evidence e = { o, o, rest, rest };

	return near_probability(&e, NULL);
}

/* Letters only, five or six a word; the same seed gives the same words. */
static void write_text(uint64_t i, struct buf *to)
{
	struct rng original = { is_copy(i) ? i - 1 : i }, own = { ~i };
	size_t shared = is_copy(i) ? shared_words(i) : WORDS;

	buf_reset(to);
	for (size_t k = 0; k < WORDS; k++) {
		uint64_t v = rng_next(k < shared ? &original : &own);
		char word[8];

		for (int c = 0; c < 6; c++, v >>= 5)
			word[c] = (char)('a' + v % 26);
		word[6] = ' ';
		buf_add(to, (struct str){ word, 7 });
	}
}

struct tally {
	uint64_t planted[BINS], found[BINS];
	double expected[BINS];
	uint64_t wrong;
};

static unsigned bin_of(double j)
{
	return MIN((unsigned)(j * BINS), BINS - 1u);
}

static void count(const struct batch *b, struct tally *t)
{
	struct bands bands = b->options.bands;

	for (uint64_t i = 4; i < b->n; i += 5) {
		double j = resemblance(i);

		if (probability(i) < b->options.threshold)
			continue;
		t->planted[bin_of(j)]++;
		t->expected[bin_of(j)] += bands_recall(bands, j);
	}
	for (size_t i = 0; i < b->n_pairs; i++) {
		uint32_t x = b->pairs[i].a, y = b->pairs[i].b;

		if (!is_copy(y) || x + 1 != y ||
		    fabs(b->pairs[i].measure - probability(y)) > 0.03)
			t->wrong++;
		else
			t->found[bin_of(resemblance(y))]++;
	}
}

static void print_tally(const struct tally *t)
{
	uint64_t planted = 0, found = 0;
	double expected = 0;

	printf("\n| resemblance | planted | found | recall | S-curve "
	       "|\n|---|---|---|---|---|\n");
	for (unsigned i = 0; i < BINS; i++) {
		if (t->planted[i] == 0)
			continue;
		printf("| %.1f to %.1f | %lu | %lu | %.4f | %.4f |\n", i / 10.0,
		       (i + 1) / 10.0, (unsigned long)t->planted[i],
		       (unsigned long)t->found[i],
		       (double)t->found[i] / (double)t->planted[i],
		       t->expected[i] / (double)t->planted[i]);
		planted += t->planted[i];
		found += t->found[i];
		expected += t->expected[i];
	}
	printf("| all | %lu | %lu | %.4f | %.4f |\n\nprecision of verified pairs: %.6f "
	       "(%lu "
	       "wrong)\n",
	       (unsigned long)planted, (unsigned long)found,
	       (double)found / (double)planted, expected / (double)planted,
	       (double)found / (double)(found + t->wrong), (unsigned long)t->wrong);
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
	size_t memory = (argc > 2 ? strtoull(argv[2], NULL, 10) : 256) << 20;
	const struct method *m = method_find(STR("resemblance"));
	char dir[] = "/tmp/bench_dedup.XXXXXX";
	struct tally t = { 0 };
	struct buf text = { 0 };
	struct diag why = { 0 };
	struct rusage used;
	struct batch b;

	if (!mkdtemp(dir))
		return 1;
	struct batch_options how = {
		.dir = dir, .memory_bytes = memory, .method = m, .threshold = m->threshold
	};
	if (batch_open(&b, &how, &why) != ST_OK)
		return fprintf(stderr, "%s\n", why.text), 1;
	double adding = 0, bytes = 0;
	for (uint64_t i = 0; i < n; i++) {
		char name[24];

		write_text(i, &text);
		snprintf(name, sizeof(name), "%lu", (unsigned long)i);
		struct document parts = { .text = buf_str(&text) };
		double start = now_s(CLOCK_PROCESS_CPUTIME_ID);
		if (batch_add(&b,
			      &(struct batch_doc){ .name = str_from(name),
						   .length = text.n,
						   .parts = &parts },
			      &why) != ST_OK)
			return fprintf(stderr, "%s\n", why.text), 1;
		adding += now_s(CLOCK_PROCESS_CPUTIME_ID) - start;
		bytes += (double)text.n;
	}
	double start = now_s(CLOCK_PROCESS_CPUTIME_ID);
	if (batch_run(&b, &why) != ST_OK)
		return fprintf(stderr, "%s\n", why.text), 1;
	double ran = now_s(CLOCK_PROCESS_CPUTIME_ID) - start;
	getrusage(RUSAGE_SELF, &used);
	printf("| documents | MB | sketch, MB/s a core | pairs and clusters, CPU s | "
	       "budget MB | "
	       "peak MB |\n|---|---|---|---|---|---|\n| %lu | %.0f | %.0f | %.1f | %zu | "
	       "%.0f |\n",
	       (unsigned long)n, bytes / 1e6, bytes / adding / 1e6, ran, memory >> 20,
	       (double)used.ru_maxrss / 1024);
	count(&b, &t);
	print_tally(&t);
	if (batch_remove(&b, &why) != ST_OK)
		return 1;
	batch_release(&b);
	buf_release(&text);
	return t.wrong != 0;
}
