/*
 * content.h - what of a state its content fingerprint is made from, and how.
 *
 * As it is: the visible text.  Told to strip something, it is the state's HTML without
 * that: tags (structure), attributes, text, spaces; the seed's strippers, in any mixture.
 * Pure.
 */
#ifndef STATES_CONTENT_H
#define STATES_CONTENT_H

#include "base/json.h"
#include "base/option.h"
#include "method/method.h"
#include "observe/observe.h"

enum strip {
	STRIP_STRUCTURE = 1,
	STRIP_ATTRIBUTES = 2,
	STRIP_TEXT = 4,
	STRIP_SPACES = 8,
};

struct content {
	const struct method *method;
	struct feature_options features;
	unsigned strip; /* enum strip, or-ed; 0: the visible text */
};

/* By the method's own features, over the visible text. */
struct content content_of_method(const struct method *m);
/*
 * From the settings of a crawl: "method", "size" (0: the method's own), "pieces"
 * (likewise "own", or "chars" ...) and "strip" (words between commas; others are
 * selectors, see content_strip_word), all texts.
 */
must_use enum status content_parse(const struct json *settings, struct content *ret,
				   struct diag *why);
/* Is it one of the strippers, or else the selector of elements that do not count? */
unsigned content_strip_word(struct str word);
void content_add(const struct content *c, const struct observation *o, struct buf *to);
/* `text` of content_add(), and of the state's HTML what the features of the method need
 * besides; in the arena. */
void content_document(const struct content *c, const struct observation *o,
		      struct str text, struct arena *a, struct document *ret);
#endif
