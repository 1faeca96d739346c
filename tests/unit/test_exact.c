#include "sketch/exact.h"

#include "test.h"

static void setting_does_not_change_the_text_digest(void)
{
	size_t n;
	struct u128 a = text_digest(STR("Hello,  World!\nCaf\xc3\xa9"), &n);

	CHECK(n == 3);
	CHECK(u128_eq(a, text_digest(STR("hello world cafe"), NULL)));
	CHECK(!u128_eq(a, text_digest(STR("world hello cafe"), NULL)));
	CHECK(!u128_eq(a, text_digest(STR("hello world"), NULL)));
	text_digest(STR(" -- "), &n);
	CHECK(n == 0);
}

static void every_byte_counts_in_the_payload_digest(void)
{
	CHECK(!u128_eq(payload_digest(STR("a")), payload_digest(STR("a "))));
	CHECK(u128_eq(payload_digest(STR("a")), payload_digest(STR("a"))));
}

int main(void)
{
	RUN(setting_does_not_change_the_text_digest);
	RUN(every_byte_counts_in_the_payload_digest);
	DONE();
}
