#include "method/sampling.h"

void features_thin(struct features *f, uint64_t p)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].hash % p == 0)
			f->v[n++] = f->v[i];
	f->n = n;
}

size_t modp_make(const struct document *doc, const struct feature_options *how,
		 struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	features_of(doc, how, &f);
	features_thin(&f, MODP_P);
	payload_add_hashes(to, &f);
	return f.n;
}

void winnow(struct str text, enum piece_kind piece, unsigned size, unsigned window,
	    struct features *ret)
{
	cleanup(features_release) struct features all = { 0 };
	size_t last = SIZE_MAX;

	features_reset(ret);
	features_add_shingles(&all, text, piece, size);
	window = (unsigned)MIN((size_t)window, MAX(all.n, (size_t)1));
	for (size_t i = 0; i + window <= all.n; i++) {
		size_t least = i;

		for (size_t j = i + 1; j < i + window; j++)
			if (all.v[j].hash <= all.v[least].hash)
				least = j;
		if (least != last)
			features_add(ret, all.v[least].hash, 1);
		last = least;
	}
	features_finish(ret, WEIGHT_SET, NULL);
}

size_t winnow_make(const struct document *doc, const struct feature_options *how,
		   struct buf *to)
{
	cleanup(features_release) struct features f = { 0 };

	winnow(doc->text, how->piece, how->size, WINNOW_WINDOW, &f);
	payload_add_hashes(to, &f);
	return f.n;
}
