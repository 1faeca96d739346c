#include "serve/inject.h"

#include <math.h>
#include <stdio.h>

#include "base/date.h"
#include "base/json.h"
#include "policy/pattern_list.h"
#include "url/url.h"

enum inject_state {
	INJECT_START,   /* nothing but space so far */
	INJECT_BETWEEN, /* an object, or in an array its end, must follow */
	INJECT_ELEMENT, /* in an object */
	INJECT_AFTER,   /* of an array: a comma or its end must follow */
	INJECT_DONE,    /* behind the array */
};

void inject_init(struct inject *x, size_t block_bytes,
		 enum status (*sink)(void *arg, struct str block, struct diag *why),
		 void *arg)
{
	*x = (struct inject){ .block_bytes = block_bytes, .sink = sink, .arg = arg };
	x->element.limit = INJECT_ELEMENT_MAX;
}

void inject_release(struct inject *x)
{
	buf_release(&x->element);
	buf_release(&x->block);
}

/* --- one object --- */

static enum status take_url(const struct json *v, struct buf *text, struct diag *why)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct str url = json_str(v);
	struct diag detail;
	struct url u;

	if (json_kind(v) != JSON_STRING)
		return diag_fail(why, ST_SYNTAX, "\"url\" must be a string");
	if (url_parse(url, NULL, &scratch, &u, &detail) != ST_OK)
		return diag_fail(why, ST_SYNTAX, "\"url\": %s", detail.text);
	if (!url_is_http(&u))
		return diag_fail(why, ST_SYNTAX,
				 "\"url\": only http and https are crawled");
	buf_reset(text);
	buf_add(text, url);
	return ST_OK;
}

static enum status take_score(const struct json *v, struct demand *d, struct diag *why)
{
	d->score = json_number(v, (double)NAN);
	if (json_kind(v) != JSON_NUMBER || !isfinite(d->score))
		return diag_fail(why, ST_SYNTAX, "\"score\" must be a number");
	d->has_score = true;
	return ST_OK;
}

/* A date, or milliseconds since 1970. */
static enum status take_deadline(const struct json *v, struct demand *d, struct diag *why)
{
	double ms = json_number(v, -1);

	if (json_kind(v) == JSON_NUMBER && ms >= 1 && ms < 9e15)
		d->deadline_ms = (int64_t)ms;
	else if (json_kind(v) != JSON_STRING ||
		 !date_parse_iso(json_str(v), &d->deadline_ms) || d->deadline_ms <= 0)
		return diag_fail(why, ST_SYNTAX,
				 "\"deadline\" must be a date as 2026-11-16T21:00:00Z, "
				 "or milliseconds since 1970");
	return ST_OK;
}

static enum status take_flag(const struct json *v, bool *ret, struct diag *why)
{
	if (json_kind(v) != JSON_BOOL)
		return diag_fail(why, ST_SYNTAX, "\"" STR_FMT "\" must be true or false",
				 STR_ARG(json_name(v)));
	*ret = json_bool(v, false);
	return ST_OK;
}

static enum status unknown_field(const struct json *v, const char *known,
				 struct diag *why)
{
	struct str name = json_name(v);

	return diag_fail(why, ST_SYNTAX,
			 "unknown field \"" STR_FMT "\"; the fields are %s",
			 (int)MIN(name.n, 60), name.p, known);
}

static enum status take_field(const struct json *v, struct buf *text, struct demand *d,
			      struct diag *why)
{
	struct str name = json_name(v);
	bool flag = false;

	if (str_eq(name, STR("url")))
		return take_url(v, text, why);
	if (str_eq(name, STR("score")))
		return take_score(v, d, why);
	if (str_eq(name, STR("deadline")))
		return take_deadline(v, d, why);
	if (!str_eq(name, STR("blacklisted")))
		return unknown_field(v, "url, score, blacklisted and deadline", why);
	TRY(take_flag(v, &flag, why));
	if (flag)
		d->kind = DEMAND_BLACKLIST;
	return ST_OK;
}

enum status inject_parse(struct str element, struct buf *text, struct demand *ret,
			 struct diag *why)
{
	cleanup(json_release) struct json *root = NULL;
	struct demand d = { .kind = DEMAND_URL };

	TRY(json_parse(element, &root, why));
	if (json_kind(root) != JSON_OBJECT)
		return diag_fail(why, ST_SYNTAX, "an object is expected");
	buf_reset(text);
	for (const struct json *v = json_first(root); v; v = json_next(v))
		TRY(take_field(v, text, &d, why));
	if (text->n == 0)
		return diag_fail(why, ST_SYNTAX, "\"url\" is missing");
	d.text = buf_str(text);
	*ret = d;
	return ST_OK;
}

static enum status take_action(const struct json *v, struct buf *text, struct demand *d,
			       struct diag *why)
{
	struct str name = json_name(v);
	bool is_drop = str_eq(name, STR("drop")), flag = false;

	if (str_eq(name, STR("match"))) {
		if (json_kind(v) != JSON_STRING || json_str(v).n == 0)
			return diag_fail(why, ST_SYNTAX,
					 "\"match\" must be a regular expression");
		buf_add(text, json_str(v));
		return ST_OK;
	}
	if (!is_drop && !str_eq(name, STR("score")) && !str_eq(name, STR("hold")))
		return unknown_field(v, "match and one of score, drop and hold", why);
	if (d->kind != DEMANDS)
		return diag_fail(why, ST_SYNTAX,
				 "only one of \"score\", \"drop\" and \"hold\" may be "
				 "given");
	if (str_eq(name, STR("score"))) {
		d->kind = DEMAND_SCORE;
		return take_score(v, d, why);
	}
	TRY(take_flag(v, &flag, why));
	d->kind = is_drop ? DEMAND_DROP : DEMAND_HOLD;
	return flag ? ST_OK
		    : diag_fail(why, ST_SYNTAX, "\"" STR_FMT "\" can only be true",
				STR_ARG(name));
}

