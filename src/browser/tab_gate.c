#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "browser/tab_state.h"

#define ANSWER_BODY_MAX \
	((size_t)4 << 20) /* base64; a larger one is passed and not told */

static void post(struct tab *t, struct str session, const char *method,
		 struct buf *params)
{
	if (cdp_post(&t->browser->cdp, session, method, buf_str(params), NULL) != ST_OK)
		t->crashed = true;
}

struct str tab_gate_settings(void)
{
	return STR(
		"{\"patterns\":[{\"urlPattern\":\"*\",\"requestStage\":\"Request\"}]}");
}

static struct json_out open_params(struct buf *b, struct str id)
{
	struct json_out o = { .to = b };

	json_open(&o, '{');
	json_put_str(&o, "requestId", id);
	return o;
}

static void go_on(struct tab *t, struct str session, struct str id, bool watch)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = open_params(&b, id);

	if (watch)
		json_put_bool(&o, "interceptResponse", true);
	json_close(&o, '}');
	post(t, session, "Fetch.continueRequest", &b);
}

/*
 * A page that is refused its next document stays where it is: no content, no move.  Were
 * the request to fail, one that asks for it while it loads itself would wait for ever.
 */
static void refuse_document(struct tab *t, struct str session, struct str id)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = open_params(&b, id);

	json_put_int(&o, "responseCode", 204);
	json_close(&o, '}');
	post(t, session, "Fetch.fulfillRequest", &b);
}

static void refuse_request(struct tab *t, struct str session, struct str id)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = open_params(&b, id);

	json_put_str(&o, "errorReason", STR("AccessDenied"));
	json_close(&o, '}');
	post(t, session, "Fetch.failRequest", &b);
}

static void refuse(struct tab *t, struct str session, struct str id,
		   const struct gate_request *r, const struct diag *why)
{
	cleanup(buf_release) struct buf note = { 0 };

	if (r->is_page)
		refuse_document(t, session, id);
	else
		refuse_request(t, session, id);
	buf_add(&note, r->method);
	buf_add_char(&note, ' ');
	buf_add(&note, r->url);
	buf_addf(&note, ": %s", why->text);
	tab_note(t, NOTE_HELD_BACK, buf_str(&note));
	t->held_back++;
}

static void answer(struct tab *t, struct str session, struct str id,
		   const struct gate_answer *a)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = open_params(&b, id);

	json_put_int(&o, "responseCode", a->status);
	json_key(&o, STR("responseHeaders"));
	json_add_raw(&o, a->headers);
	if (a->body.n)
		json_put_str(&o, "body", a->body);
	json_close(&o, '}');
	post(t, session, "Fetch.fulfillRequest", &b);
}

static struct str header_of(const struct json *headers, struct str name)
{
	for (const struct json *h = json_first(headers); h; h = json_next(h))
		if (str_eq_nocase(json_name(h), name))
			return json_str(h);
	return STR("");
}

static struct gate_request request_of(const struct tab *t, const struct json *params)
{
	const struct json *r = json_get(params, "request");
	struct str type = json_str(json_get(params, "resourceType"));
	bool is_page = str_eq(type, STR("Document"));

	return (struct gate_request){
		.method = json_str(json_get(r, "method")),
		.url = json_str(json_get(r, "url")),
		.body = json_str(json_get(r, "postData")),
		.content_type = header_of(json_get(r, "headers"), STR("content-type")),
		.type = type,
		.fields = json_get(r, "headers"),
		.token = t->next_token,
		.is_page = is_page,
		.is_main = is_page && t->main_frame &&
			   str_eq(json_str(json_get(params, "frameId")),
				  str_from(t->main_frame)),
	};
}

static void add_headers(const struct json *list, struct buf *to)
{
	for (const struct json *h = json_first(list); h; h = json_next(h)) {
		struct json_out o = { .to = to };
		struct str name = json_str(json_get(h, "name"));

		/* The body is told after it was unpacked. */
		if (str_eq_nocase(name, STR("content-encoding")) ||
		    str_eq_nocase(name, STR("content-length")) ||
		    str_eq_nocase(name, STR("transfer-encoding")))
			continue;
		if (to->n)
			buf_add_char(to, ',');
		json_open(&o, '{');
		json_put_str(&o, "name", name);
		json_put_str(&o, "value", json_str(json_get(h, "value")));
		json_close(&o, '}');
	}
}

