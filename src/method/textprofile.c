#include "method/textprofile.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "sketch/keywords.h"

static uint32_t quantum_for(const struct keywords *words)
{
	uint32_t most = 0;

	for (size_t i = 0; i < words->n; i++)
		if (words->v[i].word.n >= 2)
			most = MAX(most, words->v[i].count);
	uint32_t quantum = (uint32_t)lround(0.01 * most);

	return quantum >= 2 ? quantum : most > 1 ? 2 : 1;
}

static int by_count_then_word(const void *a, const void *b)
{
	const struct keyword *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	return str_cmp(x->word, y->word);
}

size_t textprofile_make(const struct document *doc, const struct feature_options *how,
			struct buf *to)
{
	cleanup(keywords_release) struct keywords words = { 0 };
	cleanup(buf_release) struct buf profile = { 0 };
	size_t n = 0;

	(void)how;
	keywords_of(doc->text, (struct str){ "", 0 }, &words);
	uint32_t quantum = quantum_for(&words);
	for (size_t i = 0; i < words.n; i++)
		words.v[i].count -= words.v[i].count % quantum;
	if (words.n)
		qsort(words.v, words.n, sizeof(*words.v), by_count_then_word);
	for (size_t i = 0; i < words.n; i++) {
		if (words.v[i].word.n < 2 || words.v[i].count < quantum)
			continue;
		buf_add(&profile, words.v[i].word);
		buf_addf(&profile, " %u\n", words.v[i].count);
		n++;
	}
	buf_add_u64(to, hash64(buf_str(&profile)));
	return n;
}
