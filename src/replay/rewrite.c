#include "replay/rewrite.h"

#include "html/entity.h"
#include "html/html_token.h"
#include "page/css.h"
#include "page/links.h"

struct state {
	const struct rewrite *how;
	struct url base;
	struct arena arena;
	struct buf mapped, scratch;
	struct buf *to;
	const char *from; /* what stands before it was written */
	bool injected, in_style, in_script;
};

static void copy_until(struct state *s, const char *p)
{
	buf_add(s->to, (struct str){ s->from, (size_t)(p - s->from) });
	s->from = p;
}

/* What stands for `url`, in s->mapped; false: nothing does. */
static bool map_url(struct state *s, struct str url)
{
	struct url u;

	if (url.n == 0 || url.p[0] == '#' ||
	    url_parse(url, &s->base, &s->scratch, &u, NULL) != ST_OK || !url_is_http(&u))
		return false;
	buf_reset(&s->mapped);
	return s->how->map(s->how->ctx, &u, &s->mapped);
}

/* --- style sheets --- */

/* Neither quotes nor brackets can end it before its time. */
static void add_css_url(struct buf *to, struct str url)
{
	for (size_t i = 0; i < url.n; i++)
		switch (url.p[i]) {
		case '(':
			buf_add(to, STR("%28"));
			break;
		case ')':
			buf_add(to, STR("%29"));
			break;
		case '\'':
			buf_add(to, STR("%27"));
			break;
		case '"':
			buf_add(to, STR("%22"));
			break;
		default:
			buf_add_char(to, url.p[i]);
		}
}

static void css_into(struct state *s, struct str css, struct buf *to)
{
	const char *from = css.p, *end = css.p + css.n;
	enum css_url_kind kind;
	struct str url;

	while (css_next_url(&css, &s->arena, &url, &kind)) {
		/* One with escapes was copied: it stays as it is. */
		if (url.p < from || url.p + url.n > end || !map_url(s, url))
			continue;
		buf_add(to, (struct str){ from, (size_t)(url.p - from) });
		add_css_url(to, buf_str(&s->mapped));
		from = url.p + url.n;
	}
	buf_add(to, (struct str){ from, (size_t)(end - from) });
}

/* --- attributes --- */

static void add_escaped(struct buf *to, struct str value)
{
	for (size_t i = 0; i < value.n; i++)
		if (value.p[i] == '&')
			buf_add(to, STR("&amp;"));
		else if (value.p[i] == '"')
			buf_add(to, STR("&quot;"));
		else if (value.p[i] == '\'')
			buf_add(to, STR("&#39;"));
		else
			buf_add_char(to, value.p[i]);
}

static bool is_quoted(const struct html_attr *a)
{
	return a->value.n > 0 && (a->value.p[-1] == '"' || a->value.p[-1] == '\'');
}

/* The value of `a` becomes `value`. */
static void put_value(struct state *s, const struct html_attr *a, struct str value)
{
	bool quoted = is_quoted(a);

	copy_until(s, a->value.p);
	if (!quoted)
		buf_add_char(s->to, '"');
	add_escaped(s->to, value);
	if (!quoted)
		buf_add_char(s->to, '"');
	s->from = a->value.p + a->value.n;
}

/* The attribute keeps its place, and means nothing any more. */
static void disable(struct state *s, const struct html_attr *a)
{
	if (a->name.p < s->from) /* a later one was rewritten already */
		return;
	copy_until(s, a->name.p);
	buf_add(s->to, STR("data-archived-"));
}

static struct str decoded(struct state *s, const struct html_attr *a)
{
	return str_trim(entity_decode_all(a->value, ENTITY_IN_ATTRIBUTE, &s->arena));
}

static void rewrite_srcset(struct state *s, const struct html_attr *a)
{
	cleanup(buf_release) struct buf out = { 0 };
	struct str rest = decoded(s, a), url;
	const char *from = rest.p, *end = rest.p + rest.n;

	while (links_take_srcset(&rest, &url)) {
		if (!map_url(s, url))
			continue;
		buf_add(&out, (struct str){ from, (size_t)(url.p - from) });
		buf_add(&out, buf_str(&s->mapped));
		from = url.p + url.n;
	}
	buf_add(&out, (struct str){ from, (size_t)(end - from) });
	put_value(s, a, buf_str(&out));
}

static void rewrite_style(struct state *s, const struct html_attr *a)
{
	cleanup(buf_release) struct buf out = { 0 };

	css_into(s, decoded(s, a), &out);
	put_value(s, a, buf_str(&out));
}

static bool is_url_attr(const struct html_token *t, const struct html_attr *a)
{
	switch ((enum html_attr_id)a->id) {
	case ATTR_HREF:
	case ATTR_XLINK_HREF:
	case ATTR_SRC:
	case ATTR_ACTION:
	case ATTR_FORMACTION:
	case ATTR_POSTER:
	case ATTR_BACKGROUND:
	case ATTR_LOWSRC:
	case ATTR_DYNSRC:
	case ATTR_CITE:
	case ATTR_LONGDESC:
	case ATTR_MANIFEST:
	case ATTR_DATA_SRC:
	case ATTR_DATA_HREF:
	case ATTR_DATA_BG:
	case ATTR_DATA_LAZY_SRC:
	case ATTR_DATA_ORIGINAL:
		return true;
	case ATTR_DATA:
		return t->tag == TAG_OBJECT;
	default:
		return false;
	}
}

static bool binds_to_its_place(const struct html_attr *a)
{
	return str_eq_nocase(a->name, STR("integrity")) ||
	       str_eq_nocase(a->name, STR("nonce")) ||
	       str_eq_nocase(a->name, STR("referrerpolicy")) ||
	       str_eq_nocase(a->name, STR("ping"));
}

