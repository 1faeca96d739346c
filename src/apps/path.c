#include "apps/path.h"

#include <string.h>

struct path_reader {
	struct str all, rest;
	struct arena *arena;
	struct diag *why;
};

static enum status syntax(struct path_reader *r, const char *expected)
{
	return diag_fail(
		r->why, ST_SYNTAX, "XPath '" STR_FMT "': %s expected at character %zu",
		(int)MIN(r->all.n, 80), r->all.p, expected, r->all.n - r->rest.n + 1);
}

static void skip_space(struct path_reader *r)
{
	while (r->rest.n && ascii_is_space(r->rest.p[0]))
		r->rest = str_skip(r->rest, 1);
}

static bool take(struct path_reader *r, struct str word)
{
	skip_space(r);
	return str_take_prefix(&r->rest, word);
}

static bool is_name_char(char c)
{
	return ascii_is_alpha(c) || ascii_is_digit(c) || c == '-' || c == '_' ||
	       c == ':' || c == '.';
}

static struct str take_name(struct path_reader *r)
{
	size_t n = 0;

	skip_space(r);
	while (n < r->rest.n && is_name_char(r->rest.p[n]))
		n++;
	char *p = arena_alloc(r->arena, n + 1);
	for (size_t i = 0; i < n; i++)
		p[i] = ascii_lower(r->rest.p[i]);
	r->rest = str_skip(r->rest, n);
	return (struct str){ p, n };
}

static enum status take_string(struct path_reader *r, struct str *ret)
{
	skip_space(r);
	char quote = r->rest.n ? r->rest.p[0] : 0;
	if (quote != '"' && quote != '\'')
		return syntax(r, "a string");
	struct str inner = str_skip(r->rest, 1);
	size_t end = str_find_char(inner, quote);
	if (end == STR_NONE)
		return syntax(r, "the end of a string");
	*ret = str_slice(inner, 0, end);
	r->rest = str_skip(inner, end + 1);
	return ST_OK;
}

/* "(@name, 'value')" */
static enum status take_call(struct path_reader *r, struct path_condition *c)
{
	if (!take(r, STR("(")) || !take(r, STR("@")))
		return syntax(r, "(@attribute, 'text')");
	c->name = take_name(r);
	if (c->name.n == 0 || !take(r, STR(",")))
		return syntax(r, "(@attribute, 'text')");
	TRY(take_string(r, &c->value));
	if (c->value.n == 0)
		return syntax(r, "a string that is not empty");
	return take(r, STR(")")) ? ST_OK : syntax(r, ")");
}

static enum status take_class(struct path_reader *r, struct path_condition *c)
{
	c->name = STR("class");
	if (!take(r, STR("(")))
		return syntax(r, "('class')");
	TRY(take_string(r, &c->value));
	for (size_t i = 0; i < c->value.n; i++)
		if (ascii_is_space(c->value.p[i]))
			return syntax(r, "one class");
	if (c->value.n == 0)
		return syntax(r, "a class");
	return take(r, STR(")")) ? ST_OK : syntax(r, ")");
}

static enum status take_condition(struct path_reader *r, struct path_condition *c)
{
	if (take(r, STR("contains"))) {
		c->test = TEST_CONTAINS;
		return take_call(r, c);
	}
	if (take(r, STR("starts-with"))) {
		c->test = TEST_STARTS;
		return take_call(r, c);
	}
	if (take(r, STR("has-class"))) {
		c->test = TEST_CLASS;
		return take_class(r, c);
	}
	if (!take(r, STR("@")))
		return syntax(r, "@attribute, contains(), starts-with() or has-class()");
	c->name = take_name(r);
	if (c->name.n == 0)
		return syntax(r, "the name of an attribute");
	c->test = TEST_EXISTS;
	if (!take(r, STR("=")))
		return ST_OK;
	c->test = TEST_EQUALS;
	return take_string(r, &c->value);
}

static enum status take_conditions(struct path_reader *r, struct path_step *s)
{
	while (take(r, STR("["))) {
		do {
			if (s->n_conditions == PATH_CONDITIONS_MAX)
				return syntax(r, "fewer conditions");
			s->conditions[s->n_conditions] = (struct path_condition){ 0 };
			TRY(take_condition(r, &s->conditions[s->n_conditions++]));
		} while (take(r, STR("and")));
		if (!take(r, STR("]")))
			return syntax(r, "]");
	}
	return ST_OK;
}

static enum status take_step(struct path_reader *r, struct path_step *s)
{
	if (!take(r, STR("*"))) {
		s->name = take_name(r);
		if (s->name.n == 0)
			return syntax(r, "an element");
	}
	return take_conditions(r, s);
}

static enum status take_steps(struct path_reader *r, struct path *p)
{
	while (take(r, STR("/"))) {
		bool anywhere = str_take_char(&r->rest, '/');

		if (p->n > 0 && !anywhere && take(r, STR("@"))) {
			p->attr = take_name(r);
			return p->attr.n ? ST_OK : syntax(r, "the name of an attribute");
		}
		if (p->n == PATH_STEPS_MAX)
			return syntax(r, "fewer steps");
		p->steps[p->n] = (struct path_step){ .anywhere = anywhere };
		TRY(take_step(r, &p->steps[p->n++]));
	}
	return ST_OK;
}

enum status path_parse(struct str text, struct arena *a, struct path *ret,
		       struct diag *why)
{
	struct path_reader r = { .all = text, .rest = text, .arena = a, .why = why };
	struct path p = { .steps = arena_alloc(a, PATH_STEPS_MAX * sizeof(*p.steps)) };

	if (text.n > PATH_BYTES_MAX)
		return diag_fail(why, ST_TOO_LARGE, "XPath longer than %d characters",
				 PATH_BYTES_MAX);
	TRY(take_steps(&r, &p));
	skip_space(&r);
	if (p.n == 0 || r.rest.n)
		return syntax(&r, "/ or //");
	*ret = p;
	return ST_OK;
}
