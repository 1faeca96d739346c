#include "service/path.h"

#include <string.h>

static char *c_string(struct arena *a, struct str s)
{
	char *p = arena_alloc(a, s.n + 1);

	memcpy(p, s.p, s.n);
	p[s.n] = '\0';
	return p;
}

static enum status parse_bracket(struct str *in, struct path_step *ret, struct diag *why)
{
	uint64_t index;

	if (str_take_prefix(in, STR("*]"))) {
		*ret = (struct path_step){ .kind = STEP_ALL };
		return ST_OK;
	}
	if (str_take_prefix(in, STR("-1]"))) {
		*ret = (struct path_step){ .kind = STEP_LAST };
		return ST_OK;
	}
	if (!str_take_uint(in, UINT32_MAX, &index) || !str_take_char(in, ']'))
		return diag_fail(why, ST_SYNTAX,
				 "[ must be followed by a number, -1 or * and ]");
	*ret = (struct path_step){ .kind = STEP_INDEX, .index = (uint32_t)index };
	return ST_OK;
}

static enum status parse_step(struct str *in, struct arena *a, struct path_step *ret,
			      struct diag *why)
{
	size_t end = 0;

	if (str_take_char(in, '['))
		return parse_bracket(in, ret, why);
	while (end < in->n && in->p[end] != '.' && in->p[end] != '[')
		end++;
	if (end == 0)
		return diag_fail(why, ST_SYNTAX, "a path has an empty name in it");
	*ret = (struct path_step){ .kind = STEP_NAME,
				   .name = c_string(a, str_slice(*in, 0, end)) };
	*in = str_skip(*in, end);
	return ST_OK;
}

enum status json_path_parse(struct str text, struct arena *a, struct json_path *ret,
			    struct diag *why)
{
	struct json_path p = { .is_set = true };
	struct path_step steps[PATH_STEPS_MAX];

	str_take_char(&text, '.');
	while (text.n > 0) {
		if (p.n == PATH_STEPS_MAX)
			return diag_fail(why, ST_TOO_LARGE,
					 "a path of more than %d steps", PATH_STEPS_MAX);
		if (p.n > 0 && text.p[0] != '[' && !str_take_char(&text, '.'))
			return diag_fail(why, ST_SYNTAX, "a dot is missing in a path");
		TRY(parse_step(&text, a, &steps[p.n], why));
		p.has_many |= steps[p.n].kind == STEP_ALL;
		p.n++;
	}
	p.v = arena_alloc(a, sizeof(*steps) * (p.n + 1));
	memcpy(p.v, steps, sizeof(*steps) * p.n);
	*ret = p;
	return ST_OK;
}

static bool follow(const struct json_path *p, size_t i, const struct json *v,
		   json_path_fn *see, void *arg)
{
	for (; v && i < p->n; i++) {
		const struct path_step *s = &p->v[i];

		if (s->kind == STEP_NAME) {
			v = json_kind(v) == JSON_OBJECT ? json_get(v, s->name) : NULL;
			continue;
		}
		uint32_t k = 0;
		const struct json *c = json_first(v);
		if (s->kind == STEP_INDEX) {
			for (; c && k < s->index; k++)
				c = json_next(c);
			v = json_kind(v) == JSON_ARRAY ? c : NULL;
			continue;
		}
		if (s->kind == STEP_LAST) {
			while (c && json_next(c))
				c = json_next(c);
			v = json_kind(v) == JSON_ARRAY ? c : NULL;
			continue;
		}
		for (; c; c = json_next(c))
			if (!follow(p, i + 1, c, see, arg))
				return false;
		return true;
	}
	return v ? see(arg, v) : true;
}

void json_path_each(const struct json_path *p, const struct json *root, json_path_fn *see,
		    void *arg)
{
	if (p->is_set)
		follow(p, 0, root, see, arg);
}

static bool keep_first(void *arg, const struct json *v)
{
	*(const struct json **)arg = v;
	return false;
}

const struct json *json_path_first(const struct json_path *p, const struct json *root)
{
	const struct json *v = NULL;

	json_path_each(p, root, keep_first, &v);
	return v;
}

/* Doubles hold whole numbers up to 2^53; ids above that come as strings. */
static void add_number(double x, struct buf *to)
{
	struct json_out o = { .to = to };

	if (x > -9e15 && x < 9e15 && x == (double)(int64_t)x)
		buf_add_int(to, (int64_t)x);
	else
		json_add_double(&o, x);
}

void value_add_text(const struct json *v, struct buf *to)
{
	switch (json_kind(v)) {
	case JSON_STRING:
		buf_add(to, json_str(v));
		break;
	case JSON_NUMBER:
		add_number(json_number(v, 0), to);
		break;
	case JSON_BOOL:
		buf_add(to, json_bool(v, false) ? STR("true") : STR("false"));
		break;
	default:
		break;
	}
}

bool value_is_true(const struct json *v)
{
	switch (json_kind(v)) {
	case JSON_STRING:
		return json_str(v).n > 0;
	case JSON_NUMBER:
		return json_number(v, 0) != 0;
	case JSON_BOOL:
		return json_bool(v, false);
	case JSON_ARRAY:
	case JSON_OBJECT:
		return json_first(v) != NULL;
	default:
		return false;
	}
}

void value_add_tree(const struct json *v, struct json_out *to)
{
	cleanup(buf_release) struct buf number = { 0 };
	enum json_kind kind = json_kind(v);

	if (kind == JSON_ARRAY || kind == JSON_OBJECT) {
		json_open(to, kind == JSON_ARRAY ? '[' : '{');
		for (const struct json *c = json_first(v); c; c = json_next(c)) {
			if (kind == JSON_OBJECT)
				json_key(to, json_name(c));
			value_add_tree(c, to);
		}
		json_close(to, kind == JSON_ARRAY ? ']' : '}');
	} else if (kind == JSON_STRING) {
		json_add_str(to, json_str(v));
	} else if (kind == JSON_NUMBER) {
		add_number(json_number(v, 0), &number);
		json_add_raw(to, buf_str(&number));
	} else if (kind == JSON_BOOL) {
		json_add_bool(to, json_bool(v, false));
	} else {
		json_add_null(to);
	}
}
