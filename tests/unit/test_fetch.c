/* Against a server of our own on loopback that misbehaves on request. */
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dns_server.h"
#include "fetch/fetch.h"
#include "os/file.h"
#include "test.h"

static struct loop loop;
static struct fetch *fetch;
static int listener, port;
static char spool_dir[] = "/tmp/thresh-test-spool.XXXXXX";

/* ---- the server: one thread a connection, an answer a path ---- */

static bool put(int fd, const char *text)
{
	return send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text);
}

static void many(int fd, const char *text, int times)
{
	for (int i = 0; i < times && put(fd, text); i++)
		;
}

static char last_request[4096];
static _Atomic int closed_instead, may_finish;

/* False when the connection must end. */
static bool answer(int fd, const char *path)
{
	if (strcmp(path, "/ok") == 0)
		return put(fd,
			   "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello");
	if (strcmp(path, "/chunked") == 0)
		return put(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
			       "3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: x\r\n\r\n");
	if (strcmp(path, "/gzip") == 0)
		return put(fd, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
			       "Content-Length: 6\r\n\r\n\x1f\x8bxxxx");
	if (strcmp(path, "/hints") == 0)
		return put(fd, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
			       "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
	if (strcmp(path, "/redirect") == 0)
		return put(fd, "HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: "
			       "0\r\n\r\n");
	if (strcmp(path, "/big") == 0) {
		put(fd, "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
		many(fd, "0123456789", 10000);
		return true;
	}
	if (strcmp(path, "/endless") == 0) {
		put(fd, "HTTP/1.1 200 OK\r\n\r\n");
		many(fd, "for ever and ever ", 100000);
	} else if (strcmp(path, "/headers") == 0) {
		put(fd, "HTTP/1.1 200 OK\r\n");
		many(fd, "X-Field: 0123456789012345678901234567890123456789\r\n", 20000);
	} else if (strcmp(path, "/short") == 0) {
		put(fd, "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nonly this");
	} else if (strcmp(path, "/lengths") == 0) {
		put(fd,
		    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 4\r\n\r\n"
		    "hello");
	} else if (strcmp(path, "/same-lengths") == 0) {
		put(fd,
		    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\ncontent-length: 5\r\n\r\n"
		    "hello");
	} else if (strcmp(path, "/closed") == 0) {
		closed_instead++;
	} else if (strcmp(path, "/busy") == 0) {
		put(fd, "HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\n");
		while (!may_finish)
			usleep(1000);
		put(fd, "later");
	} else if (strcmp(path, "/silent") == 0) {
		sleep(2);
	} else if (strcmp(path, "/garbage") == 0) {
		put(fd, "SSH-2.0-OpenSSH_9.2\r\n");
	}
	return false;
}

static void *serve(void *arg)
{
	int fd = (int)(intptr_t)arg;
	char request[4096];
	size_t n = 0;

	for (;;) {
		ssize_t got = recv(fd, request + n, sizeof(request) - 1 - n, 0);
		char path[64] = "";

		if (got <= 0)
			break;
		n += (size_t)got;
		request[n] = '\0';
		if (!strstr(request, "\r\n\r\n"))
			continue;
		memcpy(last_request, request, n + 1);
		n = 0;
		sscanf(request, "GET %63s", path);
		if (strncmp(path, "http://", 7) == 0) /* as a proxy is asked */
			snprintf(path, sizeof(path), "/ok");
		if (!answer(fd, path))
			break;
	}
	close(fd);
	return NULL;
}

static void *accept_all(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_t thread;
		int fd = accept(listener, NULL, NULL);

		if (fd < 0)
			return NULL;
		if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) == 0)
			pthread_detach(thread);
	}
}

static bool start_server(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	pthread_t thread;

	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(listener, (struct sockaddr *)&a, n) != 0 || listen(listener, 128) != 0 ||
	    getsockname(listener, (struct sockaddr *)&a, &n) != 0 ||
	    pthread_create(&thread, NULL, accept_all, NULL) != 0)
		return false;
	port = ntohs(a.sin_port);
	return true;
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
}

static void asked_release(struct asked *a)
{
	arena_release(&a->arena);
	buf_release(&a->body);
}

