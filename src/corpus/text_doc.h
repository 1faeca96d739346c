/* text_doc.h - plain text in whatever encoding; part of corpus.c. */
#ifndef CORPUS_TEXT_DOC_H
#define CORPUS_TEXT_DOC_H

#include "corpus/corpus.h"

/*
 * The text as UTF-8: the bytes themselves where they are, otherwise converted into
 * `w->text`.  `content_type` may name a charset, or be empty.
 */
struct str text_doc_read(struct str bytes, struct str content_type,
			 struct corpus_work *w);
#endif
