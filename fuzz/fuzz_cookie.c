/* Lines in turn: a URL that sets or asks, and the field it sets, or a line of a file. */
#include "web/cookie.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size }, where, field;
	struct buf scratch = { 0 }, out = { 0 };
	struct cookie_jar jar = { 0 };
	struct url u;

	while (str_take_line(&in, &where)) {
		if (!str_take_line(&in, &field) ||
		    url_parse(where, NULL, &scratch, &u, NULL) != ST_OK)
			continue;
		(void)!cookie_jar_add(&jar, &u, field, 1000);
		(void)!cookie_jar_add_line(&jar, field, 1000);
		buf_reset(&out);
		cookie_jar_format(&jar, &u, 2000, &out);
		cookie_jar_format_lines(&jar, &out);
	}
	cookie_jar_release(&jar);
	buf_release(&scratch);
	buf_release(&out);
	return 0;
}
