/*
 * online_kinds.c - a rule that was proved on one kind of page is proved on that kind.
 *
 * "drop f" is right where f repeats what t says (viewtopic.php?f=3&t=1035) and wrong
 * where it alone names the page (viewforum.php?f=3), on the same site.  A rule that drops
 * whatever parameter stands between two others, right for a session's number, is wrong
 * for that of a page.  So of what a learnt rule would skip the first URL of each kind is
 * fetched, and the first that would lose a parameter of each name.  Where a parameter
 * chooses the program (a=blob, action=history) it makes the kind, too: a version's number
 * may be dropped from lists that are the same for all versions, and not from the
 * version.  Rules that hold on most sites, and those of people, need not do so much.
 */
#include <stdlib.h>

#include "online/online_internal.h"

#define KINDS_MAX ((size_t)1 << 20) /* remembered; past that no more are fetched */
#define LITERALS  3                 /* folders that count by name */

static bool has_digit(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (ascii_is_digit(s.p[i]))
			return true;
	return false;
}

/* The last part of a path is a program when it has parameters, else a page's name. */
static struct str last_part(struct str s, bool has_query)
{
	size_t dot = str_rfind_char(s, '.');

	if (has_query && !has_digit(s))
		return s;
	return dot == STR_NONE || s.n - dot > 6 ? STR("") : str_skip(s, dot);
}

/* Names that choose what a program does; sorted. */
static const char *const selectors[] = {
	"a",          "act",    "action", "app",    "area",   "cmd",  "com",
	"controller", "ctrl",   "do",     "format", "func",   "m",    "mod",
	"mode",       "module", "op",     "option", "output", "sa",   "show",
	"sub",        "tab",    "task",   "tmpl",   "type",   "view",
};

static int cmp_name(const void *name, const void *selector)
{
	return str_cmp(*(const struct str *)name,
		       str_from(*(const char *const *)selector));
}

/* One parameter of a query; some programs part them by semicolons. */
struct param {
	struct str name, value;
};

static bool take_param(struct str *query, struct param *ret)
{
	size_t end = 0;

	if (query->n == 0)
		return false;
	while (end < query->n && query->p[end] != '&' && query->p[end] != ';')
		end++;
	struct str part = str_slice(*query, 0, end);
	size_t equals = str_find_char(part, '=');
	*query = str_skip(*query, MIN(end + 1, query->n));
	ret->name = str_slice(part, 0, equals);
	ret->value = equals == STR_NONE ? STR("") : str_skip(part, equals + 1);
	return true;
}

static struct str query_of(struct str url)
{
	size_t at = str_find_char(url, '?');

	return at == STR_NONE ? STR("") : str_skip(url, at + 1);
}

#define SELECTED_MAX 24 /* bytes of a value that chooses */

static bool is_choice(const struct param *p)
{
	if (p->value.n == 0 || p->value.n > SELECTED_MAX || has_digit(p->value))
		return false;
	return bsearch(&p->name, selectors, COUNT(selectors), sizeof(*selectors),
		       cmp_name);
}

/* Of the parameters those that choose, in any order. */
static uint64_t choice_of(struct str query)
{
	struct param p;
	uint64_t choice = 0;

	while (take_param(&query, &p))
		if (is_choice(&p))
			choice += hash64_seeded(p.value, hash64(p.name));
	return choice;
}

uint64_t url_kind(struct str url)
{
	size_t query = str_find_char(url, '?'), at = str_find(url, STR("://"));
	struct str path = str_slice(url, 0, query);
	uint64_t kind = choice_of(query_of(url));

	path = str_skip(path, at == STR_NONE ? 0 : at + 3);
	at = str_find_char(path, '/');
	path = str_skip(path, at == STR_NONE ? path.n : at + 1);
	path = str_slice(path, 0, str_find_char(path, ';'));
	for (unsigned nr = 0; path.n > 0; nr++) {
		size_t slash = str_find_char(path, '/');
		struct str part = str_slice(path, 0, slash);

		if (slash == STR_NONE)
			part = last_part(part, query != STR_NONE);
		else if (nr >= LITERALS || has_digit(part))
			part = STR("#");
		kind = hash64_seeded(part, kind + 1);
		path = slash == STR_NONE ? STR("") : str_skip(path, slash + 1);
	}
	return kind;
}

static bool is_learnt(const struct rule_table *t, uint32_t nr)
{
	const struct rule_record *r = &t->records[nr];

	return r->general == RULE_NONE && !r->foreign && r->site != SITE_GENERAL;
}

static bool takes_learnt(const struct rule_table *t, const struct online_key *k)
{
	for (size_t i = 0; i < k->n_rules; i++)
		if (is_learnt(t, k->rule[i]))
			return true;
	return false;
}

/* Whether a key still has the value of a parameter. */
static bool keeps(struct str query, const struct param *p)
{
	struct param other;

	while (take_param(&query, &other))
		if (str_eq(other.name, p->name))
			return !str_eq(other.value, STR("*")) ||
			       str_eq(p->value, STR("*"));
	return false;
}

/* Whether one of the learnt rules of `k` has not been tried on this kind. */
static bool is_new_kind(struct rule_table *t, uint64_t kind, const struct online_key *k)
{
	bool first = false, is_new;

	for (size_t i = 0; i < k->n_rules; i++) {
		if (!is_learnt(t, k->rule[i]) || t->kinds.n >= KINDS_MAX)
			continue;
		map_add(&t->kinds, hash_mix(kind ^ hash_mix(k->rule[i] + 1)), &is_new);
		first |= is_new;
	}
	return first;
}

bool online_is_first_of_kind(struct dust_online *o, struct str url,
			     const struct online_key *k)
{
	struct online_key own;
	struct str query;
	struct param p;
	uint64_t kind;

	if (!takes_learnt(&o->rules, k))
		return false;
	kind = url_kind(url);
	bool first = is_new_kind(&o->rules, kind, k);
	/* What general rules drop is not the learnt one's doing. */
	online_make_key(o, online_site_of(o, url), url, &own);
	query = query_of(buf_str(&o->keys.form));
	while (take_param(&query, &p))
		if (!keeps(query_of(own.key), &p))
			first |= is_new_kind(&o->rules, hash64_seeded(p.name, kind), k);
	return first;
}
