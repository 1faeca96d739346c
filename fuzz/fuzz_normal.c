/* Normalising twice is normalising once, whatever the switches; keys never crash. */
#include <stdlib.h>

#include "url/normal.h"
#include "url/suffix.h"
#include "url/surt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	struct buf one[2] = { 0 }, two[2] = { 0 }, key = { 0 };
	struct url u, v;
	uint32_t steps = 0;

	if (str_take_u32(&in, &steps) &&
	    url_parse_normal(in, NULL, steps | NORMAL_PARSED, one, &u, NULL) == ST_OK) {
		buf_add_surt(&key, &u);
		(void)suffix_site(u.host);
		if (url_parse_normal(u.href, NULL, steps | NORMAL_PARSED, two, &v,
				     NULL) == ST_OK &&
		    !str_eq(u.href, v.href))
			abort();
	}
	for (size_t i = 0; i < 2; i++) {
		buf_release(&one[i]);
		buf_release(&two[i]);
	}
	buf_release(&key);
	return 0;
}
