/* fuzz_rule_file.c - whatever parses is written and read back the same, and applies. */
#include <stdlib.h>

#include "dust/index.h"
#include "dust/rule_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(rule_set_release) struct rule_set one = { 0 }, two = { 0 };
	cleanup(rule_index_release) struct rule_index x = { 0 };
	cleanup(rule_scratch_release) struct rule_scratch s = { 0 };
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };
	struct rule_applied applied;
	struct diag why = { 0 };

	if (rules_parse((struct str){ (const char *)data, size }, &one, &why) != ST_OK)
		return 0;
	rules_format(&one, &a);
	if (rules_parse(buf_str(&a), &two, &why) != ST_OK)
		abort();
	rules_format(&two, &b);
	if (!str_eq(buf_str(&a), buf_str(&b)))
		abort();
	rule_index_build(&x, &one);
	rule_index_apply(&x, STR("http://www.a.org/b/c.html;jsessionid=1?d=e&sid=2"), &s,
			 &applied);
	/* The rules against themselves: their text is as good a URL as any. */
	rule_index_apply(&x, buf_str(&a), &s, &applied);
	return 0;
}
