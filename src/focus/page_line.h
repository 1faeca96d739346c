/*
 * page_line.h - what a module outside of the crawl reads and answers, as JSON lines.
 *
 * A judged page goes out as one line; the answer is one line with its id: a score for the
 * document, which counts for each of its links, or one score per link, or both, or none.
 * A score is 0 to 1; -1 is a veto.  Pure.  Answers are hostile input: capped by the
 * caller, checked here.
 */
#ifndef FOCUS_PAGE_LINE_H
#define FOCUS_PAGE_LINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "record/discovery.h"
#include "record/page.h"

#define PAGE_LINE_TEXT   ((size_t)64 << 10) /* bytes of the text of a page */
#define PAGE_LINE_AROUND ((size_t)500)      /* of the paragraph around a link */
#define PAGE_LINE_LINKS  2000               /* links of a page */

struct page_line {
	uint64_t id;
	struct str url;
	int code;
	struct str verdict; /* "new", "near" ...; empty: not judged */
	bool is_new;
	float relevance;         /* by the terms of the crawl */
	const struct page *page; /* NULL: no text is known */
	const struct discovery *links;
	const struct link *const *origins; /* where each stood; NULL: in the head */
	size_t n_links;
};

/* With a line feed at the end. */
void page_line_format(const struct page_line *p, struct buf *to);

/* Nothing is said. */
#define MODULE_SILENT 2.0f
#define MODULE_VETO   (-1.0f)

struct module_answer {
	uint64_t id;
	float score;  /* of the document: 0 to 1, MODULE_SILENT or MODULE_VETO */
	float *links; /* of each link, the same; in memory of the arena */
	size_t n_links;
};

/* ST_SYNTAX with words for the author of the module. */
must_use enum status module_answer_parse(struct str line, struct arena *a,
					 struct module_answer *ret, struct diag *why);
/* Of the link `k`: its own score, or that of the document. */
float module_answer_of(const struct module_answer *m, size_t k);
#endif
