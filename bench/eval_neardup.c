/*
 * eval_neardup - every method on the labelled data: `eval_neardup DATA`.
 *
 * Three sets: pairs (text graded by people), html-edits (pages with known edits,
 * main content extracted) and states (DOM states of one application).  For each
 * method: F1 at its one fixed threshold, and the best F1 any threshold would
 * have given in hindsight.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "html/anchor_windows.h"
#include "html/controls.h"
#include "html/tagpath.h"
#include "method/method.h"
#include "page/page.h"

#define LINE_MAX_BYTES ((size_t)64 << 20)

struct labelled_pair {
	size_t a, b;
	bool near;
};

struct set {
	const char *name;
	struct document *docs;
	struct str *names;
	size_t n_docs, cap_docs, cap_names;
	struct labelled_pair *pairs;
	size_t n_pairs, cap_pairs;
	struct arena bytes;
};

static struct buf load(const char *dir, const char *name)
{
	struct buf all = { 0 };
	char path[512], block[1 << 16];
	int n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	gzFile f = gzopen(path, "rb");
	while (f && (n = gzread(f, block, sizeof(block))) > 0)
		buf_add(&all, (struct str){ block, (size_t)n });
	if (f)
		gzclose(f);
	return all;
}

static size_t add_doc(struct set *s, struct document doc, struct str name)
{
	VEC_ADD(s->docs, s->n_docs, s->cap_docs, doc);
	VEC_RESERVE(s->names, s->cap_names, s->n_docs);
	s->names[s->n_docs - 1] = arena_copy(&s->bytes, name);
	return s->n_docs - 1;
}

static size_t find_doc(const struct set *s, struct str name)
{
	for (size_t i = 0; i < s->n_docs; i++)
		if (str_eq(s->names[i], name))
			return i;
	return SIZE_MAX;
}

/* Call `each` for every line of a file of JSON objects. */
static void each_line(struct set *s, struct str text,
		      void (*each)(struct set *, const struct json *))
{
	struct str line;

	while (str_take_line(&text, &line)) {
		struct json *v = NULL;

		if (json_parse(line, &v, NULL) == ST_OK)
			each(s, v);
		json_release(&v);
	}
}

static void add_text_pair(struct set *s, const struct json *v)
{
	struct labelled_pair p = { .near = json_number(json_get(v, "label"), 0) >= 1 };

	p.a = add_doc(s,
		      (struct document){
			      .text = arena_copy(&s->bytes, json_str(json_get(v, "a"))),
			      .language = STR("en") },
		      STR(""));
	p.b = add_doc(s,
		      (struct document){
			      .text = arena_copy(&s->bytes, json_str(json_get(v, "b"))),
			      .language = STR("en") },
		      STR(""));
	VEC_ADD(s->pairs, s->n_pairs, s->cap_pairs, p);
}

/* The main content where `main_only`, otherwise all text; links and tag paths. */
static struct document read_page(struct set *s, struct str html, bool main_only)
{
	struct page page = { 0 };
	struct document doc = { .language = STR("en") };
	struct buf text = { 0 };
	struct str *links;
	uint64_t *paths;

	html = arena_copy(&s->bytes, html);
	page_parse(&(struct page_input){ .body = html,
					 .content_type = STR("text/html; "
							     "charset=utf-8") },
		   NULL, &s->bytes, &page);
	for (size_t i = 0; i < page.n_blocks; i++)
		if (!main_only || page.blocks[i].is_main) {
			buf_add(&text, page.blocks[i].text);
			buf_add_char(&text, '\n');
		}
	doc.text = arena_copy(&s->bytes, buf_str(&text));
	buf_release(&text);
	links = arena_alloc(&s->bytes, (page.n_links + 1) * sizeof(*links));
	for (size_t i = 0; i < page.n_links; i++)
		links[i] = page.links[i].url;
	doc.links = links;
	doc.n_links = page.n_links;
	tagpath_set(html, TAGPATH_CLASSES, 1 << 20, &s->bytes, &paths, &doc.n_tag_paths);
	doc.tag_paths = paths;
	controls_set(html, 1 << 16, &s->bytes, &paths, &doc.n_controls);
	doc.controls = paths;
	anchor_windows(html, 1 << 16, &s->bytes, &links, &doc.n_windows);
	doc.windows = links;
	return doc;
}

static void add_edit_page(struct set *s, const struct json *v)
{
	add_doc(s, read_page(s, json_str(json_get(v, "html")), true),
		json_str(json_get(v, "file")));
}

static void add_edit_pair(struct set *s, const struct json *v)
{
	struct labelled_pair p = { .near = json_number(json_get(v, "label"), 0) >= 1 };

	p.a = find_doc(s, json_str(json_get(v, "a")));
	p.b = find_doc(s, json_str(json_get(v, "b")));
	if (p.a != SIZE_MAX && p.b != SIZE_MAX)
		VEC_ADD(s->pairs, s->n_pairs, s->cap_pairs, p);
}

static void add_state(struct set *s, const struct json *v)
{
	add_doc(s, read_page(s, json_str(json_get(v, "html")), false),
		json_str(json_get(v, "state")));
}

/* response<TAB>state1<TAB>state2; 2 is distinct, 0 and 1 are clones and near-duplicates.
 */
static void add_state_pairs(struct set *s, struct str text)
{
	struct str line, response, a;

	while (str_take_line(&text, &line)) {
		if (!str_take_until(&line, '\t', &response) ||
		    !str_take_until(&line, '\t', &a))
			continue;
		struct labelled_pair p = { find_doc(s, a), find_doc(s, str_trim(line)),
					   !str_eq(response, STR("2")) };
		if (p.a != SIZE_MAX && p.b != SIZE_MAX)
			VEC_ADD(s->pairs, s->n_pairs, s->cap_pairs, p);
	}
}

