/* warc_doc.h - the documents in a WARC file; part of corpus.c. */
#ifndef CORPUS_WARC_DOC_H
#define CORPUS_WARC_DOC_H

#include "corpus/corpus.h"

/* The next record that may be a document; others are counted in c->passed_over.
 * ST_AGAIN at the end of the file. */
must_use enum status warc_doc_next(struct corpus *c, struct corpus_raw *ret,
				   struct diag *why);
/* ST_NOT_FOUND unless it is HTML or text, of status 200 if it is an answer. */
must_use enum status warc_doc_parse(const struct corpus_options *o,
				    const struct corpus_raw *raw, struct corpus_work *w,
				    struct corpus_doc *ret);
/* Undo "Transfer-Encoding: chunked"; what is malformed ends it. */
void unchunk(struct str body, struct buf *to);
#endif
