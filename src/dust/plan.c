/* plan.c - several operations applied to a URL in one pass. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "dust/operation.h"

#define PARAMETERS_MAX 256

void plan_release(struct plan *p)
{
	for (int k = 0; k < OPERATION_KINDS; k++)
		free(p->names[k]);
	free(p->prefixes);
	*p = (struct plan){ 0 };
}

uint64_t www_name_hash(struct str bare)
{
	char name[OPERATION_NAME_MAX + 8] = "www.";

	for (size_t i = 0; i < MIN(bare.n, (size_t)OPERATION_NAME_MAX); i++)
		name[4 + i] = bare.p[i];
	return hash64((struct str){ name, 4 + MIN(bare.n, (size_t)OPERATION_NAME_MAX) });
}

/* Both are meant with and without "www.", unless the alias itself has it. */
static void add_host(struct plan *p, const struct operation *op, struct plan_name named)
{
	enum operation_kind k = OPERATION_HOST;

	named.name = op->to; /* found by the alias, replaced by the right name */
	VEC_ADD(p->names[k], p->n[k], p->cap[k], named);
	if (!is_bare_alias(op))
		return;
	named.hash = www_name_hash(op->name);
	VEC_ADD(p->names[k], p->n[k], p->cap[k], named);
	named.hash = www_name_hash(op->to);
	VEC_ADD(p->names[k], p->n[k], p->cap[k], named);
}

void plan_add(struct plan *p, const struct operation *op, uint32_t rule)
{
	enum operation_kind k = op->kind;
	struct plan_name named = { hash64(op->name), op->name, rule };

	if (!(p->has & 1u << k))
		p->rule[k] = rule;
	p->has |= 1u << k;
	if (op->name.n == 0)
		return;
	if (k == OPERATION_DROP && op->name.p[op->name.n - 1] == '*') {
		named.name.n--;
		VEC_ADD(p->prefixes, p->n_prefixes, p->prefixes_cap, named);
		return;
	}
	if (k == OPERATION_HOST)
		add_host(p, op, named);
	else
		VEC_ADD(p->names[k], p->n[k], p->cap[k], named);
}

static int cmp_names(const void *a, const void *b)
{
	const struct plan_name *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->rule < y->rule ? -1 : x->rule > y->rule;
}

void plan_seal(struct plan *p)
{
	for (int k = 0; k < OPERATION_KINDS; k++)
		if (p->n[k] > 1)
			qsort(p->names[k], p->n[k], sizeof(*p->names[k]), cmp_names);
}

static const struct plan_name *find_name(const struct plan *p, enum operation_kind k,
					 struct str name)
{
	uint64_t hash = hash64(name);
	size_t low = 0, high = p->n[k];

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (p->names[k][mid].hash < hash)
			low = mid + 1;
		else
			high = mid;
	}
	return low < p->n[k] && p->names[k][low].hash == hash ? &p->names[k][low] : NULL;
}

struct applying {
	const struct plan *p, *hosts;
	struct buf *to;
	struct plan_used *used;
	bool changed;
};

static bool has(const struct applying *a, enum operation_kind k)
{
	return a->p->has & 1u << k;
}

static void note(struct applying *a, uint32_t rule)
{
	a->changed = true;
	if (!a->used)
		return;
	for (size_t i = 0; i < a->used->n; i++)
		if (a->used->rule[i] == rule)
			return;
	if (a->used->n < PLAN_USED_MAX)
		a->used->rule[a->used->n++] = rule;
}

static bool is_www(struct str host)
{
	return host.n > 4 && str_starts(host, STR("www.")) &&
	       str_find_char(str_skip(host, 4), '.') != STR_NONE;
}

/* The host without "m." or "mobile."; as it is when it has neither. */
static struct str without_mobile(struct str host)
{
	struct str rest = host;

	if (!str_take_prefix(&rest, STR("m.")) && !str_take_prefix(&rest, STR("mobile.")))
		return host;
	return str_find_char(rest, '.') != STR_NONE ? rest : host;
}

/* "x.D" for a D of the plan: the label x, which becomes the first folder. */
static struct str take_subdomain(struct applying *a, struct str *host)
{
	size_t dot = str_find_char(*host, '.');

	if (dot == STR_NONE || a->hosts->n[OPERATION_SUBDOMAIN] == 0 || is_www(*host))
		return (struct str){ "", 0 };
	const struct plan_name *d =
		find_name(a->hosts, OPERATION_SUBDOMAIN, str_skip(*host, dot + 1));
	if (!d)
		return (struct str){ "", 0 };
	struct str label = str_slice(*host, 0, dot);
	*host = str_skip(*host, dot + 1);
	note(a, d->rule);
	return label;
}

