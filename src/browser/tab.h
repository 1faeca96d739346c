/*
 * tab.h - one page in the browser, made repeatable.
 *
 * A tab has a browser context of its own (cookies, storage, cache), a fixed
 * viewport, locale, time zone and clock, seeded randomness, no animations; time
 * passes only when tab_settle() lets it (virtual time), so the same page does the
 * same things in the same order.  Dialogs are answered, popups recorded and
 * closed, downloads refused.  What the page complains about is kept, bounded.
 * Owned by the browser's thread.
 */
#ifndef BROWSER_TAB_H
#define BROWSER_TAB_H

#include "browser/browser.h"
#include "browser/exchange.h"
#include "browser/gate.h"

#define TAB_NOTES_MAX 256 /* console errors, failed requests: more are only counted */

struct tab_options {
	uint32_t width, height;  /* of the viewport; 0: 1280 x 800 */
	const char *locale;      /* NULL: "en-US" */
	const char *timezone;    /* NULL: "UTC" */
	uint64_t seed;           /* of the page's randomness */
	int64_t wall_ms;         /* the page's clock at the start; 0: 2026-01-01 */
	bool real_time;          /* do not use virtual time */
	bool record_traffic;     /* keep the finished requests for tab_next_exchange() */
	const char *user_agent;  /* NULL: the browser's own */
	const struct gate *gate; /* judges every request; NULL: all pass */
	const struct str
		*prelude;    /* runs before the scripts of each document; NULL: none */
	uint32_t request_ms; /* how long an answer is waited for; 0: 10 s */
	uint32_t settle_ms;  /* real time for one budget of page time; 0: 15 s */
};

enum note_kind {
	NOTE_CONSOLE_ERROR,
	NOTE_EXCEPTION,
	NOTE_FAILED_REQUEST,
	NOTE_BAD_STATUS, /* an answer of 400 or more */
	NOTE_DIALOG,
	NOTE_POPUP,    /* a window the page opened: its URL */
	NOTE_DOWNLOAD, /* refused: its URL */
	NOTE_CRASH,
	NOTE_HELD_BACK, /* a request that the gate refused: how, where and why */
};

struct note {
	enum note_kind kind;
	char *text;
};

struct tab; /* made by tab_open() */

must_use enum status tab_open(struct browser *b, const struct tab_options *options,
			      struct tab **ret, struct diag *why);
/* Close the page and its context. */
void tab_close(struct tab *t);
/* The page is gone already, with its browser. */
void tab_forget(struct tab *t);

/*
 * Load `url` and let `budget_ms` of page time pass.  ST_IO with the browser's
 * words when there is nothing to show (DNS, refused, ...); an HTTP error page is
 * a page.
 */
must_use enum status tab_goto(struct tab *t, struct str url, uint32_t budget_ms,
			      struct diag *why);
/*
 * Let the page work: `budget_ms` of its time, network waits not counted.  Falls
 * back to real time (network idle and no DOM change) where the page's time does
 * not move.  ST_TIMEOUT for a page that loads itself or another one without end.
 */
must_use enum status tab_settle(struct tab *t, uint32_t budget_ms, struct diag *why);
/*
 * True once after the page's clock went on without the answer to a request: what the page
 * shows depends on our patience.  The request is refused from now on, so that doing the
 * same again gives what it always gives.  tab_goto() sees to that itself.
 */
bool tab_take_stalled(struct tab *t);
/* The last tab_settle() or tab_screenshot() could not keep the page's clock. */
bool tab_fell_back(const struct tab *t);
/*
 * Leave the page and forget what pages of `origin` keep in the browser, cookies
 * excepted; the tab shows about:blank then.
 */
must_use enum status tab_clear_storage(struct tab *t, struct str origin,
				       struct diag *why);
/* One step back in the history, through the page cache where it allows. */
must_use enum status tab_back(struct tab *t, uint32_t budget_ms, struct diag *why);

/*
 * The JSON of what `expression` gives (a promise is awaited), in the world of
 * the page's own scripts, or apart from them in ours when `isolated`; DevTools'
 * command line API (getEventListeners ...) is at hand.  An
 * exception is ST_DENIED with its words.
 */
