#include "states/html_check.h"

#include "base/visible.h"
#include "validate/validate.h"

void html_check(const struct observation *o, struct buf *to)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct validate_input in = { .html = o->html, .is_dom = true, .title = o->title };
	unsigned lines[FAULT_KINDS] = { 0 };
	struct validation found;

	validate_page(&in, &a, &found);
	for (size_t i = 0; i < found.n; i++) {
		const struct fault *f = &found.v[i];

		if (lines[f->kind]++ >= HTML_CHECK_PER_KIND)
			continue;
		buf_addf(to, "html: %s: ", fault_table[f->kind].word);
		buf_add_visible(to, f->path.n ? f->path
					      : str_from(fault_table[f->kind].sentence));
		if (f->detail.n) {
			buf_add(to, STR(" \""));
			buf_add_visible(to, f->detail);
			buf_add_char(to, '"');
		}
		buf_add_char(to, '\n');
	}
}
