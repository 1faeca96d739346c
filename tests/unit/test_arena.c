#include <string.h>

#include "base/arena.h"
#include "test.h"

static void allocations_are_aligned_and_do_not_overlap(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *p[300];

	for (size_t i = 0; i < COUNT(p); i++) {
		p[i] = arena_alloc(&a, i * 7);
		CHECK((uintptr_t)p[i] % _Alignof(max_align_t) == 0);
		memset(p[i], (int)i, i * 7);
	}
	for (size_t i = 0; i < COUNT(p); i++)
		for (size_t j = 0; j < i * 7; j++)
			CHECK(p[i][j] == (char)i);
}

static void a_large_block_lives_beside_small_ones(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct str small = arena_copy(&a, STR("small"));
	char *large = arena_alloc(&a, 1 << 20);

	memset(large, 1, 1 << 20);
	CHECK(str_eq(small, STR("small")));
}

static void after_reset_it_works_again(void)
{
	cleanup(arena_release) struct arena a = { 0 };

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 5000; i++)
			CHECK(str_eq(arena_copy(&a, STR("again")), STR("again")));
		arena_reset(&a);
	}
	arena_release(&a);
	arena_release(&a);
}

#ifndef ARENA_EMULATE /* there each allocation is new */
static void what_was_enough_once_needs_no_new_memory(void)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *first = NULL;

	for (int round = 0; round < 12; round++) {
		char *p = arena_alloc(&a, 10000);

		for (int i = 0; i < 20; i++)
			arena_alloc(&a, 9000);
		/* A giant is not kept, and what is kept is not lost for it. */
		arena_alloc(&a, (size_t)3 << 20);
		arena_reset(&a);
		if (round >= 8)
			CHECK(first == NULL || p == first);
		first = round >= 8 ? p : NULL;
	}
}
#endif

static void an_empty_string_is_copied_to_a_valid_pointer(void)
{
	cleanup(arena_release) struct arena a = { 0 };

	CHECK(arena_copy(&a, (struct str){ 0 }).p != NULL);
}

int main(void)
{
	RUN(allocations_are_aligned_and_do_not_overlap);
	RUN(a_large_block_lives_beside_small_ones);
	RUN(after_reset_it_works_again);
#ifndef ARENA_EMULATE
	RUN(what_was_enough_once_needs_no_new_memory);
#endif
	RUN(an_empty_string_is_copied_to_a_valid_pointer);
	DONE();
}
