/*
 * gen_market TRIPLES [SEED] - a market place as N-Triples on stdout: people, products of
 * fifteen categories, offers, retailers, reviews, purchases, sites, places.
 *
 * Made for the question shapes of WatDiv (stars, lines, snowflakes, and large ones;
 * market_templates.py): properties are optional, with a probability each, so that
 * things have thousands of different sets of them; who is liked or befriended is
 * skewed.  The same for the same seed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"

#define V "http://market.example/vocab/"
#define M "http://market.example/"
#define T "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
#define X "http://www.w3.org/2001/XMLSchema#"

static struct rng rng;
static unsigned long long count;

static unsigned pick(unsigned n)
{
	return (unsigned)rng_below(&rng, n ? n : 1);
}

static unsigned pick_skewed(unsigned n)
{
	double u = rng_unit(&rng);

	return (unsigned)(u * u * u * n);
}

static bool chance(unsigned percent)
{
	return pick(100) < percent;
}

static void link_to(const char *kind, unsigned i, const char *property, const char *other,
		    unsigned k)
{
	printf("<" M "%s/%u> <" V "%s> <" M "%s/%u> .\n", kind, i, property, other, k);
	count++;
}

static void type(const char *kind, unsigned i, const char *class, unsigned k)
{
	printf("<" M "%s/%u> " T " <" M "%s/%u> .\n", kind, i, class, k);
	count++;
}

static void text(const char *kind, unsigned i, const char *property, unsigned words)
{
	static const char *const known[] = { "amber", "birch",   "cedar",   "delta",
					     "ember", "fjord",   "grove",   "harbour",
					     "iris",  "juniper", "kestrel", "lagoon",
					     "maple", "north",   "opal",    "pine" };

	printf("<" M "%s/%u> <" V "%s> \"", kind, i, property);
	for (unsigned w = 0; w < words; w++)
		printf("%s ", known[pick(16)]);
	printf("%u\" .\n", pick(100000));
	count++;
}

static void number(const char *kind, unsigned i, const char *property, unsigned n)
{
	printf("<" M "%s/%u> <" V "%s> \"%u\"^^<" X "integer> .\n", kind, i, property,
	       pick(n));
	count++;
}

static void date(const char *kind, unsigned i, const char *property)
{
	printf("<" M "%s/%u> <" V "%s> \"20%02u-%02u-%02u\"^^<" X "date> .\n", kind, i,
	       property, pick(25), 1 + pick(12), 1 + pick(28));
	count++;
}

struct sizes {
	unsigned users, products, offers, retailers, reviews, purchases, sites;
};

#define CITIES 240
#define LANDS  25
#define TOPICS 250
#define GENRES 145

static void product(unsigned i, const struct sizes *s)
{
	static const struct {
		const char *name;
		unsigned percent, words;
	} texts[] = {
		{ "caption", 25, 3 },     { "description", 60, 12 },
		{ "text", 25, 20 },       { "keywords", 30, 5 },
		{ "title", 35, 3 },       { "contentRating", 20, 1 },
		{ "contentSize", 12, 1 }, { "trailer", 6, 1 },
		{ "publisher", 15, 2 },
	};

	type("product", i, "category", pick(15));
	for (size_t k = 0; k < COUNT(texts); k++)
		if (chance(texts[k].percent))
			text("product", i, texts[k].name, texts[k].words);
	for (unsigned k = 1 + pick(3); k > 0; k--)
		link_to("product", i, "genre", "genre", pick(GENRES));
	for (unsigned k = pick(4); k > 0; k--)
		link_to("product", i, "tag", "topic", pick_skewed(TOPICS));
	if (chance(25))
		link_to("product", i, "homepage", "site", pick(s->sites));
	if (chance(15))
		link_to("product", i, "language", "language", pick_skewed(25));
	if (chance(10))
		for (unsigned k = 1 + pick(4); k > 0; k--)
			link_to("product", i, "actor", "user", pick(s->users));
	if (chance(5))
		link_to("product", i, "artist", "user", pick(s->users));
	if (chance(4))
		link_to("product", i, "conductor", "user", pick(s->users));
}

static void user(unsigned i, const struct sizes *s)
{
	static const struct {
		const char *name;
		unsigned percent;
	} texts[] = { { "givenName", 70 },
		      { "familyName", 70 },
		      { "gender", 60 },
		      { "jobTitle", 5 },
		      { "email", 90 } };

	type("user", i, "role", pick(3));
	for (size_t k = 0; k < COUNT(texts); k++)
		if (chance(texts[k].percent))
			text("user", i, texts[k].name, 1);
	if (chance(50))
		link_to("user", i, "ageGroup", "age", pick(9));
	if (chance(20))
		link_to("user", i, "nationality", "country", pick_skewed(LANDS));
	if (chance(40))
		link_to("user", i, "location", "city", pick(CITIES));
	if (chance(8))
		link_to("user", i, "homepage", "site", pick(s->sites));
	for (unsigned k = chance(40) ? pick(60) : 0; k > 0; k--)
		link_to("user", i, "friendOf", "user", pick_skewed(s->users));
	for (unsigned k = chance(25) ? pick(9) : 0; k > 0; k--)
		link_to("user", i, "likes", "product", pick_skewed(s->products));
	for (unsigned k = chance(40) ? pick(12) : 0; k > 0; k--)
		link_to("user", i, "subscribes", "site", pick_skewed(s->sites));
}

static void offer(unsigned i, const struct sizes *s)
{
	static const struct {
		const char *name;
		unsigned percent;
	} dates[] = { { "validFrom", 40 }, { "validThrough", 40 }, { "priceUntil", 30 } };

	link_to("retailer", pick_skewed(s->retailers), "offers", "offer", i);
	link_to("offer", i, "includes", "product", pick(s->products));
	number("offer", i, "price", 1000);
	number("offer", i, "serial", 10000000);
	for (size_t k = 0; k < COUNT(dates); k++)
		if (chance(dates[k].percent))
			date("offer", i, dates[k].name);
	if (chance(50))
		number("offer", i, "quantity", 50);
	for (unsigned k = chance(50) ? 1 + pick(8) : 0; k > 0; k--)
		link_to("offer", i, "region", "country", pick(LANDS));
}

static void review(unsigned i, const struct sizes *s)
{
	link_to("product", pick_skewed(s->products), "hasReview", "review", i);
	link_to("review", i, "reviewer", "user", pick_skewed(s->users));
	number("review", i, "rating", 10);
	if (chance(30))
		text("review", i, "title", 4);
	if (chance(70))
		text("review", i, "text", 15);
	if (chance(5))
		number("review", i, "votes", 500);
}

static void purchase(unsigned i, const struct sizes *s)
{
	link_to("user", pick_skewed(s->users), "makesPurchase", "purchase", i);
	link_to("purchase", i, "purchaseFor", "product", pick_skewed(s->products));
	if (chance(30))
		date("purchase", i, "purchaseDate");
}

static void fixed(const struct sizes *s)
{
	for (unsigned i = 0; i < CITIES; i++)
		link_to("city", i, "country", "country", pick(LANDS));
	for (unsigned i = 0; i < GENRES; i++) {
		type("genre", i, "genreKind", pick(21));
		for (unsigned k = 1 + pick(3); k > 0; k--)
			link_to("genre", i, "tag", "topic", pick(TOPICS));
	}
	for (unsigned i = 0; i < s->retailers; i++) {
		if (chance(60))
			text("retailer", i, "legalName", 2);
		if (chance(30))
			text("retailer", i, "description", 6);
	}
	for (unsigned i = 0; i < s->sites; i++) {
		text("site", i, "url", 1);
		number("site", i, "hits", 1000000);
		if (chance(30))
			link_to("site", i, "language", "language", pick_skewed(25));
	}
}

int main(int argc, char **argv)
{
	unsigned long long wanted = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
	unsigned k = (unsigned)(wanted / 100000 ? wanted / 100000 : 1);
	struct sizes s = {
		1000 * k, 250 * k, 900 * k, 12 * k, 1500 * k, 1500 * k, 50 * k
	};

	rng = (struct rng){ argc > 2 ? strtoull(argv[2], NULL, 10) : 1 };
	fixed(&s);
	/* One of each in turn, in these shares, until there are enough. */
	for (unsigned i = 0; count < wanted; i++) {
		if (i < s.products)
			product(i, &s);
		if (i < s.users)
			user(i, &s);
		if (i < s.offers)
			offer(i, &s);
		review(i, &s);
		if (i < s.purchases)
			purchase(i, &s);
	}
	return 0;
}
