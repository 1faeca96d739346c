/*
 * requests.c - what a page in the browser requests: judged here, asked of the owner, and
 * answered when he has it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "os/clock.h"
#include "record/fetch.h"
#include "render/browser_thread.h"
#include "web/coding.h"

#define DECODED_MAX ((size_t)32 << 20)

void render_reply_free(struct render_reply *r)
{
	buf_release(&r->header);
	buf_release(&r->body);
	free(r);
}

static void set_words(struct diag *to, struct str words)
{
	snprintf(to->text, sizeof(to->text), STR_FMT, STR_ARG(words));
}

static bool is_http(struct str url)
{
	return str_starts_nocase(url, STR("http://")) ||
	       str_starts_nocase(url, STR("https://"));
}

/* --- answers as DevTools wants them --- */

/* Fields that speak of the body as it was sent, or of a connection. */
static bool is_of_transfer(struct str name)
{
	static const struct str names[] = {
		STR("Content-Encoding"),    STR("Content-Length"),
		STR("Transfer-Encoding"),   STR("Connection"),
		STR("Keep-Alive"),          STR("Alt-Svc"),
		STR("Content-Disposition"),
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (str_eq_nocase(name, names[i]))
			return true;
	return false;
}

/* The fields as a JSON array; the value of Content-Encoding. */
static struct str add_fields(struct str header, struct buf *to)
{
	struct json_out o = { .to = to };
	struct str line, coding = STR("");

	json_open(&o, '[');
	str_take_until(&header, '\n', &line); /* the status line */
	while (str_take_until(&header, '\n', &line)) {
		size_t colon = str_find_char(line, ':');

		if (colon == STR_NONE || colon == 0)
			continue;
		struct str name = str_trim(str_slice(line, 0, colon));
		struct str value = str_trim(str_skip(line, colon + 1));
		if (str_eq_nocase(name, STR("Content-Encoding")))
			coding = value;
		if (is_of_transfer(name))
			continue;
		json_open(&o, '{');
		json_put_str(&o, "name", name);
		json_put_str(&o, "value", value);
		json_close(&o, '}');
	}
	json_close(&o, ']');
	return coding;
}

static void answer_bytes_release(struct answer_bytes *a)
{
	buf_release(&a->fields);
	buf_release(&a->body);
}

static struct gate_answer answer_of(int code, struct str header, struct str body,
				    struct answer_bytes *bytes)
{
	struct str coding = add_fields(header, &bytes->fields);
	cleanup(buf_release) struct buf plain = BUF(DECODED_MAX);

	/* What a broken coding still gave is shown, as browsers do. */
	if (!coding_is_identity(coding)) {
		if (coding_decode(coding, body, &plain) == ST_UNSUPPORTED)
			buf_reset(&plain);
		body = buf_str(&plain);
	}
	buf_add_base64(&bytes->body, body);
	return (struct gate_answer){ .status = code,
				     .headers = buf_str(&bytes->fields),
				     .body = buf_str(&bytes->body) };
}

/* --- judging --- */

/* What does not change text or links: its URL is kept, its bytes are not needed. */
static bool is_only_seen(const struct render_browser *b, struct str type)
{
	bool is_picture = str_eq(type, STR("Image")) || str_eq(type, STR("Font"));

	return (is_picture && !b->pool->options.pictures) || str_eq(type, STR("Media")) ||
	       str_eq(type, STR("Ping")) || str_eq(type, STR("CSPViolationReport")) ||
	       str_eq(type, STR("Prefetch"));
}

static uint8_t hop_of(const struct gate_request *r)
{
	if (r->is_main)
		return HOP_LINK;
	return str_eq(r->type, STR("XHR")) || str_eq(r->type, STR("Fetch")) ||
			       str_eq(r->type, STR("Ping")) ||
			       str_eq(r->type, STR("Other"))
		       ? HOP_LINK
		       : HOP_EMBED;
}

static bool is_read(struct str method)
{
	return str_eq(method, STR("GET")) || str_eq(method, STR("HEAD"));
}

/* Fields that say what the page wants, and nothing of who we are. */
static void add_wishes(const struct json *fields, struct buf *to)
{
	static const struct str names[] = { STR("accept"), STR("origin"), STR("referer"),
					    STR("x-requested-with") };

	for (const struct json *f = json_first(fields); f; f = json_next(f))
		for (size_t i = 0; i < COUNT(names); i++)
			if (str_eq_nocase(json_name(f), names[i]) &&
			    str_find_char(json_str(f), '\n') == STR_NONE &&
			    str_find_char(json_str(f), '\r') == STR_NONE) {
				buf_add(to, json_name(f));
				buf_add(to, STR(": "));
				buf_add(to, json_str(f));
				buf_add_char(to, '\n');
			}
}

static enum gate_verdict ask_owner(struct render_browser *b, const struct gate_request *r,
				   struct diag *why)
{
	struct render_message *m = NEW(struct render_message);

	*m = (struct render_message){ .kind = RENDER_ASKS,
				      .browser = b->nr,
				      .number = b->job->number,
				      .token = r->token,
				      .job = b->job };
	buf_add(&m->url, str_slice(r->url, 0, str_find_char(r->url, '#')));
	add_wishes(r->fields, &m->fields);
	if (queue_add(b->pool->out, m, 0) == ST_OK) {
		/* The time that the answer takes is not the page's. */
		b->browser.cdp.deadline_ms = b->page_end_ms;
		return GATE_LATER;
	}
	render_message_free(m);
	set_words(why, STR("too many requests are waiting"));
	return GATE_REFUSE;
}

static enum gate_verdict refuse(struct render_browser *b, struct diag *why,
				const char *words)
{
	b->out->refused++;
	set_words(why, str_from(words));
	return GATE_REFUSE;
}

/* The first document is the job's own; where the page would go from there is a link. */
static enum gate_verdict judge(void *ctx, const struct gate_request *r,
			       struct gate_answer *ret, struct diag *why)
{
	struct render_browser *b = ctx;

	if (!b->out || b->cancelled || !is_http(r->url))
		return GATE_REFUSE;
	if (r->is_main && !b->given) {
		b->given = true;
		buf_reset(&b->document.fields);
		buf_reset(&b->document.body);
		*ret = answer_of(b->job->code, buf_str(&b->job->header),
				 buf_str(&b->job->body), &b->document);
		return GATE_ANSWER;
	}
	rendering_add_url(b->out, r->url, hop_of(r));
	if (r->is_main)
		return refuse(b, why, "the page would leave: its target is a link");
	if (!is_read(r->method))
		return refuse(b, why, "only GET and HEAD are sent");
	if (is_only_seen(b, r->type))
		return refuse(b, why, "not needed for text and links");
	if (b->out->requests == REQUESTS_PER_PAGE)
		return refuse(b, why, "the page has made too many requests");
	b->out->requests++;
	return ask_owner(b, r, why);
}

static void moved(void *ctx, struct str url)
{
	struct render_browser *b = ctx;

	if (b->out && is_http(url))
		rendering_add_url(b->out, url, HOP_LINK);
}

struct gate render_gate(struct render_browser *b)
{
	return (struct gate){ .judge = judge, .moved = moved, .ctx = b };
}

/* --- the owner's answers --- */

static void give(struct render_browser *b, const struct render_reply *r)
{
	struct answer_bytes bytes = { 0 };
	struct diag why;

	if (!b->tab || !b->job || r->number != b->job->number)
		return;
	if (r->code > 0) {
		struct gate_answer a = answer_of(r->code, buf_str(&r->header),
						 buf_str(&r->body), &bytes);

		tab_answer(b->tab, r->token, &a, NULL);
	} else {
		b->out->refused++;
		set_words(&why, buf_str(&r->header));
		tab_answer(b->tab, r->token, NULL, &why);
	}
	answer_bytes_release(&bytes);
	if (tab_waiting(b->tab) == 0)
		render_allow(b, b->allowed_ms);
}

void render_take_replies(void *ctx)
{
	struct render_browser *b = ctx;
	void *items[16];
	size_t n;
	enum status st;

	while ((st = queue_take_many(&b->replies, 0, items, COUNT(items), &n)) == ST_OK)
		for (size_t i = 0; i < n; i++) {
			give(b, items[i]);
			render_reply_free(items[i]);
		}
	if (st == ST_CANCELLED) { /* nothing is waited for any more */
		b->cancelled = true;
		b->browser.cdp.deadline_ms = 1;
	}
}
