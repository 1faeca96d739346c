#include "test.h"
#include "web/robots.h"

#include <stdlib.h>
#include <string.h>

#include "web/robots_tag.h"

static const struct str us[] = { { "Thresh", 6 } };
static const struct robots_options options = { .names = us, .names_n = 1 };

/* "+/path" must be allowed, "-/path" not; several between spaces. */
static bool agrees(const char *text, const char *expected)
{
	struct robots r;
	struct str all = str_from(expected), one;
	bool ok = true;

	robots_parse(&r, str_from(text), &options);
	while (str_take_until(&all, ' ', &one)) {
		bool want = one.p[0] == '+';

		if (robots_allows(&r, str_skip(one, 1)) != want) {
			printf("# " STR_FMT " in\n# %s\n", STR_ARG(one), text);
			ok = false;
		}
	}
	robots_release(&r);
	return ok;
}

static void nothing_said_is_allowed(void)
{
	CHECK(agrees("", "+/ +/x"));
	CHECK(agrees("User-agent: other\nDisallow: /", "+/"));
	CHECK(agrees("Disallow: /", "+/"));
	CHECK(agrees("User-agent: *\nDisallow:", "+/"));
	CHECK(agrees("User-agent: *\nDisallow: /", "-/ -/x +/robots.txt -/robots.txtx"));
	struct robots zero = { 0 };

	CHECK(robots_allows(&zero, STR("/x")));
	robots_release(&zero);
}

static void groups_that_name_us_are_merged(void)
{
	CHECK(agrees("User-agent: *\nDisallow: /\nUser-agent: thresh\nDisallow: /a\n"
		     "User-agent: other\nDisallow: /b\nUser-agent: THRESH\nDisallow: /c",
		     "+/ -/a +/b -/c"));
	CHECK(agrees("User-agent: a\nUser-agent: thresh\nUser-agent: b\nDisallow: /x",
		     "-/x"));
	CHECK(agrees("User-agent: thresh/2.0 (x)\nDisallow: /x", "-/x"));
	CHECK(agrees("User-agent: threshold\nDisallow: /x", "+/x"));
	CHECK(agrees("User-agent: a, thresh b\nDisallow: /x", "-/x"));
	CHECK(agrees("User-agent: Mozilla (compatible; thresh)\nDisallow: /x", "+/x"));
	/* other records do not end a list of names, rules do */
	CHECK(agrees("User-agent: thresh\nSitemap: /s\nUser-agent: b\nDisallow: /x",
		     "-/x"));
	CHECK(agrees("User-agent: thresh\nAllow:\nUser-agent: b\nDisallow: /x", "+/x"));
	CHECK(agrees("User-agent: *\nDisallow: /a\nUser-agent: *\nDisallow: /b",
		     "-/a -/b"));
	CHECK(agrees("User-agent: thresh\nUser-agent: *\nDisallow: /a", "-/a"));
}

static void the_longest_match_decides(void)
{
	CHECK(agrees("User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c",
		     "-/a -/ax -/a/ +/a/b +/a/bx -/a/b/c"));
	CHECK(agrees("User-agent: *\nAllow: /x\nDisallow: /x", "+/x"));
	CHECK(agrees("User-agent: *\nDisallow: /x\nAllow: /x", "+/x"));
	CHECK(agrees("User-agent: *\nAllow: /p\nDisallow: /*.html",
		     "-/page.html +/page"));
	CHECK(agrees("User-agent: *\nAllow: /$\nDisallow: /", "+/ -/x -/?q"));
	CHECK(agrees("User-agent: *\nDisallow: /a*\nAllow: /a", "-/a -/ab"));
	CHECK(agrees("User-agent: *\nDisallow: /\nAllow: /a/index.html",
		     "+/a/ +/a/index.html -/a -/a/b -/a/?q"));
}