static void begin(struct asked *a, const char *host, const char *path)
{
	char url[512];

	snprintf(url, sizeof(url), "http://%s%s", host, path);
	a->task.url = arena_copy(&a->arena, str_from(url));
	fetch_start(fetch, &a->task, &a->arena, &a->body, a);
}

static bool finished(struct asked *a)
{
	for (int i = 0; i < 1000 && !a->done; i++)
		if (loop_step(&loop, 10, NULL) != ST_OK)
			return false;
	return a->done;
}

static bool ask(struct asked *a, const char *path)
{
	begin(a, "site.test", path);
	return finished(a);
}

static struct fetch_options usual(void)
{
	static char place[32];

	snprintf(place, sizeof(place), "127.0.0.1:%d", port);
	return (struct fetch_options){
		.user_agent = STR("thresh-test"),
		.connect_to = str_from(place),
		.spool_dir = str_from(spool_dir),
		.first_byte_ms = 300,
		.body_max = 200000,
		.spool_above = 50000,
		.header_max = 20000,
	};
}

static void an_answer_is_handed_over_to_the_byte(void)
{
	cleanup(asked_release) struct asked a = { 0 };

	a.task.etag = STR("\"v1\"");
	CHECK(ask(&a, "/ok") && a.result.code == 200);
	CHECK(str_eq(a.result.body, STR("hello")) && a.result.body_bytes == 5);
	CHECK(str_eq(a.result.header,
		     STR("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\n")));
	CHECK(str_eq(a.result.ip, STR("127.0.0.1")) && a.result.truncated == 0);
	CHECK(str_eq(a.result.protocol, STR("http/1.1")) && a.result.error.n == 0);
	/* What we say we sent is what the server got. */
	CHECK(str_eq(a.result.request, str_from(last_request)));
	CHECK(str_find(a.result.request, STR("If-None-Match: \"v1\"\r\n")) != STR_NONE);
}

static void chunks_are_joined_but_codings_stay(void)
{
	cleanup(asked_release) struct asked a = { 0 }, b = { 0 };

	CHECK(ask(&a, "/chunked") && str_eq(a.result.body, STR("abcde")));
	CHECK(str_find(a.result.header, STR("X-Trailer")) == STR_NONE);
	CHECK(ask(&b, "/gzip") && str_eq(b.result.body, STR("\x1f\x8bxxxx")));
}

static void redirects_are_not_followed_and_hints_not_mistaken(void)
{
	cleanup(asked_release) struct asked a = { 0 }, b = { 0 };

	CHECK(ask(&a, "/redirect") && a.result.code == 302);
	CHECK(ask(&b, "/hints") && b.result.code == 404);
	CHECK(str_starts(b.result.header, STR("HTTP/1.1 404")));
}

static void a_large_body_goes_to_the_spool(void)
{
	cleanup(asked_release) struct asked a = { 0 };
	cleanup(buf_release) struct buf file = { 0 };
	char path[256];

	CHECK(ask(&a, "/big") && a.result.code == 200 && a.result.body_bytes == 100000);
	CHECK(a.result.body.n == 0 && a.result.spool.n && a.result.truncated == 0);
	snprintf(path, sizeof(path), STR_FMT, STR_ARG(a.result.spool));
	CHECK(file_load(path, 1 << 20, &file, NULL) == ST_OK && file.n == 100000);
	CHECK(str_ends(buf_str(&file), STR("0123456789")));
	CHECK(file_remove(path, NULL) == ST_OK);
}

static void what_never_ends_is_cut_and_marked(void)
{
	cleanup(asked_release) struct asked a = { 0 }, b = { 0 }, c = { 0 }, d = { 0 };

	CHECK(ask(&a, "/endless") && a.result.code == 200);
	CHECK(a.result.truncated == TRUNCATED_LENGTH && a.result.body_bytes == 200000);
	CHECK(ask(&b, "/headers") && b.result.code < 0 && b.result.error.n);
	CHECK(ask(&c, "/short") && c.result.code == 200);
	CHECK(c.result.truncated == TRUNCATED_DISCONNECT);
	CHECK(str_eq(c.result.body, STR("only this")));
	CHECK(ask(&d, "/silent") && d.result.code == FETCH_TIMED_OUT);
}

