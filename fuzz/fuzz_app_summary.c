#include "appreport/app_summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The three files, with a line of '#' between. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size };
	struct app_summary_input in = { STR(""), STR(""), STR("") };
	struct app_summary s;
	struct buf text = { 0 };
	size_t at = str_find(rest, STR("\n#\n"));

	in.pages = str_slice(rest, 0, at);
	rest = at == STR_NONE ? STR("") : str_skip(rest, at + 3);
	at = str_find(rest, STR("\n#\n"));
	in.objects = str_slice(rest, 0, at);
	in.log = at == STR_NONE ? STR("") : str_skip(rest, at + 3);
	app_summary_read(&s, &in);
	app_summary_json(&s, &text);
	app_summary_text(&s, true, &text);
	buf_release(&text);
	app_summary_release(&s);
	return 0;
}
