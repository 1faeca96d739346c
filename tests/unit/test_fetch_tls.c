/* What is wrong with a server's TLS is named: cause, host, and the option that helps. */
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "fetch/fetch.h"
#include "test.h"
#include "tmp.h"

#define DAY 86400L

static struct loop loop;
static int listener, port;
static EVP_PKEY *key;
static X509 *authority;
static SSL_CTX *good, *expired, *alone;
static char ca_path[128];

/* ---- certificates, made as they are needed ---- */

static X509 *new_certificate(const char *name, X509 *issuer, long from_s, long to_s)
{
	X509 *x = X509_new();
	X509_NAME *n = X509_get_subject_name(x);
	char names[128];

	X509_set_version(x, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(x), issuer ? 2 : 1);
	X509_gmtime_adj(X509_getm_notBefore(x), from_s);
	X509_gmtime_adj(X509_getm_notAfter(x), to_s);
	X509_set_pubkey(x, key);
	X509_NAME_add_entry_by_txt(n, "CN", MBSTRING_ASC, (const unsigned char *)name, -1,
				   -1, 0);
	X509_set_issuer_name(x, issuer ? X509_get_subject_name(issuer) : n);
	snprintf(names, sizeof(names), "DNS:%s", name);
	X509_EXTENSION *e = X509V3_EXT_conf_nid(
		NULL, NULL, issuer ? NID_subject_alt_name : NID_basic_constraints,
		issuer ? names : "critical,CA:TRUE");
	X509_add_ext(x, e, -1);
	X509_EXTENSION_free(e);
	X509_sign(x, key, EVP_sha256());
	return x;
}

static SSL_CTX *new_context(X509 *x)
{
	SSL_CTX *c = SSL_CTX_new(TLS_server_method());

	SSL_CTX_use_certificate(c, x);
	SSL_CTX_use_PrivateKey(c, key);
	X509_free(x);
	return c;
}

static int choose(SSL *ssl, int *alert, void *unused)
{
	const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);

	(void)alert, (void)unused;
	if (name && strcmp(name, "expired.test") == 0)
		SSL_set_SSL_CTX(ssl, expired);
	else if (name && strcmp(name, "alone.test") == 0)
		SSL_set_SSL_CTX(ssl, alone);
	return SSL_TLSEXT_ERR_OK;
}

static bool make_certificates(void)
{
	snprintf(ca_path, sizeof(ca_path), "%s", tmp_path("ca.pem"));
	key = EVP_EC_gen("P-256");
	authority = new_certificate("Test authority", NULL, -DAY, DAY);
	good = new_context(new_certificate("good.test", authority, -DAY, DAY));
	expired = new_context(new_certificate("expired.test", authority, -2 * DAY, -DAY));
	alone = new_context(new_certificate("alone.test", NULL, -DAY, DAY));
	SSL_CTX_set_tlsext_servername_callback(good, choose);
	FILE *f = fopen(ca_path, "w");
	bool fine = f && PEM_write_X509(f, authority) == 1;
	return f && fclose(f) == 0 && fine;
}

/* ---- the server: one connection at a time ---- */

static void serve(int fd)
{
	static const char answer[] =
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
	char first = 0, request[4096];

	if (recv(fd, &first, 1, MSG_PEEK) == 1 && first != 0x16)
		return;
	SSL *ssl = SSL_new(good);
	SSL_set_fd(ssl, fd);
	if (SSL_accept(ssl) == 1 && SSL_read(ssl, request, sizeof(request)) > 0)
		SSL_write(ssl, answer, sizeof(answer) - 1);
	SSL_shutdown(ssl);
	SSL_free(ssl);
}

static void *accept_all(void *plain)
{
	int from = plain ? *(int *)plain : listener;

	for (;;) {
		int fd = accept(from, NULL, NULL);

		if (fd < 0)
			return NULL;
		if (plain)
			send(fd, "HTTP/1.1 400 Bad\r\n\r\n", 20, MSG_NOSIGNAL);
		else
			serve(fd);
		close(fd);
	}
}

static int start(int *fd, bool plain)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	pthread_t thread;

	*fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(*fd, (struct sockaddr *)&a, n) != 0 || listen(*fd, 16) != 0 ||
	    getsockname(*fd, (struct sockaddr *)&a, &n) != 0 ||
	    pthread_create(&thread, NULL, accept_all, plain ? fd : NULL) != 0)
		return 0;
	return ntohs(a.sin_port);
}

/* ---- the client ---- */

