#include "calibrate/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/intern.h"
#include "dedup/dedup.h"
#include "os/map_file.h"
#include "picture/print.h"
#include "warc/decoder.h"

#define LABELS_BYTES_MAX ((size_t)1 << 28)

void samples_release(struct sample_set *s)
{
	free(s->v);
	free(s->sites);
	free(s->pairs);
	arena_release(&s->bytes);
	*s = (struct sample_set){ 0 };
}

size_t samples_labelled(const struct sample_set *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->v[i].bin != SAMPLE_NO_BIN;
	return n;
}

size_t samples_bins(const struct sample_set *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->site_count; i++)
		n += s->sites[i].bins;
	return n;
}

struct sample_site *samples_add_site(struct sample_set *s, struct str name)
{
	VEC_ADD(s->sites, s->site_count, s->site_cap,
		(struct sample_site){ .name = arena_copy(&s->bytes, name),
				      .first = (uint32_t)s->n });
	return &s->sites[s->site_count - 1];
}

static const struct str *copy_strings(struct arena *a, const struct str *v, size_t n)
{
	struct str *to = arena_alloc(a, (n + 1) * sizeof(*to));

	for (size_t i = 0; i < n; i++)
		to[i] = arena_copy(a, v[i]);
	return to;
}

static const uint64_t *copy_hashes(struct arena *a, const uint64_t *v, size_t n)
{
	uint64_t *to = arena_alloc(a, (n + 1) * sizeof(*to));

	if (n)
		memcpy(to, v, n * sizeof(*to));
	return to;
}

struct sample *samples_add(struct sample_set *s, struct str name, struct str html,
			   const struct document *doc)
{
	struct arena *a = &s->bytes;
	struct sample one = { .name = arena_copy(a, name),
			      .html = arena_copy(a, html),
			      .doc = *doc,
			      .bin = SAMPLE_NO_BIN };

	one.doc.tag_paths = copy_hashes(a, doc->tag_paths, doc->n_tag_paths);
	one.doc.controls = copy_hashes(a, doc->controls, doc->n_controls);
	one.doc.windows = copy_strings(a, doc->windows, doc->n_windows);
	one.doc.text = arena_copy(a, doc->text);
	one.doc.language = arena_copy(a, doc->language);
	one.doc.links = copy_strings(a, doc->links, doc->n_links);
	one.doc.anchors = copy_strings(a, doc->anchors, doc->n_anchors);
	one.doc.metadata = copy_strings(a, doc->metadata, doc->n_metadata);
	VEC_ADD(s->v, s->n, s->cap, one);
	s->sites[s->site_count - 1].n++;
	return &s->v[s->n - 1];
}

enum status samples_load_file(const char *path, size_t limit, struct buf *ret,
			      struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };
	cleanup(decoder_release) struct decoder d = { 0 };
	struct str part;
	enum status st;

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	decoder_init(&d, map.bytes);
	while ((st = decoder_next(&d, &part, why)) == ST_OK) {
		if (part.n > limit - MIN(limit, ret->n))
			return diag_fail(why, ST_TOO_LARGE, "%s: more than %zu bytes",
					 path, limit);
		buf_add(ret, part);
	}
	return st == ST_AGAIN ? ST_OK : st;
}

enum status samples_add_picture(struct sample_set *s, struct sample *one,
				const char *path, struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };
	cleanup(grey_picture_release) struct grey_picture grey = { 0 };
	struct diag inner = { 0 };
	enum status st;

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	st = png_read(map.bytes, &grey, &inner);
	if (st != ST_OK)
		return diag_fail(why, st, "%s: %s", path, inner.text);
	struct picture_print *print = arena_alloc(&s->bytes, sizeof(*print));
	*print = picture_print(&grey);
	one->picture = arena_copy(&s->bytes, str_from(path));
	one->doc.picture = print;
	return ST_OK;
}

/* --- JSON lines --- */

static bool is_near_label(struct str label)
{
	return label.n && !str_eq(label, STR("0")) && !str_eq(label, STR("false")) &&
	       !str_eq(label, STR("null"));
}

/* A pair is a site of two samples: in one bin when near. */
static void add_pair(struct sample_set *s, struct str label, struct str a, struct str b)
{
	char name[32];
	bool near = is_near_label(label);

	snprintf(name, sizeof(name), "pair %zu", s->site_count + 1);
	samples_add_site(s, str_from(name));
	samples_add(s, STR("a"), (struct str){ 0 }, &(struct document){ .text = a })
		->bin = 0;
	samples_add(s, STR("b"), (struct str){ 0 }, &(struct document){ .text = b })
		->bin = near ? 0 : 1;
	s->sites[s->site_count - 1].bins = near ? 1 : 2;
	VEC_ADD(s->pairs, s->pair_count, s->pair_cap,
		(struct graded_pair){ (uint32_t)s->n - 2, (uint32_t)s->n - 1, near });
}