must_use enum status tab_evaluate(struct tab *t, struct str expression, bool isolated,
				  struct cdp_reply *ret, struct diag *why);
/*
 * The document of a frame whose origin is another, in this process or in one of its
 * own.  A plain value: stays good until the frame navigates or goes.
 */
struct tab_frame {
	char session[64], id[64]; /* the browser's names */
};
/*
 * The frame in the element that `element` (an expression, in our world) gives, in the
 * document of `in` (NULL: the page's).  ST_NOT_FOUND when there is none.
 */
must_use enum status tab_find_frame(struct tab *t, const struct tab_frame *in,
				    struct str element, struct tab_frame *ret,
				    struct diag *why);
/* As tab_evaluate(), in a frame. */
must_use enum status tab_evaluate_in(struct tab *t, const struct tab_frame *f,
				     struct str expression, bool isolated,
				     struct cdp_reply *ret, struct diag *why);
/* The string value of an evaluate reply; empty for anything else. */
struct str tab_value_str(const struct cdp_reply *r);
const struct json *tab_value(const struct cdp_reply *r);
/*
 * PNG bytes of the viewport, or of the whole page.  The page's clock may have to run for
 * it, see tab_fell_back(); ST_NOT_FOUND when there is none to be had even so.
 */
must_use enum status tab_screenshot(struct tab *t, bool whole_page, struct buf *to,
				    struct diag *why);
/*
 * One frame is drawn, and with it the page hears of what only drawing tells: elements
 * that came into view, boxes that were scrolled.  A page that is not drawn in two
 * seconds is no failure.
 */
must_use enum status tab_draw(struct tab *t, struct diag *why);
/* A call in the tab's session; for what this header has no function for. */
must_use enum status tab_call(struct tab *t, const char *method, struct str params,
			      struct cdp_reply *ret, struct diag *why);

/* Trusted input, as from a person.  Coordinates in CSS pixels of the viewport. */
enum tab_mouse {
	TAB_CLICK,
	TAB_DOUBLE_CLICK,
	TAB_CONTEXT_CLICK,
	TAB_HOVER,
	TAB_LONG_PRESS, /* pressed for 800 ms of page time */
};
must_use enum status tab_mouse(struct tab *t, enum tab_mouse what, double x, double y,
			       struct diag *why);
/* A key by its DOM name: "Enter", "Escape", "ArrowDown", "a". */
must_use enum status tab_key(struct tab *t, const char *key, struct diag *why);
must_use enum status tab_type(struct tab *t, struct str text, struct diag *why);

/* The URL of the main frame, as the page last announced it. */
struct str tab_url(const struct tab *t);
/*
 * What the answer that the page came with says of other addresses, lines "Name: value":
 * Link, Refresh, Content-Location.
 */
struct str tab_document_fields(const struct tab *t);
/*
 * Where the window leads that the page opened since the last call, into `ret` (reset
 * first); false: it opened none.
 */
bool tab_take_popup(struct tab *t, struct buf *ret);
/* Navigations within and across documents since the tab was opened. */
uint64_t tab_navigations(const struct tab *t);
bool tab_crashed(const struct tab *t);
/* What the page complained about since the last tab_clear_notes(). */
const struct note *tab_notes(const struct tab *t, size_t *ret_n);
void tab_clear_notes(struct tab *t);

/*
 * The next finished request of the page, its frames and workers, with what came
 * back; the caller frees it.  NULL when there is none.  Only with record_traffic.
 */
struct exchange *tab_next_exchange(struct tab *t);
/* Wait for the bodies that are on their way from the browser to us. */
must_use enum status tab_finish_traffic(struct tab *t, struct diag *why);

/*
 * The answer to a request that the gate kept (GATE_LATER); NULL refuses it, as `why`
 * says.  A token that is not known any more, or was answered, is nothing.
 */
void tab_answer(struct tab *t, uint64_t token, const struct gate_answer *a,
		const struct diag *why);
/* How many of them wait. */
size_t tab_waiting(const struct tab *t);

/* For the browser: true when the event was this tab's. */
bool tab_on_event(struct tab *t, struct str session, struct str method,
		  const struct json *params);
/* Likewise for the answer to a question that the tab asked. */
bool tab_on_answer(struct tab *t, uint64_t id, const struct json *result);
#endif
