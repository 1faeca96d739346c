#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "calibrate/compare.h"
#include "calibrate/levenshtein.h"
#include "calibrate/sweep_report.h"
#include "test.h"

/* --- Levenshtein --- */

static size_t plain_levenshtein(struct str a, struct str b)
{
	size_t *row = xcalloc(b.n + 1, sizeof(*row)), d;

	for (size_t j = 0; j <= b.n; j++)
		row[j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		size_t corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b.n; j++) {
			size_t replace = corner + (a.p[i - 1] != b.p[j - 1]);

			corner = row[j];
			row[j] = MIN(replace, MIN(row[j], row[j - 1]) + 1);
		}
	}
	d = row[b.n];
	free(row);
	return d;
}

static void the_bit_parallel_distance_is_that_of_the_plain_table(void)
{
	struct rng r = { 7 };

	for (int round = 0; round < 400; round++) {
		char a[300], b[300];
		size_t n = rng_below(&r, 300), m = rng_below(&r, 300);
		unsigned letters = 1 + (unsigned)rng_below(&r, 4);

		for (size_t i = 0; i < n; i++)
			a[i] = (char)('a' + rng_below(&r, letters));
		for (size_t i = 0; i < m; i++)
			b[i] = round % 2 && i < n && rng_below(&r, 20)
				       ? a[i]
				       : (char)('a' + rng_below(&r, letters));
		struct str x = { a, n }, y = { b, m };
		CHECK(levenshtein(x, y) == plain_levenshtein(x, y));
		CHECK(levenshtein(y, x) == levenshtein(x, y));
	}
}

/* --- a set on a line: the text says where each sample is --- */

static void add_line(struct sample_set *s, const double *place, const uint32_t *bin,
		     size_t n)
{
	samples_add_site(s, STR("line"));
	for (size_t i = 0; i < n; i++) {
		char text[64];

		snprintf(text, sizeof(text), "%g", place[i]);
		samples_add(s, str_from(text), (struct str){ 0 },
			    &(struct document){ .text = str_from(text) })
			->bin = bin[i];
		s->sites[0].bins = MAX(s->sites[0].bins, bin[i] + 1);
	}
}

static void fill_distances(const double *place, uint32_t n, struct distances *d)
{
	static size_t offset[1];

	*d = (struct distances){ .v = xcalloc((size_t)n * n, sizeof(*d->v)),
				 .offset = offset };
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++)
			d->v[i * n + j] = (float)fabs(place[i] - place[j]);
}

static void missed_and_duplicate_states_count_one_each(void)
{
	cleanup(samples_release) struct sample_set s = { 0 };
	cleanup(score_work_release) struct score_work w = { 0 };
	struct score_options o = { 0 };
	const double place[] = { 0, 1, 5, 6, 20 };
	struct distances d;

	add_line(&s, place, (const uint32_t[]){ 0, 0, 1, 1, 2 }, 5);
	fill_distances(place, 5, &d);
	struct score at0 = { 0 }, at1 = { 0 }, at5 = { 0 };
	score_all(&s, &d, 0.5f, &o, &w, &at0);
	score_all(&s, &d, 1, &o, &w, &at1);
	score_all(&s, &d, 6, &o, &w, &at5);
	free(d.v);
	CHECK(at0.kept == 5 && at0.missed == 0 && at0.duplicates == 2);
	CHECK(at1.kept == 3 && at1.missed == 0 && at1.duplicates == 0);
	CHECK(at5.kept == 2 && at5.missed == 1 && at5.missed_samples == 2);
	CHECK(score_cost(&at5, 4) == 4 && score_cost(&at0, 4) == 2);
	CHECK(metric_find(STR("f1"))->value(&at1) == 1);
}

struct floats {
	const struct distances *d;
	uint32_t n;
};

static struct state_distance from_floats(const void *ctx, uint32_t a, uint32_t b)
{
	const struct floats *f = ctx;

	return (struct state_distance){ (double)f->d->v[a * f->n + b], 0 };
}

