#include "overview/validity.h"

#include "states/html_check.h"
#include "test.h"

static void one_fault_in_several_states_is_one_place(void)
{
	cleanup(validity_release) struct validity v = { 0 };
	struct validate_input in = { .html = STR("<html lang=en><img src=x></html>"),
				     .is_dom = true,
				     .title = STR("T") };
	struct validate_input raw = { .html = STR("<p><b>x<img src=x>") };

	validity_add(&v, STR("state 0"), &in, false, 1);
	validity_add(&v, STR("state 1"), &in, false, 1);
	CHECK(v.n == 1 && v.v[0].pages == 2 && v.v[0].times == 2);
	CHECK(v.times[FAULT_NO_ALT] == 2 && v.pages[FAULT_NO_ALT] == 2);
	/* of an answer only the markup counts, for all states that came of it */
	validity_add(&v, STR("http://a/"), &raw, true, 2);
	CHECK(v.times[FAULT_NO_ALT] == 2 && v.times[FAULT_UNCLOSED] == 1 &&
	      v.pages[FAULT_UNCLOSED] == 2);
}

static void twice_in_one_state_is_one_state(void)
{
	cleanup(validity_release) struct validity v = { 0 };
	struct validate_input in = {
		.html = STR("<html lang=en><img src=x><img src=x></html>"),
		.is_dom = true,
		.title = STR("T")
	};

	validity_add(&v, STR("state 0"), &in, false, 1);
	CHECK(v.n == 1 && v.v[0].times == 2 && v.v[0].pages == 1);
}

static void the_problems_of_a_state_are_lines_five_of_a_kind(void)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct observation o = { .html = STR("<html lang=en><img src=1><img src=2><img "
					     "src=3><img src=4><img src=5><img src=6>"
					     "<p id=a>x</p><p id='a'>\ny</p></html>"),
				 .title = STR("T") };

	html_check(&o, &b);
	CHECK(str_eq(buf_str(&b), STR("html: no-alt: html > img \"1\"\n"
				      "html: no-alt: html > img \"2\"\n"
				      "html: no-alt: html > img \"3\"\n"
				      "html: no-alt: html > img \"4\"\n"
				      "html: no-alt: html > img \"5\"\n"
				      "html: duplicate-id: html > p#a \"a\"\n")));
}

int main(void)
{
	RUN(one_fault_in_several_states_is_one_place);
	RUN(twice_in_one_state_is_one_state);
	RUN(the_problems_of_a_state_are_lines_five_of_a_kind);
	DONE();
}
