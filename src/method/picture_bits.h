/*
 * picture_bits.h - what a page looks like: two fingerprints of its screenshot.
 *
 * They are made where the picture is at hand (picture/print.h) and come with the
 * document; a document without a picture is near to nothing.
 */
#ifndef METHOD_PICTURE_BITS_H
#define METHOD_PICTURE_BITS_H

#include "method/method.h"

size_t picture_make(const struct document *, const struct feature_options *,
		    struct buf *);
size_t picture_edges_make(const struct document *, const struct feature_options *,
			  struct buf *);
#endif
