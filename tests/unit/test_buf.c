#include "base/buf.h"
#include "base/rng.h"
#include "test.h"

static void past_the_limit_nothing_is_added_and_it_is_remembered(void)
{
	cleanup(buf_release) struct buf b = BUF(5);

	buf_add(&b, STR("abc"));
	buf_add(&b, STR("def"));
	CHECK(b.n == 3 && buf_status(&b) == ST_TOO_LARGE);
	buf_add_char(&b, 'x'); /* would fit, but a gap is worse than a cut */
	CHECK(b.n == 3);
	buf_reset(&b);
	buf_add(&b, STR("12345"));
	CHECK(buf_status(&b) == ST_OK && b.n == 5);
}

static void a_huge_request_does_not_wrap_around(void)
{
	cleanup(buf_release) struct buf b = BUF(100);

	buf_add(&b, STR("x"));
	CHECK(buf_reserve(&b, SIZE_MAX) == NULL && buf_status(&b) == ST_TOO_LARGE);
}

static void numbers_are_written_to_the_last_digit(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_uint(&b, UINT64_MAX);
	buf_add_char(&b, ' ');
	buf_add_int(&b, INT64_MIN);
	buf_addf(&b, " %d%s", 7, "seven");
	CHECK(str_eq(buf_str(&b),
		     STR("18446744073709551615 -9223372036854775808 7seven")));
}

static void formatted_text_fits_whatever_room_there_is(void)
{
	for (size_t before = 0; before < 80; before++) {
		struct buf b = { 0 };

		for (size_t i = 0; i < before; i++)
			buf_add_char(&b, 'x');
		buf_addf(&b, "%s", "0123456789");
		CHECK(b.n == before + 10);
		CHECK(str_eq(str_skip(buf_str(&b), before), STR("0123456789")));
		buf_release(&b);
	}
	struct buf small = BUF(5);
	buf_addf(&small, "%s", "123456");
	CHECK(small.n == 0 && buf_status(&small) == ST_TOO_LARGE);
	buf_release(&small);
}

static void padding_fills_up_and_never_cuts(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_padded(&b, 7, 3, '0');
	buf_add_padded(&b, 0, 2, ' ');
	buf_add_padded(&b, 1234, 3, '0');
	buf_add_padded(&b, 100, 3, '0');
	CHECK(str_eq(buf_str(&b), STR("007 01234100")));
}

static void what_is_encoded_is_read_back(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct rng r = { 1 };
	uint64_t v, want[200];

	for (size_t i = 0; i < COUNT(want); i++) {
		want[i] = rng_next(&r) >> rng_below(&r, 64);
		buf_add_varint(&b, want[i]);
	}
	struct str in = buf_str(&b);
	for (size_t i = 0; i < COUNT(want); i++)
		CHECK(str_take_varint(&in, &v) && v == want[i]);
	CHECK(in.n == 0);
}

static void integers_are_little_endian_on_every_machine(void)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_u32(&b, 0x01020304);
	buf_add_u64(&b, 0x0102030405060708);
	CHECK(str_eq(buf_str(&b), STR("\4\3\2\1\10\7\6\5\4\3\2\1")));
}

static void short_or_overlong_input_consumes_nothing(void)
{
	struct str in = STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), s;
	uint64_t v;
	uint32_t u;

	CHECK(!str_take_varint(&in, &v) && in.n == 10); /* more than 64 bits */
	in = STR("\x80");
	CHECK(!str_take_varint(&in, &v) && in.n == 1);
	in = STR("abc");
	CHECK(!str_take_u32(&in, &u) && in.n == 3);
	in = STR("\x05"
		 "abc");
	CHECK(!str_take_sized(&in, &s) && in.n == 4);
}

int main(void)
{
	RUN(past_the_limit_nothing_is_added_and_it_is_remembered);
	RUN(a_huge_request_does_not_wrap_around);
	RUN(numbers_are_written_to_the_last_digit);
	RUN(formatted_text_fits_whatever_room_there_is);
	RUN(padding_fills_up_and_never_cuts);
	RUN(what_is_encoded_is_read_back);
	RUN(integers_are_little_endian_on_every_machine);
	RUN(short_or_overlong_input_consumes_nothing);
	DONE();
}
