#include "testweb/api_mock.h"

#include <string.h>

#include "base/date.h"
#include "base/json.h"

void api_mock_init(struct api_mock *m, const struct api_mock_options *o)
{
	*m = (struct api_mock){ .o = *o, .rng = { o->seed } };
}

void api_mock_release(struct api_mock *m)
{
	map_release(&m->good);
}

void api_mock_answer_release(struct api_mock_answer *a)
{
	buf_release(&a->header);
	buf_release(&a->body);
}

/* --- the truth --- */

struct str api_mock_word(unsigned nr)
{
	static const char *const words[MOCK_WORDS] = {
		"solar", "wind",  "tide",  "coal", "grid", "heat",
		"wave",  "steam", "amber", "oil",  "peat", "gas",
	};

	return str_from(words[nr % MOCK_WORDS]);
}

static uint64_t fact(const struct api_mock *m, uint32_t item, unsigned what)
{
	return hash_mix(m->o.seed ^ ((uint64_t)item << 20) ^ what);
}

bool api_mock_matches(const struct api_mock *m, uint32_t item, struct str word)
{
	for (unsigned i = 0; i < 3; i++)
		if (str_eq(api_mock_word((unsigned)fact(m, item, i)), word))
			return true;
	return false;
}

uint32_t api_mock_comments(const struct api_mock *m, uint32_t item)
{
	return m->o.comments_most
		       ? (uint32_t)(fact(m, item, 7) % (m->o.comments_most + 1))
		       : 0;
}

static void add_item(const struct api_mock *m, uint32_t i, struct json_out *o)
{
	cleanup(buf_release) struct buf text = { 0 }, id = { 0 }, date = { 0 };

	buf_addf(&id, "i%u", i);
	for (unsigned k = 0; k < 3; k++)
		buf_addf(&text, "%.*s ", STR_ARG(api_mock_word((unsigned)fact(m, i, k))));
	buf_addf(&text, "see https://site%u.example/page/%u", i % 7, i);
	if (m->o.changed_from && i >= m->o.changed_from)
		buf_add(&text, STR(" (edited)"));
	buf_add_date_iso(&date, 1600000000000 + (int64_t)i * 60000, false);
	json_open(o, '{');
	json_put_str(o, "id", buf_str(&id));
	json_put_uint(o, "number", i);
	json_put_str(o, "text", buf_str(&text));
	json_put_str(o, "created", buf_str(&date));
	json_put_uint(o, "author", fact(m, i, 9) % 50);
	json_put_uint(o, "comments", api_mock_comments(m, i));
	json_close(o, '}');
}

/* --- parameters --- */

static struct str param(struct str target, const char *name)
{
	size_t at = str_find_char(target, '?');
	struct str query = at == STR_NONE ? STR("") : str_skip(target, at + 1), pair;

	while (str_take_until(&query, '&', &pair)) {
		size_t eq = str_find_char(pair, '=');

		if (eq != STR_NONE && str_eq(str_slice(pair, 0, eq), str_from(name)))
			return str_skip(pair, eq + 1);
	}
	return STR("");
}

static uint64_t number(struct str s)
{
	uint64_t v = 0;

	while (s.n > 0 && !ascii_is_digit(s.p[0]))
		s = str_skip(s, 1);
	(void)!str_take_uint(&s, UINT32_MAX, &v);
	return v;
}

/* Where the page begins, by whichever way the client goes on. */
static uint64_t offset_of(const struct api_mock *m, struct str target)
{
	struct str page = param(target, "page");

	if (page.n > 0)
		return (MAX(number(page), (uint64_t)1) - 1) * m->o.page_size;
	if (param(target, "cursor").n > 0)
		return number(param(target, "cursor"));
	if (param(target, "from").n > 0)
		return number(param(target, "from"));
	return number(param(target, "offset"));
}

/* --- answers --- */

static void add_head(struct api_mock *m, int status, int64_t now_ms,
		     struct api_mock_answer *a)
{
	a->status = status;
	buf_addf(&a->header,
		 "HTTP/1.1 %d Mock\r\nContent-Type: application/json\r\nDate: ", status);
	buf_add_date_http(&a->header, now_ms + m->o.skew_ms);
	buf_add(&a->header, STR("\r\n"));
}

/* Whole seconds, rounded up, as servers count. */
static void add_wait(struct api_mock *m, int64_t now_ms, int64_t until_ms,
		     struct api_mock_answer *a)
{
	int64_t server_until = until_ms + m->o.skew_ms + 999;
	unsigned long long s = (unsigned long long)(until_ms - now_ms + 999) / 1000 + 1;
	struct buf *h = &a->header;

