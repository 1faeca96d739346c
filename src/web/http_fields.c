/* The values of single fields, each by its RFC and a little more forgiving. */
#include "base/date.h"
#include "web/http.h"

bool media_type_parse(struct str value, struct media_type *ret)
{
	struct media_type m = { 0 };
	size_t semicolon = str_find_char(value, ';');
	struct str name, param;

	m.essence = str_trim(str_slice(value, 0, semicolon));
	size_t slash = str_find_char(m.essence, '/');

	if (slash == STR_NONE || !http_is_token(str_slice(m.essence, 0, slash)) ||
	    !http_is_token(str_skip(m.essence, slash + 1)))
		return false;
	value = str_skip(value, semicolon == STR_NONE ? value.n : semicolon + 1);
	while (http_take_param(&value, ';', &name, &param)) {
		/* The first of each counts, as in browsers. */
		if (str_eq_nocase(name, STR("charset")) && !m.charset.p)
			m.charset = param;
		else if (str_eq_nocase(name, STR("boundary")) && !m.boundary.p)
			m.boundary = param;
	}
	*ret = m;
	return true;
}

/* The parameters of one link end at a comma that is not inside quotes. */
static struct str take_link_params(struct str *value)
{
	bool quoted = false;
	size_t n = 0;

	for (; n < value->n; n++) {
		char c = value->p[n];

		if (quoted && c == '\\')
			n++;
		else if (c == '"')
			quoted = !quoted;
		else if (c == ',' && !quoted)
			break;
	}
	struct str params = str_slice(*value, 0, n);

	*value = str_skip(*value, n + 1);
	return params;
}

static void set_link_param(struct http_link *l, struct str name, struct str value)
{
	const struct {
		struct str name;
		struct str *to;
	} known[] = {
		{ STR("rel"), &l->rel },     { STR("type"), &l->type },
		{ STR("media"), &l->media }, { STR("hreflang"), &l->hreflang },
		{ STR("title"), &l->title }, { STR("anchor"), &l->anchor },
	};

	for (size_t i = 0; i < COUNT(known); i++)
		if (str_eq_nocase(name, known[i].name) && !known[i].to->p)
			*known[i].to = value;
}

bool http_link_next(struct str *value, struct http_link *ret)
{
	for (;;) {
		while (value->n && (ascii_is_space(value->p[0]) || value->p[0] == ','))
			*value = str_skip(*value, 1);
		if (value->n == 0)
			return false;
		size_t end = str_find_char(*value, '>');

		if (value->p[0] != '<' || end == STR_NONE) {
			take_link_params(value);
			continue;
		}
		struct http_link l = { .target = str_trim(str_slice(*value, 1, end)) };
		struct str params, name, param;

		*value = str_skip(*value, end + 1);
		params = take_link_params(value);
		while (http_take_param(&params, ';', &name, &param))
			set_link_param(&l, name, param);
		*ret = l;
		return true;
	}
}

bool http_link_has_rel(const struct http_link *l, struct str rel)
{
	struct str list = l->rel, one;

	while (str_take_until(&list, ' ', &one))
		if (str_eq_nocase(str_trim(one), rel))
			return true;
	return false;
}

bool http_parse_retry_after(struct str value, int64_t now_ms, uint64_t *ret_ms)
{
	struct str rest = str_trim(value);
	uint64_t seconds;
	int64_t at_ms;

	/* A fraction, which some send, is dropped. */
	if (str_take_uint(&rest, UINT32_MAX, &seconds) &&
	    (rest.n == 0 || rest.p[0] == '.')) {
		*ret_ms = seconds * 1000;
		return true;
	}
	if (!date_parse_http(str_trim(value), &at_ms))
		return false;
	*ret_ms = at_ms > now_ms ? (uint64_t)(at_ms - now_ms) : 0;
	return true;
}

/* Seconds from now or, as many send, a time of day: whatever is past the year 2001. */
static uint64_t reset_in_ms(uint64_t seconds, int64_t now_ms)
{
	if (seconds < 1000000000)
		return seconds * 1000;
	int64_t at_ms = (int64_t)seconds * 1000;

	return at_ms > now_ms ? (uint64_t)(at_ms - now_ms) : 0;
}

static bool get_number(const struct http_head *h, const char *prefix, const char *name,
		       uint64_t *ret)
{
	char full[64];
	size_t n = 0;

	while (*prefix)
		full[n++] = *prefix++;
	while (*name)
		full[n++] = *name++;
	struct str value = http_get(h, (struct str){ full, n });

	return str_take_uint(&value, (uint64_t)1 << 40, ret);
}

/* RateLimit: "default";r=50;t=30 - of several policies the one with least left. */
static void read_structured(struct http_rate_limit *r, struct str value)
{
	struct str item, name, param;

	while (str_take_until(&value, ',', &item)) {
		uint64_t left = UINT64_MAX, reset = 0, v;
		bool has_reset = false;

		while (http_take_param(&item, ';', &name, &param)) {
			if (str_eq(name, STR("r")) && str_to_uint(param, UINT32_MAX, &v))
				left = v;
			if (str_eq(name, STR("t")) &&
			    str_to_uint(param, UINT32_MAX, &v)) {
				reset = v;
				has_reset = true;
			}
		}
		if (left == UINT64_MAX || (r->has_remaining && left >= r->remaining))
			continue;
		r->remaining = left;
		r->has_remaining = true;
		r->reset_ms = reset * 1000;
		r->has_reset = has_reset;
	}
}

