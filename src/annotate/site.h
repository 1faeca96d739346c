/*
 * site.h - the annotation site without sockets: a request in, a response out.
 *
 *   GET  /                       the page
 *   GET  /next?annotator=        the next pair, progress, threshold and agreement so far
 *   GET  /differences?a=&b=      the texts of two samples in runs of words, those marked
 *                                that the other has not
 *   GET  /document?id=           the HTML of a sample, as text
 *   GET  /picture?id=            its screenshot
 *   POST /answers                {"annotator","a","b","said": "near|different|unsure"}
 *   POST /undo                   {"annotator"}
 *   GET  /labels.tsv             what was decided, for `thresh calibrate sweep`
 *
 * The token is wanted for everything but the page.  Samples are asked for by number: no
 * path of a request is ever a path of the disk.  Owned by one thread.
 */
#ifndef ANNOTATE_SITE_H
#define ANNOTATE_SITE_H

#include "annotate/opinions_file.h"
#include "annotate/study.h"
#include "web/http_guard.h"

#define ANNOTATE_NAME_MAX 60
#define ANNOTATE_BODY_MAX 4096

struct annotate_site {
	struct study study;
	struct opinions_file file;
	struct guard_rules rules;
};

struct site_request {
	struct guard_request guard;
	struct str path, body;
	struct str annotator, id, a, b; /* arguments, decoded; empty when missing */
};

struct site_response {
	unsigned status;
	const char *content_type;
	struct buf body;
};

/* Whether its body may be read at all; otherwise the response says why. */
bool site_allows(const struct annotate_site *s, const struct site_request *q,
		 struct site_response *r);
/* For a body of more than ANNOTATE_BODY_MAX bytes. */
void site_too_large(struct site_response *r);
void site_answer(struct annotate_site *s, const struct site_request *q, int64_t now_ms,
		 struct site_response *r);

extern const struct str annotate_page; /* annotate.html */
#endif
