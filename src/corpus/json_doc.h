/* json_doc.h - the document in a line of JSON; part of corpus.c. */
#ifndef CORPUS_JSON_DOC_H
#define CORPUS_JSON_DOC_H

#include "corpus/corpus.h"

/* ST_SYNTAX, with file and line, when it is no object or has no text. */
must_use enum status json_doc_parse(const struct corpus_options *o,
				    const struct corpus_raw *raw,
				    struct corpus_work *work, struct corpus_doc *ret,
				    struct diag *why);
#endif