static void load_sets(const char *dir, struct set sets[3])
{
	struct buf news = load(dir, "pairs/news.jsonl.gz");
	struct buf gov = load(dir, "pairs/gov.jsonl.gz");
	struct buf pages = load(dir, "html-edits/pages.jsonl.gz");
	struct buf edits = load(dir, "html-edits/pairs.jsonl.gz");
	struct buf states = load(dir, "states/petclinic-states.jsonl.gz");
	struct buf graded = load(dir, "states/petclinic-pairs.tsv.gz");

	sets[0].name = "pairs";
	each_line(&sets[0], buf_str(&news), add_text_pair);
	each_line(&sets[0], buf_str(&gov), add_text_pair);
	sets[1].name = "html-edits";
	each_line(&sets[1], buf_str(&pages), add_edit_page);
	each_line(&sets[1], buf_str(&edits), add_edit_pair);
	sets[2].name = "states";
	each_line(&sets[2], buf_str(&states), add_state);
	add_state_pairs(&sets[2], buf_str(&graded));
	buf_release(&news);
	buf_release(&gov);
	buf_release(&pages);
	buf_release(&edits);
	buf_release(&states);
	buf_release(&graded);
}

struct scored {
	double measure;
	bool near;
};

struct quality {
	double f1, precision, recall, best_f1, best_threshold;
};

static int nearest_first(const void *a, const void *b)
{
	const struct scored *x = a, *y = b;

	return (x->measure > y->measure) - (x->measure < y->measure);
}

static struct quality judge(const struct method *m, struct scored *v, size_t n)
{
	double tp = 0, fp = 0, fn = 0, all = 0, best_tp = 0;
	struct quality q = { 0 };

	for (size_t i = 0; i < n; i++) {
		bool said = method_is_near(m, v[i].measure, m->threshold);

		tp += said && v[i].near;
		fp += said && !v[i].near;
		fn += !said && v[i].near;
		all += v[i].near;
		if (!m->smaller_is_nearer)
			v[i].measure = -v[i].measure;
	}
	q.f1 = tp > 0 ? 2 * tp / (2 * tp + fp + fn) : 0;
	q.precision = tp > 0 ? tp / (tp + fp) : 0;
	q.recall = all > 0 ? tp / all : 0;
	qsort(v, n, sizeof(*v), nearest_first);
	for (size_t i = 0; i < n; i++) {
		best_tp += v[i].near;
		if (i + 1 < n && v[i + 1].measure == v[i].measure)
			continue;
		double f1 = 2 * best_tp / ((double)(i + 1) + all);
		if (f1 > q.best_f1 && isfinite(v[i].measure)) {
			q.best_f1 = f1;
			q.best_threshold =
				m->smaller_is_nearer ? v[i].measure : -v[i].measure;
		}
	}
	return q;
}

static struct quality measure(const struct method *m, const struct set *s)
{
	struct buf *prints = xcalloc(s->n_docs + 1, sizeof(*prints));
	struct scored *v = xcalloc(s->n_pairs + 1, sizeof(*v));

	for (size_t i = 0; i < s->n_docs; i++)
		method_fingerprint(m, &s->docs[i], NULL, &prints[i]);
	for (size_t i = 0; i < s->n_pairs; i++) {
		v[i].near = s->pairs[i].near;
		if (method_measure(m, buf_str(&prints[s->pairs[i].a]),
				   buf_str(&prints[s->pairs[i].b]),
				   &v[i].measure) != ST_OK)
			abort();
	}
	struct quality q = judge(m, v, s->n_pairs);
	for (size_t i = 0; i < s->n_docs; i++)
		buf_release(&prints[i]);
	free(prints);
	free(v);
	return q;
}

static bool applies(const struct method *m, const struct set *s)
{
	return s->n_pairs && s->n_docs &&
	       (m->features.kind != FEATURE_TAG_PATHS || s->docs[0].n_tag_paths) &&
	       (m->features.kind != FEATURE_LINKS || s->docs[0].n_links) &&
	       (m->features.kind != FEATURE_CLICKABLES || s->docs[0].n_controls) &&
	       (m->features.kind != FEATURE_WINDOWS || s->docs[0].n_windows) &&
	       m->features.kind != FEATURE_PICTURE;
}

int main(int argc, char **argv)
{
	struct set sets[3] = { 0 };

	if (argc < 2)
		return fprintf(stderr, "usage: eval_neardup DATA\n"), 2;
	load_sets(argv[1], sets);
	printf("| method | threshold |");
	for (size_t i = 0; i < COUNT(sets); i++) {
		if (sets[i].n_pairs == 0)
			fprintf(stderr, "eval_neardup: no %s under %s; skipped\n",
				sets[i].name, argv[1]);
		printf(" %s: F1 (P, R) | best @ |", sets[i].name);
	}
	printf("\n|---|---|---|---|---|---|---|---|\n");
	for (const struct method *m = methods; m->name; m++) {
		printf("| %s | %g |", m->name, m->threshold);
		for (size_t i = 0; i < COUNT(sets); i++) {
			if (!applies(m, &sets[i])) {
				printf(" | |");
				continue;
			}
			struct quality q = measure(m, &sets[i]);

			printf(" %.3f (%.2f, %.2f) | %.3f @ %.3g |", q.f1, q.precision,
			       q.recall, q.best_f1, q.best_threshold);
		}
		printf("\n");
		fflush(stdout);
	}
	for (size_t i = 0; i < COUNT(sets); i++) {
		free(sets[i].docs);
		free(sets[i].names);
		free(sets[i].pairs);
		arena_release(&sets[i].bytes);
	}
	return 0;
}