static void what_is_not_http_or_not_there_is_a_failure_in_words(void)
{
	cleanup(asked_release) struct asked a = { 0 }, b = { 0 };

	CHECK(ask(&a, "/garbage") && a.result.code < 0 && a.result.error.n);
	b.task.url = STR("ftp://site.test/");
	fetch_start(fetch, &b.task, &b.arena, &b.body, &b);
	CHECK(!b.done); /* never from inside fetch_start() */
	CHECK(finished(&b) && b.result.code == FETCH_UNSUPPORTED);
}

static void connections_are_kept(void)
{
	uint64_t before = fetch_connections(fetch);

	for (int i = 0; i < 20; i++) {
		cleanup(asked_release) struct asked a = { 0 };

		CHECK(ask(&a, "/ok") && a.result.code == 200);
	}
	CHECK(fetch_connections(fetch) <= before + 1);
}

static void many_at_once_each_get_their_own_answer(void)
{
	static struct asked all[64];

	for (int i = 0; i < 64; i++) {
		char host[32];

		snprintf(host, sizeof(host), "host%d.test", i % 16);
		begin(&all[i], host, i % 2 ? "/ok" : "/chunked");
	}
	CHECK(fetch_in_flight(fetch) == 64);
	for (int i = 0; i < 64; i++) {
		CHECK(finished(&all[i]) && all[i].result.code == 200);
		CHECK(str_eq(all[i].result.body, i % 2 ? STR("hello") : STR("abcde")));
		CHECK(all[i].result.task == &all[i].task);
		asked_release(&all[i]);
	}
	CHECK(fetch_in_flight(fetch) == 0);
}

/* One with the guard on, that asks our own name server. */
static struct fetch *guarded(void)
{
	struct fetch_options o = {
		.user_agent = STR("x"),
		.connect_ms = 200,
		.first_byte_ms = 300,
		.dns = { .servers = dns_place,
			 .timeout_ms = 100,
			 .tries = 1,
			 .ttl_min_ms = 10,
			 .ttl_max_ms = 10 },
	};
	struct fetch *f;

	return fetch_open(&f, &loop, &o, on_done, NULL, NULL) == ST_OK ? f : NULL;
}

static void allow_seed(struct fetch *f, const char *host)
{
	cleanup(buf_release) struct buf scratch = { 0 }, text = { 0 };
	struct url u;

	buf_addf(&text, "http://%s/", host);
	if (url_parse(buf_str(&text), NULL, &scratch, &u, NULL) == ST_OK)
		fetch_allow_seed(f, &u);
}

/* The code of a request for `host` on our server's port; its cause too. */
static int guarded_code(struct fetch *f, const char *host, int *ret_cause)
{
	cleanup(asked_release) struct asked a = { 0 };
	struct fetch *usual_one = fetch;
	char place[512];

	snprintf(place, sizeof(place), "%s:%d", host, port);
	fetch = f;
	begin(&a, place, "/ok");
	fetch = usual_one;
	bool done = finished(&a);
	if (ret_cause)
		*ret_cause = a.result.cause;
	if (done && a.result.error.n > 0)
		printf("# %.40s: " STR_FMT "\n", host, STR_ARG(a.result.error));
	return done ? a.result.code : 0;
}

static void private_addresses_are_refused_unless_allowed(void)
{
	struct fetch *f = guarded();
	int cause;

	CHECK(f && guarded_code(f, "127.0.0.1", &cause) == FETCH_BLOCKED);
	CHECK(cause == CAUSE_GUARD);
	CHECK(guarded_code(f, "private.example", NULL) == FETCH_BLOCKED);
	allow_seed(f, "127.0.0.1");
	CHECK(guarded_code(f, "127.0.0.1", NULL) == 200);
	CHECK(guarded_code(f, "private.example", NULL) == FETCH_BLOCKED);
	fetch_close(f);
}

/*
 * libcurl knows by itself that all below "localhost" is this machine.  With a name and
 * addresses that are long enough it was not told where to go.
 */
static void a_long_name_with_many_addresses_does_not_slip_past_the_guard(void)
{
	struct fetch *f = guarded();
	char host[256] = "many.";

	for (int i = 0; i < 4; i++)
		strcat(host, "0123456789012345678901234567890123456789012345678.");
	strcat(host, "localhost");
	CHECK(f && guarded_code(f, host, NULL) < 0);
	CHECK(fetch_known(f, str_from(host)) == NULL ||
	      fetch_known(f, str_from(host))->n == 8);
	fetch_close(f);
}

