/*
 * unicode.h - what a code point is for the segmentation of text, and what it
 * folds to.
 *
 * Folding takes away case, accents, width and the script of digits, one code
 * point to one, so that "CAFÉ", "café" and "cafe" are the same word.  The
 * tables are made by tools/make_unicode.py.
 */
#ifndef BASE_UNICODE_H
#define BASE_UNICODE_H

#include "base/base.h"

enum unicode_class {
	UNICODE_SEPARATOR, /* white space, punctuation, symbols, unassigned */
	UNICODE_WORD,      /* a letter or digit of a script that separates words */
	UNICODE_MARK,      /* belongs to the letter before it */
	UNICODE_IGNORED,   /* accents, vowel points, joiners: as if they were not there */
	UNICODE_ALONE,     /* of a script without spaces: a piece of its own */
};

/* Two stages of 128 code points a block; an entry is (folded - itself) * 8 + class. */
extern const uint8_t unicode_blocks[];
extern const int32_t unicode_entries[][128];

static inline int32_t unicode_entry(uint32_t cp)
{
	return cp < 0x110000 ? unicode_entries[unicode_blocks[cp >> 7]][cp & 127] : 0;
}
static inline enum unicode_class unicode_class(uint32_t cp)
{
	return (enum unicode_class)(unicode_entry(cp) & 7);
}
static inline uint32_t unicode_fold(uint32_t cp)
{
	return (uint32_t)((int32_t)cp + (unicode_entry(cp) >> 3));
}
#endif
