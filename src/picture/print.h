/*
 * print.h - what a picture looks like in 64 bits, twice.
 *
 * `frequencies` is the perceptual hash: the picture as 32 x 32 brightnesses, their cosine
 * transform, and whether each of the 8 x 8 low frequencies (without the flat ones) is
 * above the median.  `edges` is the difference hash: whether a point of 9 x 8 is brighter
 * than that to its left.  A word that changed, or another tint, moves few bits.  Pure.
 */
#ifndef PICTURE_PRINT_H
#define PICTURE_PRINT_H

#include "picture/png.h"
#include "sketch/document.h"

struct picture_print picture_print(const struct grey_picture *p);
#endif
