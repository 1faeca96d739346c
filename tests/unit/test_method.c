#include "method/method.h"

#include <math.h>
#include <string.h>

#include "base/encode.h"
#include "base/rng.h"
#include "method/method_sets.h"
#include "test.h"

/* A text of `n` words drawn from four hundred, and some links and tag paths. */
static void write_text(struct rng *r, size_t n, struct buf *to)
{
	buf_reset(to);
	for (size_t i = 0; i < n; i++)
		buf_addf(to, "%sword%c%c ", i % 4 ? "" : "the ",
			 'a' + (int)rng_below(r, 20), 'a' + (int)rng_below(r, 20));
}

static const struct str links[] = { STR("/a"), STR("/b"), STR("/c"), STR("/d"),
				    STR("/e") };
static const uint64_t paths[] = { 11, 12, 13, 14, 15 };

static const struct str windows[] = { STR("see the"), STR("new list"),  STR("of cats"),
				      STR("or all"),  STR("old pages"), STR("of dogs") };
static const struct picture_print picture = { 0x123456789abcdef0, 0xfedcba9876543210 };

static void fingerprint(const struct method *m, struct str text, size_t n_paths,
			struct buf *ret)
{
	buf_reset(ret);
	method_fingerprint(m,
			   &(struct document){ .text = text,
					       .tag_paths = paths,
					       .n_tag_paths = n_paths,
					       .links = links,
					       .n_links = n_paths,
					       .controls = paths,
					       .n_controls = n_paths,
					       .windows = windows,
					       .n_windows = n_paths ? 6 : 0,
					       .picture = n_paths ? &picture : NULL },
			   NULL, ret);
}

static void measures_are_symmetric_and_nearest_to_themselves(void)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 }, fa = { 0 }, fb = { 0 };
	struct rng r = { 11 };

	for (const struct method *m = methods; m->name; m++)
		for (int round = 0; round < 10; round++) {
			double ab, ba, aa;

			write_text(&r, 200, &a);
			buf_reset(&b);
			buf_add(&b, str_slice(buf_str(&a), 0, a.n - a.n / 10));
			fingerprint(m, buf_str(&a), 5, &fa);
			fingerprint(m, buf_str(&b), 4, &fb);
			CHECK(method_measure(m, buf_str(&fa), buf_str(&fb), &ab) ==
			      ST_OK);
			CHECK(method_measure(m, buf_str(&fb), buf_str(&fa), &ba) ==
			      ST_OK);
			CHECK(method_measure(m, buf_str(&fa), buf_str(&fa), &aa) ==
			      ST_OK);
			CHECK(ab == ba);
			CHECK(m->smaller_is_nearer ? aa == 0 && aa <= ab : aa >= ab);
			CHECK(method_is_near(m, aa, m->threshold));
		}
}

static void strangers_are_not_near(void)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 }, fa = { 0 }, fb = { 0 };
	struct rng r = { 12 };

	for (const struct method *m = methods; m->name; m++) {
		double ab;

		if (m->features.kind != FEATURE_SHINGLES &&
		    m->features.kind != FEATURE_KEYWORDS &&
		    m->features.kind != FEATURE_SPOTS)
			continue; /* not of the text */
		write_text(&r, 300, &a);
		write_text(&r, 300, &b);
		fingerprint(m, buf_str(&a), 0, &fa);
		fingerprint(m, buf_str(&b), 0, &fb);
		CHECK(method_measure(m, buf_str(&fa), buf_str(&fb), &ab) == ST_OK);
		CHECK(!method_is_near(m, ab, m->threshold));
	}
}

static double measured(const char *method, const struct document *a,
		       const struct document *b)
{
	cleanup(buf_release) struct buf fa = { 0 }, fb = { 0 };
	const struct method *m = method_find(str_from(method));
	double d;

	method_fingerprint(m, a, NULL, &fa);
	method_fingerprint(m, b, NULL, &fb);
	return method_measure(m, buf_str(&fa), buf_str(&fb), &d) == ST_OK ? d : NAN;
}

/* Other menus around the same sentences: SpotSigs do not see them, shingles do. */
static void spots_stand_in_sentences_only(void)
{
	const char *body = "The river rose in the night and a bridge was closed to all "
			   "traffic, the mayor of the town said. The water is expected "
			   "to fall by the end of a long week. ";
	cleanup(buf_release) struct buf x = { 0 }, y = { 0 };

	buf_addf(&x, "Home News Sport Weather %sContact Imprint Jobs", body);
	buf_addf(&y, "Start Shop Cart Login Register Search %sHelp Terms Press", body);
	struct document a = { .text = buf_str(&x) }, b = { .text = buf_str(&y) };
	CHECK(measured("spotsigs", &a, &b) >= 0.75);
	CHECK(measured("jaccard", &a, &b) < 0.7);
	/* by language, when it is known */
	struct document german = { .text = STR(
					   "Der Fluss stieg rasch. Die kleine Stadt "
					   "Neudorf liegt tief. Das Wasser sank spaet. "
					   "Eine Brücke blieb lange gesperrt."),
				   .language = STR("de") };
	CHECK(measured("spotsigs", &german, &german) == 1);
	german.language = STR("");
	CHECK(measured("spotsigs", &german, &german) < 1); /* too few */
}