static void wildcards_and_anchors_match(void)
{
	CHECK(agrees("User-agent: *\nDisallow: /*.gif$",
		     "-/a.gif +/a.gif? +/a.gifx -/b/.gif"));
	CHECK(agrees("User-agent: *\nDisallow: /a*b*c$",
		     "-/abc -/aXbYc -/abcc +/abcd +/acb"));
	CHECK(agrees("User-agent: *\nDisallow: /a*b*b$", "-/abb -/abxb +/ab"));
	CHECK(agrees("User-agent: *\nDisallow: *?id=", "-/?id=1 -/a/b?id= +/id="));
	CHECK(agrees("User-agent: *\nDisallow: /**x", "-/x -/abx +/y"));
	CHECK(agrees("User-agent: *\nDisallow: /a$b", "-/a$b -/a%24bc +/a"));
	CHECK(agrees("User-agent: *\nDisallow: /a%2Ab", "-/a*b -/a%2ab +/axb"));
	CHECK(agrees("User-agent: *\nDisallow: /a%24", "-/a$ -/a$b +/a"));
	CHECK(agrees("User-agent: *\nDisallow: x", "+/x"));
	CHECK(agrees("User-agent: *\nDisallow: /*$\nAllow: /x$", "-/ -/y +/x -/xy"));
	CHECK(agrees("User-agent: *\nDisallow: *", "-/ -/y"));
}

static void percent_encoding_is_compared_in_one_form(void)
{
	CHECK(agrees("User-agent: *\nDisallow: /~joe", "-/%7Ejoe -/%7ejoe"));
	CHECK(agrees("User-agent: *\nDisallow: /%7ejoe", "-/~joe"));
	CHECK(agrees("User-agent: *\nDisallow: /\xe3\x83\x84",
		     "-/%E3%83%84 -/%e3%83%84"));
	CHECK(agrees("User-agent: *\nDisallow: /a%2fb", "-/a%2Fb +/a/b"));
	CHECK(agrees("User-agent: *\nDisallow: /a/b", "+/a%2Fb"));
	CHECK(agrees("User-agent: *\nDisallow: /%3Mx", "-/%3Mx"));
	CHECK(agrees("User-agent: *\nDisallow: /a b", "-/a%20b"));
}

static void lines_are_read_as_they_come(void)
{
	CHECK(agrees("user-AGENT:*\rdisALLOW:/a\r\ndisallow : /b # no\n#disallow: /c\n",
		     "-/a -/b +/c"));
	CHECK(agrees("\xef\xbb\xbfUser-agent: *\nDisallow: /", "-/x"));
	CHECK(agrees("\xefUser-agent: *\nDisallow: /", "-/x"));
	CHECK(agrees("useragent *\ndissalow /a\nDisallow /b c\n", "-/a +/b"));
	CHECK(agrees("User-agent: *\nFoo: /\nDisallow-not: /\nDisallow: /a", "-/a +/b"));
	CHECK(agrees("<html><body>\nUser-agent: *<br>\nDisallow: /a<br>\n", "-/a +/b"));
}

static void utf16_needs_its_mark(void)
{
	static const char text[] = "User-agent: *\nDisallow: /";
	char wide[2 * sizeof(text)] = "\xff\xfe";
	struct robots r;

	for (size_t i = 0; i + 1 < sizeof(text); i++) {
		wide[2 + 2 * i] = text[i];
		wide[3 + 2 * i] = 0;
	}
	robots_parse(&r, (struct str){ wide, sizeof(wide) }, &options);
	CHECK(!robots_allows(&r, STR("/x")));
	robots_release(&r);
}

static void the_deciding_line_is_named(void)
{
	struct robots r;
	struct robots_verdict v;

	robots_parse(&r, STR("# hello\nUser-agent: *\n\nDisallow: /a\nAllow: /a/*/b$\n"),
		     &options);
	v = robots_decide(&r, STR("/a/x/b"));
	CHECK(v.allowed && v.line == 5 && str_eq(v.pattern, STR("/a/*/b")));
	v = robots_decide(&r, STR("/a/x"));
	CHECK(!v.allowed && v.line == 4);
	v = robots_decide(&r, STR("/c"));
	CHECK(v.allowed && v.line == 0);
	CHECK(!r.named);
	robots_release(&r);
}

