#include "pipeline/harvest.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/date.h"
#include "page/links.h"
#include "page/page.h"
#include "pipeline/advise.h"
#include "pipeline/app_advice.h"
#include "pipeline/site_harvest.h"
#include "policy/priority.h"
#include "render/brought.h"
#include "render/need.h"
#include "url/normal.h"
#include "web/charset.h"
#include "web/coding.h"
#include "web/http.h"
#include "web/robots_tag.h"

/* A page that is larger decoded is cut for parsing; the archive has all of it. */
#define DECODED_MAX ((size_t)32 << 20)
/* So much larger than what was received, and no page but a bomb. */
#define BOMB_RATIO 100
#define BOMB_MIN   ((size_t)1 << 20)

void harvest_release(struct harvest *h)
{
	if (h->apps)
		app_scan_release(h->apps);
	free(h->apps);
	for (size_t i = 0; i < COUNT(h->scratch); i++)
		buf_release(&h->scratch[i]);
	buf_release(&h->encoded);
	map_release(&h->seen);
	free(h->links);
	free(h->origins);
}

uint8_t hop_of_link(const struct link *l)
{
	switch ((enum link_kind)l->kind) {
	case LINK_ANCHOR:
	case LINK_AREA:
	case LINK_CITE:
	case LINK_PDF:
		return HOP_LINK;
	case LINK_HEAD:
		if (l->rel & (REL_PRECONNECT | REL_PINGBACK | REL_SEARCH | REL_HUB))
			return 0;
		return l->rel & (REL_STYLESHEET | REL_ICON | REL_PRELOAD | REL_MANIFEST)
			       ? HOP_EMBED
			       : HOP_LINK;
	case LINK_FORM:
		return HOP_FORM;
	case LINK_REFRESH:
		return HOP_REDIRECT;
	case LINK_FRAME:
	case LINK_IMAGE:
	case LINK_MEDIA:
	case LINK_OBJECT:
	case LINK_SCRIPT:
	case LINK_STYLE:
	case LINK_LAZY:
		return HOP_EMBED;
	case LINK_GUESS:
		return HOP_GUESS;
	case LINK_FEED:
	case LINK_SITEMAP:
	case LINK_SITEMAPS:
		return HOP_MANIFEST;
	case LINK_KINDS:
		break;
	}
	return 0;
}

/* --- the head --- */

struct str mime_essence(struct arena *a, struct str content_type)
{
	struct str s =
		str_trim(str_slice(content_type, 0, str_find_char(content_type, ';')));
	char *p = arena_alloc(a, s.n + 1);

	for (size_t i = 0; i < s.n; i++)
		p[i] = s.p[i] > ' ' && s.p[i] < 0x7f ? ascii_lower(s.p[i]) : '_';
	return (struct str){ p, s.n };
}

void harvest_head(struct crawl_item *i)
{
	uint64_t wait_ms;

	stored_head_parse(i->result.header, &i->head);
	i->content_type = stored_head_field(&i->head, STR("Content-Type"));
	i->mime = mime_essence(&i->arena, i->content_type);
	i->location = stored_head_field(&i->head, STR("Location"));
	i->etag = stored_head_field(&i->head, STR("ETag"));
	i->retry_after_ms = 0;
	if (http_parse_retry_after(stored_head_field(&i->head, STR("Retry-After")),
				   i->result.start_ms, &wait_ms))
		i->retry_after_ms = (uint32_t)MIN(wait_ms, UINT32_MAX);
	if (!date_parse_http(stored_head_field(&i->head, STR("Last-Modified")),
			     &i->modified_ms))
		i->modified_ms = 0;
}

/* --- links --- */

static bool wanted(const struct harvest *h, uint8_t hop)
{
	return hop != 0 && (hop != HOP_EMBED || h->settings->embeds) &&
	       (hop != HOP_GUESS || h->settings->guesses);
}

