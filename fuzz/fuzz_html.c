#include <assert.h>

#include "html/tagpath.h"
#include "page/html_page.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A slice must lie in what it is a slice of. */
static void check_links(const struct page *p)
{
	for (size_t i = 0; i < p->n_links; i++) {
		const struct link *l = &p->links[i];

		assert(l->url.n > 0 && l->kind < LINK_KINDS);
		assert(l->block == UINT32_MAX || l->block <= p->n_blocks);
		assert(l->at <= p->text.n);
	}
	for (size_t i = 0; i < p->n_blocks; i++)
		assert(p->blocks[i].linked_bytes <= p->text.n && p->blocks[i].text.n > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str html = { (const char *)data, size };
	struct arena a = { 0 };
	struct page p = { 0 };
	uint64_t *ways;
	size_t n;

	html_page_read(html, NULL, &a, &p);
	check_links(&p);
	html_page_read(html,
		       &(struct page_options){ .max_links = 3, .max_text_bytes = 7 }, &a,
		       &p);
	assert(p.n_links <= 3 && p.text.n <= 7);
	tagpath_set(html, TAGPATH_CLASSES, 1000, &a, &ways, &n);
	arena_release(&a);
	return 0;
}