static void wait_ms(int ms)
{
	for (int i = 0; i < ms / 10; i++)
		if (loop_step(&loop, 10, NULL) != ST_OK)
			return;
	usleep(10000);
}

static void a_seed_is_exempt_for_the_addresses_it_had_first(void)
{
	struct fetch *f = guarded();

	CHECK(f);
	allow_seed(f, "seed.example");
	dns_address = 0x7f000001;
	CHECK(guarded_code(f, "seed.example", NULL) == 200);
	dns_address = 0x7f000002; /* as private as the first, but another */
	wait_ms(50);
	CHECK(guarded_code(f, "seed.example", NULL) == FETCH_BLOCKED);
	dns_address = 0x7f000001;
	wait_ms(50);
	CHECK(guarded_code(f, "seed.example", NULL) == 200);
	fetch_close(f);
}

static void ignore_answer(void *arg, const struct dns_answer *a)
{
	*(bool *)arg = a->n > 0;
}

/* Between the first look and the first request there may be minutes. */
static void what_counts_is_the_first_resolution_not_the_first_request(void)
{
	struct fetch *f = guarded();
	bool resolved = false;

	CHECK(f);
	allow_seed(f, "later.example");
	dns_address = 0x08080808; /* nobody connects to it */
	fetch_resolve(f, STR("later.example"), ignore_answer, &resolved);
	for (int i = 0; i < 100 && !resolved; i++)
		CHECK(loop_step(&loop, 10, NULL) == ST_OK);
	CHECK(resolved);
	dns_address = 0x7f000001;
	wait_ms(50);
	CHECK(guarded_code(f, "later.example", NULL) == FETCH_BLOCKED);
	fetch_close(f);
}

static void a_seed_is_never_exempt_for_a_metadata_service(void)
{
	struct fetch *f = guarded();

	CHECK(f);
	allow_seed(f, "cloud.example");
	allow_seed(f, "169.254.169.254");
	dns_address = 0xa9fea9fe;
	CHECK(guarded_code(f, "cloud.example", NULL) == FETCH_BLOCKED);
	CHECK(guarded_code(f, "169.254.169.254", NULL) == FETCH_BLOCKED);
	dns_address = 0x7f000001;
	fetch_close(f);
}

static void dns_trouble_and_missing_names_are_two_causes(void)
{
	struct fetch *f = guarded();
	int cause;

	CHECK(f && guarded_code(f, "nxdomain.example", &cause) == FETCH_DNS_FAILED);
	CHECK(cause == CAUSE_NO_NAME && !fetch_cause_of(CAUSE_NO_NAME)->may_pass);
	CHECK(guarded_code(f, "servfail.example", &cause) == FETCH_DNS_FAILED);
	CHECK(cause == CAUSE_DNS_TROUBLE && fetch_cause_of(CAUSE_DNS_TROUBLE)->may_pass);
	fetch_close(f);
}

/* The test's own server plays the proxy: it answers whatever it is asked. */
static void a_proxy_does_not_turn_the_guard_off(void)
{
	char proxy[64];
	struct fetch_options o = { .user_agent = STR("x"), .first_byte_ms = 300 };
	struct fetch *f;

	snprintf(proxy, sizeof(proxy), "http://127.0.0.1:%d", port);
	o.proxy = str_from(proxy);
	setenv("no_proxy", "direct.localhost", 1);
	CHECK(fetch_open(&f, &loop, &o, on_done, NULL, NULL) == ST_OK);
	CHECK(guarded_code(f, "169.254.169.254", NULL) == FETCH_BLOCKED);
	CHECK(guarded_code(f, "10.1.2.3", NULL) == FETCH_BLOCKED);
	CHECK(guarded_code(f, "[::1]", NULL) == FETCH_BLOCKED);
	CHECK(guarded_code(f, "direct.localhost", NULL) == FETCH_BLOCKED);
	CHECK(guarded_code(f, "public.example", NULL) == 200);
	allow_seed(f, "10.1.2.3");
	allow_seed(f, "direct.localhost");
	CHECK(guarded_code(f, "10.1.2.3", NULL) == 200);
	CHECK(guarded_code(f, "direct.localhost", NULL) == 200);
	CHECK(strstr(last_request, "GET http://direct.localhost")); /* by the proxy */
	unsetenv("no_proxy");
	fetch_close(f);
}

