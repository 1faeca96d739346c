/*
 * bench_url.c - parsing and normalising URLs: how many a second on one core.
 *
 * "normal" are absolute URLs in normal form, "typical" the links of pages as
 * they are found: absolute and relative, some with upper case, fragments,
 * lower-case percent-encoding, dot segments, spaces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/rng.h"
#include "url/normal.h"
#include "url/suffix.h"
#include "url/surt.h"

#define COUNT_URLS 20000
#define ROUNDS     50

static struct str urls[COUNT_URLS];
static struct arena bytes;
static uint64_t sink;

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static const char *const words[] = {
	"news",     "2024", "archive", "products", "item",  "about",  "gallery", "en",
	"category", "view", "user",    "thread",   "index", "search", "download"
};

static const char *word(struct rng *r)
{
	return words[rng_below(r, COUNT(words))];
}

static void add_normal_url(struct rng *r, struct buf *b)
{
	buf_addf(b, "https://www.%s%u.example.com/%s/%s-%u", word(r),
		 (unsigned)rng_below(r, 500), word(r), word(r),
		 (unsigned)rng_below(r, 100000));
	if (rng_below(r, 2))
		buf_addf(b, "/%s.html", word(r));
	if (rng_below(r, 3) == 0)
		buf_addf(b, "?%s=%u&page=%u", word(r), (unsigned)rng_below(r, 10000),
			 (unsigned)rng_below(r, 20));
}

/* One link in three is absolute and normal, the others need work. */
static void add_typical_url(struct rng *r, struct buf *b)
{
	switch (rng_below(r, 12)) {
	case 0:
		buf_addf(b, "/%s/%s.php?id=%u#top", word(r), word(r),
			 (unsigned)rng_below(r, 9999));
		return;
	case 1:
		buf_addf(b, "../%s/%s-%u.html", word(r), word(r),
			 (unsigned)rng_below(r, 9999));
		return;
	case 2:
		buf_addf(b, "%s-%u.html", word(r), (unsigned)rng_below(r, 9999));
		return;
	case 3:
		buf_addf(b, "?page=%u&sort=%s", (unsigned)rng_below(r, 99), word(r));
		return;
	case 4:
		buf_addf(b, "HTTP://WWW.Example.COM:80/%s/%s", word(r), word(r));
		return;
	case 5:
		buf_addf(b, "https://example.com/%%7e%s/%s%%2c%u", word(r), word(r),
			 (unsigned)rng_below(r, 9999));
		return;
	case 6:
		buf_addf(b, "/%s/%s", word(r), word(r));
		return;
	case 7:
		buf_addf(b, "//cdn.example.net/%s/%s_%u.jpg", word(r), word(r),
			 (unsigned)rng_below(r, 9999));
		return;
	default:
		add_normal_url(r, b);
	}
}

static void make(void (*add)(struct rng *, struct buf *))
{
	struct rng r = { 7 };
	struct buf b = { 0 };

	arena_reset(&bytes);
	for (size_t i = 0; i < COUNT_URLS; i++) {
		buf_reset(&b);
		add(&r, &b);
		urls[i] = arena_copy(&bytes, buf_str(&b));
	}
	buf_release(&b);
}

static struct buf scratch[2], key;
static struct suffix_cache cache;
static const struct url *base;

static void do_parse(struct str in)
{
	struct url u;

	if (url_parse(in, base, &scratch[0], &u, NULL) == ST_OK)
		sink += u.href.n;
}

static void do_parse_normal(struct str in)
{
	struct url u;

	if (url_parse_normal(in, base, NORMAL_STANDARD, scratch, &u, NULL) == ST_OK)
		sink += u.href.n;
}

static void do_extensions(struct str in)
{
	struct url u;

	if (url_parse_normal(in, base, NORMAL_ALL, scratch, &u, NULL) == ST_OK)
		sink += u.href.n;
}

static void do_key(struct str in)
{
	struct url u;

	if (url_parse_normal(in, base, NORMAL_STANDARD, scratch, &u, NULL) == ST_OK)
		sink += url_key(&u) + suffix_site_cached(&cache, u.host).n;
}

static void do_surt(struct str in)
{
	struct url u;

	if (url_parse(in, base, &scratch[0], &u, NULL) != ST_OK)
		return;
	buf_reset(&key);
	buf_add_surt(&key, &u);
	sink += key.n;
}

static void measure(const char *name, const char *kind, void (*one)(struct str),
		    double bar)
{
	double best = 1e9;

	for (int round = 0; round < ROUNDS; round++) {
		double start = now_s();

		for (size_t i = 0; i < COUNT_URLS; i++)
			one(urls[i]);
		best = MIN(best, now_s() - start);
	}
	printf("%-26s %-8s %8.2f M/s %7.0f ns", name, kind, COUNT_URLS / best / 1e6,
	       best / COUNT_URLS * 1e9);
	if (bar > 0)
		printf("   bar %.0f M/s: %s", bar,
		       COUNT_URLS / best / 1e6 >= bar ? "met" : "MISSED");
	putchar('\n');
}

int main(void)
{
	struct buf base_scratch = { 0 };
	struct url b;

	if (url_parse(STR("https://www.example.com/news/2024/index.html?x=1"), NULL,
		      &base_scratch, &b, NULL) != ST_OK)
		return 1;
	base = &b;
	make(add_normal_url);
	measure("parse", "normal", do_parse, 0);
	measure("parse + normalise", "normal", do_parse_normal, 5);
	measure("  + key + pay-level domain", "normal", do_key, 0);
	make(add_typical_url);
	measure("parse", "typical", do_parse, 0);
	measure("parse + normalise", "typical", do_parse_normal, 2);
	measure("  with all extensions", "typical", do_extensions, 0);
	measure("parse + SURT", "typical", do_surt, 0);
	return sink == 42;
}
