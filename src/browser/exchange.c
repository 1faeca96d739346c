#include "browser/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "os/clock.h"

void exchange_free(struct exchange *e)
{
	if (!e)
		return;
	buf_release(&e->id);
	buf_release(&e->session);
	buf_release(&e->url);
	buf_release(&e->method);
	buf_release(&e->via);
	buf_release(&e->ip);
	buf_release(&e->protocol);
	buf_release(&e->error);
	buf_release(&e->request);
	buf_release(&e->head);
	buf_release(&e->body);
	free(e);
}

void exchange_list_release(struct exchange_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		exchange_free(l->v[i]);
	for (size_t i = 0; i < EARLY_MAX; i++) {
		buf_release(&l->early[i].id);
		buf_release(&l->early[i].fields);
	}
	free(l->v);
	*l = (struct exchange_list){ 0 };
}

static void take_out(struct exchange_list *l, size_t at)
{
	l->n--;
	memmove(&l->v[at], &l->v[at + 1], (l->n - at) * sizeof(struct exchange *));
}

struct exchange *exchange_take(struct exchange_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct exchange *e = l->v[i];

		if (e->stage == EXCHANGE_CACHED) {
			take_out(l, i--);
			exchange_free(e);
		} else if (e->stage == EXCHANGE_DONE) {
			take_out(l, i);
			return e;
		}
	}
	return NULL;
}

size_t exchange_pending(const struct exchange_list *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += l->v[i]->stage == EXCHANGE_ASKED;
	return n;
}

static void set(struct buf *b, struct str s)
{
	buf_reset(b);
	buf_add(b, s);
}

static struct str text_in(const struct json *object, const char *name)
{
	return json_str(json_get(object, name));
}

/*
 * The last one of that name: a redirection goes on under the same.  A worker's script
 * is asked for by the page and ends in the worker, so the session does not count.
 */
static struct exchange *find_open(const struct exchange_list *l,
				  const struct json *params)
{
	struct str id = text_in(params, "requestId");

	for (size_t i = l->n; i--;)
		if (l->v[i]->stage == EXCHANGE_OPEN && str_eq(buf_str(&l->v[i]->id), id))
			return l->v[i];
	return NULL;
}

/* A field's name or value goes into a head of lines: it stays within its own. */
static void add_word(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		buf_add_char(to, (uint8_t)s.p[i] < ' ' ? ' ' : s.p[i]);
}

static void add_field(struct buf *to, struct str name, struct str value)
{
	if (name.n == 0 || name.p[0] == ':')
		return; /* a pseudo-field of HTTP/2 */
	add_word(to, name);
	buf_add(to, STR(": "));
	add_word(to, value);
	buf_add(to, STR("\r\n"));
}

/* DevTools joins fields of one name with line feeds. */
static void add_fields(struct buf *to, const struct json *headers)
{
	for (const struct json *h = json_first(headers); h; h = json_next(h)) {
		struct str values = json_str(h), value;

		if (values.n == 0)
			add_field(to, json_name(h), values);
		while (values.n && str_take_until(&values, '\n', &value))
			add_field(to, json_name(h), value);
	}
}

static const struct json *field(const struct json *headers, struct str name)
{
	for (const struct json *h = json_first(headers); h; h = json_next(h))
		if (str_eq_nocase(json_name(h), name))
			return h;
	return NULL;
}

/* "/path?query" of an absolute URL, without fragment. */
static struct str target_of(struct str url, struct str *ret_host)
{
	size_t at = str_find(url, STR("://"));
	struct str rest = at == STR_NONE ? url : str_skip(url, at + 3);
	size_t end = 0;

	while (end < rest.n && !strchr("/?#", rest.p[end]))
		end++;
	*ret_host = str_slice(rest, 0, end);
	struct str target = str_skip(rest, end);
	return str_slice(target, 0, str_find_char(target, '#'));
}

