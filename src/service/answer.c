#include "service/answer.h"

#include "service/feed.h"
#include "service/websocket.h"

const char *const answer_words[ANSWERS] = {
	[ANSWER_ITEMS] = "items",         [ANSWER_RETRY] = "retried",
	[ANSWER_WAIT] = "rate-limited",   [ANSWER_LOGIN] = "token refused",
	[ANSWER_END] = "end of the list", [ANSWER_SKIP] = "client error",
	[ANSWER_DRIFT] = "schema drift",  [ANSWER_FORBIDDEN] = "service stopped",
};

void api_answer_release(struct api_answer *a)
{
	json_release(&a->root);
}

/* One JSON value per line, as one list. */
static enum status parse_lines(struct str body, struct json **ret, struct diag *why)
{
	cleanup(buf_release) struct buf list = { 0 };
	struct str line;

	buf_add_char(&list, '[');
	while (str_take_line(&body, &line)) {
		if (str_trim(line).n == 0)
			continue;
		buf_add(&list, list.n > 1 ? STR(",") : STR(""));
		buf_add(&list, str_trim(line));
	}
	buf_add_char(&list, ']');
	return json_parse(buf_str(&list), ret, why);
}

static enum status parse_body(const struct api_interaction *i, struct str body,
			      struct json **ret, struct diag *why)
{
	struct str start = str_trim(str_slice(body, 0, 100));

	if (i->format == FORMAT_FEED && !str_starts(start, STR("{")))
		return feed_to_json(body, ret, why);
	if (i->format == FORMAT_JSONL)
		return parse_lines(body, ret, why);
	if (i->format == FORMAT_WEBSOCKET) {
		cleanup(buf_release) struct buf lines = { 0 };

		TRY(websocket_add_lines(body, &lines, why));
		return parse_lines(buf_str(&lines), ret, why);
	}
	return json_parse(body, ret, why);
}

static bool fits(const struct api_error *e, int code, const struct json *root)
{
	cleanup(buf_release) struct buf text = { 0 };

	if (e->status_min && (code < e->status_min || code > e->status_max))
		return false;
	if (!e->path.is_set)
		return true;
	const struct json *v = json_path_first(&e->path, root);
	if (e->equals.n == 0)
		return value_is_true(v);
	value_add_text(v, &text);
	return str_eq(buf_str(&text), e->equals);
}

static enum answer_kind kind_of_action(enum error_action action)
{
	static const enum answer_kind kinds[ERROR_ACTIONS] = {
		[ERROR_RETRY] = ANSWER_RETRY,    [ERROR_WAIT] = ANSWER_WAIT,
		[ERROR_STOP] = ANSWER_FORBIDDEN, [ERROR_SKIP] = ANSWER_SKIP,
		[ERROR_END] = ANSWER_END,        [ERROR_LOGIN] = ANSWER_LOGIN,
	};

	return kinds[action];
}

/* How long: as the description's own field says, as the usual ones do, as it sets. */
static uint64_t wait_of(const struct api_error *e, const struct answer_facts *f,
			const struct api_answer *a)
{
	cleanup(buf_release) struct buf text = { 0 };
	int64_t server_now =
		f->head ? f->now_ms + rate_skew(f->head, f->now_ms) : f->now_ms;
	uint64_t ms;

	if (e && e->header.n && f->head &&
	    rate_parse_wait(http_get(f->head, e->header), e->format, server_now, &ms))
		return ms;
	value_add_text(e ? json_path_first(&e->wait_path, a->root) : NULL, &text);
	if (text.n && rate_parse_wait(buf_str(&text), e->format, server_now, &ms))
		return ms;
	if (a->rate.has_wait)
		return a->rate.wait_ms;
	if (a->rate.has_remaining && a->rate.remaining == 0)
		return a->rate.reset_ms;
	return e ? e->wait_ms : 0;
}

static void set(struct api_answer *a, enum answer_kind kind, const char *why, int code)
{
	a->kind = kind;
	if (a->why.text[0] == '\0')
		diag_say(&a->why, "%s (HTTP %d)", why, code);
}

/* Without a row of the description. */
static void judge_status(const struct answer_facts *f, bool is_upgraded,
			 struct api_answer *a)
{
	int code = f->code;

	if (code < 200 && !is_upgraded)
		set(a, ANSWER_SKIP, "another protocol than asked for", code);
	else if (code == 429 || (code == 503 && a->rate.has_wait))
		set(a, ANSWER_WAIT, "too many requests", code);
	else if (code == 401 && f->has_token)
		set(a, ANSWER_LOGIN, "the token was refused", code);
	else if (code == 401)
		set(a, ANSWER_FORBIDDEN, "credentials are wanted or wrong", code);
	else if (code == 403 && a->rate.has_remaining && a->rate.remaining == 0)
		set(a, ANSWER_WAIT, "too many requests", code);
	else if (code >= 500 || code == 408)
		set(a, ANSWER_RETRY, "server error", code);
	else if (code >= 300)
		set(a, ANSWER_SKIP, code < 400 ? "redirected" : "client error", code);
	else
		a->kind = ANSWER_ITEMS;
}

static void judge_body(const struct api_interaction *i, bool parsed, int code,
		       struct api_answer *a)
{
	if (a->kind != ANSWER_ITEMS)
		return;
	if (!parsed) {
		a->kind = ANSWER_RETRY; /* `why` has the parser's words */
		return;
	}
	if (!json_path_first(&i->items, a->root) && !i->items_optional) {
		/* An empty list has nothing at items[*], but it is there. */
		struct json_path list = i->items;

		if (list.n > 0 && list.v[list.n - 1].kind == STEP_ALL)
			list.n--;
		if (!json_path_first(&list, a->root))
			set(a, ANSWER_DRIFT,
			    "the answer has no items where they should be", code);
	}
}

/* A WebSocket's answer: its body was cut on purpose. */
static bool is_stream(const struct api_interaction *i, const struct answer_facts *f)
{
	return i->format == FORMAT_WEBSOCKET && f->code == 101 && f->head &&
	       websocket_is_accepted(f->url,
				     http_get(f->head, STR("Sec-WebSocket-Accept")));
}

void api_answer_read(const struct api_service *s, const struct api_interaction *i,
		     const struct answer_facts *f, struct api_answer *ret)
{
	bool parsed = false, is_upgraded = is_stream(i, f);

	*ret = (struct api_answer){ 0 };
	if (f->code < 0 || !f->head || (f->is_truncated && !is_upgraded)) {
		ret->kind = ANSWER_RETRY;
		diag_say(&ret->why,
			 f->code < 0 ? "no answer" : "the answer was cut short");
		return;
	}
	ret->rate = rate_read(f->head, f->now_ms);
	parsed = parse_body(i, f->body, &ret->root, &ret->why) == ST_OK;
	/* An error page that is no JSON is judged by its status. */
	if (f->code >= 300)
		ret->why.text[0] = '\0';
	for (size_t k = 0; k < s->n_errors; k++) {
		const struct api_error *e = &s->errors[k];

		if (!fits(e, f->code, ret->root))
			continue;
		set(ret, kind_of_action(e->action), "as the description says", f->code);
		ret->wait_ms = wait_of(e, f, ret);
		return;
	}
	judge_status(f, is_upgraded, ret);
	if (ret->kind == ANSWER_WAIT || ret->kind == ANSWER_RETRY)
		ret->wait_ms = wait_of(NULL, f, ret);
	judge_body(i, parsed, f->code, ret);
}
