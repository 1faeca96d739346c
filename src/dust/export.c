#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "dust/exchange.h"

static void add_escaped(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c <= ' ' || c >= 0x7f)
			buf_addf(to, "\\x%02x", c);
		else if (strchr("\\^$.|?*+()[]{}", c))
			buf_add(to, (struct str){ (char[]){ '\\', (char)c }, 2 });
		else
			buf_add_char(to, (char)c);
	}
}

/* Text of a replacement: only $ and \ mean something there. */
static void add_replacement(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '$' || s.p[i] == '\\')
			buf_add_char(to, '\\');
		buf_add_char(to, s.p[i]);
	}
}

static void add_atom(struct buf *to, const struct atom *a)
{
	switch (a->kind) {
	case ATOM_TOKEN:
		add_escaped(to, token_str(a->token));
		return;
	case ATOM_STAR:
		buf_add(to, STR("[^/?=&#;:.]+"));
		return;
	case ATOM_SEGMENT:
		buf_add(to, STR("[^/?&#]+"));
		return;
	case ATOM_ALPHA:
		buf_add(to, STR("[a-zA-Z]+"));
		return;
	case ATOM_NUMBER:
		buf_add(to, STR("[0-9]+"));
		return;
	}
}

static void add_item(struct buf *to, const struct url_pattern *p, const struct item *item)
{
	bool group = !item->single || item->capture;

	if (group)
		buf_add(to, item->capture ? STR("(") : STR("(?:"));
	for (uint32_t k = 0; k < item->n; k++) {
		const struct alternative *alt = &p->alts[item->first + k];

		if (k > 0)
			buf_add_char(to, '|');
		for (uint32_t j = 0; j < alt->n; j++)
			add_atom(to, &p->atoms[alt->first + j]);
	}
	if (group)
		buf_add_char(to, ')');
	if (item->optional)
		buf_add_char(to, '?');
}

/* "(?=[a-z]+://(?:a\.org|b\.org)(?:[:/?#]|$))": the sites of a rule, or, the other way
 * round, the exceptions of a universal one. */
static void add_sites(struct buf *to, const struct rule *r)
{
	const struct str *names = r->universal ? r->except : r->sites;
	size_t n = r->universal ? r->n_except : r->n_sites;

	if (r->universal && n == 0)
		return;
	buf_add(to, r->universal ? STR("(?![a-z]+://") : STR("(?=[a-z]+://"));
	if (r->is_operation)
		buf_add(to, STR("(?:www\\.)?"));
	buf_add(to, STR("(?:"));
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_add_char(to, '|');
		add_escaped(to, names[i]);
	}
	buf_add(to, STR(")(?:[:/?#]|$))"));
}

static void rewrite_regex(const struct rule *r, struct buf *regex, struct buf *to)
{
	buf_add_char(regex, '^');
	add_sites(regex, r);
	for (uint32_t i = 0; i < r->pattern.n; i++)
		add_item(regex, &r->pattern, &r->pattern.items[i]);
	buf_add_char(regex, '$');
	for (size_t i = 0; i < r->transformation.n; i++) {
		add_replacement(to, r->transformation.pieces[i].text);
		if (r->transformation.pieces[i].capture)
			buf_addf(to, "$%u", r->transformation.pieces[i].capture);
	}
}

static void add_parameter(struct buf *to, struct str name)
{
	bool prefix = name.n > 0 && name.p[name.n - 1] == '*';

	add_escaped(to, str_slice(name, 0, name.n - prefix));
	if (prefix)
		buf_add(to, STR("[^=&#]*"));
}

/* False for what no regular expression can do.  `part` counts the steps of one
 * operation: dropping a parameter takes two, the last one and the others. */
static bool operation_regex(const struct rule *r, int part, struct buf *regex,
			    struct buf *to)
{
	const struct operation *op = &r->operation;
	size_t from = regex->n;

