#include "base/rng.h"
#include "dust/index.h"
#include "test.h"

#include <string.h>

struct parsed {
	struct arena in;
	struct url_pattern p;
	struct transformation t;
	struct diag why;
	enum status st;
};

static void parsed_release(struct parsed *r)
{
	arena_release(&r->in);
}

static struct parsed parse(const char *context, const char *transformation)
{
	struct parsed r = { 0 };

	r.st = pattern_parse(str_from(context), (struct text_place){ 3, 9 }, &r.in, &r.p,
			     &r.why);
	if (r.st == ST_OK)
		r.st = transformation_parse(str_from(transformation),
					    (struct text_place){ 4, 9 }, r.p.n_captures,
					    &r.in, &r.t, &r.why);
	return r;
}

static bool gives(const struct parsed *r, const char *url, const char *want)
{
	cleanup(tokens_release) struct tokens t = { 0 };
	cleanup(buf_release) struct buf out = { 0 };
	struct str captures[PATTERN_CAPTURES_MAX];

	if (r->st != ST_OK || tokens_split(&t, str_from(url)) != ST_OK ||
	    !pattern_match(&r->p, &t, captures))
		return want == NULL;
	transformation_apply(&r->t, captures, &out);
	return want && str_eq(buf_str(&out), str_from(want));
}

static void the_rule_of_table_2_2(void)
{
	cleanup(parsed_release) struct parsed r =
		parse("^*://(www.)?(Britney|britney).*.*/(index.php)?\\?*=*$",
		      "$1://www.britney.$2.$3/index.php?$4=$5");

	CHECK(gives(&r, "http://Britney.com.br/?id=5",
		    "http://www.britney.com.br/index.php?id=5"));
	CHECK(gives(&r, "http://www.britney.com.br/index.php?id=7",
		    "http://www.britney.com.br/index.php?id=7"));
	CHECK(gives(&r, "http://britney.com.br/?id=", NULL));
	CHECK(gives(&r, "http://britney.com.br/?id=5&a=6", NULL));
}

static void classes_take_what_they_say(void)
{
	cleanup(parsed_release) struct parsed r = parse("^{s}/{a}-{n}/(*)?x$", "$1 $2");

	CHECK(r.st == ST_SYNTAX);
	cleanup(parsed_release) struct parsed s =
		parse("^{s}/{a}-{n}(.*|!)?$", "$3,$2,$1");
	CHECK(gives(&s, "a.b=c;d/word-12", "12,word,a.b=c;d"));
	CHECK(gives(&s, "a/word-12.htm", "12,word,a"));
	CHECK(gives(&s, "a/word-12!", "12,word,a"));
	CHECK(gives(&s, "a/word-12?", NULL));
	CHECK(gives(&s, "a/12-word", NULL));
}

static void a_run_gives_back_what_the_rest_needs(void)
{
	cleanup(parsed_release) struct parsed r = parse("^*(-old)?$", "$1");
	cleanup(parsed_release) struct parsed s = parse("^*-{n}$", "$1");

	CHECK(gives(&r, "page-old", "page-old"));
	CHECK(gives(&s, "a-1-2", "a-1"));
}

static void escapes_reach_every_byte(void)
{
	cleanup(parsed_release) struct parsed r =
		parse("^\\(\\|\\)\\x00\\xFF\\\\{a}$", "\\$\\\\\\x20$1()|");
	cleanup(tokens_release) struct tokens t = { 0 };
	cleanup(buf_release) struct buf out = { 0 };
	struct str captures[PATTERN_CAPTURES_MAX];

	CHECK(r.st == ST_OK);
	CHECK(tokens_split(&t, STR("(|)\0\xff\\z")) == ST_OK);
	CHECK(pattern_match(&r.p, &t, captures));
	transformation_apply(&r.t, captures, &out);
	CHECK(str_eq(buf_str(&out), STR("$\\ z()|")));
}

