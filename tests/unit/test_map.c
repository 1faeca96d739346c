#include "base/map.h"
#include "base/rng.h"
#include "test.h"

#define KEYS 64 /* few, so that adding and removing meet often */

static void agrees_with_an_array_under_random_changes(void)
{
	cleanup(map_release) struct map m = { 0 };
	uint64_t truth[KEYS] = { 0 };
	bool there[KEYS] = { 0 };
	struct rng r = { 42 };

	for (int i = 0; i < 20000; i++) {
		uint64_t key = rng_below(&r, KEYS);
		bool fresh;

		if (rng_chance(&r, 0.5)) {
			*map_add(&m, key, &fresh) = (uint64_t)i;
			CHECK(fresh == !there[key]);
			there[key] = true;
			truth[key] = (uint64_t)i;
		} else {
			CHECK(map_remove(&m, key) == there[key]);
			there[key] = false;
		}
		key = rng_below(&r, KEYS);
		uint64_t *v = map_find(&m, key);
		CHECK(there[key] ? v && *v == truth[key] : !v);
	}
}

static void walks_every_key_once_and_zero_too(void)
{
	cleanup(map_release) struct map m = { 0 };
	uint64_t sum = 0, n = 0;
	struct map_slot slot;

	for (uint64_t key = 0; key < 1000; key++)
		*map_add(&m, key, NULL) = key;
	for (size_t at = 0; map_next(&m, &at, &slot); n++)
		sum += slot.key == slot.value ? slot.key : 1000000;
	CHECK(n == 1000 && sum == 999 * 1000 / 2);
}

static void a_new_value_is_zero_even_after_removal(void)
{
	cleanup(map_release) struct map m = { 0 };

	*map_add(&m, 0, NULL) = 5;
	*map_add(&m, 9, NULL) = 5;
	CHECK(map_remove(&m, 0) && map_remove(&m, 9));
	CHECK(*map_add(&m, 0, NULL) == 0 && *map_add(&m, 9, NULL) == 0);
	map_reset(&m);
	CHECK(!map_find(&m, 0) && !map_find(&m, 9));
}

int main(void)
{
	RUN(agrees_with_an_array_under_random_changes);
	RUN(walks_every_key_once_and_zero_too);
	RUN(a_new_value_is_zero_even_after_removal);
	DONE();
}