/* As browsers send it from a page in another encoding than UTF-8. */
static struct str in_page_charset(struct harvest *h, const struct crawl_item *i,
				  const struct link *l)
{
	const struct charset *c;

	if (i->page.kind != PAGE_HTML || l->kind == LINK_STYLE || l->kind == LINK_GUESS ||
	    i->page.charset.n == 0 || !(c = charset_find(i->page.charset)))
		return l->url;
	buf_reset(&h->encoded);
	return charset_encode_query(c, l->url, &h->encoded) ? buf_str(&h->encoded)
							    : l->url;
}

/* An image and its caption lead to the same page: the words are what is known of it. */
static void better_origin(struct harvest *h, size_t nr)
{
	const struct link *before = h->origins[nr];

	if (h->origin && (!before || (before->text.n == 0 && h->origin->text.n > 0)))
		h->origins[nr] = h->origin;
}

static enum purpose purpose_of_link(const struct link *l, uint8_t hop)
{
	return l && l->kind == LINK_SITEMAPS ? PURPOSE_SITEMAP : purpose_of_hop(hop);
}

size_t harvest_add_link(struct harvest *h, struct crawl_item *i, struct str text,
			const struct url *base, uint8_t hop)
{
	bool nofollow = h->origin && (h->origin->rel & REL_NOFOLLOW);
	struct url u;
	bool is_new;

	if (!wanted(h, hop) ||
	    url_parse_normal(text, base, NORMAL_STANDARD, h->scratch, &u, NULL) !=
		    ST_OK ||
	    u.href.n > FETCH_URL_MAX)
		return STR_NONE;
	struct str url = url_without_fragment(&u);
	struct u128 key = hash128(url);
	uint64_t *nr = map_add(&h->seen, key.lo, &is_new);
	if (!is_new) {
		better_origin(h, *nr);
		h->links[*nr].nofollow &= nofollow;
		return *nr;
	}
	*nr = h->n;
	url = arena_copy(&i->arena, url);
	uint8_t penalty = url_penalty(&u);
	uint8_t purpose = (uint8_t)purpose_of_link(h->origin, hop);
	uint32_t depth = i->step.task.depth + (hop == HOP_REDIRECT ? 0 : 1);
	VEC_RESERVE(h->origins, h->origins_cap, h->n + 1);
	h->origins[h->n] = h->origin;
	VEC_ADD(h->links, h->n, h->cap,
		(struct discovery){
			.url = url,
			.key = url,
			.hash = key,
			.via = i->step.task.url,
			.depth = depth,
			.hop = hop,
			.priority = policy_priority(&(struct priority_facts){
				.purpose = purpose, .depth = depth, .penalty = penalty }),
			.penalty = penalty,
			.purpose = purpose,
			.nofollow = nofollow,
		});
	return h->n - 1;
}

static void keep_links(struct harvest *h, struct crawl_item *i)
{
	i->n_links = h->n;
	if (h->n == 0)
		return;
	i->links = arena_alloc(&i->arena, h->n * sizeof(*h->links));
	memcpy(i->links, h->links, h->n * sizeof(*h->links));
	i->origins = arena_alloc(&i->arena, h->n * sizeof(*h->origins));
	memcpy(i->origins, h->origins, h->n * sizeof(*h->origins));
}

/* Whatever modules say, they are fetched as they were found. */
static void keep_order(const struct harvest *h, struct crawl_item *i)
{
	for (size_t k = 0; h->settings->order == ORDER_BREADTH_FIRST && k < i->n_links;
	     k++)
		i->links[k].priority =
			policy_priority(&(struct priority_facts){ .in_order = true });
}

