#include "browser/browser.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "browser/tab.h"
#include "os/clock.h"
#include "os/file.h"

#define CLOSE_WAIT_MS 2000
#define FLAGS_MAX     48
#define SWEEPS_MAX    50
#define SWEEP_WAIT_MS 100

/* In order of preference: the shell has half the latency and a third of the CPU. */
static const char *const programs[] = { "chromium-headless-shell", "chromium",
					"chromium-browser", "google-chrome" };

/*
 * What makes two runs alike and keeps the browser from talking to anybody but
 * the site: no updates, no first-run pages, no background traffic, one colour
 * profile, no throttling of timers in tabs that are not in front.
 */
static const char *const common_flags[] = {
	"--headless",
	"--remote-debugging-pipe",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--no-default-browser-check",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-default-apps",
	"--disable-extensions",
	"--disable-sync",
	"--disable-domain-reliability",
	"--disable-client-side-phishing-detection",
	"--disable-breakpad",
	"--disable-dev-shm-usage",
	"--disable-background-timer-throttling",
	"--disable-renderer-backgrounding",
	"--disable-backgrounding-occluded-windows",
	"--disable-popup-blocking",
	/* A page whose first frame was not drawn yet would drop what is done to it. */
	"--allow-pre-commit-input",
	/* One process and one clock for a page and all its frames. */
	"--disable-site-isolation-trials",
	("--disable-features=Translate,MediaRouter,OptimizationHints,IsolateOrigins,"
	 "site-per-process,PaintHolding"),
	"--force-color-profile=srgb",
	"--hide-scrollbars",
	"--mute-audio",
	"--metrics-recording-only",
	"--no-pings",
	"--password-store=basic",
	"--use-mock-keychain",
};

/*
 * No name has an address, the address of this machine included; whatever still connects
 * would go by a proxy whose name has none either, and without a proxy no UDP leaves.
 * Requests that a gate answers never get so far.
 */
static const char *const no_network_flags[] = {
	"--host-resolver-rules=MAP * ~NOTFOUND",
	"--proxy-server=http://nowhere.invalid:9",
	"--proxy-bypass-list=<-loopback>",
	"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
	"--dns-prefetch-disable",
};

static bool in_path(const char *program)
{
	struct str path = str_from(getenv("PATH") ? getenv("PATH") : "/usr/bin"), dir;
	char full[512];

	if (strchr(program, '/'))
		return access(program, X_OK) == 0;
	while (str_take_until(&path, ':', &dir)) {
		snprintf(full, sizeof(full), STR_FMT "/%s", STR_ARG(dir), program);
		if (access(full, X_OK) == 0)
			return true;
	}
	return false;
}

static enum status find_program(const struct browser_options *o, const char **ret,
				struct diag *why)
{
	if (o->program) {
		*ret = o->program;
		return in_path(o->program)
			       ? ST_OK
			       : diag_fail(why, ST_NOT_FOUND, "there is no browser '%s'",
					   o->program);
	}
	for (size_t i = 0; i < COUNT(programs); i++)
		if (in_path(programs[i])) {
			*ret = programs[i];
			return ST_OK;
		}
	return diag_fail(why, ST_NOT_FOUND,
			 "no Chromium found: apt-get install chromium-headless-shell");
}

enum status browser_find(const char *program, struct diag *why)
{
	const char *found;

	return find_program(&(struct browser_options){ .program = program }, &found, why);
}

static void post(struct browser *b, struct str session, const char *method,
		 struct str params)
{
	/* One that fails means that the browser is gone; the next call will say so. */
	if (cdp_post(&b->cdp, session, method, params, NULL) != ST_OK)
		b->transport.open = false;
}

/*
 * Every new page waits for us before it asks anybody for anything.  Those that we opened
 * go on; the requests of a window that a page opened are refused until it is closed.  It
 * must not be closed before: then its first request would be let go with it.
 */
static void on_attached(struct browser *b, const struct json *params)
{
	const struct json *info = json_get(params, "targetInfo");
	struct str session = json_str(json_get(params, "sessionId"));
	struct str target = json_str(json_get(info, "targetId"));

	if (json_str(json_get(info, "openerId")).n) {
		post(b, session, "Fetch.enable", STR("{}"));
		if (b->popup_count < POPUPS_MAX) {
			struct popup *p = &b->popups[b->popup_count++];

			snprintf(p->session, sizeof(p->session), STR_FMT,
				 STR_ARG(session));
			snprintf(p->target, sizeof(p->target), STR_FMT, STR_ARG(target));
		}
	}
	post(b, session, "Runtime.runIfWaitingForDebugger", STR(""));
}

