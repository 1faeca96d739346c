#include "html/html_traits.h"

#include "record/page.h"

#define ANY_BLOCK                                                                 \
	(GROUP_LI | GROUP_LIST | GROUP_DT | GROUP_DL | GROUP_CELL | GROUP_TABLE | \
	 GROUP_HEADING | GROUP_BLOCK)
#define BLOCK(region_)                                             \
	{                                                          \
		IS_BLOCK, region_, GROUP_BLOCK, GROUP_P, ANY_BLOCK \
	}
#define HEADING                                                                   \
	{                                                                         \
		IS_BLOCK, REGION_HEADING, GROUP_HEADING, GROUP_P | GROUP_HEADING, \
			ANY_BLOCK & ~GROUP_HEADING                                \
	}
#define LIST                                                          \
	{                                                             \
		IS_BLOCK, REGION_LIST, GROUP_LIST, GROUP_P, ANY_BLOCK \
	}
#define DEFINITION                                          \
	{                                                   \
		IS_BLOCK, 0, GROUP_DT, GROUP_DT | GROUP_P,  \
			GROUP_DL | GROUP_CELL | GROUP_TABLE \
	}
#define CELL(region_)                                                 \
	{                                                             \
		IS_BLOCK | IS_SCOPE, region_, GROUP_CELL, GROUP_CELL, \
			GROUP_ROW | GROUP_TABLE                       \
	}
#define ROWS                                                                  \
	{                                                                     \
		IS_BLOCK, 0, GROUP_ROWS, GROUP_CELL | GROUP_ROW | GROUP_ROWS, \
			GROUP_TABLE                                           \
	}
#define FORMAT            \
	{                 \
		IS_FORMAT \
	}
#define VOID            \
	{               \
		IS_VOID \
	}

