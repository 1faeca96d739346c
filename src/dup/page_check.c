#include "dup/page_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "os/file.h"

#define PROBES_MAGIC STR("THRPRB1\n")
#define STATE_MAX    ((size_t)1 << 30)

void page_check_release(struct page_check *c)
{
	dup_index_release(&c->index);
	templates_release(&c->templates);
	map_release(&c->probes);
	for (size_t i = 0; i < c->n_probes; i++)
		page_sketch_release(&c->probe_v[i]);
	free(c->probe_v);
	free(c->dir);
	page_sketch_release(&c->sketch);
	page_sketch_release(&c->whole);
	buf_release(&c->content);
	buf_release(&c->template_text);
	buf_release(&c->joined);
	free(c->marks);
	*c = (struct page_check){ 0 };
}

static void set_probe(struct page_check *c, uint64_t host, struct page_sketch *taken)
{
	bool fresh;
	uint64_t *at = map_add(&c->probes, host, &fresh);

	if (fresh) {
		*at = c->n_probes + 1;
		VEC_ADD(c->probe_v, c->n_probes, c->cap_probes,
			(struct page_sketch){ 0 });
	}
	page_sketch_release(&c->probe_v[*at - 1]);
	c->probe_v[*at - 1] = TAKE(*taken);
}

static enum status load(const struct page_check *c, struct str name, struct buf *ret,
			struct diag *why)
{
	struct arena a = { 0 };
	char *path = path_join(&a, c->dir, name);
	enum status st = file_exists(path) ? file_load(path, STATE_MAX, ret, why) : ST_OK;

	arena_release(&a);
	return st;
}

static enum status save(const struct page_check *c, struct str name, struct str bytes,
			struct diag *why)
{
	struct arena a = { 0 };
	enum status st = file_save(path_join(&a, c->dir, name), bytes, why);

	arena_release(&a);
	return st;
}

static enum status decode_probes(struct page_check *c, struct str in)
{
	struct str one;
	uint64_t host;

	if (!str_take_prefix(&in, PROBES_MAGIC))
		return ST_CORRUPT;
	while (in.n) {
		struct page_sketch s = { 0 };

		if (!str_take_u64(&in, &host) || !str_take_sized(&in, &one) ||
		    page_sketch_decode(one, &s) != ST_OK) {
			page_sketch_release(&s);
			return ST_CORRUPT;
		}
		set_probe(c, host, &s);
	}
	return ST_OK;
}

/* What was learnt can be learnt again: a damaged file is begun anew. */
static enum status load_learnt(struct page_check *c, struct diag *why)
{
	cleanup(buf_release) struct buf t = { 0 }, p = { 0 };

	TRY(load(c, STR("templates"), &t, why));
	if (t.n && templates_decode(buf_str(&t), &c->templates) != ST_OK)
		templates_release(&c->templates);
	TRY(load(c, STR("probes"), &p, why));
	if (p.n && decode_probes(c, buf_str(&p)) != ST_OK)
		return diag_fail(why, ST_CORRUPT, "%s/probes: damaged; remove it",
				 c->dir);
	return ST_OK;
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

enum status page_check_sync(struct page_check *c, struct diag *why)
{
	cleanup(buf_release) struct buf bytes = { 0 };
	size_t at = 0;
	struct map_slot slot;

	TRY(dup_index_sync(&c->index, why));
	if (!c->dir)
		return ST_OK;
	templates_encode(&c->templates, &bytes);
	TRY(save(c, STR("templates"), buf_str(&bytes), why));
	buf_reset(&bytes);
	buf_add(&bytes, PROBES_MAGIC);
	while (map_next(&c->probes, &at, &slot)) {
		buf_reset(&c->content);
		page_sketch_encode(&c->probe_v[slot.value - 1], &c->content);
		buf_add_u64(&bytes, slot.key);
		buf_add_sized(&bytes, buf_str(&c->content));
	}
	return save(c, STR("probes"), buf_str(&bytes), why);
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
	const uint64_t *at = map_find(&c->probes, hash64(in->host));

	if (!at || in->is_there)
		return false;
	const struct page_sketch *probe = &c->probe_v[*at - 1];
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
	set_probe(c, hash64(in->host), &s);
}

bool page_check_has_probe(const struct page_check *c, struct str host)
{
	return map_find(&c->probes, hash64(host)) != NULL;
}
