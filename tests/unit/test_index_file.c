#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/rng.h"
#include "test.h"
#include "triples/index_file.h"

#define ROWS 20000

static char path[100];

/* Ids of all lengths: small numbers of the dictionary, and inline ones of 60 bits. */
static uint64_t some_id(struct rng *r, unsigned n)
{
	uint64_t payload = rng_below(r, n);

	return rng_below(r, 8) ? id_make(TAG_IRI, payload)
			       : id_make(TAG_DOUBLE, payload * 0x0123456789abcdu);
}

static int by_row(const void *a, const void *b)
{
	return row_cmp(a, b);
}

static size_t make_rows(struct row *rows, enum order order)
{
	struct rng r = { 3 + (unsigned)order };
	unsigned many = order == ORDER_POS ? 6 : 3000;
	size_t n = 0;

	for (size_t i = 0; i < ROWS; i++)
		rows[i] = (struct row){ { rng_below(&r, 3) ? 0 : some_id(&r, 4),
					  some_id(&r, many), some_id(&r, 300),
					  some_id(&r, 1u << rng_below(&r, 31)) } };
	qsort(rows, ROWS, sizeof(*rows), by_row);
	for (size_t i = 0; i < ROWS; i++) {
		if (n && row_cmp(&rows[i], &rows[n - 1]) == 0)
			continue;
		rows[n] = rows[i];
		rows[n++].v[0] |= rng_below(&r, 10) ? 0 : ROW_GONE;
	}
	return n;
}

static bool save_rows(const struct row *rows, size_t n, enum order order)
{
	cleanup(index_writer_release) struct index_writer w = { 0 };
	struct diag why;

	if (index_writer_open(&w, path, order, &why) != ST_OK)
		return false;
	for (size_t i = 0; i < n; i++)
		if (index_writer_add(&w, &rows[i], &why) != ST_OK)
			return false;
	return index_writer_end(&w, &why) == ST_OK;
}

/* The contract of index_file_find(), block by block. */
static size_t blocks_before(const struct index_file *f, const struct row *key,
			    unsigned bound)
{
	size_t n = 0;

	for (size_t b = 0; b < f->n_blocks; b++) {
		struct row first = { { f->first[0][b], f->first[1][b], f->first[2][b],
				       f->first[3][b] } };

		n += row_cmp_prefix(&first, key, bound) < 0;
	}
	return n;
}

/* The rows that begin with a key, by a search in the file: as in the array. */
static bool finds(const struct index_file *f, const struct row *rows, size_t n,
		  const struct row *key, unsigned bound, size_t near)
{
	size_t from = 0, to, got = 0, block = index_file_find(f, near, key, bound);
	struct row taken[INDEX_ROWS_MAX];
	struct index_walk w;

	while (from < n && row_cmp_prefix(&rows[from], key, bound) < 0)
		from++;
	for (to = from; to < n && row_cmp_prefix(&rows[to], key, bound) == 0;)
		to++;
	if (block != blocks_before(f, key, bound))
		return false;
	for (block -= block > 0; block < f->n_blocks; block++) {
		if (!index_walk_start(&w, f, block))
			return false;
		index_walk_skip(&w, key, bound);
		size_t k = index_walk_take(&w, key, bound, taken);
		if (got + k > to - from ||
		    memcmp(taken, rows + from + got, k * sizeof(*taken)) != 0)
			return false;
		got += k;
		if (w.more || w.damaged)
			break;
	}
	return got == to - from && !w.damaged;
}

static void a_search_finds_what_a_plain_table_has(void)
{
	static struct row rows[ROWS];

	for (enum order o = 0; o < ORDERS; o++) {
		size_t n = make_rows(rows, o);
		struct rng r = { 9 };
		struct index_file f;
		struct diag why;

		CHECK(save_rows(rows, n, o) &&
		      index_file_open(&f, path, o, &why) == ST_OK);
		CHECK(f.n_rows == n && f.n_blocks > 100);
		for (int i = 0; i < 3000; i++) {
			struct row key = rows[rng_below(&r, n)];
			unsigned bound = 1 + (unsigned)rng_below(&r, 4);

			key.v[0] &= ~ROW_GONE;
			key.v[rng_below(&r, 4)] += rng_below(&r, 3); /* often not there */
			CHECK(finds(&f, rows, n, &key, bound,
				    rng_below(&r, f.n_blocks + 2)));
		}
		index_file_release(&f);
	}
}

static void all_rows_come_back(void)
{
	static struct row rows[ROWS];
	struct row taken[INDEX_ROWS_MAX];
	size_t n = make_rows(rows, ORDER_SPO), at = 0;
	struct index_file f;
	struct index_walk w;
	struct diag why;

	CHECK(save_rows(rows, n, ORDER_SPO) &&
	      index_file_open(&f, path, ORDER_SPO, &why) == ST_OK);
	for (size_t b = 0; b < f.n_blocks; b++) {
		CHECK(index_walk_start(&w, &f, b));
		size_t k = index_walk_rest(&w, taken);
		CHECK(at + k <= n && memcmp(taken, rows + at, k * sizeof(*rows)) == 0);
		at += k;
	}
	CHECK(at == n);
	index_file_release(&f);
}

static void another_version_says_what_to_do(void)
{
	struct row row = { { 0, 1, 2, 3 } };
	struct index_file f;
	struct file file;
	struct diag why;
	char header[48];
	uint32_t version = 3, check;

	CHECK(save_rows(&row, 1, ORDER_SPO));
	CHECK(file_open(&file, path, FILE_UPDATE, &why) == ST_OK);
	CHECK(pread(file.fd, header, sizeof(header), 0) == sizeof(header));
	memcpy(header + 8, &version, 4);
	check = checksum32((struct str){ header, 44 });
	memcpy(header + 44, &check, 4);
	CHECK(file_write_at(&file, (struct str){ header, sizeof(header) }, 0, &why) ==
	      ST_OK);
	file_close(&file);
	CHECK(index_file_open(&f, path, ORDER_SPO, &why) == ST_UNSUPPORTED);
	CHECK(strstr(why.text, "load the data again"));
}

int main(void)
{
	snprintf(path, sizeof(path), "/tmp/thresh-index-%d", (int)getpid());
	RUN(a_search_finds_what_a_plain_table_has);
	RUN(all_rows_come_back);
	RUN(another_version_says_what_to_do);
	unlink(path);
	DONE();
}