const struct html_traits html_traits[TAG_COUNT] = {
	[TAG_A] = { IS_FORMAT, 0, GROUP_A },
	[TAG_B] = FORMAT,
	[TAG_BIG] = FORMAT,
	[TAG_CODE] = FORMAT,
	[TAG_EM] = FORMAT,
	[TAG_FONT] = FORMAT,
	[TAG_I] = FORMAT,
	[TAG_NOBR] = FORMAT,
	[TAG_S] = FORMAT,
	[TAG_SMALL] = FORMAT,
	[TAG_STRIKE] = FORMAT,
	[TAG_STRONG] = FORMAT,
	[TAG_TT] = FORMAT,
	[TAG_U] = FORMAT,

	[TAG_AREA] = VOID,
	[TAG_BASE] = VOID,
	[TAG_BASEFONT] = VOID,
	[TAG_BGSOUND] = VOID,
	[TAG_BR] = VOID,
	[TAG_COL] = VOID,
	[TAG_EMBED] = VOID,
	[TAG_FRAME] = VOID,
	[TAG_HR] = { IS_VOID | IS_BLOCK, 0, 0, GROUP_P, ANY_BLOCK },
	[TAG_IMG] = VOID,
	[TAG_IMAGE] = VOID,
	[TAG_INPUT] = VOID,
	[TAG_KEYGEN] = VOID,
	[TAG_LINK] = VOID,
	[TAG_META] = VOID,
	[TAG_PARAM] = VOID,
	[TAG_SOURCE] = VOID,
	[TAG_TRACK] = VOID,
	[TAG_WBR] = VOID,

	[TAG_ADDRESS] = BLOCK(0),
	[TAG_ARTICLE] = BLOCK(REGION_ARTICLE),
	[TAG_ASIDE] = BLOCK(REGION_ASIDE),
	[TAG_BLOCKQUOTE] = BLOCK(REGION_QUOTE),
	[TAG_BODY] = { IS_BLOCK, 0, GROUP_BLOCK, GROUP_HEAD, 0 },
	[TAG_CENTER] = BLOCK(0),
	[TAG_DETAILS] = BLOCK(0),
	[TAG_DIALOG] = BLOCK(0),
	[TAG_DIV] = BLOCK(0),
	[TAG_FIELDSET] = BLOCK(REGION_FORM),
	[TAG_FIGCAPTION] = BLOCK(REGION_CAPTION),
	[TAG_FIGURE] = BLOCK(0),
	[TAG_FOOTER] = BLOCK(REGION_FOOTER),
	[TAG_FORM] = BLOCK(REGION_FORM),
	[TAG_FRAMESET] = BLOCK(0),
	[TAG_HEAD] = { IS_BLOCK, 0, GROUP_HEAD },
	[TAG_HEADER] = BLOCK(REGION_HEADER),
	[TAG_HGROUP] = BLOCK(0),
	[TAG_HTML] = { IS_BLOCK, 0, GROUP_BLOCK },
	[TAG_LEGEND] = BLOCK(0),
	[TAG_LISTING] = BLOCK(REGION_PRE),
	[TAG_MAIN] = BLOCK(REGION_MAIN),
	[TAG_MARQUEE] = { IS_BLOCK | IS_SCOPE, 0, GROUP_BLOCK },
	[TAG_NAV] = BLOCK(REGION_NAV),
	[TAG_PLAINTEXT] = BLOCK(REGION_PRE),
	[TAG_PRE] = BLOCK(REGION_PRE),
	[TAG_SEARCH] = BLOCK(REGION_FORM),
	[TAG_SECTION] = BLOCK(0),
	[TAG_SUMMARY] = BLOCK(0),
	[TAG_XMP] = BLOCK(REGION_PRE),
	[TAG_P] = { IS_BLOCK, 0, GROUP_P, GROUP_P, ANY_BLOCK },
	[TAG_H1] = HEADING,
	[TAG_H2] = HEADING,
	[TAG_H3] = HEADING,
	[TAG_H4] = HEADING,
	[TAG_H5] = HEADING,
	[TAG_H6] = HEADING,

	[TAG_DIR] = LIST,
	[TAG_MENU] = LIST,
	[TAG_OL] = LIST,
	[TAG_UL] = LIST,
	[TAG_LI] = { IS_BLOCK, 0, GROUP_LI, GROUP_LI | GROUP_P,
		     GROUP_LIST | GROUP_CELL | GROUP_TABLE },
	[TAG_DL] = { IS_BLOCK, REGION_LIST, GROUP_DL, GROUP_P, ANY_BLOCK },
	[TAG_DD] = DEFINITION,
	[TAG_DT] = DEFINITION,

	[TAG_TABLE] = { IS_BLOCK | IS_SCOPE, REGION_TABLE, GROUP_TABLE, GROUP_P,
			ANY_BLOCK },
	[TAG_TBODY] = ROWS,
	[TAG_THEAD] = ROWS,
	[TAG_TFOOT] = ROWS,
	[TAG_COLGROUP] = ROWS,
	[TAG_CAPTION] = { IS_BLOCK | IS_SCOPE, REGION_CAPTION, GROUP_ROWS, GROUP_ROWS,
			  GROUP_TABLE },
	[TAG_TR] = { IS_BLOCK, 0, GROUP_ROW, GROUP_CELL | GROUP_ROW,
		     GROUP_ROWS | GROUP_TABLE },
	[TAG_TD] = CELL(0),
	[TAG_TH] = CELL(0),

	[TAG_SELECT] = { 0, REGION_FORM, GROUP_SELECT },
	[TAG_OPTGROUP] = { IS_BLOCK, 0, GROUP_OPTGROUP, GROUP_OPTION | GROUP_OPTGROUP,
			   GROUP_SELECT },
	[TAG_OPTION] = { IS_BLOCK, 0, GROUP_OPTION, GROUP_OPTION,
			 GROUP_OPTGROUP | GROUP_SELECT },
	[TAG_BUTTON] = { IS_BLOCK, REGION_FORM, GROUP_BLOCK },
	[TAG_TEXTAREA] = { IS_BLOCK, REGION_FORM, GROUP_BLOCK },
	[TAG_OBJECT] = { IS_SCOPE },
	[TAG_APPLET] = { IS_SCOPE },

	[TAG_IFRAME] = { IS_SILENT },
	[TAG_NOEMBED] = { IS_SILENT },
	[TAG_NOFRAMES] = { IS_SILENT },
	[TAG_NOSCRIPT] = { IS_SILENT, REGION_HIDDEN },
	[TAG_SCRIPT] = { IS_SILENT },
	[TAG_STYLE] = { IS_SILENT },
	[TAG_TEMPLATE] = { IS_SILENT | IS_SCOPE, REGION_HIDDEN },
	[TAG_TITLE] = { IS_SILENT },
};
