/*
 * windows.h - words of links and around them, weighed by their distance.
 *
 * The words of a link weigh one, a word beside it a half, the next a third and so on, as
 * Haveliwala et al. found to work.  Pure.
 */
#ifndef SKETCH_WINDOWS_H
#define SKETCH_WINDOWS_H

#include "sketch/features.h"

/* `v` has three strings per link: before, its text, after (struct document). */
void windows_add(struct features *f, const struct str *v, size_t n);
#endif