enum status patch_parse(struct str body, struct buf *text, struct demand *ret,
			struct diag *why)
{
	cleanup(pattern_list_release) struct pattern_list pattern = { 0 };
	cleanup(json_release) struct json *root = NULL;
	struct demand d = { .kind = DEMANDS };

	TRY(json_parse(body, &root, why));
	if (json_kind(root) != JSON_OBJECT)
		return diag_fail(why, ST_SYNTAX, "an object is expected");
	buf_reset(text);
	for (const struct json *v = json_first(root); v; v = json_next(v))
		TRY(take_action(v, text, &d, why));
	if (text->n == 0)
		return diag_fail(why, ST_SYNTAX, "\"match\" is missing");
	if (d.kind == DEMANDS)
		return diag_fail(why, ST_SYNTAX,
				 "one of \"score\", \"drop\" and \"hold\" is missing");
	TRY(pattern_list_add(&pattern, buf_str(text), why));
	d.text = buf_str(text);
	*ret = d;
	return ST_OK;
}

/* --- the stream --- */

static enum status name_element(struct inject *x, const struct diag *what,
				struct diag *why)
{
	return diag_fail(why, ST_SYNTAX, "element %llu: %.200s", (unsigned long long)x->n,
			 what->text);
}

static enum status unexpected(struct inject *x, char c, struct diag *why)
{
	struct diag what;

	snprintf(what.text, sizeof(what.text),
		 c >= ' ' && c < 127 ? "unexpected '%c'" : "unexpected byte %d", c);
	return name_element(x, &what, why);
}

static enum status pass_on(struct inject *x, struct diag *why)
{
	if (x->block.n == 0)
		return ST_OK;
	enum status st = x->sink(x->arg, buf_str(&x->block), why);
	buf_reset(&x->block);
	return st;
}

static enum status end_element(struct inject *x, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct diag what;
	struct demand d;

	if (x->element.overflow) {
		snprintf(what.text, sizeof(what.text), "longer than %u bytes",
			 INJECT_ELEMENT_MAX);
		return name_element(x, &what, why);
	}
	if (inject_parse(buf_str(&x->element), &text, &d, &what) != ST_OK)
		return name_element(x, &what, why);
	buf_reset(&x->element);
	demand_encode(&d, &x->block);
	x->n++;
	x->state = x->is_array ? INJECT_AFTER : INJECT_BETWEEN;
	return x->block.n >= x->block_bytes ? pass_on(x, why) : ST_OK;
}

/* A byte outside of objects. */
static enum status outside(struct inject *x, char c, struct diag *why)
{
	if (ascii_is_space(c))
		return ST_OK;
	if (x->state == INJECT_START && c == '[') {
		x->is_array = true;
		x->state = INJECT_BETWEEN;
		return ST_OK;
	}
	if ((x->state == INJECT_START || x->state == INJECT_BETWEEN) && c == '{') {
		x->state = INJECT_ELEMENT;
		x->depth = 0;
		return ST_OK;
	}
	if (x->state == INJECT_AFTER && c == ',') {
		x->state = INJECT_BETWEEN;
		return ST_OK;
	}
	if (c == ']' && (x->state == INJECT_AFTER ||
			 (x->state == INJECT_BETWEEN && x->is_array && x->n == 0))) {
		x->state = INJECT_DONE;
		return ST_OK;
	}
	return unexpected(x, c, why);
}

/* How many bytes of the piece belong to the object; whether it ends with them. */
static size_t inside(struct inject *x, struct str piece, bool *ret_ends)
{
	for (size_t i = 0; i < piece.n; i++) {
		char c = piece.p[i];

		if (x->in_string) {
			if (x->is_escaped)
				x->is_escaped = false;
			else if (c == '\\')
				x->is_escaped = true;
			else if (c == '"')
				x->in_string = false;
		} else if (c == '"') {
			x->in_string = true;
		} else if (c == '{' || c == '[') {
			x->depth++;
		} else if ((c == '}' || c == ']') && --x->depth == 0) {
			*ret_ends = true;
			return i + 1;
		}
	}
	*ret_ends = false;
	return piece.n;
}

enum status inject_feed(struct inject *x, struct str piece, struct diag *why)
{
	while (piece.n > 0) {
		bool ends;

		if (x->state != INJECT_ELEMENT) {
			TRY(outside(x, piece.p[0], why));
			if (x->state != INJECT_ELEMENT)
				piece = str_skip(piece, 1);
			continue;
		}
		size_t n = inside(x, piece, &ends);
		buf_add(&x->element, str_slice(piece, 0, n));
		piece = str_skip(piece, n);
		if (ends || x->element.overflow)
			TRY(end_element(x, why));
	}
	return ST_OK;
}

enum status inject_end(struct inject *x, struct diag *why)
{
	struct diag what = { "the body ends in the middle of it" };
	bool is_whole = x->state == INJECT_DONE || x->state == INJECT_START ||
			(x->state == INJECT_BETWEEN && !x->is_array);

	if (!is_whole)
		return name_element(x, &what, why);
	return pass_on(x, why);
}
