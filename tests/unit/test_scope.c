#include "policy/scope.h"

#include "test.h"

static struct scope_answer ask(const struct scope *s, const char *text,
			       struct scope_question q)
{
	static struct buf scratch;
	static struct url u;
	struct scope_answer none = { 0 };

	if (url_parse(str_from(text), NULL, &scratch, &u, NULL) != ST_OK)
		return none;
	q.url = &u;
	if (q.domain.n == 0)
		q.domain = u.host;
	return scope_decide(s, &q);
}

static void seed(struct scope *s, const char *text, const char *domain)
{
	struct buf scratch = { 0 };
	struct url u;

	if (url_parse(str_from(text), NULL, &scratch, &u, NULL) == ST_OK)
		scope_add_seed(s, &u, str_from(domain));
	buf_release(&scratch);
}

static struct scope make(enum scope_kind kind)
{
	return (struct scope){ .kind = kind, .max_depth = 20, .max_url_bytes = 2048 };
}

static const struct scope_question plain;

static bool accepts(const struct scope *s, const char *url, const char *rule)
{
	struct scope_answer a = ask(s, url, plain);

	return a.accept && str_eq(reason_table[a.reason].word, str_from(rule));
}

static bool refuses(const struct scope *s, const char *url, const char *rule)
{
	struct scope_answer a = ask(s, url, plain);

	return !a.accept && str_eq(reason_table[a.reason].word, str_from(rule));
}

static void each_kind_reaches_as_far_as_its_name(void)
{
	static const char seed_url[] = "https://www.example.org/docs/a/index.html";
	static const struct {
		enum scope_kind kind;
		bool page, folder, host, domain, other;
	} rows[] = {
		{ SCOPE_PAGE, true, false, false, false, false },
		{ SCOPE_PREFIX, true, true, false, false, false },
		{ SCOPE_HOST, true, true, true, false, false },
		{ SCOPE_DOMAIN, true, true, true, true, false },
		{ SCOPE_ANY, true, true, true, true, true },
		{ SCOPE_CUSTOM, true, false, false, false, false },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct scope s = make(rows[i].kind);
		struct scope_question sub = { .domain = STR("example.org") };

		seed(&s, seed_url, "example.org");
		scope_finish(&s);
		CHECK(ask(&s, seed_url, sub).accept == rows[i].page);
		CHECK(ask(&s, "https://www.example.org/docs/a/b/c", sub).accept ==
		      rows[i].folder);
		CHECK(ask(&s, "https://www.example.org/docs/ab", sub).accept ==
		      rows[i].host);
		CHECK(ask(&s, "https://blog.example.org/", sub).accept == rows[i].domain);
		CHECK(ask(&s, "https://other.net/", plain).accept == rows[i].other);
		scope_release(&s);
	}
}

static void the_first_rule_in_order_decides(void)
{
	struct scope s = make(SCOPE_HOST);
	struct diag why;

	seed(&s, "http://a.org/", "a.org");
	CHECK(scope_add_exclude(&s, STR("/private/"), &why) == ST_OK);
	CHECK(scope_add_include(&s, STR("^https://b\\.org/"), &why) == ST_OK);
	scope_finish(&s);
	CHECK(refuses(&s, "ftp://a.org/", "scheme"));
	CHECK(refuses(&s, "http://a.org/private/x", "exclude"));
	CHECK(accepts(&s, "http://a.org/", "seed"));
	CHECK(accepts(&s, "http://a.org/x", "host"));
	CHECK(accepts(&s, "https://www.a.org/x", "host"));
	CHECK(refuses(&s, "http://a.org:8080/x", "out-of-scope"));
	CHECK(accepts(&s, "https://www2.a.org/x", "host")); /* a mirror, as SURT has it */
	CHECK(refuses(&s, "https://sub.a.org/x", "out-of-scope"));
	CHECK(accepts(&s, "https://b.org/x", "include"));
	CHECK(refuses(&s, "https://c.org/x", "out-of-scope"));
	scope_release(&s);
}

