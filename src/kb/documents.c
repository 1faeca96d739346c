#include "kb/documents.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "kb/files.h"
#include "rdf/ntriples.h"
#include "rdf/turtle.h"
#include "url/host.h"
#include "url/percent.h"

#define DOCUMENT_BYTES ((size_t)256 << 20)
#define TIMEOUT_MS     60000L
#define REDIRECTS_MAX  5L

/* --- files --- */

/* `path` opened beneath `folder`; -1 when it is not there. */
static int open_beneath(struct str folder, struct str path)
{
	cleanup(buf_release) struct buf dir = { 0 }, name = { 0 };
	char *real;
	int at, fd = -1;
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
				.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS };

	buf_add(&dir, folder);
	real = realpath(buf_cstr(&dir), NULL);
	if (!real)
		return -1;
	struct str root = str_from(real), rest = path;
	at = open(real, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (at >= 0 && str_take_prefix(&rest, root) &&
	    (str_take_prefix(&rest, STR("/")) || root.n == 1)) {
		buf_add(&name, rest);
		fd = (int)syscall(SYS_openat2, at, buf_cstr(&name), &how, sizeof(how));
	}
	if (at >= 0)
		close(at);
	free(real);
	return fd;
}

static enum status load_file(const struct documents *d, struct str iri, struct buf *to,
			     struct diag *why)
{
	cleanup(buf_release) struct buf path = { 0 }, shown = { 0 };
	int fd = -1;

	(void)str_take_prefix(&iri, STR("file://"));
	(void)str_take_prefix(&iri, STR("localhost"));
	buf_add_decoded(&path, iri);
	if (memchr(path.p ? path.p : "", '\0', path.n))
		return diag_fail(why, ST_SYNTAX, "no file has such a name");
	for (size_t i = 0; fd < 0 && i < d->allowed->n; i++)
		fd = open_beneath(d->allowed->v[i], buf_str(&path));
	if (fd < 0)
		return diag_fail(why, ST_DENIED,
				 "LOAD: no such file in the folders that are allowed");
	buf_addf(&shown, "/proc/self/fd/%d", fd);
	enum status st = file_load(buf_cstr(&shown), DOCUMENT_BYTES, to, why);
	close(fd);
	return st;
}

/* --- http --- */

struct fetching {
	const struct documents *d;
	struct buf *to;
	bool named; /* the host of the request was allowed by its name */
	bool refused;
};

static bool host_is_named(const struct documents *d, struct str host)
{
	for (size_t i = 0; i < d->allowed->n; i++)
		if (str_eq_nocase(d->allowed->v[i], host))
			return true;
	return false;
}

static size_t receive(char *data, size_t size, size_t count, void *context)
{
	struct fetching *f = context;

	buf_add(f->to, (struct str){ data, size * count });
	return f->to->overflow ? 0 : size * count;
}

/* The last word before a packet leaves: whatever resolved the name, and to what. */
static curl_socket_t open_socket(void *context, curlsocktype purpose,
				 struct curl_sockaddr *at)
{
	struct fetching *f = context;
	struct ip ip = { 0 };

	(void)purpose;
	if (at->family == AF_INET) {
		ip.n = 4;
		memcpy(ip.bytes, &((struct sockaddr_in *)(void *)&at->addr)->sin_addr, 4);
	} else if (at->family == AF_INET6) {
		ip.n = 16;
		memcpy(ip.bytes, &((struct sockaddr_in6 *)(void *)&at->addr)->sin6_addr,
		       16);
	}
	enum ip_kind kind = ip.n ? ip_kind(&ip) : IP_RESERVED;
	if (kind == IP_METADATA || (kind != IP_PUBLIC && !f->named)) {
		f->refused = true;
		return CURL_SOCKET_BAD;
	}
	return socket(at->family, (int)((unsigned)at->socktype | SOCK_CLOEXEC),
		      at->protocol);
}

/* One request; `*ret_next` is where a redirection leads, freed by the caller. */
static enum status fetch_one(struct fetching *f, const char *url, enum rdf_syntax *ret,
			     char **ret_next, struct diag *why)
{
	struct curl_slist *headers = curl_slist_append(
		NULL, "Accept: text/turtle, application/n-triples, application/trig, "
		      "application/n-quads");
	CURL *c = curl_easy_init();
	char *type = NULL, *next = NULL;
	long code = 0;

	curl_easy_setopt(c, CURLOPT_URL, url);
	curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(c, CURLOPT_PROXY, "");
	curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(c, CURLOPT_TIMEOUT_MS,
			 f->d->timeout_ms ? (long)f->d->timeout_ms : TIMEOUT_MS);
	curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(c, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(c, CURLOPT_OPENSOCKETDATA, f);
	curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, receive);
	curl_easy_setopt(c, CURLOPT_WRITEDATA, f);
	CURLcode done = curl_easy_perform(c);
	curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &code);
	curl_easy_getinfo(c, CURLINFO_CONTENT_TYPE, &type);
	curl_easy_getinfo(c, CURLINFO_REDIRECT_URL, &next);
	*ret = rdf_syntax_of_media_type(str_from(type ? type : ""));
	*ret_next = next ? strdup(next) : NULL;
	curl_easy_cleanup(c);
	curl_slist_free_all(headers);
	if (f->refused)
		return diag_fail(why, ST_DENIED, "LOAD: its address is not a public one");
	if (done != CURLE_OK)
		return diag_fail(why, ST_IO, "LOAD: %s", curl_easy_strerror(done));
	return code == 200 || *ret_next
		       ? ST_OK
		       : diag_fail(why, ST_IO, "LOAD: it answered %ld", code);
}

