#include "replay/answer.h"

#include "base/date.h"
#include "replay/names.h"
#include "replay/rewrite.h"
#include "replay/scripts.h"
#include "url/percent.h"
#include "web/http_guard.h"

#define LIST_MAX   2000
#define OTHERS_MAX 20

void replay_response_release(struct replay_response *r)
{
	buf_release(&r->fields);
	buf_release(&r->body);
}

/* --- small things --- */

static void add_html(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		switch (s.p[i]) {
		case '&':
			buf_add(to, STR("&amp;"));
			break;
		case '<':
			buf_add(to, STR("&lt;"));
			break;
		case '"':
			buf_add(to, STR("&quot;"));
			break;
		default:
			buf_add_char(to, s.p[i]);
		}
}

static void add_field(struct replay_response *r, const char *name, struct str value)
{
	buf_addf(&r->fields, "%s: ", name);
	for (size_t i = 0; i < value.n; i++) /* no value begins a new line */
		buf_add_char(&r->fields,
			     (unsigned char)value.p[i] < ' ' ? ' ' : value.p[i]);
	buf_add_char(&r->fields, '\n');
}

/* A component of a query, so that it can be read back. */
static void add_query_value(struct buf *to, struct str s)
{
	static const char hex[] = "0123456789ABCDEF";

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (ascii_is_alpha((char)c) || (c >= '0' && c <= '9') || c == '-' ||
		    c == '.' || c == '_' || c == '~' || c == '/' || c == ':')
			buf_add_char(to, (char)c);
		else
			buf_addf(to, "%%%c%c", hex[c >> 4], hex[c & 15]);
	}
}

/* The value of `name` in the query of `path`, decoded into `to`; false: not there. */
static bool query_value(struct str path, struct str name, struct buf *to)
{
	size_t mark = str_find_char(path, '?');
	struct str rest = mark == STR_NONE ? STR("") : str_skip(path, mark + 1), part;

	while (str_take_until(&rest, '&', &part)) {
		size_t equals = str_find_char(part, '=');

		if (equals == STR_NONE || !str_eq(str_slice(part, 0, equals), name))
			continue;
		buf_add_decoded(to, str_skip(part, equals + 1));
		return true;
	}
	return false;
}

static void words(struct replay_response *r, unsigned status, const char *title,
		  struct str detail)
{
	r->status = status;
	add_field(r, "Content-Type", STR("text/html; charset=utf-8"));
	buf_addf(&r->body,
		 "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>%s"
		 "</title><h1>%s</h1><p>",
		 title, title);
	add_html(&r->body, detail);
}

/* --- who may ask --- */

/* Archived origins ask each other, as their pages did; for the guard they are one. */
static enum guard_verdict judge(const struct replay_request *q, unsigned port)
{
	struct guard_request g = { .method = q->method,
				   .host = q->host,
				   .origin = q->origin,
				   .referer = q->referer,
				   .fetch_site = q->fetch_site,
				   .fetch_mode = q->fetch_mode };
	struct str name = str_slice(q->host, 0, str_find_char(q->host, ':'));
	struct guard_rules rules = { .hosts = &name, .n_hosts = 1 };
	struct str from = q->origin.n ? q->origin : q->referer;

	if (!str_eq_nocase(name, STR("localhost")) &&
	    !(name.n > 10 &&
	      str_eq_nocase(str_skip(name, name.n - 10), STR(".localhost"))))
		rules.n_hosts = 0;
	if (replay_is_own_origin(from, port)) {
		g.origin = g.referer = STR("");
		g.fetch_site = STR("same-origin");
	}
	g.is_page = str_eq(q->fetch_mode, STR("navigate"));
	return guard_decide(&rules, &g);
}

/* --- archived pages --- */

struct mapping {
	unsigned port;
	struct str time;
};

static bool map_url(void *ctx, const struct url *u, struct buf *to)
{
	const struct mapping *m = ctx;

	replay_add_url(to, u, m->time, m->port);
	return true;
}

