/*
 * tls.h - a CA of our own, and a certificate for whatever host is asked for.
 *
 * The CA is made at the start and only its certificate is written to a file.
 * Leaf certificates are signed when a client first names a host, and kept.
 */
#ifndef TESTWEB_TLS_H
#define TESTWEB_TLS_H

#include "base/map.h"

struct tls {
	void *context; /* SSL_CTX */
	void *ca_key, *ca_cert;
	void *leaf_key;    /* one key for all leaves */
	struct map leaves; /* hash of the host -> X509 */
	uint64_t serial;
};

/* Write the CA certificate to `ca_path` in PEM. */
must_use enum status tls_init(struct tls *t, const char *ca_path, struct diag *why);
void tls_release(struct tls *t);
#endif
