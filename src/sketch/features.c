#include "sketch/features.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "sketch/keywords.h"
#include "sketch/spots.h"
#include "sketch/text_sketch.h"
#include "sketch/windows.h"

void features_release(struct features *f)
{
	free(f->v);
	*f = (struct features){ 0 };
}

void features_reset(struct features *f)
{
	f->n = 0;
}

void features_add(struct features *f, uint64_t hash, double weight)
{
	VEC_ADD(f->v, f->n, f->cap, (struct feature){ hash, weight });
}

void features_word_shingles(struct str text, unsigned size, struct hash_list *ret)
{
	struct text_sketch unused;

	ret->n = 0;
	text_shingles(text, size, &unused, ret);
}

#define SPREAD_BITS 11

/* Hashes are evenly spread: one pass puts each near its place, an insertion sort does
 * the rest. */
static void sort_spread(const struct hash_list *l, struct feature *to)
{
	uint32_t starts[(1 << SPREAD_BITS) + 1] = { 0 };
	unsigned shift = 64 - SPREAD_BITS;

	for (size_t i = 0; i < l->n; i++)
		starts[(l->v[i] >> shift) + 1]++;
	for (size_t i = 1; i <= 1 << SPREAD_BITS; i++)
		starts[i] += starts[i - 1];
	for (size_t i = 0; i < l->n; i++)
		to[starts[l->v[i] >> shift]++] = (struct feature){ l->v[i], 1 };
	for (size_t i = 1; i < l->n; i++) {
		uint64_t hash = to[i].hash;
		size_t j = i;

		for (; j > 0 && to[j - 1].hash > hash; j--)
			to[j].hash = to[j - 1].hash;
		to[j].hash = hash;
	}
}

/* By the kernel; sorted as they are added, so that finishing has nothing to sort. */
static void add_word_shingles(struct features *f, struct str text, unsigned size)
{
	cleanup(hash_list_release) struct hash_list l = { 0 };

	features_word_shingles(text, size, &l);
	if (l.n == 0)
		return;
	VEC_RESERVE(f->v, f->cap, f->n + l.n);
	/* Of a long text each place holds many: then finishing sorts. */
	if (l.n <= (size_t)8 << SPREAD_BITS)
		sort_spread(&l, f->v + f->n);
	else
		for (size_t i = 0; i < l.n; i++)
			f->v[f->n + i] = (struct feature){ l.v[i], 1 };
	f->n += l.n;
}

size_t features_add_shingles(struct features *f, struct str text, enum piece_kind piece,
			     unsigned size)
{
	cleanup(buf_release) struct buf word = { 0 };
	uint64_t window = 0, last[64];
	size_t n = 0;

	for (; piece_take(&text, piece, &word); n++) {
		uint64_t h = piece_hash(buf_str(&word));

		window = piece_rotl(window, 1) ^ h;
		if (n >= size)
			window ^= piece_rotl(last[n % size], size);
		last[n % size] = h;
		if (n + 1 >= size)
			features_add(f, shingle_finish(window), 1);
	}
	if (n > 0 && n < size)
		features_add(f, shingle_finish(window), 1);
	return n;
}

void features_add_strings(struct features *f, const struct str *v, size_t n,
			  enum feature_kind kind)
{
	for (size_t i = 0; i < n; i++)
		features_add(f, hash64_seeded(v[i], (uint64_t)kind), 1);
}

static int by_hash(const void *a, const void *b)
{
	const struct feature *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

static bool is_ascending(const struct features *f)
{
	for (size_t i = 1; i < f->n; i++)
		if (f->v[i - 1].hash > f->v[i].hash)
			return false;
	return true;
}

void features_finish(struct features *f, enum feature_weight weight,
		     const struct idf *idf)
{
	size_t n = 0;

	if (!is_ascending(f))
		qsort(f->v, f->n, sizeof(*f->v), by_hash);
	for (size_t i = 0; i < f->n; i++) {
		if (n && f->v[n - 1].hash == f->v[i].hash)
			f->v[n - 1].weight += f->v[i].weight;
		else
			f->v[n++] = f->v[i];
	}
	f->n = n;
	for (size_t i = 0; i < n; i++) {
		if (weight == WEIGHT_SET)
			f->v[i].weight = 1;
		else if (weight == WEIGHT_IDF && idf)
			f->v[i].weight *= idf_of(idf, f->v[i].hash);
	}
}

static void add_keywords(struct features *f, const struct document *doc)
{
	cleanup(keywords_release) struct keywords table = { 0 };

	keywords_of(doc->text, doc->language, &table);
	for (size_t i = 0; i < table.n; i++)
		features_add(f, hash64_seeded(table.v[i].word, FEATURE_KEYWORDS),
			     table.v[i].count);
}

void features_of(const struct document *doc, const struct feature_options *how,
		 struct features *ret)
{
	features_reset(ret);
	switch (how->kind) {
	case FEATURE_SHINGLES:
		if (how->piece == PIECE_WORDS && how->size <= FEATURES_FAST_SIZE)
			add_word_shingles(ret, doc->text, how->size);
		else
			features_add_shingles(ret, doc->text, how->piece, how->size);
		break;
	case FEATURE_KEYWORDS:
		add_keywords(ret, doc);
		break;
	case FEATURE_LINKS:
		features_add_strings(ret, doc->links, doc->n_links, how->kind);
		break;
	case FEATURE_ANCHORS:
		features_add_strings(ret, doc->anchors, doc->n_anchors, how->kind);
		break;
	case FEATURE_METADATA:
		features_add_strings(ret, doc->metadata, doc->n_metadata, how->kind);
		break;
	case FEATURE_TAG_PATHS:
	case FEATURE_TAGS:
		for (size_t i = 0; i < doc->n_tag_paths; i++)
			features_add(ret, hash_mix(doc->tag_paths[i] + how->kind), 1);
		break;
	case FEATURE_CLICKABLES:
		for (size_t i = 0; i < doc->n_controls; i++)
			features_add(ret, hash_mix(doc->controls[i] + how->kind), 1);
		break;
	case FEATURE_WINDOWS:
		windows_add(ret, doc->windows, doc->n_windows);
		break;
	case FEATURE_SPOTS:
		spots_add(ret, doc->text, doc->language, how->size);
		break;
	case FEATURE_PICTURE:
		if (doc->picture)
			features_add(ret, hash_mix(doc->picture->frequencies), 1);
		break;
	}
	features_finish(ret, how->weight, how->idf);
}
