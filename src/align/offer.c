#include "align/offer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "dust/rule.h"

/* Pairs of a sample whose differences are explained: all of ten URLs. */
#define PAIRS_MAX 45
/* Hosts that can be mirrors of each other. */
#define MIRRORS_MAX 4

void offer_work_release(struct offer_work *w)
{
	multi_release(&w->multi);
	buf_release(&w->context);
	buf_release(&w->transformation);
	arena_release(&w->texts);
}

void offers_release(struct offers *o)
{
	free(o->sample);
	*o = (struct offers){ 0 };
}

static void add_offer(struct offer_work *w, struct str text, struct offers *to)
{
	for (size_t i = 0; i < to->n; i++)
		if (str_eq(to->text[i], text))
			return;
	if (to->n < OFFERS_MAX)
		to->text[to->n++] = arena_copy(&w->texts, text);
}

static void count_spelt(struct numbers *to, unsigned card, const struct consensus *c)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct token_set *s = &c->v[i];
		bool spelt = s->gap || s->n > 1;

		if (s->first.type != TOKEN_NUMBER || !spelt || s->n >= card)
			continue;
		for (size_t k = 0; k < s->n; k++)
			numbers_add(to, word_number(token_str(set_token(s, k)), 0));
	}
}

static void offer_rewrite(struct offer_work *w, const struct generate_options *how,
			  const struct consensus *c, struct offers *to)
{
	buf_reset(&w->context);
	buf_reset(&w->transformation);
	if (generate_rule(c, how, &w->context, &w->transformation) != ST_OK)
		return;
	if (w->numbers)
		count_spelt(w->numbers, how->card, c);
	buf_add_char(&w->context, ' ');
	buf_add(&w->context, buf_str(&w->transformation));
	add_offer(w, buf_str(&w->context), to);
}

/* A page under many names is a template rather than a mirror. */
static bool has_many_hosts(const struct offers *of)
{
	struct str seen[MIRRORS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < of->n_sample; i++) {
		struct str host = bare_host(dust_host(of->sample[i]));
		size_t k = 0;

		while (k < n && !str_eq(seen[k], host))
			k++;
		if (k < n)
			continue;
		if (n == MIRRORS_MAX)
			return true;
		seen[n++] = host;
	}
	return false;
}

static void offer_operations(struct offer_work *w, struct offers *to)
{
	size_t pairs = 0;
	bool many_hosts = has_many_hosts(to);

	for (size_t i = 0; i < to->n_sample; i++)
		for (size_t j = i + 1; j < to->n_sample && pairs < PAIRS_MAX;
		     j++, pairs++) {
			if (!family_explain(to->sample[i], to->sample[j], &w->explained))
				continue;
			for (size_t k = 0; k < w->explained.n; k++) {
				if (many_hosts &&
				    w->explained.op[k].kind == OPERATION_HOST)
					continue;
				buf_reset(&w->context);
				operation_format(&w->explained.op[k], &w->context);
				add_offer(w, buf_str(&w->context), to);
			}
		}
}

static bool is_seed_only(const struct offer_options *o)
{
	return o->what == 0 || o->what == OFFER_SEED;
}

bool offer_uses_cache(const struct offer_options *o)
{
	return is_seed_only(o) && o->method == MULTI_LINEAR && !o->whole_matrix;
}

void offer_begin(struct offer_work *w, const struct offer_options *o,
		 const struct str *urls, size_t n, struct offers *ret)
{
	arena_reset(&w->texts);
	ret->n = 0;
	ret->known = ret->same = 0;
	size_t k = MIN(o->sample ? o->sample : SAMPLE_MAX, n);
	VEC_RESERVE(ret->sample, ret->sample_cap, k);
	ret->n_sample = sample_urls(urls, n, k, o->seed, ret->sample);
	if (ret->n_sample >= 2 && offer_uses_cache(o))
		w->ends = common_ends(ret->sample, ret->n_sample);
}

bool offer_defer(struct offer_work *w, const struct offer_options *o,
		 const struct offers *of, uint64_t *ret_number)
{
	struct cluster_numbers c;
	size_t n = of->n_sample;

	/* What some URLs have and others have not is in a set of several members or in
	 * a group that can be missing; and sets of fewer than `card` are spelt out. */
	if (!w->numbers || n < 2 || n >= o->card ||
	    !cluster_numbers_find(w->ends, of->sample, n, &c) ||
	    !cluster_numbers_differ(&c, n, ret_number) ||
	    !cluster_numbers_add_ends(&c, w->ends, of->sample[0]))
		return false;
	for (size_t i = 0; i < c.n; i++)
		numbers_add(w->numbers, c.word[i]);
	return true;
}

