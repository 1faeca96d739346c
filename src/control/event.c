#include "control/event.h"

#include "base/date.h"
#include "base/json.h"

const struct event_traits event_table[EVENT_KINDS] = {
	[EVENT_PAGE] = { STR("page"), STR("fetch"), 6 },
	[EVENT_SKIP] = { STR("skip"), STR("rules"), 6 },
	[EVENT_REFUSAL] = { STR("refusal"), STR("policy"), 6 },
	[EVENT_RETRY] = { STR("retry"), STR("fetch"), 5 },
	[EVENT_ERROR] = { STR("error"), STR("fetch"), 4 },
	[EVENT_RULE] = { STR("rule"), STR("rules"), 5 },
	[EVENT_TRAP] = { STR("trap"), STR("policy"), 5 },
	[EVENT_HOST] = { STR("host"), STR("frontier"), 5 },
	[EVENT_LIMIT] = { STR("limit"), STR("crawl"), 4 },
	[EVENT_COMMIT] = { STR("commit"), STR("writer"), 6 },
	[EVENT_CONTROL] = { STR("control"), STR("control"), 5 },
};

void event_format(const struct event *e, struct buf *to)
{
	const struct event_traits *t = &event_table[e->kind];
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "event", t->word);
	json_put_int(&o, "time_ms", e->time_ms);
	json_put_str(&o, "subsystem", t->subsystem);
	json_put_int(&o, "severity", t->severity);
	if (e->url.n > 0)
		json_put_str(&o, "url", e->url);
	if (e->word.n > 0)
		json_put_str(&o, "what", e->word);
	if (e->detail.n > 0)
		json_put_str(&o, "detail", e->detail);
	if (e->code != 0)
		json_put_int(&o, "code", e->code);
	if (e->bytes > 0)
		json_put_uint(&o, "bytes", e->bytes);
	if (e->ms > 0)
		json_put_uint(&o, "ms", e->ms);
	if (e->count > 0)
		json_put_uint(&o, "count", e->count);
	json_close(&o, '}');
}

static bool find_kind(struct str word, unsigned *bits)
{
	for (unsigned k = 0; k < EVENT_KINDS; k++)
		if (str_eq(event_table[k].word, word)) {
			*bits |= 1u << k;
			return true;
		}
	return false;
}

enum status event_kinds_parse(struct str words, unsigned *ret, struct diag *why)
{
	unsigned bits = 0;

	while (words.n > 0) {
		size_t comma = str_find_char(words, ',');
		struct str word = str_trim(str_slice(words, 0, comma));

		words = comma == STR_NONE ? STR("") : str_skip(words, comma + 1);
		if (!find_kind(word, &bits))
			return diag_fail(why, ST_SYNTAX,
					 "'" STR_FMT "' is no kind of event",
					 (int)MIN(word.n, 40), word.p);
	}
	*ret = bits;
	return ST_OK;
}

/* Facility 1, user-level messages; no structured data. */
void event_format_syslog(const struct event *e, struct str host, long pid,
			 struct str json, struct buf *to)
{
	const struct event_traits *t = &event_table[e->kind];

	buf_addf(to, "<%d>1 ", 8 + t->severity);
	buf_add_date_iso(to, e->time_ms, true);
	buf_addf(to, " " STR_FMT " thresh %ld " STR_FMT " - ", STR_ARG(host), pid,
		 STR_ARG(t->word));
	buf_add(to, json);
}
