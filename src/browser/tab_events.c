#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "browser/tab_state.h"

#define NOTE_BYTES_MAX 500

void tab_note(struct tab *t, enum note_kind kind, struct str text)
{
	if (t->note_count >= TAB_NOTES_MAX) {
		t->notes_dropped++;
		return;
	}
	VEC_ADD(t->notes, t->note_count, t->note_cap,
		(struct note){ kind, copy_cstr(str_slice(text, 0, NOTE_BYTES_MAX)) });
}

const struct note *tab_notes(const struct tab *t, size_t *ret_n)
{
	*ret_n = t->note_count;
	return t->notes;
}

void tab_clear_notes(struct tab *t)
{
	for (size_t i = 0; i < t->note_count; i++)
		free(t->notes[i].text);
	t->note_count = 0;
	t->notes_dropped = 0;
}

/*
 * Math.random and crypto.getRandomValues from a seed (mulberry32); animations and
 * transitions off, because frames are not on virtual time: what a frame calls is told the
 * page's time, or an animation that takes the difference of both would never end.
 */
void tab_add_prelude(struct buf *to, uint64_t seed)
{
	buf_addf(to, "(()=>{let s=%u>>>0;", (uint32_t)hash_mix(seed + 1));
	buf_add(to,
		STR("const r=()=>{s=(s+0x6D2B79F5)>>>0;let t=Math.imul(s^s>>>15,1|s);"
		    "t=t+Math.imul(t^t>>>7,61|t)^t;return((t^t>>>14)>>>0)/4294967296};"
		    "Math.random=r;"
		    "if(window.crypto){crypto.getRandomValues=a=>{const b=new "
		    "Uint8Array(a.buffer,a.byteOffset,a.byteLength);"
		    "for(let i=0;i<b.length;i++)b[i]=r()*256;return a};"
		    "crypto.randomUUID=()=>'10000000-1000-4000-8000-100000000000'."
		    "replace("
		    "/[018]/g,c=>(c^(r()*16&15)>>c/4).toString(16))}"
		    /* A closed shadow root hides from our scripts, too: open it. */
		    "const as=Element.prototype.attachShadow;"
		    "Element.prototype.attachShadow=function(i){return as.call(this,"
		    "Object.assign({},i,{mode:'open'}))};"
		    "const raf=window.requestAnimationFrame;"
		    "window.requestAnimationFrame=f=>raf.call(window,typeof "
		    "f==='function'?"
		    "()=>f(performance.now()):f);"
		    "const calm=()=>{if(!document.documentElement||"
		    "document.getElementById('thresh-calm'))return;"
		    "const e=document.createElement('style');e.id='thresh-calm';"
		    "e.textContent='*,*::before,*::after{animation:none!important;"
		    "transition:none!important;caret-color:transparent!important;"
		    "scroll-behavior:auto!important}';"
		    "(document.head||document.documentElement).appendChild(e)};"
		    "document.addEventListener('DOMContentLoaded',calm,{once:true})})("
		    ")"));
}

static struct str text_of(const struct json *params, const char *a, const char *b)
{
	const struct json *v = json_get(params, a);

	return json_str(b ? json_get(v, b) : v);
}

static void post(struct tab *t, struct str session, const char *method, struct str params)
{
	/* A post that fails means the browser is gone; the next call will say so. */
	if (cdp_post(&t->browser->cdp, session, method, params, NULL) != ST_OK)
		t->crashed = true;
}

/* A window the page opened: where it leads was noted by windowOpen; browser.c closes it.
 */
static bool is_own_popup(const struct tab *t, const struct json *params)
{
	return t->target &&
	       str_eq(text_of(params, "targetInfo", "openerId"), str_from(t->target));
}

/* What make_repeatable() does for the page, for a frame in another process. */
static void prepare_frame(struct tab *t, struct str session)
{
	cleanup(buf_release) struct buf b = { 0 }, script = { 0 };
	struct json_out o = { .to = &b };

	post(t, session, "Page.enable", STR(""));
	post(t, session, "Runtime.enable", STR(""));
	post(t, session, "Target.setAutoAttach",
	     STR("{\"autoAttach\":true,\"waitForDebuggerOnStart\":true,"
		 "\"flatten\":true}"));
	post(t, session, "Emulation.setFocusEmulationEnabled", STR("{\"enabled\":true}"));
	tab_add_prelude(&script, t->options.seed);
	json_open(&o, '{');
	json_put_str(&o, "source", buf_str(&script));
	json_close(&o, '}');
	post(t, session, "Page.addScriptToEvaluateOnNewDocument", buf_str(&b));
}

void tab_adopt(struct tab *t, const struct json *params)
{
	struct str session = text_of(params, "sessionId", NULL);
	bool is_frame = str_eq(text_of(params, "targetInfo", "type"), STR("iframe"));

	if (t->child_count < SESSIONS_MAX)
		t->children[t->child_count++] = (struct tab_child){
			.session = copy_cstr(session),
			.target = copy_cstr(text_of(params, "targetInfo", "targetId")),
			.is_frame = is_frame,
		};
	if (is_frame)
		prepare_frame(t, session);
	/* Browser-side targets have no such domain and say so, which nobody minds. */
	post(t, session, "Network.enable", tab_network_settings());
	if (t->options.gate)
		post(t, session, "Fetch.enable", tab_gate_settings());
	tab_tell_refused(t, session);
	post(t, session, "Runtime.runIfWaitingForDebugger", STR(""));
}

