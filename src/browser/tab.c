#include "browser/tab.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "browser/tab_state.h"
#include "os/clock.h"

#define WIDTH_DEFAULT  1280
#define HEIGHT_DEFAULT 800
#define LOAD_WAIT_MS   30000
#define BODIES_WAIT_MS 5000
#define SWEEP_EVERY    16 /* times that the storage is cleared */
#define RELOADS_MAX    8  /* of a page that asks for what is never answered */
/* Two seconds of a loaded machine; then up to eight times as much page time as it takes
 * for a frame to come by, which costs a fifth of a second. */
#define PICTURE_WAIT_MS 2000
#define PICTURE_RUNS    8
#define PICTURE_RUN_MS  20000
#define PICTURE_STEP_MS 500
#define DRAW_WAIT_MS    2000

char *copy_cstr(struct str s)
{
	char *c = xcalloc(s.n + 1, 1);

	memcpy(c, s.p, s.n);
	return c;
}

void replace_cstr(char **at, struct str s)
{
	free(*at);
	*at = copy_cstr(s);
}

enum status tab_call(struct tab *t, const char *method, struct str params,
		     struct cdp_reply *ret, struct diag *why)
{
	return cdp_call(&t->browser->cdp, str_from(t->session), method, params, ret, why);
}

static enum status browser_call(struct tab *t, const char *method, const char *params,
				const char *name, char **ret, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };

	TRY(cdp_call(&t->browser->cdp, STR(""), method, str_from(params), &reply, why));
	if (name)
		*ret = copy_cstr(json_str(json_get(reply.result, name)));
	return ST_OK;
}

static enum status create(struct tab *t, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };

	TRY(browser_call(t, "Target.createBrowserContext", "{\"disposeOnDetach\":true}",
			 "browserContextId", &t->context, why));
	/* Nothing that a page offers for download is ever written; that it did is told.
	 */
	buf_addf(&b,
		 "{\"behavior\":\"deny\",\"eventsEnabled\":true,\"browserContextId\":"
		 "\"%s\"}",
		 t->context);
	TRY(browser_call(t, "Browser.setDownloadBehavior", buf_cstr(&b), NULL, NULL,
			 why));
	buf_reset(&b);
	buf_addf(&b, "{\"url\":\"about:blank\",\"browserContextId\":\"%s\"}", t->context);
	TRY(browser_call(t, "Target.createTarget", buf_cstr(&b), "targetId", &t->target,
			 why));
	buf_reset(&b);
	buf_addf(&b, "{\"targetId\":\"%s\",\"flatten\":true}", t->target);
	return browser_call(t, "Target.attachToTarget", buf_cstr(&b), "sessionId",
			    &t->session, why);
}

static enum status call_plain(struct tab *t, const char *method, const char *params,
			      struct diag *why)
{
	return tab_call(t, method, str_from(params), NULL, why);
}

static enum status make_repeatable(struct tab *t, struct diag *why)
{
	const struct tab_options *o = &t->options;
	cleanup(buf_release) struct buf b = { 0 }, script = { 0 };
	struct json_out out = { .to = &b };

