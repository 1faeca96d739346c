#include "fetch/fetch.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "fetch/auth.h"
#include "fetch/guard.h"
#include "fetch/sockets.h"
#include "fetch/transfer.h"
#include "os/limits.h"

#define FIRST_BYTE_MS   60000
#define CONNECTIONS_MAX 4096 /* open, also between requests */
#define CONNECTIONS_MIN 4
#define FILES_OTHERS    64 /* descriptors of the archive, the state, the resolver */

struct fetch {
	struct loop *loop;
	struct fetch_options options;
	struct dns *dns;
	CURLM *multi;
	struct timer timer;
	fetch_done_fn *on_done;
	void *ctx;
	struct transfer *active, *idle; /* doubly linked; singly linked */
	struct map warm; /* hash of a host -> idle transfer that last spoke to it */
	struct guard guard;
	struct auth auth;
	struct sockets sockets;
	size_t in_flight;
	size_t overtaxed; /* answers of hosts that want to be left alone, not yet told */
	uint64_t connections;
};

const struct fetch_options *fetch_options_of(const struct fetch *f)
{
	return &f->options;
}

bool fetch_wants_body(const struct transfer *t, int status)
{
	const struct fetch *f = t->fetch;

	return !f->options.wants_body ||
	       f->options.wants_body(f->ctx, t->cookie, status, buf_str(&t->header));
}

/* Between two reports of libcurl a host may have said so: then nobody knows yet. */
static bool is_overtaxed(const struct fetch *f, uint64_t host_hash)
{
	const struct transfer *t = f->overtaxed > 0 ? f->active : NULL;

	while (t && !(t->overtaxed && t->host_hash == host_hash))
		t = t->next;
	return t != NULL;
}

bool fetch_may_send(const struct transfer *t)
{
	const struct fetch *f = t->fetch;

	return !is_overtaxed(f, t->host_hash) &&
	       (!f->options.may_send || f->options.may_send(f->ctx, t->cookie));
}

void fetch_note_opened(struct fetch *f, int fd)
{
	sockets_opened(&f->sockets, fd);
}

void fetch_note_overtaxed(struct transfer *t)
{
	t->fetch->overtaxed += !t->overtaxed;
	t->overtaxed = true;
}

static void link_active(struct fetch *f, struct transfer *t)
{
	t->prev = NULL;
	t->next = f->active;
	if (f->active)
		f->active->prev = t;
	f->active = t;
	f->in_flight++;
}

static void unlink_active(struct fetch *f, struct transfer *t)
{
	if (t->prev)
		t->prev->next = t->next;
	else
		f->active = t->next;
	if (t->next)
		t->next->prev = t->prev;
	f->in_flight--;
}

/*
 * A handle that last spoke to this host finds its connection at once; one that
 * did not costs libcurl twice the time (measured at 512 hosts).
 */
static struct transfer *take_idle(struct fetch *f, uint64_t host_hash)
{
	uint64_t *warm = map_find(&f->warm, host_hash);
	struct transfer *t = warm ? (struct transfer *)(uintptr_t)*warm : f->idle;

	if (!t) {
		t = NEW(struct transfer);
		transfer_init(t, f, &f->options);
		return t;
	}
	if (t->prev)
		t->prev->next = t->next;
	else
		f->idle = t->next;
	if (t->next)
		t->next->prev = t->prev;
	uint64_t *own = map_find(&f->warm, t->host_hash);
	if (own && (struct transfer *)(uintptr_t)*own == t)
		map_remove(&f->warm, t->host_hash);
	return t;
}

static void put_idle(struct fetch *f, struct transfer *t)
{
	t->state = TRANSFER_IDLE;
	t->prev = NULL;
	t->next = f->idle;
	if (f->idle)
		f->idle->prev = t;
	f->idle = t;
	*map_add(&f->warm, t->host_hash, NULL) = (uint64_t)(uintptr_t)t;
}

/* Back to the pool first: the callback may start the next request on it. */
static void finish(struct transfer *t, struct fetch_result *r)
{
	struct fetch *f = t->fetch;
	void *cookie = t->cookie;

	loop_timer_clear(f->loop, &t->timer);
	f->overtaxed -= t->overtaxed;
	t->overtaxed = false;
	unlink_active(f, t);
	put_idle(f, t);
	f->on_done(f->ctx, cookie, r);
}

