/*
 * page.c - one page in the browser: shown, scrolled and opened for as long as that brings
 * something, taken down, and what listens on it tried.
 */
#include <string.h>

#include "base/json.h"
#include "record/fetch.h"
#include "render/browser_thread.h"
#include "render/scripts.h"

#define DOM_MAX         16000000
#define LOAD_BUDGET_MS  4000 /* of page time: timers of a second or two count */
#define GROW_BUDGET_MS  1200
#define PRESS_BUDGET_MS 600
#define SCROLLS_MAX     120
#define MORE_MAX        100
#define PRESSES_MAX     40
#define VAIN_SCROLLS    2
#define VAIN_MORE       3
#define VAIN_PRESSES    12
#define ROUTES_MAX      100
#define PRESS_WAIT_MS   5000 /* real time: a press that hangs the page costs no more */
#define GROWTH_BYTES    20   /* of text: less is a clock */

struct measure {
	double text, links;
	bool here;   /* the page is where it was */
	bool failed; /* it could not be told */
};

/* `call` is a function of page.js with its arguments. */
static enum status ask(struct render_browser *b, const char *call, struct cdp_reply *ret,
		       struct diag *why)
{
	cleanup(buf_release) struct buf script = { 0 };

	buf_add(&script, render_script_page);
	buf_add(&script, STR(";\nthreshPage."));
	buf_add(&script, str_from(call));
	return tab_evaluate(b->tab, buf_str(&script), true, ret, why);
}

/* An exception of the page's making is no failure of ours: then there is no answer. */
static enum status ask_leniently(struct render_browser *b, const char *call,
				 struct cdp_reply *ret, struct diag *why)
{
	enum status st = ask(b, call, ret, why);

	return st == ST_DENIED ? ST_OK : st;
}

static enum status measure(struct render_browser *b, struct str url, struct measure *ret,
			   struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct json *v = NULL;

	*ret = (struct measure){ .failed = true };
	TRY(ask_leniently(b, "measure()", &reply, why));
	if (!reply.message || json_parse(tab_value_str(&reply), &v, NULL) != ST_OK)
		return ST_OK;
	ret->failed = false;
	ret->text = json_number(json_get(v, "text"), 0);
	ret->links = json_number(json_get(v, "links"), 0);
	ret->here = str_eq(json_str(json_get(v, "url")), url);
	json_release(&v);
	return ST_OK;
}

static bool has_grown(const struct measure *from, const struct measure *to)
{
	return to->text >= from->text + GROWTH_BYTES || to->links > from->links;
}

/* Do `call`, let the page work; has that brought anything? */
static enum status try_once(struct render_browser *b, const char *call, struct str url,
			    struct measure *at, bool *ret_did, bool *ret_grew,
			    struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct measure now;

	TRY(ask_leniently(b, call, &reply, why));
	struct str did = reply.message ? tab_value_str(&reply) : STR("");
	*ret_did = did.n > 0 && !str_eq(did, STR("false"));
	TRY(tab_settle(b->tab, GROW_BUDGET_MS, why));
	TRY(measure(b, url, &now, why));
	*ret_grew = has_grown(at, &now);
	if (*ret_grew)
		*at = now;
	return ST_OK;
}

/* Lists that grow when their end comes into view hear of it with the next frame. */
static enum status draw(struct render_browser *b, struct str url, struct measure *at,
			bool *ret_grew, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply up = { 0 };
	bool did;

	TRY(ask_leniently(b, "nudge()", &up, why));
	TRY(tab_draw(b->tab, why));
	TRY(try_once(b, "scroll()", url, at, &did, ret_grew, why));
	if (*ret_grew)
		return ST_OK;
	TRY(tab_draw(b->tab, why));
	return try_once(b, "scroll()", url, at, &did, ret_grew, why);
}

/*
 * Whether anything of the page listens to scrolling or watches what comes into view.  A
 * page of others may hide it: then it does.
 */
static enum status waits_for_scrolling(struct render_browser *b, bool *ret,
				       struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	enum status st =
		tab_evaluate(b->tab,
			     STR("'' + (window[Symbol.for('thresh.waits')] !== false || "
				 "!!document.querySelector('[onscroll],iframe'))"),
			     false, &reply, why);

	if (st != ST_OK && st != ST_DENIED)
		return st;
	*ret = st == ST_DENIED || !str_eq(tab_value_str(&reply), STR("false"));
	return ST_OK;
}

