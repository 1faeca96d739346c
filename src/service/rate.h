/*
 * rate.h - how servers say how often they may be asked, in one form.
 *
 * Retry-After in seconds or as a date; X-RateLimit-Reset as ISO time, epoch, or seconds;
 * RateLimit and RateLimit-* of the IETF; a wait in the body, as a description says.  What
 * is a point in time by the server's clock becomes a wait by way of the server's own
 * Date, so a wrong clock on either side does not matter.  Pure.
 */
#ifndef SERVICE_RATE_H
#define SERVICE_RATE_H

#include "service/service.h"
#include "web/http.h"

struct rate_facts {
	bool has_wait;                         /* nothing may be sent before */
	bool has_remaining;                    /* requests left until the reset */
	uint64_t wait_ms, remaining, reset_ms; /* from now */
};

#define RATE_WAIT_MAX_MS ((uint64_t)7 * 86400000) /* no server makes us wait longer */

/* `skew_ms`: how far the server's clock is ahead of ours. */
int64_t rate_skew(const struct http_head *h, int64_t now_ms);
struct rate_facts rate_read(const struct http_head *h, int64_t now_ms);
/* A text as a wait from now, in the given form; false when it is none. */
bool rate_parse_wait(struct str text, enum wait_format format, int64_t server_now_ms,
		     uint64_t *ret_ms);
#endif
