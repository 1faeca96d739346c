/*
 * ports.h - the outside as the crawl reaches it: what runs on one machine here, and on
 * several once another implementation is opened instead (port/).
 *
 *   coord   who may run this crawl, and who may ask an address (lease.h)
 *   blob    where finished WARC files go (the writer)
 *   batch   the clusters of duplicates, sorted at the end (clusters.h)
 *   bus     facts on their way to the knowledge base (facts.h)
 */
#ifndef PORT_PORTS_H
#define PORT_PORTS_H

#include "port/batch.h"
#include "port/blob.h"
#include "port/coord.h"

struct crawl_ports {
	struct coord *coord; /* the loop thread's */
	struct blob *blob;   /* any thread's */
	struct batch *batch; /* the loop thread's, when the crawl is over */
};

/* The embedded ones.  `first_token`: leases have larger tokens. */
must_use enum status ports_open_local(struct crawl_ports *p, const char *dir,
				      uint64_t first_token, struct diag *why);
void ports_close(struct crawl_ports *p);
#endif
