/*
 * warc_read.h - the records of a WARC file, one after the other, or from an offset.
 *
 * Reads .warc, .warc.gz and .warc.zst, WARC 0.17 to 1.1, one record a member or not.
 * The block of a record comes in pieces; in the usual case it is one piece, borrowed
 * from the decompressor, without a copy.  Hostile input costs bounded memory and
 * linear time: headers of WARC_HEADER_MAX bytes at most, and a block is never
 * held unless the caller asks for it with a limit.  One thread.
 */
#ifndef WARC_WARC_READ_H
#define WARC_WARC_READ_H

#include "os/map_file.h"
#include "warc/decoder.h"
#include "warc/encoder.h"

#define WARC_HEADER_MAX ((size_t)256 << 10)
#define WARC_FIELDS_MAX 256

struct warc_field {
	struct str name, value;
};

/* What a reader found out of order but could read; bits. */
enum warc_oddity {
	WARC_ODD_LINE = 1,      /* a header line without ':' */
	WARC_ODD_END = 2,       /* no CR LF CR LF behind the block */
	WARC_SHARES_MEMBER = 4, /* not the first record of its member */
	WARC_SPANS_MEMBERS = 8, /* goes on in the next member */
	WARC_ODD_LF = 16,       /* lines end in a bare LF */
	WARC_TOO_MANY_FIELDS = 32,
	WARC_FOLDED = 64, /* a value goes on in the next line */
};

struct warc_record {
	uint64_t offset; /* where its member (in a plain file: it) begins */
	uint64_t length; /* bytes in the file; known once the block is read to its end */
	struct str version; /* "WARC/1.1" */
	enum warc_type type;
	struct warc_field fields[WARC_FIELDS_MAX];
	size_t field_count;
	uint64_t block_bytes; /* Content-Length */
	bool has_length;      /* false: the field is missing or no number */
	unsigned oddities;
};

struct warc_reader {
	struct map_file map;
	struct decoder decoder;
	struct str view;     /* decoded, not yet consumed */
	uint64_t block_left; /* of the present record */
	bool in_block;
	bool in_record;     /* between its first byte and its last */
	bool fresh_member;  /* no record was read of the present member yet */
	struct buf header;  /* of the present record, copied: the view moves on */
	struct buf pending; /* a header that came in several pieces */
	struct warc_record record;
};

must_use enum status warc_reader_open(struct warc_reader *r, const char *path,
				      struct diag *why);
/* The same for bytes in memory, which must stay. */
void warc_reader_init(struct warc_reader *r, struct str bytes);
void warc_reader_release(struct warc_reader *r);
/* The next record is the one whose member begins here. */
void warc_seek(struct warc_reader *r, uint64_t offset);

/*
 * The next record's header; what was not read of the block before is passed over.
 * `*ret` lives until the next call.  ST_AGAIN at the end of the file.  ST_CORRUPT
 * says what is wrong and where (warc_error_offset()); warc_resync() may go on.
 */
must_use enum status warc_next(struct warc_reader *r, struct warc_record **ret,
			       struct diag *why);
/* The next piece of its block, borrowed until the next call; ST_AGAIN at its end. */
must_use enum status warc_block(struct warc_reader *r, struct str *ret, struct diag *why);
/*
 * The whole block: a slice where it is in one piece, otherwise gathered in `spare`.
 * ST_TOO_LARGE above `limit`.
 */
must_use enum status warc_block_whole(struct warc_reader *r, size_t limit,
				      struct buf *spare, struct str *ret,
				      struct diag *why);
/* Read to the record's end: then its length and all its oddities are known. */
must_use enum status warc_end(struct warc_reader *r, struct diag *why);
/* Go to the next place that looks like a record; false when there is none, and then
 * the reader stands at the end of the file. */
bool warc_resync(struct warc_reader *r);
uint64_t warc_error_offset(const struct warc_reader *r);
/* The last failure was the end of the file inside a record. */
bool warc_is_torn(const struct warc_reader *r);

/* A field's first value, any case of the name; empty when it is not there. */
struct str warc_field(const struct warc_record *rec, struct str name);
/* Without the angle brackets that ids wear, and some old writers' URIs too. */
struct str warc_bare_uri(struct str value);
#endif
