/*
 * dns.h - names to addresses, asynchronously, remembered as long as they say.
 *
 * c-ares asks; the cache answers while the time to live lasts (bounded both
 * ways).  That a name does not exist is remembered for minutes; that the name servers
 * failed, timed out or refused is not the name's fault, and is remembered for
 * seconds only, so that a hiccup of DNS does not lose a host.  Names can be pinned: one
 * by one from a hosts file, or all of them to one place (--connect-to), which
 * is how tests reach thousands of hosts on one machine.  Owned by the loop's
 * thread.
 */
#ifndef FETCH_DNS_H
#define FETCH_DNS_H

#include <sys/socket.h>

#include "os/loop.h"
#include "url/host.h"

#define DNS_ADDRESSES_MAX 8

struct dns_answer {
	struct ip ips[DNS_ADDRESSES_MAX]; /* in the order they should be tried */
	size_t n;                         /* 0: there is no address */
	uint16_t port;                    /* connect here instead; 0: as the URL says */
	bool pinned;                      /* by the user, not by a name server */
	bool temporary; /* n == 0 and no word on whether the name exists: ask again soon
			 */
	char error[64]; /* why there is no address */
};

struct dns_options {
	uint32_t timeout_ms;     /* of one try; 0: 5 s */
	uint32_t tries;          /* 0: 3 */
	uint32_t ttl_min_ms;     /* 0: 1 minute */
	uint32_t ttl_max_ms;     /* 0: 1 day */
	uint32_t failure_ttl_ms; /* of names that do not exist; 0: 5 minutes */
	uint32_t trouble_ttl_ms; /* of temporary failures; 0: 2 s */
	const char *servers;     /* "127.0.0.1:5353,..."; NULL: as the system says */
	bool ipv4_only;
};

struct dns;

/* Called once for every dns_ask(), perhaps before it returns. */
typedef void dns_done_fn(void *arg, const struct dns_answer *answer);

must_use enum status dns_open(struct dns **ret, struct loop *loop,
			      const struct dns_options *options, struct diag *why);
/* Waiting questions are answered with a failure. */
void dns_close(struct dns *d);

/* All names lead to `address`, "IP:PORT" or "[IP]:PORT". */
must_use enum status dns_pin_all(struct dns *d, struct str address, struct diag *why);
/* Lines "IP[:PORT] NAME [NAME...]", '#' starts a comment. */
must_use enum status dns_pin_file(struct dns *d, struct str text, struct diag *why);

void dns_ask(struct dns *d, struct str host, dns_done_fn *done, void *arg);
/* What is known now: NULL when it must be asked. */
const struct dns_answer *dns_known(struct dns *d, struct str host);
/* An address as c-ares and libcurl hand it over; false for other families. */
bool ip_from_sockaddr(const struct sockaddr *from, struct ip *ret);
/* Questions sent to name servers, and answered from memory. */
uint64_t dns_asked(const struct dns *d);
uint64_t dns_remembered(const struct dns *d);
#endif
