#include "testweb/link.h"

#include <string.h>

#include "base/encode.h"
#include "testweb/kind.h"

const char *const alias_names[ALIASES] = {
	"session", "tracking", "order",    "optional", "www",    "scheme",
	"case",    "slash",    "index",    "print",    "mobile", "amp",
	"dynamic", "slug",     "folder",   "neutral",  "post",   "mark",
	"encoded", "unknown",  "fragment", "mirror",
};

const char *site_sub_label(const struct site *s)
{
	static const char *const labels[KINDS] = { "blog", "forum", "wiki",   "shop",
						   "news", "docs",  "photos", "mirror" };
	return labels[s->kind];
}

const char *site_index_name(const struct site *s)
{
	if (s->kind == KIND_WIKI)
		return "index.html"; /* index.php is the wiki's own */
	return s->style & 1 ? "index.html" : s->style & 2 ? "index.php" : "default.aspx";
}

const char *site_session_param(const struct site *s)
{
	static const char *const names[] = { "sid", "PHPSESSID", NULL, "session_id" };

	return s->kind == KIND_FORUM ? "sid" : names[s->style >> 2 & 3];
}

const char *site_neutral_param(const struct site *s)
{
	static const char *const names[] = { "rnd", "nocache", "rid", "cb" };

	return names[s->style >> 4 & 3];
}

const char *site_mark_param(const struct site *s)
{
	return s->kind == KIND_BLOG    ? "replytocom"
	       : s->kind == KIND_FORUM ? "hilit"
				       : "highlight";
}

struct option_param site_optional_param(const struct site *s)
{
	static const struct option_param all[] = { { "lang", "default" },
						   { "layout", "standard" },
						   { "sd", "a" },
						   { "tab", "main" } };

	return all[s->style >> 6 & 3];
}

static const char *const tracking_params[] = {
	"utm_source", "utm_medium", "utm_campaign", "fbclid", "gclid", "ref", "mc_cid",
};

int tracking_rank(struct str name)
{
	for (unsigned i = 0; i < COUNT(tracking_params); i++)
		if (str_eq(name, str_from(tracking_params[i])))
			return (int)i;
	return -1;
}

static bool has_content(uint8_t view)
{
	return view <= VIEW_ARCHIVE;
}

#define ITEM_ONLY \
	(ALIAS_PRINT | ALIAS_AMP | ALIAS_DYNAMIC | ALIAS_SLUG | ALIAS_POST | ALIAS_MARK)

uint32_t link_families(const struct world *w, const struct place *p)
{
	const struct site *s = &w->sites[p->site];
	uint32_t can = s->aliases & ~(uint32_t)ALIAS_UNKNOWN;

	if (!has_content(p->view))
		return 0;
	if (p->view != VIEW_ITEM)
		can &= ~(uint32_t)ITEM_ONLY;
	if (p->part > 0) /* the other pages of a topic have no forms but their own */
		can &= ~(uint32_t)(ITEM_ONLY & ~ALIAS_MARK);
	if (s->flags & SITE_SUBDOMAIN)
		can &= ~(uint32_t)ALIAS_WWW;
	return can;
}

static uint32_t keep_one(uint32_t families, uint32_t group)
{
	uint32_t both = families & group;

	return (families & ~group) | (both & -both);
}

uint32_t link_compatible(uint32_t families)
{
	families = keep_one(families, ALIAS_PRINT | ALIAS_AMP | ALIAS_DYNAMIC |
					      ALIAS_SLUG | ALIAS_POST);
	families = keep_one(families, ALIAS_WWW | ALIAS_MOBILE | ALIAS_FOLDER);
	families = keep_one(families, ALIAS_CASE | ALIAS_ENCODED);
	if (families & ALIAS_SLUG) /* nobody reads the words, so nobody sees their case */
		families &= ~(uint32_t)ALIAS_CASE;
	return keep_one(families, ALIAS_SLASH | ALIAS_INDEX);
}

/* The length of the part of the path before the last segment. */
static bool last_segment_has_dot(const struct draft *d)
{
	struct str path = draft_path(d);
	size_t slash = str_rfind_char(path, '/');

	return str_find_char(str_skip(path, slash + 1), '.') != STR_NONE;
}

