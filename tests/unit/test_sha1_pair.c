#include "archive/sha1_pair.h"

#include <string.h>

#include "base/rng.h"
#include "test.h"

static char bytes[5000];

/* Every length of head and body around the borders of the chunks, and long ones. */
static void both_ways_are_equal(void)
{
	static const size_t heads[] = {
		0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 300
	};
	struct digest d;
	unsigned wrong = 0;

	digest_init(&d, DIGEST_SHA1);
	for (size_t h = 0; h < COUNT(heads); h++)
		for (size_t n = 0; n < 4000; n += n < 270 ? 1 : 97) {
			struct str head = { bytes, heads[h] }, body = { bytes + 311, n };
			uint8_t a[4][SHA1_BYTES];

			sha1_pair_plain(&d, head, body, a[0], a[1]);
			sha1_pair(&d, head, body, a[2], a[3]);
			wrong += memcmp(a[0], a[2], SHA1_BYTES) != 0 ||
				 memcmp(a[1], a[3], SHA1_BYTES) != 0;
		}
	CHECK(wrong == 0);
	digest_release(&d);
}

/* FIPS 180's example, so that both are not wrong in the same way. */
static void abc_is_what_the_standard_says(void)
{
	static const uint8_t abc[SHA1_BYTES] = { 0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81,
						 0x6a, 0xba, 0x3e, 0x25, 0x71, 0x78, 0x50,
						 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d };
	uint8_t block[SHA1_BYTES], payload[SHA1_BYTES];
	struct digest d;

	digest_init(&d, DIGEST_SHA1);
	sha1_pair(&d, STR("a"), STR("bc"), block, payload);
	CHECK(memcmp(block, abc, sizeof(abc)) == 0);
	sha1_pair(&d, STR(""), STR("abc"), block, payload);
	CHECK(memcmp(block, abc, sizeof(abc)) == 0);
	CHECK(memcmp(payload, abc, sizeof(abc)) == 0);
	digest_release(&d);
}

int main(void)
{
	struct rng r = { 1 };

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)rng_next(&r);
	RUN(both_ways_are_equal);
	RUN(abc_is_what_the_standard_says);
	DONE();
}
