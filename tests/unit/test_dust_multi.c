#include "align/generate.h"
#include "align/multi.h"
#include "test.h"

static const struct str figure_3_2[] = {
	STR("http://www.site/u/z/1.html"), STR("http://www.site/t/x/1.html"),
	STR("http://www.site/e/m/1.html"), STR("http://www.site/g/m/1.html"),
	STR("http://www.site/i/m/1.html"), STR("http://www.site/j/m/1.html"),
	STR("http://www.site/m/1.html"),
};

static bool rule_of(enum multi_method method, const struct str *urls, size_t n,
		    struct buf *ret)
{
	cleanup(multi_release) struct multi m = { 0 };
	cleanup(buf_release) struct buf to = { 0 };
	struct consensus c;

	buf_reset(ret);
	if (multi_align(&m, method, urls, n, &c) != ST_OK ||
	    generate_rule(&c, &(struct generate_options){ .card = 5 }, ret, &to) != ST_OK)
		return false;
	buf_add_char(ret, ' ');
	buf_add(ret, buf_str(&to));
	return true;
}

static void both_methods_find_the_pattern_of_figure_3_2(void)
{
	cleanup(buf_release) struct buf linear = { 0 }, progressive = { 0 };

	CHECK(rule_of(MULTI_LINEAR, figure_3_2, COUNT(figure_3_2), &linear));
	CHECK(rule_of(MULTI_PROGRESSIVE, figure_3_2, COUNT(figure_3_2), &progressive));
	CHECK(str_eq(buf_str(&linear), buf_str(&progressive)));
	CHECK(str_eq(buf_str(&linear), STR("^*://*.*(/)?({a})?/(m|x|z)/*.*$ "
					   "$1://$2.$3/m/$4.$5")));
}

static void the_sample_does_not_depend_on_the_order_of_the_urls(void)
{
	struct str turned[COUNT(figure_3_2)], a[4], b[4];

	for (size_t i = 0; i < COUNT(figure_3_2); i++)
		turned[i] = figure_3_2[COUNT(figure_3_2) - 1 - i];
	CHECK(sample_urls(figure_3_2, COUNT(figure_3_2), 4, 1, a) == 4);
	CHECK(sample_urls(turned, COUNT(turned), 4, 1, b) == 4);
	for (size_t i = 0; i < 4; i++)
		CHECK(str_eq(a[i], b[i]));
}

static void a_url_that_stands_twice_is_sampled_once(void)
{
	struct str same[] = { STR("http://a/"), STR("http://a/"), STR("http://a/") },
		   a[3];

	CHECK(sample_urls(same, 3, 3, 1, a) == 1);
	CHECK(sample_urls(same, 3, 0, 1, a) == 0);
}

static void one_url_is_not_enough(void)
{
	cleanup(multi_release) struct multi m = { 0 };
	struct consensus c;

	CHECK(multi_align(&m, MULTI_LINEAR, figure_3_2, 1, &c) == ST_NOT_FOUND);
	CHECK(multi_align(&m, MULTI_PROGRESSIVE, figure_3_2, 0, &c) == ST_NOT_FOUND);
}

int main(void)
{
	RUN(both_methods_find_the_pattern_of_figure_3_2);
	RUN(the_sample_does_not_depend_on_the_order_of_the_urls);
	RUN(a_url_that_stands_twice_is_sampled_once);
	RUN(one_url_is_not_enough);
	DONE();
}
