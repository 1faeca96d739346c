#include "service/service.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* JSON or YAML of anybody: a description or problems with their places. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	cleanup(doc_release) struct api_doc d = { 0 };
	cleanup(buf_release) struct buf words = { 0 };
	struct api_service s = { 0 };
	struct diag why;

	if (doc_parse(&d, STR("fuzz"), text, &why) != ST_OK)
		return 0;
	if (api_service_parse(&d, &s, &why) == ST_OK)
		api_service_release(&s);
	for (size_t i = 0; i < d.n; i++)
		problem_format(&d, &d.problems[i], &words);
	return 0;
}