static void add_post_data(struct buf *to, const struct json *request)
{
	const struct json *entry = json_first(json_get(request, "postDataEntries"));

	if (!entry)
		buf_add(to, text_in(request, "postData"));
	for (; entry; entry = json_next(entry))
		if (buf_add_unbase64(to, text_in(entry, "bytes")) != ST_OK)
			return; /* what is not base64 was never a body */
}

static void make_request(struct exchange *e, const struct json *request,
			 const struct json *headers)
{
	cleanup(buf_release) struct buf body = BUF(EXCHANGE_BODY_MAX);
	struct str host, target = target_of(buf_str(&e->url), &host);
	struct buf *to = &e->request;

	add_post_data(&body, request);
	buf_reset(to);
	add_word(to, buf_str(&e->method));
	buf_add_char(to, ' ');
	if (target.n == 0 || target.p[0] != '/')
		buf_add_char(to, '/');
	add_word(to, target);
	buf_add(to, STR(" HTTP/1.1\r\n"));
	if (!field(headers, STR("host")))
		add_field(to, STR("Host"), host);
	add_fields(to, headers);
	if (body.n && !field(headers, STR("content-length"))) {
		buf_addf(to, "Content-Length: %zu\r\n", body.n);
	}
	buf_add(to, STR("\r\n"));
	buf_add(to, buf_str(&body));
}

/* Replace the fields between the request line and the body. */
static void use_sent_fields(struct exchange *e, struct str fields)
{
	cleanup(buf_release) struct buf old = e->request;
	size_t line = str_find_char(buf_str(&old), '\n') + 1;
	size_t end = str_find(buf_str(&old), STR("\r\n\r\n"));

	e->has_sent_fields = true;
	e->request = (struct buf){ 0 };
	buf_add(&e->request, str_slice(buf_str(&old), 0, line));
	buf_add(&e->request, fields);
	buf_add(&e->request, str_skip(buf_str(&old), end + 2));
}

static void on_sent_fields(struct exchange_list *l, const struct json *params)
{
	const struct json *headers = json_get(params, "headers");
	struct exchange *e = find_open(l, params);
	cleanup(buf_release) struct buf fields = { 0 };

	/* HTTP/2 has the host among the pseudo-fields. */
	if (!field(headers, STR("host")))
		add_field(&fields, STR("Host"),
			  json_str(field(headers, STR(":authority"))));
	add_fields(&fields, headers);
	if (e && !e->has_sent_fields) {
		use_sent_fields(e, buf_str(&fields));
		return;
	}
	struct early_fields *slot = &l->early[l->next_early++ % EARLY_MAX];
	set(&slot->id, text_in(params, "requestId"));
	set(&slot->fields, buf_str(&fields));
}

static void use_early_fields(struct exchange_list *l, struct exchange *e)
{
	for (size_t i = 0; i < EARLY_MAX; i++) {
		struct early_fields *slot = &l->early[i];

		if (slot->id.n == 0 || !str_eq(buf_str(&slot->id), buf_str(&e->id)))
			continue;
		use_sent_fields(e, buf_str(&slot->fields));
		buf_reset(&slot->id);
		return;
	}
}

static struct exchange *add(struct exchange_list *l, struct str session,
			    const struct json *params)
{
	const struct json *request = json_get(params, "request");
	struct str url = text_in(request, "url");

	if (!str_starts_nocase(url, STR("http:")) &&
	    !str_starts_nocase(url, STR("https:")))
		return NULL;
	if (l->n >= EXCHANGES_MAX) {
		l->dropped++;
		return NULL;
	}
	struct exchange *e = NEW(struct exchange);
	e->body.limit = EXCHANGE_BODY_MAX;
	e->start_ms = clock_wall_ms(&real_clock);
	set(&e->id, text_in(params, "requestId"));
	set(&e->session, session);
	set(&e->url, str_slice(url, 0, str_find_char(url, '#')));
	set(&e->method, text_in(request, "method"));
	set(&e->via, text_in(params, "documentURL"));
	make_request(e, request, json_get(request, "headers"));
	use_early_fields(l, e);
	VEC_ADD(l->v, l->n, l->cap, e);
	return e;
}

