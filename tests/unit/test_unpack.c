#include "kb/unpack.h"
#include "test.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/rng.h"
#include "os/file.h"

static char folder[] = "/tmp/thresh-unpack-XXXXXX";

static void make_text(struct buf *to)
{
	struct rng r = { 11 };

	while (to->n < 3000000)
		buf_addf(to, "<http://x/%llu> <http://x/p> \"word %llu\" .\n",
			 (unsigned long long)rng_below(&r, 100000),
			 (unsigned long long)rng_below(&r, 1000));
}

static bool pack(struct str text, enum packing packing, struct buf *to)
{
	char *out = buf_reserve(to, text.n + 1000);
	z_stream z = { 0 };

	if (packing == PACKING_ZSTD) {
		to->n += ZSTD_compress(out, text.n + 1000, text.p, text.n, 3);
		return true;
	}
	if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	z.next_in = (Bytef *)(uintptr_t)text.p;
	z.avail_in = (uInt)text.n;
	z.next_out = (Bytef *)out;
	z.avail_out = (uInt)(text.n + 1000);
	bool ended = deflate(&z, Z_FINISH) == Z_STREAM_END;
	to->n += z.total_out;
	deflateEnd(&z);
	return ended;
}

static uint64_t most;

static enum status unpacked(struct str packed, enum packing packing, struct str want)
{
	cleanup(map_file_release) struct map_file map = { 0 };
	cleanup(buf_release) struct buf path = { 0 };
	struct diag why;

	buf_addf(&path, "%s/packed", folder);
	TRY(file_save(buf_cstr(&path), packed, &why));
	TRY(unpack_open(&map, buf_cstr(&path), packing, folder, most, &why));
	return str_eq(map.bytes, want) ? ST_OK : ST_CORRUPT;
}

static void what_was_packed_comes_back(void)
{
	cleanup(buf_release) struct buf text = { 0 };

	make_text(&text);
	for (enum packing p = PACKING_GZIP; p <= PACKING_ZSTD; p++) {
		cleanup(buf_release) struct buf packed = { 0 };
		struct str whole = buf_str(&text), half = str_slice(whole, 0, 1500000);

		CHECK(pack(half, p, &packed));
		CHECK(unpacked(buf_str(&packed), p, half) == ST_OK);
		CHECK(pack(str_skip(whole, 1500000), p, &packed)); /* a second member */
		CHECK(unpacked(buf_str(&packed), p, whole) == ST_OK);
		CHECK(unpacked(str_slice(buf_str(&packed), 0, packed.n - 9), p, whole) ==
		      ST_SYNTAX);
		packed.p[packed.n / 2] ^= 0x55;
		CHECK(unpacked(buf_str(&packed), p, whole) != ST_OK);
	}
	CHECK(unpacked(STR("as it is"), PACKING_NONE, STR("as it is")) == ST_OK);
}

static void the_name_tells(void)
{
	struct str name;

	CHECK(packing_of(STR("a/b.nt.gz"), &name) == PACKING_GZIP);
	CHECK(str_eq(name, STR("a/b.nt")));
	CHECK(packing_of(STR("b.nq.zst"), &name) == PACKING_ZSTD);
	CHECK(packing_of(STR("b.nt"), &name) == PACKING_NONE);
	CHECK(str_eq(name, STR("b.nt")));
}

/* Nothing that small should fill a disk. */
static void a_bomb_is_not_unpacked(void)
{
	for (enum packing packing = PACKING_GZIP; packing <= PACKING_ZSTD; packing++) {
		cleanup(buf_release) struct buf text = { 0 }, packed = { 0 };

		for (size_t i = 0; i < UNPACK_FREE / 16 * 3; i++)
			buf_add(&text, STR("################"));
		CHECK(pack(buf_str(&text), packing, &packed));
		CHECK(unpacked(buf_str(&packed), packing, buf_str(&text)) ==
		      ST_TOO_LARGE);
		most = text.n;
		CHECK(unpacked(buf_str(&packed), packing, buf_str(&text)) == ST_OK);
		most = text.n - 1;
		CHECK(unpacked(buf_str(&packed), packing, buf_str(&text)) ==
		      ST_TOO_LARGE);
		most = 0;
	}
}

int main(void)
{
	struct diag why;

	if (!mkdtemp(folder))
		return 1;
	RUN(what_was_packed_comes_back);
	RUN(a_bomb_is_not_unpacked);
	RUN(the_name_tells);
	(void)!dir_remove(folder, &why);
	DONE();
}
