/*
 * xml.h - just enough of XML for feeds and sitemaps.
 *
 * Their grammar is flat: elements that hold text.  So a reader asks for the
 * next element, and may ask for the text of the one it is in.  Prefixes are
 * cut off names ("media:content" is "content"), but kept as `prefix` for the
 * few that clash.
 */
#ifndef HTML_XML_H
#define HTML_XML_H

#include "base/arena.h"
#include "html/html_token.h"

struct xml_cursor {
	struct html_tokenizer tokens;
	struct html_token token;
	struct arena *arena;
};

struct xml_element {
	struct str name;   /* without its prefix, as written */
	struct str prefix; /* before the colon; empty for none */
	bool is_end;
	bool is_empty; /* <x/>: has no end */
};

/* Lives in `a`. */
struct xml_cursor *xml_start(struct str document, struct arena *a);
/* The next start or end tag; false at the end of the document. */
bool xml_next(struct xml_cursor *c, struct xml_element *ret);
/*
 * The text up to the next tag, decoded and trimmed; CDATA as it stands.  Empty
 * for an empty element.  The tag that ended it is what xml_next() gives next.
 */
struct str xml_text(struct xml_cursor *c);
/* What stands before the end tag of the element `name` we are in, markup and all. */
struct str xml_inner(struct xml_cursor *c, struct str name);
/* An attribute of the element that xml_next() just gave, decoded; or empty. */
struct str xml_attr(const struct xml_cursor *c, struct str name);
/* The name of the first element, without its prefix; empty for none. */
struct str xml_root(struct str document, struct arena *a);
#endif
