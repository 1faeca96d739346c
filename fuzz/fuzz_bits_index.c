/*
 * An index of 64-bit fingerprints whose Hamming files are anything: number of
 * documents, whether the segment gets its right checksum, length of the manifest,
 * the manifest, the segment.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "hamming/bits_index.h"
#include "os/file.h"

#define HEADER 24u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *dir;

/* In memory where there is such a folder: an index waits for its disk several times. */
static void make_dir(void)
{
	static char memory[] = "/dev/shm/fuzz-bits-index.XXXXXX",
		    disk[] = "/tmp/fuzz-bits-index.XXXXXX";

	dir = mkdtemp(memory);
	if (!dir)
		dir = mkdtemp(disk);
	if (!dir)
		abort();
}

static void remove_dir(void)
{
	(void)!dir_remove(dir, NULL);
}

/* Not file_save(), which waits for the disk. */
static void save(const char *name, struct str bytes)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/hamming/%s", dir, name);
	FILE *f = fopen(path, "wbe");
	if (!f || fwrite(bytes.p, 1, bytes.n, f) != bytes.n || fclose(f) != 0)
		abort();
}

/* As hamming.c sums up: four tables, then the documents. */
static void mend_checksum(struct buf *segment)
{
	struct str body = str_skip(buf_str(segment), HEADER);
	uint64_t n = body.n / 36, sum = n;

	memcpy(segment->p, "THRHAMM1", 8);
	for (unsigned i = 0; i < 4; i++)
		sum = hash64_seeded(str_slice(body, 8 * n * i, 8 * n * (i + 1)), sum);
	sum = hash64_seeded(str_slice(body, 32 * n, 36 * n), sum);
	memcpy(segment->p + 8, &n, 8);
	memcpy(segment->p + 16, &sum, 8);
	segment->n = HEADER + 36 * n;
}

static void ask_some(struct bits_index *x)
{
	struct verdict v;

	for (uint64_t print = 0; print < 4; print++)
		if (bits_index_ask(x, print << 62, &v, NULL) == ST_OK)
			assert(v.representative == VERDICT_NO_DOC ||
			       v.representative < x->n);
	assert(bits_index_add(x, 5, STR("more"), NULL) == ST_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size }, manifest;
	cleanup(buf_release) struct buf segment = { 0 };
	struct bits_index x;
	uint8_t docs, mend, length;

	if (!dir) {
		make_dir();
		(void)!atexit(remove_dir);
	}
	struct bits_index_options how = { .dir = dir,
					  .method = "simhash64",
					  .distance = 8 };
	if (!str_take_u8(&in, &docs) || !str_take_u8(&in, &mend) ||
	    !str_take_u8(&in, &length) || !str_take_bytes(&in, length, &manifest))
		return 0;
	remove_dir();
	if (bits_index_open(&x, &how, NULL) != ST_OK)
		abort();
	for (unsigned i = 0; i < docs % 8u; i++)
		if (bits_index_add(&x, (uint64_t)i << 61, STR("name"), NULL) != ST_OK)
			abort();
	if (bits_index_sync(&x, NULL) != ST_OK)
		abort();
	bits_index_release(&x);
	buf_add(&segment, in);
	if (mend & 1 && segment.n >= HEADER)
		mend_checksum(&segment);
	save("manifest", manifest);
	save("00000000.ham", buf_str(&segment));
	if (bits_index_open(&x, &how, NULL) == ST_OK) {
		ask_some(&x);
		bits_index_release(&x);
	}
	return 0;
}