static void an_error_names_line_and_column(void)
{
	static const struct {
		const char *context, *transformation, *at;
	} wrong[] = {
		{ "*$", "x", "line 3, column 9:" },
		{ "^a", "x", "line 3, column 11:" },
		{ "^a(b$", "x", "line 3, column 13:" },
		{ "^a()b$", "x", "line 3, column 12:" },
		{ "^a(b(c))$", "x", "line 3, column 13:" },
		{ "^a?b$", "x", "line 3, column 11:" },
		{ "^a\\b$", "x", "line 3, column 11:" },
		{ "^{q}$", "x", "line 3, column 10:" },
		{ "^*$", "$2", "line 4, column 10:" },
		{ "^*$", "${1", "line 4, column 12:" },
		{ "^*$", "", "line 4, column 9:" },
		{ "^a b$", "x", "line 3, column 11:" },
		{ "^$", "x", "line 3, column 11:" },
	};

	for (size_t i = 0; i < COUNT(wrong); i++) {
		cleanup(parsed_release) struct parsed r =
			parse(wrong[i].context, wrong[i].transformation);

		CHECK(r.st == ST_SYNTAX);
		if (!str_starts(str_from(r.why.text), str_from(wrong[i].at)))
			printf("# %s: %s\n", wrong[i].context, r.why.text);
		CHECK(str_starts(str_from(r.why.text), str_from(wrong[i].at)));
	}
}

static void a_pattern_written_to_waste_time_gives_up(void)
{
	char context[PATTERN_BYTES_MAX] = "^", url[64];

	for (int i = 0; i < 40; i++)
		strcat(context, "(-|-)?");
	strcat(context, "x$");
	memset(url, '-', 40);
	url[40] = '\0';
	cleanup(parsed_release) struct parsed r = parse(context, "x");
	CHECK(r.st == ST_OK);
	CHECK(gives(&r, url, NULL));
}

static const char *any_of(struct rng *r, const char *const *v, size_t n)
{
	return v[rng_below(r, n)];
}

/* A context and a URL out of few words, so that they often fit. */
static void make_up(struct rng *r, struct buf *context, struct buf *url)
{
	static const char *const items[] = { "*",     "(en|fr)",   "{a}",    "en",
					     "(/en)", "(en|a/en)", "(/en)?", "(en)?" };
	static const char *const words[] = { "en", "fr", "a", "a/en", "x" };

	buf_add(context, STR("^*://a.org"));
	buf_add(url, STR("http://a.org"));
	for (unsigned i = 1 + (unsigned)rng_below(r, 4); i > 0; i--) {
		buf_addf(context, "/%s", any_of(r, items, COUNT(items)));
		buf_addf(url, "/%s", any_of(r, words, COUNT(words)));
	}
	buf_add_char(context, '$');
}

static void the_index_turns_away_nothing_that_matches(void)
{
	cleanup(buf_release) struct buf context = { 0 }, url = { 0 };
	cleanup(rule_scratch_release) struct rule_scratch s = { 0 };
	struct rng r = { 11 };
	unsigned matched = 0;

	for (unsigned i = 0; i < 20000; i++) {
		cleanup(rule_set_release) struct rule_set set = { 0 };
		cleanup(rule_index_release) struct rule_index x = { 0 };
		struct str site = STR("a.org"), captures[PATTERN_CAPTURES_MAX];
		struct rule_applied a;
		struct rule *rule;

		buf_reset(&context), buf_reset(&url);
		make_up(&r, &context, &url);
		buf_add(&context, STR(" $1:key"));
		CHECK(rule_set_add(&set, buf_str(&context), (struct text_place){ 1, 1 },
				   &rule, NULL) == ST_OK);
		rule_set_sites(&set, rule, &site, 1);
		rule_index_build(&x, &set);
		CHECK(tokens_split(&s.tokens, buf_str(&url)) == ST_OK);
		bool fits = pattern_match(&rule->pattern, &s.tokens, captures);
		rule_index_apply(&x, buf_str(&url), &s, &a);
		CHECK(fits == (a.rewrite == 0));
		matched += fits;
	}
	CHECK(matched > 1000 && matched < 19000);
}