static enum status check_size(const struct sample_set *s, struct diag *why)
{
	if (s->n > SAMPLES_MAX)
		return diag_fail(why, ST_TOO_LARGE,
				 "more than %d documents: calibrate on a part of them",
				 SAMPLES_MAX);
	if (s->site_count && s->sites[s->site_count - 1].n > SITE_SAMPLES_MAX)
		return diag_fail(
			why, ST_TOO_LARGE,
			"more than %d documents in one site: calibrate on a part",
			SITE_SAMPLES_MAX);
	return ST_OK;
}

enum line_kind { LINE_DOCUMENT, LINE_STATE, LINE_PAIR };

static enum line_kind line_kind(struct str line, struct buf *scratch)
{
	struct jsonl_want w[] = { { .name = STR("text") },
				  { .name = STR("html") },
				  { .name = STR("a") },
				  { .name = STR("b") } };

	buf_reset(scratch);
	if (jsonl_read(line, w, COUNT(w), scratch, NULL) != ST_OK)
		return LINE_DOCUMENT;
	if (w[1].found && !w[0].found)
		return LINE_STATE;
	return w[2].found && w[3].found ? LINE_PAIR : LINE_DOCUMENT;
}

/* What the lines of a file with HTML are known by. */
static struct str name_field(struct str line, struct buf *scratch)
{
	static const struct str names[] = { STR("state"), STR("id"), STR("file") };

	for (size_t i = 0; i < COUNT(names); i++) {
		struct jsonl_want w = { .name = names[i] };

		buf_reset(scratch);
		if (jsonl_read(line, &w, 1, scratch, NULL) == ST_OK && w.found)
			return names[i];
	}
	return (struct str){ 0 }; /* the URL */
}

static uint32_t bin_of(struct sample_set *s, struct intern *bins, struct str name)
{
	uint32_t bin;

	if (name.n == 0)
		return SAMPLE_NO_BIN;
	bin = intern_add(bins, name);
	s->sites[s->site_count - 1].bins = (uint32_t)bins->n;
	return bin;
}

struct corpus_options sample_reading(bool main_content)
{
	return (struct corpus_options){ .whole_page = !main_content,
					.links = true,
					.anchors = true,
					.metadata = true,
					.tag_paths = true,
					.controls = true,
					.windows = true };
}

/* What stands in the folder of a set beside NAME-states.jsonl: NAME-pairs.tsv. */
static enum status load_sibling_pairs(struct sample_set *s, size_t site, struct str path,
				      struct diag *why)
{
	static const char *const endings[] = { "-pairs.tsv.gz", "-pairs.tsv" };
	size_t at = str_find(path, STR("-states.jsonl"));

	for (size_t i = 0; at != STR_NONE && i < COUNT(endings); i++) {
		cleanup(buf_release) struct buf name = { 0 }, text = { 0 };

		buf_add(&name, str_slice(path, 0, at));
		buf_add(&name, str_from(endings[i]));
		if (!file_exists(buf_cstr(&name)))
			continue;
		TRY(samples_load_file(buf_cstr(&name), LABELS_BYTES_MAX, &text, why));
		return samples_add_labels(s, site, buf_str(&text), why);
	}
	return ST_OK;
}

/* A file named in another one is looked for beside that. */
static enum status add_picture_beside(struct sample_set *s, struct str file,
				      struct str name, struct sample *one,
				      struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };
	size_t slash = str_rfind_char(file, '/');

	if (name.p[0] != '/' && slash != STR_NONE)
		buf_add(&path, str_slice(file, 0, slash + 1));
	buf_add(&path, name);
	return samples_add_picture(s, one, buf_cstr(&path), why);
}

static enum status load_states(struct sample_set *s, struct str path, struct str names,
			       const struct sample_options *o, struct diag *why)
{
	cleanup(corpus_release) struct corpus c = { 0 };
	cleanup(intern_release) struct intern bins = { 0 };
	cleanup(buf_release) struct buf scratch = { 0 };
	struct corpus_options how = sample_reading(o->main_content);
	struct corpus_doc doc;
	enum status st;
	size_t site = s->site_count;

	how.format = CORPUS_JSONL;
	how.text_field = STR("html");
	how.name_field = names;
	how.html = true;
	TRY(corpus_open(&c, &path, 1, &how, why));
	samples_add_site(s, path);
	while ((st = corpus_next(&c, &doc, why)) == ST_OK) {
		struct jsonl_want w[] = { { .name = STR("bin") },
					  { .name = STR("html") },
					  { .name = STR("screenshot") } };
		struct document d = dedup_document(&doc);

		buf_reset(&scratch);
		TRY(jsonl_read(doc.raw, w, COUNT(w), &scratch, why));
		struct sample *one = samples_add(s, doc.name, w[1].value, &d);
		one->bin = bin_of(s, &bins, w[0].value);
		if (w[2].value.n)
			TRY(add_picture_beside(s, path, w[2].value, one, why));
		TRY(check_size(s, why));
	}
	if (st != ST_AGAIN)
		return st;
	return load_sibling_pairs(s, site, path, why);
}

static enum status load_pairs(struct sample_set *s, struct str path, struct diag *why)
{
	cleanup(corpus_release) struct corpus c = { 0 };
	cleanup(buf_release) struct buf scratch = { 0 };
	struct corpus_options how = { .format = CORPUS_JSONL, .text_field = STR("a") };
	struct corpus_doc doc;
	enum status st;

