#include "align/family.h"

#define PARAMETERS_MAX 32
#define INDEX_NAME_MAX 32
#define PATH_MAX_BYTES 2048

struct explaining {
	struct explanation *to;
	bool full;
};

static void say(struct explaining *e, enum operation_kind kind, struct str name,
		struct str to)
{
	for (size_t i = 0; i < e->to->n; i++)
		if (e->to->op[i].kind == kind && str_eq(e->to->op[i].name, name))
			return;
	if (e->to->n == EXPLANATION_MAX) {
		e->full = true;
		return;
	}
	e->to->op[e->to->n++] = (struct operation){ kind, name, to };
}

static struct str without_www(struct str host)
{
	return str_starts(host, STR("www.")) ? str_skip(host, 4) : host;
}

/* "x.D" + "/y" against "D" + "/x/y" (A.4).  On success `*path` is "/y" of the latter. */
static bool is_subdomain_folder(struct str sub, struct str domain, struct str *path)
{
	size_t dot = str_find_char(sub, '.');
	struct str rest = *path;

	if (dot == STR_NONE || dot == 0 || !str_eq(str_skip(sub, dot + 1), domain))
		return false;
	if (!str_take_char(&rest, '/') ||
	    !str_take_prefix(&rest, str_slice(sub, 0, dot)) ||
	    (rest.n > 0 && rest.p[0] != '/'))
		return false;
	*path = rest;
	return true;
}

/* Front pages of hosts that have nothing else in common are often equal: parked names. */
static bool is_front(const struct url_parts *u)
{
	return u->path.n <= 1 && u->query.n == 0;
}

static bool explain_host(struct explaining *e, struct url_parts *a, struct url_parts *b)
{
	struct str none = { "", 0 };
	struct str x = without_www(a->host), y = without_www(b->host);

	if (str_eq(a->host, b->host))
		return true;
	if (str_eq(x, y)) {
		say(e, OPERATION_WWW, none, none);
		return true;
	}
	if (is_subdomain_folder(a->host, b->host, &b->path))
		say(e, OPERATION_SUBDOMAIN, b->host, none);
	else if (is_subdomain_folder(b->host, a->host, &a->path))
		say(e, OPERATION_SUBDOMAIN, a->host, none);
	else if (is_front(a) || is_front(b))
		return false;
	else if (str_cmp(x, y) > 0)
		say(e, OPERATION_HOST, x, y);
	else
		say(e, OPERATION_HOST, y, x);
	return true;
}

/* The file name after the last slash, if it could be that of a folder's page. */
static struct str index_name(struct str path)
{
	size_t slash = str_rfind_char(path, '/');
	struct str name = str_skip(path, slash == STR_NONE ? path.n : slash + 1);
	size_t dot = str_find_char(name, '.');

	if (dot == STR_NONE || dot == 0 || dot + 1 == name.n || name.n > INDEX_NAME_MAX)
		return (struct str){ "", 0 };
	return name;
}

/* Whether `file` is `folder` plus a file name; a missing slash is an operation too. */
static bool is_index(struct explaining *e, struct str folder, struct str file)
{
	struct str name = index_name(file), none = { "", 0 };
	struct str dir = str_slice(file, 0, file.n - name.n);

	if (name.n == 0)
		return false;
	if (!str_eq(dir, folder)) {
		if (dir.n == 0 || !str_eq(str_slice(dir, 0, dir.n - 1), folder))
			return false;
		say(e, OPERATION_SLASH, none, none);
	}
	say(e, OPERATION_INDEX, name, none);
	return true;
}

static struct str without_slash(struct str path)
{
	return path.n > 0 && path.p[path.n - 1] == '/' ? str_slice(path, 0, path.n - 1)
						       : path;
}

static bool explain_end(struct explaining *e, struct str a, struct str b)
{
	struct str none = { "", 0 };

	if (str_eq(a, b))
		return true;
	if (str_eq(without_slash(a), without_slash(b))) {
		say(e, OPERATION_SLASH, none, none);
		return true;
	}
	return is_index(e, a, b) || is_index(e, b, a);
}

static struct str collapse(struct str path, char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < path.n; i++)
		if (i == 0 || path.p[i] != '/' || path.p[i - 1] != '/')
			to[n++] = path.p[i];
	return (struct str){ to, n };
}

static struct str lowered(struct str path, char *to)
{
	for (size_t i = 0; i < path.n; i++)
		to[i] = ascii_lower(path.p[i]);
	return (struct str){ to, path.n };
}

static struct str without_repeats(struct str path, char *to)
{
	return (struct str){ to, path_cut_repeats(path, to) };
}

static struct str with_one_mark(struct str path, char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < path.n; i++) {
		bool space = str_starts(str_skip(path, i), STR("%20"));
		char c = path.p[i];

		to[n++] = space || c == '_' || c == '+' ? '-' : c;
		i += space ? 2 : 0;
	}
	return (struct str){ to, n };
}

/* By one of those that change the inside of a path; the end may differ in a slash. */
static bool explain_inside(struct explaining *e, struct str a, struct str b,
			   enum operation_kind kind)
{
	static struct str (*const forms[OPERATION_KINDS])(struct str, char *) = {
		[OPERATION_SLASHES] = collapse,
		[OPERATION_REPEATS] = without_repeats,
		[OPERATION_SEPARATORS] = with_one_mark,
	};
	char one[PATH_MAX_BYTES], two[PATH_MAX_BYTES];
	struct str none = { "", 0 }, x = forms[kind](a, one), y = forms[kind](b, two);

