#include "testweb/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/date.h"
#include "base/encode.h"
#include "testweb/control.h"
#include "testweb/feeds.h"
#include "testweb/link.h"
#include "testweb/mangle.h"
#include "testweb/page.h"
#include "testweb/route.h"
#include "testweb/trap.h"
#include "testweb/way.h"

#define BURST_EVERY  400u /* requests to a site */
#define BURST_LENGTH 8u
#define HOST_LIMIT   64u /* requests a second that a limited host takes */

void memory_init(struct memory *m, const struct world *w)
{
	*m = (struct memory){ 0 };
	m->requests = xcalloc(w->n_sites, sizeof(*m->requests));
	m->allowance_ms = xcalloc(w->n_sites, sizeof(*m->allowance_ms));
}

void memory_release(struct memory *m)
{
	map_release(&m->tries);
	free(m->requests);
	free(m->allowance_ms);
	compressors_release(&m->compressors);
	*m = (struct memory){ 0 };
}

void memory_reset(struct memory *m, const struct world *w)
{
	map_reset(&m->tries);
	memset(m->requests, 0, w->n_sites * sizeof(*m->requests));
	memset(m->allowance_ms, 0, w->n_sites * sizeof(*m->allowance_ms));
}

void answer_release(struct answer *a)
{
	buf_release(&a->body);
	buf_release(&a->packed);
	buf_release(&a->fields);
}

static void set_page(struct page *page, const struct world *w, const struct place *p,
		     struct buf *to)
{
	const struct site *s = &w->sites[p->site];

	*page = (struct page){
		.w = w,
		.site = s,
		.content = s->origin,
		.at = *p,
		.key = hash_mix(s->key ^ hash_mix(((uint64_t)p->view << 58) +
						  ((uint64_t)p->item << 24) + p->part)),
		.out = to,
	};
	page->sid = p->alias & ALIAS_SESSION ? p->nonce : page->key;
}

void answer_render(const struct world *w, const struct place *p, struct str host,
		   struct str target, struct buf *to)
{
	struct page page;

	set_page(&page, w, p, to);
	page.host = host;
	page.target = target;
	page_render(&page);
}

static void add_field(struct answer *a, const char *name, struct str value)
{
	buf_add(&a->fields, str_from(name));
	buf_add(&a->fields, STR(": "));
	buf_add(&a->fields, value);
	buf_add(&a->fields, STR("\r\n"));
}

static void set_redirect(const struct world *w, struct answer *a, unsigned status,
			 const struct place *to)
{
	struct buf url = { 0 };

	a->status = status;
	link_write(w, to, true, &url);
	add_field(a, "Location", buf_str(&url));
	buf_add(&a->body, STR("<html><body>Moved</body></html>\n"));
	buf_release(&url);
}

static void set_text(struct answer *a, unsigned status, const char *text)
{
	a->status = status;
	a->type = STR("text/plain; charset=utf-8");
	buf_add(&a->body, str_from(text));
}

/* The tries of this trouble at this page so far, this one not counted. */
static uint64_t count_try(struct memory *m, uint64_t page, unsigned trouble)
{
	uint64_t *n = map_add(&m->tries, hash_mix(page + trouble + 1), NULL);

	return (*n)++;
}

static void make_robots(const struct world *w, struct memory *m, struct answer *a)
{
	enum robots_mood mood = robots_mood(w, a->place.site);
	bool fails = mood == ROBOTS_BROKEN ||
		     (mood == ROBOTS_PASSING_5XX &&
		      count_try(m, a->truth.page, TROUBLE_ROBOTS) < 2);

	a->type = STR("text/plain");
	if (fails) {
		set_text(a, 503, "no\n");
	} else if (mood == ROBOTS_MISSING || mood == ROBOTS_FORBIDDEN) {
		set_text(a, mood == ROBOTS_MISSING ? 404 : 403, "no\n");
	} else if (mood == ROBOTS_HTML) {
		a->type = STR("text/html");
		buf_add(&a->body,
			STR("<!DOCTYPE "
			    "html><html><body><h1>Welcome</h1></body></html>\n"));
	} else if (mood == ROBOTS_REDIRECTED) {
		a->status = 302;
		add_field(a, "Location", STR("/static/robots.txt"));
	} else {
		robots_write(w, a->place.site, &a->body);
	}
}

