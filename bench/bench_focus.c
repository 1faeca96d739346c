/*
 * bench_focus - how many links a core scores in a second, with so many terms.
 *
 *   bench_focus [rounds]
 *
 * Pages of 60 paragraphs with a link in each, words drawn from a vocabulary of 20,000;
 * the terms are words and pairs of words of it.  Parsing is not counted, all modules of a
 * worker are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/rng.h"
#include "focus/focus.h"
#include "page/page.h"

#define PAGES      40
#define PARAGRAPHS 60
#define WORDS      40 /* of a paragraph */
#define VOCABULARY 20000

static void add_word(struct rng *r, struct buf *to)
{
	uint64_t k = rng_below(r, VOCABULARY);

	for (unsigned i = 0; i < 3 || k > 0; i++, k /= 20)
		buf_addf(to, "%c%c", "bcdfghklmnprstvwxz"[k % 18], "aeiou"[(k + i) % 5]);
}

static void add_page(struct rng *r, struct buf *to)
{
	for (unsigned p = 0; p < PARAGRAPHS; p++) {
		buf_add(to, STR("<p>"));
		for (unsigned w = 0; w < WORDS; w++) {
			bool is_link = w == WORDS / 2;

			if (is_link)
				buf_addf(to, "<a href=/section/%u/page-%u>", p,
					 (unsigned)rng_below(r, 100000));
			add_word(r, to);
			buf_add(to, is_link ? STR("</a> ") : STR(" "));
		}
		buf_add(to, STR("</p>\n"));
	}
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double measure(struct focus_worker *w, struct rng *r, unsigned rounds)
{
	cleanup(arena_release) struct arena a = { 0 }, scores = { 0 };
	static struct buf html[PAGES];
	static struct page pages[PAGES];
	struct fetch_task task = { .url = STR("http://a.test/") };
	struct discovery links[PARAGRAPHS];
	const struct link *origins[PARAGRAPHS];
	size_t n = 0;

	for (unsigned k = 0; k < PAGES; k++) {
		buf_reset(&html[k]);
		add_page(r, &html[k]);
		page_parse(&(struct page_input){ .body = buf_str(&html[k]),
						 .content_type = STR("text/html"),
						 .url = task.url },
			   &(struct page_options){ .no_language = true }, &a, &pages[k]);
	}
	double start = cpu_seconds();
	for (unsigned round = 0; round < rounds; round++)
		for (unsigned k = 0; k < PAGES; k++) {
			size_t all = MIN(pages[k].n_links, (size_t)PARAGRAPHS);

			for (size_t i = 0; i < all; i++) {
				links[i] =
					(struct discovery){ .url = pages[k].links[i].url,
							    .via = task.url,
							    .depth = 2 };
				origins[i] = &pages[k].links[i];
			}
			arena_reset(&scores);
			focus_score_page(w,
					 &(struct focus_input){ .page = &pages[k],
								.task = &task,
								.links = links,
								.origins = origins,
								.n = all },
					 &scores);
			n += all;
		}
	return (double)n / (cpu_seconds() - start);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 50;
	static const unsigned counts[] = { 10, 1000, 10000 };

	for (size_t c = 0; c < COUNT(counts); c++) {
		struct rng r = { 17 };
		struct buf list = { 0 };
		struct focus f;
		struct focus_worker w;
		struct diag why;

		for (unsigned k = 0; k < counts[c]; k++) {
			add_word(&r, &list);
			if (k % 3 == 0) {
				buf_add_char(&list, ' ');
				add_word(&r, &list);
			}
			buf_add_char(&list, '\n');
		}
		if (focus_open(&f, &(struct focus_spec){ .want_file = buf_str(&list) },
			       &why) != ST_OK ||
		    focus_worker_open(&w, &f, &why) != ST_OK) {
			fprintf(stderr, "bench_focus: %s\n", why.text);
			return 1;
		}
		printf("%6u terms: %.0f link scores per second of one core\n", counts[c],
		       measure(&w, &r, rounds));
		focus_worker_close(&w);
		focus_close(&f);
		buf_release(&list);
	}
	return 0;
}
