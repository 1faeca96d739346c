#include "dup/page_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/file.h"

#define STATE_MAX     ((size_t)1 << 30)
#define SAVED_A_BLOCK 8

void page_check_release(struct page_check *c)
{
	dup_index_release(&c->index);
	templates_release(&c->templates);
	bogus_release(&c->probes);
	free(c->dir);
	page_sketch_release(&c->sketch);
	page_sketch_release(&c->whole);
	buf_release(&c->content);
	buf_release(&c->template_text);
	buf_release(&c->joined);
	free(c->marks);
	*c = (struct page_check){ 0 };
}

/* What was learnt can be learnt again: a damaged file is begun anew. */
static enum status load_templates(struct page_check *c, const char *path,
				  struct diag *why)
{
	cleanup(buf_release) struct buf bytes = { 0 };

	if (file_exists(path))
		TRY(file_load(path, STATE_MAX, &bytes, why));
	if (bytes.n && templates_decode(buf_str(&bytes), &c->templates) != ST_OK)
		templates_release(&c->templates);
	return ST_OK;
}

static enum status load_learnt(struct page_check *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };

	TRY(load_templates(c, path_join(&a, c->dir, STR("templates")), why));
	return bogus_open(&c->probes, path_join(&a, c->dir, STR("probes.seg")), why);
}

enum status page_check_open(struct page_check *c, const struct dup_index_options *options,
			    struct diag *why)
{
	*c = (struct page_check){ 0 };
	enum status st = dup_index_open(&c->index, options, why);
	if (st == ST_OK && options->dir) {
		c->dir = strdup(options->dir);
		st = load_learnt(c, why);
	}
	if (st != ST_OK)
		page_check_release(c);
	return st;
}

/*
 * All hosts' templates are written, so not each time: only when so many blocks were seen
 * that a few were written for each.
 */
static enum status save_templates(struct page_check *c, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf bytes = { 0 };

	if (c->unsaved == 0 || templates_size(&c->templates) / SAVED_A_BLOCK > c->unsaved)
		return ST_OK;
	templates_encode(&c->templates, &bytes);
	TRY(file_replace(path_join(&a, c->dir, STR("templates")), buf_str(&bytes), why));
	c->unsaved = 0;
	return ST_OK;
}

enum status page_check_sync(struct page_check *c, struct sync_set *later,
			    struct diag *why)
{
	TRY(dup_index_sync(&c->index, later, why));
	if (!c->dir)
		return ST_OK;
	TRY(bogus_sync(&c->probes, later, why));
	return save_templates(c, why);
}

static void join(const struct checked_page *in, const bool *only, struct buf *to)
{
	buf_reset(to);
	for (size_t i = 0; i < in->n_blocks; i++) {
		if (only && !only[i])
			continue;
		buf_add(to, in->blocks[i]);
		buf_add_char(to, '\n');
	}
}

/* Learn the page; its text falls into the host's and its own. */
static void split(struct page_check *c, const struct checked_page *in)
{
	VEC_RESERVE(c->marks, c->cap_marks, in->n_blocks + 1);
	if (in->again)
		templates_mark(&c->templates, in->host, in->blocks, in->n_blocks,
			       c->marks);
	else
		templates_see(&c->templates, in->host, in->blocks, in->n_blocks,
			      c->marks);
	c->unsaved += in->again ? 0 : in->n_blocks;
	buf_reset(&c->content);
	buf_reset(&c->template_text);
	for (size_t i = 0; i < in->n_blocks; i++) {
		struct buf *to = c->marks[i] ? &c->template_text : &c->content;

		buf_add(to, in->blocks[i]);
		buf_add_char(to, '\n');
	}
}

/*
 * Frames that change with every request hide what is the same: then four fifths of
 * what is left without the host's template must be the probe's.
 */
static bool is_in_probe(const struct page_check *c, const struct page_sketch *probe,
			struct overlap own, struct overlap whole)
{
	return c->sketch.text.n_shingles >= 12 && own.shared >= 4 * own.only_a &&
	       whole.only_b <= 8 + probe->text.n_shingles / 6;
}

/*
 * Or it is the frame that is new each time, with what else there is to read: then the
 * main text must be the probe's, and the rest nearly so.
 */