struct http_rate_limit http_rate_limit(const struct http_head *h, int64_t now_ms)
{
	static const char *const prefixes[] = { "RateLimit-", "X-RateLimit-",
						"X-Rate-Limit-" };
	struct http_rate_limit r = { 0 };
	uint64_t v;

	read_structured(&r, http_get(h, STR("RateLimit")));
	for (size_t i = 0; i < COUNT(prefixes); i++) {
		if (!r.has_limit && get_number(h, prefixes[i], "Limit", &r.limit))
			r.has_limit = true;
		if (!r.has_remaining &&
		    get_number(h, prefixes[i], "Remaining", &r.remaining))
			r.has_remaining = true;
		if (!r.has_reset && get_number(h, prefixes[i], "Reset", &v)) {
			r.reset_ms = reset_in_ms(v, now_ms);
			r.has_reset = true;
		}
	}
	return r;
}

static void read_directive(struct http_cache *c, struct str name, struct str value)
{
	const struct {
		struct str name;
		bool *flag;
	} flags[] = {
		{ STR("no-store"), &c->no_store },
		{ STR("no-cache"), &c->no_cache },
		{ STR("private"), &c->is_private },
		{ STR("must-revalidate"), &c->must_revalidate },
		{ STR("immutable"), &c->immutable },
	};
	uint64_t age;

	for (size_t i = 0; i < COUNT(flags); i++)
		if (str_eq_nocase(name, flags[i].name))
			*flags[i].flag = true;
	if (str_eq_nocase(name, STR("max-age")) && !c->has_max_age &&
	    str_to_uint(value, UINT32_MAX, &age)) {
		c->has_max_age = true;
		c->max_age_s = age;
	}
}

struct http_cache http_cache_control(const struct http_head *h)
{
	struct http_cache c = { 0 };
	struct str value, name, param;

	for (size_t at = 0; http_next(h, STR("Cache-Control"), &at, &value);)
		while (http_take_param(&value, ',', &name, &param))
			read_directive(&c, name, param);
	return c;
}

bool http_get_date(const struct http_head *h, struct str name, int64_t *ret_ms)
{
	struct str value = http_get(h, name);

	return value.n && date_parse_http(value, ret_ms);
}

uint64_t http_fresh_for_ms(const struct http_head *h, int64_t now_ms)
{
	struct http_cache c = http_cache_control(h);
	struct str age_field = http_get(h, STR("Age"));
	int64_t expires, date = now_ms;
	uint64_t age = 0, fresh;

	if (c.no_store || c.no_cache)
		return 0;
	str_take_uint(&age_field, UINT32_MAX, &age);
	if (c.has_max_age) {
		fresh = c.max_age_s;
	} else {
		if (!http_get_date(h, STR("Expires"), &expires))
			return 0;
		http_get_date(h, STR("Date"), &date);
		fresh = expires > date ? (uint64_t)(expires - date) / 1000 : 0;
	}
	return fresh > age ? (fresh - age) * 1000 : 0;
}

static bool is_refresh_separator(char c)
{
	return c == ';' || c == ',' || ascii_is_space(c);
}

/* After the delay: an optional separator, an optional "url=", optional quotes. */
static struct str refresh_url(struct str in)
{
	struct str url;

	in = str_trim(in);
	if (in.n && (in.p[0] == ';' || in.p[0] == ','))
		in = str_trim(str_skip(in, 1));
	url = in;
	if (str_starts_nocase(in, STR("url"))) {
		struct str after = str_trim(str_skip(in, 3));

		if (str_take_char(&after, '='))
			url = str_trim(after);
	}
	if (url.n && (url.p[0] == '"' || url.p[0] == '\'')) {
		char quote = url.p[0];

		url = str_skip(url, 1);
		url = str_slice(url, 0, str_find_char(url, quote));
	}
	return url;
}

bool http_parse_refresh(struct str value, uint64_t *ret_delay_s, struct str *ret_url)
{
	uint64_t delay = 0;
	bool digits = false;

	value = str_trim(value);
	for (; value.n && ascii_is_digit(value.p[0]); value = str_skip(value, 1)) {
		delay = MIN(delay * 10 + (uint64_t)(value.p[0] - '0'), UINT32_MAX);
		digits = true;
	}
	if (!digits && (!value.n || value.p[0] != '.'))
		return false;
	while (value.n && (ascii_is_digit(value.p[0]) || value.p[0] == '.'))
		value = str_skip(value, 1);
	if (value.n && !is_refresh_separator(value.p[0]))
		return false;
	*ret_delay_s = delay;
	*ret_url = refresh_url(value);
	return true;
}
