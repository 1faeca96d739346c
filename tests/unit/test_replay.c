#include "replay/names.h"
#include "replay/rewrite.h"
#include "test.h"

#define PORT 8080

static struct url parsed(const char *text, struct buf *scratch)
{
	struct url u;

	if (url_parse(str_from(text), NULL, scratch, &u, NULL) != ST_OK)
		u = (struct url){ 0 };
	return u;
}

/* To the local name and back, which always says its port. */
static bool survives(const char *text, const char *want, const char *time)
{
	cleanup(buf_release) struct buf scratch = { 0 }, local = { 0 }, back = { 0 };
	struct url u = parsed(text, &scratch);
	struct str found;

	replay_add_url(&local, &u, str_from(time), PORT);
	struct str rest = str_skip(buf_str(&local), 7); /* http:// */
	size_t slash = str_find_char(rest, '/');
	if (!str_starts(buf_str(&local), STR("http://")) || slash == STR_NONE ||
	    !replay_parse(str_slice(rest, 0, slash), str_skip(rest, slash), PORT, &back,
			  &found))
		return false;
	return str_eq(buf_str(&back), str_from(want)) && str_eq(found, str_from(time));
}

static void an_origin_has_a_name_here_and_the_way_back(void)
{
	CHECK(survives("http://a.org/", "http://a.org:80/", "20261116000000"));
	CHECK(survives("https://www.a-b.co.uk/x?y=1", "https://www.a-b.co.uk:443/x?y=1",
		       "20261116000000"));
	CHECK(survives("http://a.org:81/x/y.html", "http://a.org:81/x/y.html", ""));
	CHECK(survives("http://[2001:db8::1]/", "http://[2001:db8::1]:80/", ""));
	CHECK(survives("https://localhost:444/", "https://localhost:444/",
		       "20261116000000"));
	CHECK(survives("http://127.0.0.1:9000/a", "http://127.0.0.1:9000/a", ""));
}

static void names_of_others_are_not_ours(void)
{
	cleanup(buf_release) struct buf back = { 0 };
	struct str time;

	CHECK(!replay_parse(STR("a.org"), STR("/"), PORT, &back, &time));
	CHECK(!replay_parse(STR("localhost:8080"), STR("/"), PORT, &back, &time));
	CHECK(!replay_parse(STR("x.localhost:8081"), STR("/"), PORT, &back, &time));
	CHECK(replay_is_own_origin(STR("http://a.localhost:8080"), PORT));
	CHECK(replay_is_own_origin(STR("http://localhost:8080"), PORT));
	CHECK(!replay_is_own_origin(STR("http://localhost:8081"), PORT));
	CHECK(!replay_is_own_origin(STR("http://evillocalhost:8080"), PORT));
	CHECK(!replay_is_own_origin(STR("https://a.org"), PORT));
}

static bool to_letter(void *ctx, const struct url *u, struct buf *to)
{
	(void)ctx;
	if (!str_eq(u->host, STR("a.org")))
		return false;
	buf_add(to, STR("LOCAL"));
	buf_add(to, u->path);
	return true;
}

static bool becomes(const char *html, const char *want)
{
	cleanup(buf_release) struct buf scratch = { 0 }, out = { 0 };
	struct url own = parsed("http://a.org/dir/page", &scratch);
	struct rewrite how = { .map = to_letter };

	rewrite_html(str_from(html), &own, &how, &out);
	if (str_find(buf_str(&out), str_from(want)) != STR_NONE)
		return true;
	printf("# " STR_FMT "\n", STR_ARG(buf_str(&out)));
	return false;
}

static void urls_in_a_page_are_replaced_and_nothing_else_is(void)
{
	CHECK(becomes("<a href=x>", "LOCAL/dir/x"));
	CHECK(becomes("<a class=q href='/x'>t</a>", "LOCAL/x"));
	CHECK(becomes("<img src=\"http://a.org/i.png\" alt='a > b'>", "LOCAL/i.png"));
	CHECK(becomes("<a href=http://other.org/x>", "http://other.org/x"));
	CHECK(becomes("<a href=mailto:a@b.c>", "mailto:a@b.c"));
	CHECK(becomes("<img srcset='/a.png 1x, /b.png 2x'>", "LOCAL/b.png 2x"));
	CHECK(becomes("<style>p{background:url(/s.png)}</style>", "LOCAL/s.png"));
	CHECK(becomes("<p>href=/x stays</p>", "<p>href=/x stays</p>"));
	CHECK(becomes("<!-- <a href=/x> -->", "<!-- <a href=/x> -->"));
}

static void style_sheets_are_rewritten(void)
{
	cleanup(buf_release) struct buf scratch = { 0 }, out = { 0 };
	struct url own = parsed("http://a.org/css/all.css", &scratch);
	struct rewrite how = { .map = to_letter };

	rewrite_css(STR("@import 'b.css'; p{background:url(\"../i.png\")}"), &own, &how,
		    &out);
	CHECK(str_find(buf_str(&out), STR("LOCAL/css/b.css")) != STR_NONE);
	CHECK(str_find(buf_str(&out), STR("LOCAL/i.png")) != STR_NONE);
}

int main(void)
{
	RUN(an_origin_has_a_name_here_and_the_way_back);
	RUN(names_of_others_are_not_ours);
	RUN(urls_in_a_page_are_replaced_and_nothing_else_is);
	RUN(style_sheets_are_rewritten);
	DONE();
}
