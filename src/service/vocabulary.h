/*
 * vocabulary.h - the words of the one model: prefixes that descriptions may use.  Pure.
 */
#ifndef SERVICE_VOCABULARY_H
#define SERVICE_VOCABULARY_H

#include "base/arena.h"

extern const struct str vocabulary_type;      /* rdf:type */
extern const char *const vocabulary_prefixes; /* for messages */

/* "sioc:Post" as a full IRI, in `a` or constant; empty for an unknown prefix. */
struct str vocabulary_expand(struct str name, struct arena *a);
#endif
