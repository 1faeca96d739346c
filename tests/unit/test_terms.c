#include "focus/terms.h"

#include <stdio.h>

#include "test.h"

/* "solar energy@3 wind@20": names and places of what was found. */
static const char *found(const struct terms *t, const char *text)
{
	static struct buf out;
	struct term_scratch s = { 0 };

	buf_reset(&out);
	terms_find(t, str_from(text), &s);
	for (size_t i = 0; i < s.n; i++)
		buf_addf(&out, "%s" STR_FMT "@%u", i ? " " : "",
			 STR_ARG(t->v[s.v[i].term].name), s.v[i].from);
	buf_add_char(&out, '\0');
	term_scratch_release(&s);
	return out.p;
}

static bool is(const struct terms *t, const char *text, const char *wanted)
{
	const char *got = found(t, text);

	if (str_eq(str_from(got), str_from(wanted)))
		return true;
	printf("# '%s' gives '%s'\n", text, got);
	return false;
}

static bool add(struct terms *t, const char *line)
{
	struct diag why;

	return terms_add(t, str_from(line), &why) == ST_OK;
}

static void words_and_phrases_are_found_folded(void)
{
	cleanup(terms_release) struct terms t = { 0 };

	CHECK(add(&t, "solar energy") && add(&t, "solar") && add(&t, "caf\xc3\xa9"));
	CHECK(is(&t, "Solar  ENERGY, and CAFE.",
		 "solar@0 solar energy@0 caf\xc3\xa9@19"));
	CHECK(is(&t, "solarium energy", ""));
	CHECK(is(&t, "", ""));
	CHECK(is(&t, "/solar-energy/", "solar@1 solar energy@1"));
}

static void aliases_stand_for_their_term(void)
{
	cleanup(terms_release) struct terms t = { 0 };

	CHECK(add(&t, "photovoltaics|PV|solar panel=2.5"));
	CHECK(t.n == 1 && t.v[0].weight == 2.5f);
	CHECK(is(&t, "a PV, a solar panel", "photovoltaics@2 photovoltaics@8"));
}

static void the_case_of_entities_counts(void)
{
	cleanup(terms_release) struct terms t = { 0 };

	CHECK(add(&t, "entity:Apple|Apple Inc") && add(&t, "apple=-1"));
	CHECK(is(&t, "an apple", "apple@3"));
	CHECK(is(&t, "at Apple", "Apple@3 apple@3"));
}

static void scripts_without_spaces_match_within_a_run(void)
{
	cleanup(terms_release) struct terms t = { 0 };

	CHECK(add(&t, "\xe5\xa4\xaa\xe9\x99\xbd")); /* two characters */
	CHECK(is(&t, "\xe5\xa4\xaa\xe9\x99\xbd\xe8\x83\xbd",
		 "\xe5\xa4\xaa\xe9\x99\xbd@0"));
}

static void what_is_no_weight_belongs_to_the_term(void)
{
	cleanup(terms_release) struct terms t = { 0 };

	CHECK(add(&t, "a=b") && t.v[0].weight == 1.0f);
	CHECK(is(&t, "a b", "a=b@0"));
	CHECK(add(&t, "x=-0.5") && t.v[1].weight == -0.5f);
	CHECK(add(&t, "y=1e99") && t.v[2].weight == 1.0f);
}

static void bad_lines_are_named(void)
{
	cleanup(terms_release) struct terms t = { 0 };
	struct diag why;

	CHECK(!add(&t, "") && !add(&t, "...") && !add(&t, "good|--"));
	CHECK(terms_add_file(&t, STR("# topic\nwind\n\n !! \n"), &why) == ST_SYNTAX);
	CHECK(str_starts(str_from(why.text), STR("line 4: ")));
	CHECK(!add(&t, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"));
}

/* Ten thousand terms, and each is found where it stands and nowhere else. */
static void many_terms_are_told_apart(void)
{
	cleanup(terms_release) struct terms t = { 0 };
	char line[64];

	for (unsigned i = 0; i < 10000; i++) {
		snprintf(line, sizeof(line), "term%u word%u", i, i * 7 % 10007);
		CHECK(add(&t, line));
	}
	CHECK(is(&t, "x term77 word539 term78 word539", "term77 word539@2"));
}

int main(void)
{
	RUN(words_and_phrases_are_found_folded);
	RUN(aliases_stand_for_their_term);
	RUN(the_case_of_entities_counts);
	RUN(scripts_without_spaces_match_within_a_run);
	RUN(what_is_no_weight_belongs_to_the_term);
	RUN(bad_lines_are_named);
	RUN(many_terms_are_told_apart);
	DONE();
}
