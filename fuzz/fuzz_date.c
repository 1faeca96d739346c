#include <assert.h>

#include "base/date.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever is read as a date can be written and read again. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	cleanup(buf_release) struct buf b = { 0 };
	int64_t ms, again;

	if (date_parse_http(in, &ms)) {
		buf_add_date_http(&b, ms);
		assert(!civil_valid(civil_from_ms(ms)) ||
		       (date_parse_http(buf_str(&b), &again) && again == ms));
		buf_reset(&b);
	}
	if (date_parse_iso(in, &ms) && civil_valid(civil_from_ms(ms))) {
		buf_add_date_iso(&b, ms, true);
		assert(date_parse_iso(buf_str(&b), &again) && again == ms);
	}
	(void)date_parse_digits(in, &ms);
	return 0;
}
