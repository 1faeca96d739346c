#include "picture/print.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/rng.h"
#include "test.h"

static void add_be32(struct buf *to, uint32_t v)
{
	for (int i = 3; i >= 0; i--)
		buf_add_char(to, (char)(v >> (8 * i)));
}

static void add_chunk(struct buf *to, const char *name, struct str data)
{
	add_be32(to, (uint32_t)data.n);
	buf_add(to, str_from(name));
	buf_add(to, data);
	add_be32(to, 0); /* checksums are not looked at */
}

/* Rows with their filters' bytes, as a file whose pixels lie in several chunks. */
static void write_png(uint32_t width, uint32_t height, unsigned depth, unsigned colour,
		      struct str rows, struct buf *to)
{
	cleanup(buf_release) struct buf head = { 0 };
	uLongf n = compressBound(rows.n);
	char *packed = xcalloc(n, 1);

	CHECK(compress((Bytef *)packed, &n, (const Bytef *)rows.p, rows.n) == Z_OK);
	buf_add(to, STR("\x89PNG\r\n\x1a\n"));
	add_be32(&head, width);
	add_be32(&head, height);
	buf_add_char(&head, (char)depth);
	buf_add_char(&head, (char)colour);
	buf_add(&head, (struct str){ "\0\0\0", 3 });
	add_chunk(to, "IHDR", buf_str(&head));
	add_chunk(to, "PLTE", STR("\x10\x10\x10\xf0\xf0\xf0"));
	for (size_t at = 0; at < n; at += 7)
		add_chunk(to, "IDAT",
			  (struct str){ packed + at, MIN((size_t)7, n - at) });
	add_chunk(to, "IEND", STR(""));
	free(packed);
}

static bool reads_as(struct str png, const char *pixels, size_t n)
{
	cleanup(grey_picture_release) struct grey_picture p = { 0 };
	struct diag why;

	if (png_read(png, &p, &why) != ST_OK)
		return false;
	for (size_t i = 0; i < n; i++)
		if (abs(p.v[i] - (uint8_t)pixels[i]) > 1)
			return false;
	return (size_t)p.width * p.height == n;
}

static void every_filter_and_colour_is_read(void)
{
	static const struct {
		unsigned width, height, depth, colour;
		struct str rows;
		const char *pixels;
	} cases[] = {
		/* none, left, up, mean, Paeth */
		{ 2,
		  5,
		  8,
		  0,
		  { "\0\12\24\1\12\12\2\1\1\3\12\12\4\1\1", 15 },
		  "\12\24\12\24\13\25\17\34\20\35" },
		{ 1, 1, 8, 2, { "\0\377\0\0", 4 }, "\114" },
		{ 1, 1, 8, 4, { "\0\0\0", 3 }, "\377" }, /* transparent: white */
		{ 1, 1, 8, 6, { "\0\0\0\0\377", 5 }, "\0" },
		{ 1, 1, 16, 0, { "\0\200\1", 3 }, "\200" },
		{ 3, 1, 1, 0, { "\0\240", 2 }, "\377\0\377" },
		{ 3, 1, 1, 3, { "\0\240", 2 }, "\360\20\360" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup(buf_release) struct buf png = { 0 };

		write_png(cases[i].width, cases[i].height, cases[i].depth,
			  cases[i].colour, cases[i].rows, &png);
		CHECK(reads_as(buf_str(&png), cases[i].pixels,
			       (size_t)cases[i].width * cases[i].height));
	}
}

static void broken_pictures_are_told(void)
{
	cleanup(buf_release) struct buf png = { 0 }, large = { 0 };
	struct grey_picture p = { 0 };
	struct diag why;

	write_png(2, 2, 8, 0, (struct str){ "\0\1\2\0\3\4", 6 }, &png);
	for (size_t n = 0; n + 16 < png.n; n++)
		CHECK(png_read(str_slice(buf_str(&png), 0, n), &p, &why) == ST_CORRUPT);
	write_png(1u << 20, 1u << 20, 8, 0, STR(""), &large);
	CHECK(png_read(buf_str(&large), &p, &why) == ST_TOO_LARGE);
	CHECK(png_read(STR("GIF89a"), &p, &why) == ST_CORRUPT);
	CHECK(p.v == NULL);
}

/* A made-up page: a header, lines of text from a seed, and a box. */
static void draw(struct grey_picture *p, uint64_t text, unsigned box)
{
	struct rng r = { 5 };

	*p = (struct grey_picture){ xcalloc((size_t)320 * 240, 1), 320, 240 };
	memset(p->v, 250, (size_t)320 * 240);
	memset(p->v, 40, (size_t)320 * 30);
	for (unsigned line = 40; line < 220; line += 12)
		for (unsigned x = 20; x < 200 + (unsigned)rng_below(&r, 80); x++)
			for (unsigned y = line; y < line + 6; y++)
				p->v[y * 320 + x] = (x * 7 + y + text) % 3 ? 90 : 240;
	for (unsigned y = 60; y < 180; y++)
		for (unsigned x = box; x < box + 60 && x < 320; x++)
			p->v[y * 320 + x] = 0;
}

static unsigned apart(uint64_t a, uint64_t b)
{
	return (unsigned)__builtin_popcountll(a ^ b);
}

static void other_words_move_few_bits_and_another_layout_many(void)
{
	cleanup(grey_picture_release) struct grey_picture a, words, layout;

	draw(&a, 0, 240);
	draw(&words, 1, 240);
	draw(&layout, 0, 60);
	struct picture_print p = picture_print(&a), q = picture_print(&words),
			     r = picture_print(&layout);
	CHECK(apart(p.frequencies, q.frequencies) <= 4);
	CHECK(apart(p.edges, q.edges) <= 6);
	CHECK(apart(p.frequencies, r.frequencies) >= 10);
	CHECK(apart(p.edges, r.edges) > apart(p.edges, q.edges));
	CHECK(p.frequencies && ~p.frequencies);
}

static void the_smallest_and_an_even_picture_have_a_fingerprint(void)
{
	uint8_t one = 128, even[100];
	struct grey_picture p = { &one, 1, 1 }, q = { even, 10, 10 };

	memset(even, 200, sizeof(even));
	CHECK(picture_print(&p).edges == 0 && picture_print(&p).frequencies == 0);
	CHECK(picture_print(&q).frequencies == 0);
}

int main(void)
{
	RUN(every_filter_and_colour_is_read);
	RUN(broken_pictures_are_told);
	RUN(other_words_move_few_bits_and_another_layout_many);
	RUN(the_smallest_and_an_even_picture_have_a_fingerprint);
	DONE();
}
