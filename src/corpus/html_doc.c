#include "corpus/html_doc.h"

#include "page/page.h"
#include "page/tagpath.h"

/* The main content; all of the text where there is none. */
static struct str text_of(struct corpus_work *w, const struct page *page, bool whole_page)
{
	buf_reset(&w->text);
	for (size_t i = 0; i < page->n_blocks; i++)
		if (page->blocks[i].is_main) {
			buf_add(&w->text, page->blocks[i].text);
			buf_add_char(&w->text, '\n');
		}
	return w->text.n && !whole_page ? buf_str(&w->text) : page->text;
}

static void take_links(const struct page *page, struct corpus_work *w,
		       struct corpus_doc *ret)
{
	struct str *links = arena_alloc(&w->page, (page->n_links + 1) * sizeof(*links));

	for (size_t i = 0; i < page->n_links; i++)
		links[i] = page->links[i].url;
	ret->links = links;
	ret->n_links = page->n_links;
}

void html_doc_read(const struct corpus_options *o, struct str html,
		   struct str content_type, struct corpus_work *w, struct corpus_doc *ret)
{
	struct page page = { 0 };
	struct page_input in = { .body = html,
				 .content_type = content_type,
				 .url = ret->name };
	uint64_t *paths = NULL;

	page_parse(&in,
		   &(struct page_options){ .no_guesses = true,
					   .no_language = true,
					   .text_only = !o->links },
		   &w->page, &page);
	ret->text = text_of(w, &page, o->whole_page);
	ret->language = str_slice(page.lang, 0, 2);
	ret->is_canonical = page.canonical.n && str_eq(page.canonical, ret->name);
	if (o->links)
		take_links(&page, w, ret);
	if (o->tag_paths)
		tagpath_set(html, TAGPATH_CLASSES, 1 << 20, &w->page, &paths,
			    &ret->n_tag_paths);
	ret->tag_paths = paths;
}