static void the_longest_surt_prefix_wins(void)
{
	struct scope s = make(SCOPE_CUSTOM);
	struct scope_question q = plain;

	scope_add_surt(&s, STR("(org,example,)/private/open"));
	scope_add_surt(&s, STR("+http://(org,example,"));
	scope_add_surt(&s, STR("-(org,example,)/private"));
	scope_finish(&s);
	q.surt = STR("org,example,)/x");
	CHECK(ask(&s, "http://example.org/x", q).accept);
	q.surt = STR("org,example,)/private/x");
	CHECK(!ask(&s, "http://example.org/private/x", q).accept);
	q.surt = STR("org,example,)/private/open/x");
	CHECK(ask(&s, "http://example.org/private/open/x", q).accept);
	q.surt = STR("org,exampla,)/");
	CHECK(!ask(&s, "http://exampla.org/", q).accept);
	scope_release(&s);
}

static void hops_off_the_site_are_counted(void)
{
	struct scope s = make(SCOPE_HOST);
	struct scope_question q = plain;

	seed(&s, "http://a.org/", "a.org");
	s.max_off_hops = 1;
	scope_finish(&s);
	struct scope_answer a = ask(&s, "http://b.org/", q);
	CHECK(a.accept && a.off_site && a.reason == REASON_OFF_SITE);
	q.off_hops = 1;
	CHECK(!ask(&s, "http://c.org/", q).accept);
	CHECK(ask(&s, "http://a.org/x", q).accept);
	scope_release(&s);
}

static void embeds_come_along_and_depth_has_a_limit(void)
{
	struct scope s = make(SCOPE_HOST);
	struct scope_question q = { .is_embed = true };

	seed(&s, "http://a.org/", "a.org");
	scope_finish(&s);
	CHECK(ask(&s, "http://cdn.net/x.css", q).accept);
	q.off_hops = 1;
	CHECK(!ask(&s, "http://cdn.net/x.css", q).accept);
	q = (struct scope_question){ .depth = 21 };
	CHECK(ask(&s, "http://a.org/deep", q).reason == REASON_DEPTH);
	scope_release(&s);
}

static void a_wrong_pattern_is_named(void)
{
	struct scope s = make(SCOPE_ANY);
	struct diag why;

	CHECK(scope_add_exclude(&s, STR("a(b"), &why) == ST_SYNTAX);
	CHECK(str_find(str_from(why.text), STR("a(b")) != STR_NONE);
	scope_release(&s);
}

static void long_lists_answer_as_short_ones(void)
{
	struct pattern_list few = { 0 }, many = { 0 };
	struct diag why;
	char text[64];

	for (int i = 0; i < 40; i++) {
		/* Every fifth uses a look-ahead, which only the slow engine knows. */
		int n = i % 5 == 0 ? snprintf(text, sizeof(text), "/p%d(?!x)/", i)
				   : snprintf(text, sizeof(text), "/p%d/.*\\?q", i);
		struct str regex = { text, (size_t)n };

		CHECK(pattern_list_add(&many, regex, &why) == ST_OK);
		if (i < 10)
			CHECK(pattern_list_add(&few, regex, &why) == ST_OK);
	}
	pattern_list_finish(&few);
	pattern_list_finish(&many);
	for (int i = 0; i < 400; i++) {
		int n = snprintf(text, sizeof(text), "http://a/p%d/%s", i % 12,
				 i % 3 ? "z?q=1" : "z");
		struct str url = { text, (size_t)n };
		size_t a = pattern_list_find(&few, url),
		       b = pattern_list_find(&many, url);

		CHECK(a == b || (a == PATTERN_NONE && b >= 10));
	}
	pattern_list_release(&few);
	pattern_list_release(&many);
}

int main(void)
{
	RUN(each_kind_reaches_as_far_as_its_name);
	RUN(the_first_rule_in_order_decides);
	RUN(the_longest_surt_prefix_wins);
	RUN(hops_off_the_site_are_counted);
	RUN(embeds_come_along_and_depth_has_a_limit);
	RUN(a_wrong_pattern_is_named);
	RUN(long_lists_answer_as_short_ones);
	DONE();
}