/* The sweep must decide as the crawl does, transition by transition. */
static void a_simulated_point_is_the_graph_of_the_crawl(void)
{
	struct rng r = { 3 };

	for (int round = 0; round < 200; round++) {
		cleanup(samples_release) struct sample_set s = { 0 };
		cleanup(score_work_release) struct score_work w = { 0 };
		struct score_options o = { 0 };
		double place[40];
		uint32_t bin[40] = { 0 };
		struct transition t[80];
		struct distances d;
		struct simulation sim;
		struct score got = { 0 };

		for (int i = 0; i < 40; i++)
			place[i] = (double)rng_below(&r, 60);
		for (uint32_t i = 0; i < 80; i++)
			t[i] = (struct transition){ (uint32_t)rng_below(&r, 40),
						    (uint32_t)rng_below(&r, 40), i };
		add_line(&s, place, bin, 40);
		s.sites[0].transitions = t;
		s.sites[0].transition_count = 80;
		fill_distances(place, 40, &d);
		struct floats f = { &d, 40 };
		float threshold = (float)rng_below(&r, 8);
		score_all(&s, &d, threshold, &o, &w, &got);
		simulation_start(&sim, (struct state_thresholds){ (double)threshold, 1 },
				 from_floats, &f);
		simulation_run(&sim, t, 80);
		bool same = got.kept == sim.kept_count && got.edges == sim.edge_count;
		for (size_t i = 0; i < sim.raw_count; i++)
			same = same && w.absorbed_by[i] == sim.absorbed_by[i];
		simulation_release(&sim);
		free(d.v);
		CHECK(same);
	}
}

static void what_follows_a_merged_state_is_lost_when_merged_is_silent(void)
{
	cleanup(samples_release) struct sample_set s = { 0 };
	cleanup(score_work_release) struct score_work w = { 0 };
	const double place[] = { 0, 1, 50 };
	struct transition t[] = { { 0, 1, 0 }, { 1, 2, 1 } };
	struct distances d;
	struct score silent = { 0 }, explored = { 0 };

	add_line(&s, place, (const uint32_t[]){ 0, 0, 1 }, 3);
	s.sites[0].transitions = t;
	s.sites[0].transition_count = 2;
	fill_distances(place, 3, &d);
	score_all(&s, &d, 1, &(struct score_options){ 0 }, &w, &explored);
	score_all(&s, &d, 1, &(struct score_options){ .merged_is_silent = true }, &w,
		  &silent);
	free(d.v);
	CHECK(explored.missed == 0 && explored.kept == 2);
	CHECK(silent.missed == 1 && silent.kept == 1 && silent.edges == 1);
}

/* --- grids --- */

static void a_grid_is_a_line(void)
{
	cleanup(detector_list_release) struct detector_list l = { 0 };
	struct diag why;

	CHECK(detector_parse(&l, STR("crawlhash:words:1-9:1-8"), &why) == ST_OK);
	CHECK(l.n == 9 && l.v[8].features.size == 9 && l.v[0].threshold_count == 8);
	CHECK(detector_parse(&l, STR("jaccard:chars:3:0.05-0.4/0.05"), &why) == ST_OK);
	CHECK(l.v[9].threshold_count == 8 && l.v[9].thresholds[7] == 0.4);
	CHECK(detector_parse(&l, STR("levenshtein"), &why) == ST_OK);
	CHECK(!l.v[10].method && detector_smaller_is_nearer(&l.v[10]));
}

static void a_wrong_grid_is_told_and_adds_nothing(void)
{
	static const char *const wrong[] = {
		"",
		"no-such",
		"crawlhash:paragraphs",
		"ssm:words",
		"jaccard:words:0",
		"jaccard:words:64",
		"jaccard:words:9-1",
		"jaccard:words:1-9/0",
		"jaccard:words:1:x",
		"jaccard:words:1:0-1/0.00001",
	};
	cleanup(detector_list_release) struct detector_list l = { 0 };

	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct diag why = { 0 };

		CHECK(detector_parse(&l, str_from(wrong[i]), &why) != ST_OK);
		CHECK(l.n == 0 && why.text[0]);
	}
}