/* The last that a worker does with links: what modules say of them goes along. */
static void advise_links(struct harvest *h, struct crawl_item *i)
{
	struct page_advice application = app_advise(h->apps, i, h->body);

	if (i->n_links == 0 && !h->focus)
		return;
	i->relevance =
		advise(&(struct advice_input){ .task = &i->step.task,
					       .page = i->has_page ? &i->page : NULL,
					       .links = i->links,
					       .origins = i->origins,
					       .n = i->n_links,
					       .application = application,
					       .focus = h->focus,
					       .modified_ms = i->modified_ms,
					       .now_ms = i->result.start_ms },
		       &i->arena);
	i->has_relevance = h->focus != NULL;
}

static void collect_links(struct harvest *h, struct crawl_item *i, const struct url *own)
{
	struct url base = *own;

	/* <base> counts from the page's own URL; a bad one counts as none. */
	if (i->page.base.n > 0 &&
	    url_parse(i->page.base, own, &h->scratch[3], &base, NULL) != ST_OK)
		base = *own;
	bool legacy = !str_eq(i->page.charset, str_from(charset_name(charset_utf8())));
	for (size_t k = 0; k < i->page.n_links; k++) {
		const struct link *l = &i->page.links[k];

		h->origin = l;
		harvest_add_link(h, i, legacy ? in_page_charset(h, i, l) : l->url, &base,
				 hop_of_link(l));
	}
	h->origin = NULL;
	if (i->page.canonical.n > 0) {
		struct url u;

		harvest_add_link(h, i, i->page.canonical, &base, HOP_LINK);
		if (url_parse_normal(i->page.canonical, &base, NORMAL_STANDARD,
				     h->scratch, &u, NULL) == ST_OK)
			i->canonical = arena_copy(&i->arena, url_without_fragment(&u));
	}
	if (i->page.refresh.n > 0)
		harvest_add_link(h, i, i->page.refresh, &base, HOP_REDIRECT);
}

/* --- the page --- */

/* The body without its coding; empty when there is none in memory. */
static struct str decode_body(struct crawl_item *i, struct str body)
{
	struct str coding = stored_head_field(&i->head, STR("Content-Encoding"));

	if (coding_is_identity(coding))
		return body;
	buf_reset(&i->decoded);
	i->decoded.limit = MIN(MAX(body.n * BOMB_RATIO, BOMB_MIN), DECODED_MAX);
	/* What a broken coding still gave is parsed: better some links than none. */
	if (coding_decode(coding, body, &i->decoded) == ST_UNSUPPORTED)
		return STR("");
	return buf_str(&i->decoded);
}

static bool language_wanted(const struct crawl_settings *s, struct str language)
{
	if (s->languages.n == 0 || language.n == 0)
		return true;
	for (size_t i = 0; i < s->languages.n; i++)
		if (str_starts_nocase(language, s->languages.v[i]))
			return true;
	return false;
}

/* Is what was received the page, or only what a browser makes it of? */
static void look_at_need(struct crawl_item *i, struct str html)
{
	cleanup(buf_release) struct buf words = { 0 };
	struct render_features f;

	if (i->render_from == NEED_NEVER || i->page.kind != PAGE_HTML || i->rendering)
		return;
	render_features_of(html, &i->page, &f);
	i->need = (uint8_t)render_need_of(&f);
	i->needs_browser = i->need >= i->render_from;
	render_features_format(&f, &words);
	i->need_words = arena_copy(&i->arena, buf_str(&words));
}

static bool is_rendered(const struct crawl_item *i)
{
	return i->rendering && i->rendering->dom.n > 0;
}

/* What does the page say that it did not say as it was received? */
static void look_at_yield(struct crawl_item *i)
{
	const struct rendering *r = i->rendering;
	struct page_input in = {
		.body = decode_body(i, r->plain.n ? buf_str(&r->plain) : i->result.body),
		.content_type = i->content_type,
		.url = i->step.task.url,
	};
	struct page plain = { 0 };

	page_parse(&in, &(struct page_options){ .no_guesses = true, .no_language = true },
		   &i->arena, &plain);
	i->brought = text_brought(plain.text, i->page.text);
}