static void make_sitemap(const struct world *w, struct memory *m, struct answer *a)
{
	const struct site *s = &w->sites[a->place.site];
	uint32_t nr = a->place.item;
	static const char *const types[] = { "application/xml", "application/gzip",
					     "text/plain; charset=utf-8" };

	if (!(s->flags & SITE_SITEMAP) || nr >= sitemap_count(s) ||
	    a->place.sub != sitemap_form(s, nr))
		return set_text(a, 404, "no such sitemap\n");
	a->type = str_from(types[a->place.sub]);
	if (a->place.sub != SITEMAP_GZ)
		return sitemap_write(w, a->place.site, nr, &a->body);
	buf_reset(&a->packed);
	sitemap_write(w, a->place.site, nr, &a->packed);
	if (!compress_add(&m->compressors, CODING_GZIP, buf_str(&a->packed), &a->body))
		set_text(a, 500, "does not compress\n");
}

/* A map of hidden pages; the packed one says application/gzip, as many servers do. */
static void make_map(const struct world *w, struct memory *m, struct answer *a)
{
	enum hidden_map file = (enum hidden_map)a->place.item;

	a->type = STR("application/xml");
	if (file != MAP_PACKED)
		return way_write_map(w, a->place.site, file, &a->body);
	a->type = STR("application/gzip");
	buf_reset(&a->packed);
	way_write_map(w, a->place.site, file, &a->packed);
	if (!compress_add(&m->compressors, CODING_GZIP, buf_str(&a->packed), &a->body))
		set_text(a, 500, "does not compress\n");
}

/* The smallest GIF: one pixel, of a colour of its own. */
static void make_gif(uint32_t nr, struct buf *to)
{
	buf_add(to, (struct str){ "GIF89a\1\0\1\0\x80\0\0", 13 });
	buf_add_u8(to, (uint8_t)nr);
	buf_add_u8(to, (uint8_t)(nr >> 8));
	buf_add_u8(to, (uint8_t)(nr >> 16));
	buf_add(to, (struct str){ "\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;", 19 });
}

static void make_asset(const struct world *w, struct answer *a)
{
	switch (a->place.sub) {
	case ASSET_CSS:
		a->type = STR("text/css");
		buf_add(&a->body,
			STR("body{font:16px/1.5 serif;margin:2em auto;max-width:60em}"
			    ".ad{display:none}\n"));
		break;
	case ASSET_JS:
		a->type = STR("text/javascript");
		buf_add(&a->body, STR("document.documentElement.className='js';\n"));
		break;
	case ASSET_ROBOTS:
		a->type = STR("text/plain");
		robots_write(w, a->place.site, &a->body);
		break;
	default:
		a->type = STR("image/gif");
		make_gif(a->place.item, &a->body);
	}
}

static void make_html(const struct world *w, struct memory *m, const struct asked *asked,
		      struct answer *a)
{
	struct page page;

	if (a->truth.class == CLASS_MISSING)
		a->status = a->place.view == VIEW_ITEM ? 410 : 404;
	if (a->place.view == VIEW_ITEM && a->status != 200)
		a->place.view = VIEW_MISSING;
	set_page(&page, w, &a->place, &a->body);
	page.nonce = hash_mix(m->count);
	page.now_ms = asked->now_ms;
	page.host = asked->request.host;
	page.target = asked->request.target;
	page.cookie = str_find(asked->request.cookie, STR("session=")) != STR_NONE;
	if (page.site->flags & SITE_SID_IN_LINKS && !page.cookie)
		add_field(a, "Set-Cookie", STR("session=1; Path=/"));
	page_render(&page);
	if (a->place.view == VIEW_DOOR) {
		cleanup(buf_release) struct buf link = { 0 };

		way_write_field(w, &a->place, &link);
		if (link.n > 0)
			add_field(a, "Link", buf_str(&link));
	}
	if (a->place.view == VIEW_ARCHIVE && page.site->style & 1)
		add_field(a, "X-Robots-Tag", STR("noindex"));
}