static void on_frame_navigated(struct tab *t, const struct json *params)
{
	const struct json *frame = json_get(params, "frame");

	if (json_str(json_get(frame, "parentId")).n)
		return;
	replace_cstr(&t->main_frame, json_str(json_get(frame, "id")));
	replace_cstr(&t->url, json_str(json_get(frame, "url")));
	exchange_leave(&t->traffic, json_str(json_get(frame, "loaderId")));
	if (!t->fields_loader ||
	    !str_eq(json_str(json_get(frame, "loaderId")), str_from(t->fields_loader)))
		buf_reset(&t->fields);
	t->isolated_world = 0;
	t->navigations++;
	t->loads++;
}

static void on_navigated_within(struct tab *t, const struct json *params)
{
	if (!str_eq(json_str(json_get(params, "frameId")), str_from(t->main_frame)))
		return;
	replace_cstr(&t->url, json_str(json_get(params, "url")));
	t->navigations++;
	if (t->options.gate && t->options.gate->moved)
		t->options.gate->moved(t->options.gate->ctx, str_from(t->url));
}

static void on_dialog(struct tab *t, const struct json *params)
{
	/* confirm() and beforeunload get "yes", so that the page goes on; prompt() its
	 * default. */
	tab_note(t, NOTE_DIALOG, text_of(params, "message", NULL));
	post(t, str_from(t->session), "Page.handleJavaScriptDialog",
	     STR("{\"accept\":true}"));
}

static void on_console(struct tab *t, const struct json *params)
{
	const struct json *first = json_first(json_get(params, "args"));
	struct str words = json_str(json_get(first, "value"));

	if (!str_eq(text_of(params, "type", NULL), STR("error")))
		return;
	tab_note(t, NOTE_CONSOLE_ERROR,
		 words.n ? words : json_str(json_get(first, "description")));
}

static void on_exception(struct tab *t, const struct json *params)
{
	const struct json *details = json_get(params, "exceptionDetails");
	struct str words =
		json_str(json_get(json_get(details, "exception"), "description"));

	tab_note(t, NOTE_EXCEPTION,
		 words.n ? words : json_str(json_get(details, "text")));
}

struct str tab_document_fields(const struct tab *t)
{
	return buf_str(&t->fields);
}

#define FIELDS_BYTES 8192

/* The answer to a navigation of the page itself: what else it names. */
static void keep_fields(struct tab *t, const struct json *params)
{
	static const char *const names[] = { "link", "refresh", "content-location" };
	const struct json *all = json_get(json_get(params, "response"), "headers");

	if (!str_eq(text_of(params, "type", NULL), STR("Document")) || !t->main_frame ||
	    !str_eq(text_of(params, "frameId", NULL), str_from(t->main_frame)))
		return;
	replace_cstr(&t->fields_loader, text_of(params, "loaderId", NULL));
	buf_reset(&t->fields);
	for (const struct json *f = json_first(all); f; f = json_next(f))
		for (size_t i = 0; i < COUNT(names); i++)
			if (str_eq_nocase(json_name(f), str_from(names[i])) &&
			    t->fields.n + json_str(f).n < FIELDS_BYTES) {
				buf_addf(&t->fields, "%s: ", names[i]);
				buf_add(&t->fields, json_str(f));
				buf_add_char(&t->fields, '\n');
			}
}

static void on_response(struct tab *t, const struct json *params)
{
	const struct json *response = json_get(params, "response");
	int status = (int)json_number(json_get(response, "status"), 0);
	cleanup(buf_release) struct buf b = { 0 };

	keep_fields(t, params);
	if (status < 400)
		return;
	buf_addf(&b, "%d ", status);
	buf_add(&b, json_str(json_get(response, "url")));
	tab_note(t, NOTE_BAD_STATUS, buf_str(&b));
}

void tab_forget_child(struct tab *t, size_t at)
{
	free(t->children[at].session);
	free(t->children[at].target);
}

static void on_detached(struct tab *t, const struct json *params)
{
	struct str gone = text_of(params, "sessionId", NULL);

	for (size_t i = 0; i < t->child_count; i++)
		if (str_eq(str_from(t->children[i].session), gone)) {
			exchange_abandon(&t->traffic, gone);
			tab_forget_contexts(t, gone);
			tab_forget_child(t, i);
			t->children[i] = t->children[--t->child_count];
			return;
		}
}

/* A page that would go elsewhere while it loads, and may not, has no load event. */
static bool is_main_stop(const struct tab *t, struct str method,
			 const struct json *params)
{
	return str_eq(method, STR("Page.frameStoppedLoading")) && t->main_frame &&
	       str_eq(json_str(json_get(params, "frameId")), str_from(t->main_frame));
}

