/* Orders of joins: stars of many triples are planned soon, and all orders answer alike.
 */
#include "kb/kb.h"
#include "test.h"
#include "tmp.h"

#include <stdlib.h>

#include "base/rng.h"
#include "os/clock.h"
#include "query/star.h"

#define SUBJECTS   12000u
#define PREDICATES 12u

static struct kb kb;

/* Subjects have any of the predicates: thousands of different sets of them. */
static bool make_store(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct load_options load = { .syntax = RDF_UNKNOWN };
	struct load_counts counts;
	struct rng rng = { 5 };
	struct diag why;

	for (unsigned i = 0; i < SUBJECTS; i++)
		for (unsigned p = 0; p < PREDICATES; p++)
			if (p == 0 || rng_below(&rng, 2))
				buf_addf(
					&text,
					"<http://long.name.example/subject/%u> "
					"<http://long.name.example/p%u> "
					"<http://long.name.example/object/%u> .\n",
					i, p,
					(unsigned)rng_below(&rng, p < 3 ? 40 : SUBJECTS));
	return file_save(tmp_path("all.nt"), buf_str(&text), &why) == ST_OK &&
	       kb_open(&kb, tmp_path("kb"), NULL, &why) == ST_OK &&
	       kb_load_file(kb.store, tmp_path("all.nt"), &load, &counts, &why) == ST_OK;
}

static enum status collect(void *context, struct str bytes)
{
	buf_add(context, bytes);
	return ST_OK;
}

static void ask(struct str query, struct buf *to, int64_t *ret_ns)
{
	struct results_writer w = { .format = RESULTS_CSV,
				    .flush = collect,
				    .context = to };
	int64_t from = clock_mono_ns(&real_clock);
	struct diag why;

	if (kb_query(&kb, query, STR("http://b/"), NULL, &w, &why) != ST_OK)
		buf_add(to, str_from(why.text));
	results_release(&w);
	*ret_ns = clock_mono_ns(&real_clock) - from;
}

/* A star of `n` triples that nothing satisfies, so that planning is what it takes. */
static int64_t time_star(unsigned n)
{
	cleanup(buf_release) struct buf q = { 0 };
	int64_t best = INT64_MAX;

	buf_add(&q, STR("PREFIX : <http://long.name.example/> SELECT * { ?s :none ?x"));
	for (unsigned i = 1; i < n; i++)
		buf_addf(&q, " . ?s :p%u ?o%u", i, i);
	buf_add_char(&q, '}');
	for (int i = 0; i < 7; i++) {
		cleanup(buf_release) struct buf out = { 0 };
		int64_t ns;

		ask(buf_str(&q), &out, &ns);
		best = MIN(best, ns);
	}
	return best;
}

static void ten_triples_are_planned_nearly_as_soon_as_four(void)
{
	int64_t four = time_star(4), ten = time_star(10), twelve = time_star(12);

	printf("# 4: %.2f ms, 10: %.2f ms, 12: %.2f ms\n", (double)four / 1e6,
	       (double)ten / 1e6, (double)twelve / 1e6);
	CHECK(ten < 20 * four + 2000000);
	CHECK(twelve < 20 * four + 2000000);
}

/* The same triples in another order are the same question. */
static void every_order_answers_alike(void)
{
	static const char *const shapes[] = {
		"?s :p0 <object/7>|?s :p1 ?a|?s :p2 ?j|?s :p5 ?b|?s :p6 ?c|"
		"?s :p7 ?d|?s :p8 ?e",
		"?s :p1 <object/1>|?s :p3 ?o|?t :p4 ?o|?t :p2 ?z|?t :p0 ?y",
		"?s :p0 ?x|?s :p1 ?w|?s :p2 ?x|?s :p9 ?f|?u :p10 ?f|?u :p1 ?g|"
		"?u :p11 ?h|?u :p8 ?i",
		"?s ?p <object/5>|?s :p0 ?o|?s :p10 ?q|?w ?p ?q",
	};
	struct rng rng = { 3 };

	for (size_t i = 0; i < COUNT(shapes); i++) {
		cleanup(buf_release) struct buf first = { 0 };

		for (int round = 0; round < 6; round++) {
			cleanup(buf_release) struct buf q = { 0 }, out = { 0 };
			struct str parts[16], rest = str_from(shapes[i]);
			size_t n = 0;
			int64_t ns;

			while (n < COUNT(parts) && str_take_until(&rest, '|', &parts[n]))
				n++;
			for (size_t k = n; round && k > 1; k--) {
				size_t other = rng_below(&rng, k);

				SWAP(parts[k - 1], parts[other]);
			}
			buf_add(&q,
				STR("BASE <http://long.name.example/> PREFIX : "
				    "<http://long.name.example/> SELECT (COUNT(*) AS ?n) "
				    "(COUNT(DISTINCT ?s) AS ?m) {"));
			for (size_t k = 0; k < n; k++)
				buf_addf(&q, STR_FMT " . ", STR_ARG(parts[k]));
			buf_add_char(&q, '}');
			ask(buf_str(&q), &out, &ns);
			if (round == 0)
				buf_add(&first, buf_str(&out));
			if (str_ends(buf_str(&out), STR("\n0,0\r\n")))
				printf("# nothing: %s\n", buf_cstr(&q));
			CHECK(!str_ends(buf_str(&out), STR("\n0,0\r\n")));
			if (!str_eq(buf_str(&out), buf_str(&first)))
				printf("# %s: %s, not %s\n", buf_cstr(&q), buf_cstr(&out),
				       buf_cstr(&first));
			CHECK(str_eq(buf_str(&out), buf_str(&first)));
		}
	}
}

/* Against the sets themselves: one predicate alone, and two together. */
static void a_star_is_estimated_from_the_sets(void)
{
	struct snapshot *now = store_snapshot(kb.store);
	struct star s = { 0 };
	uint64_t p[3];

	for (unsigned i = 0; i < 3; i++) {
		char name[64];

		snprintf(name, sizeof(name), "http://long.name.example/p%u",
			 i ? i + 4 : 0);
		p[i] = snapshot_find(now, term_iri(str_from(name)));
		star_add(&s, i, p[i], -1);
	}
	star_look_up(&s, now);
	/* Everybody has it once. */
	CHECK(star_rows(&s, 1) > 0.9 * SUBJECTS && star_rows(&s, 1) < 1.1 * SUBJECTS);
	double one = star_rows(&s, 2), two = star_rows(&s, 6), all = star_rows(&s, 7);
	CHECK(one > 0.4 * SUBJECTS && one < 0.6 * SUBJECTS);
	CHECK(two > 0.2 * SUBJECTS && two < 0.3 * SUBJECTS);
	CHECK(all == two);
	star_release(&s);
	star_release(&s);
	snapshot_release(now);
}

int main(void)
{
	if (!make_store())
		return 1;
	RUN(ten_triples_are_planned_nearly_as_soon_as_four);
	RUN(every_order_answers_alike);
	RUN(a_star_is_estimated_from_the_sets);
	kb_close(&kb);
	DONE();
}