static void add_validators(const struct world *w, const struct asked *asked,
			   struct answer *a)
{
	const struct site *s = &w->sites[a->place.site];
	int64_t edited, since;
	struct buf tag = { 0 };

	if (a->status != 200 || a->place.view != VIEW_ITEM || s->noise)
		return;
	edited = item_edited_ms(w, s, a->place.item);
	buf_add_char(&tag, '"');
	buf_add_hex64(&tag, hash64(buf_str(&a->body)));
	buf_add_char(&tag, '"');
	add_field(a, "ETag", buf_str(&tag));
	buf_add(&a->fields, STR("Last-Modified: "));
	buf_add_date_http(&a->fields, edited);
	buf_add(&a->fields, STR("\r\n"));
	struct str match = asked->request.if_none_match;
	bool same = match.n ? str_find(match, buf_str(&tag)) != STR_NONE
			    : date_parse_http(asked->request.if_modified_since, &since) &&
				      edited / 1000 <= since / 1000;
	if (same) {
		a->status = 304;
		buf_reset(&a->body);
	}
	buf_release(&tag);
}

static void make_view(const struct world *w, struct memory *m, const struct asked *asked,
		      struct answer *a)
{
	struct place goal;

	if (truth_redirect(w, &a->place, &goal)) {
		set_redirect(w, a, a->place.view == VIEW_TRAP ? 302 : 301, &goal);
		return;
	}
	switch ((enum view)a->place.view) {
	case VIEW_ROBOTS:
		make_robots(w, m, a);
		break;
	case VIEW_SITEMAP_INDEX:
		a->type = STR("application/xml");
		if (w->sites[a->place.site].flags & SITE_SITEMAP)
			sitemap_write_index(w, a->place.site, &a->body);
		else if (way_exists(w, a->place.site, WAY_UNANNOUNCED))
			way_write_unannounced(w, a->place.site, &a->body);
		else
			set_text(a, 404, "no sitemap\n");
		break;
	case VIEW_SITEMAP:
		make_sitemap(w, m, a);
		break;
	case VIEW_MAP:
		make_map(w, m, a);
		break;
	case VIEW_RSS:
		a->type = STR("application/rss+xml; charset=utf-8");
		rss_write(w, a->place.site, &a->body);
		break;
	case VIEW_ATOM:
		a->type = STR("application/atom+xml; charset=utf-8");
		atom_write(w, a->place.site, &a->body);
		break;
	case VIEW_ASSET:
		make_asset(w, a);
		break;
	default:
		make_html(w, m, asked, a);
		add_validators(w, asked, a);
	}
}

static void make_429(struct answer *a, const struct asked *asked, unsigned form)
{
	struct buf value = { 0 };

	set_text(a, 429, "too many requests\n");
	a->retry_after_ms = (int32_t)retry_forms[form % RETRY_FORMS].wait_ms;
	if (retry_after_write(form, asked->now_ms, &value))
		add_field(a, "Retry-After", buf_str(&value));
	buf_release(&value);
}

static void make_5xx(struct answer *a, unsigned form)
{
	static const unsigned codes[] = { 500, 502, 503, 503, 504 };

	set_text(a, codes[form % COUNT(codes)], "broken\n");
	if (form % COUNT(codes) == 2) {
		add_field(a, "Retry-After", STR("1"));
		a->retry_after_ms = 1000;
	}
}