static void add_policy(struct replay_response *r, unsigned port)
{
	cleanup(buf_release) struct buf csp = { 0 };

	buf_addf(&csp,
		 "default-src http://*.localhost:%u data: blob: 'unsafe-inline' "
		 "'unsafe-eval'; form-action http://*.localhost:%u; base-uri 'none'; "
		 "frame-ancestors http://localhost:%u http://*.localhost:%u; webrtc "
		 "'block'",
		 port, port, port, port);
	add_field(r, "Content-Security-Policy", buf_str(&csp));
	add_field(r, "Referrer-Policy", STR("unsafe-url"));
	add_field(r, "X-DNS-Prefetch-Control", STR("off"));
	add_field(r, "Cache-Control", STR("no-store"));
}

static void add_cors(struct replay_response *r, const struct replay_request *q,
		     unsigned port)
{
	if (!q->origin.n || !replay_is_own_origin(q->origin, port))
		return;
	add_field(r, "Access-Control-Allow-Origin", q->origin);
	add_field(r, "Access-Control-Allow-Credentials", STR("true"));
	add_field(r, "Access-Control-Allow-Headers", STR("*"));
}

static void add_location(struct replay_response *r, struct str location,
			 const struct url *own, const struct mapping *m)
{
	cleanup(buf_release) struct buf scratch = { 0 }, to = { 0 };
	struct url u;

	if (url_parse(location, own, &scratch, &u, NULL) != ST_OK || !url_is_http(&u))
		return;
	replay_add_url(&to, &u, m->time, m->port);
	add_field(r, "Location", buf_str(&to));
}

static void add_script(struct buf *to, const struct mapping *m)
{
	buf_addf(to, "<script data-replay='{\"port\":%u,\"time\":\"" STR_FMT "\"}'>",
		 m->port, STR_ARG(m->time));
	buf_add(to, replay_client);
	buf_add(to, STR("</script>"));
}

static bool is_html(struct str mime)
{
	return str_eq_nocase(mime, STR("text/html")) ||
	       str_eq_nocase(mime, STR("application/xhtml+xml"));
}

static void put_body(struct replay_response *r, const struct held *h, struct str body,
		     const struct url *own, struct mapping *m)
{
	cleanup(buf_release) struct buf script = { 0 };
	struct rewrite how = { .map = map_url, .ctx = m };

	if (is_html(h->mime)) {
		add_script(&script, m);
		how.inject = buf_str(&script);
		rewrite_html(body, own, &how, &r->body);
	} else if (str_eq_nocase(h->mime, STR("text/css"))) {
		rewrite_css(body, own, &how, &r->body);
	} else {
		buf_add(&r->body, body);
	}
}

static void show_capture(const struct captures *c, const struct held *h,
			 const struct url *own, struct mapping *m,
			 struct replay_response *r)
{
	struct held_body b = { 0 };
	struct stored_head head = { 0 };
	struct diag why;

	if (captures_read(c, h, &b, &why) != ST_OK) {
		words(r, 404, "Not in the archive", str_from(why.text));
		held_body_release(&b);
		return;
	}
	(void)stored_head_parse(buf_str(&b.head), &head);
	r->status = h->status ? h->status : 200;
	if (r->status == 304) /* the browser did not ask whether it changed */
		r->status = 200;
	struct str type = stored_head_field(&head, STR("Content-Type"));
	add_field(r, "Content-Type", type.n ? type : h->mime);
	struct str location = stored_head_field(&head, STR("Location"));
	if (r->status >= 300 && r->status < 400 && location.n)
		add_location(r, location, own, m);
	put_body(r, h, buf_str(&b.body), own, m);
	held_body_release(&b);
}

static void show_archived(const struct captures *c, unsigned port,
			  const struct replay_request *q, struct str url, struct str time,
			  struct replay_response *r)
{
	struct mapping m = { port, time };
	cleanup(buf_release) struct buf scratch = { 0 };
	int64_t time_ms = 0;
	struct url own;

	add_policy(r, port);
	add_cors(r, q, port);
	if (time.n && !date_parse_digits(time, &time_ms))
		time_ms = 0;
	if (url_parse(url, NULL, &scratch, &own, NULL) != ST_OK) {
		words(r, 400, "Not a URL", url);
		return;
	}
	const struct held *h = captures_find(c, own.href, time_ms);
	if (h)
		show_capture(c, h, &own, &m, r);
	else
		words(r, 404, "Not in the archive", own.href);
}

