#include "testweb/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/rng.h"
#include "os/file.h"

#define LEAVES_MAX 16384u
#define DAY_S      86400l

static bool add_extension(X509 *cert, X509 *issuer, int nid, const char *value)
{
	X509V3_CTX ctx;

	X509V3_set_ctx_nodb(&ctx);
	X509V3_set_ctx(&ctx, issuer, cert, NULL, NULL, 0);
	X509_EXTENSION *ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);

	if (!ext)
		return false;
	bool ok = X509_add_ext(cert, ext, -1) == 1;
	X509_EXTENSION_free(ext);
	return ok;
}

static X509 *new_certificate(uint64_t serial, EVP_PKEY *key, const char *name)
{
	X509 *cert = X509_new();

	if (!cert)
		return NULL;
	X509_set_version(cert, 2);
	ASN1_INTEGER_set_uint64(X509_get_serialNumber(cert), serial);
	X509_gmtime_adj(X509_getm_notBefore(cert), -DAY_S);
	X509_gmtime_adj(X509_getm_notAfter(cert), 365 * DAY_S);
	X509_set_pubkey(cert, key);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(cert), "CN", MBSTRING_ASC,
				   (const unsigned char *)name, -1, -1, 0);
	return cert;
}

static X509 *make_ca(EVP_PKEY *key)
{
	X509 *cert = new_certificate(1, key, "thresh testweb CA");

	if (!cert)
		return NULL;
	X509_set_issuer_name(cert, X509_get_subject_name(cert));
	if (add_extension(cert, cert, NID_basic_constraints, "critical,CA:TRUE") &&
	    add_extension(cert, cert, NID_key_usage, "critical,keyCertSign,cRLSign") &&
	    add_extension(cert, cert, NID_subject_key_identifier, "hash") &&
	    X509_sign(cert, key, EVP_sha256()))
		return cert;
	X509_free(cert);
	return NULL;
}

static X509 *make_leaf(struct tls *t, const char *host)
{
	char names[300], common[64];

	snprintf(names, sizeof(names), "DNS:%s", host);
	snprintf(common, sizeof(common), "%.60s", host);
	X509 *cert = new_certificate(++t->serial, t->leaf_key, common);

	if (!cert)
		return NULL;
	X509_set_issuer_name(cert, X509_get_subject_name(t->ca_cert));
	if (add_extension(cert, t->ca_cert, NID_subject_alt_name, names) &&
	    add_extension(cert, t->ca_cert, NID_ext_key_usage, "serverAuth") &&
	    add_extension(cert, t->ca_cert, NID_authority_key_identifier, "keyid") &&
	    X509_sign(cert, t->ca_key, EVP_sha256()))
		return cert;
	X509_free(cert);
	return NULL;
}

static void drop_leaves(struct tls *t)
{
	struct map_slot slot;

	for (size_t at = 0; map_next(&t->leaves, &at, &slot);)
		X509_free((X509 *)(uintptr_t)slot.value);
	map_reset(&t->leaves);
}

/* A host name has letters, digits, dots and dashes; nothing else gets into a certificate.
 */
static bool is_host_name(const char *host)
{
	return strlen(host) < 254 &&
	       host[strspn(host, "abcdefghijklmnopqrstuvwxyz"
				 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")] == '\0';
}

static int choose_certificate(SSL *ssl, void *arg)
{
	struct tls *t = arg;
	const char *host = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);

	if (!host || !is_host_name(host))
		host = "localhost";
	if (t->leaves.n >= LEAVES_MAX)
		drop_leaves(t);
	uint64_t *leaf = map_add(&t->leaves, hash64(str_from(host)), NULL);
	if (!*leaf)
		*leaf = (uint64_t)(uintptr_t)make_leaf(t, host);
	if (!*leaf)
		return 0;
	return SSL_use_certificate(ssl, (X509 *)(uintptr_t)*leaf) == 1 &&
	       SSL_use_PrivateKey(ssl, t->leaf_key) == 1;
}

static enum status save_certificate(X509 *cert, const char *path, struct diag *why)
{
	BIO *bio = BIO_new(BIO_s_mem());
	char *text;

	if (!bio || PEM_write_bio_X509(bio, cert) != 1)
		return diag_fail(why, ST_IO, "cannot write the CA certificate");
	long n = BIO_get_mem_data(bio, &text);
	enum status st = file_save(path, (struct str){ text, (size_t)n }, why);
	BIO_free(bio);
	return st;
}

enum status tls_init(struct tls *t, const char *ca_path, struct diag *why)
{
	*t = (struct tls){ .serial = 1 };
	t->ca_key = EVP_EC_gen("P-256");
	t->leaf_key = EVP_EC_gen("P-256");
	t->ca_cert = t->ca_key ? make_ca(t->ca_key) : NULL;
	t->context = SSL_CTX_new(TLS_server_method());
	if (!t->leaf_key || !t->ca_cert || !t->context)
		return diag_fail(why, ST_IO, "OpenSSL: %s",
				 ERR_reason_error_string(ERR_get_error()));
	SSL_CTX_set_cert_cb(t->context, choose_certificate, t);
	SSL_CTX_set_options(t->context,
			    SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_mode(t->context, SSL_MODE_ENABLE_PARTIAL_WRITE |
					     SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
					     SSL_MODE_RELEASE_BUFFERS);
	return save_certificate(t->ca_cert, ca_path, why);
}

void tls_release(struct tls *t)
{
	drop_leaves(t);
	map_release(&t->leaves);
	SSL_CTX_free(t->context);
	X509_free(t->ca_cert);
	EVP_PKEY_free(t->ca_key);
	EVP_PKEY_free(t->leaf_key);
	*t = (struct tls){ 0 };
}
