#include "fetch/dns.h"

#include <ares.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/intern.h"

#define TIMEOUT_MS     5000
#define TRIES          3
#define TTL_MIN_MS     60000
#define TTL_MAX_MS     86400000
#define FAILURE_TTL_MS 300000
#define TROUBLE_TTL_MS 2000
#define SOCKETS_MAX    ARES_GETSOCK_MAXNUM

struct waiter {
	dns_done_fn *done;
	void *arg;
	struct waiter *next;
};

struct entry {
	struct dns *dns;
	struct str name; /* in `names` */
	struct dns_answer answer;
	int64_t expires_ms; /* monotonic; INT64_MAX for a pinned name */
	bool asking;
	bool ipv4_alone;        /* the question under way is the second, for IPv4 only */
	struct waiter *waiters; /* newest first */
};

struct dns {
	struct loop *loop;
	struct dns_options options;
	ares_channel channel;
	bool has_channel, closing;
	struct watch watches[SOCKETS_MAX];
	struct timer timer;
	struct intern names;    /* host -> index of its entry */
	struct entry **entries; /* by id of `names`; they do not move */
	size_t entry_cap;
	struct dns_answer all; /* everything leads here when all.n */
	uint64_t asked, remembered;
};

static uint32_t or_default(uint32_t value, uint32_t standard)
{
	return value ? value : standard;
}

/* c-ares wants to be called when its next timeout is due. */
static void set_timer(struct dns *d)
{
	struct timeval left, *tv = ares_timeout(d->channel, NULL, &left);

	if (!tv) {
		loop_timer_clear(d->loop, &d->timer);
		return;
	}
	loop_timer_set(d->loop, &d->timer,
		       clock_mono_ms(d->loop->clock) + tv->tv_sec * 1000LL +
			       tv->tv_usec / 1000 + 1);
}

