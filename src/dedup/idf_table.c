/* idf_table.c - `thresh dedup --idf-out` and `--idf`: weights from a corpus. */
#include "dedup/dedup.h"

#define TABLE_BYTES_MAX ((size_t)8 << 30)

/* The entries of the map, at most three quarters of it in use and twice while growing. */
#define BYTES_PER_ENTRY 64

static enum status count_all(struct dedup *d, struct diag *why)
{
	cleanup(corpus_release) struct corpus c = { 0 };
	cleanup(features_release) struct features f = { 0 };
	struct feature_options how = d->method.features;
	struct corpus_doc doc;
	enum status st;

	how.weight = WEIGHT_SET;
	TRY(corpus_open(&c, d->words, d->n_words, &d->corpus, why));
	while ((st = corpus_next(&c, &doc, why)) != ST_AGAIN) {
		if (st == ST_SYNTAX || st == ST_CORRUPT || st == ST_TOO_LARGE) {
			dedup_count_broken(d, why);
			continue;
		}
		TRY(st);
		struct document parts = dedup_document(&doc);
		features_of(&parts, &how, &f);
		idf_add(&d->idf, &f);
		if (d->idf.counts.n * BYTES_PER_ENTRY > d->settings->memory)
			return diag_fail(
				why, ST_TOO_LARGE,
				"%zu different features need more than --memory; "
				"count a sample, or shorter shingles",
				d->idf.counts.n);
		uint64_t done = corpus_bytes_done(&c);
		dedup_show(d, "counting", done, c.total_bytes, (double)done / 1e6);
		TRY(dedup_pause(d, why));
	}
	return ST_OK;
}

static enum status fail_unweighed(const struct dedup *d, struct diag *why)
{
	cleanup(buf_release) struct buf names = { 0 };

	for (const struct method *m = methods; m->name; m++)
		if (m->features.weight != WEIGHT_SET)
			buf_addf(&names, " %s", m->name);
	return diag_fail(why, ST_UNSUPPORTED,
			 "the method %s does not weigh its features; these do:%s",
			 d->method.name, buf_cstr(&names));
}

enum status dedup_make_idf(struct dedup *d, struct diag *why)
{
	cleanup(buf_release) struct buf bytes = BUF(TABLE_BYTES_MAX), path = { 0 };

	if (d->method.features.weight == WEIGHT_SET)
		return fail_unweighed(d, why);
	d->idf.kind = (uint8_t)d->method.features.kind;
	d->idf.piece = (uint8_t)d->method.features.piece;
	d->idf.size = (uint8_t)d->method.features.size;
	TRY(count_all(d, why));
	idf_encode(&d->idf, &bytes);
	TRY(buf_status(&bytes));
	buf_add(&path, d->settings->idf_out);
	return file_save(buf_cstr(&path), buf_str(&bytes), why);
}

enum status dedup_load_idf(struct dedup *d, struct diag *why)
{
	cleanup(buf_release) struct buf bytes = BUF(TABLE_BYTES_MAX), path = { 0 };
	struct feature_options *f = &d->method.features;

	if (f->weight == WEIGHT_SET)
		return fail_unweighed(d, why);
	buf_add(&path, d->settings->idf);
	TRY(file_load(buf_cstr(&path), TABLE_BYTES_MAX, &bytes, why));
	if (idf_decode(buf_str(&bytes), &d->idf) != ST_OK)
		return diag_fail(why, ST_CORRUPT, "%s: no table of --idf-out, or damaged",
				 buf_cstr(&path));
	if (d->idf.kind != f->kind || d->idf.piece != f->piece || d->idf.size != f->size)
		return diag_fail(why, ST_UNSUPPORTED,
				 "%s counts other features than the method %s has; make "
				 "it with the same --method, --size and --pieces",
				 buf_cstr(&path), d->method.name);
	f->weight = WEIGHT_IDF;
	f->idf = &d->idf;
	d->options.weights = hash64(buf_str(&bytes));
	return ST_OK;
}
