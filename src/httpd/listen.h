/*
 * listen.h - where a server of ours listens, and the token that it wants.
 */
#ifndef HTTPD_LISTEN_H
#define HTTPD_LISTEN_H

#include <netinet/in.h>

#include "base/buf.h"

/* "ADDRESS:PORT", an IPv4 address or localhost; ST_SYNTAX for anything else. */
must_use enum status listen_parse(struct str listen, struct sockaddr_in *ret,
				  struct diag *why);
bool listen_is_loopback(const struct sockaddr_in *at);
/* The token in the file (mode 0600), or a new one that is written there. */
must_use enum status listen_load_token(const char *path, struct buf *ret,
				       struct diag *why);
#endif
