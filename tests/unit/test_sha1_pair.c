#include "warc/sha1_pair.h"

#include <string.h>

#include "base/rng.h"
#include "test.h"

static char bytes[70000];

static bool equals_its_twin(struct digest *d, const struct sha1_message of[2])
{
	uint8_t got[2][SHA1_BYTES], want[2][SHA1_BYTES];

	sha1_pair(d, of, got);
	sha1_pair_plain(d, of, want);
	return memcmp(got, want, sizeof(got)) == 0;
}

static void known_answers(void)
{
	static const uint8_t abc[] = { 0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81,
				       0x6a, 0xba, 0x3e, 0x25, 0x71, 0x78, 0x50,
				       0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d };
	static const uint8_t none[] = { 0xda, 0x39, 0xa3, 0xee, 0x5e, 0x6b, 0x4b,
					0x0d, 0x32, 0x55, 0xbf, 0xef, 0x95, 0x60,
					0x18, 0x90, 0xaf, 0xd8, 0x07, 0x09 };
	struct sha1_message of[2] = { { STR("a"), STR("bc") }, { STR(""), STR("") } };
	uint8_t got[2][SHA1_BYTES];
	struct digest d;

	digest_init(&d, DIGEST_SHA1);
	sha1_pair(&d, of, got);
	CHECK(memcmp(got[0], abc, SHA1_BYTES) == 0);
	CHECK(memcmp(got[1], none, SHA1_BYTES) == 0);
	digest_release(&d);
}

/* Every way in which head and body can meet at a block's border. */
static void every_length_around_a_block(void)
{
	struct digest d;

	digest_init(&d, DIGEST_SHA1);
	for (size_t head = 0; head <= 130; head++)
		for (size_t body = 0; body <= 130; body++) {
			struct sha1_message of[2] = {
				{ { bytes, head }, { bytes + 200, body } },
				{ { bytes + 1, body }, { bytes + 77, head / 2 } },
			};
			CHECK(equals_its_twin(&d, of));
		}
	digest_release(&d);
}

static void messages_of_any_lengths(void)
{
	struct rng r = { 7 };
	struct digest d;

	digest_init(&d, DIGEST_SHA1);
	for (unsigned i = 0; i < 300; i++) {
		struct sha1_message of[2] = {
			{ { bytes, rng_next(&r) % 5000 },
			  { bytes + 5000, rng_next(&r) % 65000 } },
			{ { bytes + 3, rng_next(&r) % 600 },
			  { bytes + 999, rng_next(&r) % 30000 } },
		};
		CHECK(equals_its_twin(&d, of));
	}
	digest_release(&d);
}

int main(void)
{
	struct rng r = { 1 };

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)rng_next(&r);
	RUN(known_answers);
	RUN(every_length_around_a_block);
	RUN(messages_of_any_lengths);
	DONE();
}
