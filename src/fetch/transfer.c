#include "fetch/transfer.h"

#include <errno.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/date.h"
#include "fetch/failure.h"

#define BODY_MAX       ((uint64_t)100 << 20)
#define SPOOL_ABOVE    ((uint64_t)4 << 20)
#define HEADER_MAX     ((uint64_t)128 << 10)
#define HEADER_USUAL   ((size_t)8 << 10) /* memory for more is not kept */
#define CONNECT_MS     20000
#define TOTAL_MS       (20 * 60 * 1000)
#define MIN_SPEED      50
#define MIN_SPEED_SECS 30
#define RECEIVE_BYTES  65536
#define SYSTEM_CA      "/etc/ssl/certs/ca-certificates.crt"

static uint64_t or_default(uint64_t value, uint64_t standard)
{
	return value ? value : standard;
}

static char *arena_cstr(struct arena *a, struct str s)
{
	char *c = arena_alloc(a, s.n + 1);

	memcpy(c, s.p, s.n);
	c[s.n] = '\0';
	return c;
}

/* TLS version and cipher can only be asked while the connection is there. */
static void note_tls(struct transfer *t)
{
	struct curl_tlssessioninfo *info = NULL;

	if (t->url.scheme_kind != URL_HTTPS ||
	    curl_easy_getinfo(t->easy, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK ||
	    !info || info->backend != CURLSSLBACKEND_OPENSSL || !info->internals)
		return;
	t->tls = SSL_get_version(info->internals);
	t->cipher = SSL_get_cipher_name(info->internals);
}

/* The last word on where we connect to, whatever made libcurl go there. */
static bool is_permitted(struct transfer *t, const struct sockaddr *to)
{
	if (t->by_proxy || guard_address_listed(&t->where, to))
		return true;
	t->cut = CUT_GUARD;
	return false;
}

/* Of ours, and no fault of the host. */
static bool is_shortage(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

static curl_socket_t on_socket_needed(void *arg, curlsocktype purpose,
				      struct curl_sockaddr *to)
{
	struct transfer *t = arg;

	(void)purpose;
	if (!is_permitted(t, &to->addr))
		return CURL_SOCKET_BAD;
	int fd = socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
	t->socket_errno = fd < 0 && is_shortage(errno) ? errno : 0;
	if (fd >= 0)
		fetch_note_opened(t->fetch, fd);
	return fd < 0 ? CURL_SOCKET_BAD : fd;
}

/*
 * A connection is there, and the request is about to go.  When one that was used before
 * breaks, libcurl asks again at once on another; how often a server is asked, and when,
 * is for the frontier to say.
 */
static int on_connected(void *arg, char *to_ip, char *from_ip, int to_port, int from_port)
{
	struct transfer *t = arg;

	(void)to_ip, (void)from_ip, (void)to_port, (void)from_port;
	if (t->sent)
		t->cut = CUT_REPEAT;
	else if (!fetch_may_send(t))
		t->cut = CUT_DEFERRED;
	t->sent = true;
	return t->cut ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

/* Of two lengths none can be believed (RFC 9112 6.3); libcurl takes the last. */
static bool contradicts_length(struct transfer *t, struct str line)
{
	struct str name = STR("content-length:");

	if (!str_starts_nocase(line, name))
		return false;
	struct str value = str_trim(str_skip(line, name.n));
	bool differs = t->content_length.n > 0 && !str_eq(value, t->content_length);
	t->content_length = arena_copy(t->arena, value);
	return differs;
}

static void end_header(struct transfer *t)
{
	long status = 0;

	t->header_done = true;
	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status == 429 || status == 503)
		fetch_note_overtaxed(t);
	if (status >= 200 && !fetch_wants_body(t, (int)status))
		t->cut = CUT_REFUSED;
}

static size_t on_header(char *p, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	struct str line = { p, size * n };

	if (t->header_done && !str_starts(line, STR("HTTP/")))
		return line.n; /* trailers after the body: not part of the header */
	if (str_starts(line, STR("HTTP/"))) {
		/* 100 Continue and 103 Early Hints are followed by the real answer. */
		buf_reset(&t->header);
		t->header_done = false;
		t->content_length = STR("");
		if (!t->first_byte_ns)
			note_tls(t);
	}
	if (!t->first_byte_ns)
		t->first_byte_ns = clock_mono_ns(&real_clock);
	buf_add(&t->header, line);
	if (t->header.overflow)
		t->cut = CUT_HEADER_SIZE;
	else if (contradicts_length(t, line))
		t->cut = CUT_LENGTH;
	else if (line.n <= 2 && str_trim(line).n == 0)
		end_header(t);
	return t->cut ? 0 : line.n;
}

/* The body so far goes to a file, and all that follows. */
static bool open_spool(struct transfer *t, const struct fetch_options *o)
{
	char path[512];
	static uint64_t serial;

	snprintf(path, sizeof(path), STR_FMT "/%llu-%llu.body", STR_ARG(o->spool_dir),
		 (unsigned long long)t->start_mono_ns, (unsigned long long)++serial);
	if (file_open(&t->spool, path, FILE_CREATE, NULL) != ST_OK ||
	    file_write(&t->spool, buf_str(t->body), NULL) != ST_OK)
		return false;
	t->spool_bytes = t->body->n;
	buf_reset(t->body);
	return true;
}

static size_t on_body(char *p, size_t size, size_t n, void *arg)
{
	struct transfer *t = arg;
	const struct fetch_options *o = fetch_options_of(t->fetch);
	uint64_t have = t->spool.path ? t->spool_bytes : t->body->n;
	uint64_t max = or_default(o->body_max, BODY_MAX);
	struct str part = { p, size * n };

	if (have + part.n > max) {
		t->cut = CUT_BODY_SIZE;
		part.n = (size_t)(max - have);
	}
	if (!t->spool.path && o->spool_dir.n &&
	    have + part.n > or_default(o->spool_above, SPOOL_ABOVE) && !open_spool(t, o))
		t->cut = CUT_DISK;
	if (t->spool.path) {
		if (file_write(&t->spool, part, NULL) != ST_OK)
			t->cut = CUT_DISK;
		t->spool_bytes += part.n;
	} else {
		buf_add(t->body, part);
		if (t->body->overflow)
			t->cut = CUT_BODY_SIZE;
	}
	return t->cut ? 0 : part.n;
}

/*
 * With "socks5://" and "socks4://" libcurl would resolve names by itself, unguarded and
 * where the proxy is perhaps meant to hide us; the other forms leave it to the proxy.
 */
static struct str resolving_proxy(struct str proxy, struct arena *a)
{
	static const struct {
		struct str from, to;
	} forms[] = {
		{ { "socks5://", 9 }, { "socks5h://", 10 } },
		{ { "socks4://", 9 }, { "socks4a://", 10 } },
	};
	cleanup(buf_release) struct buf b = { 0 };

	for (size_t i = 0; i < COUNT(forms); i++)
		if (str_starts_nocase(proxy, forms[i].from)) {
			buf_add(&b, forms[i].to);
			buf_add(&b, str_skip(proxy, forms[i].from.n));
			return arena_copy(a, buf_str(&b));
		}
	return proxy;
}

void transfer_init(struct transfer *t, struct fetch *f, const struct fetch_options *o)
{
	CURL *e = curl_easy_init();

	*t = (struct transfer){ .fetch = f,
				.easy = e,
				.header = BUF(or_default(o->header_max, HEADER_MAX)) };
	curl_easy_setopt(e, CURLOPT_PRIVATE, t);
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(e, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(e, CURLOPT_PREREQFUNCTION, on_connected);
	curl_easy_setopt(e, CURLOPT_PREREQDATA, t);
	curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, on_socket_needed);
	curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, t);
	curl_easy_setopt(e, CURLOPT_ERRORBUFFER, t->error);
	curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(e, CURLOPT_PATH_AS_IS, 1L); /* the URL is normal already */
	curl_easy_setopt(e, CURLOPT_HTTP_CONTENT_DECODING,
			 0L); /* as received, for WARC */
	curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(e, CURLOPT_BUFFERSIZE, (long)RECEIVE_BYTES);
	curl_easy_setopt(e, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS,
			 (long)or_default(o->connect_ms, CONNECT_MS));
	curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, (long)MIN_SPEED_SECS);
	/* With a CAPATH every TLS connection parses the whole bundle again: 30 ms each.
	 */
	curl_easy_setopt(e, CURLOPT_CAPATH, NULL);
	cleanup(arena_release) struct arena a = { 0 };
	curl_easy_setopt(e, CURLOPT_CAINFO,
			 o->ca_file.n ? arena_cstr(&a, o->ca_file) : SYSTEM_CA);
	if (o->insecure) {
		curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	if (o->proxy.n)
		curl_easy_setopt(e, CURLOPT_PROXY,
				 arena_cstr(&a, resolving_proxy(o->proxy, &a)));
	else
		curl_easy_setopt(e, CURLOPT_PROXY, ""); /* not from the environment */
	curl_easy_setopt(e, CURLOPT_NOPROXY, ""); /* nor around it: the guard is told */
}

void transfer_release(struct transfer *t)
{
	curl_easy_cleanup(t->easy);
	buf_release(&t->header);
	file_close(&t->spool);
}

static void add_field(struct transfer *t, struct str name, struct str value)
{
	struct curl_slist *node = &t->fields[t->field_count];

	if (t->field_count == REQUEST_FIELDS_MAX)
		return;
	char *text = arena_alloc(t->arena, name.n + value.n + 3);
	memcpy(text, name.p, name.n);
	memcpy(text + name.n, ": ", 2);
	memcpy(text + name.n + 2, value.p, value.n);
	text[name.n + 2 + value.n] = '\0';
	*node = (struct curl_slist){ .data = text };
	if (t->field_count)
		node[-1].next = node;
	t->field_count++;
}

/* What a page's script wants; true when it said what it accepts. */
static bool add_wishes(struct transfer *t, struct str fields)
{
	bool accepts = false;
	struct str line;

	while (str_take_until(&fields, '\n', &line)) {
		size_t colon = str_find_char(line, ':');

		if (colon == STR_NONE)
			continue;
		struct str name = str_trim(str_slice(line, 0, colon));
		add_field(t, name, str_trim(str_skip(line, colon + 1)));
		accepts |= str_eq_nocase(name, STR("Accept"));
	}
	return accepts;
}

static void add_conditions(struct transfer *t)
{
	cleanup(buf_release) struct buf date = { 0 };

	if (t->task->etag.n)
		add_field(t, STR("If-None-Match"), t->task->etag);
	if (t->task->modified_ms) {
		buf_add_date_http(&date, t->task->modified_ms);
		add_field(t, STR("If-Modified-Since"), buf_str(&date));
	}
}

/* "Name: value" */
static void add_line(struct transfer *t, struct str line)
{
	size_t colon = str_find_char(line, ':');

	if (colon != STR_NONE)
		add_field(t, str_trim(str_slice(line, 0, colon)),
			  str_trim(str_skip(line, colon + 1)));
}

/* Every field is given by us, so that the request is known to the byte. */
static void set_fields(struct transfer *t, const struct fetch_options *o)
{
	t->field_count = 0;
	add_field(t, STR("User-Agent"), o->user_agent);
	if (!add_wishes(t, t->task->fields))
		add_field(t, STR("Accept"),
			  STR("text/html,application/xhtml+xml,application/xml;q=0.9,"
			      "*/*;q=0.8"));
	add_field(t, STR("Accept-Encoding"), STR("gzip, deflate, br, zstd"));
	if (o->accept_language.n)
		add_field(t, STR("Accept-Language"), o->accept_language);
	if (o->from.n)
		add_field(t, STR("From"), o->from);
	for (size_t i = 0; i < o->headers.n; i++)
		add_line(t, o->headers.v[i]);
	if (t->task->cookies.n)
		add_field(t, STR("Cookie"), t->task->cookies);
	struct str auth = fetch_authorization(t);
	if (auth.n > 0)
		add_field(t, STR("Authorization"), auth);
	add_conditions(t);
	curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->fields);
}

