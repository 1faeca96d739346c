#include "page/page.h"

#include "page/html_page.h"

struct page_options page_options_filled(const struct page_options *options)
{
	struct page_options o = options ? *options : (struct page_options){ 0 };

	o.max_links = o.max_links ? o.max_links : PAGE_LINKS_MAX;
	o.max_text_bytes = o.max_text_bytes ? o.max_text_bytes : PAGE_TEXT_MAX;
	return o;
}

void page_parse(const struct page_input *in, const struct page_options *options,
		struct arena *a, struct page *ret)
{
	*ret = (struct page){ 0 };
	html_page_read(in->body, options, a, ret);
}
