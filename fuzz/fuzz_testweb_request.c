/* The request parser, and whatever follows from what it read: routing and an answer. */
#include "testweb/deliver.h"
#include "testweb/route.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct world w;
	static struct memory m;
	static struct answer a;
	static struct buf out;
	struct asked asked = { 0 };
	size_t n;

	if (!w.sites) {
		struct world_options o;
		struct diag why;

		world_options_default(&o);
		o.pages = 500;
		o.hosts = 16;
		o.troubles = ~(1u << TROUBLE_BOMB);
		if (world_init(&w, &o, &why) != ST_OK)
			return 0;
		memory_init(&m, &w);
	}
	if (http_request_parse((struct str){ (const char *)data, size }, &asked.request,
			       &n) != ST_OK)
		return 0;
	asked.https = asked.request.https;
	buf_reset(&out);
	answer_make(&w, &m, &asked, &a);
	deliver(&a, &asked, &out);
	return 0;
}