static uint64_t delay_in(const char *text)
{
	struct robots r;

	robots_parse(&r, str_from(text), &options);
	uint64_t ms = r.crawl_delay_ms;

	robots_release(&r);
	return ms;
}

static void the_general_groups_may_count_besides(void)
{
	static const struct str both[] = { { "thresh", 6 }, { "*", 1 } };
	struct robots r;

	robots_parse(&r,
		     STR("User-agent: *\nDisallow: /a\nUser-agent: thresh\nDisallow: /b"),
		     &(struct robots_options){ .names = both, .names_n = 2 });
	CHECK(!robots_allows(&r, STR("/a")) && !robots_allows(&r, STR("/b")));
	CHECK(r.named && robots_allows(&r, STR("/c")));
	robots_release(&r);
	CHECK(robots_name_valid(STR("Thresh-bot_x")) &&
	      !robots_name_valid(STR("thresh/1")));
	CHECK(!robots_name_valid(STR("")) && !robots_name_valid(STR("*")));
}

static void delays_belong_to_names(void)
{
	CHECK(delay_in("User-agent: *\nCrawl-delay: 1.5") == 1500);
	CHECK(delay_in("User-agent: *\nCrawl-delay: .25") == 250);
	CHECK(delay_in("User-agent: *\nCrawl-delay: x") == 0);
	CHECK(delay_in("User-agent: *\nCrawl-delay: 99999999") == 24 * 3600 * 1000);
	CHECK(delay_in("User-agent: *\nCrawl-delay: 999999") == 24 * 3600 * 1000);
	CHECK(delay_in("User-agent: *\nCrawl-delay: 9\nUser-agent: thresh\nAllow: /") ==
	      0);
	CHECK(delay_in("User-agent: thresh\nCrawl-delay: 1\nUser-agent: b\nCrawl-delay: "
		       "2\n"
		       "Disallow: /") == 1000);
	CHECK(delay_in(
		      "User-agent: b\nCrawl-delay: 2\nUser-agent: thresh\nDisallow: /") ==
	      0);
}

static void notes_are_kept(void)
{
	struct robots r;

	robots_parse(
		&r,
		STR("Content-Signal: search=yes, ai-train=no\nSitemap: https://e/S.xml\n"
		    "User-agent: other\nRequest-rate: 1/5\nSitemap: /t.xml\n"
		    "sitemap: https://e/S.xml\nUser-agent: thresh\nDisallow:\n"
		    "Request-rate: 1/9\nhttps://e/u.xml\nLLM-Policy: /llms.txt\n"),
		&options);
	CHECK(r.named && r.notes_n == 6);
	CHECK(r.notes[0].kind == NOTE_CONTENT_SIGNAL && r.notes[0].line == 1);
	CHECK(r.notes[1].kind == NOTE_SITEMAP &&
	      str_eq(r.notes[1].value, STR("https://e/S.xml")));
	CHECK(r.notes[2].kind == NOTE_SITEMAP && str_eq(r.notes[2].value, STR("/t.xml")));
	CHECK(r.notes[3].kind == NOTE_REQUEST_RATE &&
	      str_eq(r.notes[3].value, STR("1/9")));
	CHECK(r.notes[4].kind == NOTE_SITEMAP && r.notes[4].line == 10);
	CHECK(r.notes[5].kind == NOTE_OTHER &&
	      str_eq(r.notes[5].name, STR("LLM-Policy")));
	CHECK(robots_signal(&r, STR("search")) == SIGNAL_YES);
	CHECK(robots_signal(&r, STR("AI-train")) == SIGNAL_NO);
	CHECK(robots_signal(&r, STR("ai-input")) == SIGNAL_UNSET);
	robots_release(&r);
}

