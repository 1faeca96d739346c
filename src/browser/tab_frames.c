#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "browser/tab_state.h"

/*
 * Frames of another origin are closed to the page's scripts and to ours in its world;
 * the browser leads into each: in our process by its execution contexts, in another
 * one by the session that attached itself.
 */

static void forget_context(struct tab *t, size_t at)
{
	free(t->contexts[at].session);
	free(t->contexts[at].frame);
	t->contexts[at] = t->contexts[--t->context_count];
}

void tab_forget_contexts(struct tab *t, struct str session)
{
	for (size_t i = t->context_count; i--;)
		if (session.n == 0 || str_eq(str_from(t->contexts[i].session), session))
			forget_context(t, i);
}

void tab_on_context(struct tab *t, struct str session, struct str method,
		    const struct json *params)
{
	const struct json *context = json_get(params, "context");
	const struct json *more = json_get(context, "auxData");
	int id = (int)json_number(json_get(params, "executionContextId"), -1);

	if (str_eq(method, STR("Runtime.executionContextsCleared"))) {
		tab_forget_contexts(t, session);
	} else if (str_eq(method, STR("Runtime.executionContextDestroyed"))) {
		for (size_t i = t->context_count; i--;)
			if (t->contexts[i].id == id &&
			    str_eq(str_from(t->contexts[i].session), session))
				forget_context(t, i);
	} else if (str_eq(method, STR("Runtime.executionContextCreated")) &&
		   json_bool(json_get(more, "isDefault"), false) &&
		   t->context_count < CONTEXTS_MAX) {
		VEC_ADD(t->contexts, t->context_count, t->context_cap,
			(struct tab_context){
				.session = copy_cstr(session),
				.frame = copy_cstr(json_str(json_get(more, "frameId"))),
				.id = (int)json_number(json_get(context, "id"), 0) });
	}
}

/* The last one: a frame that navigated has a new one, and the old may still be known. */
static int find_context(const struct tab *t, const struct tab_frame *f)
{
	for (size_t i = t->context_count; i--;)
		if (strcmp(t->contexts[i].frame, f->id) == 0 &&
		    strcmp(t->contexts[i].session, f->session) == 0)
			return t->contexts[i].id;
	return 0;
}

/* After a return through the page cache nobody told of the contexts: ask again. */
static enum status main_context(struct tab *t, const struct tab_frame *f, int *ret,
				struct diag *why)
{
	struct str session = str_from(f->session);

	*ret = find_context(t, f);
	if (*ret)
		return ST_OK;
	TRY(cdp_call(&t->browser->cdp, session, "Runtime.disable", STR(""), NULL, why));
	TRY(cdp_call(&t->browser->cdp, session, "Runtime.enable", STR(""), NULL, why));
	*ret = find_context(t, f);
	return *ret ? ST_OK
		    : diag_fail(why, ST_DENIED, "the frame has no scripts of its own");
}

static enum status own_context(struct tab *t, const struct tab_frame *f, int *ret,
			       struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };

	buf_addf(&b, "{\"frameId\":\"%s\",\"worldName\":\"thresh\"}", f->id);
	TRY(cdp_call(&t->browser->cdp, str_from(f->session), "Page.createIsolatedWorld",
		     buf_str(&b), &reply, why));
	*ret = (int)json_number(json_get(reply.result, "executionContextId"), 0);
	return ST_OK;
}

static enum status context_of(struct tab *t, const struct tab_frame *f, bool isolated,
			      int *ret, struct diag *why)
{
	if (f)
		return (isolated ? own_context : main_context)(t, f, ret, why);
	*ret = 0;
	if (!isolated)
		return ST_OK;
	struct tab_frame page = { 0 };

	snprintf(page.session, sizeof(page.session), "%s", t->session);
	snprintf(page.id, sizeof(page.id), "%s", t->main_frame);
	if (!t->isolated_world)
		TRY(own_context(t, &page, &t->isolated_world, why));
	*ret = t->isolated_world;
	return ST_OK;
}

