#include "base/hash.h"

#include "base/buf.h"
#include "base/rng.h"
#include "test.h"

/* As the library told them once: they are on disk, and stay. */
static void values_never_change(void)
{
	char zeros[1000] = { 0 };

	CHECK(hash64(STR("")) == 0x2d06800538d394c2);
	CHECK(hash64(STR("thresh")) == 0xd537c679ac3db664);
	CHECK(hash64((struct str){ zeros, 1000 }) == 0x24c1ea6074dd588c);
	CHECK(hash64_seeded((struct str){ zeros, 1000 }, 7) == 0xc2ddef83d105c947);
}

/* However wide the registers. */
static void long_and_short_ways_agree(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct rng r = { 7 };

	for (int i = 0; i < 5000; i++)
		buf_add_char(&text, (char)rng_below(&r, 256));
	for (size_t n = 0; n <= text.n; n += n < 600 ? 1 : 37) {
		struct str s = str_slice(buf_str(&text), 0, n);

		CHECK(hash64(s) == XXH3_64bits(s.p, s.n));
		CHECK(hash64_seeded(s, n * 3 + 1) ==
		      XXH3_64bits_withSeed(s.p, s.n, n * 3 + 1));
	}
}

int main(void)
{
	RUN(values_never_change);
	RUN(long_and_short_ways_agree);
	DONE();
}
