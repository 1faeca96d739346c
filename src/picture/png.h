/*
 * png.h - a PNG file as brightness, a byte per pixel.
 *
 * Enough for screenshots: all colour types and depths, no interlacing; checksums are not
 * looked at, what is broken is found by the data itself.  Every size is capped before it
 * is believed.  Pure.
 */
#ifndef PICTURE_PNG_H
#define PICTURE_PNG_H

#include "base/str.h"

#define PNG_PIXELS_MAX ((size_t)64 << 20)

struct grey_picture {
	uint8_t *v; /* width * height, row by row */
	uint32_t width, height;
};

bool png_is(struct str bytes);
/* ST_CORRUPT for what is no PNG or ends early, ST_TOO_LARGE, ST_UNSUPPORTED. */
must_use enum status png_read(struct str bytes, struct grey_picture *ret,
			      struct diag *why);
void grey_picture_release(struct grey_picture *p);
#endif