static void set_method(struct transfer *t)
{
	struct str post = t->task->post;

	curl_easy_setopt(t->easy, CURLOPT_HTTPGET, 1L);
	if (!post.p)
		return;
	curl_easy_setopt(t->easy, CURLOPT_POST, 1L);
	curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post.n);
	curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS, post.p);
}

/*
 * A WebSocket is a GET that is answered by 101; what follows is its body, and never ends:
 * it is cut after the task's own time.  HTTP/2 has no such upgrade.
 */
static void set_limits(struct transfer *t, const struct fetch_options *o)
{
	uint32_t slice_ms = t->task->slice_ms;

	curl_easy_setopt(t->easy, CURLOPT_TIMEOUT_MS,
			 slice_ms ? (long)slice_ms
				  : (long)or_default(o->total_ms, TOTAL_MS));
	curl_easy_setopt(t->easy, CURLOPT_LOW_SPEED_LIMIT,
			 slice_ms ? 0L : (long)or_default(o->min_speed, MIN_SPEED));
	curl_easy_setopt(t->easy, CURLOPT_HTTP_VERSION,
			 o->http1_only || slice_ms ? (long)CURL_HTTP_VERSION_1_1
						   : (long)CURL_HTTP_VERSION_2TLS);
}

static void add_bracketed(struct buf *b, const struct ip *ip)
{
	buf_add(b, ip->n == 16 ? STR("[") : STR(""));
	buf_add_ip(b, ip);
	buf_add(b, ip->n == 16 ? STR("]") : STR(""));
}

