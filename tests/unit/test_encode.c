#include "base/encode.h"
#include "base/rng.h"
#include "test.h"

/* RFC 4648 section 10. */
static void the_vectors_of_the_standard(void)
{
	static const struct {
		struct str plain, base64, base32;
	} rows[] = {
		{ STR(""), STR(""), STR("") },
		{ STR("f"), STR("Zg=="), STR("MY======") },
		{ STR("fo"), STR("Zm8="), STR("MZXQ====") },
		{ STR("foo"), STR("Zm9v"), STR("MZXW6===") },
		{ STR("foob"), STR("Zm9vYg=="), STR("MZXW6YQ=") },
		{ STR("foobar"), STR("Zm9vYmFy"), STR("MZXW6YTBOI======") },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup(buf_release) struct buf a = { 0 }, b = { 0 };

		buf_add_base64(&a, rows[i].plain);
		buf_add_base32(&b, rows[i].plain);
		CHECK(str_eq(buf_str(&a), rows[i].base64));
		CHECK(str_eq(buf_str(&b), rows[i].base32));
	}
}

static void what_was_encoded_is_decoded(void)
{
	struct rng r = { 2 };
	char bytes[40];

	for (size_t n = 0; n < sizeof(bytes); n++) {
		cleanup(buf_release) struct buf t = { 0 }, back = { 0 };

		for (size_t i = 0; i < n; i++)
			bytes[i] = (char)rng_next(&r);
		struct str in = { bytes, n };
		buf_add_base64(&t, in);
		CHECK(buf_add_unbase64(&back, buf_str(&t)) == ST_OK);
		buf_reset(&t);
		buf_add_base32(&t, in);
		CHECK(buf_add_unbase32(&back, buf_str(&t)) == ST_OK);
		buf_reset(&t);
		buf_add_hex(&t, in);
		CHECK(buf_add_unhex(&back, buf_str(&t)) == ST_OK);
		CHECK(back.n == 3 * n);
		for (size_t i = 0; i < 3; i++)
			CHECK(str_eq(str_slice(buf_str(&back), i * n, (i + 1) * n), in));
	}
}

static void bad_digits_add_nothing(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	CHECK(buf_add_unhex(&b, STR("0g")) == ST_SYNTAX && b.n == 0);
	CHECK(buf_add_unhex(&b, STR("012")) == ST_SYNTAX && b.n == 0);
	CHECK(buf_add_unbase32(&b, STR("MZXW1")) == ST_SYNTAX && b.n == 0);
	CHECK(buf_add_unbase64(&b, STR("Zm9v*")) == ST_SYNTAX && b.n == 0);
}

static void markup_is_escaped(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_markup(&b, STR("<a href=\"x?y&z\">it's</a>"));
	CHECK(str_eq(buf_str(&b),
		     STR("&lt;a href=&quot;x?y&amp;z&quot;&gt;it's&lt;/a&gt;")));
	buf_reset(&b);
	buf_add_markup(&b, STR(""));
	buf_add_markup(&b, STR("plain"));
	CHECK(str_eq(buf_str(&b), STR("plain")));
}

int main(void)
{
	RUN(the_vectors_of_the_standard);
	RUN(what_was_encoded_is_decoded);
	RUN(bad_digits_add_nothing);
	RUN(markup_is_escaped);
	DONE();
}