static void finish_running(struct transfer *t, CURLcode code)
{
	struct fetch_result r = transfer_result(t, code);
	long opened = 0;

	curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &opened);
	t->fetch->connections += (uint64_t)opened;
	curl_multi_remove_handle(t->fetch->multi, t->easy);
	finish(t, &r);
}

static void collect_finished(struct fetch *f)
{
	CURLMsg *m;
	int left;

	while ((m = curl_multi_info_read(f->multi, &left))) {
		struct transfer *t = NULL;

		if (m->msg != CURLMSG_DONE)
			continue;
		CURLcode code = m->data.result;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &t);
		finish_running(t, code);
	}
}

static void on_multi_timer(struct timer *timer)
{
	struct fetch *f = timer->arg;
	int running;

	curl_multi_socket_action(f->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	collect_finished(f);
}

static void on_socket_ready(void *arg, int fd, unsigned events)
{
	struct fetch *f = arg;
	int running, mask = (events & LOOP_READ ? CURL_CSELECT_IN : 0) |
			    (events & LOOP_WRITE ? CURL_CSELECT_OUT : 0) |
			    (events & LOOP_ERROR ? CURL_CSELECT_ERR : 0);

	curl_multi_socket_action(f->multi, fd, mask, &running);
	collect_finished(f);
}

static int on_socket_wish(CURL *easy, curl_socket_t fd, int what, void *ctx,
			  void *assigned)
{
	struct fetch *f = ctx;
	unsigned wants = 0;

	(void)easy, (void)assigned;
	if (what != CURL_POLL_REMOVE)
		wants = (what & CURL_POLL_IN ? LOOP_READ : 0u) |
			(what & CURL_POLL_OUT ? (unsigned)LOOP_WRITE : 0u);
	return sockets_wish(&f->sockets, fd, wants) == ST_OK ? 0 : -1;
}

static int on_timer_wish(CURLM *multi, long timeout_ms, void *ctx)
{
	struct fetch *f = ctx;

	(void)multi;
	if (timeout_ms < 0)
		loop_timer_clear(f->loop, &f->timer);
	else
		loop_timer_set(f->loop, &f->timer,
			       clock_mono_ms(f->loop->clock) + timeout_ms);
	return 0;
}

static enum status open_dns(struct fetch *f, struct diag *why)
{
	f->options.dns.ipv4_only |= f->options.ipv4_only;
	TRY(dns_open(&f->dns, f->loop, &f->options.dns, why));
	if (f->options.connect_to.n)
		TRY(dns_pin_all(f->dns, f->options.connect_to, why));
	return dns_pin_file(f->dns, f->options.hosts, why);
}

/*
 * Half of the descriptors at most, and those that the crawl's own files need are left
 * alone; past this, libcurl lets requests wait instead of failing.
 */
static size_t connections_most(void)
{
	size_t files = limits_files();
	size_t left = files > FILES_OTHERS ? files - FILES_OTHERS : 0;

	return MIN(MAX(MIN(files / 2, left), CONNECTIONS_MIN), CONNECTIONS_MAX);
}

enum status fetch_open(struct fetch **ret, struct loop *loop,
		       const struct fetch_options *options, fetch_done_fn *on_done,
		       void *ctx, struct diag *why)
{
	struct fetch *f = NEW(struct fetch);

	curl_global_init(CURL_GLOBAL_DEFAULT);
	f->loop = loop;
	f->options = *options;
	f->guard.allow_private = options->allow_private;
	f->on_done = on_done;
	f->ctx = ctx;
	f->sockets = (struct sockets){ .loop = loop, .ready = on_socket_ready, .arg = f };
	f->timer = (struct timer){ .fire = on_multi_timer, .arg = f };
	f->multi = curl_multi_init();
	curl_multi_setopt(f->multi, CURLMOPT_SOCKETFUNCTION, on_socket_wish);
	curl_multi_setopt(f->multi, CURLMOPT_SOCKETDATA, f);
	curl_multi_setopt(f->multi, CURLMOPT_TIMERFUNCTION, on_timer_wish);
	curl_multi_setopt(f->multi, CURLMOPT_TIMERDATA, f);
	long most = (long)connections_most();
	curl_multi_setopt(f->multi, CURLMOPT_MAXCONNECTS, most);
	curl_multi_setopt(f->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, most);
	enum status st = auth_open(&f->auth, &options->auth, why);
	if (st == ST_OK)
		st = open_dns(f, why);
	if (st != ST_OK) {
		fetch_close(f);
		return st;
	}
	*ret = f;
	return ST_OK;
}

static void release_list(struct transfer *t)
{
	while (t) {
		struct transfer *next = t->next;

		transfer_release(t);
		free(t);
		t = next;
	}
}

void fetch_close(struct fetch *f)
{
	if (!f)
		return;
	for (struct transfer *t = f->active; t; t = t->next) {
		loop_timer_clear(f->loop, &t->timer);
		if (t->state == TRANSFER_RUNNING)
			curl_multi_remove_handle(f->multi, t->easy);
		t->state = TRANSFER_IDLE; /* a late answer of the resolver finds nobody */
	}
	dns_close(f->dns);
	release_list(f->active);
	release_list(f->idle);
	curl_multi_setopt(f->multi, CURLMOPT_SOCKETFUNCTION, NULL);
	sockets_release(&f->sockets); /* while they are open */
	curl_multi_cleanup(f->multi);
	loop_timer_clear(f->loop, &f->timer);
	map_release(&f->warm);
	guard_release(&f->guard);
	auth_release(&f->auth);
	free(f);
	curl_global_cleanup();
}

static void on_failure_due(struct timer *timer)
{
	struct transfer *t = timer->arg;
	struct fetch_result r = t->failure;

	finish(t, &r);
}

/* Told at the next step of the loop, so that no callback runs inside fetch_start(). */
static void fail_soon(struct transfer *t, int code, enum fetch_cause cause,
		      const char *words, struct str detail)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add(&b, str_from(words));
	buf_add(&b, detail);
	t->state = TRANSFER_FAILED;
	t->failure = (struct fetch_result){
		.task = t->task,
		.code = code,
		.cause = (uint8_t)cause,
		.error = arena_copy(t->arena, buf_str(&b)),
		.start_ms = t->start_wall_ms,
	};
	t->timer = (struct timer){ .fire = on_failure_due, .arg = t };
	loop_timer_set(t->fetch->loop, &t->timer, clock_mono_ms(t->fetch->loop->clock));
}

