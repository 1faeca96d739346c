#include "frontier/fifo_file.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/rng.h"
#include "test.h"

#define STREAMS 5000u
#define STEPS   200000u

static char path[] = "/tmp/thresh-fifo-XXXXXX";

/* Byte `i` of stream `s`. */
static char byte_of(uint32_t s, uint64_t i)
{
	return (char)(s * 31u + i * 7u + (i >> 8));
}

struct model {
	struct fifo q;
	uint64_t added, taken, at;
};

static void add_some(struct fifo_file *f, struct model *m, uint32_t s, size_t n)
{
	char bytes[400];
	struct diag why;
	uint64_t at;

	for (size_t i = 0; i < n; i++)
		bytes[i] = byte_of(s, m->added + i);
	CHECK(fifo_add(f, &m->q, (struct str){ bytes, n }, &at, &why) == ST_OK);
	if (m->taken == m->added)
		m->at = at;
	m->added += n;
}

static void take_some(struct fifo_file *f, struct model *m, uint32_t s, size_t n,
		      bool *same)
{
	char bytes[400];
	struct diag why;

	n = MIN(n, (size_t)(m->added - m->taken));
	if (n == 0)
		return;
	CHECK(fifo_read(f, &m->at, bytes, n, &why) == ST_OK);
	for (size_t i = 0; i < n; i++)
		*same &= bytes[i] == byte_of(s, m->taken + i);
	m->taken += n;
	CHECK(fifo_drop_until(f, &m->q, m->at, &why) == ST_OK);
}

/* Far more than the pages in memory, so that most of it goes to the file and returns. */
static void many_streams_give_back_what_they_got(void)
{
	struct model *m = calloc(STREAMS, sizeof(*m));
	struct rng r = { 5 };
	struct fifo_file f;
	struct diag why;
	bool same = true;

	CHECK(fifo_file_open(&f, path, &why) == ST_OK);
	for (size_t i = 0; i < STEPS; i++) {
		uint32_t s = (uint32_t)rng_below(&r, STREAMS);
		size_t n = 1 + (size_t)rng_below(&r, 399);

		if (rng_below(&r, 5) < 3)
			add_some(&f, &m[s], s, n);
		else
			take_some(&f, &m[s], s, n, &same);
	}
	CHECK(f.file.size > (uint64_t)2 * FIFO_PAGES * FIFO_PAGE);
	for (uint32_t s = 0; s < STREAMS; s++)
		while (m[s].taken < m[s].added)
			take_some(&f, &m[s], s, 400, &same);
	CHECK(same);
	CHECK(fifo_file_bytes(&f) == FIFO_BLOCK); /* all blocks are free but the first */
	fifo_file_close(&f);
	free(m);
}

static void a_short_queue_stays_in_memory(void)
{
	struct model m = { 0 };
	struct fifo_file f;
	struct diag why;
	bool same = true;

	CHECK(fifo_file_open(&f, path, &why) == ST_OK);
	for (size_t i = 0; i < 1000; i++)
		add_some(&f, &m, 1, 300);
	CHECK(f.file.size == 0);
	take_some(&f, &m, 1, 300, &same);
	CHECK(same);
	fifo_file_close(&f);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	RUN(many_streams_give_back_what_they_got);
	RUN(a_short_queue_stays_in_memory);
	DONE();
}
