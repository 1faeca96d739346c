#include "corpus/html_doc.h"

#include <string.h>

#include "html/anchor_windows.h"
#include "html/controls.h"
#include "html/tagpath.h"
#include "page/page.h"

#define DOUBTED_SHARE 10
#define PARTS_MAX     ((size_t)1 << 16) /* controls or links of a page */

static size_t count_words(struct str text)
{
	size_t n = 0;
	bool inside = false;

	for (size_t i = 0; i < text.n; i++) {
		bool space = (unsigned char)text.p[i] <= ' ';

		n += !space && !inside;
		inside = !space;
	}
	return n;
}

/*
 * Less than a tenth.  Near the edge words decide: a word that is longer in one copy of a
 * page than in the other must not put them on two sides.
 */
static bool is_doubted(struct str main, struct str whole)
{
	if (main.n * (2 * DOUBTED_SHARE) < whole.n ||
	    main.n * (DOUBTED_SHARE / 2) > whole.n)
		return main.n * DOUBTED_SHARE < whole.n;
	return count_words(main) * DOUBTED_SHARE < count_words(whole);
}

/*
 * The main content.  All of the text where there is none, or next to none: what was found
 * then is a footer, and pages that differ in the rest would be one.
 */
static struct str text_of(struct corpus_work *w, const struct page *page, bool whole_page)
{
	buf_reset(&w->text);
	for (size_t i = 0; i < page->n_blocks; i++)
		if (page->blocks[i].is_main) {
			buf_add(&w->text, page->blocks[i].text);
			buf_add_char(&w->text, '\n');
		}
	return whole_page || is_doubted(buf_str(&w->text), page->text)
		       ? page->text
		       : buf_str(&w->text);
}

static void take_links(const struct page *page, struct arena *a, struct corpus_doc *ret)
{
	struct str *links = arena_alloc(a, (page->n_links + 1) * sizeof(*links));

	for (size_t i = 0; i < page->n_links; i++)
		links[i] = page->links[i].url;
	ret->links = links;
	ret->n_links = page->n_links;
}

static void take_anchors(const struct page *page, struct arena *a, struct corpus_doc *ret)
{
	struct str *texts = arena_alloc(a, (page->n_links + 1) * sizeof(*texts));

	for (size_t i = 0; i < page->n_links; i++)
		if (page->links[i].text.n)
			texts[ret->n_anchors++] = page->links[i].text;
	ret->anchors = texts;
}

static struct str named(struct arena *a, struct str name, struct str value)
{
	char *p = arena_alloc(a, name.n + 1 + value.n);

	memcpy(p, name.p, name.n);
	p[name.n] = '=';
	memcpy(p + name.n + 1, value.p, value.n);
	return (struct str){ p, name.n + 1 + value.n };
}

/* The title is metadata, too. */
static void take_metadata(const struct page *page, struct arena *a,
			  struct corpus_doc *ret)
{
	struct str *v = arena_alloc(a, (page->n_meta + 1) * sizeof(*v));

	if (page->title.n)
		v[ret->n_metadata++] = named(a, STR("title"), page->title);
	for (size_t i = 0; i < page->n_meta; i++)
		v[ret->n_metadata++] = named(a, page->meta[i].name, page->meta[i].value);
	ret->metadata = v;
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
					   .text_only = !o->links && !o->anchors &&
							!o->metadata },
		   &w->page, &page);
	ret->text = text_of(w, &page, o->whole_page);
	ret->language = str_slice(page.lang, 0, 2);
	ret->is_canonical = page.canonical.n && str_eq(page.canonical, ret->name);
	if (o->links)
		take_links(&page, &w->page, ret);
	if (o->anchors)
		take_anchors(&page, &w->page, ret);
	if (o->metadata)
		take_metadata(&page, &w->page, ret);
	if (o->tag_paths)
		tagpath_set(html, o->tags_only ? TAGPATH_TAGS : TAGPATH_CLASSES, 1 << 20,
			    &w->page, &paths, &ret->n_tag_paths);
	ret->tag_paths = paths;
	if (o->controls) {
		uint64_t *controls;

		controls_set(html, PARTS_MAX, &w->page, &controls, &ret->n_controls);
		ret->controls = controls;
	}
	if (o->windows) {
		struct str *windows;

		anchor_windows(html, PARTS_MAX, &w->page, &windows, &ret->n_windows);
		ret->windows = windows;
	}
}