/* A page that is opened by itself is shown in its frame. */
static void redirect_to_frame(struct str url, struct str time, unsigned port,
			      struct replay_response *r)
{
	cleanup(buf_release) struct buf to = { 0 };

	buf_addf(&to, "http://localhost:%u/view?url=", port);
	add_query_value(&to, url);
	if (time.n) {
		buf_add(&to, STR("&time="));
		buf_add(&to, time);
	}
	r->status = 302;
	add_field(r, "Location", buf_str(&to));
}

/* --- our own pages --- */

static void add_own_policy(struct replay_response *r, unsigned port)
{
	cleanup(buf_release) struct buf csp = { 0 };

	buf_addf(&csp,
		 "default-src 'none'; style-src 'unsafe-inline'; script-src "
		 "'unsafe-inline'; connect-src 'self'; form-action 'self'; base-uri "
		 "'none'; frame-ancestors 'none'; frame-src http://*.localhost:%u",
		 port);
	add_field(r, "Content-Security-Policy", buf_str(&csp));
	add_field(r, "Cache-Control", STR("no-store"));
}

static bool is_page(const struct held *h)
{
	return h->status == 200 && is_html(h->mime) && !h->is_dom && !h->is_resource;
}

static void add_view_link(struct buf *to, const struct held *h, bool with_time,
			  struct str text)
{
	buf_add(to, STR("<a href=\"/view?url="));
	add_query_value(to, h->url);
	if (with_time) {
		buf_add(to, STR("&amp;time="));
		buf_add_date_digits(to, h->time_ms, false);
	}
	buf_add(to, STR("\">"));
	add_html(to, text);
	buf_add(to, STR("</a>"));
}

static void show_list(const struct captures *c, struct str path,
		      struct replay_response *r)
{
	cleanup(buf_release) struct buf wanted = { 0 };
	size_t shown = 0, matching = 0;

	query_value(path, STR("q"), &wanted);
	words(r, 200, "Archive", STR(""));
	buf_add(&r->body,
		STR("<form><input name=q placeholder=\"part of a URL\" value=\""));
	add_html(&r->body, buf_str(&wanted));
	buf_add(&r->body, STR("\"> <button>Find</button></form><ul>"));
	for (size_t i = 0; i < c->n; i++) {
		const struct held *h = &c->v[i];
		bool is_last = i + 1 == c->n || c->v[i + 1].hash != h->hash;

		if (!is_last || !is_page(h) ||
		    (wanted.n && str_find(h->url, buf_str(&wanted)) == STR_NONE))
			continue;
		if (++matching > LIST_MAX)
			continue;
		shown++;
		buf_add(&r->body, STR("<li>"));
		add_view_link(&r->body, h, false, h->url);
		buf_add(&r->body, STR(" <small>"));
		buf_add_date_iso(&r->body, h->time_ms, false);
		buf_add(&r->body, STR("</small>"));
	}
	buf_addf(&r->body, "</ul><p>%zu of %zu pages, %zu captures.", shown, matching,
		 c->n);
}

static void add_others(const struct captures *c, const struct held *h, struct buf *to)
{
	size_t n, shown = 0;
	const struct held *run = captures_all(c, h->url, &n);

	for (size_t i = n; i-- > 0 && shown < OTHERS_MAX;) {
		cleanup(buf_release) struct buf date = { 0 };

		if (&run[i] == h || !is_page(&run[i]))
			continue;
		buf_add(to, shown++ ? STR(", ") : STR("<span>also of "));
		buf_add_date_iso(&date, run[i].time_ms, false);
		add_view_link(to, &run[i], true, buf_str(&date));
	}
	if (shown)
		buf_add(to, STR("</span>"));
}

