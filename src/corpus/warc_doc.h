/* warc_doc.h - the documents in a WARC file; part of corpus.c. */
#ifndef CORPUS_WARC_DOC_H
#define CORPUS_WARC_DOC_H

#include "corpus/corpus.h"

/*
 * The next HTML or text response of status 200, resource or conversion; others
 * are counted in c->passed_over.  ST_AGAIN at the end of the file.
 */
must_use enum status warc_doc_next(struct corpus *c, struct corpus_doc *ret,
				   struct diag *why);
/* Undo "Transfer-Encoding: chunked"; what is malformed ends it. */
void unchunk(struct str body, struct buf *to);
#endif