	buf_add_char(regex, '^');
	add_sites(regex, r);
	switch (op->kind) {
	case OPERATION_SCHEME:
		buf_add(regex, STR("https://(.*)$"));
		buf_add(to, STR("http://$1"));
		break;
	case OPERATION_WWW:
		buf_add(regex, STR("([a-z]+://)www\\.([^/?#]*\\..*)$"));
		buf_add(to, STR("$1$2"));
		break;
	case OPERATION_MOBILE:
		buf_add(regex, STR("([a-z]+://)(?:m|mobile)\\.([^/?#]*\\..*)$"));
		buf_add(to, STR("$1$2"));
		break;
	case OPERATION_HOST:
		buf_add(regex, STR("([a-z]+://)"));
		add_escaped(regex, op->name);
		buf_add(regex, STR("([:/?#].*)?$"));
		buf_add(to, STR("$1"));
		add_replacement(to, op->to);
		buf_add(to, STR("$2"));
		break;
	case OPERATION_SUBDOMAIN:
		buf_add(regex, STR("([a-z]+://)(?!www\\.)([^./]+)\\."));
		add_escaped(regex, op->name);
		buf_add(regex, STR("(/.*)$"));
		buf_add(to, STR("$1"));
		add_replacement(to, op->name);
		buf_add(to, STR("/$2$3"));
		break;
	case OPERATION_INDEX:
		buf_add(regex, STR("([^?#]*/)"));
		add_escaped(regex, op->name);
		buf_add(regex, STR("([?#].*)?$"));
		buf_add(to, STR("$1$2"));
		break;
	case OPERATION_SLASH:
		buf_add(regex, STR("([a-z]+://[^/?#]+/[^?#]*[^/?#])/([?#].*)?$"));
		buf_add(to, STR("$1$2"));
		break;
	case OPERATION_SLASHES:
		buf_add(regex, STR("([a-z]+://[^?#]*?)//+(.*)$"));
		buf_add(to, STR("$1/$2"));
		break;
	case OPERATION_PATH_DROP:
		buf_add(regex, STR("([^?#]*);"));
		add_parameter(regex, op->name);
		buf_add(regex, STR("(?:=[^/?#;]*)?(.*)$"));
		buf_add(to, STR("$1$2"));
		break;
	case OPERATION_DROP:
		buf_add(regex, part == 0 ? STR("([^?#]*\\?(?:[^#]*&)?)")
					 : STR("([^?#]*(?:\\?[^#]*)?)[?&]"));
		add_parameter(regex, op->name);
		buf_add(regex, part == 0 ? STR("(?:=[^&#]*)?&(.*)$")
					 : STR("(?:=[^&#]*)?(#.*)?$"));
		buf_add(to, STR("$1$2"));
		break;
	default: /* case, marks, repeats and order */
		regex->n = from;
		return false;
	}
	return true;
}

static void add_pair(struct buf *to, enum export_format f, const struct rule *r,
		     struct str regex, struct str replacement)
{
	if (f == EXPORT_REGEX) {
		if (r->universal)
			buf_add_char(to, '*');
		for (size_t i = 0; i < r->n_sites && !r->universal; i++) {
			if (i > 0)
				buf_add_char(to, ' ');
			buf_add(to, r->sites[i]);
		}
		buf_addf(to, "\t" STR_FMT "\t" STR_FMT "\n", STR_ARG(regex),
			 STR_ARG(replacement));
		return;
	}
	buf_add(to, f == EXPORT_NUTCH
			    ? STR("<regex>\n  <pattern>")
			    : STR("<bean class=\"org.archive.modules.canonicalize."
				  "RegexRule\">\n  <property name=\"regex\" "
				  "value=\""));
	buf_add_markup(to, regex);
	buf_add(to, f == EXPORT_NUTCH
			    ? STR("</pattern>\n  <substitution>")
			    : STR("\"/>\n  <property name=\"format\" value=\""));
	buf_add_markup(to, replacement);
	buf_add(to, f == EXPORT_NUTCH ? STR("</substitution>\n</regex>\n")
				      : STR("\"/>\n</bean>\n"));
}

static size_t export_regexes(const struct rule_set *s, enum export_format f,
			     struct buf *to)
{
	cleanup(buf_release) struct buf regex = { 0 }, replacement = { 0 };
	size_t left_out = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct rule *r = &s->v[i];
		int parts =
			r->is_operation && r->operation.kind == OPERATION_DROP ? 2 : 1;

		if (!rule_is_active(r))
			continue;
		for (int part = 0; part < parts; part++) {
			buf_reset(&regex);
			buf_reset(&replacement);
			if (!r->is_operation) {
				rewrite_regex(r, &regex, &replacement);
			} else if (!operation_regex(r, part, &regex, &replacement)) {
				left_out++;
				continue;
			}
			add_pair(to, f, r, buf_str(&regex), buf_str(&replacement));
		}
	}
	return left_out;
}

static bool is_drop(const struct rule *r)
{
	return rule_is_active(r) && r->is_operation &&
	       r->operation.kind == OPERATION_DROP;
}