/* view.html with @NAME@ replaced. */
static void fill_view(struct buf *to, const struct str names[], const struct str values[],
		      size_t n)
{
	struct str rest = replay_view;

	while (rest.n) {
		size_t at = str_find_char(rest, '@'), k = 0;

		buf_add(to, str_slice(rest, 0, at));
		if (at == STR_NONE)
			return;
		rest = str_skip(rest, at);
		while (k < n && !str_starts(rest, names[k]))
			k++;
		buf_add(to, k < n ? values[k] : STR("@"));
		rest = str_skip(rest, k < n ? names[k].n : 1);
	}
}

struct wanted {
	struct buf url, time;
	int64_t time_ms;
};

static void wanted_release(struct wanted *w)
{
	buf_release(&w->url);
	buf_release(&w->time);
}

static void parse_wanted(struct str path, struct wanted *ret)
{
	query_value(path, STR("url"), &ret->url);
	query_value(path, STR("time"), &ret->time);
	if (ret->time.n != 14 || !date_parse_digits(buf_str(&ret->time), &ret->time_ms)) {
		ret->time_ms = 0;
		buf_reset(&ret->time);
	}
}

static void show_frame(const struct captures *c, unsigned port, struct str path,
		       struct replay_response *r)
{
	static const struct str names[] = { STR("@TITLE@"), STR("@URL@"), STR("@DATE@"),
					    STR("@OTHERS@"), STR("@LOCAL@") };
	cleanup(wanted_release) struct wanted w = { 0 };
	cleanup(buf_release) struct buf scratch = { 0 }, url = { 0 }, date = { 0 },
					others = { 0 }, local = { 0 }, plain = { 0 };
	struct url u;

	parse_wanted(path, &w);
	if (url_parse(buf_str(&w.url), NULL, &scratch, &u, NULL) != ST_OK ||
	    !url_is_http(&u)) {
		words(r, 400, "Not a URL", buf_str(&w.url));
		return;
	}
	const struct held *h = captures_find(c, url_without_fragment(&u), w.time_ms);
	if (!h) {
		words(r, 404, "Not in the archive", u.href);
		return;
	}
	add_html(&url, u.href);
	buf_add_date_iso(&date, h->time_ms, false);
	add_others(c, h, &others);
	replay_add_url(&plain, &u, buf_str(&w.time), port);
	add_html(&local, buf_str(&plain));
	r->status = 200;
	add_field(r, "Content-Type", STR("text/html; charset=utf-8"));
	fill_view(&r->body, names,
		  (const struct str[]){ buf_str(&url), buf_str(&url), buf_str(&date),
					buf_str(&others), buf_str(&local) },
		  COUNT(names));
}

static void show_date(const struct captures *c, struct str path,
		      struct replay_response *r)
{
	cleanup(wanted_release) struct wanted w = { 0 };

	parse_wanted(path, &w);
	const struct held *h = captures_find(c, buf_str(&w.url), w.time_ms);
	r->status = h ? 200 : 404;
	add_field(r, "Content-Type", STR("text/plain"));
	if (h)
		buf_add_date_iso(&r->body, h->time_ms, false);
}

static void show_own(const struct captures *c, unsigned port, struct str path,
		     struct replay_response *r)
{
	struct str page = str_slice(path, 0, str_find_char(path, '?'));

	add_own_policy(r, port);
	if (str_eq(page, STR("/")))
		show_list(c, path, r);
	else if (str_eq(page, STR("/view")))
		show_frame(c, port, path, r);
	else if (str_eq(page, STR("/date")))
		show_date(c, path, r);
	else
		words(r, 404, "Not found", path);
}

void replay_answer(const struct captures *c, unsigned port,
		   const struct replay_request *q, struct replay_response *ret)
{
	cleanup(buf_release) struct buf url = { 0 };
	enum guard_verdict v = judge(q, port);
	struct str time;

	add_field(ret, "X-Content-Type-Options", STR("nosniff"));
	if (v != GUARD_ALLOWED) {
		words(ret, guard_status(v), "Refused", str_from(guard_reason_words(v)));
		return;
	}
	if (!replay_parse(q->host, q->path, port, &url, &time)) {
		show_own(c, port, q->path, ret);
		return;
	}
	if (str_eq(q->fetch_dest, STR("document")))
		redirect_to_frame(buf_str(&url), time, port, ret);
	else
		show_archived(c, port, q, buf_str(&url), time, ret);
}
