/*
 * likeness.h - how much two pages have in common, from a few bytes of each.
 *
 * Of a page its longest paragraphs are kept, as a hash and a length, a hash of its main
 * content, and which paragraphs it has besides navigation, as a set of bits.  The same
 * page fetched twice shares them but for those that hold a time, a counter or an
 * advertisement; two pages of one site share those of the template.  Pure; plain data.
 */
#ifndef ONLINE_LIKENESS_H
#define ONLINE_LIKENESS_H

#include "base/base.h"
#include "base/str.h"

#define LIKENESS_MARKS 16
#define LIKENESS_WORDS 4 /* 64 bits each; of a longer page they say less and less */

struct likeness {
	uint32_t hash[LIKENESS_MARKS]; /* by falling length */
	uint16_t length[LIKENESS_MARKS];
	uint8_t n;
	uint64_t main; /* of all of the main content; 0: too little of it */
	uint64_t paragraphs[LIKENESS_WORDS]; /* but navigation: a bit for each */
};

/* One more paragraph of the page. */
void likeness_add(struct likeness *l, uint64_t hash, size_t length);
/* The same paragraph, if it is not navigation, in the main content or not: comments may
 * be outside of it.  A short one without its digits: a counter or a date does not make it
 * another one; a very short one is not looked at. */
void likeness_add_content(struct likeness *l, struct str text);
/*
 * Each has paragraphs that the other does not have, and more than the little that changes
 * from one fetch to the next: the second page of the comments on an article is another
 * page, however long the article is that both repeat.
 */
bool likeness_is_apart(const struct likeness *a, const struct likeness *b);
/* Both have the same main content, and hardly anything else that differs; they are not
 * apart. */
bool likeness_is_same(const struct likeness *a, const struct likeness *b);
/*
 * One is the other with less around it, as pages for printers and telephones are: they
 * have the same main content, or nearly all of one is in the other.
 */
bool likeness_is_part(const struct likeness *a, const struct likeness *b);
/* Share of the text that both have, 0 to 1; -1 when one of them has none. */
double likeness_of(const struct likeness *a, const struct likeness *b);
#endif
