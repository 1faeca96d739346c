#include "testweb/route.h"

#include <string.h>

#include "testweb/kind.h"

/* Find the site and what the form of its name says. */
static bool route_host(const struct world *w, bool https, struct str host,
		       struct place *p)
{
	char lower[128];
	bool www, mobile, sub = false;

	host = str_slice(host, 0, str_find_char(host, ':'));
	if (str_ends(host, STR(".")))
		host.n--;
	if (host.n > sizeof(lower))
		return false;
	for (size_t i = 0; i < host.n; i++)
		lower[i] = ascii_lower(host.p[i]);
	host.p = lower;
	www = str_take_prefix(&host, STR("www."));
	mobile = !www && str_take_prefix(&host, STR("m."));
	p->site = world_find(w, host);
	if (p->site == NO_SITE && !www && !mobile) {
		size_t dot = str_find_char(host, '.');
		struct str label = str_slice(host, 0, dot);

		p->site = world_find(w, str_skip(host, MIN(dot, host.n - 1) + 1));
		sub = true;
		if (p->site == NO_SITE ||
		    !str_eq(label, str_from(site_sub_label(&w->sites[p->site]))))
			return false;
	}
	if (p->site == NO_SITE)
		return false;
	const struct site *s = &w->sites[p->site];
	if (mobile)
		p->alias |= ALIAS_MOBILE;
	else if (s->flags & SITE_SUBDOMAIN)
		p->alias |= sub ? 0 : ALIAS_FOLDER;
	else if (www != !!(s->flags & SITE_WWW))
		p->alias |= ALIAS_WWW;
	if (https != !!(s->flags & SITE_HTTPS))
		p->alias |= ALIAS_SCHEME;
	return !sub || s->flags & SITE_SUBDOMAIN;
}

static void drop_segment(struct target *t, unsigned at)
{
	memmove(t->segments + at, t->segments + at + 1,
		(t->n_segments - at - 1) * sizeof(*t->segments));
	t->n_segments--;
	t->depth--;
}

/* Take the generic dress off the path, before the kind reads it. */
static bool undress_path(const struct site *s, struct target *t, struct place *p)
{
	if (p->alias & ALIAS_FOLDER) {
		if (!str_eq(target_segment(t, 0), str_from(site_sub_label(s))))
			return false;
		drop_segment(t, 0);
		if (t->n_segments == 0)
			t->ends_with_slash = true;
	}
	if (t->n_segments && t->depth == t->n_segments &&
	    str_eq_nocase(t->segments[t->n_segments - 1], str_from(site_index_name(s)))) {
		drop_segment(t, t->n_segments - 1);
		t->ends_with_slash = true;
		p->alias |= ALIAS_INDEX;
	}
	if (t->path_session.n)
		p->alias |= ALIAS_SESSION;
	if (t->odd_encoding)
		p->alias |= ALIAS_ENCODED;
	return true;
}

static uint64_t read_hex_id(struct str text)
{
	uint64_t v = 0;

	for (size_t i = 0; i < MIN(text.n, 16u); i++)
		v = v << 4 | (uint64_t)(MAX(ascii_hex_value(text.p[i]), 0));
	return v;
}

/* Whatever parameters nobody has understood yet. */
static void undress_params(const struct site *s, struct target *t, struct place *p)
{
	struct option_param optional = site_optional_param(s);
	const char *session = site_session_param(s);

	for (unsigned i = 0; i < t->n_params; i++) {
		struct str name = t->params[i].name;
		uint32_t family = ALIAS_UNKNOWN;

		if (t->params[i].used)
			continue;
		if (session && str_eq(name, str_from(session)))
			family = ALIAS_SESSION;
		else if (tracking_rank(name) >= 0)
			family = ALIAS_TRACKING;
		else if (str_eq(name, str_from(optional.name)) &&
			 str_eq(t->params[i].value, str_from(optional.value)))
			family = ALIAS_OPTIONAL;
		else if (str_eq(name, str_from(site_neutral_param(s))))
			family = ALIAS_NEUTRAL;
		else if (str_eq(name, str_from(site_mark_param(s))) &&
			 p->view == VIEW_ITEM)
			family = ALIAS_MARK;
		if (!(s->aliases & family))
			family = ALIAS_UNKNOWN;
		p->alias |= family;
		if (family == ALIAS_SESSION)
			p->nonce = read_hex_id(t->params[i].value);
	}
	if (t->path_session.n)
		p->nonce = read_hex_id(t->path_session);
}

/* Where a parameter stands in the order we would have written. */
static unsigned param_rank(const struct draft *d, struct str name)
{
	int tracking = tracking_rank(name);

	if (tracking >= 0)
		return DRAFT_PARAMS + (unsigned)tracking;
	for (unsigned i = 0; i < d->n_params; i++)
		if (str_eq(name, str_from(d->params[i].name)))
			return i;
	return 0;
}