static void add_origin(struct applying *a, const struct url_parts *u)
{
	struct str host = u->host;

	if (has(a, OPERATION_SCHEME) && str_eq(u->scheme, STR("https"))) {
		buf_add(a->to, STR("http"));
		note(a, a->p->rule[OPERATION_SCHEME]);
	} else {
		buf_add(a->to, u->scheme);
	}
	buf_add(a->to, STR("://"));
	/* Aliases of aliases; the bound breaks a circle. */
	for (int i = 0; i < 4 && a->hosts->n[OPERATION_HOST] > 0; i++) {
		const struct plan_name *right = find_name(a->hosts, OPERATION_HOST, host);

		if (!right)
			break;
		host = right->name;
		note(a, right->rule);
	}
	if (has(a, OPERATION_WWW) && is_www(host)) {
		host = str_skip(host, 4);
		note(a, a->p->rule[OPERATION_WWW]);
	}
	if (has(a, OPERATION_MOBILE) && without_mobile(host).n < host.n) {
		host = without_mobile(host);
		note(a, a->p->rule[OPERATION_MOBILE]);
	}
	struct str folder = take_subdomain(a, &host);
	buf_add(a->to, host);
	if (folder.n > 0) {
		buf_add_char(a->to, '/');
		buf_add(a->to, folder);
	}
}

static void lower_from(struct applying *a, size_t from)
{
	for (size_t i = from; i < a->to->n; i++) {
		char c = ascii_lower(a->to->p[i]);

		/* The hexadecimal digits of %2F are upper case in every normal form. */
		if (c == a->to->p[i] || (i > from && a->to->p[i - 1] == '%') ||
		    (i > from + 1 && a->to->p[i - 2] == '%'))
			continue;
		a->to->p[i] = c;
		note(a, a->p->rule[OPERATION_LOWER]);
	}
}

/* The path byte by byte without doubled slashes and without dropped ";name=value". */
static void add_path(struct applying *a, struct str path)
{
	bool slashes = has(a, OPERATION_SLASHES);

	if (!slashes && !has(a, OPERATION_PATH_DROP)) {
		buf_add(a->to, path);
		return;
	}
	for (size_t i = 0; i < path.n; i++) {
		if (slashes && path.p[i] == '/' && i > 0 && path.p[i - 1] == '/') {
			note(a, a->p->rule[OPERATION_SLASHES]);
			continue;
		}
		if (has(a, OPERATION_PATH_DROP) && path.p[i] == ';') {
			size_t end = i + 1, stop;

			while (end < path.n && path.p[end] != '=' && path.p[end] != '/' &&
			       path.p[end] != ';')
				end++;
			const struct plan_name *n = find_name(
				a->p, OPERATION_PATH_DROP, str_slice(path, i + 1, end));
			for (stop = end;
			     stop < path.n && path.p[stop] != '/' && path.p[stop] != ';';)
				stop++;
			if (n) {
				note(a, n->rule);
				i = stop - 1;
				continue;
			}
		}
		buf_add_char(a->to, path.p[i]);
	}
}

static void cut_repeats(struct applying *a, size_t from)
{
	struct str path = str_skip(buf_str(a->to), from);
	size_t n = path_cut_repeats(path, a->to->p + from);

	if (n < path.n)
		note(a, a->p->rule[OPERATION_REPEATS]);
	a->to->n = from + n;
}

static bool is_separator(struct str s, size_t *ret_n)
{
	*ret_n = str_starts(s, STR("%20")) ? 3 : 1;
	return s.p[0] == '-' || s.p[0] == '_' || s.p[0] == '+' || *ret_n == 3;
}

static void join_separators(struct applying *a, size_t from)
{
	size_t to = from, n = 1;

	for (size_t i = from; i < a->to->n; i += n) {
		struct str rest = str_skip(buf_str(a->to), i);
		char c = rest.p[0];

		if (is_separator(rest, &n)) {
			if (c != '-')
				note(a, a->p->rule[OPERATION_SEPARATORS]);
			c = '-';
		} else {
			n = 1;
		}
		a->to->p[to++] = c;
	}
	a->to->n = to;
}

static void cut_path_end(struct applying *a, size_t from)
{
	struct str path = str_skip(buf_str(a->to), from);
	size_t last = str_rfind_char(path, '/');

	if (has(a, OPERATION_INDEX) && last != STR_NONE && last + 1 < path.n) {
		const struct plan_name *n =
			find_name(a->p, OPERATION_INDEX, str_skip(path, last + 1));

		if (n) {
			a->to->n = from + last + 1;
			note(a, n->rule);
		}
	}
	if (has(a, OPERATION_SLASH) && a->to->n > from + 1 &&
	    a->to->p[a->to->n - 1] == '/') {
		a->to->n--;
		note(a, a->p->rule[OPERATION_SLASH]);
	}
}

static const struct plan_name *dropped(const struct applying *a, struct str parameter)
{
	size_t equals = str_find_char(parameter, '=');
	struct str name = str_slice(parameter, 0, equals);
	const struct plan_name *n = find_name(a->p, OPERATION_DROP, name);

	for (size_t i = 0; !n && i < a->p->n_prefixes; i++)
		if (str_starts(name, a->p->prefixes[i].name))
			n = &a->p->prefixes[i];
	return n;
}

