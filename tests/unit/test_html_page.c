#include "page/html_page.h"

#include <string.h>

#include "base/buf.h"
#include "html/tagpath.h"
#include "test.h"

static struct arena arena;

static struct page page_of(struct str html)
{
	struct page p = { 0 };

	html_page_read(html, NULL, &arena, &p);
	return p;
}

static void text_is_what_a_reader_sees(void)
{
	static const char *const samples[][2] = {
		{ "<p>a  b\n\tc</p><p>d</p>", "a b c\nd" },
		{ "a<b>b</b>c <i> d</i>", "abc d" },
		{ "a<br>b", "a\nb" },
		{ " <div> <div>a</div> </div>b", "a\nb" },
		{ "a&nbsp;&amp;&#10; b", "a & b" },
		{ "<title>t</title><style>s</style><script>x</script>a", "a" },
		{ "<noscript>n</noscript><template>t</template>a", "a" },
		{ "<svg><title>t</title><text>s</text></svg>a", "a" },
		{ "<svg><foreignObject>f</foreignObject></svg>", "f" },
		{ "<math><mi>x</mi></math>", "x" },
		{ "<textarea>a &lt; b</textarea>", "a < b" },
		{ "<table><tr><td>1<td>2<tr><td>3</table>", "1\n2\n3" },
		{ "<iframe>no</iframe><noframes>no</noframes>yes", "yes" },
		{ "<xmp><b>&amp;</xmp>", "<b>&amp;" },
		{ "abcdefghijklmnop qrstuvwxyz 0123456789  x &lt;",
		  "abcdefghijklmnop qrstuvwxyz 0123456789 x <" },
		{ "", "" },
	};

	for (size_t i = 0; i < COUNT(samples); i++) {
		struct page p = page_of(str_from(samples[i][0]));

		if (!str_eq(p.text, str_from(samples[i][1])))
			printf("# page %s\n# got  " STR_FMT "\n", samples[i][0],
			       STR_ARG(p.text));
		CHECK(str_eq(p.text, str_from(samples[i][1])));
	}
}

/* Every white space at every offset of the sixteen bytes looked at together. */
static void white_space_collapses_wherever_it_stands(void)
{
	for (size_t at = 0; at < 40; at++) {
		for (size_t n = 1; n < 20; n++) {
			char in[64], want[64];
			size_t w = 0;

			memset(in, 'x', sizeof(in));
			memset(in + at, n % 2 ? ' ' : '\n', n);
			for (size_t i = 0; i < sizeof(in); i++)
				if (in[i] == 'x')
					want[w++] = 'x';
				else if (w && want[w - 1] != ' ')
					want[w++] = ' ';
			struct page p = page_of((struct str){ in, sizeof(in) });
			CHECK(str_eq(p.text, (struct str){ want, w }));
		}
	}
}

static void nul_bytes_are_nothing_and_leave_no_space(void)
{
	struct page p = page_of(STR("<b>\0</b>a\0b <i>\0\0</i>\0 <p>  \0  </p>c"));

	CHECK(str_eq(p.text, STR("ab\nc")));
	p = page_of(STR("a<b>                  </b>b<b>\0</b>c, and sixteen bytes more"));
	CHECK(str_eq(p.text, STR("a bc, and sixteen bytes more")));
}

static void a_page_says_what_it_is(void)
{
	struct page p =
		page_of(STR("<html lang='pt-BR'><head><base href=/b/><base href=/c/>"
			    "<title> The\n &quot;title&quot; </title><title>other</title>"
			    "<meta name=Description content=' what  it is '>"
			    "<meta property=og:title content=OG><meta name=robots "
			    "content='NoIndex, nofollow'>"
			    "<meta name=generator content='Wiki 1'>"
			    "<meta http-equiv=refresh content='3;url=/next'>"
			    "<script type=application/ld+json> {\"a\": 1} </script>"));

	CHECK(str_eq(p.lang, STR("pt-BR")));
	CHECK(str_eq(p.base, STR("/b/")));
	CHECK(str_eq(p.title, STR("The \"title\"")));
	CHECK(str_eq(p.description, STR("what it is")));
	CHECK(str_eq(p.generator, STR("Wiki 1")));
	CHECK(p.robots == (ROBOTS_NOINDEX | ROBOTS_NOFOLLOW));
	CHECK(str_eq(p.refresh, STR("/next")) && p.refresh_seconds == 3);
	CHECK(p.n_meta == 5 && str_eq(p.meta[1].name, STR("og:title")));
	CHECK(str_eq(p.meta[1].value, STR("OG")));
	CHECK(p.n_json_ld == 1 && str_eq(p.json_ld[0], STR("{\"a\": 1}")));
}