static bool refuse_popup_request(struct browser *b, struct str session,
				 const struct json *params)
{
	for (size_t i = 0; i < b->popup_count; i++) {
		cleanup(buf_release) struct buf p = { 0 };
		struct json_out o = { .to = &p };

		if (!str_eq(str_from(b->popups[i].session), session))
			continue;
		json_open(&o, '{');
		json_put_str(&o, "requestId", json_str(json_get(params, "requestId")));
		json_put_str(&o, "errorReason", STR("Aborted"));
		json_close(&o, '}');
		post(b, session, "Fetch.failRequest", buf_str(&p));
		return true;
	}
	return false;
}

void browser_close_popups(struct browser *b)
{
	while (b->popup_count) {
		cleanup(buf_release) struct buf p = { 0 };

		buf_addf(&p, "{\"targetId\":\"%s\"}", b->popups[--b->popup_count].target);
		post(b, STR(""), "Target.closeTarget", buf_str(&p));
	}
}

static void on_event(void *ctx, struct str session, struct str method,
		     const struct json *params)
{
	struct browser *b = ctx;

	if (session.n == 0 && str_eq(method, STR("Target.attachedToTarget")))
		on_attached(b, params);
	if (b->popup_count && str_eq(method, STR("Fetch.requestPaused")) &&
	    refuse_popup_request(b, session, params))
		return;
	for (size_t i = 0; i < b->tab_count; i++)
		if (tab_on_event(b->tabs[i], session, method, params))
			return;
}

static void on_answer(void *ctx, uint64_t id, const struct json *result,
		      const struct json *error)
{
	struct browser *b = ctx;

	for (size_t i = 0; i < b->tab_count; i++)
		if (tab_on_answer(b->tabs[i], id, error ? NULL : result))
			return;
}

struct flags {
	const char *v[FLAGS_MAX];
	size_t n;
	struct arena bytes;
};

static void add_flag(struct flags *f, const char *name, const char *value)
{
	size_t n = strlen(name) + strlen(value) + 1;
	char *text = arena_alloc(&f->bytes, n);

	snprintf(text, n, "%s%s", name, value);
	f->v[f->n++] = text;
}

static void collect_flags(const struct browser *b, const char *program, struct flags *f)
{
	const struct browser_options *o = &b->options;

	add_flag(f, program, "");
	for (size_t i = 0; i < COUNT(common_flags); i++)
		add_flag(f, common_flags[i], "");
	add_flag(f, "--user-data-dir=", b->profile);
	if (!b->sandboxed)
		add_flag(f, "--no-sandbox", "");
	if (o->proxy)
		add_flag(f, "--proxy-server=", o->proxy);
	for (size_t i = 0; o->no_network && i < COUNT(no_network_flags); i++)
		add_flag(f, no_network_flags[i], "");
	if (o->host_rules)
		add_flag(f, "--host-resolver-rules=", o->host_rules);
	if (o->trust_any_certificate)
		add_flag(f, "--ignore-certificate-errors", "");
	add_flag(f, "about:blank", "");
	f->v[f->n] = NULL;
}

/*
 * A browser that we did not end ourselves had no chance to remove its profile, and may
 * still be about to notice that we are gone: then it writes what we remove.  What cannot
 * be removed is in nobody's way and goes with the next start.
 */
static enum status sweep_profiles(const char *dir, struct diag *why)
{
	struct diag unused;

	for (int i = 0; file_exists(dir) && dir_remove(dir, &unused) != ST_OK; i++) {
		if (i == SWEEPS_MAX)
			break;
		sleep_ms(SWEEP_WAIT_MS);
	}
	return dir_make(dir, why);
}

static enum status make_profile(struct browser *b, struct diag *why)
{
	const char *dir = b->options.profiles;

	if (dir)
		TRY(sweep_profiles(dir, why));
	else
		dir = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
	size_t n = strlen(dir) + 32;
	b->profile = xcalloc(n, 1);
	snprintf(b->profile, n, "%s/thresh-browser.XXXXXX", dir);
	if (!mkdtemp(b->profile)) {
		free(b->profile);
		b->profile = NULL;
		return diag_fail(why, ST_IO, "%s: cannot make the browser's profile",
				 dir);
	}
	return ST_OK;
}

