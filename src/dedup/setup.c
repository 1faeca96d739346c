/* setup.c - from the settings of a run to its method, features and threshold. */
#include <math.h>
#include <stdlib.h>

#include "dedup/dedup.h"
#include "method/method_sets.h"
#include "method/ssm.h"
#include "method/vectors.h"

#define USUAL_SHINGLES 1000 /* of a pair for which the bands are chosen */

/* Bands that find `recall` of the pairs whose measure is the threshold. */
static struct bands choose_bands(const struct method *m, double threshold, double recall)
{
	double lowest = threshold;

	if (m->measure == set_containment)
		lowest /= 2; /* one document may be twice as long */
	if (m->measure == set_resemblance)
		lowest = near_needed(USUAL_SHINGLES, threshold);
	if (m->valid ==
	    vector_valid) /* what is common of the longer is so much at least */
		lowest = threshold / (2 - fmin(threshold, 1));
	return bands_choose(fmin(fmax(lowest, 0.05), 1), recall);
}

/* The features of the method with what was asked for in their place. */
static void choose_features(struct feature_options *f, const struct dedup_preset *asked,
			    int weight)
{
	if (asked->features) {
		enum feature_kind kind = (enum feature_kind)(asked->features - 1);

		if (kind == FEATURE_SHINGLES && f->kind != FEATURE_SHINGLES)
			*f = (struct feature_options){ .piece = PIECE_WORDS,
						       .size = PAGE_SHINGLE_WORDS };
		f->kind = kind;
	}
	if (asked->size)
		f->size = (unsigned)asked->size;
	if (asked->pieces)
		f->piece = (enum piece_kind)(asked->pieces - 1);
	if (weight)
		f->weight = (enum feature_weight)(weight - 1);
}

static struct corpus_options reading_options(const struct dedup_settings *s,
					     enum feature_kind kind, const char *dir)
{
	return (struct corpus_options){
		.format = (enum corpus_format)s->input,
		.text_field = s->field,
		.name_field = s->id_field,
		.score_field = s->score_field,
		.html = s->html,
		.whole_page = s->whole_page,
		.links = kind == FEATURE_LINKS,
		.anchors = kind == FEATURE_ANCHORS,
		.metadata = kind == FEATURE_METADATA,
		.tag_paths = kind == FEATURE_TAG_PATHS || kind == FEATURE_TAGS,
		.tags_only = kind == FEATURE_TAGS,
		.controls = kind == FEATURE_CLICKABLES,
		.windows = kind == FEATURE_WINDOWS,
		.spool_dir = dir,
	};
}

/* Of a measure that is a share more than all of it was asked: nothing would be near. */
static bool is_out_of_reach(const struct method *m, double threshold)
{
	return !m->smaller_is_nearer && m->threshold < 1 && threshold > 1;
}

/* By itself where a few bits or keywords of the text stand for it. */
static bool wants_verify(const struct dedup *d)
{
	const struct method *m = &d->method;
	bool of_text = m->features.kind == FEATURE_SHINGLES ||
		       m->features.kind == FEATURE_KEYWORDS;

	if (d->settings->verify != VERIFY_AUTO)
		return d->settings->verify == VERIFY_YES;
	return of_text && (method_bits(m) || m->make == ssm_make);
}

static struct batch_options batch_settings(const struct dedup *d, const char *dir)
{
	const struct dedup_settings *s = d->settings;
	double asked = d->asked.threshold;
	double threshold = asked < 0 ? d->method.threshold : asked;

	return (struct batch_options){
		.dir = dir,
		.method = &d->method,
		.threshold = threshold,
		.bands = choose_bands(&d->method, threshold, s->recall),
		.memory_bytes = (size_t)s->memory,
		.threads = (unsigned)s->threads,
		.keep = (enum keep_policy)s->keep,
		.hops = (unsigned)s->hops,
		.verify = wants_verify(d),
		.keep_text = s->explain,
	};
}

enum dedup_fault dedup_set_up(struct dedup *d, const char *dir, struct diag *why)
{
	const struct dedup_settings *s = d->settings;
	struct dedup_preset *asked = &d->asked;

	buf_add(&asked->method, s->method);
	asked->size = s->size;
	asked->pieces = s->pieces;
	asked->features = s->features;
	asked->threshold = s->threshold;
	if (s->preset.n && preset_read(s->preset, asked, why) != ST_OK)
		return DEDUP_FAILED;
	const struct method *row = method_find(buf_str(&asked->method));
	if (!row)
		return DEDUP_NO_METHOD;
	d->method = *row;
	if ((asked->features || s->weight) && !row->any_features)
		return DEDUP_OWN_FEATURES;
	if (is_out_of_reach(row, asked->threshold))
		return DEDUP_OUT_OF_REACH;
	choose_features(&d->method.features, asked, s->weight);
	if (d->method.features.kind == FEATURE_PICTURE)
		return DEDUP_NO_PICTURES;
	d->options = batch_settings(d, dir);
	if (s->idf.n && dedup_load_idf(d, why) != ST_OK)
		return DEDUP_FAILED;
	d->writes_documents = s->write == WRITE_KEPT && s->format == FORMAT_JSONL;
	d->corpus = reading_options(s, d->method.features.kind, dir);
	return DEDUP_FINE;
}

void dedup_release(struct dedup *d)
{
	batch_release(&d->batch);
	buf_release(&d->asked.method);
	idf_release(&d->idf);
	lines_release(&d->lines);
	corpus_release(&d->input);
	free(d->old.v);
	arena_release(&d->old.names);
	file_close(&d->out);
	buf_release(&d->out_text);
}