static enum status evaluate_once(struct tab *t, const struct tab_frame *f,
				 struct str expression, bool isolated, bool by_value,
				 struct cdp_reply *ret, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 };
	struct json_out o = { .to = &b };
	int context = 0;

	TRY(context_of(t, f, isolated, &context, why));
	json_open(&o, '{');
	json_put_str(&o, "expression", expression);
	json_put_bool(&o, "returnByValue", by_value);
	json_put_bool(&o, "awaitPromise", true);
	json_put_bool(&o, "includeCommandLineAPI", true);
	if (context)
		json_put_int(&o, "contextId", context);
	json_close(&o, '}');
	enum status st = cdp_call(&t->browser->cdp, str_from(f ? f->session : t->session),
				  "Runtime.evaluate", buf_str(&b), &reply, why);
	/* The document may have been replaced, and our world with it. */
	if (st == ST_DENIED && !f) {
		t->isolated_world = 0;
		return ST_AGAIN;
	}
	TRY(st);
	const struct json *thrown = json_get(reply.result, "exceptionDetails");
	if (thrown) {
		struct str words =
			json_str(json_get(json_get(thrown, "exception"), "description"));
		return diag_fail(why, ST_DENIED, "the page's script failed: " STR_FMT,
				 (int)MIN(words.n, 160), words.p);
	}
	if (ret)
		*ret = TAKE(reply);
	return ST_OK;
}

static enum status evaluate(struct tab *t, const struct tab_frame *f,
			    struct str expression, bool isolated, bool by_value,
			    struct cdp_reply *ret, struct diag *why)
{
	enum status st = ST_AGAIN;

	for (int i = 0; i < 3 && st == ST_AGAIN; i++)
		st = evaluate_once(t, f, expression, isolated, by_value, ret, why);
	return st == ST_AGAIN ? ST_DENIED : st;
}

enum status tab_evaluate_in(struct tab *t, const struct tab_frame *f,
			    struct str expression, bool isolated, struct cdp_reply *ret,
			    struct diag *why)
{
	return evaluate(t, f, expression, isolated, true, ret, why);
}

enum status tab_evaluate(struct tab *t, struct str expression, bool isolated,
			 struct cdp_reply *ret, struct diag *why)
{
	return evaluate(t, NULL, expression, isolated, true, ret, why);
}

/* The session of a frame: its own when it runs in another process. */
static const char *session_of(const struct tab *t, const struct tab_frame *in,
			      struct str frame)
{
	for (size_t i = 0; i < t->child_count; i++)
		if (str_eq(str_from(t->children[i].target), frame))
			return t->children[i].session;
	return in ? in->session : t->session;
}

enum status tab_find_frame(struct tab *t, const struct tab_frame *in, struct str element,
			   struct tab_frame *ret, struct diag *why)
{
	cleanup(cdp_reply_release) struct cdp_reply reply = { 0 }, node = { 0 };
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };
	struct str session = str_from(in ? in->session : t->session);

	TRY(evaluate(t, in, element, true, false, &reply, why));
	struct str object =
		json_str(json_get(json_get(reply.result, "result"), "objectId"));
	if (object.n == 0)
		return diag_fail(why, ST_NOT_FOUND, "the frame is not there any more");
	json_open(&o, '{');
	json_put_str(&o, "objectId", object);
	json_close(&o, '}');
	TRY(cdp_call(&t->browser->cdp, session, "DOM.describeNode", buf_str(&b), &node,
		     why));
	TRY(cdp_post(&t->browser->cdp, session, "Runtime.releaseObject", buf_str(&b),
		     why));
	struct str id = json_str(json_get(json_get(node.result, "node"), "frameId"));
	if (id.n == 0 || id.n >= sizeof(ret->id))
		return diag_fail(why, ST_NOT_FOUND, "the frame shows no document");
	struct tab_frame found = { 0 };
	snprintf(found.id, sizeof(found.id), STR_FMT, STR_ARG(id));
	snprintf(found.session, sizeof(found.session), "%s", session_of(t, in, id));
	*ret = found;
	return ST_OK;
}
