#include "focus/ranker.h"

#include "test.h"

static struct ranker ranker;
static struct focus focus;
static struct arena arena;

static void begin(const struct ranker_options *o)
{
	struct diag why;

	arena_reset(&arena);
	ranker_release(&ranker);
	focus_close(&focus);
	if (focus_open(&focus, &(struct focus_spec){ 0 }, &why) == ST_OK)
		ranker_init(&ranker, &focus, o);
}

static struct discovery scored(const char *url, float anchor)
{
	struct focus_scores s = focus_scores_none();
	char *bytes = arena_alloc(&arena, SCORES_BYTES);

	focus_scores_set(&s, PART_ANCHOR, anchor);
	focus_scores_encode(&s, bytes);
	return (struct discovery){ .url = str_from(url),
				   .hash = hash128(str_from(url)),
				   .has_score = true,
				   .scores = { bytes, SCORES_BYTES } };
}

static void offer(const char *page, struct discovery *links, size_t n)
{
	ranker_score_links(&ranker,
			   &(struct ranker_page){ .url = str_from(page),
						  .key = hash128(str_from(page)).lo,
						  .bytes = &arena },
			   links, n);
}

static float part(const struct discovery *d, enum focus_part p)
{
	struct focus_scores s;

	return focus_scores_decode(d->scores, &s) == ST_OK ? focus_scores_value(&s, p)
							   : -1;
}

static void links_to_one_page_add_up(void)
{
	struct discovery first[] = { scored("http://a.test/x", 0.4f),
				     scored("http://a.test/y", 0.4f) };
	struct discovery again[] = { scored("http://a.test/x", 0.9f) };

	begin(&(struct ranker_options){ 0 });
	first[0] = scored("http://a.test/x", 0.4f);
	first[1] = scored("http://a.test/y", 0.4f);
	again[0] = scored("http://a.test/x", 0.9f);
	offer("http://a.test/", first, 2);
	CHECK(ranker.n_moved == 0 && first[0].priority == first[1].priority);
	offer("http://a.test/2", again, 1);
	CHECK(ranker.n_moved == 1 && again[0].priority > first[0].priority);
	/* And so does what they are linked with. */
	CHECK(part(&again[0], PART_IMPORTANCE) > part(&first[0], PART_IMPORTANCE));
}

static void hosts_are_worth_what_their_pages_were(void)
{
	begin(&(struct ranker_options){ .relevant = 0.5f });
	for (unsigned i = 0; i < 20; i++) {
		ranker_learn(&ranker,
			     &(struct ranker_answer){ .url = STR("http://a.test/"),
						      .relevance = 1,
						      .is_new = true });
		ranker_learn(&ranker,
			     &(struct ranker_answer){ .url = STR("http://b.test/") });
	}
	struct discovery d[] = { scored("http://a.test/1", 0),
				 scored("http://b.test/1", 0),
				 scored("http://c.test/1", 0) };
	offer("http://z.test/", d, 3);
	CHECK(part(&d[0], PART_HOST) > part(&d[2], PART_HOST));
	CHECK(part(&d[2], PART_HOST) > part(&d[1], PART_HOST));
	CHECK(d[0].score > d[1].score);
	CHECK(ranker.pages == 40 && ranker.relevant == 20);
}

static void saturation_is_seen_over_a_window(void)
{
	struct ranker_answer good = { .url = STR("http://a.test/"),
				      .relevance = 1,
				      .is_new = true };
	struct ranker_answer copy = { .url = STR("http://a.test/"), .relevance = 1 };

	begin(&(struct ranker_options){
		.relevant = 0.5f, .min_yield = 0.2f, .window = 10 });
	for (unsigned i = 0; i < 9; i++)
		ranker_learn(&ranker, &copy);
	CHECK(!ranker_is_saturated(&ranker)); /* the window is not full */
	ranker_learn(&ranker, &good);
	CHECK(ranker_is_saturated(&ranker)); /* 1 of 10 */
	ranker_learn(&ranker, &good);
	CHECK(!ranker_is_saturated(&ranker)); /* 2 of 10 */
	for (unsigned i = 0; i < 9; i++)
		ranker_learn(&ranker, &copy);
	CHECK(ranker_is_saturated(&ranker));
}

int main(void)
{
	RUN(links_to_one_page_add_up);
	RUN(hosts_are_worth_what_their_pages_were);
	RUN(saturation_is_seen_over_a_window);
	ranker_release(&ranker);
	focus_close(&focus);
	arena_release(&arena);
	DONE();
}
