#include "record/discovery.h"
#include "record/fetch.h"
#include "record/verdict.h"
#include "test.h"

static void a_verdict_survives_its_bytes(void)
{
	struct verdict v = {
		.kind = VERDICT_NEAR,
		.method = STR("oph128"),
		.score = 0.875,
		.threshold = 0.8,
		.distance = 5,
		.representative = 1234567890123,
		.representative_url = STR("http://a/"),
		.shared = 7,
		.only_here = 1,
		.only_there = 2,
	};
	cleanup(buf_release) struct buf b = { 0 };
	struct verdict w;

	verdict_encode(&v, &b);
	CHECK(verdict_decode(buf_str(&b), &w) == ST_OK);
	CHECK(w.kind == VERDICT_NEAR && str_eq(w.method, v.method) && w.score == 0.875);
	CHECK(w.threshold == 0.8 && w.distance == 5 && w.representative == 1234567890123);
	CHECK(str_eq(w.representative_url, v.representative_url));
	CHECK(w.shared == 7 && w.only_here == 1 && w.only_there == 2);
	for (size_t n = 0; n < b.n; n++)
		CHECK(verdict_decode((struct str){ b.p, n }, &w) == ST_CORRUPT);
}

static void a_key_equal_to_the_url_costs_one_byte(void)
{
	struct discovery d = {
		.url = STR("http://a/page"),
		.key = STR("http://a/page"),
		.via = STR("http://a/"),
		.depth = 2,
		.hop = HOP_LINK,
		.nofollow = true,
		.purpose = PURPOSE_RETURN,
		.veto = VETO_BLACKLIST,
		.veto_by = STR("a.org"),
	};
	cleanup(buf_release) struct buf same = { 0 }, other = { 0 };
	struct discovery e;

	discovery_encode(&d, &same);
	CHECK(discovery_decode(buf_str(&same), &e) == ST_OK);
	CHECK(str_eq(e.key, d.url) && e.nofollow && e.purpose == PURPOSE_RETURN &&
	      e.hop == 'L' && e.depth == 2);
	d.key = STR("http://a/");
	discovery_encode(&d, &other);
	CHECK(discovery_decode(buf_str(&other), &e) == ST_OK && str_eq(e.key, d.key));
	CHECK(other.n == same.n + d.key.n);
	CHECK(!e.has_score && e.veto == VETO_BLACKLIST && str_eq(e.veto_by, d.veto_by));
}

static void a_score_of_nothing_is_not_no_score(void)
{
	struct discovery d = { .url = STR("http://a/"),
			       .key = STR("http://a/"),
			       .has_score = true,
			       .scores = STR("how") };
	cleanup(buf_release) struct buf b = { 0 };
	struct discovery e;

	for (unsigned k = 0; k <= 4; k++) {
		d.score = (float)k / 4.0f;
		buf_reset(&b);
		discovery_encode(&d, &b);
		CHECK(discovery_decode(buf_str(&b), &e) == ST_OK && e.has_score);
		CHECK(e.score > d.score - 1e-4f && e.score < d.score + 1e-4f);
		CHECK(str_eq(e.scores, STR("how")));
		for (size_t n = 0; n < b.n; n++)
			CHECK(discovery_decode((struct str){ b.p, n }, &e) == ST_CORRUPT);
	}
}

static bool differ(struct u128 a, struct u128 b)
{
	return !u128_eq(a, b);
}

/* A URL that looks like the key of another one is never taken for it, and each deliberate
 * request of one URL has a place of its own. */
static void identities_are_told_apart(void)
{
	struct str url = STR("http://a.org/x?s=1"), key = STR("http://a.org/x");
	struct u128 own = purpose_identity(PURPOSE_LINK, url, url);

	CHECK(u128_eq(own, hash128(url)));
	CHECK(u128_eq(own, purpose_identity(PURPOSE_SEED, url, url)));
	CHECK(u128_eq(purpose_identity(PURPOSE_LINK, url, key),
		      purpose_identity(PURPOSE_EMBED, STR("http://a.org/x?s=2"), key)));
	CHECK(differ(purpose_identity(PURPOSE_LINK, url, key), hash128(key)));
	CHECK(differ(purpose_identity(PURPOSE_LINK, url, key), own));
	static const enum purpose deliberate[] = {
		PURPOSE_RULE_PROBE,   PURPOSE_EXPLORATION,  PURPOSE_REPLACEMENT,
		PURPOSE_RETURN,       PURPOSE_RETURN_PROBE, PURPOSE_FINAL_SWEEP,
		PURPOSE_LAST_ATTEMPT, PURPOSE_CHECK,
	};
	for (size_t i = 0; i < COUNT(deliberate); i++) {
		struct u128 a = purpose_identity(deliberate[i], url, key);

		CHECK(differ(a, own) && differ(a, hash128(key)));
		CHECK(differ(a, purpose_identity(PURPOSE_LINK, url, key)));
		CHECK(u128_eq(a, purpose_identity(deliberate[i], url, url)));
		for (size_t k = 0; k < i; k++)
			CHECK(differ(a, purpose_identity(deliberate[k], url, key)));
	}
}

static void every_purpose_has_its_words(void)
{
	for (enum purpose p = 0; p < PURPOSES; p++) {
		const struct purpose_traits *t = &purpose_table[p];

		CHECK(t->word.n > 0 && t->sentence.n > 0);
		/* What was skipped is a page, and is not skipped again when it is due. */
		CHECK(!t->was_skipped || (t->is_page && !t->may_be_skipped));
		CHECK(!t->may_be_skipped || t->is_page);
		CHECK(t->is_page || t->is_unbudgeted);
	}
}

int main(void)
{
	RUN(a_verdict_survives_its_bytes);
	RUN(a_key_equal_to_the_url_costs_one_byte);
	RUN(a_score_of_nothing_is_not_no_score);
	RUN(identities_are_told_apart);
	RUN(every_purpose_has_its_words);
	DONE();
}
