/*
 * outlet.h - where the events of a crawl go: the ring file, standard output, syslog.
 *
 * Every event is counted; the ring takes all that the filter lets pass.  A syslog server
 * gets UDP datagrams (RFC 5426), which are never waited for.  The loop thread's.
 */
#ifndef CONTROL_OUTLET_H
#define CONTROL_OUTLET_H

#include "control/event.h"
#include "control/ring.h"

struct outlet {
	struct ring ring;
	bool has_ring;
	bool prints;           /* to standard output, as JSON lines */
	unsigned prints_kinds; /* bits of enum event_kind that are printed and sent */
	int syslog_fd;         /* -1: none */
	uint64_t counts[EVENT_KINDS];
	struct buf line, message;
	char host[64];
};

struct outlet_options {
	const char *ring_path; /* NULL: none */
	bool prints;
	struct str kinds;  /* "page,skip"; empty: all */
	struct str syslog; /* "ADDRESS:PORT"; empty: none */
};

/* ST_SYNTAX for a kind or an address that is none. */
must_use enum status outlet_open(struct outlet *o, const struct outlet_options *options,
				 struct diag *why);
void outlet_close(struct outlet *o);
void outlet_put(struct outlet *o, const struct event *e);
/* What was put is seen by others; a ring that cannot be written is given up. */
void outlet_flush(struct outlet *o);
#endif
