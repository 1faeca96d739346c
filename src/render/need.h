/*
 * need.h - does a page need a browser?  Evidence in its bytes, and what rendering has
 * brought on its site so far.
 *
 * A page is looked at as it was fetched: how much it says, how much of it is script, and
 * the marks of pages that are made by scripts.  That gives a need.  How much need is
 * enough is learnt: a few pages of each template are rendered, and where the rendered
 * pages bring no text and no link that the crawl did not have, the template is not
 * rendered again, but for a sample that watches it.  Pure; the table has one owner.
 */
#ifndef RENDER_NEED_H
#define RENDER_NEED_H

#include "base/buf.h"
#include "base/map.h"
#include "record/page.h"

enum render_need {
	NEED_ANY,     /* every HTML page has as much */
	NEED_SCRIPTS, /* scripts that may add something */
	NEED_LIKELY,  /* it shows little without them, or says so */
	NEED_NEVER,   /* more than any page can need */
};

struct render_features {
	uint32_t text_bytes, links; /* that a reader sees; to other pages */
	uint32_t scripts, inline_bytes;
	bool empty_mount;  /* an element for an application to fill, and it is empty */
	bool says_so;      /* <noscript> asks for JavaScript */
	bool hydration;    /* data for a script to show */
	bool builds;       /* an inline script makes elements, or asks the server */
	bool has_handlers; /* onclick= and its like, or links to javascript: */
};

/* Of a page and its decoded bytes. */
void render_features_of(struct str html, const struct page *p,
			struct render_features *ret);
enum render_need render_need_of(const struct render_features *f);
/* "212 bytes of text, 1 link, 2 scripts, empty mount point", for people. */
void render_features_format(const struct render_features *f, struct buf *to);

/* --- what was learnt --- */

/* Of a template, or of all templates of a host. */
struct render_score {
	uint32_t rendered, paid;
	uint32_t pending; /* queued or being looked at, so that it is not known yet */
	uint32_t vain;    /* rendered since one last paid */
	uint32_t skipped; /* would have been rendered, were it not for the others */
};

struct render_learned {
	struct map index; /* hash of a template or host -> index in v, plus 1 */
	struct render_score *v;
	size_t n, cap;
};

void render_learned_release(struct render_learned *l);
/* How much a page of this template must need to be rendered. */
struct render_bar {
	enum render_need from;
	bool undecided; /* others of its template are being rendered: a page that has
			   only scripts waits for what they bring */
};
struct render_bar render_threshold(struct render_learned *l, uint64_t template,
				   uint64_t host);
/* One more, or one less, of which nothing is known yet; render_learn() takes one off. */
void render_note_pending(struct render_learned *l, uint64_t template, uint64_t host,
			 int change);
/* What a rendered page brought that the crawl had not: links that were queued, bytes of
 * text, and their share of its text. */
struct render_yield {
	uint32_t links;
	uint64_t text_bytes;
	unsigned percent;
};
bool render_pays(const struct render_yield *y);
void render_learn(struct render_learned *l, uint64_t template, uint64_t host,
		  bool has_paid);
/* A page of it was not rendered though it had some need. */
void render_note_skipped(struct render_learned *l, uint64_t template);
#endif