static bool dress_slash(struct draft *d)
{
	if (d->path_n <= 1 || last_segment_has_dot(d))
		return false;
	if (d->path[d->path_n - 1] == '/')
		d->path_n--;
	else
		draft_add(d, STR("/"));
	return true;
}

static bool dress_index(struct draft *d, const struct site *s)
{
	if (d->path[d->path_n - 1] != '/')
		return false;
	draft_add(d, str_from(site_index_name(s)));
	return true;
}

/* Capitals at the start of words; if they are there already, all small. */
static bool dress_case(struct draft *d)
{
	bool changed = false, small = false;

	for (unsigned pass = 0; pass < 2 && !changed; pass++, small = true)
		for (size_t i = 1; i < d->path_n; i++) {
			char *c = &d->path[i];

			if (*c == '%') {
				i += 2;
			} else if (small && *c >= 'A' && *c <= 'Z') {
				*c = ascii_lower(*c);
				changed = true;
			} else if (!small && ascii_is_alpha(*c) && *c >= 'a' &&
				   strchr("/-_", d->path[i - 1])) {
				*c = (char)(*c - 32);
				changed = true;
			}
		}
	return changed;
}

static bool dress_encoded(struct draft *d)
{
	static const char hex[] = "0123456789abcdef";

	for (size_t i = 1; i < d->path_n; i++) {
		unsigned char c = (unsigned char)d->path[i];

		if (c == '%')
			return false;
		if (!ascii_is_alpha((char)c) || d->path_n + 2 > DRAFT_PATH_MAX)
			continue;
		memmove(d->path + i + 3, d->path + i + 1, d->path_n - i - 1);
		d->path[i] = '%';
		d->path[i + 1] = hex[c >> 4];
		d->path[i + 2] = hex[c & 15];
		d->path_n = (uint16_t)(d->path_n + 2);
		return true;
	}
	return false;
}

static void dress_folder(struct draft *d, const struct site *s)
{
	const char *label = site_sub_label(s);
	size_t n = strlen(label) + 1;

	if (d->path_n + n > DRAFT_PATH_MAX)
		return;
	memmove(d->path + n, d->path, d->path_n);
	d->path[0] = '/';
	memcpy(d->path + 1, label, n - 1);
	d->path_n = (uint16_t)(d->path_n + n);
}

static void dress_host(struct draft *d, const struct site *s, uint32_t families)
{
	static const char *const subs[KINDS] = {
		"blog.", "forum.", "wiki.",   "shop.",
		"news.", "docs.",  "photos.", "mirror."
	};
	bool www = !(s->flags & SITE_WWW) == !!(families & ALIAS_WWW);

	d->host_prefix = families & ALIAS_MOBILE     ? "m."
			 : families & ALIAS_FOLDER   ? ""
			 : s->flags & SITE_SUBDOMAIN ? subs[s->kind]
			 : www                       ? "www."
						     : "";
	d->https = !(s->flags & SITE_HTTPS) == !!(families & ALIAS_SCHEME);
}

static struct str hex_id(uint64_t nonce, char text[32])
{
	static const char hex[] = "0123456789abcdef";
	uint64_t more = hash_mix(nonce);

	for (unsigned i = 0; i < 16; i++) {
		text[i] = hex[nonce >> (60 - 4 * i) & 15];
		text[16 + i] = hex[more >> (60 - 4 * i) & 15];
	}
	return (struct str){ text, 32 };
}

static void dress_tracking(struct draft *d, uint64_t nonce)
{
	static const char *const sources[] = { "twitter", "newsletter", "facebook",
					       "rss" };
	char id[32];

	switch (nonce % 4) {
	case 0:
		draft_param(d, "utm_source", str_from(sources[nonce >> 8 & 3]));
		draft_param(d, "utm_medium", STR("social"));
		break;
	case 1:
		draft_param(d, "fbclid", hex_id(nonce, id));
		break;
	case 2:
		draft_param(d, "gclid", hex_id(~nonce, id));
		break;
	default:
		draft_param(d, "utm_source", STR("feed"));
		draft_param(d, "utm_campaign", str_from(sources[nonce >> 10 & 3]));
		draft_param(d, "ref", str_from(sources[nonce >> 12 & 3]));
	}
}