/* Parts and delimiters: what a rule has of an end. */
static uint64_t hash_end(struct str end, uint64_t seed)
{
	char outline[2 * ENDS_BYTES_MAX];
	size_t n = 0;
	bool in_part = false;

	for (size_t i = 0; i < end.n; i++) {
		bool mark = is_delimiter_byte(end.p[i]);

		outline[n] = mark ? end.p[i] : '*';
		n += mark || !in_part;
		in_part = !mark;
	}
	return hash64_seeded((struct str){ outline, n }, seed);
}

/* Clusters of equal hash offer the same text: their shapes, ends and spelt words agree.
 */
static uint64_t hash_offer(const struct offer_work *w, const struct generate_options *how,
			   const struct token *spelt, size_t n)
{
	uint64_t words[SHAPE_SIGNED_MAX];

	for (size_t i = 0; i < n; i++)
		words[i] = word_number(token_str(spelt[i]), 0);
	struct str bytes = { (const char *)words, n * sizeof(*words) };
	return hash64_seeded(bytes, hash_end(how->before, w->multi.cache.shape.hash)) ^
	       hash_end(how->after, 1);
}

/* Whether it is remembered what clusters like this one offer. */
static bool offer_known(struct offer_work *w, const struct generate_options *how,
			const struct cached_alignment *known, struct offers *to)
{
	struct token spelt[SHAPE_SIGNED_MAX];

	if (!known || !w->memory)
		return false;
	size_t n = cached_alignment_words(known, &w->multi.cache.shape, how->card, spelt);
	to->same = hash_offer(w, how, spelt, n);
	uint64_t *at = map_find(w->memory, to->same);
	if (!at)
		return false;
	to->known = *at;
	for (size_t i = 0; w->numbers && *at != OFFER_NOTHING && i < n; i++)
		if (spelt[i].type == TOKEN_NUMBER)
			numbers_add(w->numbers, word_number(token_str(spelt[i]), 0));
	return true;
}

static bool offer_between(struct offer_work *w, struct ends ends,
			  const struct generate_options *options, struct offers *to)
{
	struct generate_options how = *options;
	struct str url = to->sample[0];
	const struct cached_alignment *known;
	struct consensus c;

	if (multi_lookup(&w->multi, ends, to->sample, to->n_sample, &known) != ST_OK)
		return false;
	how.before = str_slice(url, 0, ends.first);
	how.after = str_skip(url, url.n - ends.last);
	if (offer_known(w, &how, known, to))
		return true;
	if (multi_align_shape(&w->multi, ends, known, &c) != ST_OK)
		return false;
	offer_rewrite(w, &how, &c, to);
	return true;
}

/* What lies between the ends; or all of it, when that cannot be told from the middle. */
static bool offer_cached(struct offer_work *w, const struct generate_options *how,
			 struct offers *to)
{
	return offer_between(w, w->ends, how, to) ||
	       (w->ends.first > 0 && offer_between(w, (struct ends){ 0 }, how, to));
}

void offer_end(struct offer_work *w, const struct offer_options *o, struct offers *ret)
{
	struct generate_options how = { .card = o->card, .keep_groups = o->keep_groups };
	struct consensus c;

	w->multi.aligner.whole_matrix = o->whole_matrix;
	if (ret->n_sample < 2)
		return;
	if (o->what & OFFER_OPERATIONS)
		offer_operations(w, ret);
	if (o->what == OFFER_OPERATIONS ||
	    (offer_uses_cache(o) && offer_cached(w, &how, ret)))
		return;
	if (multi_align(&w->multi, o->method, ret->sample, ret->n_sample, &c) != ST_OK)
		return;
	if (is_seed_only(o) || o->what & OFFER_SEED)
		offer_rewrite(w, &how, &c, ret);
	if (o->what & OFFER_GENERAL) {
		how.generality = GENERAL_SEGMENTS;
		offer_rewrite(w, &how, &c, ret);
		how.generality = GENERAL_NEIGHBOURS;
		offer_rewrite(w, &how, &c, ret);
	}
}

void offer_rules(struct offer_work *w, const struct offer_options *o,
		 const struct str *urls, size_t n, struct offers *ret)
{
	offer_begin(w, o, urls, n, ret);
	offer_end(w, o, ret);
}
