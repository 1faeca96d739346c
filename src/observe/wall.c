#include "observe/wall.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "url/host.h"

void wall_release(struct wall *w)
{
	map_release(&w->places);
}

void wall_begin(struct wall *w, enum wall_phase phase, uint64_t control)
{
	w->phase = phase;
	w->control = control;
	w->sequence = 0;
}

static bool is_write(struct str method)
{
	return !str_eq_nocase(method, STR("get")) &&
	       !str_eq_nocase(method, STR("head")) &&
	       !str_eq_nocase(method, STR("options"));
}

/* "host:port" of a URL of the web. */
static enum status place_of(struct str text, struct buf *to, struct buf *host)
{
	cleanup(buf_release) struct buf scratch = { 0 };
	struct url url;
	struct diag why;

	TRY(url_parse(text, NULL, &scratch, &url, &why));
	buf_add(host, url.host);
	buf_add(to, url.host);
	if (url.port.n) {
		buf_add_char(to, ':');
		buf_add(to, url.port);
	} else {
		buf_add(to, url.scheme_kind == URL_HTTPS ? STR(":443") : STR(":80"));
	}
	return ST_OK;
}

static bool is_named(const struct wall_options *o, struct str host, struct str place)
{
	cleanup(buf_release) struct buf start = { 0 }, unused = { 0 };

	if (place_of(o->start, &start, &unused) == ST_OK &&
	    str_eq(buf_str(&start), place))
		return true;
	for (size_t i = 0; i < o->hosts.n; i++)
		if (str_eq_nocase(o->hosts.v[i], host) ||
		    str_eq_nocase(o->hosts.v[i], place))
			return true;
	return false;
}

static bool is_public(struct str host)
{
	char name[256], address[64];
	struct ip ip;

	if (host_to_ip(host, &ip))
		return ip_kind(&ip) == IP_PUBLIC;
	if (host_is_local_name(host) || host.n >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), STR_FMT, STR_ARG(host));
	/* A name without an address leads nowhere, and the browser will say so. */
	if (!gate_resolve(name, address, sizeof(address)))
		return true;
	struct str text = str_from(address);
	size_t zone = str_find_char(text, '%');
	text = str_slice(text, 0, zone);
	if (ipv4_parse(text, &ip) == ST_OK || ipv6_parse(text, &ip) == ST_OK)
		return ip_kind(&ip) == IP_PUBLIC;
	return false;
}

bool wall_allows_place(struct wall *w, struct str url, struct diag *why)
{
	cleanup(buf_release) struct buf place = { 0 }, host = { 0 };
	bool is_new = false;

	if (w->options->any_address || !str_starts_nocase(url, STR("http")) ||
	    place_of(url, &place, &host) != ST_OK)
		return true;
	uint64_t *known = map_add(&w->places, hash64(buf_str(&place)) | 1, &is_new);
	if (is_new)
		*known = is_named(w->options, buf_str(&host), buf_str(&place)) ||
					 is_public(buf_str(&host))
				 ? 1
				 : 2;
	if (*known == 1)
		return true;
	diag_say(why, "a private address; --allow-host " STR_FMT " allows it",
		 STR_ARG(buf_str(&place)));
	return false;
}

static bool is_token(struct str name)
{
	static const char *const words[] = { "csrf",         "token",       "nonce",
					     "authenticity", "__viewstate", "_wpnonce",
					     "formkey" };

	for (size_t i = 0; i < COUNT(words); i++)
		for (size_t at = 0; at < name.n; at++)
			if (str_starts_nocase(str_skip(name, at), str_from(words[i])))
				return true;
	return false;
}

static void add_fields(struct str body, struct buf *to)
{
	struct str field;

	while (str_take_until(&body, '&', &field)) {
		struct str name = str_slice(field, 0, str_find_char(field, '='));

		buf_add(to, is_token(name) ? name : field);
		buf_add_char(to, '&');
	}
}