	buf_addf(&b,
		 "{\"width\":%u,\"height\":%u,\"deviceScaleFactor\":1,\"mobile\":false}",
		 o->width ? o->width : WIDTH_DEFAULT,
		 o->height ? o->height : HEIGHT_DEFAULT);
	TRY(call_plain(t, "Emulation.setDeviceMetricsOverride", buf_cstr(&b), why));
	buf_reset(&b);
	buf_addf(&b, "{\"timezoneId\":\"%s\"}", o->timezone ? o->timezone : "UTC");
	TRY(call_plain(t, "Emulation.setTimezoneOverride", buf_cstr(&b), why));
	buf_reset(&b);
	buf_addf(&b, "{\"locale\":\"%s\"}", o->locale ? o->locale : "en-US");
	TRY(call_plain(t, "Emulation.setLocaleOverride", buf_cstr(&b), why));
	TRY(call_plain(t, "Emulation.setEmulatedMedia",
		       "{\"features\":[{\"name\":\"prefers-reduced-motion\",\"value\":"
		       "\"reduce\"}]}",
		       why));
	TRY(call_plain(t, "Emulation.setFocusEmulationEnabled", "{\"enabled\":true}",
		       why));
	if (o->user_agent) {
		buf_reset(&b);
		json_open(&out, '{');
		json_put_str(&out, "userAgent", str_from(o->user_agent));
		json_close(&out, '}');
		TRY(tab_call(t, "Emulation.setUserAgentOverride", buf_str(&b), NULL,
			     why));
		out.after_value = false;
	}
	tab_add_prelude(&script, o->seed);
	if (o->prelude) {
		buf_add(&script, STR(";\n"));
		buf_add(&script, *o->prelude);
	}
	buf_reset(&b);
	json_open(&out, '{');
	json_put_str(&out, "source", buf_str(&script));
	json_close(&out, '}');
	return tab_call(t, "Page.addScriptToEvaluateOnNewDocument", buf_str(&b), NULL,
			why);
}

struct str tab_network_settings(void)
{
	/* EXCHANGE_BODY_MAX, and four of them. */
	return STR(
		"{\"maxResourceBufferSize\":33554432,\"maxTotalBufferSize\":134217728}");
}

static enum status enable(struct tab *t, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply tree = { 0 };

	TRY(call_plain(t, "Page.enable", "{}", why));
	TRY(call_plain(t, "Runtime.enable", "{}", why));
	TRY(tab_call(t, "Network.enable", tab_network_settings(), NULL, why));
	tab_tell_refused(t, str_from(t->session));
	if (t->options.gate)
		TRY(tab_call(t, "Fetch.enable", tab_gate_settings(), NULL, why));
	/* What a service worker answers would hide the server, and outlive the state. */
	TRY(call_plain(t, "Network.setBypassServiceWorker", "{\"bypass\":true}", why));
	TRY(call_plain(t, "Page.setLifecycleEventsEnabled", "{\"enabled\":true}", why));
	TRY(call_plain(t, "Page.setInterceptFileChooserDialog", "{\"enabled\":true}",
		       why));
	TRY(call_plain(t, "Target.setAutoAttach",
		       "{\"autoAttach\":true,\"waitForDebuggerOnStart\":true,\"flatten\":"
		       "true}",
		       why));
	TRY(tab_call(t, "Page.getFrameTree", STR(""), &tree, why));
	const struct json *frame = json_get(json_get(tree.result, "frameTree"), "frame");
	replace_cstr(&t->main_frame, json_str(json_get(frame, "id")));
	return ST_OK;
}

enum status tab_open(struct browser *b, const struct tab_options *options,
		     struct tab **ret, struct diag *why)
{
	struct tab *t = NEW(struct tab);

	t->browser = b;
	t->options = *options;
	t->url = copy_cstr(STR("about:blank"));
	enum status st = create(t, why);
	VEC_ADD(b->tabs, b->tab_count, b->tab_cap, t);
	if (st == ST_OK)
		st = enable(t, why);
	if (st == ST_OK)
		st = make_repeatable(t, why);
	if (st == ST_OK)
		st = tab_stop_time(t, why);
	if (st != ST_OK) {
		tab_close(t);
		return st;
	}
	*ret = t;
	return ST_OK;
}

void tab_forget(struct tab *t)
{
	struct browser *b = t->browser;

	for (size_t i = 0; i < b->tab_count; i++)
		if (b->tabs[i] == t)
			b->tabs[i] = b->tabs[--b->tab_count];
	tab_clear_notes(t);
	free(t->notes);
	buf_release(&t->shot);
	exchange_list_release(&t->traffic);
	tab_forget_requests(t);
	tab_gate_release(t);
	for (size_t i = 0; i < t->child_count; i++)
		tab_forget_child(t, i);
	tab_forget_contexts(t, STR(""));
	free(t->contexts);
	free(t->context);
	free(t->target);
	free(t->session);
	free(t->main_frame);
	free(t->url);
	free(t->fields_loader);
	buf_release(&t->fields);
	free(t->popup);
	free(t);
}

