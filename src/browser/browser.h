/*
 * browser.h - a Chromium of our own: started, watched, started again.
 *
 * The browser is a child process with a fresh profile, driven over its
 * debugging pipe; it dies with us.  Attaching to a running one by WebSocket is
 * the other way in.  A crash or a hang shows as ST_IO or ST_TIMEOUT of any call;
 * browser_restart() then gives a new one with the same options, and the caller
 * opens its tabs again.  Owned by one thread.
 */
#ifndef BROWSER_BROWSER_H
#define BROWSER_BROWSER_H

#include "browser/cdp.h"
#include "os/child.h"

struct browser_options {
	const char *program;  /* NULL: the first of the known names that is installed */
	const char *ws_url;   /* attach to this one instead of starting a child */
	const char *proxy;    /* host:port for the browser's own traffic; NULL for none */
	const char *profiles; /* folder for its profile, ours alone: what a killed run
				 left there is removed first; NULL: one in $TMPDIR */
	const char *host_rules; /* "MAP * 127.0.0.1:8080": all names lead there; NULL */
	bool no_network; /* it can reach nobody: all its requests are answered by a gate,
			    and what no gate sees (WebSocket, WebRTC, DNS) fails */
	bool trust_any_certificate;
	bool no_sandbox; /* root cannot have one; set by browser_start() where needed */
	int timeout_ms;  /* of a call; 0 for the default */
	/* An eventfd that other threads ring, and who is told of it, on the browser's
	 * thread, whatever it waits for; it may post and answer, not call. */
	int wake_fd;
	void (*on_woken)(void *ctx);
	void *woken_ctx;
	uint64_t memory_max; /* bytes of data of each of its processes; 0: no limit */
};

#define REFUSED_MAX 256

struct tab;

#define POPUPS_MAX 32

/* A window that a page opened, until it is closed. */
struct popup {
	char session[64], target[64];
};

struct browser {
	struct browser_options options;
	struct child child;
	struct transport transport;
	struct cdp cdp;
	char *profile; /* folder, removed with the browser; NULL when attached */
	struct tab **tabs;
	size_t tab_count, tab_cap;
	char *refused[REFUSED_MAX]; /* addresses that were never answered */
	size_t refused_count;
	struct popup popups[POPUPS_MAX];
	size_t popup_count;
	unsigned restarts;
	bool sandboxed;
	char version[64]; /* "Chrome/156.0.8078.79" */
};

/* Is there one of this name; NULL: any?  Otherwise `why` says how to get it. */
must_use enum status browser_find(const char *program, struct diag *why);
must_use enum status browser_start(struct browser *ret,
				   const struct browser_options *options,
				   struct diag *why);
/* Kill what is left of it and start a new one.  All tabs are gone. */
must_use enum status browser_restart(struct browser *b, struct diag *why);
/* Close it in good order, or kill it; remove the profile. */
void browser_release(struct browser *b);
/* Close the windows that pages opened; what they asked for was refused. */
void browser_close_popups(struct browser *b);
/* False once the process has ended or the connection is lost. */
bool browser_alive(struct browser *b);
#endif