/* Matched by its frames, and item by item, a context captures the same. */
static void frames_change_nothing(void)
{
	static const char *const items[] = { "*",      "(*)", "{s}",   "{a}",
					     "(a.b)?", "x",   "(x|y)", "" };
	static const char *const words[] = { "a", "x", "y-1", "", "a.b", "x1" };
	static const char *const marks[] = { "/", ".", "?", "=", "//", "-" };
	cleanup(buf_release) struct buf context = { 0 }, url = { 0 };
	cleanup(tokens_release) struct tokens t = { 0 };
	struct rng r = { 12 };
	unsigned matched = 0;

	for (unsigned i = 0; i < 60000; i++) {
		struct str one[PATTERN_CAPTURES_MAX], two[PATTERN_CAPTURES_MAX];
		cleanup(arena_release) struct arena in = { 0 };
		struct url_pattern p, plain;

		buf_reset(&context), buf_reset(&url);
		buf_add(&context, STR("^*"));
		buf_add(&url, STR("h"));
		for (uint64_t k = 1 + rng_below(&r, 5); k > 0; k--) {
			const char *mark = any_of(&r, marks, COUNT(marks));

			buf_addf(&context, "%s%s%s", *mark == '?' ? "\\" : "", mark,
				 any_of(&r, items, COUNT(items)));
			buf_addf(&url, "%s%s", mark, any_of(&r, words, COUNT(words)));
		}
		buf_add_char(&context, '$');
		CHECK(pattern_parse(buf_str(&context), (struct text_place){ 1, 1 }, &in,
				    &p, NULL) == ST_OK);
		plain = p;
		plain.head = plain.tail = (struct frame){ 0 };
		CHECK(tokens_split(&t, buf_str(&url)) == ST_OK);
		bool fits = pattern_match(&p, &t, one);
		CHECK(fits == pattern_match(&plain, &t, two));
		for (size_t k = 0; fits && k < p.n_captures; k++)
			CHECK(one[k].p == two[k].p && one[k].n == two[k].n);
		matched += fits;
	}
	CHECK(matched > 1000);
}

static void what_stands_in_the_url_is_taken_as_one(void)
{
	cleanup(rule_set_release) struct rule_set set = { 0 };
	struct text_place at = { 1, 1 };
	struct rule *r;

	CHECK(rule_set_add(&set, STR("^*://*.*/(en|fr)/*.*$ $1://$2.$3/en/$4.$5"), at, &r,
			   NULL) == ST_OK);
	CHECK(r->transformation.n == 2 && r->transformation.pieces[1].last == 5);
	CHECK(rule_set_add(&set, STR("^*://*.*/(www.)?*$ $1://$2.$3/$4"), at, &r, NULL) ==
	      ST_OK);
	CHECK(r->transformation.n == 2);
	CHECK(rule_set_add(&set, STR("^*://*/*$ $1://$3/$2"), at, &r, NULL) == ST_OK);
	CHECK(r->transformation.n == 3);
}

static void a_run_ends_where_it_should_in_long_urls_too(void)
{
	cleanup(buf_release) struct buf url = { 0 };
	cleanup(tokens_release) struct tokens t = { 0 };

	for (unsigned i = 0; i < 100; i++)
		buf_add(&url, i % 7 == 6 ? STR("/") : i % 3 ? STR("a") : STR("-1"));
	CHECK(tokens_split(&t, buf_str(&url)) == ST_OK && t.n > 80);
	for (size_t i = 0; i < t.n; i++) {
		size_t n = 0;

		while (i + n < t.n && !t.v[i + n].delim)
			n++;
		CHECK(tokens_run(&t, i, t.delims, TOKEN_DELIM) == n);
	}
}

int main(void)
{
	RUN(the_rule_of_table_2_2);
	RUN(classes_take_what_they_say);
	RUN(a_run_gives_back_what_the_rest_needs);
	RUN(escapes_reach_every_byte);
	RUN(an_error_names_line_and_column);
	RUN(a_pattern_written_to_waste_time_gives_up);
	RUN(the_index_turns_away_nothing_that_matches);
	RUN(frames_change_nothing);
	RUN(what_stands_in_the_url_is_taken_as_one);
	RUN(a_run_ends_where_it_should_in_long_urls_too);
	DONE();
}