/* The answer is replaced, or delivered badly. */
static void strike(struct answer *a, const struct asked *asked, unsigned trouble,
		   unsigned form)
{
	static const uint8_t deliveries[TROUBLES] = {
		[TROUBLE_TRUNCATED] = DELIVER_TRUNCATED,
		[TROUBLE_LENGTH] = DELIVER_BAD_LENGTH,
		[TROUBLE_CHUNKS] = DELIVER_BAD_CHUNKS,
		[TROUBLE_OVERLONG] = DELIVER_OVERLONG,
		[TROUBLE_DRIP] = DELIVER_DRIP,
		[TROUBLE_HEADERS] = DELIVER_ENDLESS_HEADERS,
		[TROUBLE_BODY] = DELIVER_ENDLESS_BODY,
	};

	a->form = form;
	if (trouble == TROUBLE_429 || trouble == TROUBLE_5XX) {
		buf_reset(&a->body);
		buf_reset(&a->fields);
		if (trouble == TROUBLE_429)
			make_429(a, asked, form);
		else
			make_5xx(a, form);
	} else if (trouble == TROUBLE_RESET) {
		a->delivery = form & 1 ? DELIVER_RESET : DELIVER_RESET_WITHIN;
	} else if (trouble == TROUBLE_CHARSET) {
		a->type = mangle_charset(&a->body, form);
	} else if (trouble == TROUBLE_HTML) {
		mangle_html(&a->body);
	} else {
		a->delivery = deliveries[trouble];
	}
}

static void make_bomb(struct memory *m, const struct asked *asked, struct answer *a)
{
	unsigned coding = CODING_GZIP;

	for (unsigned i = CODING_GZIP; i < CODINGS; i++)
		if (asked->request.codings & 1u << i && (a->place.item + i) % 3 == 0)
			coding = i;
	a->coding = (uint8_t)coding;
	buf_reset(&a->packed);
	buf_add(&a->packed, compress_bomb(&m->compressors, (enum coding)coding));
}

/* The pages under /trouble/: they fail for good. */
static void make_trouble(struct memory *m, const struct asked *asked, struct answer *a)
{
	unsigned t = a->place.sub, nr = a->place.item;

	switch (t) {
	case TROUBLE_401:
		if (asked->request.authorization.n)
			break;
		set_text(a, 401, "password, please\n");
		add_field(a, "WWW-Authenticate", STR("Basic realm=\"testweb\""));
		break;
	case TROUBLE_COOKIES:
		if (str_find(asked->request.cookie, STR("passed=1")) != STR_NONE)
			break;
		a->status = 302;
		buf_reset(&a->body);
		add_field(a, "Set-Cookie", STR("passed=1; Path=/"));
		add_field(a, "Location", asked->request.target);
		break;
	case TROUBLE_BOMB:
		make_bomb(m, asked, a);
		break;
	case TROUBLE_DRIP:
		a->delivery = DELIVER_TRICKLE;
		break;
	case TROUBLE_LATENCY:
		a->delivery = DELIVER_STALL;
		break;
	case TROUBLE_ROBOTS:
		break;
	default:
		strike(a, asked, t, nr);
	}
}

/* Bursts: after BURST_EVERY requests a site fails BURST_LENGTH times in a row. */
static bool in_burst(const struct world *w, struct memory *m, uint32_t site)
{
	uint32_t n = m->requests[site]++;
	uint32_t phase = (uint32_t)(w->sites[site].key % BURST_EVERY);

	return w->options.troubles & 1u << TROUBLE_5XX && n > BURST_EVERY &&
	       (n + phase) % BURST_EVERY < BURST_LENGTH;
}

