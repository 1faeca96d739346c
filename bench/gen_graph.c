/*
 * gen_graph KIND TRIPLES [SEED] - a graph as N-Triples on stdout, the same for the same
 * seed.
 *
 *   crawl  pages with type, title, date, host, application, size, mentions and links
 *   shop   products, offers, reviews and people, like an e-commerce site
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

#define X "http://www.w3.org/2001/XMLSchema#"
#define T "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
#define V "http://thresh.example/vocab/"

static struct rng rng;
static unsigned long long left;

static unsigned pick(unsigned n)
{
	return (unsigned)rng_below(&rng, n);
}
/* Few are often chosen, many seldom. */
static unsigned pick_skewed(unsigned n)
{
	double u = rng_unit(&rng);

	return (unsigned)(u * u * u * n);
}

static const char *const words[] = {
	"archive", "budget",  "city",   "data",    "election", "festival",
	"garden",  "history", "island", "journal", "kitchen",  "library",
	"market",  "nature",  "opera",  "people",  "quality",  "river",
	"school",  "theatre", "union",  "village", "water",    "youth",
};

static void title(void)
{
	for (unsigned i = 0, n = 2 + pick(5); i < n; i++)
		printf("%s%s", i ? " " : "", words[pick(COUNT(words))]);
	printf(" %u", pick(100000));
}

static void date(void)
{
	printf("\"20%02u-%02u-%02uT%02u:%02u:%02uZ\"^^<" X "dateTime>", 15 + pick(10),
	       1 + pick(12), 1 + pick(28), pick(24), pick(60), pick(60));
}

static void page(unsigned i, unsigned pages)
{
	static const char *const apps[] = { "phpBB",     "MediaWiki", "WordPress",
					    "Discourse", "vBulletin", "Drupal" };
	unsigned host = pick_skewed(pages / 200 + 10), links = pick(6),
		 mentions = pick(4);
	char s[100];

	snprintf(s, sizeof(s), "<http://host%u.example/section/%u/page-%u.html>", host,
		 i % 40, i);
	printf("%s " T " <" V "WebPage> .\n", s);
	printf("%s <" V "title> \"", s);
	title();
	printf("\" .\n%s <" V "crawled> ", s);
	date();
	printf(" .\n%s <" V "host> <http://host%u.example/> .\n", s, host);
	printf("%s <" V "size> \"%u\"^^<" X "integer> .\n", s, 500 + pick(200000));
	left -= left > 5 ? 5 : left;
	if (pick(3)) {
		printf("%s <" V "application> \"%s\" .\n", s, apps[pick_skewed(6)]);
		left -= left > 0;
	}
	for (unsigned k = 0; k<mentions; k++, left -= left> 0)
		printf("%s <" V "mentions> <http://thresh.example/entity/%u> .\n", s,
		       pick_skewed(pages / 10 + 10));
	for (unsigned k = 0; k<links; k++, left -= left> 0) {
		unsigned to = pick_skewed(pages);

		printf("%s <" V "linksTo> <http://target.example/%u/page-%u.html> .\n", s,
		       to % 97, to);
	}
}

static void product(unsigned i, unsigned products)
{
	char s[80];

	snprintf(s, sizeof(s), "<http://shop.example/product/%u>", i);
	printf("%s " T " <" V "Product> .\n%s <" V "label> \"", s, s);
	title();
	printf("\" .\n%s <" V "producer> <http://shop.example/producer/%u> .\n", s,
	       pick_skewed(products / 50 + 5));
	printf("%s <" V "price> \"%u.%02u\"^^<" X "decimal> .\n", s, pick(2000),
	       pick(100));
	for (unsigned k = 0; k < 3; k++)
		printf("%s <" V "feature> <http://shop.example/feature/%u> .\n", s,
		       pick_skewed(500));
	left -= left > 7 ? 7 : left;
	for (unsigned k = 0, n = pick(5); k<n; k++, left -= left> 5 ? 5 : left) {
		char r[80];

		snprintf(r, sizeof(r), "<http://shop.example/review/%u-%u>", i, k);
		printf("%s " T " <" V "Review> .\n%s <" V "reviewFor> %s .\n", r, r, s);
		printf("%s <" V "rating> \"%u\"^^<" X "integer> .\n", r, 1 + pick(10));
		printf("%s <" V "reviewer> <http://shop.example/person/%u> .\n", r,
		       pick_skewed(products / 3 + 10));
		printf("%s <" V "date> ", r);
		date();
		printf(" .\n");
	}
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return fprintf(stderr, "usage: gen_graph crawl|shop TRIPLES [SEED]\n"), 2;
	left = strtoull(argv[2], NULL, 10);
	rng.state = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	unsigned n = (unsigned)(left / (strcmp(argv[1], "crawl") == 0 ? 9 : 17) + 1);
	for (unsigned i = 0; left > 0; i++)
		if (strcmp(argv[1], "crawl") == 0)
			page(i, n);
		else
			product(i, n);
	return 0;
}