static void blocks_know_their_place_and_their_links(void)
{
	struct page p = page_of(STR("<nav><a href=1>Home</a></nav><main><h1>H</h1>"
				    "<p>Some <a href=2>linked</a> words</main>"));

	CHECK(p.n_blocks == 3);
	CHECK(p.blocks[0].region == REGION_NAV && p.blocks[0].linked_bytes == 4);
	CHECK(p.blocks[1].region == (REGION_MAIN | REGION_HEADING));
	CHECK(p.blocks[2].region == REGION_MAIN && p.blocks[2].linked_bytes == 6);
	CHECK(str_eq(p.blocks[2].text, STR("Some linked words")));
}

static void an_anchor_over_blocks_counts_in_each(void)
{
	struct page p = page_of(STR("<a href=1><h2>Head</h2><p>Text</p></a>rest"));

	CHECK(p.n_blocks == 3 && p.n_links == 1);
	CHECK(p.blocks[0].linked_bytes == 4 && p.blocks[1].linked_bytes == 4);
	CHECK(p.blocks[2].linked_bytes == 0);
	CHECK(str_eq(p.links[0].text, STR("Head\nText")));
}

static void long_text_is_cut_at_a_character(void)
{
	struct page p = { 0 };

	html_page_read(STR("<p>abc\u00e9\u00e9\u00e9</p><p>more</p>"),
		       &(struct page_options){ .max_text_bytes = 6 }, &arena, &p);
	CHECK(str_eq(p.text, STR("abc\u00e9")) && (p.cut & CUT_TEXT));
}

static void left_out_end_tags_leave_the_path_alone(void)
{
	static const char *const pairs[][2] = {
		{ "<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>" },
		{ "<p>a<p>b<div>c</div>", "<p>a</p><p>b</p><div>c</div>" },
		{ "<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>" },
		{ "<table><tr><td>a<td>b<tr><td>c</table><p>",
		  "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table><p>" },
		{ "<div><span></div><p>", "<div><span></span></div><p>" },
		{ "<div></span></b></x></div><p>", "<div></div><p>" },
		{ "<table><tr><td></div></table><p>",
		  "<table><tr><td></td></tr></table><p>" },
		{ "<b><p>x</b>y</p><i>", "<b><p>x</p></b><i>" },
		{ "<x-y class=' a'><br></X-Y><hr>", "<x-y class='a'><br></x-y><hr>" },
	};

	for (size_t i = 0; i < COUNT(pairs); i++) {
		uint64_t *a, *b;
		size_t na, nb;

		tagpath_set(str_from(pairs[i][0]), TAGPATH_CLASSES, 100, &arena, &a, &na);
		tagpath_set(str_from(pairs[i][1]), TAGPATH_CLASSES, 100, &arena, &b, &nb);
		if (na != nb || memcmp(a, b, na * sizeof(*a)) != 0)
			printf("# %s\n", pairs[i][0]);
		CHECK(na == nb && memcmp(a, b, na * sizeof(*a)) == 0);
	}
}

static void classes_tell_paths_apart_only_when_asked(void)
{
	uint64_t *a;
	size_t n;

	tagpath_set(STR("<p class=a>x</p><p class=b>y</p>"), TAGPATH_TAGS, 9, &arena, &a,
		    &n);
	CHECK(n == 1);
	tagpath_set(STR("<p class=a>x</p><p class=b>y</p>"), TAGPATH_CLASSES, 9, &arena,
		    &a, &n);
	CHECK(n == 2 && a[0] < a[1]);
}

static void depth_is_bounded_and_links_below_are_found(void)
{
	struct buf b = { 0 };

	for (int i = 0; i < 3 * TAGPATH_DEPTH_MAX; i++)
		buf_add(&b, STR("<div>"));
	buf_add(&b, STR("<a href=deep>x</a>"));
	struct page p = page_of(buf_str(&b));
	CHECK(p.n_links == 1 && str_eq(p.links[0].url, STR("deep")));
	CHECK(p.cut & CUT_DEPTH);
	buf_release(&b);
}

int main(void)
{
	RUN(text_is_what_a_reader_sees);
	RUN(white_space_collapses_wherever_it_stands);
	RUN(nul_bytes_are_nothing_and_leave_no_space);
	RUN(a_page_says_what_it_is);
	RUN(blocks_know_their_place_and_their_links);
	RUN(an_anchor_over_blocks_counts_in_each);
	RUN(long_text_is_cut_at_a_character);
	RUN(left_out_end_tags_leave_the_path_alone);
	RUN(classes_tell_paths_apart_only_when_asked);
	RUN(depth_is_bounded_and_links_below_are_found);
	arena_release(&arena);
	DONE();
}