static void on_first_byte_due(struct timer *timer)
{
	struct transfer *t = timer->arg;

	if (t->first_byte_ns)
		return;
	t->cut = CUT_FIRST_BYTE;
	finish_running(t, CURLE_OPERATION_TIMEDOUT);
}

static void refuse(struct transfer *t, const struct ip *ip)
{
	cleanup(buf_release) struct buf b = { 0 };

	buf_add_ip(&b, ip);
	buf_addf(&b, " is %s", ip_kind_name(ip_kind(ip)));
	fail_soon(t, FETCH_BLOCKED, CAUSE_GUARD, "address guard: ", buf_str(&b));
}

static void run(struct transfer *t, const struct dns_answer *where)
{
	struct fetch *f = t->fetch;
	uint64_t wait =
		f->options.first_byte_ms ? f->options.first_byte_ms : FIRST_BYTE_MS;

	transfer_prepare(t, &f->options, where);
	t->state = TRANSFER_RUNNING;
	t->timer = (struct timer){ .fire = on_first_byte_due, .arg = t };
	loop_timer_set(f->loop, &t->timer, clock_mono_ms(f->loop->clock) + (int64_t)wait);
	curl_multi_add_handle(f->multi, t->easy);
}

static void on_resolved(void *arg, const struct dns_answer *a)
{
	struct transfer *t = arg;
	struct dns_answer safe;

	if (t->state != TRANSFER_RESOLVING)
		return;
	if (t->cut == CUT_ABORTED) {
		fail_soon(t, FETCH_TIMED_OUT, CAUSE_TIMEOUT, "aborted", STR(""));
	} else if (a->n == 0) {
		fail_soon(t, FETCH_DNS_FAILED,
			  a->temporary ? CAUSE_DNS_TROUBLE : CAUSE_NO_NAME,
			  "DNS: ", str_from(a->error));
	} else {
		safe = guard_filter(&t->fetch->guard, t->url.host, a);
		if (safe.n > 0)
			run(t, &safe);
		else
			refuse(t, &a->ips[0]);
	}
}

