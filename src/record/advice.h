/*
 * advice.h - what modules say of a page and of each of its links.
 *
 * A worker gathers it before the links leave as discoveries (pipeline/advise.h); it is a
 * fact for the decisions of policy/, never a decision.  A zeroed advice says nothing.
 * Plain data; strings live as long as the page.
 */
#ifndef RECORD_ADVICE_H
#define RECORD_ADVICE_H

#include "base/str.h"

/* Which module forbids a URL, whatever its score.  The numbers are the bus's. */
enum veto {
	VETO_NONE,
	VETO_APPLICATION, /* a software whose URLs are known: an action, not a page */
	VETO_BLACKLIST,   /* the user's list, or a list of spam */
	VETO_MODULE,      /* a module from outside */
	VETO_VIEW, /* the software shows there what other pages show; a few are tested */
	VETO_API,  /* its site's API gave what it shows; a few are tested */
	VETOES,
};

struct link_advice {
	float score; /* 0 worst to 1 best, if `has_score` */
	bool has_score;
	uint8_t veto;      /* enum veto */
	struct str detail; /* of a veto: the entry, the kind of action ... */
};

struct page_advice {
	struct str application; /* software that made the page; empty: unknown */
	struct str page_kind;   /* what it is there: "thread", "article" ...; or empty */
	float score;            /* of the document, if `has_score` */
	bool has_score;
	const struct link_advice *links; /* one per link of the page, or NULL */
};
#endif