	if (str_eq(x, a) && str_eq(y, b))
		return false;
	if (!str_eq(without_slash(x), without_slash(y)))
		return false;
	say(e, kind, none, none);
	if (x.n != y.n)
		say(e, OPERATION_SLASH, none, none);
	return true;
}

/* The copies serve comparison only: names must be slices of the URLs. */
static bool explain_path(struct explaining *e, struct str a, struct str b)
{
	char one[PATH_MAX_BYTES], two[PATH_MAX_BYTES];
	struct str none = { "", 0 };
	size_t before = e->to->n;

	if (explain_end(e, a, b))
		return true;
	if (a.n > sizeof(one) || b.n > sizeof(two))
		return false;
	if (explain_inside(e, a, b, OPERATION_SLASHES) ||
	    explain_inside(e, a, b, OPERATION_REPEATS) ||
	    explain_inside(e, a, b, OPERATION_SEPARATORS))
		return true;
	struct str x = without_slash(lowered(collapse(a, one), one));
	struct str y = without_slash(lowered(collapse(b, two), two));
	e->to->n = before;
	if (!str_eq(x, y))
		return false;
	say(e, OPERATION_LOWER, none, none);
	return true;
}

struct parameters {
	struct str v[PARAMETERS_MAX];
	bool gone[PARAMETERS_MAX];
	size_t n;
};

static bool split(struct str query, struct parameters *ret)
{
	struct str one;

	ret->n = 0;
	while (str_take_until(&query, '&', &one)) {
		if (ret->n == PARAMETERS_MAX)
			return false;
		ret->gone[ret->n] = one.n == 0;
		ret->v[ret->n++] = one;
	}
	return true;
}

static struct str name_of(struct str parameter)
{
	return str_slice(parameter, 0, str_find_char(parameter, '='));
}

static bool has_parameter(const struct parameters *p, struct str whole)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq(p->v[i], whole))
			return true;
	return false;
}

static void drop_name(struct parameters *p, struct str name)
{
	for (size_t i = 0; i < p->n; i++)
		p->gone[i] |= str_eq(name_of(p->v[i]), name);
}

/* What stands there twice; whether anything does. */
static bool drop_repeats(struct parameters *p)
{
	bool found = false;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < i && !p->gone[i]; k++)
			if (!p->gone[k] && str_eq(p->v[i], p->v[k]))
				found = p->gone[i] = true;
	return found;
}

static bool has_name(const struct parameters *p, struct str name)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq(name_of(p->v[i]), name))
			return true;
	return false;
}

/* Names without a value that the other has not at all; each is a name to drop, too. */
static bool drop_empty(struct explaining *e, struct parameters *a,
		       const struct parameters *b)
{
	bool found = false;

	for (size_t i = 0; i < a->n; i++) {
		struct str name = name_of(a->v[i]);

		if (a->gone[i] || !is_empty_parameter(a->v[i]) || has_name(b, name) ||
		    name.n > OPERATION_NAME_MAX)
			continue;
		say(e, OPERATION_DROP, name, (struct str){ "", 0 });
		found = a->gone[i] = true;
	}
	return found;
}

/* Parameters that stand in one URL only, or with another value, must be dropped. */
static bool drop_differing(struct explaining *e, struct parameters *a,
			   struct parameters *b)
{
	for (size_t i = 0; i < a->n; i++) {
		struct str name = name_of(a->v[i]);

		if (a->gone[i] || has_parameter(b, a->v[i]))
			continue;
		if (name.n == 0 || name.n > OPERATION_NAME_MAX)
			return false;
		say(e, OPERATION_DROP, name, (struct str){ "", 0 });
		drop_name(a, name);
		drop_name(b, name);
	}
	return true;
}

/* What is left is the same set; is it in the same order? */
static bool same_order(const struct parameters *a, const struct parameters *b)
{
	size_t i = 0, j = 0;

	for (;;) {
		while (i < a->n && a->gone[i])
			i++;
		while (j < b->n && b->gone[j])
			j++;
		if (i == a->n || j == b->n)
			return i == a->n && j == b->n;
		if (!str_eq(a->v[i++], b->v[j++]))
			return false;
	}
}

static bool explain_query(struct explaining *e, const struct url_parts *a,
			  const struct url_parts *b)
{
	struct parameters x, y;

	if (str_eq(a->query, b->query))
		return true;
	struct str none = { "", 0 };

	if (!split(a->query, &x) || !split(b->query, &y))
		return false;
	if ((int)drop_repeats(&x) | (int)drop_repeats(&y))
		say(e, OPERATION_REPEATS, none, none);
	if ((int)drop_empty(e, &x, &y) | (int)drop_empty(e, &y, &x))
		say(e, OPERATION_EMPTY, none, none);
	if (!drop_differing(e, &x, &y) || !drop_differing(e, &y, &x))
		return false;
	if (!same_order(&x, &y))
		say(e, OPERATION_SORT, none, none);
	return true;
}

bool family_explain(struct str a, struct str b, struct explanation *ret)
{
	struct explaining e = { .to = ret };
	struct url_parts x, y;
	struct str none = { "", 0 };

	ret->n = 0;
	if (!url_parts_split(a, &x) || !url_parts_split(b, &y))
		return false;
	if (!str_eq(x.scheme, y.scheme))
		say(&e, OPERATION_SCHEME, none, none);
	if (!explain_host(&e, &x, &y) || !explain_path(&e, x.path, y.path) ||
	    !explain_query(&e, &x, &y))
		return false;
	return ret->n > 0 && !e.full;
}