struct asked {
	struct fetch_task task;
	struct arena arena;
	struct buf body;
	struct fetch_result result;
	bool done;
};

static void on_done(void *ctx, void *cookie, struct fetch_result *r)
{
	struct asked *a = cookie;

	(void)ctx;
	a->result = *r;
	a->done = true;
	if (r->error.n)
		printf("# " STR_FMT "\n", STR_ARG(r->error));
}

static void asked_release(struct asked *a)
{
	arena_release(&a->arena);
	buf_release(&a->body);
}

struct how {
	const char *ca_file;
	bool insecure;
	int port;
};

static bool ask(struct asked *a, const char *url, struct how how)
{
	struct fetch *f;
	char place[32];
	struct fetch_options o = { .user_agent = STR("x"),
				   .ca_file = str_from(how.ca_file ? how.ca_file : ""),
				   .insecure = how.insecure };

	snprintf(place, sizeof(place), "127.0.0.1:%d", how.port ? how.port : port);
	o.connect_to = str_from(place);
	if (fetch_open(&f, &loop, &o, on_done, NULL, NULL) != ST_OK)
		return false;
	a->task.url = str_from(url);
	fetch_start(f, &a->task, &a->arena, &a->body, a);
	for (int i = 0; i < 500 && !a->done; i++)
		if (loop_step(&loop, 10, NULL) != ST_OK)
			break;
	fetch_close(f);
	return a->done;
}

static void a_certificate_of_a_known_authority_is_fine(void)
{
	cleanup(asked_release) struct asked a = { 0 };

	CHECK(ask(&a, "https://good.test/", (struct how){ .ca_file = ca_path }));
	CHECK(a.result.code == 200 && a.result.cause == CAUSE_NONE && a.result.tls.n > 0);
}

static void what_is_wrong_with_a_certificate_is_named(void)
{
	static const struct {
		const char *url;
		struct how how;
		enum fetch_cause cause;
	} cases[] = {
		{ "https://good.test/", { 0 }, CAUSE_TLS_UNTRUSTED },
		{ "https://alone.test/", { .ca_file = ca_path }, CAUSE_TLS_UNTRUSTED },
		{ "https://expired.test/", { .ca_file = ca_path }, CAUSE_TLS_EXPIRED },
		{ "https://other.test/", { .ca_file = ca_path }, CAUSE_TLS_WRONG_NAME },
		{ "https://good.test/", { .ca_file = "/nowhere.pem" }, CAUSE_CA_FILE },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		cleanup(asked_release) struct asked a = { 0 };
		const struct fetch_cause_row *row = fetch_cause_of(cases[i].cause);

		CHECK(ask(&a, cases[i].url, cases[i].how));
		CHECK(a.result.code == FETCH_CONNECT_FAILED);
		CHECK(a.result.cause == cases[i].cause && !row->may_pass);
		CHECK(str_find(a.result.error, row->option) != STR_NONE);
		CHECK(str_find(a.result.error, STR(".test: ")) != STR_NONE);
	}
}

static void insecure_accepts_them_all(void)
{
	static const char *const urls[] = { "https://good.test/", "https://alone.test/",
					    "https://expired.test/",
					    "https://other.test/" };

	for (size_t i = 0; i < COUNT(urls); i++) {
		cleanup(asked_release) struct asked a = { 0 };

		CHECK(ask(&a, urls[i], (struct how){ .insecure = true }));
		CHECK(a.result.code == 200);
	}
}

static void a_server_without_tls_is_a_handshake_that_failed(void)
{
	static int plain; /* as long as its thread */
	cleanup(asked_release) struct asked a = { 0 };
	int at = start(&plain, true);

	CHECK(at > 0 && ask(&a, "https://good.test/", (struct how){ .port = at }));
	CHECK(a.result.code == FETCH_CONNECT_FAILED);
	CHECK(a.result.cause == CAUSE_TLS_HANDSHAKE);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	if (!make_certificates() || !(port = start(&listener, false)) ||
	    loop_init(&loop, &real_clock, NULL) != ST_OK)
		return 1;
	RUN(a_certificate_of_a_known_authority_is_fine);
	RUN(what_is_wrong_with_a_certificate_is_named);
	RUN(insecure_accepts_them_all);
	RUN(a_server_without_tls_is_a_handshake_that_failed);
	loop_release(&loop);
	SSL_CTX_free(good);
	SSL_CTX_free(expired);
	SSL_CTX_free(alone);
	X509_free(authority);
	EVP_PKEY_free(key);
	DONE();
}