static bool is_coding(struct str name)
{
	return str_eq_nocase(name, STR("content-encoding"));
}

/* The head as the server wrote it, but for the name of the coding that is undone. */
static void take_raw_head(struct exchange *e, struct str text)
{
	struct str line;
	bool first = true;

	buf_reset(&e->head);
	while (text.n && str_take_until(&text, '\n', &line)) {
		line = str_trim(line);
		size_t colon = str_find_char(line, ':');

		if (line.n == 0)
			break;
		if (!first && colon != STR_NONE && is_coding(str_slice(line, 0, colon)))
			buf_add(&e->head, STR("X-Archive-Orig-"));
		add_word(&e->head, line);
		buf_add(&e->head, STR("\r\n"));
		first = false;
	}
	buf_add(&e->head, STR("\r\n"));
}

static void make_head(struct exchange *e, int status, struct str words,
		      const struct json *headers)
{
	buf_reset(&e->head);
	buf_addf(&e->head, "HTTP/1.1 %03d ", status);
	add_word(&e->head, words);
	buf_add(&e->head, STR("\r\n"));
	for (const struct json *h = json_first(headers); h; h = json_next(h)) {
		struct str values = json_str(h), value;

		while (values.n && str_take_until(&values, '\n', &value)) {
			if (is_coding(json_name(h)))
				buf_add(&e->head, STR("X-Archive-Orig-"));
			add_field(&e->head, json_name(h), value);
		}
	}
	buf_add(&e->head, STR("\r\n"));
}

static int status_in(const struct json *v, const char *name)
{
	double n = json_number(json_get(v, name), 0);

	return n >= 100 && n < 1000 ? (int)n : 0;
}

static void on_response(struct exchange *e, const struct json *response)
{
	e->status = status_in(response, "status");
	if (json_bool(json_get(response, "fromDiskCache"), false) ||
	    json_bool(json_get(response, "fromServiceWorker"), false) ||
	    json_bool(json_get(response, "fromPrefetchCache"), false))
		e->stage = EXCHANGE_CACHED;
	set(&e->ip, text_in(response, "remoteIPAddress"));
	set(&e->protocol, text_in(response, "protocol"));
	if (!e->has_raw_head && e->status)
		make_head(e, e->status, text_in(response, "statusText"),
			  json_get(response, "headers"));
}

/* The raw fields may come before or after the response they belong to. */
static void on_raw_fields(struct exchange_list *l, const struct json *params)
{
	int status = status_in(params, "statusCode");
	struct str id = text_in(params, "requestId");
	struct str text = text_in(params, "headersText");

	for (size_t i = 0; i < l->n; i++) {
		struct exchange *e = l->v[i];

		if (e->has_raw_head || !str_eq(buf_str(&e->id), id) ||
		    (e->status && e->status != status))
			continue;
		e->has_raw_head = true;
		if (text.n)
			take_raw_head(e, text);
		else
			make_head(e, status, STR(""), json_get(params, "headers"));
		return;
	}
}

static void end(struct exchange *e, enum exchange_stage stage)
{
	e->end_ms = clock_wall_ms(&real_clock);
	if (e->stage != EXCHANGE_CACHED)
		e->stage = stage;
}

static void on_request(struct exchange_list *l, struct str session,
		       const struct json *params)
{
	const struct json *redirect = json_get(params, "redirectResponse");
	struct exchange *before = redirect ? find_open(l, params) : NULL;

	if (before) {
		on_response(before, redirect);
		before->body_missing = true; /* of a redirection nobody keeps it */
		end(before, EXCHANGE_DONE);
	}
	(void)add(l, session, params);
}

static void on_failed(struct exchange *e, const struct json *params)
{
	set(&e->error, text_in(params, "errorText"));
	e->body_missing = e->status != 0;
	end(e, EXCHANGE_DONE);
}

