#include "picture/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(grey_picture_release) struct grey_picture p = { 0 };
	struct diag why;

	if (png_read((struct str){ (const char *)data, size }, &p, &why) == ST_OK)
		(void)picture_print(&p);
	return 0;
}
