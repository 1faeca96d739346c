#include "warc/decoder.h"

#include <string.h>
#include <zdict.h>
#include <zstd.h>

#include "base/rng.h"
#include "test.h"

static void add_u32(struct buf *b, uint32_t v)
{
	buf_add_u32(b, v);
}

/* All that a decoder gives, and the number of members; `ok` tells how it ended. */
static struct buf all;
static unsigned members;

static bool decode(struct str in)
{
	struct decoder d;
	struct str piece;
	struct diag why;
	enum status st;

	buf_reset(&all);
	members = 0;
	decoder_init(&d, in);
	while ((st = decoder_next(&d, &piece, &why)) == ST_OK) {
		buf_add(&all, piece);
		members += decoder_member_ended(&d);
	}
	decoder_release(&d);
	return st == ST_AGAIN;
}

static void members_of_all_formats_come_back(void)
{
	static const enum member_format formats[] = { MEMBER_GZIP, MEMBER_ZSTD };

	for (size_t i = 0; i < COUNT(formats); i++) {
		struct member_writer w;
		struct buf b = { 0 };

		member_writer_init(&w, formats[i]);
		member_add(&w, STR("one "), &b);
		member_start(&w, 4);
		member_more(&w, STR("tw"), &b);
		member_more(&w, STR("o "), &b);
		member_end(&w, &b);
		member_add(&w, STR(""), &b);
		member_add(&w, STR("three"), &b);
		CHECK(decode(buf_str(&b)) && members == 4);
		CHECK(str_eq(buf_str(&all), STR("one two three")));
		member_writer_release(&w);
		buf_release(&b);
	}
}

static void incompressible_bytes_fit_their_bound(void)
{
	static const size_t sizes[] = { 1, 100, 65535, 65536, 300000, 3000000 };
	struct rng r = { 1 };
	struct buf random = { 0 }, b = { 0 };
	struct member_writer w;

	for (size_t i = 0; i < 3000000 / 8; i++)
		buf_add_u64(&random, rng_next(&r));
	member_writer_init(&w, MEMBER_GZIP);
	for (size_t i = 0; i < COUNT(sizes); i++) {
		buf_reset(&b);
		member_add(&w, str_slice(buf_str(&random), 0, sizes[i]), &b);
		CHECK(decode(buf_str(&b)) && members == 1 && all.n == sizes[i]);
		CHECK(memcmp(all.p, random.p, all.n) == 0);
	}
	member_writer_release(&w);
	buf_release(&b);
	buf_release(&random);
}

/* .warc.zst may begin with a skippable frame that holds the dictionary. */
static void a_zstd_dictionary_is_used(void)
{
	struct buf samples = { 0 }, file = { 0 };
	size_t sizes[200];
	char dictionary[4096], frame[1024];

	for (size_t i = 0; i < COUNT(sizes); i++) {
		size_t before = samples.n;

		buf_addf(&samples,
			 "WARC/1.1\r\nWARC-Type: response\r\nX-Number: %zu %zx\r\n",
			 i * 7919, i * 104729);
		sizes[i] = samples.n - before;
	}
	size_t n = ZDICT_trainFromBuffer(dictionary, sizeof(dictionary), samples.p, sizes,
					 COUNT(sizes));
	CHECK(!ZDICT_isError(n));
	add_u32(&file, 0x184D2A5D);
	add_u32(&file, (uint32_t)n);
	buf_add(&file, (struct str){ dictionary, n });
	ZSTD_CCtx *c = ZSTD_createCCtx();
	size_t m = ZSTD_compress_usingDict(c, frame, sizeof(frame), samples.p, sizes[0],
					   dictionary, n, 3);
	ZSTD_freeCCtx(c);
	buf_add(&file, (struct str){ frame, m });
	add_u32(&file, 0x184D2A50); /* another skippable frame, of no meaning */
	add_u32(&file, 3);
	buf_add(&file, STR("xyz"));
	buf_add(&file, (struct str){ frame, m });
	CHECK(decode(buf_str(&file)) && members == 2 && all.n == 2 * sizes[0]);
	CHECK(memcmp(all.p, samples.p, sizes[0]) == 0);
	/* Without it the frame cannot be read. */
	CHECK(!decode(str_skip(buf_str(&file), 8 + n)));
	buf_release(&samples);
	buf_release(&file);
}

static void a_bomb_costs_no_memory(void)
{
	struct member_writer w;
	struct buf b = { 0 };
	struct decoder d;
	struct str piece;
	uint64_t total = 0;
	static char zeros[1 << 20];

	member_writer_init(&w, MEMBER_GZIP);
	member_start(&w, 0);
	for (unsigned i = 0; i < 300; i++)
		member_more(&w, (struct str){ zeros, sizeof(zeros) }, &b);
	member_end(&w, &b);
	decoder_init(&d, buf_str(&b));
	while (decoder_next(&d, &piece, NULL) == ST_OK) {
		total += piece.n;
		CHECK(d.out.cap <= DECODER_WHOLE);
	}
	CHECK(total == (uint64_t)300 << 20);
	decoder_release(&d);
	member_writer_release(&w);
	buf_release(&b);
}

static void every_cut_is_called_torn(void)
{
	static const enum member_format formats[] = { MEMBER_GZIP, MEMBER_ZSTD };

	for (size_t i = 0; i < COUNT(formats); i++) {
		struct member_writer w;
		struct buf b = { 0 };

		member_writer_init(&w, formats[i]);
		member_add(&w, STR("some text, some more text, and some text again"), &b);
		for (size_t n = 5; n < b.n; n++) {
			struct decoder d;
			struct str piece;
			enum status st;

			decoder_init(&d, str_slice(buf_str(&b), 0, n));
			while ((st = decoder_next(&d, &piece, NULL)) == ST_OK)
				;
			CHECK(st == ST_CORRUPT && d.torn);
			decoder_release(&d);
		}
		member_writer_release(&w);
		buf_release(&b);
	}
}

int main(void)
{
	RUN(members_of_all_formats_come_back);
	RUN(incompressible_bytes_fit_their_bound);
	RUN(a_zstd_dictionary_is_used);
	RUN(a_bomb_costs_no_memory);
	RUN(every_cut_is_called_torn);
	buf_release(&all);
	DONE();
}