/* By name; parameters of the same name keep their order, which can matter. */
static void sort_parameters(struct applying *a, struct str *v, size_t n)
{
	bool moved = false;

	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j > 0; j--) {
			struct str x =
				str_slice(v[j - 1], 0, str_find_char(v[j - 1], '='));
			struct str y = str_slice(v[j], 0, str_find_char(v[j], '='));

			if (str_cmp(x, y) <= 0)
				break;
			SWAP(v[j - 1], v[j]);
			moved = true;
		}
	if (moved)
		note(a, a->p->rule[OPERATION_SORT]);
}

/* By the rule that leaves it out; false: it stays. */
static bool is_left_out(struct applying *a, const struct str *v, size_t n, struct str one)
{
	const struct plan_name *d = has(a, OPERATION_DROP) ? dropped(a, one) : NULL;

	if (d) {
		note(a, d->rule);
		return true;
	}
	if (has(a, OPERATION_EMPTY) && is_empty_parameter(one)) {
		note(a, a->p->rule[OPERATION_EMPTY]);
		return true;
	}
	for (size_t i = 0; has(a, OPERATION_REPEATS) && i < n; i++)
		if (str_eq(v[i], one)) {
			note(a, a->p->rule[OPERATION_REPEATS]);
			return true;
		}
	return false;
}

static void add_query(struct applying *a, const struct url_parts *u)
{
	struct str v[PARAMETERS_MAX], rest = u->query, one;
	size_t n = 0;
	bool any = false;

	while (n < COUNT(v) && str_take_until(&rest, '&', &one)) {
		if (is_left_out(a, v, n, one))
			any = true;
		else
			v[n++] = one;
	}
	if (has(a, OPERATION_SORT))
		sort_parameters(a, v, n);
	if (n == 0 && any)
		return;
	buf_add_char(a->to, '?');
	for (size_t i = 0; i < n; i++) {
		if (i > 0)
			buf_add_char(a->to, '&');
		buf_add(a->to, v[i]);
	}
	if (rest.n > 0) { /* more parameters than anyone means: kept as they are */
		buf_add_char(a->to, '&');
		buf_add(a->to, rest);
	}
}

/* Whether any operation of the plan could find something to do.  Most URLs of most
 * sites have nothing, and then nothing need be written. */
static bool may_change(const struct applying *a, const struct url_parts *u)
{
	bool upper = false, doubled = false, semicolon = false, separator = false;
	unsigned slashes = 0;

	if (a->hosts->has ||
	    (u->has_query &&
	     a->p->has & (1u << OPERATION_DROP | 1u << OPERATION_SORT |
			  1u << OPERATION_EMPTY | 1u << OPERATION_REPEATS)))
		return true;
	if (has(a, OPERATION_SCHEME) && str_eq(u->scheme, STR("https")))
		return true;
	if (has(a, OPERATION_WWW) && is_www(u->host))
		return true;
	if (has(a, OPERATION_MOBILE) && u->host.n > 0 && u->host.p[0] == 'm')
		return true;
	char before = 0, last = u->path.n > 0 ? u->path.p[u->path.n - 1] : '/';
	for (size_t i = 0; i < u->path.n; i++) {
		char c = u->path.p[i];

		upper |= c >= 'A' && c <= 'Z';
		doubled |= c == '/' && before == '/';
		semicolon |= c == ';';
		slashes += c == '/';
		separator |= c == '_' || c == '+' || c == '%';
		before = c;
	}
	return (upper && has(a, OPERATION_LOWER)) ||
	       (doubled && has(a, OPERATION_SLASHES)) ||
	       (semicolon && has(a, OPERATION_PATH_DROP)) ||
	       (separator && has(a, OPERATION_SEPARATORS)) ||
	       (slashes > 1 && has(a, OPERATION_REPEATS)) ||
	       (last == '/' && u->path.n > 1 && has(a, OPERATION_SLASH)) ||
	       (last != '/' && has(a, OPERATION_INDEX));
}

bool plan_apply(const struct plan *p, struct str url, struct buf *to,
		struct plan_used *used)
{
	struct applying a = {
		.p = p, .hosts = p->hosts ? p->hosts : p, .to = to, .used = used
	};
	struct url_parts u;
	size_t start = to->n;

	if (used)
		used->n = 0;
	if ((p->has == 0 && a.hosts->has == 0) || !url_parts_split(url, &u) ||
	    !may_change(&a, &u))
		return false;
	add_origin(&a, &u);
	size_t path = to->n;
	add_path(&a, u.path);
	if (has(&a, OPERATION_LOWER))
		lower_from(&a, path);
	if (has(&a, OPERATION_REPEATS))
		cut_repeats(&a, path);
	if (has(&a, OPERATION_SEPARATORS))
		join_separators(&a, path);
	cut_path_end(&a, path);
	if (u.has_query)
		add_query(&a, &u);
	if (!a.changed)
		to->n = start;
	return a.changed;
}