static bool main_is_in_probe(struct page_check *c, const struct checked_page *in,
			     const struct page_sketch *probe, struct overlap whole)
{
	if (!in->is_main || whole.only_a > 8 + c->whole.text.n_shingles / 6 ||
	    whole.only_b > 8 + probe->text.n_shingles / 6)
		return false;
	join(in, in->is_main, &c->joined);
	page_sketch_make(buf_str(&c->joined), &c->whole);
	struct overlap main = page_sketch_overlap(&c->whole, probe);
	return c->whole.text.n_shingles >= 12 && main.shared >= 19 * main.only_a;
}

/*
 * Most pages say so much of their own that the whole need not be looked at.  Where
 * the template was cut out, four shingles each are neither's.
 */
static bool says_enough(const struct page_check *c, const struct checked_page *in,
			struct overlap own)
{
	uint64_t words = c->sketch.text.n_words + c->template_text.n / 2;

	return own.shared < 4 * own.only_a &&
	       own.only_a > 2 * (8 + words / 20) + 4 * in->n_blocks;
}

/*
 * A soft 404 says nothing that the probe did not say, but for an echo of the
 * URL or the search words: eight shingles, or a twentieth of the page.  And it says
 * what the probe says: a page of little text in a large frame does not.
 */
static bool is_soft_404(struct page_check *c, const struct checked_page *in,
			struct verdict *ret)
{
	const struct page_sketch *probe = bogus_find(&c->probes, hash64(in->host));

	if (!probe || in->is_there)
		return false;
	page_sketch_sort(&c->sketch);
	struct overlap own = page_sketch_overlap(&c->sketch, probe);
	if (says_enough(c, in, own))
		return false;
	join(in, NULL, &c->joined);
	page_sketch_make(buf_str(&c->joined), &c->whole);
	struct overlap o = page_sketch_overlap(&c->whole, probe);
	bool nothing_else = o.shared > 0 &&
			    o.only_a <= 8 + c->whole.text.n_shingles / 20 &&
			    o.only_b <= 8 + probe->text.n_shingles / 10;
	if (!nothing_else && !is_in_probe(c, probe, own, o) &&
	    !main_is_in_probe(c, in, probe, o))
		return false;
	*ret = (struct verdict){ .kind = VERDICT_SOFT_404,
				 .method = STR("probe"),
				 .score = overlap_containment(o),
				 .threshold = 0.95,
				 .representative = VERDICT_NO_DOC,
				 .shared = o.shared,
				 .only_here = o.only_a,
				 .only_there = o.only_b };
	return true;
}

static enum status ask_content(struct page_check *c, const struct checked_page *in,
			       struct page_answer *ret, struct diag *why)
{
	struct stored_doc doc = { .name = in->url, .length = c->content.n };
	bool only_template =
		c->template_text.n && c->sketch.text.n_shingles < PAGE_MIN_SHINGLES;

	c->sketch.payload = in->payload;
	TRY(dup_index_see(&c->index, &c->sketch, &doc, &ret->verdict, &ret->doc, why));
	if (only_template && ret->verdict.kind == VERDICT_NEW) {
		ret->verdict.kind = VERDICT_TEMPLATE_ONLY;
		ret->verdict.method = STR("template");
	}
	return ST_OK;
}

enum status page_check_see(struct page_check *c, const struct checked_page *in,
			   struct page_answer *ret, struct diag *why)
{
	*ret = (struct page_answer){ .doc = VERDICT_NO_DOC };
	split(c, in);
	if (c->template_text.n)
		ret->template_simhash =
			text_simhash(buf_str(&c->template_text), PAGE_SHINGLE_WORDS);
	page_sketch_make_raw(buf_str(&c->content), &c->sketch);
	ret->content_simhash = c->sketch.text.simhash;
	if (is_soft_404(c, in, &ret->verdict))
		return ST_OK;
	return ask_content(c, in, ret, why);
}

void page_check_probe(struct page_check *c, const struct checked_page *in)
{
	struct page_sketch s = { 0 };

	join(in, NULL, &c->content);
	page_sketch_make(buf_str(&c->content), &s);
	bogus_set(&c->probes, hash64(in->host), &s);
}

bool page_check_has_probe(const struct page_check *c, struct str host)
{
	return bogus_find(&c->probes, hash64(host)) != NULL;
}