bool exchange_event(struct exchange_list *l, struct str session, struct str method,
		    const struct json *params, struct exchange **ret_ask)
{
	struct exchange *e;

	if (str_eq(method, STR("Network.requestWillBeSent"))) {
		on_request(l, session, params);
		return false;
	}
	if (str_eq(method, STR("Network.requestWillBeSentExtraInfo"))) {
		on_sent_fields(l, params);
		return false;
	}
	if (str_eq(method, STR("Network.responseReceivedExtraInfo"))) {
		on_raw_fields(l, params);
		return false;
	}
	e = find_open(l, params);
	if (!e)
		return false;
	if (str_eq(method, STR("Network.responseReceived"))) {
		on_response(e, json_get(params, "response"));
	} else if (str_eq(method, STR("Network.requestServedFromCache"))) {
		e->stage = EXCHANGE_CACHED;
	} else if (str_eq(method, STR("Network.loadingFailed"))) {
		on_failed(e, params);
	} else if (str_eq(method, STR("Network.loadingFinished"))) {
		end(e, EXCHANGE_ASKED);
		set(&e->session, session);
		*ret_ask = e;
		return e->stage == EXCHANGE_ASKED;
	}
	return false;
}

static bool has_nocase(struct str s, struct str needle)
{
	for (size_t i = 0; i + needle.n <= s.n; i++)
		if (str_starts_nocase(str_skip(s, i), needle))
			return true;
	return false;
}

static bool is_ascii(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] & 0x80)
			return false;
	return true;
}

/*
 * Text is given in UTF-8, whatever it was written in: the head has to say so, and
 * keeps what the server said under another name.
 */
static void say_utf8(struct exchange *e)
{
	struct str rest = buf_str(&e->head), line, kind = { 0 };
	cleanup(buf_release) struct buf head = { 0 };

	while (rest.n && str_take_until(&rest, '\n', &line)) {
		line = str_trim(line);
		if (line.n == 0)
			break;
		if (str_starts_nocase(line, STR("content-type:"))) {
			kind = str_trim(str_skip(line, 13));
			buf_add(&head, STR("X-Archive-Orig-"));
		}
		buf_add(&head, line);
		buf_add(&head, STR("\r\n"));
	}
	if (has_nocase(kind, STR("utf-8")) || has_nocase(kind, STR("utf8")))
		return;
	kind = str_trim(str_slice(kind, 0, str_find_char(kind, ';')));
	buf_add(&head, STR("Content-Type: "));
	buf_add(&head, kind.n ? kind : STR("text/html"));
	buf_add(&head, STR("; charset=utf-8\r\n\r\n"));
	buf_release(&e->head);
	e->head = TAKE(head);
}

bool exchange_answer(struct exchange_list *l, uint64_t call, const struct json *result)
{
	for (size_t i = 0; i < l->n; i++) {
		struct exchange *e = l->v[i];

		if (e->stage != EXCHANGE_ASKED || e->body_call != call)
			continue;
		struct str body = text_in(result, "body");
		bool coded = json_bool(json_get(result, "base64Encoded"), false);

		if (!result || (coded && buf_add_unbase64(&e->body, body) != ST_OK))
			e->body_missing = true;
		else if (!coded)
			buf_add(&e->body, body);
		if (!coded && !is_ascii(body))
			say_utf8(e);
		e->body_missing = e->body_missing || e->body.overflow;
		e->stage = EXCHANGE_DONE;
		return true;
	}
	return false;
}

void exchange_leave(struct exchange_list *l, struct str loader)
{
	size_t first = l->n;

	for (size_t i = 0; i < l->n && first == l->n; i++)
		if (str_eq(buf_str(&l->v[i]->id), loader))
			first = i;
	for (size_t i = 0; i < first; i++)
		if (l->v[i]->stage == EXCHANGE_OPEN) {
			l->v[i]->body_missing = true;
			end(l->v[i], EXCHANGE_DONE);
		}
}

void exchange_abandon(struct exchange_list *l, struct str session)
{
	for (size_t i = 0; i < l->n; i++) {
		struct exchange *e = l->v[i];

		if (!str_eq(buf_str(&e->session), session) || e->stage > EXCHANGE_ASKED)
			continue;
		e->body_missing = true;
		end(e, EXCHANGE_DONE);
	}
}
