/*
 * advise.h - advice on a page and its links, before the links leave as discoveries.
 *
 * The one place where modules that look at pages are heard: each puts what it has to say
 * into `struct advice_input` as a fact, and advise() turns all of it into score, veto and
 * priority of each discovery.  In a worker: reads the page, asks nobody.  What needs the
 * state of the whole crawl is added by the loop, when the links are offered.
 */
#ifndef PIPELINE_ADVISE_H
#define PIPELINE_ADVISE_H

#include "base/arena.h"
#include "focus/focus.h"
#include "record/discovery.h"
#include "record/fetch.h"
#include "record/page.h"

struct advice_input {
	const struct fetch_task *task;
	const struct page *page; /* NULL where the answer is none: a redirect ... */
	struct discovery *links; /* to be advised */
	const struct link *const *origins; /* where each stood; NULL: in the head */
	size_t n;
	struct page_advice application; /* apps/ */
	struct focus_worker *focus;     /* NULL: nothing is looked for */
	int64_t modified_ms, now_ms;    /* of the page; of the answer */
};

/* How relevant the page itself is, 0 to 1.  Strings of the advice live in `a`. */
float advise(const struct advice_input *in, struct arena *a);
#endif
