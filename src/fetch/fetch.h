/*
 * fetch.h - ask a server, within limits, and hand over what it said.
 *
 * Tasks in, results out, any number at once, on the loop's thread.  It never
 * decides what to ask, never follows a redirect, never asks twice, never waits for
 * politeness: that is the frontier's.  What it does guard: the address must be
 * public unless the user allowed it (fetch/guard.h); credentials go to their origin only
 * (fetch/auth.h); every phase has a time limit; header and
 * body have size limits, past which the answer is cut and marked; bodies too
 * large for memory go to a spool file.  Bytes are handed over as received, with
 * their Content-Encoding, only de-chunked.
 */
#ifndef FETCH_FETCH_H
#define FETCH_FETCH_H

#include "base/option.h"
#include "fetch/dns.h"
#include "record/fetch.h"
#include "url/url.h"

struct fetch_options {
	struct str user_agent; /* honest, with a contact */
	struct str from;       /* From: field; empty for none */
	struct str accept_language;
	struct str_list headers; /* "Name: value", sent to every server */
	struct str_list auth;    /* see fetch/auth.h; refused by fetch_open() if wrong */
	struct str proxy;        /* http://, socks5://; empty for none */
	struct str connect_to;   /* IP:PORT, for every host; empty for none */
	struct str hosts;        /* text of a hosts file; empty for none */
	struct str ca_file;      /* PEM; empty: the system's */
	struct str spool_dir;    /* must exist */
	uint64_t body_max;       /* bytes; 0: 100 MB */
	uint64_t spool_above;    /* bytes in memory; 0: 4 MB */
	uint64_t header_max;     /* bytes; 0: 128 kB */
	uint64_t connect_ms;     /* 0: 20 s */
	uint64_t first_byte_ms;  /* 0: 60 s */
	uint64_t total_ms;       /* 0: 20 min */
	uint64_t min_speed;      /* bytes/s over 30 s; 0: 50 */
	/* Asked with the ctx of fetch_open() when the header is whole: no, and the body
	 * is not received.  May be NULL. */
	bool (*wants_body)(void *ctx, void *cookie, int status, struct str header);
	/* Asked when a connection is there, which may be a while after fetch_start():
	 * no, and the result is FETCH_DEFERRED, nothing having been sent.  May be NULL.
	 */
	bool (*may_send)(void *ctx, void *cookie);
	bool insecure; /* accept any certificate */
	bool http1_only;
	bool allow_private; /* every address may be asked */
	bool ipv4_only;
	struct dns_options dns;
};

struct fetch;

/*
 * The answer to `cookie`.  Strings of `r` live in the arena given to
 * fetch_start(), the body in the buffer given there.
 */
typedef void fetch_done_fn(void *ctx, void *cookie, struct fetch_result *r);

must_use enum status fetch_open(struct fetch **ret, struct loop *loop,
				const struct fetch_options *options,
				fetch_done_fn *on_done, void *ctx, struct diag *why);
/* Transfers in flight end without a result. */
void fetch_close(struct fetch *f);

/*
 * Begin.  `task`, `arena` and `body` must live until the result; the body is
 * collected in `body`, so that it is never copied.
 */
void fetch_start(struct fetch *f, const struct fetch_task *task, struct arena *arena,
		 struct buf *body, void *cookie);
/* Where `host` leads; from memory when it can.  For limits per address. */
void fetch_resolve(struct fetch *f, struct str host, dns_done_fn *done, void *arg);
/* What is known of it now, or NULL. */
const struct dns_answer *fetch_known(struct fetch *f, struct str host);
/*
 * Before anything is fetched, for every seed.  The addresses its host first resolves to
 * may be private (not metadata services); credentials for a bare host are for the
 * origin of the first seed there.
 */
void fetch_allow_seed(struct fetch *f, const struct url *seed);
size_t fetch_in_flight(const struct fetch *f);
uint64_t fetch_connections(const struct fetch *f);
/*
 * Stop every transfer now; each gets its result, as timed out.  One whose name is
 * still being resolved gets it when the resolver answers.
 */
void fetch_abort_all(struct fetch *f);
#endif
