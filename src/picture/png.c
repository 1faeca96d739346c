#include "picture/png.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"

#define CHUNK_HEAD 8 /* length and name */
#define CHUNK_TAIL 4 /* checksum */

enum colour {
	COLOUR_GREY = 0,
	COLOUR_RGB = 2,
	COLOUR_PALETTE = 3,
	COLOUR_GREY_ALPHA = 4,
	COLOUR_RGB_ALPHA = 6,
};

struct reading {
	uint32_t width, height;
	unsigned depth;       /* bits per sample */
	unsigned colour;      /* enum colour */
	unsigned samples;     /* per pixel */
	size_t row_bytes;     /* without the filter's */
	size_t step;          /* bytes from a sample to that of the pixel before */
	uint8_t palette[256]; /* brightness */
	uint8_t *row, *above; /* each with the filter's byte before */
	size_t at;            /* bytes of the row so far */
	uint32_t y;
	uint8_t *to;
};

static uint32_t be32(const char *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return be32toh(v);
}

bool png_is(struct str bytes)
{
	return bytes.n >= 8 && memcmp(bytes.p, "\x89PNG\r\n\x1a\n", 8) == 0;
}

void grey_picture_release(struct grey_picture *p)
{
	free(p->v);
	*p = (struct grey_picture){ 0 };
}

static unsigned samples_of(unsigned colour)
{
	switch (colour) {
	case COLOUR_GREY:
	case COLOUR_PALETTE:
		return 1;
	case COLOUR_GREY_ALPHA:
		return 2;
	case COLOUR_RGB:
		return 3;
	case COLOUR_RGB_ALPHA:
		return 4;
	default:
		return 0;
	}
}

static enum status read_head(struct str data, struct reading *r, struct diag *why)
{
	if (data.n != 13)
		return diag_fail(why, ST_CORRUPT, "the picture's head is broken");
	r->width = be32(data.p);
	r->height = be32(data.p + 4);
	r->depth = (uint8_t)data.p[8];
	r->colour = (uint8_t)data.p[9];
	r->samples = samples_of(r->colour);
	bool few = r->depth == 1 || r->depth == 2 || r->depth == 4;
	if (!r->width || !r->height || !r->samples ||
	    !(few || r->depth == 8 || r->depth == 16) || (few && r->samples > 1) ||
	    (r->colour == COLOUR_PALETTE && r->depth == 16))
		return diag_fail(why, ST_CORRUPT, "the picture's head is broken");
	if ((uint64_t)r->width * r->height > PNG_PIXELS_MAX)
		return diag_fail(why, ST_TOO_LARGE, "a picture of %u x %u pixels",
				 r->width, r->height);
	if (data.p[12])
		return diag_fail(why, ST_UNSUPPORTED, "an interlaced picture");
	r->row_bytes = ((size_t)r->width * r->samples * r->depth + 7) / 8;
	r->step = MAX(r->samples * r->depth / 8, 1u);
	return ST_OK;
}

/* Rec. 601, in 256ths. */
static uint8_t brightness(unsigned red, unsigned green, unsigned blue)
{
	return (uint8_t)((77 * red + 150 * green + 29 * blue) >> 8);
}

static void read_palette(struct str data, struct reading *r)
{
	for (size_t i = 0; i < MIN(data.n / 3, (size_t)256); i++) {
		const uint8_t *p = (const uint8_t *)data.p + 3 * i;

		r->palette[i] = brightness(p[0], p[1], p[2]);
	}
}

static uint8_t paeth(int left, int up, int corner)
{
	int p = left + up - corner;
	int a = abs(p - left), b = abs(p - up), c = abs(p - corner);

	return (uint8_t)(a <= b && a <= c ? left : b <= c ? up : corner);
}

static bool unfilter(struct reading *r)
{
	uint8_t *row = r->row + 1;
	const uint8_t *up = r->above + 1;

	if (r->row[0] > 4)
		return false;
	for (size_t i = 0; i < r->row_bytes; i++) {
		uint8_t a = i >= r->step ? row[i - r->step] : 0;
		uint8_t c = i >= r->step ? up[i - r->step] : 0;

		switch (r->row[0]) {
		case 1:
			row[i] = (uint8_t)(row[i] + a);
			break;
		case 2:
			row[i] = (uint8_t)(row[i] + up[i]);
			break;
		case 3:
			row[i] = (uint8_t)(row[i] + (a + up[i]) / 2);
			break;
		case 4:
			row[i] = (uint8_t)(row[i] + paeth(a, up[i], c));
			break;
		default:
			break;
		}
	}
	return true;
}

