/* fuzz_rule_import.c - other people's lists, and what becomes of them again outside. */
#include <stdlib.h>

#include "dust/exchange.h"
#include "dust/rule_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 }, again = { 0 };
	cleanup(buf_release) struct buf text = { 0 }, out = { 0 };
	struct diag why = { 0 };
	size_t left_out;

	if (rules_import((struct str){ (const char *)data, size }, &rules, &left_out,
			 &why) != ST_OK)
		return 0;
	rules_format(&rules, &text);
	if (rules_parse(buf_str(&text), &again, &why) != ST_OK)
		abort();
	for (int f = EXPORT_REGEX; f <= EXPORT_NUTCH; f++)
		rules_export(&again, (enum export_format)f, &out);
	return 0;
}
