/*
 * eval_states - the template fingerprint on labelled states: `eval_states DATA`.
 *
 * Pair-F1: of all labelled pairs, which are one state (clone or near-duplicate)?
 * Model-F1: states are added in order and kept when none kept is near, as a crawl
 * does; precision is the bins among those kept, recall the bins found.
 */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/intern.h"
#include "base/json.h"
#include "states/identity.h"

struct labelled {
	struct identity identity;
	uint32_t bin;
};

struct pair {
	uint32_t a, b;
	bool near;
};

struct set {
	struct labelled *states;
	size_t n, cap;
	struct pair *pairs;
	size_t pair_count, pair_cap;
	struct intern names, bins;
	struct arena bytes;
};

struct quality {
	double pair_f1, pair_precision, pair_recall;
	double model_f1;
	size_t kept, found;
};

static struct buf load(const char *dir, const char *name)
{
	struct buf all = { 0 };
	char path[512], block[1 << 16];
	int n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	gzFile f = gzopen(path, "rb");
	while (f && (n = gzread(f, block, sizeof(block))) > 0)
		buf_add(&all, (struct str){ block, (size_t)n });
	if (f)
		gzclose(f);
	return all;
}

static void add_state(struct set *s, const struct json *v)
{
	struct content by_simhash = content_of_method(method_find(STR("simhash64")));
	struct str html = arena_copy(&s->bytes, json_str(json_get(v, "html")));
	struct observation seen = { .html = html, .text = html };
	struct labelled l = { .bin = intern_add(&s->bins, json_str(json_get(v, "bin"))) };

	identity_make(&seen, &by_simhash, &s->bytes, &l.identity);
	if (intern_add(&s->names, json_str(json_get(v, "state"))) == s->n)
		VEC_ADD(s->states, s->n, s->cap, l);
}

/* response<TAB>state<TAB>state; 0 is a clone, 1 a near-duplicate, 2 another state. */
static void add_pair(struct set *s, struct str line)
{
	struct str response, a;

	if (!str_take_until(&line, '\t', &response) || !str_take_until(&line, '\t', &a))
		return;
	struct pair p = { intern_find(&s->names, a),
			  intern_find(&s->names, str_trim(line)),
			  !str_eq(response, STR("2")) };
	if (p.a != INTERN_NONE && p.b != INTERN_NONE)
		VEC_ADD(s->pairs, s->pair_count, s->pair_cap, p);
}

static void load_set(struct set *s, const char *dir)
{
	cleanup(buf_release) struct buf states =
		load(dir, "states/petclinic-states.jsonl.gz");
	cleanup(buf_release) struct buf pairs =
		load(dir, "states/petclinic-pairs.tsv.gz");
	struct str text = buf_str(&states), line;

	while (str_take_line(&text, &line)) {
		struct json *v = NULL;

		if (json_parse(line, &v, NULL) == ST_OK)
			add_state(s, v);
		json_release(&v);
	}
	text = buf_str(&pairs);
	while (str_take_line(&text, &line))
		add_pair(s, line);
}

static void judge_pairs(const struct set *s, double threshold, struct quality *ret)
{
	double tp = 0, said = 0, near = 0;

	for (size_t i = 0; i < s->pair_count; i++) {
		const struct pair *p = &s->pairs[i];
		bool is_near = path_distance(&s->states[p->a].identity,
					     &s->states[p->b].identity) <= threshold;

		tp += is_near && p->near;
		said += is_near;
		near += p->near;
	}
	ret->pair_precision = said > 0 ? tp / said : 0;
	ret->pair_recall = near > 0 ? tp / near : 0;
	ret->pair_f1 = said + near > 0 ? 2 * tp / (said + near) : 0;
}

static void judge_model(const struct set *s, double threshold, struct quality *ret)
{
	const struct labelled **kept = xcalloc(s->n + 1, sizeof(*kept));
	bool *found = xcalloc(s->bins.n + 1, sizeof(*found));

	ret->kept = ret->found = 0;
	for (size_t i = 0; i < s->n; i++) {
		bool is_new = true;

		for (size_t k = 0; k < ret->kept && is_new; k++)
			is_new = path_distance(&kept[k]->identity,
					       &s->states[i].identity) > threshold;
		if (!is_new)
			continue;
		kept[ret->kept++] = &s->states[i];
		ret->found += !found[s->states[i].bin];
		found[s->states[i].bin] = true;
	}
	double precision = (double)ret->found / (double)ret->kept;
	double recall = (double)ret->found / (double)s->bins.n;
	ret->model_f1 = 2 * precision * recall / (precision + recall);
	free(kept);
	free(found);
}

int main(int argc, char **argv)
{
	static const double ticks[] = { 0,    0.005, 0.01, 0.015, 0.02, 0.03, 0.04,
					0.05, 0.075, 0.1,  0.15,  0.2,  0.3,  0.5 };
	struct set s = { 0 };

	if (argc < 2)
		return fprintf(stderr, "usage: eval_states DATA\n"), 2;
	load_set(&s, argv[1]);
	if (s.n == 0 || s.pair_count == 0)
		return fprintf(stderr, "eval_states: no states under %s; skipped\n",
			       argv[1]),
		       0;
	printf("%zu states in %u bins, %zu pairs\n\n", s.n, (unsigned)s.bins.n,
	       s.pair_count);
	printf("| threshold | pair F1 (P, R) | kept / bins found | model F1 |\n"
	       "|---|---|---|---|\n");
	for (size_t i = 0; i < COUNT(ticks); i++) {
		struct quality q;

		judge_pairs(&s, ticks[i], &q);
		judge_model(&s, ticks[i], &q);
		printf("| %g | %.3f (%.3f, %.3f) | %zu / %zu | %.3f |\n", ticks[i],
		       q.pair_f1, q.pair_precision, q.pair_recall, q.kept, q.found,
		       q.model_f1);
	}
	free(s.states);
	free(s.pairs);
	intern_release(&s.names);
	intern_release(&s.bins);
	arena_release(&s.bytes);
	return 0;
}
