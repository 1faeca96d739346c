#include "method/evidence.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "sketch/piece.h"

struct word {
	size_t from, to; /* in the text */
	uint64_t hash;
	bool shared;
};

struct words {
	struct word *v;
	size_t n, cap;
};

static struct words split(struct str text)
{
	cleanup(buf_release) struct buf piece = { 0 };
	struct words w = { 0 };
	struct str in = text;
	size_t from = 0;

	while (piece_take(&in, PIECE_WORDS, &piece)) {
		size_t to = text.n - in.n;

		while (from < to && (ascii_is_space(text.p[from])))
			from++;
		VEC_ADD(w.v, w.n, w.cap,
			(struct word){ from, to, piece_hash(buf_str(&piece)), false });
		from = to;
	}
	return w;
}

/* The hash of the shingle that begins at word `i`. */
static uint64_t shingle_at(const struct words *w, size_t i, unsigned size)
{
	uint64_t window = 0;

	for (size_t k = i; k < i + size; k++)
		window = piece_rotl(window, 1) ^ w->v[k].hash;
	return shingle_finish(window);
}

static void mark_shared(struct words *w, const struct words *other, unsigned size)
{
	cleanup(map_release) struct map theirs = { 0 };

	for (size_t i = 0; i + size <= other->n; i++)
		map_add(&theirs, shingle_at(other, i, size), NULL);
	for (size_t i = 0; i + size <= w->n; i++)
		if (map_find(&theirs, shingle_at(w, i, size)))
			for (size_t k = i; k < i + size; k++)
				w->v[k].shared = true;
}

/* Keep the `max` longest of the runs whose words are `shared` or not. */
static void longest_runs(struct str text, const struct words *w, bool shared,
			 struct str *ret, size_t max)
{
	for (size_t i = 0, end; i < w->n; i = end) {
		struct str run;

		for (end = i + 1; end < w->n && w->v[end].shared == w->v[i].shared;)
			end++;
		if (w->v[i].shared != shared)
			continue;
		run = str_slice(text, w->v[i].from, w->v[end - 1].to);
		for (size_t k = 0; k < max; k++)
			if (run.n > ret[k].n)
				SWAP(run, ret[k]);
	}
}

static size_t count_shared(const struct words *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += w->v[i].shared;
	return n;
}

void evidence_find(struct str a, struct str b, unsigned size, struct evidence *ret)
{
	struct words x = split(a), y = split(b);

	*ret = (struct evidence){ .words_a = x.n, .words_b = y.n };
	mark_shared(&x, &y, size);
	mark_shared(&y, &x, size);
	longest_runs(a, &x, true, &ret->shared, 1);
	longest_runs(a, &x, false, ret->only_a, EVIDENCE_RUNS);
	longest_runs(b, &y, false, ret->only_b, EVIDENCE_RUNS);
	ret->shared_words_a = count_shared(&x);
	ret->shared_words_b = count_shared(&y);
	free(x.v);
	free(y.v);
}
