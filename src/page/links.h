/*
 * links.h - all the places where a tag hides links.
 *
 * Collects `struct link`s in page order.  URLs stay as written, but decoded,
 * trimmed and without the line breaks and tabs that the URL standard ignores;
 * they are made absolute by whoever asks for them, against page.base.  What
 * can never be fetched is left out: empty references, bare fragments,
 * javascript:, data:, about: and blob:.
 */
#ifndef PAGE_LINKS_H
#define PAGE_LINKS_H

#include "base/arena.h"
#include "html/entity.h"
#include "html/html_token.h"
#include "record/page.h"

#define LINK_URL_MAX  ((size_t)8192) /* longer ones are dropped, and `url_cut` set */
#define LINK_TEXT_MAX ((size_t)1024)

/* Where the tag stands: copied into every link found in it. */
struct link_place {
	uint64_t path;
	uint32_t at;
	uint32_t block;
	uint16_t region;
};

struct links {
	struct link *v;
	size_t n, cap, max;
	bool cut;         /* there were more than `max` */
	bool url_cut;     /* one was too long */
	bool in_template; /* set by the reader: its forms do not count as open */
	bool form_open; /* set by the reader: a <form> in a <form> is none (13.2.6.4.7) */
	struct arena *arena;
};

void links_start(struct links *l, size_t max, struct arena *a);

/*
 * Add one; `url` is cleaned as said above.  Returns it, to fill in more, until
 * the next call; NULL when it was left out.
 */
struct link *links_add(struct links *l, enum link_kind kind, struct str url,
		       const struct link_place *at);

/* Attributes in which a link may stand, on whatever element. */
#define LINKS_ATTRS                                                                      \
	(HTML_ATTR(ATTR_HREF) | HTML_ATTR(ATTR_XLINK_HREF) | HTML_ATTR(ATTR_SRC) |       \
	 HTML_ATTR(ATTR_SRCSET) | HTML_ATTR(ATTR_IMAGESRCSET) | HTML_ATTR(ATTR_ACTION) | \
	 HTML_ATTR(ATTR_FORMACTION) | HTML_ATTR(ATTR_DATA) | HTML_ATTR(ATTR_POSTER) |    \
	 HTML_ATTR(ATTR_BACKGROUND) | HTML_ATTR(ATTR_LOWSRC) | HTML_ATTR(ATTR_DYNSRC) |  \
	 HTML_ATTR(ATTR_STYLE) | HTML_ATTR(ATTR_CITE) | HTML_ATTR(ATTR_LONGDESC) |       \
	 HTML_ATTR(ATTR_MANIFEST) | HTML_ATTR(ATTR_ONCLICK) | HTML_ATTR(ATTR_SRCDOC) |   \
	 HTML_ATTR(ATTR_VALUE) | HTML_ATTR(ATTR_DATA_BG) |                               \
	 HTML_ATTR(ATTR_DATA_BACKGROUND) | HTML_ATTR(ATTR_DATA_HREF) |                   \
	 HTML_ATTR(ATTR_DATA_LAZY) | HTML_ATTR(ATTR_DATA_LAZY_SRC) |                     \
	 HTML_ATTR(ATTR_DATA_LAZY_SRCSET) | HTML_ATTR(ATTR_DATA_ORIGINAL) |              \
	 HTML_ATTR(ATTR_DATA_SRC) | HTML_ATTR(ATTR_DATA_SRCSET) |                        \
	 HTML_ATTR(ATTR_DATA_URL) | HTML_ATTR(ATTR_PING) | HTML_ATTR(ATTR_CODEBASE) |    \
	 HTML_ATTR(ATTR_ARCHIVE) | HTML_ATTR(ATTR_IMPLEMENTATION))
/* May an attribute of this tag hold a link? */
static inline bool links_in_tag(const struct html_token *k)
{
	return k->attr_set & LINKS_ATTRS;
}
/* Would links_add_tag() find an <a> that leads somewhere, if there was room for it? */
bool links_is_anchor(struct links *l, const struct html_token *k);
/* Add what the attributes of a start tag hold.  Returns the <a> or <area>, or NULL. */
struct link *links_add_tag(struct links *l, const struct html_token *k,
			   const struct link_place *at);
/* Add the http and https URLs that stand in plain text; with `host` only those of it. */
void links_add_bare(struct links *l, struct str text, struct str host,
		    const struct link_place *at);
/* Add what a style sheet holds. */
void links_add_css(struct links *l, struct str css, const struct link_place *at);

/* The attribute as the standard reads it: the first of its name, decoded; or empty. */
struct str links_attr(struct links *l, const struct html_token *k, enum html_attr_id id);
/* rel="..." as flags of enum link_rel. */
uint32_t links_parse_rel(struct str value);
/* "5; url=x" of <meta http-equiv=refresh>; false when it is none. */
bool links_parse_refresh(struct str value, uint32_t *ret_seconds, struct str *ret_url);
/* Consume one candidate of a srcset; false when none is left. */
bool links_take_srcset(struct str *srcset, struct str *ret_url);
#endif
