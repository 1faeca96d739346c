#include "base/json.h"
#include "dust/exchange.h"

/* A list in the making: entries that cannot be rules are counted. */
struct importing {
	struct rule_set *to;
	size_t left_out;
};

static bool is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!ascii_is_alpha(s.p[i]) && !ascii_is_digit(s.p[i]) && s.p[i] != '_' &&
		    s.p[i] != '-')
			return false;
	return s.n > 0;
}

/* "utm_source", "a\.b" and "utm(?:_[a-z_]*)?" are names; other expressions are not. */
static bool name_of(struct str regex, struct buf *ret)
{
	size_t group = str_find(regex, STR("(?:_"));

	buf_reset(ret);
	if (group != STR_NONE && str_ends(regex, STR("*)?"))) {
		buf_add(ret, str_slice(regex, 0, group));
		buf_add(ret, STR("_*"));
		return is_plain(str_slice(regex, 0, group));
	}
	for (size_t i = 0; i < regex.n; i++) {
		bool escaped = regex.p[i] == '\\' && i + 1 < regex.n;

		i += escaped;
		if (!escaped && !is_plain(str_slice(regex, i, i + 1)))
			return false;
		buf_add_char(ret, regex.p[i]);
	}
	return ret->n > 0;
}

/* A host, or a note: one printable line. */
static bool is_printable(struct str s, bool spaces)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < ' ' || c >= 0x7f || (c == ' ' && !spaces))
			return false;
	}
	return true;
}

static void add_drop(struct importing *m, struct str regex, struct str site,
		     struct str note)
{
	cleanup(buf_release) struct buf name = { 0 }, text = { 0 };
	struct rule *r;

	if (!name_of(regex, &name) || !is_printable(site, false)) {
		m->left_out++;
		return;
	}
	buf_add(&text, STR("drop "));
	buf_add(&text, buf_str(&name));
	if (rule_set_add(m->to, buf_str(&text), (struct text_place){ 1, 1 }, &r, NULL) !=
	    ST_OK) {
		m->left_out++;
		return;
	}
	r->universal = site.n == 0;
	if (site.n > 0)
		rule_set_sites(m->to, r, &site, 1);
	if (is_printable(note, true))
		r->note = arena_copy(&m->to->in, str_trim(note));
}

/* The host that a pattern speaks of, when it speaks of one: "...?google\.com". */
static bool host_of(struct str pattern, struct buf *ret)
{
	size_t at = pattern.n;

	buf_reset(ret);
	while (at > 0 && (is_plain(str_slice(pattern, at - 1, at)) ||
			  pattern.p[at - 1] == '.' || pattern.p[at - 1] == '\\'))
		at--;
	for (size_t i = at; i < pattern.n; i++)
		if (pattern.p[i] != '\\')
			buf_add_char(ret, pattern.p[i]);
	/* "\/" before the host leaves nothing behind; "*?" ends a group of subdomains. */
	return str_find_char(buf_str(ret), '.') != STR_NONE && ret->p[0] != '.';
}

static void import_provider(struct importing *m, const struct json *p)
{
	cleanup(buf_release) struct buf host = { 0 };
	struct str pattern = json_str(json_get(p, "urlPattern"));
	const struct json *rules = json_get(p, "rules");
	bool everywhere = str_eq(pattern, STR(".*"));

	if (!everywhere && !host_of(pattern, &host)) {
		m->left_out += json_count(rules);
		return;
	}
	for (const struct json *r = json_first(rules); r; r = json_next(r))
		add_drop(m, json_str(r), everywhere ? STR("") : buf_str(&host),
			 json_name(p));
	m->left_out += json_count(json_get(p, "rawRules"));
}

static void import_processor(struct importing *m, const struct json *p)
{
	const struct json *args = json_get(p, "args");
	const struct json *include = json_get(json_get(p, "urlPattern"), "include");

	if (!str_eq(json_str(json_get(p, "processor")), STR("queryRemoval"))) {
		m->left_out++;
		return;
	}
	for (const struct json *a = json_first(args); a; a = json_next(a)) {
		if (json_count(include) == 0)
			add_drop(m, json_str(a), STR(""), STR(""));
		for (const struct json *i = json_first(include); i; i = json_next(i)) {
			struct str site = json_str(i);

			/* A path in the pattern narrows it to less than a host. */
			if (str_find_char(site, '/') != STR_NONE || site.n == 0)
				m->left_out++;
			else
				add_drop(m, json_str(a), site, STR(""));
		}
	}
}

enum status rules_import(struct str json, struct rule_set *ret, size_t *ret_left_out,
			 struct diag *why)
{
	cleanup(json_release) struct json *root = NULL;
	struct importing m = { .to = ret };

	TRY(json_parse(json, &root, why));
	const struct json *providers = json_get(root, "providers");
	if (json_kind(providers) == JSON_OBJECT)
		for (const struct json *p = json_first(providers); p; p = json_next(p))
			import_provider(&m, p);
	else if (json_kind(root) == JSON_ARRAY)
		for (const struct json *p = json_first(root); p; p = json_next(p))
			import_processor(&m, p);
	else
		return diag_fail(why, ST_SYNTAX,
				 "line 1, column 1: want ClearURLs' object with "
				 "'providers', or Zyte's array of rules");
	*ret_left_out = m.left_out;
	return ST_OK;
}
