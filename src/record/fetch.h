/*
 * fetch.h - what the frontier asks for, and what came back.
 *
 * Plain data between stages: `frontier -> fetch_task -> fetch -> fetch_result ->
 * archive, page`.  Strings are borrowed; whoever hands a record over says which
 * arena they live in (the page's, in the crawl).  A task has bytes on disk,
 * because queues outlive the process; a result is journalled as its summary.
 */
#ifndef RECORD_FETCH_H
#define RECORD_FETCH_H

#include "base/buf.h"
#include "base/hash.h"
#include "record/purpose.h"

/* One step of the way from a seed, in the letters of Heritrix's crawl.log. */
enum hop {
	HOP_LINK = 'L',
	HOP_REDIRECT = 'R',
	HOP_EMBED = 'E',
	HOP_GUESS = 'X', /* a string in a script that looks like a URL */
	HOP_PREREQUISITE = 'P',
	HOP_MANIFEST = 'M', /* sitemap or feed */
	HOP_INFERRED = 'I',
	HOP_FORM = 'S',
};

#define HOPS_MAX 64 /* letters kept of the way; the oldest are dropped */

struct fetch_task {
	struct str url;        /* what is requested: never a canonical form */
	struct u128 key;       /* of its canonical form */
	struct str via;        /* the URL on which it was found; empty for a seed */
	struct str hops;       /* letters of `enum hop`, seed first */
	struct str source;     /* the seed it descends from */
	struct str etag;       /* for a conditional request; empty for none */
	struct str cookies;    /* the Cookie field; never on disk */
	struct str fields;     /* "Name: value" lines, sent too; never on disk */
	struct str scores;     /* with which it was queued (focus/); only in the queue */
	struct str post;       /* sent by POST; p NULL: GET; never on disk */
	uint32_t slice_ms;     /* a WebSocket: what came in this time; never on disk */
	int64_t modified_ms;   /* If-Modified-Since; 0 for none */
	int64_t not_before_ms; /* wall clock; 0 for at once */
	uint32_t depth;        /* links from the seed, redirects not counted */
	uint8_t priority;      /* 0 lowest to 255 */
	uint8_t attempt;       /* 0 for the first try */
	uint8_t purpose;       /* enum purpose */
};

/* Negative numbers are Heritrix's codes, so that its log readers understand ours. */
enum fetch_code {
	FETCH_NOT_TRIED = 0,
	FETCH_DNS_FAILED = -1,
	FETCH_CONNECT_FAILED = -2,
	FETCH_CONNECTION_LOST = -3,
	FETCH_TIMED_OUT = -4,
	FETCH_RUNTIME_ERROR = -5,
	FETCH_DNS_PREREQUISITE = -6,
	FETCH_UNSUPPORTED = -7,
	FETCH_RETRIES_EXHAUSTED = -8,
	FETCH_DEFERRED = -50,
	FETCH_ROBOTS_PREREQUISITE = -61,
	FETCH_TRAP = -4000,
	FETCH_TOO_MANY_HOPS = -4001,
	FETCH_OUT_OF_SCOPE = -5000,
	FETCH_BLOCKED = -5001,
	FETCH_CUSTOM = -5002, /* annotated: duplicate, address guard, ... */
	FETCH_QUOTA = -5003,
	FETCH_ROBOTS_DENIED = -9998,
};

enum truncation {
	TRUNCATED_NOT,
	TRUNCATED_LENGTH,      /* past the size limit */
	TRUNCATED_TIME,        /* past the time limit, or too slow */
	TRUNCATED_DISCONNECT,  /* the peer closed early */
	TRUNCATED_UNSPECIFIED, /* not kept by whoever received it, or not wanted */
};

/*
 * What went wrong, finer than `enum fetch_code`, which is for log readers.  Says whether
 * it may pass by itself, and which option would change it: see fetch_cause_of().
 */
enum fetch_cause {
	CAUSE_NONE,
	CAUSE_NO_NAME,     /* DNS: there is no such name, or it has no address */
	CAUSE_DNS_TROUBLE, /* DNS: no usable answer now; the name may well exist */
	CAUSE_GUARD,       /* the address is not public */
	CAUSE_REFUSED,     /* nothing listens there */
	CAUSE_UNREACHABLE, /* no way to the address, or out of descriptors */
	CAUSE_TIMEOUT,     /* no connection, or no answer, in time */
	CAUSE_LOST,        /* the connection ended before the answer did */
	CAUSE_NOT_HTTP,  /* what came is no HTTP answer, or one that contradicts itself */
	CAUSE_TOO_LARGE, /* the header is past its limit */
	CAUSE_TLS_UNTRUSTED,   /* no known authority vouches for the certificate */
	CAUSE_TLS_EXPIRED,     /* or not yet valid */
	CAUSE_TLS_WRONG_NAME,  /* the certificate is for other hosts */
	CAUSE_TLS_CERTIFICATE, /* revoked, malformed, weak ... */
	CAUSE_TLS_HANDSHAKE,   /* no common version or cipher, or no TLS at all there */
	CAUSE_CA_FILE,         /* --ca-file cannot be read */
	CAUSE_PROXY,           /* the proxy cannot be reached, or refuses */
	CAUSE_LOCAL,           /* this machine: disk, memory */
	CAUSES
};

struct fetch_cause_row {
	struct str name;     /* one word, for tables and journals */
	struct str sentence; /* for people */
	struct str option;   /* that would help; empty when none does */
	bool may_pass;       /* asking again later can help */
};

struct fetch_result {
	const struct fetch_task *task;
	int code;               /* HTTP status, or a negative `enum fetch_code` */
	uint8_t cause;          /* enum fetch_cause; CAUSE_NONE when `code` is a status */
	struct str error;       /* one sentence for people when `code` is negative */
	int64_t start_ms;       /* wall clock, when the request began */
	uint32_t duration_ms;   /* until the last byte */
	uint32_t first_byte_ms; /* until the first byte of the answer */
	struct str ip;          /* of the peer, as text */
	struct str protocol;    /* "http/1.1", "h2" */
	struct str tls;         /* "tls/1.3", or empty */
	struct str cipher;
	struct str request; /* request line and fields as sent (h2: as HTTP/1.1) */
	struct str header;  /* status line and fields as received, CRLF CRLF included */
	struct str body;  /* de-chunked, Content-Encoding untouched; empty when spooled */
	struct str spool; /* file that holds the body, when it was too large for memory */
	uint64_t body_bytes; /* of body or spool */
	uint64_t wire_bytes; /* header and body as transferred */
	uint8_t truncated;   /* enum truncation */
};

#define FETCH_URL_MAX 8192 /* longer ones are refused when they are found */

const struct fetch_cause_row *fetch_cause_of(enum fetch_cause cause);
/* "length", "time", "disconnect", "unspecified", or empty: as WARC-Truncated has it. */
struct str truncation_name(enum truncation t);
#endif
