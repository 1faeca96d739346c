/*
 * sha1_pair.h - SHA-1 of a body and of head and body, in one pass.
 *
 * A WARC record names the digest of its block and that of its payload, which is the
 * block without the head.  SHA-1 is a chain of dependent steps that leaves most of a
 * core idle, so two of them side by side take little longer than one.  Needs the
 * processor's SHA instructions; without them both are computed one after the other.
 */
#ifndef ARCHIVE_SHA1_PAIR_H
#define ARCHIVE_SHA1_PAIR_H

#include "archive/digest.h"

/* `d` is a SHA-1 digest to work with; its message is lost. */
void sha1_pair(struct digest *d, struct str head, struct str body,
	       uint8_t ret_block[SHA1_BYTES], uint8_t ret_payload[SHA1_BYTES]);

/* The two ways by name, for the tests. */
void sha1_pair_plain(struct digest *d, struct str head, struct str body,
		     uint8_t ret_block[SHA1_BYTES], uint8_t ret_payload[SHA1_BYTES]);
void sha1_pair_ni(struct str head, struct str body, uint8_t ret_block[SHA1_BYTES],
		  uint8_t ret_payload[SHA1_BYTES]);
bool sha1_pair_has_ni(void);
#endif