static struct str route_elsewhere(struct transfer *t, const struct dns_answer *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add(&b, STR("::"));
	add_bracketed(&b, &a->ips[0]);
	buf_addf(&b, ":%u", a->port ? a->port : t->url.port_number);
	return arena_copy(t->arena, buf_str(&b));
}

static struct str route_to_all(struct transfer *t, const struct dns_answer *a)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_char(&b, '+');
	buf_add(&b, t->url.host);
	buf_addf(&b, ":%u", t->url.port_number);
	for (size_t i = 0; i < a->n; i++) {
		buf_add_char(&b, i ? ',' : ':');
		add_bracketed(&b, &a->ips[i]);
	}
	return arena_copy(t->arena, buf_str(&b));
}

/*
 * libcurl asks no name server: it is told "host:port:addresses", or one place to go.
 * The text has no limit: without it libcurl would resolve by itself.
 */
static void set_route(struct transfer *t, const struct dns_answer *a)
{
	bool elsewhere = a && (a->port || a->pinned);

	t->socket_errno = 0;
	t->by_proxy = a == NULL;
	t->where = a ? *a : (struct dns_answer){ 0 };
	curl_easy_setopt(t->easy, CURLOPT_CONNECT_TO, NULL);
	curl_easy_setopt(t->easy, CURLOPT_RESOLVE, NULL);
	if (!a || (!elsewhere && t->url.host_kind != HOST_DOMAIN))
		return;
	struct str text = elsewhere ? route_elsewhere(t, a) : route_to_all(t, a);
	t->route = (struct curl_slist){ .data = arena_cstr(t->arena, text) };
	curl_easy_setopt(t->easy, elsewhere ? CURLOPT_CONNECT_TO : CURLOPT_RESOLVE,
			 &t->route);
}

