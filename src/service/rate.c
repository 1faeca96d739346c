#include "service/rate.h"

#include "base/date.h"
#include "service/filter.h"

/* A number this large is a point in time, not a wait: 2001 in seconds. */
#define EPOCH_FROM 1000000000u

/* Dates have whole seconds and travel a while: less than this is no difference. */
#define SKEW_LEAST_MS 2000

int64_t rate_skew(const struct http_head *h, int64_t now_ms)
{
	int64_t date;

	if (!http_get_date(h, STR("Date"), &date))
		return 0;
	int64_t skew = date - now_ms;
	return skew > -SKEW_LEAST_MS && skew < SKEW_LEAST_MS ? 0 : skew;
}

static uint64_t until(int64_t at_ms, int64_t server_now_ms)
{
	return at_ms > server_now_ms
		       ? MIN((uint64_t)(at_ms - server_now_ms), RATE_WAIT_MAX_MS)
		       : 0;
}

/* Seconds, perhaps with a fraction, rounded up. */
static bool parse_seconds(struct str text, uint64_t *ret_ms)
{
	uint64_t s, fraction = 0;
	struct str rest = text;

	if (!str_take_uint(&rest, UINT64_MAX / 4000, &s))
		return false;
	if (str_take_char(&rest, '.')) {
		for (uint64_t unit = 100; rest.n && ascii_is_digit(rest.p[0]);
		     rest = str_skip(rest, 1), unit /= 10)
			fraction += unit * (uint64_t)(rest.p[0] - '0');
		fraction++;
	}
	if (rest.n > 0)
		return false;
	*ret_ms = s * 1000 + fraction;
	return true;
}

bool rate_parse_wait(struct str text, enum wait_format format, int64_t server_now_ms,
		     uint64_t *ret_ms)
{
	uint64_t ms;
	int64_t at;

	text = str_trim(text);
	if (parse_seconds(text, &ms)) {
		bool is_epoch = format == WAIT_AS_EPOCH ||
				(format == WAIT_AS_ANY && ms / 1000 >= EPOCH_FROM);

		if (format == WAIT_AS_ISO)
			return false;
		if (!is_epoch)
			*ret_ms = MIN(ms, RATE_WAIT_MAX_MS);
		else if (!time_parse_any(text, &at))
			return false;
		else
			*ret_ms = until(at, server_now_ms);
		return true;
	}
	if (format == WAIT_AS_SECONDS || format == WAIT_AS_EPOCH ||
	    (!date_parse_iso(text, &at) && !date_parse_http(text, &at)))
		return false;
	*ret_ms = until(at, server_now_ms);
	return true;
}

/* X-RateLimit-Reset in the forms that http_rate_limit() does not know. */
static bool parse_reset(const struct http_head *h, int64_t server_now_ms,
			uint64_t *ret_ms)
{
	static const struct str names[] = {
		{ "X-RateLimit-Reset", 17 },
		{ "RateLimit-Reset", 15 },
		{ "X-Rate-Limit-Reset", 18 },
	};

	for (size_t i = 0; i < COUNT(names); i++) {
		struct str value = http_get(h, names[i]);

		if (value.n && rate_parse_wait(value, WAIT_AS_ANY, server_now_ms, ret_ms))
			return true;
	}
	return false;
}

struct rate_facts rate_read(const struct http_head *h, int64_t now_ms)
{
	int64_t server_now = now_ms + rate_skew(h, now_ms);
	struct http_rate_limit limit = http_rate_limit(h, server_now);
	struct rate_facts f = { .has_remaining = limit.has_remaining,
				.remaining = limit.remaining };
	struct str retry = http_get(h, STR("Retry-After"));
	uint64_t reset;

	if (parse_reset(h, server_now, &reset))
		f.reset_ms = reset;
	else if (limit.has_reset)
		f.reset_ms = MIN(limit.reset_ms, RATE_WAIT_MAX_MS);
	else
		f.has_remaining = false; /* for how long is not said */
	if (retry.n && rate_parse_wait(retry, WAIT_AS_ANY, server_now, &f.wait_ms))
		f.has_wait = true;
	return f;
}
