/* read.c - phase 1 of `thresh dedup`: documents in, fingerprints to the log. */
#include "base/json.h"
#include "dedup/crew.h"
#include "dedup/dedup.h"

#define ALL_BROKEN 100 /* records from the first on: then nothing is right */

struct reading {
	struct dedup *d;
	struct crew_job job;
	size_t seen, known; /* documents; those of an interrupted run */
};

struct document dedup_document(const struct corpus_doc *doc)
{
	return (struct document){ .text = doc->text,
				  .language = doc->language,
				  .links = doc->links,
				  .n_links = doc->n_links,
				  .anchors = doc->anchors,
				  .n_anchors = doc->n_anchors,
				  .metadata = doc->metadata,
				  .n_metadata = doc->n_metadata,
				  .tag_paths = doc->tag_paths,
				  .n_tag_paths = doc->n_tag_paths,
				  .controls = doc->controls,
				  .n_controls = doc->n_controls,
				  .windows = doc->windows,
				  .n_windows = doc->n_windows };
}

/* Lines of JSON stay as they are; other documents become one of name and text. */
static void make_line(const struct corpus_doc *doc, struct crew_slot *s)
{
	struct json_out o = { .to = &s->line };

	buf_reset(&s->line);
	if (s->raw.offset != CORPUS_NO_OFFSET)
		return;
	if (doc->raw.n) {
		buf_add(&s->line, doc->raw);
	} else {
		json_open(&o, '{');
		json_put_str(&o, "url", doc->name);
		json_put_str(&o, "text", doc->text);
		json_close(&o, '}');
	}
	buf_add_char(&s->line, '\n');
}

static enum status note_line(struct dedup *d, const struct crew_slot *s, struct diag *why)
{
	if (s->line.n)
		return lines_add_made(&d->lines, buf_str(&s->line), why);
	lines_add_place(&d->lines, s->raw.file_nr, s->raw.offset, s->raw.bytes.n + 1);
	return ST_OK;
}

static void make_print(const void *arg, struct crew_slot *s, struct crew_work *w)
{
	const struct reading *r = arg;
	struct corpus_doc doc;

	s->st = corpus_parse(&r->d->input.options, &s->raw, &w->corpus, &doc, &s->why);
	if (s->st != ST_OK)
		return;
	if (r->d->writes_documents)
		make_line(&doc, s);
	/* There are no fewer records than documents: this one is in the log. */
	if (s->nr < r->known)
		return;
	struct document parts = dedup_document(&doc);
	struct batch_doc whole = { doc.name, doc.text.n, doc.score, doc.is_canonical,
				   &parts };
	batch_make(&r->d->batch.options, &whole, &w->batch, &s->made);
}

/* A wrong --field, or a file of another kind: a thousand lines say no more than one. */
static enum status fail_all(const struct diag *last, struct diag *why)
{
	return diag_fail(why, ST_SYNTAX,
			 "none of the first %d records can be read: %.180s", ALL_BROKEN,
			 last->text);
}

/* What became of a record goes into the batch. */
static enum status put_print(void *arg, struct crew_slot *s, struct diag *why)
{
	struct reading *r = arg;

	if (s->st == ST_SYNTAX || s->st == ST_CORRUPT || s->st == ST_TOO_LARGE) {
		dedup_count_broken(r->d, &s->why);
		return r->seen || r->d->broken < ALL_BROKEN ? ST_OK
							    : fail_all(&s->why, why);
	}
	if (s->st == ST_NOT_FOUND)
		return ST_OK;
	if (s->st != ST_OK) {
		*why = s->why;
		return s->st;
	}
	if (r->d->writes_documents)
		TRY(note_line(r->d, s, why));
	if (r->seen++ < r->known) {
		r->job.parts = r->seen == r->known;
		return ST_OK;
	}
	return batch_put(&r->d->batch, &s->made, why);
}

static enum status look_around(void *arg, const struct corpus *c, struct diag *why)
{
	struct reading *r = arg;
	uint64_t done = corpus_bytes_done(c);

	dedup_show(r->d, "reading", done, c->total_bytes, (double)done / 1e6);
	return dedup_pause(r->d, why);
}

/* An interrupted run that had read its standard input to the end has it still. */
static void find_spool(struct dedup *d)
{
	struct arena a = { 0 };
	const char *path = path_join(&a, d->corpus.spool_dir, STR(CORPUS_SPOOL));

	for (size_t i = 0; i < d->n_words; i++)
		d->corpus.spooled |= str_eq(d->words[i], STR("-")) && file_exists(path);
	arena_release(&a);
}

/* Kept lines are copied from where they stand: the output must not be there. */
static enum status check_output(const struct dedup *d, struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };
	const struct str_list *files = &d->input.files;

	buf_add(&path, d->settings->output);
	if (!file_exists(buf_cstr(&path)))
		return ST_OK;
	for (size_t i = 0; i < files->n; i++)
		if (file_same(files->v[i].p, buf_cstr(&path))) /* ended by NUL */
			return diag_fail(why, ST_EXISTS,
					 "%s is read, too; name another output",
					 files->v[i].p);
	return ST_OK;
}

enum status dedup_read(struct dedup *d, struct diag *why)
{
	struct reading r = { .d = d, .known = batch_count(&d->batch) };

	d->resumed = r.known;
	find_spool(d);
	TRY(corpus_open(&d->input, d->words, d->n_words, &d->corpus, why));
	TRY(check_output(d, why));
	if (d->writes_documents)
		TRY(lines_open(&d->lines, d->batch.dir, d->batch.options.memory_bytes / 6,
			       why));
	if (d->hooks.opened)
		d->hooks.opened(d->hooks.arg, d);
	r.job = (struct crew_job){ .arg = &r,
				   .threads = (unsigned)d->settings->threads,
				   .parts = r.known == 0,
				   .make = make_print,
				   .take = put_print,
				   .look = look_around };
	enum status st = crew_run(&d->input, &r.job, why);
	if (d->hooks.was_read)
		d->hooks.was_read(d->hooks.arg, d);
	if (st == ST_OK && r.seen == 0 && (d->broken || d->input.n_binary))
		return diag_fail(why, ST_SYNTAX, "no document among what was named");
	d->broken += d->input.n_named_binary;
	return st;
}