/*
 * The processes of pages inherit it: one that allocates without end dies, and the others
 * do not notice.  What cannot be limited is still watched by the machine.
 */
static void limit_memory(const struct browser *b)
{
	struct rlimit most = { b->options.memory_max, b->options.memory_max };

	if (prlimit(b->child.pid, RLIMIT_DATA, &most, NULL) != 0)
		return;
}

static enum status launch(struct browser *b, struct diag *why)
{
	struct child_pipe pipes[] = { { .child_fd = 3, .to_child = true },
				      { .child_fd = 4, .to_child = false } };
	struct child_options how = { .pipes = pipes, .pipe_count = 2, .quiet = true };
	struct flags flags = { 0 };
	const char *program = NULL;

	TRY(find_program(&b->options, &program, why));
	TRY(make_profile(b, why));
	/* Chromium refuses its sandbox to root, and dies without saying so on the pipe.
	 */
	b->sandboxed = !b->options.no_sandbox && geteuid() != 0;
	collect_flags(b, program, &flags);
	enum status st = child_start(&b->child, flags.v, &how, why);
	arena_release(&flags.bytes);
	TRY(st);
	if (b->options.memory_max)
		limit_memory(b);
	transport_init_pipe(&b->transport, pipes[1].fd, pipes[0].fd);
	return ST_OK;
}

static enum status greet(struct browser *b, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct str none = STR("");

	TRY(cdp_call(&b->cdp, none, "Browser.getVersion", none, &reply, why));
	snprintf(b->version, sizeof(b->version), STR_FMT,
		 STR_ARG(json_str(json_get(reply.result, "product"))));
	/* Windows that a page opens are told, so that its tab can close them. */
	TRY(cdp_call(&b->cdp, none, "Target.setAutoAttach",
		     STR("{\"autoAttach\":true,\"waitForDebuggerOnStart\":true,"
			 "\"flatten\":true,\"filter\":[{\"type\":\"page\"}]}"),
		     NULL, why));
	return cdp_call(&b->cdp, none, "Target.setDiscoverTargets",
			STR("{\"discover\":true}"), NULL, why);
}

static enum status connect_browser(struct browser *b, struct diag *why)
{
	if (b->options.ws_url)
		TRY(transport_connect_ws(&b->transport, str_from(b->options.ws_url),
					 why));
	else
		TRY(launch(b, why));
	b->cdp = (struct cdp){
		.transport = &b->transport,
		.on_event = on_event,
		.on_answer = on_answer,
		.ctx = b,
		.on_woken = b->options.on_woken,
		.woken_ctx = b->options.woken_ctx,
		.timeout_ms = b->options.timeout_ms,
	};
	b->transport.wake_fd = b->options.wake_fd;
	return greet(b, why);
}

/* Everything of the running browser; the options stay. */
static void disconnect(struct browser *b)
{
	b->popup_count = 0;
	while (b->tab_count)
		tab_forget(b->tabs[b->tab_count - 1]);
	if (b->child.pid && !b->child.ended && b->transport.open) {
		if (cdp_post(&b->cdp, STR(""), "Browser.close", STR(""), NULL) == ST_OK &&
		    child_wait(&b->child, CLOSE_WAIT_MS) != ST_OK)
			child_kill(&b->child, SIGKILL);
	}
	transport_release(&b->transport);
	child_release(&b->child);
	if (b->profile && dir_remove(b->profile, NULL) != ST_OK) {
		/* A helper process may still be writing; the next start sweeps it. */
	}
	free(b->profile);
	b->profile = NULL;
}

enum status browser_start(struct browser *ret, const struct browser_options *options,
			  struct diag *why)
{
	*ret = (struct browser){ .options = *options };
	enum status st = connect_browser(ret, why);

	if (st != ST_OK)
		browser_release(ret);
	return st;
}

enum status browser_restart(struct browser *b, struct diag *why)
{
	/* It hangs or is dead already: asking it to close would only wait. */
	child_kill(&b->child, SIGKILL);
	disconnect(b);
	b->restarts++;
	return connect_browser(b, why);
}

bool browser_alive(struct browser *b)
{
	if (!b->transport.open)
		return false;
	return !b->child.pid || child_wait(&b->child, 0) != ST_OK;
}

void browser_release(struct browser *b)
{
	disconnect(b);
	free(b->tabs);
	while (b->refused_count)
		free(b->refused[--b->refused_count]);
	*b = (struct browser){ 0 };
}
