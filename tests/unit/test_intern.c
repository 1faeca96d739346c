#include "base/intern.h"
#include "test.h"

static void ids_are_dense_and_stay(void)
{
	cleanup(intern_release) struct intern t = { 0 };
	char text[16];

	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < 10000; i++) {
			int n = snprintf(text, sizeof(text), "s%u", i);

			CHECK(intern_add(&t, (struct str){ text, (size_t)n }) == i);
		}
	CHECK(t.n == 10000 && str_eq(intern_str(&t, 77), STR("s77")));
}

static void finding_does_not_add(void)
{
	cleanup(intern_release) struct intern t = { 0 };

	CHECK(intern_find(&t, STR("x")) == INTERN_NONE);
	CHECK(intern_add(&t, STR("")) == 0 && intern_find(&t, STR("")) == 0);
	CHECK(intern_find(&t, STR("x")) == INTERN_NONE && t.n == 1);
}

int main(void)
{
	RUN(ids_are_dense_and_stay);
	RUN(finding_does_not_add);
	DONE();
}
