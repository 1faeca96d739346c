/*
 * page.h - what a page says, once its bytes are understood.
 *
 * Plain data made by page/ and read by sketch, dup, apps, focus and crawl.
 * All strings are UTF-8 slices of the page's input, of its `text`, or of the
 * arena it was parsed with: it lives as long as both.  Nothing here has a
 * release function.  What did not fit a bound is left out, and `cut` says so.
 */
#ifndef RECORD_PAGE_H
#define RECORD_PAGE_H

#include "base/str.h"
#include "web/robots_tag.h"

/* Where on a page a link stood: what kind of promise it makes. */
enum link_kind {
	LINK_ANCHOR,   /* <a href>, also in SVG */
	LINK_AREA,     /* <area href> of an image map */
	LINK_HEAD,     /* <link href>: see `rel` */
	LINK_FORM,     /* the action of a form that asks with GET */
	LINK_FRAME,    /* <frame>, <iframe> */
	LINK_REFRESH,  /* <meta http-equiv=refresh> */
	LINK_IMAGE,    /* <img>, srcset, <input type=image>, poster, background ... */
	LINK_MEDIA,    /* <video>, <audio>, <source>, <track> */
	LINK_OBJECT,   /* <embed>, <object> */
	LINK_SCRIPT,   /* <script src> */
	LINK_STYLE,    /* url() and @import in CSS */
	LINK_CITE,     /* cite, longdesc, manifest: about the page */
	LINK_LAZY,     /* data-src, data-href ...: read by the page's scripts */
	LINK_GUESS,    /* a string in a script that looks like a URL */
	LINK_FEED,     /* an entry of a feed */
	LINK_SITEMAP,  /* an entry of a sitemap */
	LINK_SITEMAPS, /* an entry of a sitemap index: another sitemap */
	LINK_PDF,      /* the target of an annotation in a PDF */
	LINK_KINDS
};

/* Values of rel= that mean something to a crawler. */
enum link_rel {
	REL_NOFOLLOW = 1u << 0, /* also ugc and sponsored */
	REL_CANONICAL = 1u << 1,
	REL_ALTERNATE = 1u << 2, /* with `hreflang` a translation, with `type` a feed */
	REL_NEXT = 1u << 3,
	REL_PREV = 1u << 4,
	REL_STYLESHEET = 1u << 5,
	REL_ICON = 1u << 6,
	REL_PRELOAD = 1u << 7,    /* preload, prefetch, modulepreload, prerender */
	REL_PRECONNECT = 1u << 8, /* dns-prefetch, preconnect: a host, not a page */
	REL_AMP = 1u << 9,
	REL_SHORTLINK = 1u << 10,
	REL_SEARCH = 1u << 11,
	REL_AUTHOR = 1u << 12,
	REL_LICENSE = 1u << 13,
	REL_TAG = 1u << 14,
	REL_BOOKMARK = 1u << 15,
	REL_ARCHIVES = 1u << 16,
	REL_FIRST = 1u << 17,
	REL_LAST = 1u << 18,
	REL_UP = 1u << 19, /* up, index, contents, home, start */
	REL_EXTERNAL = 1u << 20,
	REL_MANIFEST = 1u << 21,
	REL_PINGBACK = 1u << 22, /* pingback, webmention, EditURI: endpoints */
	REL_HUB = 1u << 23,
	REL_UGC = 1u << 24,
	REL_SPONSORED = 1u << 25,
};

/* Parts of a page that a block or a link may stand in; several at once. */
enum page_region {
	REGION_NAV = 1u << 0,
	REGION_HEADER = 1u << 1,
	REGION_FOOTER = 1u << 2,
	REGION_ASIDE = 1u << 3,
	REGION_MAIN = 1u << 4,
	REGION_ARTICLE = 1u << 5,
	REGION_HEADING = 1u << 6, /* h1 to h6 */
	REGION_LIST = 1u << 7,
	REGION_TABLE = 1u << 8,
	REGION_FORM = 1u << 9,
	REGION_HIDDEN = 1u << 10, /* hidden, or in <noscript> or <template> */
	REGION_PRE = 1u << 11,    /* code and other preformatted text */
	REGION_QUOTE = 1u << 12,
	REGION_CAPTION = 1u << 13,
};