/* --- a sweep of texts --- */

static void add_text(struct sample_set *s, struct rng *r, unsigned base, unsigned edits,
		     uint32_t bin)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct rng same = { base };

	for (int i = 0; i < 60; i++)
		buf_addf(&b, "w%llu ", (unsigned long long)rng_below(&same, 1000));
	for (unsigned i = 0; i < edits; i++)
		buf_addf(&b, "x%llu ", (unsigned long long)rng_below(r, 1000));
	char name[16];
	snprintf(name, sizeof(name), "s%zu", s->n);
	samples_add(s, str_from(name), (struct str){ 0 },
		    &(struct document){ .text = buf_str(&b) })
		->bin = bin;
}

static void add_texts(struct sample_set *s)
{
	struct rng r = { 11 };

	samples_add_site(s, STR("texts"));
	for (uint32_t bin = 0; bin < 6; bin++)
		for (unsigned k = 0; k < 4; k++)
			add_text(s, &r, 100 + bin, k, bin);
	s->sites[0].bins = 6;
}

static void the_sweep_finds_the_threshold_and_does_not_depend_on_threads(void)
{
	cleanup(samples_release) struct sample_set s = { 0 };
	cleanup(detector_list_release) struct detector_list l = { 0 };
	cleanup(sweep_release) struct sweep one = { 0 }, four = { 0 };
	struct sweep_options o = { .steps = 20, .threads = 1 };
	struct recommendation best;
	struct diag why;

	add_texts(&s);
	CHECK(detector_parse(&l, STR("jaccard:words:1-4"), &why) == ST_OK);
	CHECK(detector_parse(&l, STR("crawlhash:words:1-3:1-8"), &why) == ST_OK);
	CHECK(sweep_run(&s, &l, &o, &one, &why) == ST_OK);
	o.threads = 4;
	CHECK(sweep_run(&s, &l, &o, &four, &why) == ST_OK);
	CHECK(one.points == four.points && one.n == 7);
	for (size_t i = 0; i < one.n; i++)
		for (size_t k = 0; k < one.v[i].n; k++) {
			CHECK(one.v[i].v[k].threshold == four.v[i].v[k].threshold);
			CHECK(memcmp(&one.v[i].v[k].score, &four.v[i].v[k].score,
				     sizeof(struct score)) == 0);
		}
	CHECK(recommend(&one, 1, &best) && best.cost == 0);
	recommend_interval(&s, &one, &o.score, &best);
	double t = one.v[best.detector].v[best.point].threshold;
	CHECK(best.has_interval && best.low <= t && t <= best.high);
}

static void the_dearer_a_miss_the_stricter_the_threshold(void)
{
	struct sweep_point points[] = {
		{ 1, { .bins = 9, .duplicates = 9 } },
		{ 2, { .bins = 9, .duplicates = 3, .missed = 1 } },
		{ 3, { .bins = 9, .duplicates = 0, .missed = 3 } },
		{ 4, { .bins = 9, .duplicates = 0, .missed = 8 } },
	};
	struct detector d = { .kind = DETECTOR_LEVENSHTEIN };
	struct swept_detector w = { .detector = &d, .v = points, .n = 4 };
	struct sweep sw = { .v = &w, .n = 1, .points = 4 };
	struct recommendation r;

	CHECK(recommend(&sw, 0.5, &r) && points[r.point].threshold == 3);
	CHECK(recommend(&sw, 2, &r) && points[r.point].threshold == 2);
	CHECK(recommend(&sw, 20, &r) && points[r.point].threshold == 1);
}