static void dress_params(struct draft *d, const struct world *w, const struct place *p)
{
	const struct site *s = &w->sites[p->site];
	char id[32];

	if (p->alias & ALIAS_OPTIONAL)
		draft_param(d, site_optional_param(s).name,
			    str_from(site_optional_param(s).value));
	if (p->alias & ALIAS_NEUTRAL)
		draft_param_uint(d, site_neutral_param(s), p->nonce % 100000);
	if (p->alias & ALIAS_MARK && s->kind == KIND_BLOG)
		draft_param_uint(d, site_mark_param(s), p->nonce % 500);
	else if (p->alias & ALIAS_MARK)
		draft_param(d, site_mark_param(s),
			    word_str(words_draw(&w->words, LANG_EN, p->nonce)));
	if (p->alias & ALIAS_SESSION && site_session_param(s))
		draft_param(d, site_session_param(s), hex_id(p->nonce, id));
	if (p->alias & ALIAS_TRACKING)
		dress_tracking(d, p->nonce);
}

static void dress_path_session(struct draft *d, uint64_t nonce)
{
	char id[32];

	draft_add(d, STR(";jsessionid="));
	draft_add(d, hex_id(nonce, id));
}

static void reverse_params(struct draft *d)
{
	for (unsigned i = 0; i < d->n_params / 2u; i++)
		SWAP(d->params[i], d->params[d->n_params - 1 - i]);
}

static uint32_t dress_path(struct draft *d, const struct site *s, const struct place *p)
{
	uint32_t shown = p->alias;

	if (shown & ALIAS_SLASH && !dress_slash(d))
		shown &= ~(uint32_t)ALIAS_SLASH;
	if (shown & ALIAS_INDEX && !dress_index(d, s))
		shown &= ~(uint32_t)ALIAS_INDEX;
	if (shown & ALIAS_CASE && !dress_case(d))
		shown &= ~(uint32_t)ALIAS_CASE;
	if (shown & ALIAS_ENCODED && !dress_encoded(d))
		shown &= ~(uint32_t)ALIAS_ENCODED;
	if (shown & ALIAS_FOLDER)
		dress_folder(d, s);
	if (shown & ALIAS_SESSION && !site_session_param(s))
		dress_path_session(d, p->nonce);
	return shown;
}

uint32_t link_draft(const struct world *w, const struct place *p, struct draft *d)
{
	const struct site *s = &w->sites[p->site];

	draft_reset(d);
	dress_host(d, s, p->alias);
	if (p->view == VIEW_FRONT)
		draft_add(d, STR("/"));
	else if (!common_format(w, p, d))
		kind_of(s)->format(w, p, d);
	if (p->alias == 0)
		return 0;
	uint32_t shown = dress_path(d, s, p);
	dress_params(d, w, p);
	if (shown & ALIAS_ORDER && d->n_params > 1)
		reverse_params(d);
	else
		shown &= ~(uint32_t)ALIAS_ORDER;
	d->fragment = shown & ALIAS_FRAGMENT;
	return shown;
}

void link_write_origin(const struct world *w, uint32_t site, const struct draft *d,
		       struct buf *to)
{
	buf_add(to, d->https ? STR("https://") : STR("http://"));
	buf_add(to, str_from(d->host_prefix));
	buf_add(to, site_name(&w->sites[site]));
}

void link_write(const struct world *w, const struct place *p, bool absolute,
		struct buf *to)
{
	struct draft d;

	link_draft(w, p, &d);
	if (absolute)
		link_write_origin(w, p->site, &d, to);
	draft_write(&d, to);
}

void link_write_canonical(const struct world *w, const struct place *p, struct buf *to)
{
	struct place canonical = place_canonical(*p);

	canonical.site = w->sites[p->site].origin;
	link_write(w, &canonical, true, to);
}
