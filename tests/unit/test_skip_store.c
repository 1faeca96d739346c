#include "online/skip_store.h"

#include "test.h"
#include "tmp.h"

#include <string.h>

#define SKIPS 20000u

static struct online_skip make(unsigned i, char *room, size_t n)
{
	int url = snprintf(room, n / 2, "http://a.test/page/%u?session=%u-%0*u", i % 977,
			   i, (int)(i % 50 ? i % 100 : i % 1000), i);
	int via = snprintf(room + n / 2, n / 2, "http://a.test/via/%u", i / 30);

	return (struct online_skip){ { room, (size_t)url },
				     { room + n / 2, (size_t)via },
				     i % 300 };
}

/* All are as they were, whether read from memory or from the file. */
static void check_store(struct skip_store *s)
{
	static uint64_t at[SKIPS];
	struct arena a = { 0 };
	char room[4096];
	bool same = true;

	for (unsigned i = 0; i < SKIPS && same; i++) {
		struct online_skip what = make(i, room, sizeof(room));

		same = skip_store_add(s, &what, &at[i]);
	}
	CHECK(same);
	for (unsigned i = 0; i < SKIPS && same; i++) {
		struct online_skip want = make(i, room, sizeof(room)), got;

		arena_reset(&a);
		same = skip_store_read(s, at[i], &a, &got) && str_eq(want.url, got.url) &&
		       str_eq(want.via, got.via) && want.depth == got.depth;
	}
	CHECK(same);
	arena_release(&a);
}

static void memory_keeps_what_it_is_given(void)
{
	cleanup(skip_store_release) struct skip_store s = { 0 };

	check_store(&s);
}

static void a_file_keeps_what_it_is_given(void)
{
	struct skip_store s = { 0 };
	struct diag why;

	CHECK(skip_store_open(&s, tmp_path("skips"), &why) == ST_OK);
	check_store(&s);
	CHECK(s.file.size > (size_t)1 << 20 && s.end.cap < (size_t)1 << 20);
	skip_store_release(&s);
	CHECK(!file_exists(tmp_path("skips")));
}

/* Texts of the greatest length, in the file and in what is not written yet. */
static void the_longest_texts_are_kept(void)
{
	static char text[16 * 1024], via[16 * 1024 + 1];
	struct skip_store s = { 0 };
	struct arena a = { 0 };
	uint64_t at[40];
	struct diag why;
	bool same = true;

	CHECK(skip_store_open(&s, tmp_path("skips"), &why) == ST_OK);
	for (unsigned i = 0; i < COUNT(at) && same; i++) {
		memset(text, 'a' + (int)(i % 26), sizeof(text));
		memset(via, 'A' + (int)(i % 26), sizeof(via));
		same = skip_store_add(&s,
				      &(struct online_skip){ { text, sizeof(text) },
							     { via, sizeof(via) - 1 },
							     UINT32_MAX },
				      &at[i]);
	}
	CHECK(same && s.file.size > 0 && s.end.n > 0);
	for (unsigned i = 0; i < COUNT(at) && same; i++) {
		struct online_skip got;

		arena_reset(&a);
		same = skip_store_read(&s, at[i], &a, &got) &&
		       got.url.n == sizeof(text) && got.via.n == sizeof(via) - 1 &&
		       got.url.p[0] == 'a' + (int)(i % 26) &&
		       got.via.p[got.via.n - 1] == 'A' + (int)(i % 26) &&
		       got.depth == UINT32_MAX;
	}
	CHECK(same);
	/* One byte more is too much, of either. */
	CHECK(!skip_store_add(
		&s, &(struct online_skip){ { via, sizeof(via) }, STR(""), 0 }, &at[0]));
	CHECK(!skip_store_add(
		&s, &(struct online_skip){ STR(""), { via, sizeof(via) }, 0 }, &at[0]));
	arena_release(&a);
	skip_store_release(&s);
}

/* Links of one page name it once; an empty name is one, too. */
static void the_page_of_a_link_is_kept_once(void)
{
	cleanup(skip_store_release) struct skip_store s = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	struct online_skip got;
	uint64_t at[3];

	CHECK(skip_store_add(
		&s, &(struct online_skip){ STR("http://a/1"), STR("http://a/"), 1 },
		&at[0]));
	size_t n = s.end.n;
	CHECK(skip_store_add(
		&s, &(struct online_skip){ STR("http://a/2"), STR("http://a/"), 2 },
		&at[1]));
	CHECK(s.end.n - n == 1 + strlen("http://a/2") + 1 + 1);
	CHECK(skip_store_add(&s, &(struct online_skip){ STR("http://a/3"), STR(""), 3 },
			     &at[2]));
	CHECK(skip_store_read(&s, at[1], &a, &got) && got.depth == 2);
	CHECK(str_eq(got.via, STR("http://a/")));
	CHECK(skip_store_read(&s, at[2], &a, &got) && got.via.n == 0);
	CHECK(!skip_store_read(&s, s.end.n, &a, &got));
}

static void what_is_too_long_is_refused(void)
{
	cleanup(skip_store_release) struct skip_store s = { 0 };
	static char text[100000];
	struct online_skip what = { { text, sizeof(text) }, STR("http://a/"), 1 };
	uint64_t at;

	CHECK(!skip_store_add(&s, &what, &at));
}

int main(void)
{
	RUN(memory_keeps_what_it_is_given);
	RUN(a_file_keeps_what_it_is_given);
	RUN(the_longest_texts_are_kept);
	RUN(the_page_of_a_link_is_kept_once);
	RUN(what_is_too_long_is_refused);
	DONE();
}
