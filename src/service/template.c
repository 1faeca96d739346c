#include "service/template.h"

#include <string.h>

#include "service/filter.h"
#include "url/percent.h"

/* --- parsing --- */

static enum status parse_filter(struct str text, struct filter *ret, struct diag *why)
{
	size_t colon = str_find_char(text, ':');
	struct str name = str_slice(text, 0, colon);

	for (enum filter_kind k = 0; k < FILTERS; k++) {
		if (!str_eq(name, filter_names[k]))
			continue;
		bool wants = k == FILTER_AFTER || k == FILTER_BEFORE || k == FILTER_OR ||
			     k == FILTER_HAS || k == FILTER_PAGE;
		if (wants != (colon != STR_NONE))
			return diag_fail(why, ST_SYNTAX,
					 wants ? "the filter '" STR_FMT "' wants :TEXT"
					       : "the filter '" STR_FMT "' takes nothing",
					 STR_ARG(name));
		*ret = (struct filter){ k, wants ? str_skip(text, colon + 1) : STR("") };
		return ST_OK;
	}
	return diag_fail(why, ST_SYNTAX, "there is no filter '" STR_FMT "'",
			 STR_ARG(name));
}

static enum status parse_hole(struct str hole, struct arena *a, struct template_part *ret,
			      struct diag *why)
{
	struct str path;

	ret->has_hole = true;
	if (!str_take_until(&hole, '|', &path) || path.n == 0)
		return diag_fail(why, ST_SYNTAX, "{} is empty");
	TRY(json_path_parse(path, a, &ret->path, why));
	if (ret->path.n == 1 && ret->path.v[0].kind == STEP_NAME)
		ret->name = arena_copy(a, path);
	struct str text;
	while (str_take_until(&hole, '|', &text)) {
		if (ret->n_filters == TEMPLATE_FILTERS_MAX)
			return diag_fail(why, ST_TOO_LARGE, "more than %d filters",
					 TEMPLATE_FILTERS_MAX);
		TRY(parse_filter(arena_copy(a, text), &ret->filters[ret->n_filters],
				 why));
		ret->n_filters++;
	}
	return ST_OK;
}

enum status template_parse(struct str text, struct arena *a, struct template *ret,
			   struct diag *why)
{
	struct template_part parts[TEMPLATE_PARTS_MAX];
	struct template t = { .is_set = true };

	while (text.n > 0) {
		struct template_part part = { 0 };
		size_t open = str_find_char(text, '{');

		if (t.n == TEMPLATE_PARTS_MAX)
			return diag_fail(why, ST_TOO_LARGE, "more than %d holes",
					 TEMPLATE_PARTS_MAX - 1);
		part.literal = arena_copy(a, str_slice(text, 0, open));
		text = str_skip(text, part.literal.n);
		if (text.n > 0) {
			size_t close = str_find_char(text, '}');

			if (close == STR_NONE)
				return diag_fail(why, ST_SYNTAX, "{ without }");
			TRY(parse_hole(str_slice(text, 1, close), a, &part, why));
			text = str_skip(text, close + 1);
		}
		parts[t.n++] = part;
	}
	t.v = arena_alloc(a, sizeof(*parts) * (t.n + 1));
	memcpy(t.v, parts, sizeof(*parts) * t.n);
	*ret = t;
	return ST_OK;
}

/* --- filling --- */

struct str scope_find(const struct api_scope *s, struct str name)
{
	for (; s; s = s->outer)
		for (size_t i = 0; i < s->n; i++)
			if (str_eq(s->vars[i].name, name))
				return s->vars[i].value;
	return (struct str){ NULL, 0 };
}

void buf_add_component(struct buf *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (has_class(s.p[i], CLASS_UNRESERVED))
			buf_add_char(to, s.p[i]);
		else
			buf_add_percent(to, s.p[i]);
}

struct hole_values {
	const struct template_part *part;
	template_fn *see;
	void *arg;
	bool go_on;
};