struct link {
	struct str url;      /* as written: decoded and trimmed, not yet absolute */
	struct str text;     /* anchor text; otherwise alt, title or description */
	struct str around;   /* the paragraph it stands in, `text` included */
	struct str hreflang; /* as written */
	struct str type;     /* type=, as written */
	struct str date;     /* of an entry of a feed or sitemap, as written */
	uint64_t path;       /* hash of the tags and classes it stands under */
	uint32_t at;         /* offset in page.text of its anchor text */
	uint32_t block;      /* index of `around` in page.blocks; past the end: none */
	uint32_t rel;        /* enum link_rel, or-ed */
	uint16_t region;     /* enum page_region, or-ed */
	uint8_t kind;        /* enum link_kind */
};

/* A paragraph: text between two borders of block-level elements. */
struct page_block {
	struct str text;
	uint64_t hash;         /* of the text */
	uint64_t path;         /* hash of the tags and classes it stands under */
	uint32_t linked_bytes; /* of the text, inside anchors */
	uint16_t region;
	bool is_main;        /* belongs to the main content */
	bool is_boilerplate; /* navigation, a footer, a form, mostly links */
};

/* <meta name|property|itemprop|http-equiv=NAME content=VALUE>, in page order. */
struct page_meta {
	struct str name; /* lower case */
	struct str value;
};

/* What robots directives of the page itself ask (meta; the header's are added). */
enum page_robots {
	ROBOTS_NOINDEX = TAG_NOINDEX,
	ROBOTS_NOFOLLOW = TAG_NOFOLLOW,
	ROBOTS_NOARCHIVE = TAG_NOARCHIVE,
	ROBOTS_NOIMAGEINDEX = TAG_NOIMAGEINDEX,
	ROBOTS_NOAI = TAG_NOAI,
};

/* Bounds that were met, so that nobody takes a part for the whole. */
enum page_cut {
	CUT_LINKS = 1u << 0,
	CUT_TEXT = 1u << 1,
	CUT_BLOCKS = 1u << 2,
	CUT_META = 1u << 3,
	CUT_ATTRS = 1u << 4,
	CUT_DEPTH = 1u << 5, /* deeper nesting counts as the deepest */
	CUT_URL = 1u << 6,   /* a link longer than a URL may be was dropped */
	CUT_INPUT = 1u << 7, /* the page itself was cut before it was parsed */
};

enum page_kind {
	PAGE_UNKNOWN, /* no text and no links are known of it */
	PAGE_HTML,
	PAGE_FEED, /* RSS, Atom or JSON Feed */
	PAGE_SITEMAP,
	PAGE_SITEMAP_INDEX,
	PAGE_CSS,
	PAGE_SCRIPT,
	PAGE_PDF,
	PAGE_TEXT,
	PAGE_XML,
	PAGE_JSON,
};

struct page {
	enum page_kind kind;
	struct str base;      /* <base href>, as written; empty for none */
	struct str title;     /* white space collapsed */
	struct str text;      /* what a reader sees, a line a block */
	struct str language;  /* found in the text: "en", "zh-Hant"; empty: unsure */
	struct str lang;      /* declared by <html lang> or the feed, as written */
	struct str charset;   /* the label that was used */
	struct str canonical; /* as written; empty for none */
	struct str description;
	struct str generator;
	struct str refresh; /* target of an immediate redirection by <meta> */
	uint32_t refresh_seconds;
	uint32_t robots;            /* enum robots_tag_flag, or-ed */
	uint32_t cut;               /* enum page_cut, or-ed */
	uint32_t n_guesses_skipped; /* strings in scripts not taken, because junk */
	uint8_t language_percent;   /* how much of the text is in `language` */

	struct link *links;
	size_t n_links;
	struct page_block *blocks;
	size_t n_blocks;
	size_t main_bytes; /* of the blocks that are main content */
	struct page_meta *meta;
	size_t n_meta;
	struct str *json_ld; /* the blocks as written, JSON not checked */
	size_t n_json_ld;
};
#endif
