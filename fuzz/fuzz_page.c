#include <assert.h>

#include "page/page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Who asks for the text only gets the same text. */
static void compare_text_only(struct str in, const struct page *whole, struct arena *a)
{
	struct page p = { 0 };

	page_parse(&(struct page_input){ .body = in },
		   &(struct page_options){ .text_only = true }, a, &p);
	assert(str_eq(p.text, whole->text) && str_eq(p.title, whole->title));
	assert(str_eq(p.canonical, whole->canonical) && str_eq(p.lang, whole->lang));
	assert(p.n_blocks == whole->n_blocks && p.main_bytes == whole->main_bytes);
	for (size_t i = 0; i < p.n_blocks; i++)
		assert(str_eq(p.blocks[i].text, whole->blocks[i].text) &&
		       p.blocks[i].linked_bytes == whole->blocks[i].linked_bytes &&
		       p.blocks[i].region == whole->blocks[i].region &&
		       p.blocks[i].is_main == whole->blocks[i].is_main);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str in = { (const char *)data, size };
	struct arena a = { 0 };
	struct page p = { 0 };

	page_parse(&(struct page_input){ .body = in }, NULL, &a, &p);
	assert(p.main_bytes <= p.text.n);
	if (!(p.cut & CUT_LINKS))
		compare_text_only(in, &p, &a);
	arena_release(&a);
	return 0;
}