/* Lines of a multipart body, without its boundary and what follows a token's name. */
static void add_parts(struct str body, struct buf *to)
{
	struct str line;
	bool skip = false;

	while (str_take_line(&body, &line)) {
		if (str_starts(line, STR("--"))) {
			skip = false;
			continue;
		}
		if (str_starts_nocase(line, STR("content-disposition")) && is_token(line))
			skip = true;
		if (!skip)
			buf_add(to, line);
		buf_add_char(to, '\n');
	}
}

void wall_add_plain_body(struct str body, struct str content_type, struct buf *to)
{
	if (str_starts_nocase(content_type, STR("application/x-www-form-urlencoded")))
		add_fields(body, to);
	else if (str_starts_nocase(content_type, STR("multipart/")))
		add_parts(body, to);
	else
		buf_add(to, body);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return hash64_seeded((struct str){ (const char *)&value, sizeof(value) }, hash);
}

static struct written keys_of(const struct wall *w, const struct gate_request *r,
			      uint64_t sequence)
{
	cleanup(buf_release) struct buf body = { 0 };
	uint64_t where = hash64_seeded(r->url, hash64(r->method));

	wall_add_plain_body(r->body, r->content_type, &body);
	uint64_t what = hash64_seeded(buf_str(&body), where);
	return (struct written){ .exact = mix(what, w->control),
				 .inexact = mix(mix(where, w->control), sequence),
				 .anyhow = what };
}

/* The answer of the first time; while repeating, also one that is only likely the same.
 */
static const struct written *find(const struct wall *w, const struct written *key)
{
	const struct written *likely = NULL;

	for (size_t i = 0; i < *w->known_count; i++) {
		const struct written *k = w->known[i];

		if (k->exact == key->exact)
			return k;
		if (w->phase == WALL_REPEATING && !likely &&
		    (k->anyhow == key->anyhow || k->inexact == key->inexact))
			likely = k;
	}
	return likely;
}

static enum gate_verdict judge_write(struct wall *w, const struct gate_request *r,
				     struct gate_answer *ret, struct diag *why)
{
	const struct wall_options *o = w->options;
	const char *refusal =
		guard_refuses_request(&o->guard, r->method, r->url, r->body);

	if (o->writes == WRITES_ALL)
		return GATE_PASS;
	if (refusal || o->writes == WRITES_NONE) {
		diag_say(why, "%s", refusal ? refusal : "--writes none");
		w->held_back++;
		return GATE_REFUSE;
	}
	if (w->phase == WALL_LOADING) {
		w->sent++;
		return GATE_PASS;
	}
	struct written key = keys_of(w, r, w->sequence++);
	const struct written *known = find(w, &key);
	if (known) {
		*ret = (struct gate_answer){ known->status, known->headers, known->body };
		w->answered++;
		return GATE_ANSWER;
	}
	if (w->phase == WALL_REPEATING) {
		diag_say(why, "it was not sent when the event was first fired");
		w->held_back++;
		return GATE_REFUSE;
	}
	w->sent++;
	if (w->pending_count < COUNT(w->pending))
		w->pending[w->pending_count++] = key;
	return GATE_WATCH;
}

static enum gate_verdict judge(void *ctx, const struct gate_request *r,
			       struct gate_answer *ret, struct diag *why)
{
	struct wall *w = ctx;

	if (!wall_allows_place(w, r->url, why)) {
		w->held_back++;
		return GATE_REFUSE;
	}
	return is_write(r->method) ? judge_write(w, r, ret, why) : GATE_PASS;
}

static void answered(void *ctx, const struct gate_request *r, const struct gate_answer *a)
{
	struct wall *w = ctx;
	struct written now = keys_of(w, r, 0);
	size_t i = 0;

	while (i < w->pending_count && w->pending[i].anyhow != now.anyhow)
		i++;
	if (i == w->pending_count)
		return;
	now = w->pending[i];
	w->pending[i] = w->pending[--w->pending_count];
	now.status = a->status;
	now.headers = a->headers;
	now.body = a->body;
	w->keep(w->ctx, &now);
}

struct gate wall_gate(struct wall *w)
{
	return (struct gate){ .judge = judge, .answered = answered, .ctx = w };
}
