/*
 * digest.h - SHA-1 and its kin, as WARC labels them: "sha1:" and base32.
 *
 * A struct digest is made once and started again for each message, because
 * finding the algorithm costs more than a short message.  One thread each.
 */
#ifndef WARC_DIGEST_H
#define WARC_DIGEST_H

#include "base/buf.h"

#define DIGEST_MAX_BYTES 64
#define SHA1_BYTES       20

enum digest_kind { DIGEST_SHA1, DIGEST_SHA256, DIGEST_SHA512, DIGEST_MD5, DIGEST_KINDS };

struct digest {
	struct evp_md_st *algorithm;
	struct evp_md_ctx_st *state;
	size_t bytes; /* of a result */
};

void digest_init(struct digest *d, enum digest_kind kind);
void digest_release(struct digest *d);
void digest_start(struct digest *d);
void digest_add(struct digest *d, struct str bytes);
/* `ret` takes `d->bytes`. */
void digest_end(struct digest *d, uint8_t *ret);
/* All in one. */
void digest_of(struct digest *d, struct str bytes, uint8_t *ret);

/* "sha1", "sha256" ... */
struct str digest_name(enum digest_kind kind);
/* "sha1:" and 32 letters. */
void buf_add_sha1(struct buf *b, const uint8_t *digest);
/*
 * "algorithm:value" with the value in base32 or hex.  ST_UNSUPPORTED for an
 * algorithm that we do not compute, ST_SYNTAX for a value that cannot be one.
 */
must_use enum status digest_parse(struct str label, enum digest_kind *ret_kind,
				  uint8_t ret_value[DIGEST_MAX_BYTES]);
#endif