static enum status scroll_down(struct render_browser *b, struct str url,
			       struct measure *at, struct diag *why)
{
	bool did = true, grew, waits;
	int vain = 0;

	TRY(waits_for_scrolling(b, &waits, why));
	if (!waits) {
		/* What asks by a timer how far it was scrolled still hears of it. */
		TRY(try_once(b, "scroll()", url, at, &did, &grew, why));
		b->out->scrolls += did;
		if (!grew)
			return ST_OK;
	}
	for (int i = 0; i < SCROLLS_MAX && vain < VAIN_SCROLLS && did; i++) {
		TRY(try_once(b, "scroll()", url, at, &did, &grew, why));
		if (!grew && (did || b->out->requests > 0))
			TRY(draw(b, url, at, &grew, why));
		b->out->scrolls += did;
		vain = grew ? 0 : vain + 1;
		did = did || grew;
	}
	return ST_OK;
}

static enum status open_more(struct render_browser *b, struct str url, struct measure *at,
			     struct diag *why)
{
	bool did = true, grew = false;
	int vain = 0;

	for (int i = 0; i < MORE_MAX && vain < VAIN_MORE && did; i++) {
		TRY(try_once(b, grew ? "more(true)" : "more(false)", url, at, &did, &grew,
			     why));
		b->out->clicks += did;
		vain = grew ? 0 : vain + 1;
	}
	return ST_OK;
}

static enum status take_dom(struct render_browser *b, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	cleanup(buf_release) struct buf call = { 0 };

	buf_addf(&call, "dom(%d)", DOM_MAX);
	TRY(ask_leniently(b, buf_cstr(&call), &reply, why));
	if (!reply.message)
		return ST_OK;
	buf_reset(&b->out->dom);
	buf_add(&b->out->dom, tab_value_str(&reply));
	return ST_OK;
}

/* The links that are there now; those of the document taken down count as well. */
static enum status take_links(struct render_browser *b, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct json *v = NULL;

	TRY(ask_leniently(b, "hrefs()", &reply, why));
	if (!reply.message || json_parse(tab_value_str(&reply), &v, NULL) != ST_OK)
		return ST_OK;
	for (const struct json *u = json_first(v); u; u = json_next(u))
		rendering_add_url(b->out, json_str(u), HOP_LINK);
	json_release(&v);
	return ST_OK;
}

/* Addresses that the page's scripts have put together and not used yet. */
static enum status take_globals(struct render_browser *b, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	enum status st = tab_evaluate(b->tab, render_script_globals, false, &reply, why);

	if (st != ST_OK && st != ST_DENIED)
		return st;
	for (const struct json *u = json_first(tab_value(&reply)); u; u = json_next(u))
		rendering_add_url(b->out, json_str(u), HOP_GUESS);
	return ST_OK;
}

/* An application that moved is led back; false when it does not come. */
static enum status come_back(struct render_browser *b, struct str url, bool *ret_here,
			     struct diag *why)
{
	struct measure now;

	TRY(measure(b, url, &now, why));
	if (!now.here && !now.failed) {
		enum status st =
			tab_evaluate(b->tab, STR("history.back()"), true, NULL, why);

		if (st != ST_OK && st != ST_DENIED)
			return st;
		TRY(tab_settle(b->tab, PRESS_BUDGET_MS, why));
		TRY(measure(b, url, &now, why));
	}
	*ret_here = now.here;
	return ST_OK;
}

/* What a press brought: URLs that it led to, or text that is there to stay. */
static enum status press_once(struct render_browser *b, struct str url,
			      struct measure *at, bool *ret_did, bool *ret_brought,
			      struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 }, marked = { 0 };
	size_t urls = b->out->n_urls;
	struct measure now;

	render_allow(b, MIN(PRESS_WAIT_MS, b->pool->options.page_ms));
	enum status st =
		tab_evaluate(b->tab, render_script_listeners, false, &marked, why);
	if (st != ST_OK && st != ST_DENIED)
		return st;
	TRY(ask_leniently(b, "press()", &reply, why));
	*ret_did = reply.message && tab_value_str(&reply).n > 0;
	*ret_brought = false;
	if (!*ret_did)
		return ST_OK;
	b->out->clicks++;
	TRY(tab_settle(b->tab, PRESS_BUDGET_MS, why));
	TRY(measure(b, url, &now, why));
	bool grew = has_grown(at, &now), moved = !now.here;
	*ret_brought = grew || b->out->n_urls > urls;
	if (grew || moved)
		TRY(take_links(b, why));
	if (grew && !moved) {
		*at = now;
		return take_dom(b, why);
	}
	return ST_OK;
}