static void on_timer(struct timer *t)
{
	struct dns *d = t->arg;

	ares_process_fd(d->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
	set_timer(d);
}

static void on_ready(struct watch *w, unsigned events)
{
	struct dns *d = w->arg;
	int fd = w->fd;

	ares_process_fd(d->channel,
			events & (LOOP_READ | LOOP_ERROR) ? fd : ARES_SOCKET_BAD,
			events & LOOP_WRITE ? fd : ARES_SOCKET_BAD);
	set_timer(d);
}

static struct watch *watch_of(struct dns *d, int fd)
{
	struct watch *free_one = NULL;

	for (size_t i = 0; i < SOCKETS_MAX; i++) {
		if (d->watches[i].wants && d->watches[i].fd == fd)
			return &d->watches[i];
		if (!d->watches[i].wants && !free_one)
			free_one = &d->watches[i];
	}
	return free_one;
}

static void on_socket_state(void *arg, ares_socket_t fd, int readable, int writable)
{
	struct dns *d = arg;
	struct watch *w = watch_of(d, fd);
	unsigned wants =
		(readable ? LOOP_READ : 0u) | (writable ? (unsigned)LOOP_WRITE : 0u);

	if (!w)
		return; /* more sockets than c-ares promised: the timer still serves them
			 */
	if (!wants) {
		loop_unwatch(d->loop, w);
		return;
	}
	w->fd = fd;
	w->ready = on_ready;
	w->arg = d;
	if (loop_watch(d->loop, w, wants, NULL) != ST_OK)
		w->wants = 0;
}

enum status dns_open(struct dns **ret, struct loop *loop,
		     const struct dns_options *options, struct diag *why)
{
	struct dns *d = NEW(struct dns);
	struct ares_options o = {
		.timeout = (int)or_default(options->timeout_ms, TIMEOUT_MS),
		.tries = (int)or_default(options->tries, TRIES),
		.sock_state_cb = on_socket_state,
		.sock_state_cb_data = d,
	};

	d->loop = loop;
	d->options = *options;
	d->timer = (struct timer){ .fire = on_timer, .arg = d };
	ares_library_init(ARES_LIB_INIT_ALL);
	int code = ares_init_options(&d->channel, &o,
				     ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES |
					     ARES_OPT_SOCK_STATE_CB);
	if (code == ARES_SUCCESS && options->servers)
		code = ares_set_servers_ports_csv(d->channel, options->servers);
	if (code != ARES_SUCCESS) {
		free(d);
		return diag_fail(why, ST_IO, "DNS: %s", ares_strerror(code));
	}
	d->has_channel = true;
	*ret = d;
	return ST_OK;
}

void dns_close(struct dns *d)
{
	if (!d)
		return;
	d->closing = true;
	if (d->has_channel)
		ares_destroy(
			d->channel); /* answers every waiter with ARES_EDESTRUCTION */
	loop_timer_clear(d->loop, &d->timer);
	for (size_t i = 0; i < SOCKETS_MAX; i++)
		loop_unwatch(d->loop, &d->watches[i]);
	for (size_t i = 0; i < d->names.n; i++)
		free(d->entries[i]);
	free(d->entries);
	intern_release(&d->names);
	ares_library_cleanup();
	free(d);
}

static struct entry *entry_of(struct dns *d, struct str host)
{
	size_t before = d->names.n;
	uint32_t id = intern_add(&d->names, host);

	if (d->names.n > before) {
		VEC_RESERVE(d->entries, d->entry_cap, d->names.n);
		d->entries[id] = NEW(struct entry);
		d->entries[id]->dns = d;
		d->entries[id]->name = intern_str(&d->names, id);
	}
	return d->entries[id];
}

static void tell_waiters(struct entry *e)
{
	struct waiter *list = e->waiters, *oldest_first = NULL;

	e->waiters = NULL;
	while (list) {
		struct waiter *next = list->next;

		list->next = oldest_first;
		oldest_first = list;
		list = next;
	}
	while (oldest_first) {
		struct waiter *w = oldest_first;

		oldest_first = w->next;
		w->done(w->arg, &e->answer);
		free(w);
	}
}

bool ip_from_sockaddr(const struct sockaddr *from, struct ip *ret)
{
	const void *at = from;

	*ret = (struct ip){ 0 };
	if (from->sa_family == AF_INET) {
		ret->n = 4;
		memcpy(ret->bytes, &((const struct sockaddr_in *)at)->sin_addr, 4);
	} else if (from->sa_family == AF_INET6) {
		ret->n = 16;
		memcpy(ret->bytes, &((const struct sockaddr_in6 *)at)->sin6_addr, 16);
	}
	return ret->n > 0;
}

static bool add_address(struct dns_answer *a, const struct sockaddr *sa)
{
	if (a->n == DNS_ADDRESSES_MAX || !ip_from_sockaddr(sa, &a->ips[a->n]))
		return false;
	a->n++;
	return true;
}

static int64_t clip_ttl(const struct dns *d, int64_t ttl_ms)
{
	int64_t min = or_default(d->options.ttl_min_ms, TTL_MIN_MS);
	int64_t max = or_default(d->options.ttl_max_ms, TTL_MAX_MS);

	return MAX(min, MIN(ttl_ms, max));
}

static void send_question(struct dns *d, struct entry *e, struct str host);

/* Whether the name servers said that there is no such address. */
static bool is_final(int code)
{
	return code == ARES_ENOTFOUND || code == ARES_ENODATA || code == ARES_EBADNAME ||
	       code == ARES_SUCCESS;
}

/*
 * Of two questions, for IPv4 and IPv6, c-ares reports how the last one ended: "no data"
 * may be true of IPv6 while the server failed on IPv4.  So IPv4 is asked alone.
 */
static bool must_ask_again(const struct entry *e, int code)
{
	return code == ARES_ENODATA && !e->ipv4_alone && !e->dns->options.ipv4_only &&
	       !e->dns->closing;
}

static void set_failure(struct entry *e, int code)
{
	const struct dns_options *o = &e->dns->options;
	bool final = is_final(code);

	e->answer.temporary = !final;
	snprintf(e->answer.error, sizeof(e->answer.error), "%s",
		 final ? "the name has no address" : ares_strerror(code));
	e->expires_ms = clock_mono_ms(e->dns->loop->clock) +
			(final ? or_default(o->failure_ttl_ms, FAILURE_TTL_MS)
			       : or_default(o->trouble_ttl_ms, TROUBLE_TTL_MS));
}

static void on_answer(void *arg, int code, int timeouts, struct ares_addrinfo *list)
{
	struct entry *e = arg;
	int64_t ttl_ms = INT64_MAX;

	(void)timeouts;
	e->answer = (struct dns_answer){ 0 };
	for (const struct ares_addrinfo_node *n = list ? list->nodes : NULL; n;
	     n = n->ai_next)
		if (add_address(&e->answer, n->ai_addr))
			ttl_ms = MIN(ttl_ms, n->ai_ttl * 1000LL);
	if (list)
		ares_freeaddrinfo(list);
	if (e->answer.n == 0 && must_ask_again(e, code)) {
		e->ipv4_alone = true;
		send_question(e->dns, e, e->name);
		return;
	}
	e->asking = false;
	e->ipv4_alone = false;
	if (e->answer.n == 0)
		set_failure(e, code);
	else
		e->expires_ms =
			clock_mono_ms(e->dns->loop->clock) + clip_ttl(e->dns, ttl_ms);
	tell_waiters(e);
}

static bool literal(struct str host, struct dns_answer *ret)
{
	if (!host_to_ip(host, &ret->ips[0]))
		return false;
	ret->n = 1;
	return true;
}

const struct dns_answer *dns_known(struct dns *d, struct str host)
{
	uint32_t id = intern_find(&d->names, host);
	const struct entry *e = id == INTERN_NONE ? NULL : d->entries[id];

	if (e && !e->asking && e->expires_ms > clock_mono_ms(d->loop->clock))
		return &e->answer;
	return d->all.n ? &d->all : NULL;
}

static void send_question(struct dns *d, struct entry *e, struct str host)
{
	struct ares_addrinfo_hints hints = {
		.ai_family = d->options.ipv4_only || e->ipv4_alone ? AF_INET : AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
	};
	char name[256];

	if (host.n >= sizeof(name)) {
		on_answer(e, ARES_EBADNAME, 0, NULL);
		return;
	}
	memcpy(name, host.p, host.n);
	name[host.n] = '\0';
	d->asked++;
	e->asking = true;
	ares_getaddrinfo(d->channel, name, NULL, &hints, on_answer, e);
	if (!d->closing)
		set_timer(d);
}

void dns_ask(struct dns *d, struct str host, dns_done_fn *done, void *arg)
{
	const struct dns_answer *known = dns_known(d, host);
	struct dns_answer number = { 0 };

	if (known || literal(host, &number)) {
		d->remembered += known != NULL;
		done(arg, known ? known : &number);
		return;
	}
	struct entry *e = entry_of(d, host);
	struct waiter *w = NEW(struct waiter);

	*w = (struct waiter){ done, arg, e->waiters };
	e->waiters = w;
	if (!e->asking)
		send_question(d, e, host);
}

/* IP, IP:PORT or [IP]:PORT */
static bool parse_address(struct str s, struct dns_answer *ret)
{
	size_t colon = str_rfind_char(s, ':');
	uint64_t port;

	*ret = (struct dns_answer){ .n = 1, .pinned = true };
	if (host_to_ip(s, &ret->ips[0]) || ipv6_parse(s, &ret->ips[0]) == ST_OK)
		return true;
	if (colon == STR_NONE || !str_to_uint(str_skip(s, colon + 1), 65535, &port))
		return false;
	ret->port = (uint16_t)port;
	return host_to_ip(str_slice(s, 0, colon), &ret->ips[0]);
}

enum status dns_pin_all(struct dns *d, struct str address, struct diag *why)
{
	struct dns_answer a;

	/* "localhost:8080" is what people type. */
	if (str_starts(address, STR("localhost:"))) {
		uint64_t port;

		if (str_to_uint(str_skip(address, 10), 65535, &port)) {
			d->all = (struct dns_answer){ .ips[0] = { { 127, 0, 0, 1 }, 4 },
						      .n = 1,
						      .port = (uint16_t)port,
						      .pinned = true };
			return ST_OK;
		}
	}
	if (!parse_address(address, &a))
		return diag_fail(why, ST_SYNTAX, "want IP:PORT, not '" STR_FMT "'",
				 STR_ARG(address));
	d->all = a;
	return ST_OK;
}

/* The next word, at blanks and tabs. */
static bool take_word(struct str *line, struct str *ret)
{
	size_t n = 0;

	*line = str_trim(*line);
	while (n < line->n && !ascii_is_space(line->p[n]))
		n++;
	*ret = str_slice(*line, 0, n);
	*line = str_skip(*line, n);
	return n > 0;
}

enum status dns_pin_file(struct dns *d, struct str text, struct diag *why)
{
	struct str line, word;

	for (unsigned nr = 1; str_take_line(&text, &line); nr++) {
		struct dns_answer a;

		line = str_slice(line, 0, str_find_char(line, '#'));
		if (!take_word(&line, &word))
			continue;
		if (!parse_address(word, &a))
			return diag_fail(
				why, ST_SYNTAX,
				"line %u: want 'IP[:PORT] NAME...', not '" STR_FMT "'",
				nr, STR_ARG(word));
		while (take_word(&line, &word)) {
			struct entry *e = entry_of(d, word);

			e->answer = a;
			e->expires_ms = INT64_MAX;
		}
	}
	return ST_OK;
}

uint64_t dns_asked(const struct dns *d)
{
	return d->asked;
}

uint64_t dns_remembered(const struct dns *d)
{
	return d->remembered;
}