	switch (m->o.dialect) {
	case DIALECT_RETRY_SECONDS:
		buf_addf(h, "Retry-After: %llu\r\n", s);
		break;
	case DIALECT_RETRY_DATE:
		buf_add(h, STR("Retry-After: "));
		buf_add_date_http(h, server_until + 1000);
		buf_add(h, STR("\r\n"));
		break;
	case DIALECT_RESET_ISO:
		buf_add(h, STR("X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: "));
		buf_add_date_iso(h, server_until + 1000, true);
		buf_add(h, STR("\r\n"));
		break;
	case DIALECT_RESET_EPOCH:
		buf_addf(h, "X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: %lld\r\n",
			 (long long)(server_until / 1000 + 1));
		break;
	case DIALECT_RESET_SECONDS:
		buf_addf(h, "X-Ratelimit-Remaining: 0\r\nX-Ratelimit-Reset: %llu\r\n", s);
		break;
	case DIALECT_IETF:
		buf_addf(h, "RateLimit: \"default\";r=0;t=%llu\r\n", s);
		break;
	case DIALECT_IETF_FIELDS:
		buf_addf(h, "RateLimit-Remaining: 0\r\nRateLimit-Reset: %llu\r\n", s);
		break;
	default:
		buf_addf(&a->body, "{\"error\":\"slow down\",\"backoff\":%llu}", s);
		break;
	}
}

static void refuse(struct api_mock *m, int64_t now_ms, int64_t until_ms,
		   struct api_mock_answer *a)
{
	m->closed_ms = MAX(m->closed_ms, until_ms);
	add_head(m, 429, now_ms, a);
	add_wait(m, now_ms, until_ms, a);
	buf_add(&a->header, STR("\r\n"));
}

static void add_ways_on(struct api_mock *m, struct str target, uint64_t next, bool more,
			uint64_t total, struct json_out *o, struct api_mock_answer *a)
{
	cleanup(buf_release) struct buf cursor = { 0 };

	json_put_uint(o, "total", total);
	json_put_uint(o, "pages", (total + m->o.page_size - 1) / m->o.page_size);
	if (!more)
		return;
	buf_addf(&cursor, "c%llu", (unsigned long long)next);
	json_put_str(o, "next", buf_str(&cursor));
	json_key(o, STR("continue"));
	json_open(o, '{');
	json_put_str(o, "from", buf_str(&cursor));
	json_put_str(o, "token", STR("a|b c"));
	json_close(o, '}');
	buf_add(&a->header, STR("Link: </items?"));
	if (param(target, "q").n > 0)
		buf_addf(&a->header, "q=%.*s&", STR_ARG(param(target, "q")));
	buf_addf(&a->header, "cursor=c%llu>; rel=\"next\"\r\n", (unsigned long long)next);
}

static void list_items(struct api_mock *m, struct str target, struct api_mock_answer *a)
{
	struct json_out o = { .to = &a->body };
	uint64_t from = offset_of(m, target), total = 0,
		 since = number(param(target, "since"));
	struct str q = param(target, "q");
	bool drifts = rng_chance(&m->rng, m->o.drifting);

	m->is_repeat = from >= m->o.page_size && rng_chance(&m->rng, m->o.repeating);
	if (m->is_repeat)
		from -= m->o.page_size;
	json_open(&o, '{');
	json_key(&o, drifts ? STR("results_v2") : STR("items"));
	json_open(&o, '[');
	for (uint32_t i = 0; i < m->o.items; i++) {
		if ((q.n > 0 && !api_mock_matches(m, i, q)) ||
		    (param(target, "since").n > 0 && i < since))
			continue;
		if (total >= from && total < from + m->o.page_size)
			add_item(m, i, &o);
		total++;
	}
	json_close(&o, ']');
	uint64_t next = offset_of(m, target) + m->o.page_size;
	bool more = next < total;
	if (!more && m->o.loops && next > m->o.page_size) {
		next = m->o.page_size;
		more = true;
	}
	add_ways_on(m, target, next, more, total, &o, a);
	json_close(&o, '}');
}

static void list_comments(struct api_mock *m, struct str target,
			  struct api_mock_answer *a)
{
	struct json_out o = { .to = &a->body };
	uint64_t item = number(str_skip(target, 7));
	uint32_t n = api_mock_comments(m, (uint32_t)item);

