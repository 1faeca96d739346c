/*
 * idna.h - domain names in other scripts, to ASCII and back: UTS #46 processing
 * as the URL standard asks for it (non-transitional, CheckHyphens and
 * VerifyDnsLength false, CheckBidi and CheckJoiners true, UseSTD3 false).
 *
 * libidn2 was measured and lost: it enforces IDNA2008 and DNS lengths on top,
 * which browsers do not (199 of the 1,677 public vectors in other scripts
 * differ).  The properties and normal forms come from libunistring, on which
 * libidn2 itself stands.
 */
#ifndef URL_IDNA_H
#define URL_IDNA_H

#include "base/buf.h"

/* Longer domains are no domains, and some steps are not linear. */
#define IDNA_MAX_BYTES 4096

/*
 * Append the ASCII form of `domain` (UTF-8, well-formed).  ST_SYNTAX where the
 * standard says failure; then nothing is added.
 */
must_use enum status idna_to_ascii(struct str domain, struct buf *to, struct diag *why);
#endif
