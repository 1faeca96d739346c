#include "align/generate.h"
#include "align/multi.h"
#include "dust/pattern.h"
#include "test.h"

struct made {
	struct buf context, transformation;
};

static void made_release(struct made *m)
{
	buf_release(&m->context);
	buf_release(&m->transformation);
}

static enum status make(const struct str *urls, size_t n, struct generate_options o,
			struct made *ret)
{
	cleanup(multi_release) struct multi m = { 0 };
	struct consensus c;

	TRY(multi_align(&m, MULTI_LINEAR, urls, n, &c));
	return generate_rule(&c, &o, &ret->context, &ret->transformation);
}

static bool gives(const struct made *m, const char *url, const char *want)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(tokens_release) struct tokens t = { 0 };
	cleanup(buf_release) struct buf out = { 0 };
	struct text_place at = { 1, 1 };
	struct url_pattern p;
	struct transformation tr;
	struct str captures[PATTERN_CAPTURES_MAX];

	if (pattern_parse(buf_str(&m->context), at, &a, &p, NULL) != ST_OK ||
	    transformation_parse(buf_str(&m->transformation), at, p.n_captures, &a, &tr,
				 NULL) != ST_OK ||
	    tokens_split(&t, str_from(url)) != ST_OK || !pattern_match(&p, &t, captures))
		return false;
	transformation_apply(&tr, captures, &out);
	return str_eq(buf_str(&out), str_from(want));
}

static const struct str irs[] = {
	STR("www.irs.ustreas.gov/foia"),
	STR("www.IRS.gov/foia/index.html"),
};

static void the_example_of_4_2_1_2(void)
{
	cleanup(made_release) struct made m = { 0 };

	CHECK(make(irs, 2, (struct generate_options){ .card = 5 }, &m) == ST_OK);
	CHECK(str_eq(buf_str(&m.context),
		     STR("^*.(IRS|irs)(.ustreas)?.*/*(/index.html)?$")));
	CHECK(str_eq(buf_str(&m.transformation), STR("$1.IRS.$2/$3")));
	CHECK(gives(&m, "www.irs.gov/about", "www.IRS.gov/about"));
	CHECK(gives(&m, "www.irs.ustreas.gov/about/index.html", "www.IRS.gov/about"));
	CHECK(!gives(&m, "www.epa.gov/about", "www.IRS.gov/about"));
}

static void the_kept_group_is_the_other_style(void)
{
	cleanup(made_release) struct made m = { 0 };

	CHECK(make(irs, 2, (struct generate_options){ .card = 5, .keep_groups = true },
		   &m) == ST_OK);
	CHECK(str_eq(buf_str(&m.transformation),
		     STR("$1.(IRS|irs)(.ustreas)?.$2/$3(/index.html)?")));
	CHECK(gives(&m, "www.irs.gov/a", "www.(IRS|irs)(.ustreas)?.gov/a(/index.html)?"));
}

static void a_large_set_becomes_its_class(void)
{
	const struct str urls[] = {
		STR("https://example.com/index.php?id=5123"),
		STR("https://example.com/index.php?id=1253"),
		STR("https://example.com/index.php?id=2351"),
		STR("https://example.com/index.php?id=5213"),
		STR("https://example.com/index.php?id=9999"),
	};
	cleanup(made_release) struct made m = { 0 };

	CHECK(make(urls, 5, (struct generate_options){ .card = 5 }, &m) == ST_OK);
	CHECK(str_eq(buf_str(&m.context), STR("^*://*.*/*.*\\?*=({n})$")));
	CHECK(gives(&m, "https://example.com/index.php?id=77",
		    "https://example.com/index.php?id=*"));
}

static void a_digit_after_a_reference_does_not_join_it(void)
{
	const struct str urls[] = { STR("a-1.1x"), STR("a-1.2x") };
	cleanup(made_release) struct made m = { 0 };

	CHECK(make(urls, 2, (struct generate_options){ .card = 5 }, &m) == ST_OK);
	CHECK(str_eq(buf_str(&m.context), STR("^*.(1|2){a}$")));
	CHECK(str_eq(buf_str(&m.transformation), STR("$1.1$2")));
	const struct str next[] = { STR("x1"), STR("x2"), STR("x22") };
	cleanup(made_release) struct made n = { 0 };
	CHECK(make(next, 3, (struct generate_options){ .card = 5 }, &n) == ST_OK);
	CHECK(str_eq(buf_str(&n.transformation), STR("${1}1")));
	CHECK(gives(&n, "y22", "y1"));
}

static void equal_urls_make_no_rule(void)
{
	const struct str urls[] = { STR("http://a/b"), STR("http://a/b") };
	cleanup(made_release) struct made m = { 0 };

	CHECK(make(urls, 2, (struct generate_options){ .card = 5 }, &m) == ST_NOT_FOUND);
}

static void a_slug_is_free_in_the_generalised_rule(void)
{
	const struct str urls[] = {
		STR("http://www.amazon.com/Lord-Rings/dp/B00003CWT6"),
		STR("http://www.amazon.com/Lord-Of-Rings/dp/B00003CWT6"),
		STR("http://www.amazon.com/The-Lord/dp/B00003CWT6"),
	};
	cleanup(made_release) struct made m = { 0 };

	CHECK(make(urls, 3,
		   (struct generate_options){ .card = 5,
					      .generality = GENERAL_NEIGHBOURS },
		   &m) == ST_OK);
	CHECK(gives(&m, "http://www.amazon.com/Any_2_String/dp/B0",
		    "http://www.amazon.com/*/dp/B0"));
	CHECK(!gives(&m, "http://www.amazon.com/a/gp/B0",
		     "http://www.amazon.com/*/gp/B0"));
}

int main(void)
{
	RUN(the_example_of_4_2_1_2);
	RUN(the_kept_group_is_the_other_style);
	RUN(a_large_set_becomes_its_class);
	RUN(a_digit_after_a_reference_does_not_join_it);
	RUN(equal_urls_make_no_rule);
	RUN(a_slug_is_free_in_the_generalised_rule);
	DONE();
}
