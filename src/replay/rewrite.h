/*
 * rewrite.h - the URLs in a page or style sheet, each replaced by another.
 *
 * Bytes are copied as they are but for the values that hold URLs, so what is broken stays
 * as broken as it was.  Beside that, what would bind a page to its old place goes:
 * <base>, policies in <meta>, integrity of scripts, referrer policies.  Pure; any thread.
 */
#ifndef REPLAY_REWRITE_H
#define REPLAY_REWRITE_H

#include "url/url.h"

struct rewrite {
	/* Add what stands for `u` (absolute, http or https) to `to`; false: it stays as
	 * written. */
	bool (*map)(void *ctx, const struct url *u, struct buf *to);
	void *ctx;
	struct str inject; /* HTML put where <head> begins */
	bool no_scripts;   /* programs are left out */
};

void rewrite_html(struct str html, const struct url *own, const struct rewrite *how,
		  struct buf *to);
void rewrite_css(struct str css, const struct url *own, const struct rewrite *how,
		 struct buf *to);
#endif
