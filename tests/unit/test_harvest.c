#include "pipeline/harvest.h"

#include <string.h>
#include <zlib.h>

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

/* `n` blanks and a link behind them, compressed. */
static void pack_far_link(size_t n, struct buf *to)
{
	cleanup(buf_release) struct buf page = { 0 };
	uLongf room = compressBound(n + 100);

	memset(buf_reserve(&page, n), ' ', n);
	page.n = n;
	buf_add(&page, STR("<a href=/far>far</a>"));
	compress((Bytef *)buf_reserve(to, room), &room, (const Bytef *)page.p, page.n);
	to->n = room;
}

static bool finds_far_link(size_t n, size_t *ret_decoded)
{
	struct crawl_item *i = item_new();
	struct harvest h = { .settings = &settings };
	cleanup(buf_release) struct buf packed = { 0 };

	pack_far_link(n, &packed);
	i->step.task.url = STR("http://a.test/x/");
	i->result.code = 200;
	i->result.header = STR("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
			       "Content-Encoding: deflate\r\n\r\n");
	i->result.body = buf_str(&packed);
	harvest_head(i);
	harvest_item(&h, i);
	bool found = i->n_links == 1;
	*ret_decoded = i->decoded.n;
	harvest_release(&h);
	item_free(i);
	return found;
}

/* However well it packs a page of half a megabyte is read; a bomb is not blown up. */
static void bombs_are_cut(void)
{
	size_t decoded;

	CHECK(finds_far_link(500000, &decoded));
	CHECK(!finds_far_link(20000000, &decoded) && decoded < 3 << 20);
}

int main(void)
{
	RUN(queries_are_sent_in_the_charset_of_the_page);
	RUN(junk_guesses_are_not_taken);
	RUN(bombs_are_cut);
	DONE();
}