static void let_through(struct tab *t, const struct tab_watched *w)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = open_params(&b, str_from(w->id));

	json_close(&o, '}');
	post(t, str_from(w->session), "Fetch.continueResponse", &b);
}

static void forget_watched(struct tab_watched *w)
{
	free(w->id);
	free(w->network);
	free(w->session);
	free(w->method);
	free(w->url);
	free(w->content_type);
	buf_release(&w->body);
	buf_release(&w->headers);
	buf_release(&w->answer);
	*w = (struct tab_watched){ 0 };
}

static void forget_later(struct tab_later *l)
{
	free(l->id);
	free(l->session);
	free(l->method);
	free(l->url);
}

void tab_gate_release(struct tab *t)
{
	while (t->watched_count)
		forget_watched(&t->watched[--t->watched_count]);
	while (t->later_count)
		forget_later(&t->later[--t->later_count]);
	free(TAKE(t->later));
	for (size_t i = 0; i < COOKIES_KEPT; i++) {
		free(t->cookies[i].network);
		free(t->cookies[i].text);
		t->cookies[i] = (struct tab_cookies){ 0 };
	}
}

static void tell(struct tab *t, const struct tab_watched *w)
{
	struct gate_request r = { .method = str_from(w->method),
				  .url = str_from(w->url),
				  .body = buf_str(&w->body),
				  .content_type = str_from(w->content_type) };
	cleanup(buf_release) struct buf headers = { 0 };

	buf_addf(&headers, "[");
	buf_add(&headers, buf_str(&w->headers));
	buf_addf(&headers, "]");
	struct gate_answer a = { w->status, buf_str(&headers), buf_str(&w->answer) };
	t->options.gate->answered(t->options.gate->ctx, &r, &a);
}

void tab_gate_flush(struct tab *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->watched_count; i++) {
		if (t->watched[i].call) {
			t->watched[kept++] = t->watched[i];
			continue;
		}
		tell(t, &t->watched[i]);
		forget_watched(&t->watched[i]);
	}
	t->watched_count = kept;
}

static void add_cookies(struct tab_watched *w, struct str cookies)
{
	struct str line;

	if (str_find(buf_str(&w->headers), STR("\"Set-Cookie\"")) != STR_NONE)
		return;
	while (str_take_until(&cookies, '\n', &line)) {
		struct json_out o = { .to = &w->headers };

		if (w->headers.n)
			buf_add_char(&w->headers, ',');
		json_open(&o, '{');
		json_put_str(&o, "name", STR("Set-Cookie"));
		json_put_str(&o, "value", line);
		json_close(&o, '}');
	}
}

/* Cookies are told apart from the other fields of an answer, before it or after. */
void tab_gate_on_cookies(struct tab *t, const struct json *params)
{
	struct str id = json_str(json_get(params, "requestId")), cookies = STR("");

	for (const struct json *h = json_first(json_get(params, "headers")); h;
	     h = json_next(h))
		if (str_eq_nocase(json_name(h), STR("set-cookie")))
			cookies = json_str(h);
	if (cookies.n == 0)
		return;
	for (size_t i = 0; i < t->watched_count; i++)
		if (str_eq(str_from(t->watched[i].network), id))
			add_cookies(&t->watched[i], cookies);
	struct tab_cookies *kept = &t->cookies[t->cookies_next++ % COOKIES_KEPT];
	replace_cstr(&kept->network, id);
	replace_cstr(&kept->text, cookies);
}

static void add_kept_cookies(const struct tab *t, struct tab_watched *w)
{
	for (size_t i = 0; i < COOKIES_KEPT; i++)
		if (t->cookies[i].network &&
		    strcmp(t->cookies[i].network, w->network) == 0)
			add_cookies(w, str_from(t->cookies[i].text));
}

