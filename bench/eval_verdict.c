/*
 * eval_verdict - the default verdict's terms on labelled pairs, for eval/verdict.py.
 *
 * Standard input: JSON lines {set, label, a, b}.  Output: one line per pair with the set,
 * the label, the probability from the pair alone, the probability where what many texts
 * of the set share is left out, and the terms of the first and of the second before they
 * are weighed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/json.h"
#include "dup/common_text.h"

#define MEMORY ((size_t)16 << 20)

struct pair {
	struct str set;
	int label;
	struct page_sketch a, b;
};

struct pairs {
	struct pair *v;
	size_t n, cap;
	struct arena names;
};

static void read_pairs(struct pairs *all)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	while ((n = getline(&line, &cap, stdin)) > 0) {
		struct json *j = NULL;

		if (json_parse((struct str){ line, (size_t)n }, &j, NULL) == ST_OK) {
			struct pair p = { .label = json_number(json_get(j, "label"), 0) >=
						   1 };

			p.set = arena_copy(&all->names, json_str(json_get(j, "set")));
			page_sketch_make(json_str(json_get(j, "a")), &p.a);
			page_sketch_make(json_str(json_get(j, "b")), &p.b);
			VEC_ADD(all->v, all->n, all->cap, p);
		}
		json_release(&j);
	}
	free(line);
}

/* Each text counts once, and of a pair of copies the first. */
static void count_text(struct common_text *c, struct map *seen,
		       const struct page_sketch *s)
{
	bool is_new;

	map_add(seen, s->text.digest.lo, &is_new);
	if (is_new)
		common_text_count(c, s);
}

static void learn(const struct pairs *all, struct str set, struct shingle_set *ret)
{
	cleanup(map_release) struct map seen = { 0 };
	cleanup(common_text_release) struct common_text c = { 0 };

	common_text_init(&c, MEMORY);
	for (size_t i = 0; i < all->n; i++) {
		const struct pair *p = &all->v[i];
		struct near_evidence e;

		if (!str_eq(p->set, set))
			continue;
		page_sketch_compare(&p->a, &p->b, NULL, &e);
		count_text(&c, &seen, &p->a);
		if (near_is_copy(&e))
			map_add(&seen, p->b.text.digest.lo, NULL);
		else
			count_text(&c, &seen, &p->b);
	}
	for (size_t i = 0; i < all->n; i++)
		if (str_eq(all->v[i].set, set)) {
			common_text_find(&c, &all->v[i].a, ret);
			common_text_find(&c, &all->v[i].b, ret);
		}
}

static bool is_exact(const struct pair *p)
{
	return p->a.text.n_words && u128_eq(p->a.text.digest, p->b.text.digest);
}

static double probability(const struct pair *p, const struct shingle_set *common,
			  double ret_terms[NEAR_TERMS])
{
	struct near_evidence e;

	page_sketch_compare(&p->a, &p->b, common, &e);
	near_terms(&e, ret_terms);
	return is_exact(p) ? 1 : near_probability(&e, NULL);
}

static void print_set(const struct pairs *all, struct str set)
{
	cleanup(shingle_set_release) struct shingle_set common = { 0 };
	double terms[NEAR_TERMS], content_terms[NEAR_TERMS];

	learn(all, set, &common);
	for (size_t i = 0; i < all->n; i++) {
		const struct pair *p = &all->v[i];

		if (!str_eq(p->set, set))
			continue;
		double alone = probability(p, NULL, terms);
		printf(STR_FMT "\t%d\t%.6f\t%.6f", STR_ARG(set), p->label, alone,
		       probability(p, &common, content_terms));
		for (size_t k = 0; k < NEAR_TERMS; k++)
			printf("\t%.6f", terms[k]);
		for (size_t k = 0; k < NEAR_TERMS; k++)
			printf("\t%.6f", content_terms[k]);
		printf("\n");
	}
}

int main(void)
{
	struct pairs all = { 0 };

	read_pairs(&all);
	for (size_t i = 0; i < all.n; i++) {
		bool first = true;

		for (size_t k = 0; first && k < i; k++)
			first = !str_eq(all.v[k].set, all.v[i].set);
		if (first)
			print_set(&all, all.v[i].set);
	}
	for (size_t i = 0; i < all.n; i++) {
		page_sketch_release(&all.v[i].a);
		page_sketch_release(&all.v[i].b);
	}
	free(all.v);
	arena_release(&all.names);
	return 0;
}