/* "5; url=http://a/": only the URL. */
static void rewrite_refresh(struct state *s, const struct html_attr *a)
{
	cleanup(buf_release) struct buf out = { 0 };
	struct str text = decoded(s, a), url;
	uint32_t seconds;

	if (!links_parse_refresh(text, &seconds, &url) || url.n == 0 || !map_url(s, url))
		return;
	buf_add(&out, (struct str){ text.p, (size_t)(url.p - text.p) });
	buf_add(&out, buf_str(&s->mapped));
	put_value(s, a, buf_str(&out));
}

static void rewrite_meta(struct state *s, const struct html_token *t)
{
	const struct html_attr *equiv = html_find_attr(t, ATTR_HTTP_EQUIV);
	const struct html_attr *name = html_find_attr(t, ATTR_NAME);
	const struct html_attr *content = html_find_attr(t, ATTR_CONTENT);

	if (name && str_eq_nocase(name->value, STR("referrer")))
		disable(s, name);
	if (!equiv)
		return;
	if (str_starts_nocase(equiv->value, STR("content-security-policy")))
		disable(s, equiv);
	else if (str_eq_nocase(equiv->value, STR("refresh")) && content)
		rewrite_refresh(s, content);
}

static void rewrite_attrs(struct state *s, const struct html_token *t)
{
	for (size_t i = 0; i < t->n_attrs; i++) {
		const struct html_attr *a = &t->attrs[i];

		if (binds_to_its_place(a))
			disable(s, a);
		else if (a->id == ATTR_SRCSET || a->id == ATTR_IMAGESRCSET ||
			 a->id == ATTR_DATA_SRCSET)
			rewrite_srcset(s, a);
		else if (a->id == ATTR_STYLE && a->value.n)
			rewrite_style(s, a);
		else if (s->how->no_scripts && str_starts_nocase(a->name, STR("on")))
			disable(s, a);
		else if (is_url_attr(t, a) && a->value.n && map_url(s, decoded(s, a)))
			put_value(s, a, buf_str(&s->mapped));
	}
}

/* <base> counts for what follows, and goes. */
static void take_base(struct state *s, const struct html_token *t)
{
	const struct html_attr *href = html_find_attr(t, ATTR_HREF);
	struct url u;

	if (!href)
		return;
	struct str url = decoded(s, href);
	if (url_parse(url, &s->base, &s->scratch, &u, NULL) == ST_OK && url_is_http(&u)) {
		struct url kept = url_copy(&s->arena, &u);

		s->base = kept;
	}
	disable(s, href);
}

/* --- pages --- */

static void inject(struct state *s, const char *at)
{
	if (s->injected)
		return;
	copy_until(s, at);
	buf_add(s->to, s->how->inject);
	s->injected = true;
}

static void start_tag(struct state *s, const struct html_token *t, const char *after)
{
	s->in_style = t->tag == TAG_STYLE;
	s->in_script = t->tag == TAG_SCRIPT;
	if (t->tag == TAG_HEAD) {
		inject(s, after);
		return;
	}
	if (t->tag != TAG_HTML)
		inject(s, t->name.p - 1);
	if (t->tag == TAG_BASE)
		take_base(s, t);
	else if (t->tag == TAG_META)
		rewrite_meta(s, t);
	else if (t->tag == TAG_SCRIPT && s->how->no_scripts) {
		copy_until(s, t->name.p - 1);
		buf_add(s->to, STR("<template data-archived-script>"));
		s->from = after;
	} else
		rewrite_attrs(s, t);
}

static void text(struct state *s, const struct html_token *t)
{
	if (s->in_script && s->how->no_scripts) {
		copy_until(s, t->text.p);
		s->from = t->text.p + t->text.n;
	}
	if (!s->in_style)
		return;
	copy_until(s, t->text.p);
	css_into(s, t->text, s->to);
	s->from = t->text.p + t->text.n;
}

static void end_tag(struct state *s, const struct html_token *t, const char *after)
{
	if (t->tag == TAG_SCRIPT && s->how->no_scripts) {
		copy_until(s, t->name.p - 2);
		buf_add(s->to, STR("</template>"));
		s->from = after;
	}
	s->in_style = s->in_script = false;
}

static struct state begin(struct str in, const struct url *own, const struct rewrite *how,
			  struct buf *to)
{
	struct state s = { .how = how, .to = to, .from = in.p };

	s.base = url_copy(&s.arena, own);
	return s;
}

static void end(struct state *s)
{
	arena_release(&s->arena);
	buf_release(&s->mapped);
	buf_release(&s->scratch);
}

void rewrite_html(struct str html, const struct url *own, const struct rewrite *how,
		  struct buf *to)
{
	struct state s = begin(html, own, how, to);
	struct html_tokenizer t;
	struct html_token token;

	html_start(&t, html);
	while (html_next(&t, &token)) {
		if (token.kind == HTML_START_TAG)
			start_tag(&s, &token, t.p);
		else if (token.kind == HTML_TEXT)
			text(&s, &token);
		else if (token.kind == HTML_END_TAG)
			end_tag(&s, &token, t.p);
	}
	copy_until(&s, html.p + html.n);
	if (!s.injected)
		buf_add(to, how->inject);
	end(&s);
}

void rewrite_css(struct str css, const struct url *own, const struct rewrite *how,
		 struct buf *to)
{
	struct state s = begin(css, own, how, to);

	css_into(&s, css, to);
	end(&s);
}
