/*
 * capture.h - one answer of a server as WARC records, ready to be appended.
 *
 * A capture is what became of one fetch: the response (or the revisit that stands
 * for it), the request, and a metadata record with the way to it and the verdict.
 * Workers make captures; the writer appends them (archive.h).  The main record is
 * the first.  A fetch that got no answer is kept too: as metadata alone.
 * Bodies are stored de-chunked with the Content-Encoding as received: the only
 * form in which both reference validators agree on the payload digest.
 */
#ifndef ARCHIVE_CAPTURE_H
#define ARCHIVE_CAPTURE_H

#include "record/fetch.h"
#include "record/verdict.h"
#include "warc/encoder.h"

enum capture_form {
	CAPTURE_WHOLE,        /* the response with its body */
	CAPTURE_SAME_DIGEST,  /* a revisit: the body is that of an earlier capture */
	CAPTURE_NOT_MODIFIED, /* a revisit: the server said 304 */
	CAPTURE_NOTE,         /* metadata alone: nearly what was stored before */
};

/* The earlier capture that a revisit stands for; never itself a revisit. */
struct capture_origin {
	struct str url;
	int64_t date_ms;
	struct str record_id; /* 36 characters; empty when unknown */
};

struct capture_options {
	enum capture_form form;
	const struct capture_origin *origin; /* for the revisits; NULL: unknown */
	const struct verdict *verdict;       /* goes to the metadata; NULL: none */
	const uint8_t *payload_sha1;         /* when known already; NULL: computed */
	const uint8_t *block_sha1;           /* of the whole response, the same */
	struct str source_tag;               /* of the seed, for the metadata */
	struct str fields;                   /* further lines of the metadata, whole */
	struct str json;                     /* a metadata record of its own; or empty */
	struct str augmented;                /* the same: what its application is */
	bool no_metadata, no_request;
	bool keep_secrets; /* in the request record: see redact.h */
};

struct capture {
	struct buf bytes;     /* all members */
	uint64_t main_length; /* of the first member */
	struct record_id id;  /* of the main record */
	uint8_t payload_sha1[SHA1_BYTES];
	bool has_payload; /* false when nothing came */
	struct buf cdx;   /* the index line up to the place of the record */
	/* The body is in a file and too large to be kept twice: the writer streams it
	 * with this header before it; `bytes` holds only the records that follow. */
	struct buf stream_head;
	uint64_t stream_bytes; /* header, block and end, before compression */
};

void capture_release(struct capture *c);
/* SHA-1 of what would be the payload; reads the spool when there is one. */
must_use enum status capture_payload_sha1(struct encoder *e, const struct fetch_result *r,
					  uint8_t ret[SHA1_BYTES], struct diag *why);
/* The same for two whose bodies are in memory, at little more than the price of one. */
void capture_payload_pair(struct encoder *e, const struct fetch_result *const r[2],
			  uint8_t *const ret[2]);
/*
 * Both digests of a whole response whose body is in memory, `*ret_block` for the options
 * of capture_encode(): together they cost little more than one.
 */
void capture_both_sha1(struct encoder *e, const struct fetch_result *r,
		       uint8_t ret_payload[SHA1_BYTES], uint8_t ret_block[SHA1_BYTES]);
/* `c` is reset and filled; its memory is kept from use to use. */
must_use enum status capture_encode(struct encoder *e, const struct fetch_result *r,
				    const struct capture_options *options,
				    struct capture *c, struct diag *why);
#endif
