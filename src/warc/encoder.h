/*
 * encoder.h - one WARC record after the other, from fields and bytes to a member.
 *
 * The encoder knows the form of a record and nothing of files: workers encode,
 * the writer appends.  It never allocates once its buffers have grown.  Whatever
 * comes from the network is made harmless on its way into a field: no value can
 * begin a new line.  One thread each.
 */
#ifndef WARC_ENCODER_H
#define WARC_ENCODER_H

#include "base/rng.h"
#include "warc/digest.h"
#include "warc/member.h"

enum warc_version { WARC_1_1, WARC_1_0 };

enum warc_type {
	WARC_WARCINFO,
	WARC_RESPONSE,
	WARC_REQUEST,
	WARC_METADATA,
	WARC_REVISIT,
	WARC_RESOURCE,
	WARC_CONVERSION,
	WARC_CONTINUATION,
	WARC_UNKNOWN, /* well-formed; readers pass over it */
};

/* "response" ... */
struct str warc_type_name(enum warc_type type);
enum warc_type warc_type_find(struct str name);

/* A record's name, without <urn:uuid: >. */
struct record_id {
	char text[36];
};

static inline struct str record_id_str(const struct record_id *id)
{
	return (struct str){ id->text, sizeof(id->text) };
}

/* 122 random bits each; two streams, because one of 64 bits would meet others'. */
struct id_maker {
	struct rng high, low;
};

/* From the machine's randomness. */
struct id_maker id_maker_random(void);
struct record_id id_maker_next(struct id_maker *m);

struct encoder {
	enum warc_version version;
	struct member_writer member;
	struct digest block, payload;
	struct id_maker ids;
	struct record_id warcinfo; /* the file's; all zero bytes for none */
	struct buf raw;            /* the present record before compression */
	struct buf head;           /* a rewritten HTTP head */
	struct buf text;           /* a metadata block */
};

struct encoder_options {
	enum warc_version version;
	enum member_format format;
	struct id_maker ids;
};

void encoder_init(struct encoder *e, const struct encoder_options *options);
void encoder_release(struct encoder *e);

/* What the header of a record says besides what follows from the block. */
struct record_fields {
	enum warc_type type;
	const struct record_id *id;
	int64_t date_ms;
	struct str uri;          /* empty: no WARC-Target-URI */
	struct str content_type; /* empty: none */
	struct str ip, protocol, tls, cipher;
	const struct record_id *concurrent_to;
	const uint8_t *payload_sha1; /* NULL: none */
	const uint8_t *block_sha1;   /* when known already; NULL: computed */
	struct str truncated;
	struct str profile; /* of a revisit */
	struct str refers_to_id, refers_to_uri;
	int64_t refers_to_ms; /* 0: unknown */
	struct str filename;  /* of a warcinfo */
};

/*
 * Begin a record in e->raw; then its block is `head` followed by `body`.  The
 * member is added to `to`.
 */
void encoder_add(struct encoder *e, const struct record_fields *f, struct str head,
		 struct str body, struct buf *to);
/* Only the header, for a block of `block_bytes` that is streamed; with its end. */
void encoder_add_header(struct encoder *e, const struct record_fields *f,
			uint64_t block_bytes, const uint8_t *block_sha1, struct buf *to);
#endif
