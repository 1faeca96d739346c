/* The XML of a description; what can be read is joined, compiled and used on itself. */
#include "apps/link_rules.h"
#include "apps/scan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str xml = { (const char *)data, size };
	struct app_library l = { 0 };
	struct arena a = { 0 };

	if (size > 20000)
		return 0;
	library_add(&l, xml, STR("x.xml"));
	library_finish(&l, xml);
	if (l.n > 0) {
		struct app_scan s;

		app_scan_init(&s, &l);
		app_scan_page(
			&s,
			&(struct app_page){ .url = STR("http://a.example/x?t=1&s=2"),
					    .fields = STR("Set-Cookie: a=b\r\nX: y\r\n"),
					    .html = xml,
					    .text = xml,
					    .remembered = 0 },
			&a);
		app_scan_release(&s);
	}
	library_release(&l);
	arena_release(&a);
	return 0;
}
