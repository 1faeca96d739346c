#include "page/links.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "page/css.h"
#include "page/jsguess.h"
#include "page/text.h"
#include "web/http.h"

void links_start(struct links *l, size_t max, struct arena *a)
{
	*l = (struct links){ .max = max, .arena = a };
}

/* ---- Values ---- */

/* Is there any byte below ' '?  Sixteen at a time: this looks at every link. */
static bool has_control(struct str s)
{
	size_t i = 0;

#ifdef __SSE2__
	for (; s.n - i >= 16; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(s.p + i));
		__m128i low = _mm_min_epu8(v, _mm_set1_epi8(31));

		if (_mm_movemask_epi8(_mm_cmpeq_epi8(low, v)))
			return true;
	}
#endif
	for (; i < s.n; i++)
		if ((uint8_t)s.p[i] < ' ')
			return true;
	return false;
}

/* Tab, newline and carriage return are not part of a URL, wherever they stand. */
static struct str without_breaks(struct str s, struct arena *a)
{
	if (!has_control(s))
		return s;
	char *to = arena_alloc(a, s.n), *q = to;
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '\n' && s.p[i] != '\r' && s.p[i] != '\t')
			*q++ = s.p[i];
	return (struct str){ to, (size_t)(q - to) };
}

static struct str clean_url(struct str s, struct arena *a)
{
	while (s.n && (uint8_t)s.p[0] <= ' ')
		s = str_skip(s, 1);
	while (s.n && (uint8_t)s.p[s.n - 1] <= ' ')
		s.n--;
	return without_breaks(s, a);
}

static bool leads_nowhere(struct str url)
{
	if (url.n == 0)
		return true;
	switch (ascii_lower(url.p[0])) {
	case '#': /* "#!/x" and "#/x" are how some applications spell a page */
		return url.n < 3 || (url.p[1] != '!' && url.p[1] != '/');
	case 'j':
		return str_starts_nocase(url, STR("javascript:"));
	case 'd':
		return str_starts_nocase(url, STR("data:"));
	case 'a':
		return str_starts_nocase(url, STR("about:"));
	case 'b':
		return str_starts_nocase(url, STR("blob:"));
	default:
		return false;
	}
}

struct str links_attr(struct links *l, const struct html_token *k, enum html_attr_id id)
{
	const struct html_attr *a = html_find_attr(k, id);

	if (!a)
		return (struct str){ "", 0 };
	return entity_decode_all(a->value, ENTITY_IN_ATTRIBUTE, l->arena);
}

struct link *links_add(struct links *l, enum link_kind kind, struct str url,
		       const struct link_place *at)
{
	url = clean_url(url, l->arena);
	if (leads_nowhere(url))
		return NULL;
	if (url.n > LINK_URL_MAX) {
		l->url_cut = true;
		return NULL;
	}
	if (l->n == l->max) {
		l->cut = true;
		return NULL;
	}
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 64;
		struct link *more = arena_alloc(l->arena, l->cap * sizeof(*more));

		if (l->n)
			memcpy(more, l->v, l->n * sizeof(*more));
		l->v = more;
	}
	l->v[l->n] = (struct link){
		.url = url,
		.kind = (uint8_t)kind,
		.path = at->path,
		.at = at->at,
		.block = at->block,
		.region = at->region,
	};
	return &l->v[l->n++];
}

/* ---- Small grammars inside attributes ---- */

static bool take_word(struct str *in, struct str *ret)
{
	struct str s = str_trim(*in);
	size_t n = 0;

	while (n < s.n && !ascii_is_space(s.p[n]))
		n++;
	*ret = str_slice(s, 0, n);
	*in = str_skip(s, n);
	return n > 0;
}