void tab_close(struct tab *t)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct diag why;

	if (t->context) {
		buf_addf(&b, "{\"browserContextId\":\"%s\"}", t->context);
		/* A browser that no longer answers has no context to dispose of. */
		if (cdp_call(&t->browser->cdp, STR(""), "Target.disposeBrowserContext",
			     buf_str(&b), NULL, &why) != ST_OK)
			t->crashed = true;
	}
	tab_forget(t);
}

static bool has_loaded(void *ctx)
{
	struct tab *t = ctx;

	return t->loaded || t->crashed;
}

static enum status load(struct tab *t, struct str url, uint32_t budget_ms,
			struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct json_out o = { .to = &b };

	t->loaded = false;
	tab_forget_requests(t); /* of the page that is left */
	json_open(&o, '{');
	json_put_str(&o, "url", url);
	json_close(&o, '}');
	TRY(tab_call(t, "Page.navigate", buf_str(&b), &reply, why));
	struct str error = json_str(json_get(reply.result, "errorText"));
	if (error.n)
		return diag_fail(why, ST_IO, STR_FMT ": " STR_FMT, (int)MIN(url.n, 120),
				 url.p, STR_ARG(error));
	/* With its clock stopped the page may not even load: grant the budget first. */
	TRY(tab_settle(t, budget_ms, why));
	if (t->loaded || !json_get(reply.result, "loaderId"))
		return ST_OK;
	enum status st = cdp_wait(&t->browser->cdp, has_loaded, t, LOAD_WAIT_MS, why);
	/* A page whose load event never comes is shown as far as it got. */
	return st == ST_TIMEOUT ? ST_OK : st;
}

enum status tab_goto(struct tab *t, struct str url, uint32_t budget_ms, struct diag *why)
{
	TRY(load(t, url, budget_ms, why));
	for (int i = 0; tab_take_stalled(t) && i < RELOADS_MAX; i++)
		TRY(load(t, url, budget_ms, why));
	return ST_OK;
}

/*
 * A renderer collects the pages that were left when it has nothing to do, and with its
 * clock stopped it never has: 800 loads of a page of 2.5 MB had taken 3 GB.
 */
static enum status sweep_memory(struct tab *t, struct diag *why)
{
	if (++t->sweeps % SWEEP_EVERY)
		return ST_OK;
	TRY(call_plain(t, "Runtime.discardConsoleEntries", "{}", why));
	return call_plain(t, "HeapProfiler.collectGarbage", "{}", why);
}

enum status tab_clear_storage(struct tab *t, struct str origin, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	/* The session's goes with the tab, and only the page itself can empty it. */
	enum status st = tab_evaluate(
		t, STR("try { sessionStorage.clear() } catch (e) {}"), true, NULL, why);
	if (st != ST_OK && st != ST_DENIED)
		return st;
	/* A page that stores something when it is left does it now. */
	TRY(tab_goto(t, STR("about:blank"), 1, why));
	TRY(sweep_memory(t, why));
	json_open(&o, '{');
	json_put_str(&o, "origin", origin);
	json_put_str(&o, "storageTypes",
		     STR("local_storage,indexeddb,cache_storage,file_systems"));
	json_close(&o, '}');
	return tab_call(t, "Storage.clearDataForOrigin", buf_str(&b), NULL, why);
}

enum status tab_back(struct tab *t, uint32_t budget_ms, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	cleanup(buf_release) struct buf b = { 0 };

	TRY(tab_call(t, "Page.getNavigationHistory", STR(""), &reply, why));
	int at = (int)json_number(json_get(reply.result, "currentIndex"), 0);
	const struct json *entry = json_first(json_get(reply.result, "entries"));
	for (int i = 0; entry && i < at - 1; i++)
		entry = json_next(entry);
	if (at <= 0 || !entry)
		return diag_fail(why, ST_NOT_FOUND, "there is nothing to go back to");
	buf_addf(&b, "{\"entryId\":%d}", (int)json_number(json_get(entry, "id"), 0));
	TRY(tab_call(t, "Page.navigateToHistoryEntry", buf_str(&b), NULL, why));
	return tab_settle(t, budget_ms, why);
}