/* Run one value through the filters from `i` on. */
static bool through(const struct hole_values *v, struct str value, size_t i)
{
	cleanup(buf_release) struct buf b = { 0 };
	const struct template_part *p = v->part;

	for (; i < p->n_filters; i++) {
		if (p->filters[i].kind == FILTER_LINKS) {
			struct str rest = value, url;
			cleanup(buf_release) struct buf scratch = { 0 };

			while (filter_next_link(&rest, &scratch, &url))
				if (!through(v, url, i + 1))
					return false;
			return true;
		}
		cleanup(buf_release) struct buf next = { 0 };
		filter_apply(&p->filters[i], value, &next);
		SWAP(b, next);
		value = buf_str(&b);
	}
	return value.n == 0 || v->see(v->arg, value);
}

static bool see_json(void *arg, const struct json *j)
{
	struct hole_values *v = arg;
	cleanup(buf_release) struct buf text = { 0 };

	value_add_text(j, &text);
	v->go_on = text.n == 0 || through(v, buf_str(&text), 0);
	return v->go_on;
}

struct any {
	template_fn *see;
	void *arg;
	bool seen;
};

static bool note_any(void *arg, struct str value)
{
	struct any *a = arg;

	a->seen = true;
	return a->see(a->arg, value);
}

static void part_each(const struct template_part *p, const struct api_scope *s,
		      template_fn *see, void *arg)
{
	struct any any = { see, arg, false };
	struct hole_values v = { p, note_any, &any, true };
	struct str var = p->name.n ? scope_find(s, p->name) : (struct str){ NULL, 0 };

	if (var.p)
		through(&v, var, 0);
	else if (s->item)
		json_path_each(&p->path, s->item, see_json, &v);
	for (size_t i = 0; !any.seen && i < p->n_filters; i++)
		if (p->filters[i].kind == FILTER_OR && p->filters[i].arg.n > 0) {
			through(&v, p->filters[i].arg, i + 1);
			break;
		}
}

static bool keep(void *arg, struct str value)
{
	buf_add(arg, value);
	return false;
}

static bool add_rest(const struct template *t, size_t i, const struct api_scope *s,
		     bool encode, struct buf *to)
{
	cleanup(buf_release) struct buf hole = { 0 };

	for (; i < t->n; i++) {
		const struct template_part *p = &t->v[i];

		buf_add(to, p->literal);
		if (!p->has_hole)
			continue;
		buf_reset(&hole);
		part_each(p, s, keep, &hole);
		if (hole.n == 0)
			return false;
		if (encode)
			buf_add_component(to, buf_str(&hole));
		else
			buf_add(to, buf_str(&hole));
	}
	return true;
}

bool template_add(const struct template *t, const struct api_scope *s, bool encode,
		  struct buf *to)
{
	size_t before = to->n;

	if (t->is_set && add_rest(t, 0, s, encode, to))
		return true;
	to->n = MIN(before, to->n);
	return false;
}

/* Which part has many values; t->n when none has. */
static size_t many_part(const struct template *t)
{
	for (size_t i = 0; i < t->n; i++) {
		if (t->v[i].path.has_many)
			return i;
		for (size_t k = 0; k < t->v[i].n_filters; k++)
			if (t->v[i].filters[k].kind == FILTER_LINKS)
				return i;
	}
	return t->n;
}

struct expansion {
	const struct template *t;
	const struct api_scope *s;
	size_t many;
	struct str head;
	struct buf whole;
	template_fn *see;
	void *arg;
};

static bool see_one(void *arg, struct str value)
{
	struct expansion *e = arg;

	buf_reset(&e->whole);
	buf_add(&e->whole, e->head);
	buf_add(&e->whole, value);
	return !add_rest(e->t, e->many + 1, e->s, false, &e->whole) ||
	       e->see(e->arg, buf_str(&e->whole));
}

void template_each(const struct template *t, const struct api_scope *s, template_fn *see,
		   void *arg)
{
	cleanup(buf_release) struct buf head = { 0 };
	struct expansion e = { t, s, many_part(t), { 0 }, { 0 }, see, arg };

	if (!t->is_set)
		return;
	if (e.many == t->n) {
		if (template_add(t, s, false, &head))
			see(arg, buf_str(&head));
		return;
	}
	const struct template before = { t->v, e.many, true };
	if (add_rest(&before, 0, s, false, &head)) {
		buf_add(&head, t->v[e.many].literal);
		e.head = buf_str(&head);
		part_each(&t->v[e.many], s, see_one, &e);
	}
	buf_release(&e.whole);
}
