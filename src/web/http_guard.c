#include "web/http_guard.h"

#include "url/host.h"

static struct str without_port(struct str host)
{
	size_t colon = str_rfind_char(host, ':'), bracket = str_rfind_char(host, ']');

	if (colon == STR_NONE || (bracket != STR_NONE && colon < bracket))
		return host;
	return str_slice(host, 0, colon);
}

/*
 * An address cannot be rebound, so it may always be used; a name must be known.  Only
 * programs leave the field out.
 */
static bool host_is_ours(const struct guard_rules *rules, struct str field)
{
	struct str host = without_port(field);
	struct ip ip;

	if (field.n == 0 || str_eq_nocase(host, STR("localhost")) ||
	    host_to_ip(host, &ip))
		return true;
	for (size_t i = 0; i < rules->n_hosts; i++)
		if (str_eq_nocase(host, rules->hosts[i]))
			return true;
	return false;
}

/* `url` begins with an origin whose host and port are those of the request. */
static bool is_our_origin(struct str url, struct str host)
{
	if (host.n == 0 || (!str_take_prefix(&url, STR("http://")) &&
			    !str_take_prefix(&url, STR("https://"))))
		return false;
	size_t end = str_find_char(url, '/');
	return str_eq_nocase(str_slice(url, 0, end), host);
}

/*
 * Sec-Fetch-Site says who asks, and pages cannot write it; "none" is a person at the
 * address bar.  A link to the page itself may stand anywhere.
 */
static bool site_is_ours(const struct guard_request *q)
{
	if (q->fetch_site.n == 0 || str_eq(q->fetch_site, STR("same-origin")) ||
	    str_eq(q->fetch_site, STR("none")))
		return true;
	return q->is_page && str_eq(q->method, STR("GET")) &&
	       str_eq(q->fetch_mode, STR("navigate"));
}

/* Browsers without Sec-Fetch-Site name where they come from in one of these. */
static bool origin_is_ours(const struct guard_request *q)
{
	if (q->origin.n)
		return is_our_origin(q->origin, q->host);
	return q->is_page || q->fetch_site.n || q->referer.n == 0 ||
	       is_our_origin(q->referer, q->host);
}

/* In a time that does not depend on where they differ. */
static bool same_secret(struct str a, struct str b)
{
	unsigned differ = a.n != b.n;

	for (size_t i = 0; i < MIN(a.n, b.n); i++)
		differ |= (unsigned)(unsigned char)(a.p[i] ^ b.p[i]);
	return differ == 0;
}

static bool has_token(const struct guard_rules *rules, struct str authorization)
{
	if (rules->token.n == 0)
		return true;
	return str_starts_nocase(authorization, STR("Bearer ")) &&
	       same_secret(str_trim(str_skip(authorization, 7)), rules->token);
}

enum guard_verdict guard_decide(const struct guard_rules *rules,
				const struct guard_request *q)
{
	if (!host_is_ours(rules, q->host))
		return GUARD_OTHER_HOST;
	if (!site_is_ours(q))
		return GUARD_OTHER_SITE;
	if (!origin_is_ours(q))
		return GUARD_OTHER_ORIGIN;
	/* The page itself is no secret; what it asks for is. */
	if (!q->is_page && !has_token(rules, q->authorization))
		return GUARD_NO_TOKEN;
	return GUARD_ALLOWED;
}

static const struct {
	unsigned status;
	const char *words;
} verdicts[GUARD_VERDICTS] = {
	[GUARD_ALLOWED] = { 200, "" },
	[GUARD_OTHER_HOST] = { 403, "this server is not called by that host name; "
				    "name it with --host" },
	[GUARD_OTHER_SITE] = { 403, "pages of other sites may not ask here" },
	[GUARD_OTHER_ORIGIN] = { 403, "pages of other origins may not ask here" },
	[GUARD_NO_TOKEN] = { 401, "want the field 'Authorization: Bearer TOKEN'" },
};

unsigned guard_status(enum guard_verdict v)
{
	return verdicts[v].status;
}

const char *guard_reason_words(enum guard_verdict v)
{
	return verdicts[v].words;
}

size_t guard_victim(const struct guard_connection *v, size_t n, int64_t now_ms)
{
	size_t idle = SIZE_MAX, silent = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		if (v[i].phase == GUARD_IDLE &&
		    (idle == SIZE_MAX || v[i].active_ms < v[idle].active_ms))
			idle = i;
		if (v[i].phase == GUARD_SENDING &&
		    now_ms - v[i].active_ms >= GUARD_SILENT_MS &&
		    (silent == SIZE_MAX || v[i].active_ms < v[silent].active_ms))
			silent = i;
	}
	return idle != SIZE_MAX ? idle : silent;
}

bool guard_take(struct guard_budget *b, uint64_t n)
{
	uint64_t used = __atomic_load_n(&b->used, __ATOMIC_RELAXED);

	do {
		if (n > b->limit || used > b->limit - n)
			return false;
	} while (!__atomic_compare_exchange_n(&b->used, &used, used + n, true,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return true;
}

void guard_give(struct guard_budget *b, uint64_t n)
{
	__atomic_sub_fetch(&b->used, n, __ATOMIC_RELAXED);
}