static double vector_of(const char *method, const struct document *a,
			const struct document *b)
{
	const struct method *m = method_find(str_from(method));
	struct feature_options words = m->features;
	cleanup(buf_release) struct buf fa = { 0 }, fb = { 0 };
	double d;

	words.size = 1;
	method_fingerprint(m, a, &words, &fa);
	method_fingerprint(m, b, &words, &fb);
	return method_measure(m, buf_str(&fa), buf_str(&fb), &d) == ST_OK ? d : NAN;
}

static void vectors_by_hand(void)
{
	struct document a = { .text = STR("a b c d a b c d") },
			b = { .text = STR("a b c d") }, c = { .text = STR("a b c e") };
	const struct method *m = method_find(STR("cosine"));
	struct feature_options words = m->features;
	cleanup(buf_release) struct buf fa = { 0 }, fb = { 0 }, fc = { 0 };
	double d;

	words.size = 1;
	method_fingerprint(m, &a, &words, &fa);
	method_fingerprint(m, &b, &words, &fb);
	method_fingerprint(m, &c, &words, &fc);
	CHECK(method_measure(m, buf_str(&fa), buf_str(&fb), &d) == ST_OK);
	CHECK(fabs(d - 1) < 1e-9); /* the same direction, another length */
	CHECK(method_measure(m, buf_str(&fb), buf_str(&fc), &d) == ST_OK);
	CHECK(fabs(d - 0.75) < 1e-9);
	/* four words whose counts differ by one, four words more in all */
	CHECK(fabs(vector_of("identity-1", &a, &b) - 0.5 / 5) < 1e-6);
	CHECK(fabs(vector_of("identity-2", &a, &b) - 0.5 / (1 + log(5))) < 1e-6);
	CHECK(fabs(vector_of("identity-3", &a, &b) - 1 / (1 + log(2)) / (1 + log(5))) <
	      1e-6);
	CHECK(fabs(vector_of("identity-3", &b, &c) - 0.75) < 1e-6);
}

static void empty_documents_are_duplicates_of_nothing(void)
{
	cleanup(buf_release) struct buf a = { 0 };

	for (const struct method *m = methods; m->name; m++) {
		double d;

		fingerprint(m, STR(""), 0, &a);
		CHECK(method_measure(m, buf_str(&a), buf_str(&a), &d) == ST_OK);
		CHECK(d == method_farthest(m) && !method_is_near(m, d, m->threshold));
	}
}

static void chinese_texts_are_told_apart(void)
{
	cleanup(buf_release) struct buf fa = { 0 }, fb = { 0 };
	const struct method *m = method_find(STR("resemblance"));
	double d;

	fingerprint(m, STR("今天天气很好我们去公园散步吧那里有很多花"), 0, &fa);
	fingerprint(m, STR("这个网站介绍了如何安装和使用新的操作系统"), 0, &fb);
	CHECK(method_measure(m, buf_str(&fa), buf_str(&fb), &d) == ST_OK);
	CHECK(!method_is_near(m, d, m->threshold));
	fingerprint(m, STR("今天天气很好，我们去公园散步吧！那里有很多花"), 0, &fb);
	CHECK(method_measure(m, buf_str(&fa), buf_str(&fb), &d) == ST_OK && d == 1);
}

static void a_foreign_fingerprint_is_refused(void)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };
	const struct method *m = method_find(STR("simhash64"));
	double d;

	fingerprint(m, STR("one two three four five six"), 0, &a);
	fingerprint(method_find(STR("oph")), STR("one two three"), 0, &b);
	CHECK(method_measure(m, buf_str(&a), buf_str(&b), &d) == ST_CORRUPT);
	a.n--;
	CHECK(method_measure(m, buf_str(&a), buf_str(&a), &d) == ST_CORRUPT);
	CHECK(method_find(STR("nothing")) == NULL);
}

static void names_and_ids_are_unique(void)
{
	for (const struct method *m = methods; m->name; m++)
		for (const struct method *o = methods; o != m; o++)
			CHECK(o->id != m->id && strcmp(o->name, m->name) != 0);
}

/* Written by version 1; a change of these bytes needs a new version. */
static void the_bytes_are_pinned(void)
{
	cleanup(buf_release) struct buf a = { 0 }, hex = { 0 };

	fingerprint(method_find(STR("simhash64")),
		    STR("the quick brown fox jumps over the lazy dog"), 0, &a);
	buf_add_hex(&hex, buf_str(&a));
	CHECK(str_eq(buf_str(&hex), STR("010a07ff19c16af4cb6d01")));
}

int main(void)
{
	RUN(measures_are_symmetric_and_nearest_to_themselves);
	RUN(strangers_are_not_near);
	RUN(spots_stand_in_sentences_only);
	RUN(vectors_by_hand);
	RUN(empty_documents_are_duplicates_of_nothing);
	RUN(chinese_texts_are_told_apart);
	RUN(a_foreign_fingerprint_is_refused);
	RUN(names_and_ids_are_unique);
	RUN(the_bytes_are_pinned);
	DONE();
}