static _Atomic int socks_type; /* of the address that a SOCKS proxy was asked for */

static void *serve_socks(void *arg)
{
	int fd = accept(*(int *)arg, NULL, NULL);
	uint8_t said[512];

	if (fd >= 0 && recv(fd, said, sizeof(said), 0) >= 3 &&
	    send(fd, "\5\0", 2, MSG_NOSIGNAL) == 2 &&
	    recv(fd, said, sizeof(said), 0) >= 4)
		socks_type = said[3];
	close(fd);
	return NULL;
}

static void a_socks_proxy_resolves_not_libcurl(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(at);
	struct fetch_options o = { .user_agent = STR("x"), .first_byte_ms = 2000 };
	struct fetch *f;
	pthread_t thread;
	char proxy[64];
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(bind(fd, (struct sockaddr *)&at, n) == 0 && listen(fd, 1) == 0 &&
	      getsockname(fd, (struct sockaddr *)&at, &n) == 0 &&
	      pthread_create(&thread, NULL, serve_socks, &fd) == 0);
	snprintf(proxy, sizeof(proxy), "socks5://127.0.0.1:%d", ntohs(at.sin_port));
	o.proxy = str_from(proxy);
	CHECK(fetch_open(&f, &loop, &o, on_done, NULL, NULL) == ST_OK);
	CHECK(guarded_code(f, "name.example", NULL) < 0); /* it hangs up */
	fetch_close(f);
	pthread_join(thread, NULL);
	close(fd);
	CHECK(socks_type == 3); /* a name, no address (RFC 1928) */
}

/* libcurl would, on a connection that it had used before. */
static void nothing_is_asked_a_second_time_behind_our_back(void)
{
	cleanup(asked_release) struct asked a = { 0 }, b = { 0 };

	CHECK(ask(&a, "/ok") && a.result.code == 200);
	CHECK(ask(&b, "/closed") && b.result.code == FETCH_CONNECTION_LOST);
	CHECK(b.result.error.n > 0 && closed_instead == 1);
}

static void of_two_lengths_none_is_believed(void)
{
	cleanup(asked_release) struct asked a = { 0 }, b = { 0 };

	CHECK(ask(&a, "/lengths") && a.result.code == FETCH_CONNECTION_LOST);
	CHECK(str_eq(a.result.error, STR("two lengths that differ")));
	CHECK(ask(&b, "/same-lengths") && b.result.code == 200);
	CHECK(str_eq(b.result.body, STR("hello")));
}

static bool never(void *ctx, void *cookie)
{
	(void)ctx, (void)cookie;
	return false;
}

static void what_may_no_longer_be_sent_is_not(void)
{
	cleanup(asked_release) struct asked a = { 0 };
	struct fetch_options o = usual();
	struct fetch *usual_one = fetch;

	o.may_send = never;
	CHECK(fetch_open(&fetch, &loop, &o, on_done, NULL, NULL) == ST_OK);
	closed_instead = 0;
	CHECK(ask(&a, "/closed") && a.result.code == FETCH_DEFERRED);
	CHECK(closed_instead == 0);
	fetch_close(fetch);
	fetch = usual_one;
}

/* The server may just be closing the connection that we take: then another one. */
static int code_of(const char *host, const char *path)
{
	int code = FETCH_CONNECTION_LOST;

	for (int i = 0; i < 10 && code == FETCH_CONNECTION_LOST; i++) {
		cleanup(asked_release) struct asked a = { 0 };

		begin(&a, host, path);
		code = finished(&a) ? a.result.code : 0;
	}
	return code;
}

