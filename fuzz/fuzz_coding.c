#include "web/coding.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first byte chooses the coding, the rest is the body. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const fields[] = { "gzip", "deflate", "br", "zstd",
					      "gzip, br" };
	cleanup(buf_release) struct buf to = BUF(1 << 20);

	if (size)
		(void)!coding_decode(str_from(fields[data[0] % COUNT(fields)]),
				     (struct str){ (const char *)data + 1, size - 1 },
				     &to);
	return 0;
}