void transfer_prepare(struct transfer *t, const struct fetch_options *o,
		      const struct dns_answer *answer)
{
	t->cut = CUT_NOT;
	t->header_done = t->sent = false;
	t->content_length = STR("");
	t->first_byte_ns = 0;
	t->spool_bytes = 0;
	t->tls = t->cipher = NULL;
	t->error[0] = '\0';
	buf_reset_small(&t->header, HEADER_USUAL);
	buf_reset(t->body);
	curl_easy_setopt(t->easy, CURLOPT_URL,
			 arena_cstr(t->arena, url_without_fragment(&t->url)));
	set_fields(t, o);
	set_method(t);
	set_limits(t, o);
	set_route(t, answer);
	t->start_wall_ms = clock_wall_ms(&real_clock);
	t->start_mono_ns = clock_mono_ns(&real_clock);
}

static struct str request_text(struct transfer *t)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add(&b, t->task->post.p ? STR("POST ") : STR("GET "));
	buf_add(&b, url_path_query(&t->url));
	buf_add(&b, STR(" HTTP/1.1\r\nHost: "));
	buf_add(&b, url_authority(&t->url));
	buf_add(&b, STR("\r\n"));
	for (size_t i = 0; i < t->field_count; i++) {
		buf_add(&b, str_from(t->fields[i].data));
		buf_add(&b, STR("\r\n"));
	}
	buf_add(&b, STR("\r\n"));
	return arena_copy(t->arena, buf_str(&b));
}

