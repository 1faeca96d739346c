#include "test.h"

#include "testweb/answer.h"
#include "testweb/link.h"
#include "testweb/prose.h"
#include "testweb/similar.h"

static struct world w;

static void render(const struct place *p, struct buf *to)
{
	buf_reset(to);
	answer_render(&w, p, STR("host"), STR("/target"), to);
}

static struct place random_item(struct rng *r)
{
	struct place p = { .view = VIEW_ITEM };

	do {
		p.site = (uint32_t)rng_below(r, w.n_sites);
		p.item = (uint32_t)rng_below(r, w.sites[p.site].n_items);
	} while (w.sites[p.site].origin != p.site ||
		 !item_exists(&w, &w.sites[p.site], p.item));
	return p;
}

static void aliases_declared_equal_are_equal(void)
{
	struct rng r = { 1 };
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };
	unsigned equal = 0;

	for (unsigned i = 0; i < 3000; i++) {
		struct place p = random_item(&r), alias = p;
		struct draft d;

		alias.alias =
			link_compatible(link_families(&w, &p) & (uint32_t)rng_next(&r));
		alias.nonce = rng_next(&r);
		alias.alias = link_draft(&w, &alias, &d);
		struct truth t = truth_of(&w, &alias);
		if (!t.equal || t.class != CLASS_ALIAS)
			continue;
		render(&p, &a);
		render(&alias, &b);
		CHECK(str_eq(buf_str(&a), buf_str(&b)));
		CHECK(truth_of(&w, &p).page == t.page);
		equal++;
	}
	CHECK(equal > 100);
}

static void edited_copies_differ_by_what_is_declared(void)
{
	struct rng r = { 2 };
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };
	double sum[2] = { 0 };
	unsigned n[2] = { 0 };

	for (unsigned i = 0; i < 40000 && n[0] + n[1] < 400; i++) {
		struct place p = random_item(&r);
		struct item_root root = item_root(&w, p.site, p.item);
		struct place of = { .site = root.site,
				    .view = VIEW_ITEM,
				    .item = root.item };

		if (!root.edit_permille)
			continue;
		struct truth t = truth_of(&w, &p);
		CHECK(t.class == CLASS_NEAR && !t.must_keep);
		CHECK(t.cluster == truth_of(&w, &of).cluster &&
		      truth_of(&w, &of).must_keep);
		render(&p, &a);
		render(&of, &b);
		bool small = root.edit_permille <= 10;
		sum[small] += similar_contents(buf_str(&a), buf_str(&b));
		n[small]++;
	}
	CHECK(n[0] > 50 && n[1] > 50);
	CHECK(sum[1] / n[1] > 0.8); /* 0.5 and 1 % edited */
	CHECK(sum[0] / n[0] > 0.4 && sum[0] / n[0] < sum[1] / n[1]); /* 2 to 20 % */
}

/* Over-deduplication shows only against pages that are really different. */
static void different_pages_are_far_apart(void)
{
	struct rng r = { 3 };
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };
	double most = 0, most_whole = 0, sum = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < 1500; i++) {
		struct place p = random_item(&r), q = p;

		q.item = (uint32_t)rng_below(&r, w.sites[p.site].n_items);
		struct truth tp = truth_of(&w, &p), tq = truth_of(&w, &q);
		if (tp.class != CLASS_PAGE || tq.class != CLASS_PAGE ||
		    tp.cluster == tq.cluster)
			continue;
		render(&p, &a);
		render(&q, &b);
		double content = similar_contents(buf_str(&a), buf_str(&b));
		double whole = similar_pages(buf_str(&a), buf_str(&b));
		most = MAX(most, content);
		most_whole = MAX(most_whole, whole);
		sum += whole;
		n++;
	}
	printf("# %u pairs: content at most %.3f, whole pages at most %.3f, mean %.3f\n",
	       n, most, most_whole, sum / n);
	CHECK(n > 500);
	CHECK(most < 0.2);
	CHECK(most_whole < 0.75); /* short pages of one site share their boilerplate */
	CHECK(sum / n < 0.4);
}