	json_open(&o, '{');
	json_key(&o, STR("items"));
	json_open(&o, '[');
	for (uint32_t i = 0; i < n; i++) {
		cleanup(buf_release) struct buf id = { 0 };

		buf_addf(&id, "i%llu-c%u", (unsigned long long)item, i);
		json_open(&o, '{');
		json_put_str(&o, "id", buf_str(&id));
		json_put_str(&o, "text", STR("a comment"));
		json_close(&o, '}');
	}
	json_close(&o, ']');
	json_close(&o, '}');
}

static void give_token(struct api_mock *m, int64_t now_ms, struct api_mock_answer *a)
{
	m->token = rng_next(&m->rng);
	m->token_until = now_ms + (int64_t)m->o.token_ms;
	add_head(m, 200, now_ms, a);
	buf_add(&a->header, STR("\r\n"));
	buf_addf(&a->body, "{\"access_token\":\"t%llu\",\"expires_in\":%llu}",
		 (unsigned long long)m->token, (unsigned long long)m->o.token_ms / 1000);
}

static bool has_token(const struct api_mock *m, const struct api_mock_request *r)
{
	cleanup(buf_release) struct buf want = { 0 };

	buf_addf(&want, "Bearer t%llu", (unsigned long long)m->token);
	return m->o.token_ms == 0 || (r->now_ms < m->token_until && m->token != 0 &&
				      str_eq(r->authorization, buf_str(&want)));
}

/* True when the request is over the limit. */
static bool count(struct api_mock *m, int64_t now_ms)
{
	int64_t window = (int64_t)m->o.window_ms;

	if (m->o.limit == 0)
		return false;
	if (now_ms >= m->window_start + window) {
		m->window_start = now_ms - now_ms % window;
		m->in_window = 0;
	}
	return ++m->in_window > m->o.limit;
}

static void answer_well(struct api_mock *m, const struct api_mock_request *r,
			struct api_mock_answer *a)
{
	m->is_repeat = false;
	add_head(m, 200, r->now_ms, a);
	if (str_find(r->target, STR("/comments")) != STR_NONE)
		list_comments(m, r->target, a);
	else
		list_items(m, r->target, a);
	if (m->o.limit && m->o.dialect == DIALECT_RESET_EPOCH)
		buf_addf(&a->header,
			 "X-RateLimit-Remaining: %llu\r\nX-RateLimit-Reset: %lld\r\n",
			 (unsigned long long)(m->o.limit - m->in_window),
			 (long long)((m->window_start + (int64_t)m->o.window_ms +
				      m->o.skew_ms) /
					     1000 +
				     1));
	buf_add(&a->header, STR("\r\n"));
	if (rng_chance(&m->rng, m->o.truncated)) {
		a->is_truncated = rng_chance(&m->rng, 0.5); /* or the JSON just ends */
		a->body.n = a->body.n * 2 / 3;
	} else if (!m->is_repeat &&
		   str_find(buf_str(&a->body), STR("results_v2")) == STR_NONE) {
		uint64_t *times = map_add(&m->good, hash64(r->target), NULL);

		m->twice += ++*times > 1;
	}
}

void api_mock_answer(struct api_mock *m, const struct api_mock_request *r,
		     struct api_mock_answer *a)
{
	buf_reset(&a->header);
	buf_reset(&a->body);
	a->status = 0;
	a->is_truncated = false;
	m->requests++;
	m->too_early += r->now_ms < m->closed_ms;
	if (count(m, r->now_ms)) {
		m->over_budget++;
		refuse(m, r->now_ms, m->window_start + (int64_t)m->o.window_ms, a);
		return;
	}
	if (r->is_post) {
		give_token(m, r->now_ms, a);
		return;
	}
	if (rng_chance(&m->rng, m->o.lost))
		return;
	if (rng_chance(&m->rng, m->o.limited)) {
		refuse(m, r->now_ms,
		       r->now_ms + 1000 + (int64_t)rng_below(&m->rng, 90000), a);
		return;
	}
	if (!has_token(m, r)) {
		add_head(m, 401, r->now_ms, a);
		buf_add(&a->header, STR("\r\n"));
		return;
	}
	if (rng_chance(&m->rng, m->o.failing)) {
		add_head(m, 500 + (int)rng_below(&m->rng, 4), r->now_ms, a);
		buf_add(&a->header, STR("\r\n"));
		buf_add(&a->body, STR("<html>oops</html>"));
		return;
	}
	answer_well(m, r, a);
}
