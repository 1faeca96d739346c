/*
 * fault.h - what can be wrong with a page by the HTML standard, as far as testers care.
 *
 * A fault of markup is one that the parser mends silently: it is seen in the bytes that
 * the server sent, and no longer in the DOM of a browser.  All others are faults of the
 * document, whoever made it.
 */
#ifndef VALIDATE_FAULT_H
#define VALIDATE_FAULT_H

#include "base/base.h"

/* In the order of the report. */
enum fault_kind {
	FAULT_CUT,             /* markup: the page ends inside a tag */
	FAULT_NO_DOCTYPE,      /* markup */
	FAULT_UNCLOSED,        /* markup */
	FAULT_MISNESTED,       /* markup */
	FAULT_STRAY_END,       /* markup */
	FAULT_SELF_CLOSING,    /* markup */
	FAULT_ATTRIBUTE_TWICE, /* markup */
	FAULT_BAD_ATTRIBUTE,   /* markup */
	FAULT_TOO_DEEP,
	FAULT_UNKNOWN_ELEMENT,
	FAULT_OBSOLETE_ELEMENT,
	FAULT_WRONG_CHILD,
	FAULT_WRONG_PARENT,
	FAULT_NESTED_CONTROL,
	FAULT_NESTED_FORM,
	FAULT_DUPLICATE_ID,
	FAULT_BAD_ID,
	FAULT_LABEL_TARGET,
	FAULT_ARIA_TARGET,
	FAULT_OTHER_TARGET,
	FAULT_LABEL_NO_CONTROL,
	FAULT_NO_ALT,
	FAULT_NO_LABEL,
	FAULT_NO_NAME,
	FAULT_BUTTON_EMPTY,
	FAULT_LINK_EMPTY,
	FAULT_HEADING_EMPTY,
	FAULT_NO_LANG,
	FAULT_NO_TITLE,
	FAULT_KINDS
};

struct fault_words {
	const char *word;     /* "duplicate-id" */
	const char *sentence; /* "an element has the id of another one" */
	bool is_markup;
};

extern const struct fault_words fault_table[FAULT_KINDS];
#endif
