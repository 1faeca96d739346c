#include "crawl/harvest.h"

#include "test.h"

static struct crawl_settings settings = { .guesses = true, .embeds = true };

/* The links of a page, one after the other, blanks between. */
static struct str links_of(struct crawl_item *i, const char *header, const char *body,
			   struct buf *to)
{
	struct harvest h = { .settings = &settings };

	i->step.task.url = STR("http://a.test/x/");
	i->result.code = 200;
	i->result.header = str_from(header);
	i->result.body = str_from(body);
	harvest_head(i);
	harvest_item(&h, i);
	for (size_t k = 0; k < i->n_links; k++) {
		buf_add(to, k ? STR(" ") : STR(""));
		buf_add(to, i->links[k].url);
	}
	harvest_release(&h);
	return buf_str(to);
}

#define LATIN "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n"
#define UTF8  "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"

static void queries_are_sent_in_the_charset_of_the_page(void)
{
	struct crawl_item *i = item_new(), *j = item_new();
	struct buf b = { 0 }, c = { 0 };

	/* The path is UTF-8 all the same, as the URL standard has it. */
	struct str got = links_of(i, LATIN, "<a href='/caf\xe9?q=caf\xe9'>x</a>", &b);
	CHECK(str_eq(got, STR("http://a.test/caf%C3%A9?q=caf%E9")));
	got = links_of(j, UTF8, "<a href='/caf\xc3\xa9?q=caf\xc3\xa9'>x</a>", &c);
	CHECK(str_eq(got, STR("http://a.test/caf%C3%A9?q=caf%C3%A9")));
	buf_release(&b);
	buf_release(&c);
	item_free(i);
	item_free(j);
}

static void junk_guesses_are_not_taken(void)
{
	struct crawl_item *i = item_new(), *j = item_new();
	struct buf b = { 0 }, c = { 0 };
	const char *page = "<a href=/y>y</a><script>var u = '/guess/page.html';</script>";

	CHECK(str_eq(links_of(i, UTF8, page, &b),
		     STR("http://a.test/y http://a.test/guess/page.html")));
	j->no_guesses = true;
	CHECK(str_eq(links_of(j, UTF8, page, &c), STR("http://a.test/y")));
	buf_release(&b);
	buf_release(&c);
	item_free(i);
	item_free(j);
}

int main(void)
{
	RUN(queries_are_sent_in_the_charset_of_the_page);
	RUN(junk_guesses_are_not_taken);
	DONE();
}
