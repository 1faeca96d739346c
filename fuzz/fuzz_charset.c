/* A label, a NUL, a body: whatever comes out is well-formed. */
#include <stdlib.h>

#include "base/utf8.h"
#include "web/charset.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str body = { (const char *)data, size }, label;
	struct buf text = { 0 }, back = { 0 };

	if (!str_take_until(&body, '\0', &label))
		return 0;
	const struct charset *c = charset_detect(body, label, NULL);

	charset_to_utf8(c, body, &text);
	if (!utf8_valid(buf_str(&text)))
		abort();
	charset_from_utf8(c, buf_str(&text), &back);
	(void)charset_encode_query(c, buf_str(&text), &back);
	buf_release(&text);
	buf_release(&back);
	return 0;
}
