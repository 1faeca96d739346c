/* The parser reads any bytes as a query and as an update without harm. */
#include "sparql/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct request r;
	struct diag why;

	if (sparql_parse_query(text, STR("http://base/"), &r, &why) == ST_OK)
		request_release(&r);
	if (sparql_parse_update(text, STR("http://base/"), &r, &why) == ST_OK)
		request_release(&r);
	return 0;
}
