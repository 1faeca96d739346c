#include "html/html_token.h"

#include <string.h>

#include "base/buf.h"
#include "test.h"

/* Tokens in a line: "(a href=x)" start, "[a]" end, "<-...>" comment, text in quotes. */
static const char *tokens_of(struct str page)
{
	static struct html_tokenizer t;
	static struct buf out;
	struct html_token k;

	buf_reset(&out);
	html_start(&t, page);
	while (html_next(&t, &k)) {
		if (k.kind == HTML_TEXT) {
			buf_addf(&out, "'" STR_FMT "'", STR_ARG(k.text));
		} else if (k.kind == HTML_START_TAG) {
			buf_addf(&out, "(" STR_FMT, STR_ARG(k.name));
			for (size_t i = 0; i < k.n_attrs; i++)
				buf_addf(&out, " " STR_FMT "=" STR_FMT,
					 STR_ARG(k.attrs[i].name),
					 STR_ARG(k.attrs[i].value));
			buf_addf(&out, "%s)", k.self_closing ? "/" : "");
		} else if (k.kind == HTML_END_TAG) {
			buf_addf(&out, "[" STR_FMT "]", STR_ARG(k.name));
		} else {
			buf_addf(&out, "<%c" STR_FMT ">",
				 k.kind == HTML_COMMENT ? '-' : '!', STR_ARG(k.text));
		}
	}
	return buf_cstr(&out);
}

struct sample {
	const char *page, *tokens;
};

static void run_samples(const struct sample *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *got = tokens_of(str_from(s[i].page));

		if (strcmp(got, s[i].tokens) != 0)
			printf("# page   %s\n# want   %s\n# got    %s\n", s[i].page,
			       s[i].tokens, got);
		CHECK(strcmp(got, s[i].tokens) == 0);
	}
}

static void tags_and_attributes(void)
{
	static const struct sample s[] = {
		{ "a<b>c</b>", "'a'(b)'c'[b]" },
		{ "<a href=x>", "(a href=x)" },
		{ "<A HREF='x y' b>", "(A HREF=x y b=)" },
		{ "<a b = \"c\"d=e>", "(a b=c d=e)" },
		{ "<a/b/c>", "(a b= c=)" },
		{ "<br/>", "(br/)" },
		{ "<a =b=c>", "(a =b=c)" },
		{ "<a b=>", "(a b=)" },
		{ "<a b=c/>", "(a b=c/)" },
		{ "<a b=c/d>", "(a b=c/d)" },
		{ "<a <b>", "(a <b=)" },
		{ "<a\n\tb\r\f=\nc>", "(a b=c)" },
		{ "<a href=x", "" },
		{ "x<a b='c", "'x'" },
		{ "</a href=x>", "[a]" },
	};
	run_samples(s, COUNT(s));
}

static void what_is_no_tag_is_text(void)
{
	static const struct sample s[] = {
		{ "a < b", "'a < b'" }, { "1<2", "'1<2'" }, { "<", "'<'" },
		{ "</", "'</'" },       { "a<", "'a<'" },   { "</>x", "'x'" },
		{ "<>", "'<>'" },       { "", "" },
	};
	run_samples(s, COUNT(s));
}

static void comments_and_declarations(void)
{
	static const struct sample s[] = {
		{ "<!--a-->b", "<-a>'b'" },
		{ "<!-->b", "<->'b'" },
		{ "<!--->b", "<->'b'" },
		{ "<!---->b", "<->'b'" },
		{ "<!--a--!>b", "<-a>'b'" },
		{ "<!--a->b-->c", "<-a->b>'c'" },
		{ "<!--a", "<-a>" },
		{ "<!--a--", "<-a>" },
		{ "<!a>b", "<-a>'b'" },
		{ "<?a>b", "<-?a>'b'" },
		{ "</ a>b", "<- a>'b'" },
		{ "<!DOCTYPE html>b", "<! html>'b'" },
		{ "<![CDATA[a]]>b", "<-[CDATA[a]]>'b'" },
	};
	run_samples(s, COUNT(s));
}

static void raw_text_ends_at_its_own_end_tag(void)
{
	static const struct sample s[] = {
		{ "<title><b></titlex></title>c", "(title)'<b></titlex>'[title]'c'" },
		{ "<style><!-- </style>-->", "(style)'<!-- '[style]'-->'" },
		{ "<textarea></TEXTAREA >c", "(textarea)[TEXTAREA]'c'" },
		{ "<xmp><a></xmp/>", "(xmp)'<a>'[xmp]" },
		{ "<iframe><a></iframe><a>", "(iframe)'<a>'[iframe](a)" },
		{ "<plaintext><a></plaintext>", "(plaintext)'<a></plaintext>'" },
		{ "<title>a</title", "(title)'a</title'" },
		{ "<noscript><a></noscript>", "(noscript)(a)[noscript]" },
	};
	run_samples(s, COUNT(s));
}

static void scripts_hide_their_end_in_comments(void)
{
	static const struct sample s[] = {
		{ "<script>a<b</script>c", "(script)'a<b'[script]'c'" },
		{ "<script><!--</script>c", "(script)'<!--'[script]'c'" },
		{ "<script><!--<script></script>--></script>c",
		  "(script)'<!--<script></script>-->'[script]'c'" },
		{ "<script><!--<script>--></script>c",
		  "(script)'<!--<script>-->'[script]'c'" },
		{ "<script><!--><script></script>c",
		  "(script)'<!--><script>'[script]'c'" },
		{ "<script><!--<scripty></script>c",
		  "(script)'<!--<scripty>'[script]'c'" },
		{ "<script><!--<script></script></script>c",
		  "(script)'<!--<script></script>'[script]'c'" },
	};
	run_samples(s, COUNT(s));
}

