/*
 * tagpath.h - under which elements we are, without a tree.
 *
 * A stack of open elements, kept in order by the end tags that authors leave
 * out (li, p, td, option ...) and tolerant of those that they put wrongly.
 * Each entry carries the hash of the way from the root, once by names alone
 * and once with classes: two elements have equal hashes when their ways are
 * equal, on whatever page.  The values go to disk, so they never change.
 *
 * Amortised constant time an element: what is searched is popped.  Elements
 * deeper than TAGPATH_DEPTH_MAX count as being at that depth.
 */
#ifndef HTML_TAGPATH_H
#define HTML_TAGPATH_H

#include "base/arena.h"
#include "html/html_token.h"

#define TAGPATH_DEPTH_MAX 512

struct tagpath_entry {
	struct str name;  /* as written */
	struct str class; /* as written; empty for none */
	uint64_t tags;    /* hash of the names from the root, once `hashed` */
	uint64_t classes; /* hash of names and classes from the root, once `hashed` */
	uint16_t region;  /* enum page_region, inherited */
	uint8_t tag;      /* enum html_tag */
	bool hashed;
	bool closed; /* its end tag came, but those of inner elements did not */
};

struct tagpath {
	size_t n;
	size_t over;                  /* elements that did not fit */
	bool cut;                     /* any ever did not fit */
	struct tagpath_entry passing; /* the last element that was not pushed */
	uint32_t open[TAG_COUNT];     /* entries on the stack, closed ones not counted */
	struct tagpath_entry entries[TAGPATH_DEPTH_MAX + 1]; /* [0] is the document */
};

void tagpath_start(struct tagpath *t);
/*
 * Open the element of a start tag; one without contents is closed at once.
 * Returns its entry, which lives until the next call.
 */
const struct tagpath_entry *tagpath_open(struct tagpath *t, const struct html_token *k);
void tagpath_close(struct tagpath *t, const struct html_token *k);

/* Close the element opened last; there is one, and none was too deep to be kept. */
static inline void tagpath_close_top(struct tagpath *t)
{
	t->open[t->entries[t->n].tag]--;
	for (t->n--; t->n && t->entries[t->n].closed;)
		t->n--;
}

/*
 * The hashes of an entry that tagpath_open() returned, or of the top.  Made when
 * asked for, once for each element: most are never asked for.
 */
uint64_t tagpath_tags(struct tagpath *t, const struct tagpath_entry *e);
uint64_t tagpath_classes(struct tagpath *t, const struct tagpath_entry *e);

static inline const struct tagpath_entry *tagpath_top(const struct tagpath *t)
{
	return &t->entries[t->n];
}

enum tagpath_with { TAGPATH_TAGS, TAGPATH_CLASSES };

/*
 * The set of the ways to all elements of a page, as sorted hashes without
 * repetition: the feature by which two states of an application, or two pages
 * of one template, are compared.  At most `max` ways are kept.
 */
void tagpath_set(struct str html, enum tagpath_with with, size_t max, struct arena *a,
		 uint64_t **ret, size_t *ret_n);
/* Is it an element that never has contents: br, img, meta ... */
bool tagpath_is_void(enum html_tag tag);
#endif