/* Whether it may be asked; `url` becomes its one normal form, so that curl reads the
 * same. */
static enum status check_host(struct fetching *f, struct buf *url, struct diag *why)
{
	cleanup(buf_release) struct buf scratch = { 0 }, normal = { 0 };
	struct url u;

	TRY(url_parse(buf_str(url), NULL, &scratch, &u, why));
	f->named = host_is_named(f->d, u.host);
	if (!url_is_http(&u) || (!f->named && !host_is_named(f->d, STR("*"))))
		return diag_fail(why, ST_DENIED, "LOAD: host " STR_FMT " was not allowed",
				 STR_ARG(u.host));
	buf_add(&normal, url_without_fragment(&u));
	buf_reset(url);
	buf_add(url, buf_str(&normal));
	return ST_OK;
}

/* Every step of a redirection is judged as the first one is. */
static enum status load_http(const struct documents *d, struct str iri, struct buf *to,
			     enum rdf_syntax *ret, struct diag *why)
{
	struct fetching f = { .d = d, .to = to };
	cleanup(buf_release) struct buf url = { 0 };

	buf_add(&url, iri);
	for (long step = 0; step <= REDIRECTS_MAX; step++) {
		char *next = NULL;

		TRY(check_host(&f, &url, why));
		buf_reset(to);
		enum status st = fetch_one(&f, buf_cstr(&url), ret, &next, why);
		if (st != ST_OK || !next) {
			free(next);
			return st;
		}
		buf_reset(&url);
		buf_add(&url, str_from(next));
		free(next);
	}
	return diag_fail(why, ST_IO, "LOAD: more than %ld redirections", REDIRECTS_MAX);
}

/* --- both --- */

static enum status give_lines(struct str text, bool quads,
			      enum status (*add)(void *, const struct statement *),
			      void *context, struct diag *why)
{
	struct nt_reader r = { .in = text, .quads = quads };
	struct statement s;
	struct diag bad;
	enum status st = ST_OK;

	while (st == ST_OK) {
		enum status line = nt_next(&r, &s, &bad);

		if (line == ST_NOT_FOUND)
			break;
		if (line == ST_OK)
			st = add(context, &s);
		else
			st = diag_fail(why, ST_SYNTAX, "LOAD: line %llu: %s",
				       (unsigned long long)r.line, bad.text);
	}
	nt_reader_release(&r);
	return st;
}

static enum status load(void *context, struct str iri,
			enum status (*add)(void *, const struct statement *),
			void *add_context, struct diag *why)
{
	const struct documents *d = context;
	cleanup(buf_release) struct buf text = BUF(DOCUMENT_BYTES);
	enum rdf_syntax syntax = RDF_UNKNOWN;

	if (str_starts(iri, STR("file://")))
		TRY(load_file(d, iri, &text, why));
	else if (str_starts(iri, STR("http://")) || str_starts(iri, STR("https://")))
		TRY(load_http(d, iri, &text, &syntax, why));
	else
		return diag_fail(why, ST_DENIED, "LOAD: want a file, http or https IRI");
	if (syntax == RDF_UNKNOWN)
		syntax = rdf_syntax_of(str_slice(iri, 0, str_find_char(iri, '?')));
	switch (syntax) {
	case RDF_NTRIPLES:
	case RDF_NQUADS:
		return give_lines(buf_str(&text), syntax == RDF_NQUADS, add, add_context,
				  why);
	case RDF_TURTLE:
	case RDF_TRIG:
		return turtle_parse(buf_str(&text),
				    syntax == RDF_TRIG ? SYNTAX_TRIG : SYNTAX_TURTLE, iri,
				    (struct turtle_sink){ add, add_context }, why);
	case RDF_UNKNOWN:
		break;
	}
	return diag_fail(
		why, ST_UNSUPPORTED,
		"LOAD: neither type nor name tell Turtle, TriG, N-Triples or N-Quads");
}

struct document_loader documents_loader(struct documents *d)
{
	if (d->allowed->n == 0)
		return (struct document_loader){ 0 };
	return (struct document_loader){ load, d };
}