static void an_endless_file_is_cut_at_a_line(void)
{
	size_t n = ROBOTS_MAX_BYTES + 100;
	char *text = malloc(n);
	struct robots r;

	if (!text)
		abort();
	memset(text, '#', n);
	memcpy(text, "User-agent: *\nDisallow: /a\n", 27);
	memcpy(text + ROBOTS_MAX_BYTES - 15, "\nDisallow: /bcdefghi\n", 21);
	robots_parse(&r, (struct str){ text, n }, &options);
	CHECK(r.truncated && r.rules_n == 1);
	CHECK(!robots_allows(&r, STR("/a")) && robots_allows(&r, STR("/bcdefghi")));
	robots_release(&r);
	free(text);
}

static void many_rules_agree_with_a_plain_search(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct robots r;

	buf_add(&text, STR("User-agent: *\n"));
	for (unsigned i = 0; i < 500; i++)
		buf_addf(&text, "%s: /%c%u/\n", i % 3 ? "Disallow" : "Allow",
			 'a' + (int)(i % 26), i);
	buf_add(&text, STR("Disallow: /*.pdf$\nDisallow: /\n"));
	robots_parse(&r, buf_str(&text), &options);
	for (unsigned i = 0; i < 500; i++) {
		char path[32];
		int n = snprintf(path, sizeof(path), "/%c%u/x", 'a' + (int)(i % 26), i);
		struct robots_verdict v =
			robots_decide(&r, (struct str){ path, (size_t)n });

		CHECK(v.allowed == (i % 3 == 0) && v.line == i + 2);
	}
	CHECK(robots_decide(&r, STR("/zzz")).line == 503);
	CHECK(robots_decide(&r, STR("/zzz.pdf")).line == 502);
	robots_release(&r);
}

static void an_answer_means_what_the_rfc_says(void)
{
	struct robots_policy p;

	p = robots_policy(&(struct robots_fetch){ .status = 200 });
	CHECK(p.access == ROBOTS_PARSE && p.ask_again_ms == 24u * 3600 * 1000);
	p = robots_policy(
		&(struct robots_fetch){ .status = 200, .fresh_for_ms = 7200000 });
	CHECK(p.ask_again_ms == 7200000);
	p = robots_policy(&(struct robots_fetch){ .status = 404 });
	CHECK(p.access == ROBOTS_ALLOW);
	p = robots_policy(&(struct robots_fetch){ .status = 403 });
	CHECK(p.access == ROBOTS_ALLOW);
	p = robots_policy(
		&(struct robots_fetch){ .status = 301, .too_many_redirects = true });
	CHECK(p.access == ROBOTS_ALLOW);
	p = robots_policy(&(struct robots_fetch){ .status = 503 });
	CHECK(p.access == ROBOTS_DISALLOW && p.ask_again_ms == 600000);
	p = robots_policy(&(struct robots_fetch){ .status = 503, .failures = 2 });
	CHECK(p.access == ROBOTS_DISALLOW && p.ask_again_ms == 2400000);
	p = robots_policy(
		&(struct robots_fetch){ .status = 429, .retry_after_ms = 3600000 });
	CHECK(p.access == ROBOTS_DISALLOW && p.ask_again_ms == 3600000);
	p = robots_policy(&(struct robots_fetch){ .status = 0, .failures = 90 });
	CHECK(p.access == ROBOTS_DISALLOW && p.ask_again_ms == 24u * 3600 * 1000);
	p = robots_policy(&(struct robots_fetch){ .status = 500, .has_last_good = true });
	CHECK(p.access == ROBOTS_LAST);
	p = robots_policy(&(struct robots_fetch){
		.status = 500, .unreachable_ms = 31ull * 24 * 3600 * 1000 });
	CHECK(p.access == ROBOTS_ALLOW);
	p = robots_policy(&(struct robots_fetch){
		.status = 0, .unreachable_ms = 31ull * 24 * 3600 * 1000 });
	CHECK(p.access == ROBOTS_DISALLOW);
}

