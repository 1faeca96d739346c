/* A file of fingerprints: what is made of it must be a description that can be read. */
#include <stdlib.h>

#include "apps/description.h"
#include "apps/wappalyzer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wappalyzer_counts counts = { 0 };
	struct arena a = { 0 };
	struct json *all = NULL;
	struct diag why;

	if (size > 20000 ||
	    json_parse((struct str){ (const char *)data, size }, &all, &why) != ST_OK)
		return 0;
	for (const struct json *t = json_first(all); t; t = json_next(t)) {
		struct buf xml = { 0 };
		struct app app;

		wappalyzer_description(json_name(t), t, &xml, &counts);
		if (xml.n &&
		    description_read(buf_str(&xml), STR("x"), &a, &app, &why) == ST_OK)
			description_release(&app);
		else if (xml.n)
			abort();
		buf_release(&xml);
	}
	json_release(&all);
	arena_release(&a);
	return 0;
}