static void pages_drift_with_the_days(void)
{
	struct rng r = { 4 };
	cleanup(buf_release) struct buf a = { 0 }, b = { 0 };
	unsigned same = 0, changed = 0, gone = 0, born = 0;

	for (unsigned i = 0; i < 600; i++) {
		struct place p = { .view = VIEW_ITEM };

		p.site = (uint32_t)rng_below(&r, w.n_sites);
		const struct site *s = &w.sites[p.site];
		p.item = (uint32_t)rng_below(&r, s->n_items);
		w.options.day = 0;
		bool before = item_exists(&w, s, p.item);
		struct prose text = prose_of_item(&w, p.site, p.item);
		buf_reset(&a);
		prose_write(&text, &a);
		w.options.day = 40;
		bool after = item_exists(&w, s, p.item);
		text = prose_of_item(&w, p.site, p.item);
		buf_reset(&b);
		prose_write(&text, &b);
		gone += before && !after;
		born += !before && after;
		same += before && after && str_eq(buf_str(&a), buf_str(&b));
		changed += before && after && !str_eq(buf_str(&a), buf_str(&b));
	}
	w.options.day = 0;
	CHECK(same > 200 && changed > 100 && gone > 0 && born > 5);
}

static void words_follow_zipf(void)
{
	struct rng r = { 5 };
	unsigned counts[2000] = { 0 };

	for (unsigned i = 0; i < 1000000; i++) {
		size_t rank = (size_t)(words_draw(&w.words, LANG_EN, rng_next(&r)) -
				       w.words.of[LANG_EN].words);
		if (rank < COUNT(counts))
			counts[rank]++;
	}
	/* p(rank) ~ 1 / (rank + 2.7): ten times the rank, a tenth of the count. */
	CHECK(counts[0] > 30000 && counts[0] < 60000);
	CHECK(counts[100] > counts[1000] * 5);
	CHECK(counts[10] > counts[100] * 5 && counts[10] < counts[100] * 12);
}

static void slugs_can_be_read_back(void)
{
	struct rng r = { 6 };
	cleanup(buf_release) struct buf text = { 0 };

	for (unsigned i = 0; i < 5000; i++) {
		enum language l = (enum language)(i % LANGUAGES);
		uint32_t number = (uint32_t)rng_below(&r, SLUG_LIMIT), back;
		uint64_t key = rng_next(&r);

		buf_reset(&text);
		words_spell(&w.words, l, key, number, '-', &text);
		CHECK(words_unspell(&w.words, l, key, buf_str(&text), '-', &back));
		CHECK(back == number);
	}
	uint32_t back;
	CHECK(!words_unspell(&w.words, LANG_EN, 1, STR("quiet-river"), '-', &back));
	CHECK(!words_unspell(&w.words, LANG_EN, 1, STR("quiet-river-xyzzy"), '-', &back));
	CHECK(!words_unspell(&w.words, LANG_EN, 1, STR("quiet-river-garden-stone"), '-',
			     &back));
}

/* Who gave up and asks again, alone, gets an answer sooner or later. */
static void a_slow_answer_is_slow_by_chance(void)
{
	struct memory m = { 0 };
	struct asked asked = { .request = { .target = STR("/") } };
	uint32_t least = UINT32_MAX, most = 0;

	w.options.troubles |= 1u << TROUBLE_LATENCY;
	asked.request.host = (struct str){ w.sites[0].name, w.sites[0].name_n };
	memory_init(&m, &w);
	for (unsigned i = 0; i < 500; i++) {
		uint32_t ms = answer_delay_ms(&w, &m, &asked);

		least = MIN(least, ms);
		most = MAX(most, ms);
	}
	CHECK(least > 0 && most > 10 * least);
	memory_release(&m);
	w.options.troubles = 0;
}

int main(void)
{
	struct world_options o;
	struct diag why;

	world_options_default(&o);
	o.pages = 8000;
	o.hosts = 40;
	if (world_init(&w, &o, &why) != ST_OK)
		return printf("# %s\n", why.text), 1;
	RUN(aliases_declared_equal_are_equal);
	RUN(edited_copies_differ_by_what_is_declared);
	RUN(different_pages_are_far_apart);
	RUN(pages_drift_with_the_days);
	RUN(words_follow_zipf);
	RUN(slugs_can_be_read_back);
	RUN(a_slow_answer_is_slow_by_chance);
	world_release(&w);
	DONE();
}
