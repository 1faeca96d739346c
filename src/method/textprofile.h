/*
 * textprofile.h - the signature Nutch and Solr call TextProfile: words of two
 * letters and more, counts rounded down to a quantum, rare words left out, one
 * hash of what remains.  One word at a boundary changes it.
 */
#ifndef METHOD_TEXTPROFILE_H
#define METHOD_TEXTPROFILE_H

#include "method/method.h"

size_t textprofile_make(const struct document *, const struct feature_options *,
			struct buf *);
#endif
