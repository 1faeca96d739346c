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
		buf_addf(to, "word%c%c ", 'a' + (int)rng_below(r, 20),
			 'a' + (int)rng_below(r, 20));
}

static const struct str links[] = { STR("/a"), STR("/b"), STR("/c"), STR("/d"),
				    STR("/e") };
static const uint64_t paths[] = { 11, 12, 13, 14, 15 };

static void fingerprint(const struct method *m, struct str text, size_t n_paths,
			struct buf *ret)
{
	buf_reset(ret);
	method_fingerprint(m,
			   &(struct document){ .text = text,
					       .tag_paths = paths,
					       .n_tag_paths = n_paths,
					       .links = links,
					       .n_links = n_paths },
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

		if (m->features.kind == FEATURE_TAG_PATHS ||
		    m->features.kind == FEATURE_LINKS)
			continue;
		write_text(&r, 300, &a);
		write_text(&r, 300, &b);
		fingerprint(m, buf_str(&a), 0, &fa);
		fingerprint(m, buf_str(&b), 0, &fb);
		CHECK(method_measure(m, buf_str(&fa), buf_str(&fb), &ab) == ST_OK);
		CHECK(!method_is_near(m, ab, m->threshold));
	}
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
	RUN(empty_documents_are_duplicates_of_nothing);
	RUN(chinese_texts_are_told_apart);
	RUN(a_foreign_fingerprint_is_refused);
	RUN(names_and_ids_are_unique);
	RUN(the_bytes_are_pinned);
	DONE();
}
