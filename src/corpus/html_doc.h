/* html_doc.h - a document out of HTML; part of corpus.c. */
#ifndef CORPUS_HTML_DOC_H
#define CORPUS_HTML_DOC_H

#include "corpus/corpus.h"

/* Fill text, language, links, tag paths and is_canonical; `ret->name` is set already. */
void html_doc_read(struct corpus *c, struct str html, struct corpus_doc *ret);
/* The same with the content type the server named. */
void html_doc_read_typed(struct corpus *c, struct str html, struct str content_type,
			 struct corpus_doc *ret);
#endif