uint32_t links_parse_rel(struct str value)
{
	/* By length, so that the search ends early: most words are short. */
	static const struct {
		struct str word;
		uint32_t rel;
	} words[] = {
		{ { "up", 2 }, REL_UP },
		{ { "ugc", 3 }, REL_NOFOLLOW | REL_UGC },
		{ { "tag", 3 }, REL_TAG },
		{ { "hub", 3 }, REL_HUB },
		{ { "next", 4 }, REL_NEXT },
		{ { "prev", 4 }, REL_PREV },
		{ { "icon", 4 }, REL_ICON },
		{ { "last", 4 }, REL_LAST },
		{ { "home", 4 }, REL_UP },
		{ { "first", 5 }, REL_FIRST },
		{ { "index", 5 }, REL_UP },
		{ { "start", 5 }, REL_UP },
		{ { "search", 6 }, REL_SEARCH },
		{ { "author", 6 }, REL_AUTHOR },
		{ { "preload", 7 }, REL_PRELOAD },
		{ { "amphtml", 7 }, REL_AMP },
		{ { "license", 7 }, REL_LICENSE },
		{ { "edituri", 7 }, REL_PINGBACK },
		{ { "nofollow", 8 }, REL_NOFOLLOW },
		{ { "external", 8 }, REL_EXTERNAL },
		{ { "previous", 8 }, REL_PREV },
		{ { "prefetch", 8 }, REL_PRELOAD },
		{ { "bookmark", 8 }, REL_BOOKMARK },
		{ { "archives", 8 }, REL_ARCHIVES },
		{ { "contents", 8 }, REL_UP },
		{ { "manifest", 8 }, REL_MANIFEST },
		{ { "pingback", 8 }, REL_PINGBACK },
		{ { "sponsored", 9 }, REL_NOFOLLOW | REL_SPONSORED },
		{ { "canonical", 9 }, REL_CANONICAL },
		{ { "alternate", 9 }, REL_ALTERNATE },
		{ { "mask-icon", 9 }, REL_ICON },
		{ { "image_src", 9 }, REL_ICON },
		{ { "prerender", 9 }, REL_PRELOAD },
		{ { "shortlink", 9 }, REL_SHORTLINK },
		{ { "copyright", 9 }, REL_LICENSE },
		{ { "stylesheet", 10 }, REL_STYLESHEET },
		{ { "preconnect", 10 }, REL_PRECONNECT },
		{ { "webmention", 10 }, REL_PINGBACK },
		{ { "dns-prefetch", 12 }, REL_PRECONNECT },
		{ { "modulepreload", 13 }, REL_PRELOAD },
		{ { "apple-touch-icon", 16 }, REL_ICON },
		{ { "apple-touch-icon-precomposed", 28 }, REL_ICON },
	};
	uint32_t rel = 0;
	struct str word;

	while (take_word(&value, &word))
		for (size_t i = 0; i < COUNT(words) && words[i].word.n <= word.n; i++)
			if (word.n == words[i].word.n &&
			    (word.p[0] | 0x20) == words[i].word.p[0] &&
			    str_eq_nocase(word, words[i].word))
				rel |= words[i].rel;
	return rel;
}

bool links_parse_refresh(struct str s, uint32_t *ret_seconds, struct str *ret_url)
{
	uint64_t seconds;

	if (!http_parse_refresh(s, &seconds, ret_url))
		return false;
	*ret_seconds = (uint32_t)seconds;
	return true;
}

bool links_take_srcset(struct str *in, struct str *ret_url)
{
	struct str s = *in;
	size_t n = 0;

	while (s.n && (ascii_is_space(*s.p) || *s.p == ','))
		s = str_skip(s, 1);
	while (n < s.n && !ascii_is_space(s.p[n]))
		n++;
	*ret_url = str_slice(s, 0, n);
	s = str_skip(s, n);
	if (ret_url->n && ret_url->p[ret_url->n - 1] == ',') {
		while (ret_url->n && ret_url->p[ret_url->n - 1] == ',')
			ret_url->n--;
	} else { /* descriptors: "2x", "100w", rarely something in parentheses */
		int depth = 0;

		for (n = 0; n < s.n && (depth > 0 || s.p[n] != ','); n++)
			depth += (s.p[n] == '(') - (s.p[n] == ')');
		s = str_skip(s, n);
	}
	*in = s;
	return ret_url->n > 0;
}

/* ---- Tags ---- */

void links_add_css(struct links *l, struct str css, const struct link_place *at)
{
	enum css_url_kind kind;
	struct str url;

	while (!l->cut && css_next_url(&css, l->arena, &url, &kind))
		links_add(l, LINK_STYLE, url, at);
}

static void add_srcset(struct links *l, enum link_kind kind, struct str value,
		       const struct link_place *at)
{
	struct str url;

	while (!l->cut && links_take_srcset(&value, &url))
		links_add(l, kind, url, at);
}