static void on_event(struct tab *t, struct str method, const struct json *params)
{
	if (str_eq(method, STR("Emulation.virtualTimeBudgetExpired"))) {
		t->budget_expired = true;
	} else if (str_eq(method, STR("Page.loadEventFired")) ||
		   is_main_stop(t, method, params)) {
		t->loaded = true;
	} else if (str_eq(method, STR("Page.frameNavigated"))) {
		on_frame_navigated(t, params);
	} else if (str_eq(method, STR("Page.navigatedWithinDocument"))) {
		on_navigated_within(t, params);
	} else if (str_eq(method, STR("Page.javascriptDialogOpening"))) {
		on_dialog(t, params);
	} else if (str_eq(method, STR("Page.windowOpen"))) {
		tab_note(t, NOTE_POPUP, text_of(params, "url", NULL));
		replace_cstr(&t->popup, text_of(params, "url", NULL));
	} else if (str_eq(method, STR("Runtime.consoleAPICalled"))) {
		on_console(t, params);
	} else if (str_eq(method, STR("Runtime.exceptionThrown"))) {
		on_exception(t, params);
	} else if (str_eq(method, STR("Inspector.targetCrashed"))) {
		t->crashed = true;
		tab_note(t, NOTE_CRASH, STR("the page crashed"));
	}
}

/* A body is asked for at once: the next navigation may throw it away. */
static void on_traffic(struct tab *t, struct str session, struct str method,
		       const struct json *params)
{
	struct exchange *e;
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	if (!t->options.record_traffic || !str_starts(method, STR("Network.")) ||
	    !exchange_event(&t->traffic, session, method, params, &e))
		return;
	json_open(&o, '{');
	json_put_str(&o, "requestId", buf_str(&e->id));
	json_close(&o, '}');
	if (cdp_ask(&t->browser->cdp, session, "Network.getResponseBody", buf_str(&b),
		    &e->body_call, NULL) != ST_OK)
		t->crashed = true;
}

bool tab_on_answer(struct tab *t, uint64_t id, const struct json *result)
{
	if (id == t->move_call) {
		t->move_call = 0;
	} else if (id == t->shot_call) {
		t->shot_call = 0;
		buf_add(&t->shot, json_str(json_get(result, "data")));
	} else {
		return tab_gate_on_answer(t, id, result) ||
		       exchange_answer(&t->traffic, id, result);
	}
	return true;
}

/* Told by the browser, not by the page: a frame's is the page's, too. */
static bool note_download(struct tab *t, const struct json *params)
{
	struct str frame = text_of(params, "frameId", NULL);
	bool mine = t->main_frame && str_eq(frame, str_from(t->main_frame));

	for (size_t i = 0; !mine && i < t->context_count; i++)
		mine = str_eq(frame, str_from(t->contexts[i].frame));
	if (mine)
		tab_note(t, NOTE_DOWNLOAD, text_of(params, "url", NULL));
	return mine;
}

/* Of a frame in another process, or of a worker. */
static void on_child_event(struct tab *t, struct str method, const struct json *params)
{
	if (str_eq(method, STR("Target.attachedToTarget")))
		tab_adopt(t, params);
	else if (str_eq(method, STR("Target.detachedFromTarget")))
		on_detached(t, params);
	else if (str_eq(method, STR("Runtime.exceptionThrown")))
		on_exception(t, params);
	else if (str_eq(method, STR("Runtime.consoleAPICalled")))
		on_console(t, params);
}

bool tab_on_event(struct tab *t, struct str session, struct str method,
		  const struct json *params)
{
	bool mine = t->session && str_eq(session, str_from(t->session));
	size_t child = 0;

	if (session.n == 0 && str_eq(method, STR("Target.targetCreated")))
		return is_own_popup(t, params);
	if (session.n == 0 && str_eq(method, STR("Browser.downloadWillBegin")))
		return note_download(t, params);
	while (!mine && child < t->child_count &&
	       !str_eq(session, str_from(t->children[child].session)))
		child++;
	if (!mine && child == t->child_count)
		return false;
	if (str_starts(method, STR("Runtime.executionContext")))
		tab_on_context(t, session, method, params);
	if (t->options.gate && str_eq(method, STR("Fetch.requestPaused")))
		tab_on_paused(t, session, params);
	if (t->options.gate && str_eq(method, STR("Network.responseReceivedExtraInfo")))
		tab_gate_on_cookies(t, params);
	on_traffic(t, session, method, params);
	/* A request may begin in the page and end in the process of its frame. */
	tab_on_request(t, method, params);
	if (str_eq(method, STR("Network.responseReceived")))
		on_response(t, params);
	if (!mine)
		on_child_event(t, method, params);
	else if (str_eq(method, STR("Target.attachedToTarget")))
		tab_adopt(t, params);
	else if (str_eq(method, STR("Target.detachedFromTarget")))
		on_detached(t, params);
	else
		on_event(t, method, params);
	return true;
}