static void labels_are_bins_or_graded_pairs(void)
{
	cleanup(samples_release) struct sample_set s = { 0 };
	struct diag why = { 0 };
	struct document none = { 0 };

	samples_add_site(&s, STR("x"));
	for (int i = 0; i < 4; i++) {
		char name[4] = { (char)('a' + i) };

		samples_add(&s, str_from(name), (struct str){ 0 }, &none);
	}
	CHECK(samples_add_labels(&s, 0, STR("0\ta\tb\n# note\n2\ta\tc\n1\tc\td\n"),
				 &why) == ST_OK);
	CHECK(s.sites[0].bins == 2 && s.v[0].bin == s.v[1].bin &&
	      s.v[2].bin == s.v[3].bin && s.v[0].bin != s.v[2].bin);
	CHECK(s.pair_count == 3);
	CHECK(samples_add_labels(&s, 0, STR("a\thome\nb\tother\n"), &why) == ST_OK);
	CHECK(s.v[0].bin != s.v[1].bin);
	CHECK(samples_add_labels(&s, 0, STR("nonsense\n"), &why) == ST_SYNTAX);
	CHECK(samples_add_labels(&s, 0, STR("7\ta\tb\n"), &why) == ST_SYNTAX);
}

static void a_comparison_has_a_row_per_method(void)
{
	struct sample a = { .doc.text = STR("one two three four five six seven eight "
					    "nine ten eleven twelve") };
	struct sample b = { .doc.text = STR("one two three four five six seven eight "
					    "nine ten eleven zwoelf") };
	cleanup(comparison_release) struct comparison c;
	cleanup(keyword_tables_release) struct keyword_tables t;

	comparison_make(&a, &b, &c);
	CHECK(c.n >= 25 && c.near > 3 && isnan(c.levenshtein));
	CHECK(c.rows[1].others[0].comparable && c.rows[1].others[0].near);
	keyword_tables_make(&a, &b, &t);
	CHECK(t.only_a == 1 && t.only_b == 1 && t.common == t.n - 2);
	CHECK(t.tables.sum > 0 - 1e-9);
}

/* Nothing is near: then the best is not to merge, and that must be among what is tried.
 */
static void a_sweep_tries_to_merge_nothing(void)
{
	cleanup(samples_release) struct sample_set s = { 0 };
	cleanup(detector_list_release) struct detector_list grid = { 0 };
	cleanup(sweep_release) struct sweep sweep = { 0 };
	struct sweep_options o = { .steps = 10, .threads = 1 };
	struct recommendation r;
	struct diag why;

	samples_add_site(&s, STR("a"));
	for (uint32_t i = 0; i < 3; i++) {
		static const char *const texts[] = {
			"one two three four five six seven",
			"one two three four five six eight",
			"one two three four nine ten eleven"
		};

		samples_add(&s, str_from(texts[i]), (struct str){ 0 },
			    &(struct document){ .text = str_from(texts[i]) })
			->bin = i;
	}
	s.sites[0].bins = 3;
	CHECK(detector_parse(&grid, STR("jaccard:words:1"), &why) == ST_OK);
	CHECK(detector_parse(&grid, STR("simhash64:words:1"), &why) == ST_OK);
	CHECK(sweep_run(&s, &grid, &o, &sweep, &why) == ST_OK);
	for (size_t i = 0; i < 2; i++)
		CHECK(recommend_in_detector(&sweep, i, 1, &r) && r.cost == 0);
}

int main(void)
{
	RUN(the_bit_parallel_distance_is_that_of_the_plain_table);
	RUN(missed_and_duplicate_states_count_one_each);
	RUN(a_simulated_point_is_the_graph_of_the_crawl);
	RUN(what_follows_a_merged_state_is_lost_when_merged_is_silent);
	RUN(a_grid_is_a_line);
	RUN(a_wrong_grid_is_told_and_adds_nothing);
	RUN(the_sweep_finds_the_threshold_and_does_not_depend_on_threads);
	RUN(the_dearer_a_miss_the_stricter_the_threshold);
	RUN(labels_are_bins_or_graded_pairs);
	RUN(a_comparison_has_a_row_per_method);
	RUN(a_sweep_tries_to_merge_nothing);
	DONE();
}
