/* Bodies of POST /urls in any pieces: the first byte is the size of a piece. */
#include <stdlib.h>

#include "serve/inject.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum status sink(void *arg, struct str block, struct diag *why)
{
	uint64_t *n = arg;
	struct demand d;
	enum status st;

	(void)why;
	while ((st = demand_next(&block, &d)) == ST_OK)
		++*n;
	if (st != ST_AGAIN)
		abort(); /* what we encode we can read */
	return ST_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	cleanup(buf_release) struct buf text = { 0 };
	struct inject x;
	struct demand d;
	struct diag why;
	uint64_t n = 0;
	enum status st = ST_OK;

	if (size == 0)
		return 0;
	size_t step = data[0] ? data[0] : 1;
	in = str_skip(in, 1);
	if (patch_parse(in, &text, &d, &why) == ST_OK && d.text.n == 0)
		abort();
	inject_init(&x, 64, sink, &n);
	for (size_t at = 0; st == ST_OK && at < in.n; at += step)
		st = inject_feed(&x, str_slice(in, at, at + step), &why);
	if (st == ST_OK && inject_end(&x, &why) == ST_OK && n != x.n)
		abort();
	inject_release(&x);
	return 0;
}
