/* write.c - what became of the documents, as lines about them or as themselves. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "dedup/dedup.h"
#include "method/evidence.h"
#include "method/method_sets.h"

#define QUOTE_BYTES 200
#define FLUSH_BYTES ((size_t)256 << 10)
#define PAUSE_EVERY 4096 /* documents */

static bool is_kept(const struct dedup *d, size_t doc)
{
	return d->batch.results[doc].kind == BATCH_KEPT &&
	       !old_matches_find(&d->old, (uint32_t)doc);
}

/* Six digits: measures of pairs are kept in single precision. */
static double rounded(double x)
{
	return round(x * 1e6) / 1e6 + 0.0; /* no -0 */
}

static struct str quote(struct str s)
{
	size_t n = MIN(s.n, (size_t)QUOTE_BYTES);

	while (n < s.n && n > 0 && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n--;
	return str_slice(s, 0, n);
}

static void put_quotes(struct json_out *o, const char *name, const struct str *v)
{
	json_key(o, str_from(name));
	json_open(o, '[');
	for (size_t i = 0; i < EVIDENCE_RUNS; i++)
		if (v[i].n)
			json_add_str(o, quote(v[i]));
	json_close(o, ']');
}

/* Each term of the verdict, and what it was made from. */
static void put_terms(struct dedup *d, size_t doc, size_t other, struct json_out *o,
		      struct diag *why)
{
	double terms[NEAR_TERMS];
	struct near_evidence e;

	if (batch_compare(&d->batch, doc, other, &e, why) != ST_OK)
		return;
	json_put_uint(o, "shared", e.whole.shared);
	json_put_uint(o, "only_here", e.whole.only_a);
	json_put_uint(o, "only_there", e.whole.only_b);
	if (d->method.measure != set_resemblance)
		return;
	json_put_uint(o, "shared_by_many", e.whole.shared - e.content.shared);
	json_put_uint(o, "passage_here", e.passage_a);
	json_put_uint(o, "passage_there", e.passage_b);
	json_put_uint(o, "replaced_here", e.replaced_a);
	json_put_uint(o, "replaced_there", e.replaced_b);
	near_probability(&e, terms);
	json_key(o, STR("terms"));
	json_open(o, '{');
	for (size_t i = 0; i < NEAR_TERMS; i++)
		json_put_double(o, near_model[i].name, rounded(terms[i]));
	json_close(o, '}');
}

/* What the two texts share and where they differ. */
static enum status put_evidence(struct dedup *d, size_t doc, size_t other,
				struct json_out *o, struct diag *why)
{
	cleanup(buf_release) struct buf first = { 0 };
	struct str name, text;
	struct evidence e;

	put_terms(d, doc, other, o, why);
	TRY(batch_get(&d->batch, doc, &name, &text, why));
	buf_add(&first, text);
	TRY(batch_get(&d->batch, other, &name, &text, why));
	evidence_find(buf_str(&first), text, PAGE_SHINGLE_WORDS, &e);
	json_put_str(o, "same", quote(e.shared));
	put_quotes(o, "here", e.only_a);
	put_quotes(o, "there", e.only_b);
	return ST_OK;
}

static enum status name_of(struct dedup *d, size_t doc, struct buf *ret, struct diag *why)
{
	struct str name, text;

	TRY(batch_get(&d->batch, doc, &name, &text, why));
	buf_reset(ret);
	buf_add(ret, name);
	return ST_OK;
}

static const char *kind_name(enum batch_kind kind)
{
	return kind == BATCH_KEPT ? "kept" : kind == BATCH_EXACT ? "exact" : "near";
}

/* One line about a document: what became of it and why. */
static enum status write_json(struct dedup *d, size_t doc, struct diag *why)
{
	const struct batch_result *r = &d->batch.results[doc];
	const struct old_match *old = old_matches_find(&d->old, (uint32_t)doc);
	cleanup(buf_release) struct buf name = { 0 };
	struct json_out o = { .to = &d->out_text };