static bool in_order(const struct draft *d, const struct target *t)
{
	for (unsigned i = 1; i < t->n_params; i++)
		if (param_rank(d, t->params[i - 1].name) >
		    param_rank(d, t->params[i].name))
			return false;
	return true;
}

/* What shows only by comparison with the URL as we would have written it. */
static void compare_forms(const struct world *w, const struct target *t, struct place *p)
{
	struct draft d;
	struct place plain = *p;
	struct str path = t->raw_path;

	plain.alias &= ~(uint32_t)(ALIAS_ENCODED | ALIAS_UNKNOWN);
	link_draft(w, &plain, &d);
	struct str ours = draft_path(&d);
	ours = str_slice(ours, 0, str_find(ours, STR(";jsessionid=")));
	path = str_slice(path, 0, str_find(path, STR(";jsessionid=")));
	bool slash = str_ends(ours, STR("/"));

	if (!(p->alias & ALIAS_INDEX) && p->view != VIEW_FRONT &&
	    slash != t->ends_with_slash) {
		p->alias |= ALIAS_SLASH;
		ours.n -= slash;
		path.n -= t->ends_with_slash;
	}
	if (t->odd_encoding || str_eq(path, ours))
		; /* the escapes hide the case */
	else if (str_eq_nocase(path, ours))
		p->alias |= ALIAS_CASE;
	else if (p->view == VIEW_ITEM && !(p->alias & ALIAS_SLUG))
		p->alias |= ALIAS_SLUG; /* it was read, but part of it did not matter */
	if (t->n_params > 1 && !(p->alias & ALIAS_UNKNOWN) && !in_order(&d, t))
		p->alias |= ALIAS_ORDER;
}

/* Families of which a site that does not have them makes "not found". */
#define STRICT                                                              \
	(ALIAS_CASE | ALIAS_SLASH | ALIAS_INDEX | ALIAS_PRINT | ALIAS_AMP | \
	 ALIAS_MOBILE | ALIAS_FOLDER | ALIAS_DYNAMIC | ALIAS_SLUG | ALIAS_POST)

static struct place missing(struct place p, struct str target)
{
	return (struct place){
		.site = p.site,
		.view = VIEW_MISSING,
		.nonce = hash64(target),
	};
}

static bool is_within_site(const struct world *w, const struct place *p)
{
	const struct site *s = &w->sites[p->site];

	switch (p->view) {
	case VIEW_ITEM:
		return p->item < s->n_items && p->part < item_parts(s, p->item);
	case VIEW_LIST:
		return (p->item < s->categories || p->item == LIST_ALL) &&
		       p->part < list_pages(s, p->item);
	case VIEW_PROFILE:
		return p->item < site_profiles(s);
	case VIEW_REVISION:
		return p->item < s->n_items && p->part < site_revisions(s, p->item);
	case VIEW_GO:
	case VIEW_SHORT:
	case VIEW_ACTION:
		return p->item < s->n_items;
	default:
		return true;
	}
}

struct place route_request(const struct world *w, bool https, struct str host,
			   struct str target)
{
	struct target t;
	struct place p = { 0 };

	target_parse(&t, target);
	if (!route_host(w, https, host, &p))
		return (struct place){ .site = NO_SITE, .view = VIEW_CONTROL };
	const struct site *s = &w->sites[p.site];
	if (common_parse(w, &t, &p) && p.view != VIEW_ABOUT && p.view != VIEW_ARCHIVE)
		return p;
	if (!undress_path(s, &t, &p))
		return missing(p, target);
	struct place inner = p;
	if (common_parse(w, &t, &inner) || kind_of(s)->parse(w, &t, &inner))
		p = inner;
	else if (t.n_segments == 0)
		p.view = VIEW_FRONT;
	else
		return missing(p, target);
	if (!is_within_site(w, &p))
		return missing(p, target);
	undress_params(s, &t, &p);
	if (p.view <= VIEW_ARCHIVE)
		compare_forms(w, &t, &p);
	if (p.alias & STRICT & ~s->aliases)
		return missing(p, target);
	return p;
}

bool route_url(const struct world *w, struct str url, struct place *ret)
{
	bool https = str_starts_nocase(url, STR("https://"));

	if (!https && !str_starts_nocase(url, STR("http://")))
		return false;
	url = str_skip(url, https ? 8 : 7);
	size_t slash = 0;
	while (slash < url.n && !strchr("/?#", url.p[slash]))
		slash++;
	struct str host = str_slice(url, 0, slash), target = str_skip(url, slash);
	size_t at = str_rfind_char(host, '@');
	if (at != STR_NONE)
		host = str_skip(host, at + 1);
	*ret = route_request(w, https, host, target.n ? target : STR("/"));
	return true;
}
