#include "online/skip_store.h"

#include "test.h"
#include "tmp.h"

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
	RUN(what_is_too_long_is_refused);
	DONE();
}
