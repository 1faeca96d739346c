/*
 * warc_doc.h - the documents in a WARC file, or in some members of one.
 *
 * A damaged record is told and passed over, and the next call goes on behind it;
 * after the last one there is an end, however the file is torn.
 */
#ifndef CORPUS_WARC_DOC_H
#define CORPUS_WARC_DOC_H

#include "corpus/corpus.h"

/* Bytes in memory, which must stay; they stand at `base` in `file`. */
void warc_docs_init(struct warc_docs *d, struct str bytes, struct str file,
		    uint64_t base);
/* A file from the member at `from` on; its path is ended by NUL. */
must_use enum status warc_docs_open(struct warc_docs *d, struct str file, uint64_t from,
				    struct diag *why);
void warc_docs_release(struct warc_docs *d);
/* The next record that may be a document.  ST_AGAIN at the end. */
must_use enum status warc_docs_next(struct warc_docs *d, struct corpus_raw *ret,
				    struct diag *why);
/* Nothing of the present member is left but the ending of its last record. */
bool warc_docs_between_members(const struct warc_docs *d);
/* Where in the file the member begins that holds what comes next. */
uint64_t warc_docs_place(const struct warc_docs *d);
/* ST_NOT_FOUND unless it is HTML or text, of status 200 if it is an answer. */
must_use enum status warc_doc_parse(const struct corpus_options *o,
				    const struct corpus_raw *raw, struct corpus_work *w,
				    struct corpus_doc *ret);
/* Undo "Transfer-Encoding: chunked"; what is malformed ends it. */
void unchunk(struct str body, struct buf *to);
#endif
