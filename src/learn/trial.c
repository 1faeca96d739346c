#include "learn/trial.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

static uint64_t hash_key(enum operation_kind kind, uint64_t name)
{
	return hash_mix(name + (uint64_t)kind + 1);
}

static uint64_t name_key(enum operation_kind kind, struct str name)
{
	return hash_key(kind, hash64(name));
}

/* Several can have one name: "host A B" and "host A C" were both seen. */
static void index_key(struct trial *t, uint64_t key, uint32_t rule)
{
	uint64_t *first = map_add(&t->by_name, key, NULL);

	VEC_ADD(t->links, t->n_links, t->links_cap,
		(struct trial_link){ rule, (uint32_t)*first });
	*first = t->n_links;
}

static void index_named(struct trial *t, const struct operation *op, uint32_t rule)
{
	index_key(t, name_key(op->kind, op->name), rule);
	if (!is_bare_alias(op))
		return;
	index_key(t, hash_key(op->kind, www_name_hash(op->name)), rule);
	index_key(t, hash_key(op->kind, www_name_hash(op->to)), rule);
}

void trial_init(struct trial *t, const struct rule_set *rules)
{
	*t = (struct trial){ .rules = rules };
	t->alone = xcalloc(rules->n + 1, sizeof(*t->alone));
	for (uint32_t i = 0; i < rules->n; i++) {
		const struct operation *op = &rules->v[i].operation;

		if (!rules->v[i].is_operation)
			continue;
		plan_add(&t->alone[i], op, i);
		plan_seal(&t->alone[i]);
		t->any = true;
		if (op->kind == OPERATION_DROP && op->name.p[op->name.n - 1] == '*')
			VEC_ADD(t->prefixes, t->n_prefixes, t->prefixes_cap, i);
		else if (op->name.n > 0)
			index_named(t, op, i);
		else
			VEC_ADD(t->unnamed, t->n_unnamed, t->unnamed_cap, i);
	}
}

void trial_release(struct trial *t)
{
	for (size_t i = 0; t->alone && i < t->rules->n; i++)
		plan_release(&t->alone[i]);
	free(t->alone);
	free(t->links);
	free(t->unnamed);
	free(t->prefixes);
	map_release(&t->by_name);
	*t = (struct trial){ 0 };
}

/* One URL under trial. */
struct trying {
	const struct trial *t;
	struct str url;
	struct buf key;
	trial_emit *emit;
	void *to;
};

static void try_one(struct trying *w, uint32_t rule)
{
	buf_reset(&w->key);
	if (plan_apply(&w->t->alone[rule], w->url, &w->key, NULL))
		w->emit(w->to, rule, buf_str(&w->key));
}

static void try_named(struct trying *w, enum operation_kind kind, struct str name)
{
	uint64_t *first = map_find(&w->t->by_name, name_key(kind, name));

	for (uint64_t at = first ? *first : 0; at; at = w->t->links[at - 1].next)
		try_one(w, w->t->links[at - 1].rule);
}

static void try_prefixes(struct trying *w, struct str name)
{
	for (size_t i = 0; i < w->t->n_prefixes; i++) {
		uint32_t rule = w->t->prefixes[i];
		struct str prefix = w->t->rules->v[rule].operation.name;

		if (str_starts(name, str_slice(prefix, 0, prefix.n - 1)))
			try_one(w, rule);
	}
}

/* Each parameter name once, even when it stands twice. */
static void try_parameters(struct trying *w, struct str query)
{
	struct str names[64], one;
	size_t n = 0;

	while (n < COUNT(names) && str_take_until(&query, '&', &one)) {
		struct str name = str_slice(one, 0, str_find_char(one, '='));
		size_t k = 0;

		while (k < n && !str_eq(names[k], name))
			k++;
		if (k < n)
			continue;
		names[n++] = name;
		try_named(w, OPERATION_DROP, name);
		try_prefixes(w, name);
	}
}

void trial_run(const struct trial *t, struct str url, trial_emit *emit, void *to)
{
	struct trying w = { .t = t, .url = url, .emit = emit, .to = to };
	struct url_parts u;

	if (!t->any || !url_parts_split(url, &u))
		return;
	for (size_t i = 0; i < t->n_unnamed; i++)
		try_one(&w, t->unnamed[i]);
	try_named(&w, OPERATION_HOST, u.host);
	size_t dot = str_find_char(u.host, '.');
	if (dot != STR_NONE)
		try_named(&w, OPERATION_SUBDOMAIN, str_skip(u.host, dot + 1));
	size_t slash = str_rfind_char(u.path, '/');
	if (slash != STR_NONE && slash + 1 < u.path.n)
		try_named(&w, OPERATION_INDEX, str_skip(u.path, slash + 1));
	if (u.query.n > 0)
		try_parameters(&w, u.query);
	buf_release(&w.key);
}
