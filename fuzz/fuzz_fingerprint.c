#include "method/method.h"

#include "sketch/idf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * The first byte splits the rest in two.  Both halves are read as fingerprints
 * of every method, as a corpus table, and as a text to be fingerprinted.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(buf_release) struct buf made = { 0 };
	struct str all = { (const char *)data, size };
	size_t cut = size ? 1 + data[0] % size : 0;
	struct idf idf = { 0 };

	if (size == 0)
		return 0;
	for (const struct method *m = methods; m->name; m++) {
		double d;

		if (method_measure(m, str_slice(all, 1, cut), str_skip(all, cut), &d) ==
		    ST_OK)
			method_is_near(m, d, m->threshold);
		buf_reset(&made);
		method_fingerprint(m, &(struct document){ .text = all }, NULL, &made);
		if (method_measure(m, buf_str(&made), buf_str(&made), &d) != ST_OK)
			__builtin_trap();
	}
	if (idf_decode(all, &idf) == ST_OK)
		idf_release(&idf);
	return 0;
}
