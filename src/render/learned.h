/*
 * learned.h - what rendering has brought so far, and which pages are rendered for that.
 *
 * A page in a browser costs as much as two hundred plain ones.  Pages that show little
 * without scripts are rendered at once.  Those that have scripts and say plenty are tried
 * one at a time, as often as the pages of the crawl pay for; a sign that their scripts
 * show something gives a host one trial on credit.  Where the rendered pages bring no
 * text and no link that the crawl did not have, the template is not rendered again, but
 * for a sample that watches it.  Pages of a template that all say the same, and
 * have scripts, are taken for a frame that scripts fill.
 *
 * Pure; the table has one owner.
 */
#ifndef RENDER_LEARNED_H
#define RENDER_LEARNED_H

#include "base/map.h"
#include "render/need.h"

/* Of a template, or of all templates of a host. */
struct render_score {
	uint32_t rendered, paid;
	uint32_t pending; /* queued or being looked at, so that it is not known yet */
	uint32_t vain;    /* rendered since one last paid */
	uint32_t skipped; /* would have been rendered, were it not for the others */
	uint32_t plain, repeats; /* pages with scripts; without a text of their own */
	uint32_t press_paid, press_vain; /* pages on which pressing brought something */
};

struct render_learned {
	struct map index; /* hash of a template or host -> index in v, plus 1 */
	struct render_score *v;
	size_t n, cap;
	uint64_t pages;  /* plain ones, which pay for trials */
	uint64_t trials; /* in vain, or of which nothing is known yet */
};

void render_learned_release(struct render_learned *l);

/* What a page of this template must need. */
struct render_bar {
	enum render_need from; /* so much, and it is rendered */
	enum render_need hold; /* so much, and it waits for what others bring, or until a
				  trial is paid for */
};
struct render_bar render_threshold(struct render_learned *l, uint64_t template,
				   uint64_t host);
/* One that was queued is about to be rendered: is that still worth it? */
bool render_is_wanted(struct render_learned *l, uint64_t template, uint64_t host);
/* A plain page was looked at; `need` is its own. */
void render_note_plain(struct render_learned *l, uint64_t template, enum render_need need,
		       bool repeats);
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

/* Is what listens on a page of this template to be pressed? */
bool render_presses(struct render_learned *l, uint64_t template, uint64_t host);
/* It was, and has led somewhere or not. */
void render_learn_presses(struct render_learned *l, uint64_t template, uint64_t host,
			  bool has_paid);
#endif
