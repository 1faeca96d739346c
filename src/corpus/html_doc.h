/* html_doc.h - a document out of HTML; part of corpus.c. */
#ifndef CORPUS_HTML_DOC_H
#define CORPUS_HTML_DOC_H

#include "corpus/corpus.h"

/* Fill text, language, links, tag paths and is_canonical; `ret->name` is set already. */
void html_doc_read(const struct corpus_options *o, struct str html,
		   struct str content_type, struct corpus_work *w,
		   struct corpus_doc *ret);
#endif
