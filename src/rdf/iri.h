/*
 * iri.h - references made absolute (RFC 3986 5.2), nothing normalised.
 *
 * RDF compares IRIs by characters, so unlike web/ this keeps every byte that
 * resolution does not have to change.
 */
#ifndef RDF_IRI_H
#define RDF_IRI_H

#include "base/buf.h"

/* Starts with a scheme and a colon. */
bool iri_is_absolute(struct str iri);
/* `reference` against `base`; as it is when it is absolute or `base` is empty. */
void iri_resolve(struct str base, struct str reference, struct buf *to);
#endif