/* URLs between blanks and commas. */
static void add_words(struct links *l, enum link_kind kind, struct str value,
		      const struct link_place *at)
{
	struct str part, word;

	while (value.n && str_take_until(&value, ',', &part))
		while (!l->cut && take_word(&part, &word))
			links_add(l, kind, word, at);
}

static size_t bare_url_length(struct str s)
{
	size_t n = 0;

	while (n < s.n && (uint8_t)s.p[n] > ' ' && !strchr("<>\"'`|\\^{}", s.p[n]))
		n++;
	/* A sentence may end with it, or a parenthesis close after it. */
	while (n && strchr(".,;:!?)]", s.p[n - 1]))
		n--;
	return n;
}

void links_add_bare(struct links *l, struct str text, struct str host,
		    const struct link_place *at)
{
	size_t found;

	while (!l->cut && (found = str_find(text, STR("://"))) != STR_NONE) {
		struct str before = str_slice(text, 0, found);
		size_t scheme = str_ends(before, STR("https"))  ? 5
				: str_ends(before, STR("http")) ? 4
								: 0;

		text = str_skip(text, found - scheme);
		size_t n = scheme ? bare_url_length(text) : 0;
		struct str rest = str_skip(text, scheme + 3);

		if (n > scheme + 3 && (host.n == 0 || str_starts_nocase(rest, host)))
			links_add(l, LINK_GUESS, str_slice(text, 0, n), at);
		text = str_skip(text, MAX(n, scheme + 3));
	}
}

/* A link with its rel, language, type and title: <a>, <area>, <link>. */
static struct link *add_described(struct links *l, enum link_kind kind, struct str url,
				  const struct html_token *k, const struct link_place *at)
{
	struct link *link = links_add(l, kind, url, at);

	if (!link)
		return NULL;
	for (size_t i = k->n_attrs; i-- > 0;) { /* backwards: the first one stays */
		struct str value = k->attrs[i].value;

		switch (k->attrs[i].id) {
		case ATTR_REL:
			link->rel = links_parse_rel(value);
			break;
		case ATTR_HREFLANG:
			link->hreflang = str_trim(value);
			break;
		case ATTR_TYPE:
			link->type = str_trim(value);
			break;
		case ATTR_TITLE:
		case ATTR_ALT:
			link->text = text_cut(text_clean(value, TEXT_DECODE, l->arena),
					      LINK_TEXT_MAX);
			break;
		default:
			break;
		}
	}
	return link;
}

static bool is_get(struct links *l, const struct html_token *k, enum html_attr_id method)
{
	struct str m = links_attr(l, k, method);

	return !str_eq_nocase(str_trim(m), STR("post")) &&
	       !str_eq_nocase(str_trim(m), STR("dialog"));
}

static struct link *add_href(struct links *l, const struct html_token *k, struct str url,
			     const struct link_place *at)
{
	if (k->tag == TAG_A)
		return add_described(l, LINK_ANCHOR, url, k, at);
	if (k->tag == TAG_AREA)
		return add_described(l, LINK_AREA, url, k, at);
	if (k->tag == TAG_LINK)
		add_described(l, LINK_HEAD, url, k, at);
	else if (k->in_svg)
		links_add(l, LINK_IMAGE, url, at);
	return NULL;
}

static void add_image(struct links *l, const struct html_token *k, struct str url,
		      const struct link_place *at)
{
	struct link *link = links_add(l, LINK_IMAGE, url, at);
	const struct html_attr *alt = link ? html_find_attr(k, ATTR_ALT) : NULL;

	if (alt)
		link->text = text_cut(text_clean(alt->value, TEXT_DECODE, l->arena),
				      LINK_TEXT_MAX);
}

static void add_src(struct links *l, const struct html_token *k, struct str url,
		    const struct link_place *at)
{
	switch (k->tag) {
	case TAG_IMG:
	case TAG_IMAGE:
	case TAG_INPUT:
		add_image(l, k, url, at);
		break;
	case TAG_SCRIPT:
		links_add(l, LINK_SCRIPT, url, at);
		break;
	case TAG_FRAME:
	case TAG_IFRAME:
		add_described(l, LINK_FRAME, url, k, at);
		break;
	case TAG_VIDEO:
	case TAG_AUDIO:
	case TAG_SOURCE:
	case TAG_TRACK:
	case TAG_BGSOUND:
		links_add(l, LINK_MEDIA, url, at);
		break;
	case TAG_EMBED:
		links_add(l, LINK_OBJECT, url, at);
		break;
	default:
		break;
	}
}

