/* A line of XPath, then a page: the automaton over its tags, and the extraction's parser.
 */
#include "apps/automaton.h"
#include "apps/extract.h"
#include "html/html_token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str html = { (const char *)data, size }, text;
	struct automaton m = { 0 };
	struct automaton_run r = { 0 };
	struct arena a = { 0 };
	struct diag why;
	struct path p;

	if (size < 20000 && str_take_line(&html, &text)) {
		if (text.n < 500 && xpath_check(text, &why) != ST_OK)
			why.text[0] = '\0';
		if (path_parse(text, &a, &p, &why) == ST_OK) {
			struct html_tokenizer *t = arena_alloc(&a, sizeof(*t));
			struct html_token k;

			automaton_add(&m, &p, 0);
			automaton_add(&m, &p, 1);
			automaton_start(&r, &m, &a);
			html_start(t, html);
			while (html_next(t, &k))
				automaton_take(&r, &k);
		}
	}
	automaton_run_release(&r);
	automaton_release(&m);
	arena_release(&a);
	return 0;
}
