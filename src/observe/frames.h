/*
 * frames.h - from the way of an element (observe.js) to the frame it stands in.
 *
 * A way leads into frames of other origins by the step "F".  Each is found anew:
 * frames come and go with every event.
 */
#ifndef OBSERVE_FRAMES_H
#define OBSERVE_FRAMES_H

#include "browser/tab.h"

#define FRAMES_DEEP 8

/* Where an element is. */
struct frame_chain {
	struct tab_frame frames[FRAMES_DEEP]; /* outermost first */
	struct str
		owners[FRAMES_DEEP]; /* way of each frame's element in the one before */
	size_t n;                    /* 0: in the page itself */
	struct str way;              /* the rest, in the innermost */
};

/* The frame in the element at `way` of the document of `in`. */
must_use enum status frame_at(struct tab *t, const struct tab_frame *in, struct str way,
			      struct tab_frame *ret, struct diag *why);
must_use enum status frame_chain_find(struct tab *t, struct str way,
				      struct frame_chain *ret, struct diag *why);
/* The document that the element is in; NULL: the page's. */
const struct tab_frame *frame_chain_last(const struct frame_chain *c);
/*
 * Where the innermost frame's corner is in the page's viewport; brought into view
 * first when `show`.
 */
must_use enum status frame_chain_place(struct tab *t, const struct frame_chain *c,
				       bool show, double *ret_x, double *ret_y,
				       struct diag *why);
#endif