static void add_form(struct links *l, const struct html_token *k, struct str url,
		     const struct link_place *at)
{
	bool is_void = l->form_open && !l->in_template && !k->in_foreign;

	if (k->tag == TAG_ISINDEX ||
	    (k->tag == TAG_FORM && !is_void && is_get(l, k, ATTR_METHOD)))
		links_add(l, LINK_FORM, url, at);
}

static struct link *add_attr(struct links *l, const struct html_token *k,
			     const struct html_attr *a, const struct link_place *at)
{
	struct str v = entity_decode_all(a->value, ENTITY_IN_ATTRIBUTE, l->arena);

	switch (a->id) {
	case ATTR_HREF:
		return add_href(l, k, v, at);
	case ATTR_XLINK_HREF:
		return k->in_foreign ? add_href(l, k, v, at) : NULL;
	case ATTR_SRC:
		add_src(l, k, v, at);
		break;
	case ATTR_SRCSET:
	case ATTR_IMAGESRCSET:
		add_srcset(l, LINK_IMAGE, v, at);
		break;
	case ATTR_ACTION:
		add_form(l, k, v, at);
		break;
	case ATTR_FORMACTION:
		if (is_get(l, k, ATTR_FORMMETHOD))
			links_add(l, LINK_FORM, v, at);
		break;
	case ATTR_DATA:
		if (k->tag == TAG_OBJECT)
			links_add(l, LINK_OBJECT, v, at);
		break;
	case ATTR_CODEBASE: /* where an applet's classes are; archive names some of them
			     */
	case ATTR_ARCHIVE:
		if (k->tag == TAG_OBJECT || k->tag == TAG_APPLET)
			add_words(l, LINK_OBJECT, v, at);
		break;
	case ATTR_PING: /* told of every click: nothing that a reader would open */
		add_words(l, LINK_GUESS, v, at);
		break;
	case ATTR_IMPLEMENTATION: /* <import>, once of one browser */
		if (jsguess_is_url(v))
			links_add(l, LINK_GUESS, v, at);
		break;
	case ATTR_POSTER:
	case ATTR_BACKGROUND:
	case ATTR_LOWSRC:
	case ATTR_DYNSRC:
		links_add(l, LINK_IMAGE, v, at);
		break;
	case ATTR_STYLE:
		links_add_css(l, v, at);
		break;
	case ATTR_CITE:
	case ATTR_LONGDESC:
	case ATTR_MANIFEST:
		links_add(l, LINK_CITE, v, at);
		break;
	case ATTR_DATA_SRCSET:
	case ATTR_DATA_LAZY_SRCSET:
		add_srcset(l, LINK_LAZY, v, at);
		break;
	case ATTR_VALUE: /* <param name=movie value=...> */
		if (k->tag == TAG_PARAM && jsguess_is_url(v))
			links_add(l, LINK_LAZY, v, at);
		break;
	case ATTR_ONCLICK:
	case ATTR_SRCDOC:
		break; /* the reader's */
	default:       /* the data-... ones: only what looks like a URL */
		if (jsguess_is_url(v))
			links_add(l, LINK_LAZY, v, at);
		break;
	}
	return NULL;
}

bool links_is_anchor(struct links *l, const struct html_token *k)
{
	static const enum html_attr_id ids[] = { ATTR_HREF, ATTR_XLINK_HREF };

	if (k->tag != TAG_A)
		return false;
	for (size_t i = 0; i < (k->in_foreign ? 2u : 1u); i++) {
		struct str url = clean_url(links_attr(l, k, ids[i]), l->arena);

		if (!leads_nowhere(url) && url.n <= LINK_URL_MAX)
			return true;
	}
	return false;
}

struct link *links_add_tag(struct links *l, const struct html_token *k,
			   const struct link_place *at)
{
	size_t anchor = SIZE_MAX;

	for (size_t i = 0; i < k->n_attrs; i++) {
		const struct html_attr *a = &k->attrs[i];

		/* The first of its name counts; the search is short, as links are rare.
		 */
		if (!(HTML_ATTR(a->id) & LINKS_ATTRS) || html_find_attr(k, a->id) != a)
			continue;
		if (add_attr(l, k, a, at))
			anchor = l->n - 1;
	}
	return anchor == SIZE_MAX ? NULL : &l->v[anchor];
}
