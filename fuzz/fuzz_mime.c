/* A declared type, a line end, a body. */
#include "web/mime.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str body = { (const char *)data, size }, declared;

	if (str_take_line(&body, &declared)) {
		(void)mime_kind(mime_sniff(declared, false, body));
		(void)mime_kind(mime_sniff(declared, true, body));
	}
	return 0;
}