/* Even while the owner has not been told, since the answer is not whole. */
static void a_host_that_is_busy_is_sent_nothing_more(void)
{
	cleanup(asked_release) struct asked a = { 0 };
	int code = 200;

	begin(&a, "busy.test", "/busy"); /* that nobody has spoken to */
	/* Until its header has been read, whenever that is, nobody knows. */
	for (int i = 0; i < 2000 && code == 200; i++, usleep(1000))
		code = code_of("busy.test", "/ok");
	CHECK(code == FETCH_DEFERRED && !a.done);
	CHECK(code_of("busy.test", "/ok") == FETCH_DEFERRED && !a.done);
	CHECK(code_of("other.test", "/ok") == 200 && !a.done);
	may_finish = 1;
	CHECK(finished(&a) && a.result.code == 503);
	CHECK(code_of("busy.test", "/ok") == 200);
}

/* Server and client share the descriptors here: 60 hosts at once would need 120. */
static void with_few_descriptors_requests_wait_for_each_other(void)
{
	static struct asked all[60];
	struct fetch_options o = usual();
	struct rlimit before, few;
	struct fetch *usual_one = fetch;

	o.first_byte_ms = 5000;
	CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
	few = before;
	few.rlim_cur = 90;
	CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	CHECK(fetch_open(&fetch, &loop, &o, on_done, NULL, NULL) == ST_OK);
	for (size_t i = 0; i < COUNT(all); i++) {
		char host[32];

		snprintf(host, sizeof(host), "few%zu.test", i);
		begin(&all[i], host, "/ok");
	}
	for (size_t i = 0; i < COUNT(all); i++) {
		CHECK(finished(&all[i]) && all[i].result.code == 200);
		asked_release(&all[i]);
	}
	fetch_close(fetch);
	fetch = usual_one;
	CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
}

static void closing_in_the_middle_leaves_nothing_behind(void)
{
	struct fetch_options o = usual();
	cleanup(asked_release) struct asked a = { 0 }, b = { 0 };
	struct fetch *other, *usual_one = fetch;

	CHECK(fetch_open(&other, &loop, &o, on_done, NULL, NULL) == ST_OK);
	fetch = other;
	begin(&a, "site.test", "/silent");
	CHECK(loop_step(&loop, 10, NULL) == ST_OK);
	begin(&b, "site.test", "/silent");
	fetch_abort_all(other);
	CHECK(a.done && a.result.code == FETCH_TIMED_OUT);
	fetch_close(other);
	fetch = usual_one;
}

int main(void)
{
	struct fetch_options o;

	signal(SIGPIPE, SIG_IGN);
	if (!mkdtemp(spool_dir) || !start_server() || !dns_server_start() ||
	    loop_init(&loop, &real_clock, NULL) != ST_OK)
		return 1;
	o = usual();
	if (fetch_open(&fetch, &loop, &o, on_done, NULL, NULL) != ST_OK)
		return 1;
	RUN(with_few_descriptors_requests_wait_for_each_other); /* while few are open */
	RUN(an_answer_is_handed_over_to_the_byte);
	RUN(chunks_are_joined_but_codings_stay);
	RUN(redirects_are_not_followed_and_hints_not_mistaken);
	RUN(a_large_body_goes_to_the_spool);
	RUN(what_never_ends_is_cut_and_marked);
	RUN(what_is_not_http_or_not_there_is_a_failure_in_words);
	RUN(connections_are_kept);
	RUN(many_at_once_each_get_their_own_answer);
	RUN(private_addresses_are_refused_unless_allowed);
	RUN(a_long_name_with_many_addresses_does_not_slip_past_the_guard);
	RUN(a_seed_is_exempt_for_the_addresses_it_had_first);
	RUN(what_counts_is_the_first_resolution_not_the_first_request);
	RUN(a_seed_is_never_exempt_for_a_metadata_service);
	RUN(dns_trouble_and_missing_names_are_two_causes);
	RUN(a_proxy_does_not_turn_the_guard_off);
	RUN(a_socks_proxy_resolves_not_libcurl);
	RUN(nothing_is_asked_a_second_time_behind_our_back);
	RUN(of_two_lengths_none_is_believed);
	RUN(what_may_no_longer_be_sent_is_not);
	RUN(a_host_that_is_busy_is_sent_nothing_more);
	RUN(closing_in_the_middle_leaves_nothing_behind);
	fetch_close(fetch);
	loop_release(&loop);
	if (dir_remove(spool_dir, NULL) != ST_OK)
		return 1;
	DONE();
}
