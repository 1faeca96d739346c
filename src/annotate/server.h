/*
 * server.h - the annotation site over HTTP (libmicrohttpd, one thread for all).
 *
 * On the loopback address by default; who may ask is decided by web/http_guard.h, by the
 * token and by the head of a request, before its body is read.
 */
#ifndef ANNOTATE_SERVER_H
#define ANNOTATE_SERVER_H

#include "annotate/site.h"

struct annotate_server;

struct annotate_options {
	struct str listen; /* "ADDRESS:PORT"; port 0 takes a free one */
	const struct str *hosts;
	size_t n_hosts;
};

/* The site is the server's until it stops. */
must_use enum status annotate_start(struct annotate_server **ret,
				    struct annotate_site *site,
				    const struct annotate_options *options,
				    struct diag *why);
/* "http://127.0.0.1:8080/#token=..." */
const char *annotate_url(const struct annotate_server *s);
void annotate_stop(struct annotate_server *s);
#endif