static void pages_and_fields_ask_too(void)
{
	struct robots_tag t = { 0 };

	robots_tag_add(&t, STR(" NoIndex , follow, max-snippet:20, noodp"));
	CHECK(t.flags == TAG_NOINDEX && t.has_max_snippet && t.max_snippet == 20);
	robots_tag_add(&t, STR("none,noarchive,max-snippet:-1"));
	CHECK(t.flags == (TAG_NOINDEX | TAG_NOFOLLOW | TAG_NOARCHIVE) &&
	      t.max_snippet == 20);

	t = (struct robots_tag){ 0 };
	robots_tag_add_field(&t, STR("other: noindex"), us[0]);
	CHECK(t.flags == 0);
	robots_tag_add_field(&t, STR("thresh: nofollow, noai"), us[0]);
	CHECK(t.flags == (TAG_NOFOLLOW | TAG_NOAI));
	robots_tag_add_field(
		&t, STR("unavailable_after: Sun, 06 Nov 1994 08:49:37 GMT, noindex"),
		us[0]);
	CHECK(t.unavailable_after_ms == 784111777000 && (t.flags & TAG_NOINDEX));
	robots_tag_add_field(&t, STR("unavailable_after: 1990-01-01, nosnippet"), us[0]);
	CHECK(t.unavailable_after_ms == 631152000000 && (t.flags & TAG_NOSNIPPET));
	t = (struct robots_tag){ 0 };
	robots_tag_add_field(&t, STR("other: noindex, nofollow, thresh: noai, noarchive"),
			     us[0]);
	CHECK(t.flags == (TAG_NOAI | TAG_NOARCHIVE));
	CHECK(robots_tag_meta_is_ours(STR("ROBOTS"), us[0]));
	CHECK(robots_tag_meta_is_ours(STR("thresh"), us[0]));
	CHECK(!robots_tag_meta_is_ours(STR("googlebot"), us[0]));
}

static void all_fields_of_an_answer_are_read_in_one_call(void)
{
	struct robots_tag t = robots_tag_of_text(
		STR("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
		    "x-robots-tag: nofollow\r\nX-Robots-Tag: other: noindex\r\n"
		    "X-Robots-Tag: thresh: noarchive\r\n"
		    "X-Robots-Tag: unavailable_after: Sun, 06 Nov 1994 08:49:37 GMT, "
		    "noai\r\n\r\n"),
		STR("thresh"));

	CHECK(t.flags == (TAG_NOFOLLOW | TAG_NOARCHIVE | TAG_NOAI));
	CHECK(t.unavailable_after_ms == 784111777000);
	t = robots_tag_of_text(STR("HTTP/1.1 200 OK\r\nX: y\r\n\r\n"), STR("thresh"));
	CHECK(t.flags == 0 && t.unavailable_after_ms == 0);
}

int main(void)
{
	RUN(nothing_said_is_allowed);
	RUN(groups_that_name_us_are_merged);
	RUN(the_longest_match_decides);
	RUN(wildcards_and_anchors_match);
	RUN(percent_encoding_is_compared_in_one_form);
	RUN(lines_are_read_as_they_come);
	RUN(utf16_needs_its_mark);
	RUN(the_deciding_line_is_named);
	RUN(the_general_groups_may_count_besides);
	RUN(delays_belong_to_names);
	RUN(notes_are_kept);
	RUN(an_endless_file_is_cut_at_a_line);
	RUN(many_rules_agree_with_a_plain_search);
	RUN(an_answer_means_what_the_rfc_says);
	RUN(pages_and_fields_ask_too);
	RUN(all_fields_of_an_answer_are_read_in_one_call);
	DONE();
}