/* Transparent pixels are seen on white, as a browser shows them. */
static uint8_t on_white(unsigned grey, unsigned alpha)
{
	return (uint8_t)((grey * alpha + 255 * (255 - alpha)) / 255);
}

static uint8_t pixel(const struct reading *r, size_t x)
{
	const uint8_t *row = r->row + 1;
	size_t wide = r->depth == 16 ? 2 : 1;
	const uint8_t *p = row + x * r->samples * wide;

	if (r->depth < 8) {
		size_t bit = x * r->depth;
		unsigned most = (1u << r->depth) - 1;
		unsigned v = (unsigned)row[bit / 8] >> (8 - r->depth - bit % 8) & most;

		if (r->colour == COLOUR_PALETTE)
			return r->palette[v];
		return (uint8_t)(v * 255 / most);
	}
	switch (r->colour) {
	case COLOUR_PALETTE:
		return r->palette[*p];
	case COLOUR_GREY_ALPHA:
		return on_white(p[0], p[wide]);
	case COLOUR_RGB:
		return brightness(p[0], p[wide], p[2 * wide]);
	case COLOUR_RGB_ALPHA:
		return on_white(brightness(p[0], p[wide], p[2 * wide]), p[3 * wide]);
	default:
		return *p;
	}
}

static bool end_row(struct reading *r)
{
	if (!unfilter(r))
		return false;
	for (size_t x = 0; x < r->width; x++)
		r->to[(size_t)r->y * r->width + x] = pixel(r, x);
	SWAP(r->row, r->above);
	r->y++;
	r->at = 0;
	return true;
}

/* One chunk of pixels through the decompressor, row by row. */
static bool inflate_chunk(z_stream *z, struct str data, struct reading *r)
{
	z->next_in = (Bytef *)(uintptr_t)data.p;
	z->avail_in = (uInt)data.n;
	while (z->avail_in && r->y < r->height) {
		z->next_out = r->row + r->at;
		z->avail_out = (uInt)(r->row_bytes + 1 - r->at);
		int code = inflate(z, Z_NO_FLUSH);

		r->at = r->row_bytes + 1 - z->avail_out;
		if (r->at == r->row_bytes + 1 && !end_row(r))
			return false;
		if (code == Z_STREAM_END)
			return true;
		if (code != Z_OK)
			return false;
	}
	return true;
}

static enum status read_chunks(struct str rest, z_stream *z, struct reading *r,
			       struct diag *why)
{
	bool has_head = false;

	while (rest.n >= CHUNK_HEAD) {
		uint32_t n = be32(rest.p);
		struct str name = str_slice(rest, 4, 8);

		if (n > rest.n - CHUNK_HEAD)
			break;
		struct str data = str_slice(rest, CHUNK_HEAD, CHUNK_HEAD + n);
		if (!has_head && !str_eq(name, STR("IHDR")))
			break;
		if (str_eq(name, STR("IHDR"))) {
			if (has_head)
				break;
			TRY(read_head(data, r, why));
			r->row = xcalloc(r->row_bytes + 1, 1);
			r->above = xcalloc(r->row_bytes + 1, 1);
			r->to = xcalloc((size_t)r->width * r->height, 1);
			has_head = true;
		} else if (str_eq(name, STR("PLTE"))) {
			read_palette(data, r);
		} else if (str_eq(name, STR("IDAT")) && !inflate_chunk(z, data, r)) {
			break;
		}
		if (r->y == r->height && has_head)
			return ST_OK;
		rest = str_skip(rest, MIN(CHUNK_HEAD + n + CHUNK_TAIL, rest.n));
	}
	return diag_fail(why, ST_CORRUPT, "the picture is broken or ends early");
}

enum status png_read(struct str bytes, struct grey_picture *ret, struct diag *why)
{
	struct reading r = { 0 };
	z_stream z = { 0 };
	enum status st;

	if (!png_is(bytes))
		return diag_fail(why, ST_CORRUPT, "no PNG picture");
	if (inflateInit(&z) != Z_OK)
		return diag_fail(why, ST_IO, "zlib could not start");
	st = read_chunks(str_skip(bytes, 8), &z, &r, why);
	inflateEnd(&z);
	free(r.row);
	free(r.above);
	if (st == ST_OK)
		*ret = (struct grey_picture){ r.to, r.width, r.height };
	else
		free(r.to);
	return st;
}