/* What the browser saw beside the document: requests, history, windows. */
static void collect_rendered(struct harvest *h, struct crawl_item *i,
			     const struct url *own)
{
	for (size_t k = 0; i->rendering && k < i->rendering->n_urls; k++) {
		const struct rendered_url *u = &i->rendering->urls[k];

		harvest_add_link(h, i, u->url, own, u->hop);
	}
}

static void harvest_page(struct harvest *h, struct crawl_item *i, const struct url *own)
{
	struct page_input in = {
		.body = is_rendered(i) ? buf_str(&i->rendering->dom)
				       : decode_body(i, i->result.body),
		.content_type = is_rendered(i) ? STR("text/html; charset=utf-8")
					       : i->content_type,
		.url = i->step.task.url,
	};

	h->body = in.body;
	page_parse(&in,
		   &(struct page_options){ .no_guesses =
						   !h->settings->guesses || i->no_guesses,
					   .no_language = !h->settings->detect_language &&
							  h->settings->languages.n == 0 },
		   &i->arena, &i->page);
	i->has_page = true;
	i->page.robots |= robots_tag_of_text(i->result.header, STR("thresh")).flags;
	i->follow = !(h->settings->obey_nofollow && !h->settings->ignore_robots &&
		      (i->page.robots & ROBOTS_NOFOLLOW)) &&
		    language_wanted(h->settings, i->page.language);
	collect_links(h, i, own);
	collect_rendered(h, i, own);
	look_at_need(i, in.body);
	if (is_rendered(i))
		look_at_yield(i);
}

/* Link fields (RFC 8288). */
static void add_link_fields(struct harvest *h, struct crawl_item *i,
			    const struct url *own)
{
	struct str rest = i->head.fields, name, value;
	struct http_link l;

	while (stored_field_next(&rest, &name, &value)) {
		if (!str_eq_nocase(name, STR("Link")))
			continue;
		while (http_link_next(&value, &l)) {
			struct link link = { .kind = LINK_HEAD,
					     .rel = links_parse_rel(l.rel) };

			/* An anchor of its own makes it a statement on another page. */
			if (l.anchor.n == 0)
				harvest_add_link(h, i, l.target, own, hop_of_link(&link));
		}
	}
}

/* Where else the head of an answer points. */
static void harvest_fields(struct harvest *h, struct crawl_item *i, const struct url *own)
{
	struct str refresh = stored_head_field(&i->head, STR("Refresh"));
	struct str location = stored_head_field(&i->head, STR("Content-Location"));
	uint32_t seconds;
	struct str url;

	if (refresh.n && links_parse_refresh(refresh, &seconds, &url) && url.n)
		harvest_add_link(h, i, url, own, HOP_REDIRECT);
	if (location.n)
		harvest_add_link(h, i, location, own, HOP_LINK);
	add_link_fields(h, i, own);
}

void harvest_item(struct harvest *h, struct crawl_item *i)
{
	int code = i->result.code;
	struct url own;

	/* The links of a robots.txt are the sitemaps that the loop has found in it. */
	if (i->step.task.purpose == PURPOSE_ROBOTS)
		return;
	h->n = 0;
	h->origin = NULL;
	h->body = STR("");
	map_reset(&h->seen);
	if (code <= 0 ||
	    url_parse(i->step.task.url, NULL, &h->scratch[2], &own, NULL) != ST_OK)
		return;
	i->follow = true;
	if (i->step.task.purpose == PURPOSE_API)
		harvest_site_answer(h, i, decode_body(i, i->result.body), &own);
	else if (answer_is_redirect(code) && i->location.n > 0)
		harvest_add_link(h, i, i->location, &own, HOP_REDIRECT);
	else if (answer_is_success(code) && (i->result.body.n > 0 || is_rendered(i)))
		harvest_page(h, i, &own);
	if (answer_is_success(code) && i->step.task.purpose != PURPOSE_API)
		harvest_fields(h, i, &own);
	keep_links(h, i);
	advise_links(h, i);
	keep_order(h, i);
}
