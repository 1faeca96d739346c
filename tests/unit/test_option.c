#include <string.h>

#include "base/option.h"
#include "test.h"

struct settings {
	bool loud;
	uint64_t count, size, delay_ms;
	double share;
	struct str name;
	int scope;
	struct str_list words;
};

#define AT(field) offsetof(struct settings, field)

static const struct option_row rows[] = {
	{ "loud", 'l', OPTION_FLAG, AT(loud), 0, 0, "no", NULL, NULL, "say more" },
	{ "count", 0, OPTION_UINT, AT(count), 1, 1e6, "10", "N", NULL, "how many" },
	{ "size", 0, OPTION_BYTES, AT(size), 0, 0, "2M", "BYTES", NULL, "how large" },
	{ "delay", 0, OPTION_TIME, AT(delay_ms), 0, 0, "1500ms", "TIME", NULL, "wait" },
	{ "share", 0, OPTION_REAL, AT(share), 0, 1, "3%", "X", NULL, "how much" },
	{ "name", 'n', OPTION_STR, AT(name), 0, 0, NULL, "NAME", NULL, "who" },
	{ "scope", 0, OPTION_CHOICE, AT(scope), 0, 0, "host", NULL, "page|host|any",
	  "where" },
	{ "word", 'w', OPTION_LIST, AT(words), 0, 0, NULL, "W", NULL, "which" },
	OPTION_END,
};

static void defaults_are_put_with_their_units(void)
{
	struct settings s = { 0 };
	cleanup(arena_release) struct arena a = { 0 };

	options_default(rows, &s, &a);
	CHECK(!s.loud && s.count == 10 && s.size == 2 << 20 && s.delay_ms == 1500);
	CHECK(s.share > 0.0299 && s.share < 0.0301 && s.scope == 1 && s.name.n == 0);
}

static enum status set(struct settings *s, const char *name, const char *value,
		       struct diag *why, struct arena *a)
{
	return option_set(option_find(rows, str_from(name)), s, str_from(value), a, why);
}

static void values_that_make_no_sense_are_refused_with_the_reason(void)
{
	struct settings s = { .count = 5 };
	cleanup(arena_release) struct arena a = { 0 };
	struct diag why;

	CHECK(set(&s, "count", "many", &why, &a) == ST_SYNTAX &&
	      strstr(why.text, "--count"));
	CHECK(set(&s, "count", "0", &why, &a) == ST_TOO_LARGE &&
	      strstr(why.text, "between 1 and"));
	CHECK(set(&s, "count", "1.5", &why, &a) == ST_SYNTAX);
	CHECK(set(&s, "count", "-1", &why, &a) == ST_SYNTAX);
	CHECK(set(&s, "count", "0x10", &why, &a) == ST_SYNTAX);
	CHECK(set(&s, "count", "nan", &why, &a) == ST_SYNTAX);
	CHECK(set(&s, "count", "", &why, &a) == ST_SYNTAX && s.count == 5);
	CHECK(set(&s, "scope", "planet", &why, &a) == ST_SYNTAX &&
	      strstr(why.text, "page|host|any"));
	CHECK(set(&s, "loud", "maybe", &why, &a) == ST_SYNTAX);
	CHECK(set(&s, "delay", "3 weeks", &why, &a) == ST_SYNTAX);
}

static void units_multiply(void)
{
	struct settings s = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	struct diag why;

	CHECK(set(&s, "count", "1M", &why, &a) == ST_OK && s.count == 1000000);
	CHECK(set(&s, "size", "1.5k", &why, &a) == ST_OK && s.size == 1536);
	CHECK(set(&s, "delay", "2h", &why, &a) == ST_OK && s.delay_ms == 7200000);
	CHECK(set(&s, "delay", "5", &why, &a) == ST_OK && s.delay_ms == 5000);
}

static void lists_grow_and_split_at_commas(void)
{
	struct settings s = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	struct diag why;

	CHECK(set(&s, "word", "en, pt", &why, &a) == ST_OK);
	CHECK(set(&s, "word", "de", &why, &a) == ST_OK && s.words.n == 3);
	CHECK(str_eq(s.words.v[1], STR("pt")) && str_eq(s.words.v[2], STR("de")));
	str_list_release(&s.words);
}

static void what_is_given_replaces_the_default_of_a_list(void)
{
	static const struct option_row row[] = {
		{ "w", 0, OPTION_LIST, 0, 0, 0, "a,b", "W", NULL, "which" }, OPTION_END
	};
	cleanup(arena_release) struct arena a = { 0 };
	struct str_list words = { 0 };

	options_default(row, &words, &a);
	CHECK(words.n == 2 && str_eq(words.v[1], STR("b")));
	CHECK(option_set(row, &words, STR("c"), &a, NULL) == ST_OK);
	CHECK(option_set(row, &words, STR("d"), &a, NULL) == ST_OK);
	CHECK(words.n == 2 && str_eq(words.v[0], STR("c")) &&
	      str_eq(words.v[1], STR("d")));
	str_list_release(&words);
}

static void what_is_formatted_can_be_set_again(void)
{
	struct settings s = { .loud = true,
			      .count = 3000,
			      .size = 5 << 20,
			      .delay_ms = 90000,
			      .share = 0.25,
			      .name = STR("x"),
			      .scope = 2 },
			t = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf b = { 0 };

	for (const struct option_row *r = rows; r->name; r++) {
		buf_reset(&b);
		option_format(r, &s, &b);
		CHECK(option_set(r, &t, buf_str(&b), &a, NULL) == ST_OK);
	}
	CHECK(t.loud && t.count == 3000 && t.size == 5 << 20 && t.delay_ms == 90000);
	CHECK(t.share == 0.25 && str_eq(t.name, STR("x")) && t.scope == 2);
	buf_reset(&b);
	option_format(option_find(rows, STR("delay")), &s, &b);
	CHECK(str_eq(buf_str(&b), STR("90s")));
}

static void a_typo_is_forgiven_nonsense_is_not(void)
{
	CHECK(option_nearest(rows, STR("conut")) == option_find(rows, STR("count")));
	CHECK(option_nearest(rows, STR("xylophone")) == NULL);
	CHECK(edit_distance(STR("kitten"), STR("sitting")) == 3);
	CHECK(edit_distance(STR("ab"), STR("ba")) == 1 &&
	      edit_distance(STR(""), STR("abc")) == 3);
}

int main(void)
{
	RUN(defaults_are_put_with_their_units);
	RUN(values_that_make_no_sense_are_refused_with_the_reason);
	RUN(units_multiply);
	RUN(lists_grow_and_split_at_commas);
	RUN(what_is_given_replaces_the_default_of_a_list);
	RUN(what_is_formatted_can_be_set_again);
	RUN(a_typo_is_forgiven_nonsense_is_not);
	DONE();
}
