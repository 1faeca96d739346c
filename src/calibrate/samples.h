/*
 * samples.h - documents with a known truth: what thresholds are chosen on.
 *
 * A set is made of sites.  A site is a recorded application (its raw states in the order
 * of discovery, and the transitions between them), a collection of documents, or one
 * labelled pair.  Only samples of one site are compared.  The truth is a bin per sample:
 * two samples of one bin are near-duplicates.  Where people graded pairs, the grades are
 * kept, too.  Everything is read once and never changed; all memory is the set's own.
 */
#ifndef CALIBRATE_SAMPLES_H
#define CALIBRATE_SAMPLES_H

#include "base/arena.h"
#include "base/option.h"
#include "corpus/corpus.h"
#include "sketch/document.h"
#include "states/simulate.h"

#define SAMPLE_NO_BIN    UINT32_MAX
#define SAMPLES_MAX      20000
#define SITE_SAMPLES_MAX 5000 /* pairs grow with the square */

struct sample {
	struct str name;
	struct str html; /* empty where only the text is known */
	struct document doc;
	struct str picture; /* file of the screenshot; empty: none */
	uint32_t bin;       /* in its site; SAMPLE_NO_BIN: nobody said */
};

struct sample_site {
	struct str name;
	uint32_t first, n; /* samples */
	uint32_t bins;
	struct transition *transitions; /* between samples, from 0 in the site */
	size_t transition_count;
	uint64_t duration_ms; /* of the recording; 0: unknown */
};

/* A grade that a person gave. */
struct graded_pair {
	uint32_t a, b; /* samples, a < b */
	bool near;
};

struct sample_set {
	struct sample *v;
	size_t n, cap;
	struct sample_site *sites;
	size_t site_count, site_cap;
	struct graded_pair *pairs;
	size_t pair_count, pair_cap;
	struct arena bytes;
};

struct sample_options {
	struct str labels; /* a file of labels for sets that bring none; empty: none */
	bool main_content; /* of HTML only the main content */
	bool own_bins;     /* recordings without labels: what their crawl told apart */
};

/*
 * `words` are files and folders: a recording of `thresh states`, JSON lines with states
 * (state, bin, html, perhaps screenshot: a PNG file) or labelled pairs (label, a, b),
 * WARC, HTML, text and PNG files.
 */
must_use enum status samples_load(struct sample_set *ret, const struct str *words,
				  size_t n, const struct sample_options *options,
				  struct diag *why);
void samples_release(struct sample_set *s);
/* Samples whose bin is known. */
size_t samples_labelled(const struct sample_set *s);
/* Bins of all sites together. */
size_t samples_bins(const struct sample_set *s);

/* How the page of a sample is read: with all that any method compares. */
struct corpus_options sample_reading(bool main_content);

/* For samples_load()'s own files, and for tests. */
struct sample_site *samples_add_site(struct sample_set *s, struct str name);
/* To the last site; the strings of `doc` are copied. */
struct sample *samples_add(struct sample_set *s, struct str name, struct str html,
			   const struct document *doc);
/* The screenshot of a sample, read and fingerprinted; the error names the file. */
must_use enum status samples_add_picture(struct sample_set *s, struct sample *one,
					 const char *path, struct diag *why);
/*
 * Lines "response TAB name TAB name" (0 and 1 are near-duplicates, 2 is not) or "name TAB
 * bin", for the samples of site `site`.  Bins follow from near pairs where none is given.
 */
must_use enum status samples_add_labels(struct sample_set *s, size_t site,
					struct str text, struct diag *why);
/* The recording in `dir` as a site; true when there is one. */
bool samples_is_recording(const char *dir);
must_use enum status samples_add_recording(struct sample_set *s, const char *dir,
					   bool own_bins, struct diag *why);
/* The whole of a file, .gz and .zst decoded; `limit` bytes at most. */
must_use enum status samples_load_file(const char *path, size_t limit, struct buf *ret,
				       struct diag *why);
#endif