/* What a watched request got: with its body, where it has one that can be had. */
static void on_response(struct tab *t, struct str session, const struct json *params)
{
	struct gate_request r = request_of(t, params);
	struct tab_watched w = {
		.id = copy_cstr(json_str(json_get(params, "requestId"))),
		.network = copy_cstr(json_str(json_get(params, "networkId"))),
		.session = copy_cstr(session),
		.method = copy_cstr(r.method),
		.url = copy_cstr(r.url),
		.content_type = copy_cstr(r.content_type),
		.status = (int)json_number(json_get(params, "responseStatusCode"), 0),
	};
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = open_params(&b, str_from(w.id));
	bool has_body = w.status < 300 || w.status >= 400;

	json_close(&o, '}');
	buf_add(&w.body, r.body);
	add_headers(json_get(params, "responseHeaders"), &w.headers);
	add_kept_cookies(t, &w);
	if (w.status == 0 || t->watched_count == WATCHED_MAX) {
		let_through(t, &w);
		forget_watched(&w);
		return;
	}
	if (!has_body || cdp_ask(&t->browser->cdp, session, "Fetch.getResponseBody",
				 buf_str(&b), &w.call, NULL) != ST_OK)
		let_through(t, &w);
	t->watched[t->watched_count++] = w;
}

static void keep_for_later(struct tab *t, struct str session, struct str id,
			   const struct gate_request *r)
{
	VEC_ADD(t->later, t->later_count, t->later_cap,
		(struct tab_later){ .token = r->token,
				    .id = copy_cstr(id),
				    .session = copy_cstr(session),
				    .method = copy_cstr(r->method),
				    .url = copy_cstr(r->url),
				    .is_page = r->is_page });
	t->next_token++;
}

void tab_on_paused(struct tab *t, struct str session, const struct json *params)
{
	struct str id = json_str(json_get(params, "requestId"));
	struct gate_request r = request_of(t, params);
	struct gate_answer a = { 0 };
	struct diag why = { 0 };

	if (json_get(params, "responseStatusCode") ||
	    json_get(params, "responseErrorReason")) {
		on_response(t, session, params);
		return;
	}
	switch (t->options.gate->judge(t->options.gate->ctx, &r, &a, &why)) {
	case GATE_PASS:
		go_on(t, session, id, false);
		break;
	case GATE_WATCH:
		go_on(t, session, id, true);
		break;
	case GATE_REFUSE:
		refuse(t, session, id, &r, &why);
		break;
	case GATE_ANSWER:
		answer(t, session, id, &a);
		break;
	case GATE_LATER:
		keep_for_later(t, session, id, &r);
		break;
	}
}

void tab_answer(struct tab *t, uint64_t token, const struct gate_answer *a,
		const struct diag *why)
{
	for (size_t i = 0; i < t->later_count; i++) {
		struct tab_later l = t->later[i];

		if (l.token != token)
			continue;
		t->later[i] = t->later[--t->later_count];
		if (a)
			answer(t, str_from(l.session), str_from(l.id), a);
		else
			refuse(t, str_from(l.session), str_from(l.id),
			       &(struct gate_request){ .method = str_from(l.method),
						       .url = str_from(l.url),
						       .is_page = l.is_page },
			       why);
		forget_later(&l);
		return;
	}
}

size_t tab_waiting(const struct tab *t)
{
	return t->later_count;
}

/* The browser says whether it is base64; everything is told as that. */
static void add_as_base64(const struct json *result, struct buf *to)
{
	struct str body = json_str(json_get(result, "body"));

	if (body.n > ANSWER_BODY_MAX)
		return;
	if (json_bool(json_get(result, "base64Encoded"), false))
		buf_add(to, body);
	else
		buf_add_base64(to, body);
}

bool tab_gate_on_answer(struct tab *t, uint64_t id, const struct json *result)
{
	for (size_t i = 0; i < t->watched_count; i++) {
		struct tab_watched *w = &t->watched[i];

		if (w->call != id)
			continue;
		w->call = 0;
		add_as_base64(result, &w->answer);
		let_through(t, w);
		return true;
	}
	return false;
}

bool gate_resolve(const char *host, char *ret, size_t size)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found = NULL;

	if (getaddrinfo(host, NULL, &hints, &found) != 0 || !found)
		return false;
	bool ok = getnameinfo(found->ai_addr, found->ai_addrlen, ret, (socklen_t)size,
			      NULL, 0, NI_NUMERICHOST) == 0;
	freeaddrinfo(found);
	return ok;
}
