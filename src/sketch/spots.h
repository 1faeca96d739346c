/*
 * spots.h - SpotSigs (Theobald, Siddharth, Paepcke 2008): where function words stand.
 *
 * A spot is a frequent function word with the next words that are none.  Sentences have
 * spots, menus and advertisements hardly any, so that what is compared is the content,
 * with no need to cut the page.  Which words begin a spot depends on the language; of an
 * unknown one the English ones are looked for.  Pure.
 */
#ifndef SKETCH_SPOTS_H
#define SKETCH_SPOTS_H

#include "sketch/features.h"

#define SPOT_CHAIN 3 /* words after the function word, unless said otherwise */

/* One feature per spot; `chain` words, 0: SPOT_CHAIN. */
void spots_add(struct features *f, struct str text, struct str language, unsigned chain);
#endif