	TRY(corpus_open(&c, &path, 1, &how, why));
	while ((st = corpus_next(&c, &doc, why)) == ST_OK) {
		struct jsonl_want w[] = { { .name = STR("label") },
					  { .name = STR("a") },
					  { .name = STR("b") } };

		buf_reset(&scratch);
		TRY(jsonl_read(doc.raw, w, COUNT(w), &scratch, why));
		add_pair(s, w[0].value, w[1].value, w[2].value);
		TRY(check_size(s, why));
	}
	return st == ST_AGAIN ? ST_OK : st;
}

/* Any other file or folder: its documents are one site. */
static enum status load_documents(struct sample_set *s, struct str path,
				  const struct sample_options *o, struct diag *why)
{
	cleanup(corpus_release) struct corpus c = { 0 };
	struct corpus_options how = sample_reading(o->main_content);
	struct corpus_raw raw;
	enum status st;

	TRY(corpus_open(&c, &path, 1, &how, why));
	samples_add_site(s, path);
	while ((st = corpus_read(&c, &raw, why)) == ST_OK) {
		struct corpus_doc doc;

		st = corpus_parse(&c.options, &raw, &c.work, &doc, why);
		if (st == ST_NOT_FOUND)
			continue;
		if (st != ST_OK)
			return st;
		struct document d = dedup_document(&doc);
		bool is_html = raw.format == CORPUS_HTML;
		samples_add(s, doc.name, is_html ? raw.bytes : (struct str){ 0 }, &d);
		TRY(check_size(s, why));
	}
	return st == ST_AGAIN ? ST_OK : st;
}

static bool is_picture(const char *path)
{
	cleanup(map_file_release) struct map_file map = { 0 };

	return map_file_open(&map, path, MAP_SEQUENTIAL, NULL) == ST_OK &&
	       png_is(map.bytes);
}

static enum status load_picture(struct sample_set *s, struct str path, const char *name,
				struct diag *why)
{
	samples_add_site(s, path);
	return samples_add_picture(
		s, samples_add(s, path, (struct str){ 0 }, &(struct document){ 0 }), name,
		why);
}

/* The kind of a file is that of its first line; not JSON lines: its documents. */
static enum status load_file(struct sample_set *s, struct str path,
			     const struct sample_options *o, struct diag *why)
{
	cleanup(corpus_release) struct corpus c = { 0 };
	cleanup(buf_release) struct buf scratch = { 0 };
	struct corpus_options how = { 0 };
	struct corpus_raw raw;

	TRY(corpus_open(&c, &path, 1, &how, why));
	if (corpus_read(&c, &raw, why) != ST_OK || raw.format != CORPUS_JSONL)
		return load_documents(s, path, o, why);
	switch (line_kind(raw.bytes, &scratch)) {
	case LINE_STATE:
		return load_states(s, path, name_field(raw.bytes, &scratch), o, why);
	case LINE_PAIR:
		return load_pairs(s, path, why);
	case LINE_DOCUMENT:
		break;
	}
	return load_documents(s, path, o, why);
}

static bool is_state_file(struct str name)
{
	return str_find(name, STR("-states.jsonl")) != STR_NONE;
}

/* A folder: a recording, recordings below it, files of states, or documents. */
static enum status load_dir(struct sample_set *s, const char *dir,
			    const struct sample_options *o, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list names = { 0 };
	size_t before = s->site_count;

	if (samples_is_recording(dir))
		return samples_add_recording(s, dir, o->own_bins, why);
	TRY(dir_list(dir, (struct str){ 0 }, &a, &names, why));
	for (size_t i = 0; i < names.n; i++) {
		char *path = path_join(&a, dir, names.v[i]);

		if (dir_exists(path) && samples_is_recording(path))
			TRY(samples_add_recording(s, path, o->own_bins, why));
		else if (is_state_file(names.v[i]))
			TRY(load_states(s, str_from(path), STR("state"), o, why));
	}
	return s->site_count > before ? ST_OK : load_documents(s, str_from(dir), o, why);
}

enum status samples_load(struct sample_set *ret, const struct str *words, size_t n,
			 const struct sample_options *o, struct diag *why)
{
	cleanup(buf_release) struct buf labels = { 0 };

	if (o->labels.n) {
		cleanup(buf_release) struct buf name = { 0 };

		buf_add(&name, o->labels);
		TRY(samples_load_file(buf_cstr(&name), LABELS_BYTES_MAX, &labels, why));
	}
	for (size_t i = 0; i < n; i++) {
		cleanup(buf_release) struct buf path = { 0 };

		buf_add(&path, words[i]);
		if (dir_exists(buf_cstr(&path)))
			TRY(load_dir(ret, buf_cstr(&path), o, why));
		else if (is_picture(buf_cstr(&path)))
			TRY(load_picture(ret, words[i], buf_cstr(&path), why));
		else
			TRY(load_file(ret, words[i], o, why));
	}
	for (size_t i = 0; labels.n && i < ret->site_count; i++)
		TRY(samples_add_labels(ret, i, buf_str(&labels), why));
	return ST_OK;
}