static enum status press_all(struct render_browser *b, struct str url, struct measure *at,
			     struct diag *why)
{
	bool did = true, brought, here = true;
	int vain = 0;

	for (int i = 0; i < PRESSES_MAX && vain < VAIN_PRESSES && did && here; i++) {
		TRY(press_once(b, url, at, &did, &brought, why));
		b->out->presses += did;
		b->out->presses_paid += brought;
		vain = brought ? 0 : vain + 1;
		TRY(come_back(b, url, &here, why));
	}
	return ST_OK;
}

/* A view that an application shows under "#/..." is no page of its own: it is part of
 * this one. */
static enum status add_view(struct render_browser *b, struct str route, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	cleanup(buf_release) struct buf call = { 0 };
	struct json_out o = { .to = &call };

	buf_addf(&call, "view(%d,", DOM_MAX);
	json_add_str(&o, route);
	buf_add_char(&call, ')');
	TRY(ask_leniently(b, buf_cstr(&call), &reply, why));
	if (reply.message && b->out->dom.n < DOM_MAX)
		buf_add(&b->out->dom, tab_value_str(&reply));
	return ST_OK;
}

static enum status walk_routes(struct render_browser *b, struct str url, struct diag *why)
{
	bool here = true;
	int walked = 0;

	for (; walked < ROUTES_MAX; walked++) {
		cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };

		TRY(ask_leniently(b, "route()", &reply, why));
		struct str route = reply.message ? tab_value_str(&reply) : STR("");
		if (route.n == 0)
			break;
		b->out->clicks++;
		TRY(tab_settle(b->tab, GROW_BUDGET_MS, why));
		TRY(take_links(b, why));
		TRY(add_view(b, route, why));
	}
	/* Back to where it was; where that fails nothing is pressed on another view. */
	return walked ? come_back(b, url, &here, why) : ST_OK;
}

/* Windows that the page opened lead somewhere. */
static void take_popups(struct render_browser *b)
{
	size_t n;
	const struct note *notes = tab_notes(b->tab, &n);

	for (size_t i = 0; i < n; i++)
		if (notes[i].kind == NOTE_POPUP || notes[i].kind == NOTE_DOWNLOAD)
			rendering_add_url(b->out, str_from(notes[i].text), HOP_LINK);
}

static enum status leave(struct render_browser *b, struct str url, struct diag *why)
{
	size_t scheme = str_find(url, STR("://"));
	size_t path = scheme == STR_NONE ? STR_NONE
					 : str_find_char(str_skip(url, scheme + 3), '/');
	struct str origin = path == STR_NONE ? url : str_slice(url, 0, scheme + 3 + path);

	tab_clear_notes(b->tab);
	return tab_clear_storage(b->tab, origin, why);
}

enum status render_page(struct render_browser *b, struct diag *why)
{
	cleanup(buf_release) struct buf here = { 0 };
	struct str url = buf_str(&b->job->url);
	struct measure at;

	tab_clear_notes(b->tab);
	TRY(tab_goto(b->tab, url, LOAD_BUDGET_MS, why));
	buf_add(&here, tab_url(b->tab)); /* it may have moved while it loaded */
	TRY(measure(b, buf_str(&here), &at, why));
	TRY(scroll_down(b, buf_str(&here), &at, why));
	TRY(open_more(b, buf_str(&here), &at, why));
	TRY(take_dom(b, why));
	if (b->out->dom.n == 0)
		return diag_fail(why, ST_IO, "the page has no document");
	if (b->pool->options.pictures) {
		enum status st = tab_screenshot(b->tab, false, &b->out->picture, why);

		if (st != ST_OK && st != ST_NOT_FOUND)
			return st;
	}
	TRY(walk_routes(b, buf_str(&here), why));
	TRY(take_globals(b, why));
	if (b->job->presses)
		TRY(press_all(b, buf_str(&here), &at, why));
	take_popups(b);
	return leave(b, url, why);
}
