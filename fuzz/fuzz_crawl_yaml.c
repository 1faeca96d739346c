/* crawl.yaml: whatever is accepted is written and read again as the same settings. */
#include <stdlib.h>

#include "spec/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum status read_settings(struct str text, struct crawl_settings *s,
				 struct str_list *seeds, struct arena *a)
{
	struct diag why;

	options_default(crawl_options, s, a);
	return settings_parse(text, s, seeds, a, &why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct crawl_settings s = { 0 }, again = { 0 };
	struct str_list seeds = { 0 }, seeds_again = { 0 };
	struct buf once = { 0 }, twice = { 0 };

	if (read_settings((struct str){ (const char *)data, size }, &s, &seeds, &a) ==
	    ST_OK) {
		settings_format(&s, &seeds, &once);
		if (read_settings(buf_str(&once), &again, &seeds_again, &a) != ST_OK)
			abort();
		settings_format(&again, &seeds_again, &twice);
		if (!str_eq(buf_str(&once), buf_str(&twice)))
			abort();
	}
	settings_release(&s);
	settings_release(&again);
	str_list_release(&seeds);
	str_list_release(&seeds_again);
	buf_release(&once);
	buf_release(&twice);
	arena_release(&a);
	return 0;
}
