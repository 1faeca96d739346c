/*
 * gate.h - what a page may ask: every request waits here until it is judged.
 *
 * The tab intercepts the requests of the page, its frames and workers (all but
 * WebSockets, which DevTools does not intercept), asks the gate of its options, and
 * passes, refuses or answers them, at once or later.  What a watched request got is told.
 * Called while events are delivered: a gate must not call the browser.
 */
#ifndef BROWSER_GATE_H
#define BROWSER_GATE_H

#include "base/json.h"

struct gate_request {
	struct str method, url, body; /* the body as far as DevTools tells it */
	struct str content_type;
	struct str type;           /* DevTools' resource type: "Document", "XHR" ... */
	const struct json *fields; /* of the request: an object of strings */
	uint64_t token;            /* for tab_answer() */
	bool is_page;              /* a document of the page or of a frame */
	bool is_main;              /* a document of the page itself */
};

struct gate_answer {
	int status;
	struct str headers; /* a JSON array of {name, value} */
	struct str body;    /* base64 */
};

enum gate_verdict {
	GATE_PASS,
	GATE_WATCH,  /* pass, and tell what came back */
	GATE_REFUSE, /* `why` says so */
	GATE_ANSWER, /* without asking anybody */
	GATE_LATER,  /* the gate keeps the token: tab_answer() follows */
};

struct gate {
	/* `ret` for GATE_ANSWER, `why` for GATE_REFUSE. */
	enum gate_verdict (*judge)(void *ctx, const struct gate_request *r,
				   struct gate_answer *ret, struct diag *why);
	void (*answered)(void *ctx, const struct gate_request *r,
			 const struct gate_answer *a); /* NULL: never GATE_WATCH */
	/* Told of every URL that the page moves to by itself within its document; may be
	 * NULL. */
	void (*moved)(void *ctx, struct str url);
	void *ctx;
};

/* The first address of a name, as text; false when it has none. */
bool gate_resolve(const char *host, char *ret, size_t size);
#endif