/* HTTP/2 has no status line; the archive's custom is to write one of HTTP/1.1. */
static struct str header_text(struct transfer *t)
{
	struct str h = buf_str(&t->header);
	cleanup(buf_release) struct buf b = { 0 };

	if (!str_starts(h, STR("HTTP/2")) && !str_starts(h, STR("HTTP/3")))
		return arena_copy(t->arena, h);
	buf_add(&b, STR("HTTP/1.1"));
	size_t space = str_find_char(h, ' ');
	buf_add(&b, space == STR_NONE ? STR("\r\n") : str_skip(h, space));
	return arena_copy(t->arena, buf_str(&b));
}

static enum truncation truncation_of(const struct transfer *t, CURLcode code)
{
	if (t->cut == CUT_BODY_SIZE)
		return TRUNCATED_LENGTH;
	if (t->cut == CUT_REFUSED)
		return TRUNCATED_UNSPECIFIED;
	if (code == CURLE_OPERATION_TIMEDOUT || t->cut == CUT_FIRST_BYTE ||
	    t->cut == CUT_ABORTED)
		return TRUNCATED_TIME;
	return code == CURLE_OK ? TRUNCATED_NOT : TRUNCATED_DISCONNECT;
}

static void add_connection_facts(struct transfer *t, struct fetch_result *r)
{
	char *ip = NULL;
	long version = 0;

	curl_easy_getinfo(t->easy, CURLINFO_PRIMARY_IP, &ip);
	curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
	r->ip = arena_copy(t->arena, str_from(ip ? ip : ""));
	r->protocol = version == CURL_HTTP_VERSION_2_0   ? STR("h2")
		      : version == CURL_HTTP_VERSION_1_0 ? STR("http/1.0")
							 : STR("http/1.1");
	if (t->tls && strncmp(t->tls, "TLSv", 4) == 0) {
		cleanup(buf_release) struct buf b = { 0 };

		buf_add(&b, STR("tls/"));
		buf_add(&b, str_from(t->tls + 4));
		r->tls = arena_copy(t->arena, buf_str(&b));
		r->cipher = str_from(t->cipher ? t->cipher : "");
	}
}

struct fetch_result transfer_result(struct transfer *t, CURLcode code)
{
	int64_t now = clock_mono_ns(&real_clock);
	struct fetch_result r = {
		.task = t->task,
		.start_ms = t->start_wall_ms,
		.duration_ms = (uint32_t)((now - t->start_mono_ns) / 1000000),
		.request = request_text(t),
	};
	long status = 0;
	curl_off_t down = 0;

	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_getinfo(t->easy, CURLINFO_SIZE_DOWNLOAD_T, &down);
	/* Once the header is whole there is an answer, however the body ended. */
	bool is_slice = status == 101 && t->task->slice_ms > 0;
	bool answered = t->header_done && (status >= 200 || is_slice) &&
			t->cut != CUT_HEADER_SIZE;
	r.code = answered ? (int)status : failure_code(t, code);
	r.cause = (uint8_t)(answered ? CAUSE_NONE : failure_cause(t, code));
	if (!answered || code != CURLE_OK)
		r.error = failure_words(t, code);
	if (t->first_byte_ns)
		r.first_byte_ms =
			(uint32_t)((t->first_byte_ns - t->start_mono_ns) / 1000000);
	add_connection_facts(t, &r);
	if (!answered)
		return r;
	r.truncated = (uint8_t)truncation_of(t, code);
	r.header = header_text(t);
	r.wire_bytes = r.header.n + (uint64_t)down;
	r.body_bytes = t->spool.path ? t->spool_bytes : t->body->n;
	if (t->spool.path) {
		r.spool = arena_copy(t->arena, str_from(t->spool.path));
		file_close(&t->spool);
	} else {
		r.body = buf_str(t->body);
	}
	return r;
}
