/* tab_state.h - what a tab consists of; for the tab_*.c files only. */
#ifndef BROWSER_TAB_STATE_H
#define BROWSER_TAB_STATE_H

#include "browser/exchange.h"
#include "browser/tab.h"

#define SESSIONS_MAX 64 /* frames, workers and popups of one page */

#define CONTEXTS_MAX 512

/* A frame in a process of its own, or a worker. */
struct tab_child {
	char *session, *target;
	bool is_frame;
};

/* Where the scripts of a frame run. */
struct tab_context {
	char *session, *frame;
	int id;
};

#define REQUESTS_MAX    512   /* watched of one page; more are waited for */
#define REQUEST_WAIT_MS 10000 /* for an answer, where the options say nothing */
#define REFUSED_ALIKE   3     /* that differ by their query, before all such are */

struct tab_request {
	char *id, *url;
	int64_t since_ms; /* by cdp.waited_ms */
	bool is_page;     /* a document of the page or of a frame */
};

#define WATCHED_MAX 64 /* answers that are told, under way at once */

/* An answer that waits for its body and its cookies to be told. */
struct tab_watched {
	char *id, *network, *session, *method, *url, *content_type;
	struct buf body, headers; /* of the request, of the answer */
	struct buf answer;        /* base64 */
	int status;
	uint64_t call; /* for the body; 0: it came, or there is none */
};

/* A request that the gate answers later. */
struct tab_later {
	uint64_t token;
	char *id, *session, *method, *url;
	bool is_page;
};

#define COOKIES_KEPT 32

/* Cookies that the network told of before the answer itself came by. */
struct tab_cookies {
	char *network, *text;
};

struct tab {
	struct browser *browser;
	struct tab_options options;
	char *context, *target, *session; /* the browser's names for them */
	char *main_frame;
	char *url;
	char *fields_loader; /* names the document that `fields` are of */
	struct buf fields;   /* see tab_document_fields() */
	char *popup; /* where the last window that it opened would have led; NULL */
	struct tab_child children[SESSIONS_MAX];
	size_t child_count;
	struct tab_context *contexts;
	size_t context_count, context_cap;
	int isolated_world; /* execution context of our own; 0: not yet made */
	uint64_t navigations;
	unsigned loads;  /* of documents of the page itself, since the last settling began
			  */
	unsigned sweeps; /* see sweep_memory() */
	uint64_t move_call;  /* a movement of the pointer that was not answered yet */
	uint64_t shot_call;  /* a picture that was asked for */
	struct buf shot;     /* and came; empty when the browser had none */
	bool loaded;         /* the load event of the last navigation */
	bool budget_expired; /* virtual time ran out */
	bool virtual_time, fell_back, crashed;
	double head_base_ms; /* names the process whose clock has the head start */
	double moment;       /* that the present input carries */
	double real_zero_ms; /* of the calendar, at zero of the machine's clock */
	bool stalled;        /* a request was given up, see tab_take_stalled() */
	struct tab_request requests[REQUESTS_MAX];
	size_t request_count;
	struct tab_watched watched[WATCHED_MAX];
	size_t watched_count;
	struct tab_later *later;
	size_t later_count, later_cap;
	uint64_t next_token;
	struct tab_cookies cookies[COOKIES_KEPT]; /* a ring */
	size_t cookies_next;
	uint64_t held_back; /* requests that the gate refused */
	struct note *notes;
	size_t note_count, note_cap;
	uint64_t notes_dropped;
	struct exchange_list traffic;
};

void tab_note(struct tab *t, enum note_kind kind, struct str text);
/* Prepare a frame, worker or popup that attached itself; only posts. */
void tab_adopt(struct tab *t, const struct json *params);
/* The script that runs before any of the page's: seeded randomness, no animation. */
void tab_add_prelude(struct buf *to, uint64_t seed);
void tab_forget_child(struct tab *t, size_t at);
/* tab_frames.c: execution contexts come and go; an empty session: of all. */
void tab_on_context(struct tab *t, struct str session, struct str method,
		    const struct json *params);
void tab_forget_contexts(struct tab *t, struct str session);
/* tab_requests.c: what Network events mean for the requests under way. */
void tab_on_request(struct tab *t, struct str method, const struct json *params);
void tab_forget_requests(struct tab *t);
/* One of them has not been answered for too long. */
bool tab_waits_in_vain(const struct tab *t);
/* Such are forgotten, and refused when they are made again. */
void tab_refuse_overdue(struct tab *t);
/* Tell a target what is refused; only posts. */
void tab_tell_refused(struct tab *t, struct str session);
/* tab_time.c: stop the page's clock for good; only tab_settle() moves it from now on. */
must_use enum status tab_stop_time(struct tab *t, struct diag *why);
/* The present moment of the page, in seconds of the real calendar. */
must_use enum status tab_moment(struct tab *t, double *ret_seconds, struct diag *why);
/* tab_gate.c: a request waits, the body of a watched one came; the parameters of
 * Fetch.enable. */
void tab_on_paused(struct tab *t, struct str session, const struct json *params);
bool tab_gate_on_answer(struct tab *t, uint64_t id, const struct json *result);
void tab_gate_on_cookies(struct tab *t, const struct json *params);
/* Tell what was watched and is complete. */
void tab_gate_flush(struct tab *t);
void tab_gate_release(struct tab *t);
struct str tab_gate_settings(void);
/* The parameters of Network.enable, the same for every target. */
struct str tab_network_settings(void);
char *copy_cstr(struct str s);
void replace_cstr(char **at, struct str s);
#endif