static bool has_all_bodies(void *ctx)
{
	struct tab *t = ctx;

	return t->crashed || exchange_pending(&t->traffic) == 0;
}

enum status tab_finish_traffic(struct tab *t, struct diag *why)
{
	enum status st =
		cdp_wait(&t->browser->cdp, has_all_bodies, t, BODIES_WAIT_MS, why);

	/* A body that does not come is recorded as missing, next time. */
	return st == ST_TIMEOUT ? ST_OK : st;
}

struct exchange *tab_next_exchange(struct tab *t)
{
	return exchange_take(&t->traffic);
}

const struct json *tab_value(const struct cdp_reply *r)
{
	return json_get(json_get(r->result, "result"), "value");
}

struct str tab_value_str(const struct cdp_reply *r)
{
	return json_str(tab_value(r));
}

static bool has_picture(void *ctx)
{
	struct tab *t = ctx;

	return t->shot_call == 0 || t->crashed;
}

/*
 * A page that was never drawn before its clock stopped is not drawn while it stands
 * still, either: then it runs on until a frame falls into it.
 */
static enum status wait_for_picture(struct tab *t, struct diag *why)
{
	enum status st = cdp_wait(&t->browser->cdp, has_picture, t, PICTURE_WAIT_MS, why);

	for (int i = 0; st == ST_TIMEOUT && t->virtual_time && i < PICTURE_RUNS; i++) {
		TRY(tab_settle(t, PICTURE_RUN_MS, why));
		t->fell_back = true;
		st = cdp_wait(&t->browser->cdp, has_picture, t, PICTURE_STEP_MS, why);
	}
	return st;
}

enum status tab_screenshot(struct tab *t, bool whole_page, struct buf *to,
			   struct diag *why)
{
	struct str params =
		whole_page ? STR("{\"format\":\"png\",\"optimizeForSpeed\":true,"
				 "\"captureBeyondViewport\":true}")
			   : STR("{\"format\":\"png\",\"optimizeForSpeed\":true}");

	buf_reset(&t->shot);
	t->fell_back = false;
	TRY(cdp_ask(&t->browser->cdp, str_from(t->session), "Page.captureScreenshot",
		    params, &t->shot_call, why));
	enum status st = wait_for_picture(t, why);
	t->shot_call = 0; /* one that comes too late is nobody's */
	if (st == ST_TIMEOUT || (st == ST_OK && t->shot.n == 0))
		return diag_fail(why, ST_NOT_FOUND, "the browser draws no picture");
	TRY(st);
	if (buf_add_unbase64(to, buf_str(&t->shot)) != ST_OK)
		return diag_fail(why, ST_SYNTAX, "the screenshot is not base64");
	return ST_OK;
}

enum status tab_draw(struct tab *t, struct diag *why)
{
	struct str dot =
		STR("{\"format\":\"jpeg\",\"optimizeForSpeed\":true,"
		    "\"clip\":{\"x\":0,\"y\":0,\"width\":1,\"height\":1,\"scale\":1}}");

	buf_reset(&t->shot);
	TRY(cdp_ask(&t->browser->cdp, str_from(t->session), "Page.captureScreenshot", dot,
		    &t->shot_call, why));
	enum status st = cdp_wait(&t->browser->cdp, has_picture, t, DRAW_WAIT_MS, why);
	t->shot_call = 0;
	return st == ST_TIMEOUT ? ST_OK : st;
}

struct str tab_url(const struct tab *t)
{
	return str_from(t->url);
}

bool tab_take_popup(struct tab *t, struct buf *ret)
{
	if (!t->popup)
		return false;
	buf_reset(ret);
	buf_add(ret, str_from(t->popup));
	free(TAKE(t->popup));
	return true;
}

uint64_t tab_navigations(const struct tab *t)
{
	return t->navigations;
}

bool tab_crashed(const struct tab *t)
{
	return t->crashed;
}

bool tab_fell_back(const struct tab *t)
{
	return t->fell_back;
}