/* It resolves, so of a name we know only whether it is one of this machine's. */
static void run_by_proxy(struct transfer *t)
{
	struct ip ip;

	if (guard_permits_unresolved(&t->fetch->guard, t->url.host))
		run(t, NULL);
	else if (host_to_ip(t->url.host, &ip))
		refuse(t, &ip);
	else
		fail_soon(t, FETCH_BLOCKED, CAUSE_GUARD,
			  "address guard: a name of this machine or network: ",
			  t->url.host);
}

void fetch_start(struct fetch *f, const struct fetch_task *task, struct arena *arena,
		 struct buf *body, void *cookie)
{
	struct url url = { 0 };
	cleanup(buf_release) struct buf scratch = { 0 };
	bool fine = url_parse(task->url, NULL, &scratch, &url, NULL) == ST_OK &&
		    url_is_http(&url);
	uint64_t host_hash = hash64(url.host);
	struct transfer *t = take_idle(f, host_hash);

	t->host_hash = host_hash;
	t->task = task;
	t->arena = arena;
	t->body = body;
	t->cookie = cookie;
	t->state = TRANSFER_RESOLVING;
	t->cut = CUT_NOT;
	t->start_wall_ms = clock_wall_ms(&real_clock);
	link_active(f, t);
	if (!fine) {
		fail_soon(t, FETCH_UNSUPPORTED, CAUSE_NONE,
			  "only http and https are fetched", STR(""));
		return;
	}
	t->url = url_copy(arena, &url);
	if (f->options.proxy.n)
		run_by_proxy(t);
	else
		dns_ask(f->dns, t->url.host, on_resolved, t);
}

/* A question whose answer the guard must see, because it is the first for a seed. */
struct first_look {
	struct fetch *fetch;
	struct str host; /* in the guard's own memory */
	dns_done_fn *done;
	void *arg;
};

static void on_first_look(void *arg, const struct dns_answer *a)
{
	struct first_look *l = arg;

	(void)guard_filter(&l->fetch->guard, l->host, a);
	l->done(l->arg, a);
	free(l);
}

void fetch_resolve(struct fetch *f, struct str host, dns_done_fn *done, void *arg)
{
	if (!guard_awaits_first(&f->guard, host)) {
		dns_ask(f->dns, host, done, arg);
		return;
	}
	struct first_look *l = NEW(struct first_look);
	uint32_t id = intern_find(&f->guard.exempt, host);

	*l = (struct first_look){ f, intern_str(&f->guard.exempt, id), done, arg };
	dns_ask(f->dns, l->host, on_first_look, l);
}

const struct dns_answer *fetch_known(struct fetch *f, struct str host)
{
	return dns_known(f->dns, host);
}

void fetch_allow_seed(struct fetch *f, const struct url *seed)
{
	guard_exempt(&f->guard, seed->host);
	auth_bind(&f->auth, seed);
}

struct str fetch_authorization(const struct transfer *t)
{
	return auth_value(&t->fetch->auth, &t->url);
}

size_t fetch_in_flight(const struct fetch *f)
{
	return f->in_flight;
}

uint64_t fetch_connections(const struct fetch *f)
{
	return f->connections;
}

void fetch_abort_all(struct fetch *f)
{
	struct transfer *t = f->active;

	/* A callback may add to the front of the list, never behind us. */
	while (t) {
		struct transfer *next = t->next;

		t->cut = CUT_ABORTED;
		if (t->state == TRANSFER_RUNNING)
			finish_running(t, CURLE_OPERATION_TIMEDOUT);
		t = next;
	}
}