/* Names are regular expressions there. */
static void put_names(struct json_out *o, const struct rule_set *s, bool universal,
		      struct str site)
{
	json_key(o, STR("rules"));
	json_open(o, '[');
	for (size_t i = 0; i < s->n; i++) {
		cleanup(buf_release) struct buf name = { 0 };

		if (!is_drop(&s->v[i]) || s->v[i].universal != universal ||
		    (!universal && !rule_covers(&s->v[i], site)))
			continue;
		add_parameter(&name, s->v[i].operation.name);
		json_add_str(o, buf_str(&name));
	}
	json_close(o, ']');
}

static void put_provider(struct json_out *o, const struct rule_set *s, struct str site)
{
	cleanup(buf_release) struct buf pattern = { 0 };

	buf_add(&pattern, STR("^https?:\\/\\/(?:www\\.)?"));
	add_escaped(&pattern, site);
	json_key(o, site);
	json_open(o, '{');
	json_put_str(o, "urlPattern", buf_str(&pattern));
	put_names(o, s, false, site);
	json_close(o, '}');
}

static size_t count_others(const struct rule_set *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += rule_is_active(&s->v[i]) && !is_drop(&s->v[i]);
	return n;
}

static size_t export_clearurls(const struct rule_set *s, struct buf *to)
{
	struct json_out o = { .to = to };
	struct rule_set sites = { 0 };
	struct rule seen = { .is_operation = true };

	json_open(&o, '{');
	json_key(&o, STR("providers"));
	json_open(&o, '{');
	json_key(&o, STR("globalRules"));
	json_open(&o, '{');
	json_put_str(&o, "urlPattern", STR(".*"));
	put_names(&o, s, true, STR(""));
	json_close(&o, '}');
	for (size_t i = 0; i < s->n; i++)
		for (size_t k = 0; is_drop(&s->v[i]) && k < s->v[i].n_sites; k++) {
			struct str site = s->v[i].sites[k];
			struct str *names = arena_alloc(
				&sites.in, (seen.n_sites + 1) * sizeof(*names));

			if (s->v[i].universal || rule_covers(&seen, site))
				continue;
			put_provider(&o, s, site);
			for (size_t j = 0; j < seen.n_sites; j++)
				names[j] = seen.sites[j];
			names[seen.n_sites] = site;
			rule_set_sites(&sites, &seen, names, (size_t)seen.n_sites + 1);
		}
	json_close(&o, '}');
	json_close(&o, '}');
	buf_add_char(to, '\n');
	rule_set_release(&sites);
	return count_others(s);
}

static size_t export_browsertrix(const struct rule_set *s, struct buf *to)
{
	buf_add(to,
		STR("# URLs that carry one of these parameters are other ways to write\n"
		    "# a page that is linked without it, too.\nexclude:\n"));
	for (size_t i = 0; i < s->n; i++) {
		cleanup(buf_release) struct buf regex = { 0 };

		if (!is_drop(&s->v[i]))
			continue;
		buf_add_char(&regex, '^');
		add_sites(&regex, &s->v[i]);
		buf_add(&regex, STR("[^?#]*\\?(?:[^#]*&)?"));
		add_parameter(&regex, s->v[i].operation.name);
		buf_add(&regex, STR("(?:[=&#]|$)"));
		buf_add(to, STR("  - '"));
		for (size_t k = 0; k < regex.n; k++) {
			if (regex.p[k] == '\'')
				buf_add_char(to, '\'');
			buf_add_char(to, regex.p[k]);
		}
		buf_add(to, STR("'\n"));
	}
	return count_others(s);
}

size_t rules_export(const struct rule_set *s, enum export_format format, struct buf *to)
{
	size_t left_out;

	switch (format) {
	case EXPORT_CLEARURLS:
		return export_clearurls(s, to);
	case EXPORT_BROWSERTRIX:
		return export_browsertrix(s, to);
	case EXPORT_NUTCH:
		buf_add(to, STR("<?xml version=\"1.0\"?>\n<regex-normalize>\n"));
		left_out = export_regexes(s, format, to);
		buf_add(to, STR("</regex-normalize>\n"));
		return left_out;
	case EXPORT_HERITRIX:
		buf_add(to, STR("<bean id=\"canonicalizationPolicy\" "
				"class=\"org.archive.modules."
				"canonicalize.RulesCanonicalizationPolicy\">\n<property "
				"name=\"rules\">\n<list>\n"));
		left_out = export_regexes(s, format, to);
		buf_add(to, STR("</list>\n</property>\n</bean>\n"));
		return left_out;
	case EXPORT_REGEX:
		break;
	}
	return export_regexes(s, EXPORT_REGEX, to);
}
