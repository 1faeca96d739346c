#include "journal/revisits.h"

#include "test.h"

#define HOUR ((int64_t)3600000)

static const struct recrawl rule = { .first_ms = 8 * HOUR,
				     .min_ms = HOUR,
				     .max_ms = 100 * HOUR,
				     .shrink = 0.5,
				     .grow = 2 };
static const struct str url = { "http://a/p", 10 };

static void a_page_is_due_sooner_when_it_changes(void)
{
	struct revisits r = { 0 };
	struct journal_done d = { .url = STR("http://a/p"), .code = 200, .start_ms = 0 };

	revisits_note(&r, &rule, &d, 10);
	CHECK(revisits_find(&r, d.url)->due_ms == 8 * HOUR);
	d.start_ms = 8 * HOUR;
	d.change = CHANGE_SOME;
	revisits_note(&r, &rule, &d, 20);
	CHECK(revisits_find(&r, d.url)->due_ms == 12 * HOUR);
	CHECK(revisits_find(&r, d.url)->position == 20);
	d.start_ms = 12 * HOUR;
	d.change = CHANGE_NONE;
	revisits_note(&r, &rule, &d, 30);
	CHECK(revisits_next_due(&r) == 20 * HOUR);
	/* The body is still that of the second visit. */
	CHECK(revisits_find(&r, d.url)->position == 20);
	CHECK(!revisits_find(&r, STR("http://a/")));
	revisits_release(&r);
}

static void a_failure_changes_nothing_but_the_date(void)
{
	struct revisits r = { 0 };
	struct journal_done d = { .url = STR("http://a/p"), .code = 200 };

	revisits_note(&r, &rule, &d, 10);
	d = (struct journal_done){ .url = d.url,
				   .start_ms = HOUR,
				   .change = CHANGE_FAILED };
	revisits_note(&r, &rule, &d, 20);
	CHECK(revisits_find(&r, d.url)->due_ms == 9 * HOUR);
	CHECK(revisits_find(&r, d.url)->visits.seen == 1);
	CHECK(revisits_find(&r, d.url)->position == 10);
	revisits_release(&r);
}

static void robots_and_probes_are_no_pages(void)
{
	struct revisits r = { 0 };
	struct journal_done d = { .code = 200, .purpose = PURPOSE_ROBOTS };

	revisits_note(&r, &rule, &d, 1);
	d.purpose = PURPOSE_SOFT_404_PROBE;
	revisits_note(&r, &rule, &d, 2);
	CHECK(r.n == 0 && revisits_next_due(&r) == INT64_MAX);
	revisits_release(&r);
}

static void change_is_what_a_reader_would_call_so(void)
{
	struct visit_result old = { .code = 200, .sha1 = STR("aaaaaaaaaaaaaaaaaaaa") };
	struct visit_result now = old;

	CHECK(visit_change(url, NULL, &now) == CHANGE_FIRST);
	CHECK(visit_change(url, &old, &now) == CHANGE_NONE);
	now.sha1 = STR("bbbbbbbbbbbbbbbbbbbb");
	CHECK(visit_change(url, &old, &now) == CHANGE_SOME);
	now.like = url; /* nearly what it was */
	CHECK(visit_change(url, &old, &now) == CHANGE_NONE);
	now.like = STR("http://a/other");
	CHECK(visit_change(url, &old, &now) == CHANGE_SOME);
	old.like = now.like; /* it was a copy of that page before, too */
	CHECK(visit_change(url, &old, &now) == CHANGE_NONE);
	now.code = 304;
	CHECK(visit_change(url, &old, &now) == CHANGE_NONE);
	now.code = 410;
	CHECK(visit_change(url, &old, &now) == CHANGE_GONE);
	now.code = 503;
	CHECK(visit_change(url, &old, &now) == CHANGE_FAILED);
	now.code = -4;
	CHECK(visit_change(url, &old, &now) == CHANGE_FAILED);
}

static void a_redirect_changes_with_its_goal(void)
{
	struct visit_result old = { .code = 301, .location = STR("/b") }, now = old;

	CHECK(visit_change(url, &old, &now) == CHANGE_NONE);
	now.location = STR("/c");
	CHECK(visit_change(url, &old, &now) == CHANGE_SOME);
	now = (struct visit_result){ .code = 200 };
	CHECK(visit_change(url, &old, &now) == CHANGE_SOME);
	CHECK(visit_change(url, &now, &old) == CHANGE_SOME);
}

static struct page some_page(struct page_block *v, size_t n, uint64_t first)
{
	for (size_t i = 0; i < n; i++)
		v[i].hash = hash_mix(first + i);
	return (struct page){ .text = STR("little"), .blocks = v, .n_blocks = n };
}

static void pages_are_compared_by_paragraphs(void)
{
	struct arena a = { 0 };
	struct page_block v[12] = { { .hash = 0 } }, w[12] = { { .hash = 0 } };
	struct page p = some_page(v, 8, 1), q = some_page(w, 8, 1);

	struct str one = page_marks(&p, &a), same = page_marks(&q, &a);
	CHECK(marks_likeness(one, same) == 1);
	w[3].hash = hash_mix(99);
	CHECK(marks_likeness(one, page_marks(&q, &a)) == 7 / 9.0);
	q = some_page(w, 8, 100);
	CHECK(marks_likeness(one, page_marks(&q, &a)) == 0);
	CHECK(marks_likeness(STR(""), STR("")) == 0);
	q.main_bytes = 1; /* then only what is main counts */
	w[2].is_main = true;
	CHECK(page_marks(&q, &a).n == 4);
	struct visit_result old = { 200, STR("aaaaaaaaaaaaaaaaaaaa"), STR(""), STR(""),
				    one };
	struct visit_result now = { 200, STR("bbbbbbbbbbbbbbbbbbbb"), STR(""), STR(""),
				    same };
	CHECK(visit_change(url, &old, &now) == CHANGE_NONE);
	arena_release(&a);
}

int main(void)
{
	RUN(a_page_is_due_sooner_when_it_changes);
	RUN(a_failure_changes_nothing_but_the_date);
	RUN(robots_and_probes_are_no_pages);
	RUN(change_is_what_a_reader_would_call_so);
	RUN(a_redirect_changes_with_its_goal);
	RUN(pages_are_compared_by_paragraphs);
	DONE();
}
