#include "writer/blocks.h"

#include <string.h>

#include "base/hash.h"
#include "hosts/robots_cache.h"
#include "test.h"

static struct page page_of(struct page_block *b, size_t n, const char *const *texts)
{
	for (size_t i = 0; i < n; i++)
		b[i] = (struct page_block){ .text = str_from(texts[i]),
					    .hash = hash64(str_from(texts[i])) };
	return (struct page){ .blocks = b, .n_blocks = n };
}

static void only_paragraphs_new_to_the_site_count(void)
{
	static const char *const first[] = { "a menu of links", "a story of its own" };
	static const char *const second[] = { "a menu of links", "some other story x" };
	struct page_block b[2];
	struct blocks k = { 0 };
	struct page p = page_of(b, 2, first);

	CHECK(blocks_add(&k, 1, STR(""), &p) == 100);
	CHECK(blocks_add(&k, 1, STR(""), &p) == 0);
	p = page_of(b, 2, second);
	CHECK(blocks_add(&k, 1, STR(""), &p) > 50 && blocks_add(&k, 1, STR(""), &p) == 0);
	/* Another site has its own memory. */
	CHECK(blocks_add(&k, 2, STR(""), &p) == 100);
	blocks_release(&k);
}

static void a_counter_does_not_make_a_paragraph_new(void)
{
	static const char *const first[] = { "seen by 17 people today" };
	static const char *const second[] = { "seen by 2044 people today" };
	struct page_block b[1];
	struct blocks k = { 0 };
	struct page p = page_of(b, 1, first);

	CHECK(blocks_add(&k, 1, STR(""), &p) == 100);
	p = page_of(b, 1, second);
	CHECK(blocks_add(&k, 1, STR(""), &p) == 0);
	blocks_release(&k);
}

static void what_a_page_repeats_of_its_url_is_not_new(void)
{
	static const char *const first[] = { "Nothing was found for red apples. Try:" };
	static const char *const second[] = { "Nothing was found for green pears. Try:" };
	static const char *const third[] = { "A story about green pears. Read:" };
	struct page_block b[1];
	struct blocks k = { 0 };
	struct page p = page_of(b, 1, first);

	CHECK(blocks_add(&k, 1, STR("q=red+apples"), &p) == 100);
	p = page_of(b, 1, second);
	CHECK(blocks_add(&k, 1, STR("x=1&q=green%20pears"), &p) == 0);
	p = page_of(b, 1, third);
	CHECK(blocks_add(&k, 1, STR("q=green+pears"), &p) == 100);
	blocks_release(&k);
}

static void many_paragraphs_grow_the_filters(void)
{
	struct blocks k = { 0 };
	unsigned new_ones = 0, again = 0;

	for (int round = 0; round < 2; round++)
		for (uint64_t i = 0; i < 400000; i++) {
			struct page_block b = { .text = { "x", 300 },
						.hash = hash_mix(i + 1) };
			struct page p = { .blocks = &b, .n_blocks = 1 };

			*(round ? &again : &new_ones) +=
				blocks_add(&k, 9, STR(""), &p) == 100;
		}
	CHECK(k.n >= 2 && again == 0);
	CHECK(new_ones > 390000);
	blocks_release(&k);
}

static void robots_that_fail_close_the_site_and_those_missing_open_it(void)
{
	struct robots_cache c = { .name = STR("thresh") };
	char text[160];
	struct str line;

	robots_cache_set(&c, 3, 404, STR(""), 0, 1000);
	CHECK(robots_cache_allows(&c, 3, STR("/x"), text, &line));
	robots_cache_set(&c, 4, 503, STR(""), 0, 1000);
	CHECK(!robots_cache_allows(&c, 4, STR("/x"), text, &line) && line.n > 0);
	robots_cache_set(&c, 5, 200, STR("User-agent: *\nDisallow: /private\n"), 0, 1000);
	CHECK(robots_cache_allows(&c, 5, STR("/x"), text, &line));
	CHECK(!robots_cache_allows(&c, 5, STR("/private/x"), text, &line));
	CHECK(str_find(line, STR("line 2")) != STR_NONE);
	/* A site that was fine goes on with its last good copy. */
	robots_cache_set(&c, 5, 503, STR(""), 0, 2000);
	CHECK(robots_cache_allows(&c, 5, STR("/x"), text, &line));
	CHECK(!robots_cache_allows(&c, 5, STR("/private/x"), text, &line));
	robots_cache_release(&c);
}

int main(void)
{
	RUN(only_paragraphs_new_to_the_site_count);
	RUN(a_counter_does_not_make_a_paragraph_new);
	RUN(what_a_page_repeats_of_its_url_is_not_new);
	RUN(many_paragraphs_grow_the_filters);
	RUN(robots_that_fail_close_the_site_and_those_missing_open_it);
	DONE();
}