static void svg_and_mathml_have_rules_of_their_own(void)
{
	static const struct sample s[] = {
		{ "<svg><![CDATA[a<b]]></svg>", "(svg)'a<b'[svg]" },
		{ "<svg><style><a></style></svg>", "(svg)(style)(a)[style][svg]" },
		{ "<svg><title><b></title></svg><title><b></title>",
		  "(svg)(title)(b)[title][svg](title)'<b>'[title]" },
		{ "<svg><foreignObject><title><b></title>",
		  "(svg)(foreignObject)(title)'<b>'[title]" },
		{ "<svg><p><![CDATA[a]]>", "(svg)(p)<-[CDATA[a]]>" },
		{ "<svg/><![CDATA[a]]>", "(svg/)<-[CDATA[a]]>" },
		{ "<svg><g/><![CDATA[]]]]>b", "(svg)(g/)']]''b'" },
		{ "<math><mi><style><a></style></mi>",
		  "(math)(mi)(style)'<a>'[style][mi]" },
		{ "<svg></p><![CDATA[a]]>", "(svg)[p]<-[CDATA[a]]>" },
		{ "<div><svg><path></div><script><a></script>",
		  "(div)(svg)(path)[div](script)'<a>'[script]" },
	};
	run_samples(s, COUNT(s));
}

static void known_names_have_numbers_in_any_case(void)
{
	CHECK(html_tag_of(STR("BlockQuote")) == TAG_BLOCKQUOTE);
	CHECK(html_tag_of(STR("a")) == TAG_A);
	CHECK(html_tag_of(STR("blockquotf")) == TAG_OTHER);
	CHECK(html_tag_of(STR("")) == TAG_OTHER);
	CHECK(html_attr_of(STR("XLink:Href")) == ATTR_XLINK_HREF);
	for (unsigned i = 1; i < TAG_COUNT; i++)
		CHECK(html_tag_of(str_from(html_tag_names[i].text)) == i);
	for (unsigned i = 1; i < ATTR_COUNT; i++)
		CHECK(html_attr_of(str_from(html_attr_names[i].text)) == i);
}

static void the_first_of_two_attributes_counts(void)
{
	static struct html_tokenizer t;
	struct html_token k;

	html_start(&t, STR("<a href=1 HREF=2>"));
	CHECK(html_next(&t, &k));
	CHECK(str_eq(html_find_attr(&k, ATTR_HREF)->value, STR("1")));
	CHECK(!html_find_attr(&k, ATTR_SRC));
}

static void too_many_attributes_are_passed_over(void)
{
	static struct html_tokenizer t;
	struct buf b = { 0 };
	struct html_token k;

	buf_add(&b, STR("<a"));
	for (int i = 0; i < 3 * HTML_ATTRS_MAX; i++)
		buf_addf(&b, " a%d='>'", i);
	buf_add(&b, STR(">x"));
	html_start(&t, buf_str(&b));
	CHECK(html_next(&t, &k) && k.n_attrs == HTML_ATTRS_MAX && k.attrs_cut);
	CHECK(html_next(&t, &k) && str_eq(k.text, STR("x")));
	buf_release(&b);
}

static bool takes_end(const char *page, enum html_tag tag)
{
	static struct html_tokenizer t;

	html_start(&t, str_from(page));
	return html_take_end(&t, tag) && str_starts((struct str){ t.p, 5 }, STR("after"));
}

static void an_end_tag_is_passed_over_only_when_it_is_just_that(void)
{
	CHECK(takes_end("</b>after..", TAG_B) && takes_end("</B>after..", TAG_B));
	CHECK(takes_end("</SeCtIoN>after", TAG_SECTION));
	CHECK(takes_end("</basefont>after", TAG_BASEFONT));
	CHECK(!takes_end("</b>after..", TAG_I) && !takes_end("</br>after.", TAG_B));
	CHECK(!takes_end("</b >after.", TAG_B) && !takes_end("<b>after....", TAG_B));
	CHECK(!takes_end("</>after....", TAG_OTHER));
	CHECK(!takes_end("</blockquote>after", TAG_BLOCKQUOTE)); /* left to html_next() */
	CHECK(!takes_end("</b>", TAG_B));

	static struct html_tokenizer t;
	struct html_token k;

	html_start(&t, STR("<svg><a></a>12345678"));
	CHECK(html_next(&t, &k) && html_next(&t, &k) && !html_take_end(&t, TAG_A));
	html_start(&t, STR("<title></title>12345678"));
	CHECK(html_next(&t, &k) && !html_take_end(&t, TAG_TITLE));
}

int main(void)
{
	RUN(tags_and_attributes);
	RUN(what_is_no_tag_is_text);
	RUN(comments_and_declarations);
	RUN(raw_text_ends_at_its_own_end_tag);
	RUN(scripts_hide_their_end_in_comments);
	RUN(svg_and_mathml_have_rules_of_their_own);
	RUN(known_names_have_numbers_in_any_case);
	RUN(the_first_of_two_attributes_counts);
	RUN(too_many_attributes_are_passed_over);
	RUN(an_end_tag_is_passed_over_only_when_it_is_just_that);
	DONE();
}
