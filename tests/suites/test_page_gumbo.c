/*
 * Pages made at random from nasty pieces: the links must be those that gumbo,
 * a tree builder by the standard, finds.  The same seed gives the same pages.
 * Gumbo runs under limits: on some pages it takes quadratic time or recurses.
 */
#include <sys/resource.h>

#include "../unit/test.h"
#include "base/buf.h"
#include "base/rng.h"
#include "gumbo_links.h"
#include "page/page.h"

/* "%u" becomes a number, so that each link is another. */
static const char *const pieces[] = {
	"<a href=/a%u>",
	"</a>",
	"<A HREF='/b%u' href=/no>",
	"<p>",
	"</p>",
	"<div class=x>",
	"</div>",
	"<b>",
	"</b>",
	"<i>",
	"</i>",
	"<span>",
	"</span>",
	"<ul><li>",
	"<li>",
	"</ul>",
	"<table>",
	"<tr>",
	"<td>",
	"</table>",
	"</td>",
	"text ",
	" \n ",
	"&amp;",
	"&notit;",
	"&#x41;",
	"<img src=/i%u alt=x>",
	"<img srcset='/s%u 1x, /t%u 2x'>",
	"<br/>",
	"<hr>",
	"<h1>",
	"</h1>",
	"<form action=/f%u>",
	"</form>",
	"<form method=post action=/no%u>",
	"<input type=image src=/n%u>",
	"<script>",
	"</script>",
	"<!--",
	"-->",
	"<!-- <a href=/no%u> -->",
	"<style>a{b:url(/u%u)}</style>",
	"<title>",
	"</title>",
	"<textarea>",
	"</textarea>",
	"<iframe src=/r%u></iframe>",
	"<noscript>",
	"</noscript>",
	"<template>",
	"</template>",
	"<a xlink:href=/x%u>",
	"<image href=/g%u />",
	"<link href=/l%u>",
	"<meta http-equiv=refresh content='0;url=/m%u'>",
	"<base href=/base/>",
	"<",
	"</",
	"<a href=\"/q%u",
	"\">",
	"'",
	"=",
	">",
	"<a\nhref\t=\r/w%u\f>",
	"<a href=/v%u/>",
	"<area href=/e%u>",
	"<video src=/d%u poster=/p%u>",
	"<object data=/o%u>",
	"</object>",
	"<body background=/k%u>",
	"<html lang=en>",
	"<q cite=/c%u>",
	"<p style='a:url(/y%u)'>",
	"<font color=red>",
	"</font>",
	"<button>",
	"</button>",
	"<dl><dt>",
	"<dd>",
	"</dl>",
	"<embed src=/z%u>",
	"<xmp>",
	"</xmp>",
	"<code>",
	"</code>",
	"<x-y>",
	"</x-y>",
	"<svg><a xlink:href=/svg%u>x</a><image href=/g%u /></svg>",
	"<svg><title><b>x</title><desc>y</desc><![CDATA[<a href=/no>]]></svg>",
	"<svg><foreignObject><a href=/h%u>z</a></foreignObject></svg>",
	"<svg><style><a href=/inside%u></style></svg>",
	"<svg><g/><div><a href=/out%u>",
	"<math><mi>x</mi><mtext><a href=/j%u>x</a></mtext></math>",
	("<math><annotation-xml encoding='text/html'><a "
	 "href=/n%u></a></annotation-xml></math>"),
	"<svg/><math/>",
};

static void make_page(struct rng *r, struct buf *b)
{
	uint64_t n = 1 + rng_below(r, 40);

	buf_reset(b);
	while (n-- > 0) {
		const char *p = pieces[rng_below(r, COUNT(pieces))];

		for (; *p; p++) {
			if (p[0] == '%' && p[1] == 'u') {
				buf_add_uint(b, rng_below(r, 1000));
				p++;
			} else {
				buf_add_char(b, *p);
			}
		}
	}
}

/* Forms in tables in templates: only a tree knows which of them do not count. */
static bool is_beyond_us(struct str page)
{
	return str_find(page, STR("<template")) != STR_NONE &&
	       str_find(page, STR("<form")) != STR_NONE;
}

static void random_pages_have_the_links_that_gumbo_finds(void)
{
	struct rng r = { 42 };
	struct buf b = { 0 };
	size_t differ = 0;

	for (unsigned i = 0; i < 20000; i++) {
		struct arena a = { 0 };
		struct oracle ours, theirs;
		struct page p;
		struct str first;

		make_page(&r, &b);
		if (is_beyond_us(buf_str(&b)))
			continue;
		page_parse(&(struct page_input){ .body = buf_str(&b),
						 .content_type = STR(
							 "text/html; charset=utf-8") },
			   &(struct page_options){ .no_language = true }, &a, &p);
		oracle_from_page(&p, &a, &ours);
		oracle_read(buf_str(&b), &a, &theirs);
		size_t missing = oracle_missing(&theirs, &ours, &first);
		if (missing || oracle_missing(&ours, &theirs, &first)) {
			if (differ++ < 12)
				printf("# %s " STR_FMT "\n#   in %s\n",
				       missing ? "missing" : "extra", STR_ARG(first),
				       buf_cstr(&b));
		}
		arena_release(&a);
	}
	buf_release(&b);
	printf("# %zu differ\n", differ);
	CHECK(differ == 0);
}

int main(void)
{
	struct rlimit memory = { (rlim_t)1 << 30, (rlim_t)1 << 30 }, cpu = { 60, 60 };

	setrlimit(RLIMIT_CPU, &cpu);
#ifndef __SANITIZE_ADDRESS__
	setrlimit(RLIMIT_AS, &memory);
#else
	(void)memory;
#endif
	RUN(random_pages_have_the_links_that_gumbo_finds);
	DONE();
}
