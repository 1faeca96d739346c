#include <brotli/encode.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "test.h"
#include "web/coding.h"

#define TEXT_BYTES 300000

static char text[TEXT_BYTES];

static struct str sample(void)
{
	struct rng r = { 4 };

	for (size_t i = 0; i < TEXT_BYTES; i++)
		text[i] = (char)('a' + rng_below(&r, 6));
	return (struct str){ text, TEXT_BYTES };
}

static void deflate_to(struct buf *b, struct str in, int window_bits)
{
	z_stream z = { 0 };

	deflateInit2(&z, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
	char *p = buf_reserve(b, deflateBound(&z, in.n) + 64);
	z.next_in = (z_const Bytef *)(uintptr_t)in.p;
	z.avail_in = (uInt)in.n;
	z.next_out = (Bytef *)p;
	z.avail_out = (uInt)deflateBound(&z, in.n) + 64;
	deflate(&z, Z_FINISH);
	b->n += z.total_out;
	deflateEnd(&z);
}

static void brotli_to(struct buf *b, struct str in)
{
	size_t n = BrotliEncoderMaxCompressedSize(in.n);
	char *p = buf_reserve(b, n);

	BrotliEncoderCompress(4, 20, BROTLI_MODE_TEXT, in.n, (const uint8_t *)in.p, &n,
			      (uint8_t *)p);
	b->n += n;
}

static void zstd_to(struct buf *b, struct str in)
{
	char *p = buf_reserve(b, ZSTD_compressBound(in.n));

	b->n += ZSTD_compress(p, ZSTD_compressBound(in.n), in.p, in.n, 3);
}

static void every_coding_comes_back(void)
{
	struct str in = sample();
	static const char *const names[] = { "gzip", "deflate", "Deflate", "br", "zstd" };

	for (size_t i = 0; i < COUNT(names); i++) {
		cleanup(buf_release) struct buf b = { 0 }, back = { 0 };

		if (i == 0)
			deflate_to(&b, in, 31);
		else if (i < 3)
			deflate_to(&b, in, i == 1 ? 15 : -15);
		else if (i == 3)
			brotli_to(&b, in);
		else
			zstd_to(&b, in);
		CHECK(coding_decode(str_from(names[i]), buf_str(&b), &back) == ST_OK);
		CHECK(str_eq(buf_str(&back), in));
		/* Cut short: what is there is given, and it is told. */
		buf_reset(&back);
		CHECK(coding_decode(str_from(names[i]), (struct str){ b.p, b.n / 2 },
				    &back) == ST_SYNTAX);
		CHECK(back.n > TEXT_BYTES / 4 && back.n < TEXT_BYTES);
		CHECK(memcmp(back.p, in.p, back.n) == 0);
	}
}

static void codings_are_undone_in_reverse(void)
{
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 }, c = { 0 }, back = { 0 };
	struct str in = sample();

	deflate_to(&a, in, 31);
	brotli_to(&b, buf_str(&a));
	zstd_to(&c, buf_str(&b));
	CHECK(coding_decode(STR("gzip, br , identity,zstd"), buf_str(&c), &back) ==
	      ST_OK);
	CHECK(str_eq(buf_str(&back), in));
}

static void two_members_are_one_body(void)
{
	cleanup(buf_release) struct buf b = { 0 }, back = { 0 };

	deflate_to(&b, STR("first "), 31);
	deflate_to(&b, STR("second"), 31);
	CHECK(coding_decode(STR("x-gzip"), buf_str(&b), &back) == ST_OK);
	CHECK(str_eq(buf_str(&back), STR("first second")));
}

static void a_bomb_stops_at_the_limit(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	char *zeros = xcalloc(50000000, 1);
	struct str in = { zeros, 50000000 };
	static const char *const names[] = { "gzip", "br", "zstd" };

	for (size_t i = 0; i < COUNT(names); i++) {
		cleanup(buf_release) struct buf back = BUF(100000);

		buf_reset(&b);
		if (i == 0)
			deflate_to(&b, in, 31);
		else if (i == 1)
			brotli_to(&b, in);
		else
			zstd_to(&b, in);
		CHECK(coding_decode(str_from(names[i]), buf_str(&b), &back) ==
		      ST_TOO_LARGE);
		CHECK(back.n == 100000 && back.cap <= 200000);
	}
	free(zeros);
}

static void a_false_size_does_not_fool_us(void)
{
	cleanup(buf_release) struct buf b = { 0 }, back = BUF(1 << 20);

	deflate_to(&b, STR("short text, but the trailer says four gigabytes"), 31);
	memset(b.p + b.n - 4, 0xff, 4);
	CHECK(coding_decode(STR("gzip"), buf_str(&b), &back) == ST_SYNTAX);
	CHECK(back.cap <= 1 << 20 && back.n == 47);
}

static void the_unknown_and_the_empty(void)
{
	cleanup(buf_release) struct buf back = { 0 };

	CHECK(coding_decode(STR("compress"), STR("x"), &back) == ST_UNSUPPORTED &&
	      !back.n);
	CHECK(coding_decode(STR("gzip,gzip,gzip,gzip,gzip"), STR("x"), &back) ==
	      ST_UNSUPPORTED);
	CHECK(coding_decode(STR(""), STR("plain"), &back) == ST_OK);
	CHECK(str_eq(buf_str(&back), STR("plain")));
	CHECK(coding_decode(STR("gzip"), STR(""), &back) == ST_SYNTAX);
	CHECK(coding_is_identity(STR(" Identity ")) && !coding_is_identity(STR("br")));
}

int main(void)
{
	RUN(every_coding_comes_back);
	RUN(codings_are_undone_in_reverse);
	RUN(two_members_are_one_body);
	RUN(a_bomb_stops_at_the_limit);
	RUN(a_false_size_does_not_fool_us);
	RUN(the_unknown_and_the_empty);
	DONE();
}
