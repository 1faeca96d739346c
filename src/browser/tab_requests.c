#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "browser/tab_state.h"

/*
 * Requests under way.  The page's clock waits for them, so one that is never answered
 * would stop it for ever.  Such a one is refused from then on, in all tabs of the
 * browser; the page then sees it fail at once, each time, whatever the machine's load.
 */

static void forget(struct tab *t, size_t at)
{
	free(t->requests[at].id);
	free(t->requests[at].url);
	t->requests[at] = t->requests[--t->request_count];
}

void tab_forget_requests(struct tab *t)
{
	while (t->request_count)
		forget(t, t->request_count - 1);
}

static struct tab_request *find(struct tab *t, struct str id)
{
	for (size_t i = 0; i < t->request_count; i++)
		if (str_eq(str_from(t->requests[i].id), id))
			return &t->requests[i];
	return NULL;
}

/* A redirection goes on under the same id, to another address. */
static void begin(struct tab *t, const struct json *params)
{
	struct str id = json_str(json_get(params, "requestId"));
	struct str url = json_str(json_get(json_get(params, "request"), "url"));
	struct tab_request *r = find(t, id);

	if (!r && t->request_count < REQUESTS_MAX) {
		r = &t->requests[t->request_count++];
		*r = (struct tab_request){ .id = copy_cstr(id) };
	}
	if (!r)
		return;
	replace_cstr(&r->url, url);
	r->since_ms = t->browser->cdp.waited_ms;
	/* A navigation: to refuse it would show the browser's error page. */
	r->is_page = str_eq(id, json_str(json_get(params, "loaderId")));
}

static void note_failure(struct tab *t, const struct tab_request *r,
			 const struct json *params)
{
	cleanup(buf_release) struct buf b = { 0 };

	if (json_bool(json_get(params, "canceled"), false))
		return;
	/* The gate noted it, with the reason. */
	if (t->options.gate && str_eq(json_str(json_get(params, "errorText")),
				      STR("net::ERR_ACCESS_DENIED")))
		return;
	if (str_eq(json_str(json_get(params, "blockedReason")), STR("inspector")))
		buf_add(&b, STR("not answered in time, refused since"));
	else
		buf_add(&b, json_str(json_get(params, "errorText")));
	if (r)
		buf_addf(&b, ": %s", r->url);
	tab_note(t, NOTE_FAILED_REQUEST, buf_str(&b));
}

void tab_on_request(struct tab *t, struct str method, const struct json *params)
{
	struct str id = json_str(json_get(params, "requestId"));
	bool failed = str_eq(method, STR("Network.loadingFailed"));

	if (str_eq(method, STR("Network.requestWillBeSent"))) {
		begin(t, params);
	} else if (failed || str_eq(method, STR("Network.loadingFinished"))) {
		struct tab_request *r = find(t, id);

		if (failed)
			note_failure(t, r, params);
		if (r)
			forget(t, (size_t)(r - t->requests));
	}
}

static bool is_overdue(const struct tab *t, const struct tab_request *r)
{
	int64_t most = t->options.request_ms ? t->options.request_ms : REQUEST_WAIT_MS;

	return t->browser->cdp.waited_ms - r->since_ms >= most;
}

bool tab_waits_in_vain(const struct tab *t)
{
	for (size_t i = 0; i < t->request_count; i++)
		if (is_overdue(t, &t->requests[i]))
			return true;
	return false;
}

void tab_tell_refused(struct tab *t, struct str session)
{
	const struct browser *browser = t->browser;
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	if (browser->refused_count == 0)
		return;
	json_open(&o, '{');
	json_key(&o, STR("urls"));
	json_open(&o, '[');
	for (size_t i = 0; i < browser->refused_count; i++)
		json_add_str(&o, str_from(browser->refused[i]));
	json_close(&o, ']');
	json_close(&o, '}');
	if (cdp_post(&t->browser->cdp, session, "Network.setBlockedURLs", buf_str(&b),
		     NULL) != ST_OK)
		t->crashed = true;
}

/* Where a page numbers its requests, one that is refused tells nothing of the next. */
static struct str without_query(const char *url)
{
	struct str all = str_from(url);

	return str_slice(all, 0, str_find_char(all, '?'));
}

static void refuse(struct browser *b, const char *url)
{
	struct str path = without_query(url);
	size_t alike = 0;

	for (size_t i = 0; i < b->refused_count; i++)
		alike += str_eq(without_query(b->refused[i]), path);
	if (b->refused_count == REFUSED_MAX)
		return;
	cleanup(buf_release) struct buf pattern = { 0 };
	buf_add(&pattern, alike < REFUSED_ALIKE ? str_from(url) : path);
	if (alike >= REFUSED_ALIKE)
		buf_add_char(&pattern, '*');
	b->refused[b->refused_count++] = copy_cstr(buf_str(&pattern));
}

void tab_refuse_overdue(struct tab *t)
{
	for (size_t i = t->request_count; i--;) {
		const struct tab_request *r = &t->requests[i];

		if (!is_overdue(t, r))
			continue;
		t->stalled = t->stalled || !r->is_page;
		if (!r->is_page)
			refuse(t->browser, r->url);
		forget(t, i);
	}
	tab_tell_refused(t, str_from(t->session));
	for (size_t i = 0; i < t->child_count; i++)
		tab_tell_refused(t, str_from(t->children[i].session));
}

bool tab_take_stalled(struct tab *t)
{
	bool was = t->stalled;

	t->stalled = false;
	return was;
}
