/*
 * transfer.h - one request and its answer, on one libcurl handle.
 *
 * For fetch.c only: it owns the multi handle, the names and the guard; a
 * transfer knows how to ask and how to listen.  States, in order:
 */
#ifndef FETCH_TRANSFER_H
#define FETCH_TRANSFER_H

#include <curl/curl.h>

#include "fetch/fetch.h"
#include "fetch/guard.h"
#include "os/file.h"
#include "url/url.h"

enum transfer_state {
	TRANSFER_IDLE,      /* in the pool, its handle warm */
	TRANSFER_RESOLVING, /* waiting for the address */
	TRANSFER_RUNNING,   /* libcurl has it */
	TRANSFER_FAILED,    /* before libcurl had it; told at the next step of the loop */
};

/* Why we ourselves ended it. */
enum transfer_cut {
	CUT_NOT,
	CUT_BODY_SIZE,
	CUT_HEADER_SIZE,
	CUT_FIRST_BYTE, /* nothing came in time */
	CUT_ABORTED,
	CUT_DISK,     /* the spool could not be written */
	CUT_REFUSED,  /* nobody wants the body */
	CUT_LENGTH,   /* it has two lengths */
	CUT_REPEAT,   /* libcurl was about to send it a second time */
	CUT_GUARD,    /* libcurl was about to connect to what was not permitted */
	CUT_DEFERRED, /* not sent: the host wants to be left alone since it was begun */
};

#define REQUEST_FIELDS_MAX 64

struct transfer {
	struct fetch *fetch;
	CURL *easy;
	enum transfer_state state;
	enum transfer_cut cut;
	const struct fetch_task *task;
	struct arena *arena;
	struct buf *body;
	void *cookie;
	struct url url;
	struct buf header; /* as received, of the last answer */
	bool header_done;
	bool sent;                 /* the request, or some of it */
	bool overtaxed;            /* the answer is that the host has too much to do */
	struct str content_length; /* as `header` says; empty when it does not */
	struct file spool;
	uint64_t spool_bytes;
	int64_t start_wall_ms, start_mono_ns, first_byte_ns;
	struct curl_slist fields[REQUEST_FIELDS_MAX]; /* texts in `arena` */
	size_t field_count;
	struct curl_slist route; /* address for libcurl; text in `arena` */
	struct dns_answer where; /* every socket must lead to one of these ... */
	bool by_proxy;           /* ... unless it leads to the proxy */
	int socket_errno;        /* why we could not open one: out of descriptors ... */
	struct timer timer;      /* first byte, or the report of a failure */
	struct fetch_result failure; /* code and error, in TRANSFER_FAILED */
	const char *tls, *cipher;    /* static strings of OpenSSL */
	char error[CURL_ERROR_SIZE];
	struct transfer *next, *prev; /* in the list of the active, or of the idle */
	uint64_t host_hash;           /* of the host its handle last spoke to */
};

/* What the crawl says to a body that begins so. */
bool fetch_wants_body(const struct transfer *t, int status);
/* Whether it may still be sent, now that there is a connection. */
bool fetch_may_send(const struct transfer *t);
/* It has no time for us: nothing else is sent to its host until the owner knows. */
void fetch_note_overtaxed(struct transfer *t);
/* The Authorization field for it; empty for none. */
struct str fetch_authorization(const struct transfer *t);
/* A socket has this number now. */
void fetch_note_opened(struct fetch *f, int fd);
const struct fetch_options *fetch_options_of(const struct fetch *f);

/* A handle with all that never changes set. */
void transfer_init(struct transfer *t, struct fetch *f, const struct fetch_options *o);
void transfer_release(struct transfer *t);
/* Everything of this request; `answer` is where to connect (NULL: a proxy knows). */
void transfer_prepare(struct transfer *t, const struct fetch_options *o,
		      const struct dns_answer *answer);
/* What came of it; strings in the task's arena. */
struct fetch_result transfer_result(struct transfer *t, CURLcode code);
#endif