/* One site in eight counts requests and answers 429 above HOST_LIMIT a second. */
static bool over_limit(const struct world *w, struct memory *m, const struct asked *asked,
		       uint32_t site)
{
	int64_t *next = &m->allowance_ms[site];
	const int64_t step = 1000 / HOST_LIMIT;

	if (!(w->options.troubles & 1u << TROUBLE_429) || w->sites[site].key % 8)
		return false;
	*next = MAX(*next, asked->mono_ms - 1000) + step;
	if (*next <= asked->mono_ms)
		return false;
	*next -= step;
	return true;
}

static void afflict(const struct world *w, struct memory *m, const struct asked *asked,
		    struct answer *a)
{
	uint32_t site = a->place.site;
	struct affliction bad = trouble_of(w, &a->place);

	if (in_burst(w, m, site) && a->place.view != VIEW_ROBOTS)
		return strike(a, asked, TROUBLE_5XX, 2);
	if (over_limit(w, m, asked, site) && a->place.view != VIEW_ROBOTS)
		return strike(a, asked, TROUBLE_429, 0);
	if (bad.trouble == TROUBLES || a->status != 200)
		return;
	if (bad.tries == 255 || count_try(m, a->truth.page, bad.trouble) < bad.tries)
		strike(a, asked, bad.trouble, bad.form);
}

/* The client's favourite among those the site has. */
static void choose_coding(const struct world *w, struct memory *m,
			  const struct asked *asked, struct answer *a)
{
	const struct site *s = &w->sites[a->place.site];
	unsigned first = s->style % 4;

	if (first == 0 || a->body.n < 512 || a->coding || a->place.sub == SITEMAP_GZ ||
	    !str_starts(a->type, STR("text/")))
		return;
	for (unsigned i = 0; i < 3; i++) {
		unsigned coding = 1 + (first - 1 + i) % 3;

		if (!(asked->request.codings & 1u << coding))
			continue;
		buf_reset(&a->packed);
		if (compress_add(&m->compressors, (enum coding)coding, buf_str(&a->body),
				 &a->packed))
			a->coding = (uint8_t)coding;
		return;
	}
}

uint32_t answer_delay_ms(const struct world *w, struct memory *m,
			 const struct asked *asked)
{
	struct place p = route_request(w, asked->https, asked->request.host,
				       asked->request.target);

	if (!(w->options.troubles & 1u << TROUBLE_LATENCY) || p.site == NO_SITE)
		return 0;
	/* Log-normal around the host's median; the slowest hundredth waits ten times
	 * that.  Each request draws anew: a client that gave up and asks again, alone
	 * on this server, would else meet the same delay for ever. */
	uint64_t h = hash_mix(++m->delays * 0x9e3779b97f4a7c15u + w->sites[p.site].key);
	double normal = ((double)(h & 0xffff) + (double)(h >> 16 & 0xffff)) / 65536 - 1;
	double ms = w->sites[p.site].latency_ms * exp(normal);

	return (uint32_t)((h >> 40) % 100 == 0 ? 10 * ms : ms);
}

void answer_make(struct world *w, struct memory *m, const struct asked *asked,
		 struct answer *a)
{
	buf_reset(&a->body);
	buf_reset(&a->fields);
	a->status = 200;
	a->type = STR("text/html; charset=utf-8");
	a->coding = CODING_NONE;
	a->delivery = DELIVER_LENGTH;
	a->form = 0;
	a->close = false;
	a->retry_after_ms = -1;
	a->place = route_request(w, asked->https, asked->request.host,
				 asked->request.target);
	a->truth = truth_of(w, &a->place);
	m->count++;
	if (a->place.view == VIEW_CONTROL)
		return control_make(w, m, asked, a);
	if (w->sites[a->place.site].flags & SITE_CHUNKED)
		a->delivery = asked->request.old ? DELIVER_UNTIL_CLOSE : DELIVER_CHUNKED;
	make_view(w, m, asked, a);
	if (a->place.view == VIEW_TROUBLE)
		make_trouble(m, asked, a);
	else if (w->options.troubles)
		afflict(w, m, asked, a);
	choose_coding(w, m, asked, a);
}
