/*
 * observe.h - what the tab shows now, as plain data.
 *
 * One script walks the page, its shadow roots and its frames; what it says is
 * taken apart here.  Everything is capped: a page may say anything.  Strings live
 * in the arena given.  Changes nothing in the page.
 */
#ifndef OBSERVE_OBSERVE_H
#define OBSERVE_OBSERVE_H

#include "base/option.h"
#include "browser/tab.h"

#define CANDIDATES_MAX 2000

/* What can be done to an element; the names are those of the scripts and exports. */
enum event_kind {
	EVENT_CLICK,
	EVENT_DBLCLICK,
	EVENT_CONTEXTMENU,
	EVENT_HOVER,
	EVENT_LONGPRESS,
	EVENT_KEY,
	EVENT_FOCUS,
	EVENT_SCROLL,
	EVENT_CHOOSE, /* the next option of a select */
	EVENT_SUBMIT, /* fill the form, then click */
	EVENT_OPEN,   /* load an address that the page names, but shows no link to */
	EVENT_KINDS
};

struct str event_name(enum event_kind kind);
/* EVENT_KINDS when there is none of that name. */
enum event_kind event_find(struct str name);

struct candidate {
	struct str path; /* see observe.js */
	struct str tag, text, id, type, href, target, action, method;
	struct str says, marks, around; /* for the guard, see facts.js */
	struct str css, xpath;
	struct str hover, hover_css; /* way and selector of what must be pointed at first,
					or it does not show; empty: nothing */
	struct str origin;           /* of the frame it stands in, when not the page's */
	uint32_t events;             /* 1 << enum event_kind, or-ed */
	int32_t box[4];              /* left, top, width, height */
	int32_t spot[2]; /* where it is pointed at, in hundredths of the box */
	bool in_form;
	bool included, excluded; /* a selector or XPath of the options names it */
};

struct observation {
	struct str url, title, html, text;
	struct str stored; /* of localStorage and sessionStorage; empty when they are */
	struct candidate *candidates;
	size_t candidate_count;
	uint32_t frames, shadows;
	uint32_t opaque; /* frames that could not be looked into */
	uint32_t cut;    /* candidates past the cap */
};

struct observe_options {
	struct str_list volatile_classes; /* not part of any fingerprint */
	struct str_list include,
		exclude;       /* CSS selectors, XPaths; texts are passed over */
	struct str_list strip; /* CSS selectors of what is part of no fingerprint */
	bool scroll;           /* offer scrolling of every long page */
	struct str_list named; /* addresses that other files of the page name */
	bool addresses; /* offer to open those that the page names and shows no link to */
};

/* The script's JSON, into `ret` (reset first). */
must_use enum status observe_text(struct tab *t, const struct observe_options *options,
				  struct buf *ret, struct diag *why);
/* What it says. */
must_use enum status observation_parse(struct str json, struct arena *a,
				       struct observation *ret, struct diag *why);
#endif
