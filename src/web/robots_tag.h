/*
 * robots_tag.h - what a page or its HTTP answer asks of crawlers: <meta
 * name=robots> and the X-Robots-Tag field.  Pure.
 */
#ifndef WEB_ROBOTS_TAG_H
#define WEB_ROBOTS_TAG_H

#include "web/http.h"

enum robots_tag_flag {
	TAG_NOINDEX = 1 << 0,
	TAG_NOFOLLOW = 1 << 1,
	TAG_NOARCHIVE = 1 << 2, /* and "nocache" */
	TAG_NOSNIPPET = 1 << 3,
	TAG_NOIMAGEINDEX = 1 << 4,
	TAG_NOTRANSLATE = 1 << 5,
	TAG_INDEXIFEMBEDDED = 1 << 6,
	TAG_NOAI = 1 << 7,
	TAG_NOIMAGEAI = 1 << 8,
};

/* A zeroed struct asks for nothing.  Several sources add up: the stricter wins. */
struct robots_tag {
	unsigned flags;
	int64_t unavailable_after_ms; /* 0 when not given */
	int64_t max_snippet;          /* -1 when not given or unlimited; see has_ */
	bool has_max_snippet;
};

/* The content of a meta element; words that are not known are passed over. */
void robots_tag_add(struct robots_tag *t, struct str content);
/*
 * The value of an X-Robots-Tag field, which may name a crawler ("thresh:
 * noindex"); what names another than `name` is passed over.
 */
void robots_tag_add_field(struct robots_tag *t, struct str value, struct str name);
/*
 * All X-Robots-Tag fields of an answer in one call: those for every crawler and those
 * that name `name`, which is the first word of our User-Agent without its version.
 */
struct robots_tag robots_tag_of_head(const struct http_head *h, struct str name);
/* The same from the bytes of the head, as fetch_result.header has them. */
struct robots_tag robots_tag_of_text(struct str head, struct str name);
/* Is a meta element of this name meant for us: "robots" or our own name? */
bool robots_tag_meta_is_ours(struct str meta_name, struct str name);
#endif
