/*
 * html_traits.h - what is true of an element whatever page it stands on.
 *
 * A coarse reading of the standard's categories: enough to cut text into
 * paragraphs and to keep a stack of open elements in order, not to build a
 * tree.
 */
#ifndef HTML_HTML_TRAITS_H
#define HTML_HTML_TRAITS_H

#include "html/html_names.h"

enum html_trait {
	IS_VOID = 1u << 0,   /* never has contents */
	IS_BLOCK = 1u << 1,  /* begins and ends a paragraph */
	IS_FORMAT = 1u << 2, /* may be closed across blocks: b, i, a, font ... */
	IS_SCOPE = 1u << 3,  /* end tags outside do not reach in: table, td, object ... */
	IS_SILENT = 1u << 4, /* its text is not for readers */
};

/* Elements whose end tag may be left out, and what they stand in. */
enum html_group {
	GROUP_P = 1u << 0,
	GROUP_LI = 1u << 1,
	GROUP_LIST = 1u << 2,
	GROUP_DT = 1u << 3,
	GROUP_DL = 1u << 4,
	GROUP_OPTION = 1u << 5,
	GROUP_OPTGROUP = 1u << 6,
	GROUP_SELECT = 1u << 7,
	GROUP_CELL = 1u << 8,
	GROUP_ROW = 1u << 9,
	GROUP_ROWS = 1u << 10, /* tbody, thead, tfoot, caption, colgroup */
	GROUP_TABLE = 1u << 11,
	GROUP_HEADING = 1u << 12,
	GROUP_HEAD = 1u << 13,
	GROUP_BLOCK = 1u << 14, /* any other block */
	GROUP_A = 1u << 15,
};

struct html_traits {
	uint16_t is;     /* enum html_trait */
	uint16_t region; /* enum page_region that begins here */
	uint16_t group;  /* enum html_group */
	uint16_t closes; /* groups that its start tag ends ... */
	uint16_t until;  /* ... up to one of these */
};

extern const struct html_traits html_traits[TAG_COUNT];
#endif
