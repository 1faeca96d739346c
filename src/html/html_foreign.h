/*
 * html_foreign.h - whether we are in SVG or MathML: all the tokenizer must know
 * of the tree.
 *
 * There, CDATA means something and no element holds raw text; in some of their
 * elements (<foreignObject>, <mtext>) HTML begins again.  A stack of the elements
 * between which the rules change; a zeroed struct is plain HTML.
 */
#ifndef HTML_HTML_FOREIGN_H
#define HTML_HTML_FOREIGN_H

#include "base/base.h"

#define HTML_FOREIGN_MAX 32 /* nested SVG, MathML and the HTML inside them */

struct html_token;

struct html_foreign {
	uint8_t n;    /* open elements below; 0 in plain HTML */
	uint8_t over; /* <svg> and <math> that did not fit */
	struct {
		uint8_t tag;
		bool holds_html; /* an integration point: HTML again inside */
	} open[HTML_FOREIGN_MAX];
};

bool html_in_foreign(const struct html_foreign *f);
bool html_in_svg(const struct html_foreign *f);
/* Text of SVG is part of a picture, also in its <title>; not so in <foreignObject>. */
bool html_text_in_svg(const struct html_foreign *f);

/* A start tag in foreign content, or an <svg> or <math> that begins it. */
void html_foreign_start(struct html_foreign *f, const struct html_token *k);
void html_foreign_end(struct html_foreign *f, uint8_t tag);
#endif