	TRY(name_of(d, doc, &name, why));
	json_open(&o, '{');
	json_put_str(&o, "name", buf_str(&name));
	json_put_str(&o, "verdict",
		     old ? verdict_name((enum verdict_kind)old->verdict.kind)
			 : str_from(kind_name(r->kind)));
	json_put_uint(&o, "cluster", r->cluster);
	json_put_uint(&o, "size", r->size);
	json_put_double(&o, "weight", rounded(1.0 / r->size));
	if (old) {
		json_put_str(&o, "representative", old->verdict.representative_url);
		json_put_double(&o, "score", rounded(old->verdict.score));
		json_put_bool(&o, "in_index", true);
	} else if (r->kind != BATCH_KEPT) {
		TRY(name_of(d, r->representative, &name, why));
		json_put_str(&o, "representative", buf_str(&name));
		json_put_str(&o, "method", str_from(d->batch.options.method->name));
		json_put_double(&o, "score", rounded(r->measure));
		if (d->settings->explain)
			TRY(put_evidence(d, doc, r->representative, &o, why));
	}
	json_close(&o, '}');
	buf_add_char(&d->out_text, '\n');
	return ST_OK;
}

static void put_cell(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		buf_add_char(to, s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r'
					 ? ' '
					 : s.p[i]);
}

static enum status write_tsv(struct dedup *d, size_t doc, struct diag *why)
{
	const struct batch_result *r = &d->batch.results[doc];
	const struct old_match *old = old_matches_find(&d->old, (uint32_t)doc);
	cleanup(buf_release) struct buf name = { 0 };
	struct buf *to = &d->out_text;

	buf_addf(to, "%u\t%u\t", r->cluster, r->size);
	if (old) {
		struct str kind = verdict_name((enum verdict_kind)old->verdict.kind);

		buf_addf(to, STR_FMT "\t%.6g\t", STR_ARG(kind), old->verdict.score);
	} else {
		buf_addf(to, "%s\t%.6g\t", kind_name(r->kind), r->measure);
	}
	TRY(name_of(d, doc, &name, why));
	put_cell(to, buf_str(&name));
	buf_add_char(to, '\t');
	TRY(name_of(d, r->representative, &name, why));
	put_cell(to, old ? old->verdict.representative_url : buf_str(&name));
	buf_addf(to, "\t%.6g\n", rounded(1.0 / r->size));
	return ST_OK;
}

static bool is_asked_for(const struct dedup *d, size_t doc)
{
	switch ((enum dedup_write)d->settings->write) {
	case WRITE_KEPT:
		return is_kept(d, doc);
	case WRITE_DUPLICATES:
		return !is_kept(d, doc);
	case WRITE_CLUSTERS:
		return d->batch.results[doc].size > 1 || !is_kept(d, doc);
	default:
		return true;
	}
}

static enum status flush_text(struct dedup *d, struct diag *why)
{
	TRY(buf_status(&d->out_text));
	TRY(file_write(&d->out, buf_str(&d->out_text), why));
	buf_reset(&d->out_text);
	return ST_OK;
}

/* Lines about the documents. */
static enum status write_lines(struct dedup *d, struct diag *why)
{
	bool tsv = d->settings->format == FORMAT_TSV;

	if (tsv)
		buf_add(&d->out_text, STR("cluster\tsize\tverdict\tscore\tname\t"
					  "representative\tweight\n"));
	for (size_t i = 0; i < d->batch.n; i++) {
		if (i % PAUSE_EVERY == 0)
			TRY(dedup_pause(d, why));
		if (!is_asked_for(d, i))
			continue;
		TRY(tsv ? write_tsv(d, i, why) : write_json(d, i, why));
		if (d->out_text.n >= FLUSH_BYTES)
			TRY(flush_text(d, why));
	}
	return flush_text(d, why);
}

/* The kept documents themselves. */
static enum status write_documents(struct dedup *d, struct diag *why)
{
	cleanup(lines_copy_release) struct lines_copy copy = { 0 };

	TRY(lines_copy_start(&copy, &d->lines, &d->input.files, &d->out, why));
	for (size_t i = 0; i < d->batch.n; i++) {
		if (i % PAUSE_EVERY == 0)
			TRY(dedup_pause(d, why));
		if (is_kept(d, i))
			TRY(lines_copy_add(&copy, i, why));
	}
	return lines_copy_end(&copy, why);
}

static enum status open_output(struct dedup *d, struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 };

	if (str_eq(d->settings->output, STR("-")))
		return file_open_stdout(&d->out, why);
	buf_add(&path, d->settings->output);
	return file_open(&d->out, buf_cstr(&path), FILE_CREATE, why);
}

enum status dedup_write(struct dedup *d, struct diag *why)
{
	TRY(open_output(d, why));
	return d->writes_documents ? write_documents(d, why) : write_lines(d, why);
}
