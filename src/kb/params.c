#include <stdlib.h>

#include "base/alloc.h"
#include "kb/exchange.h"
#include "kb/multipart.h"

static struct str decode(struct params *p, struct str raw)
{
	cleanup(buf_release) struct buf b = { 0 };

	for (size_t i = 0; i < raw.n; i++) {
		char c = raw.p[i];

		if (c == '+') {
			c = ' ';
		} else if (c == '%') {
			int high = i + 2 < raw.n ? ascii_hex_value(raw.p[i + 1]) : -1;
			int low = i + 2 < raw.n ? ascii_hex_value(raw.p[i + 2]) : -1;

			if (high < 0 || low < 0) {
				p->bad = true;
				break;
			}
			c = (char)(high << 4 | low);
			i += 2;
		}
		buf_add_char(&b, c);
	}
	return arena_copy(&p->bytes, buf_str(&b));
}

static enum param_name name_of(struct str name)
{
	static const struct {
		const char *text;
		enum param_name name;
	} names[] = {
		{ "query", PARAM_QUERY },
		{ "update", PARAM_UPDATE },
		{ "default-graph-uri", PARAM_DEFAULT_GRAPH },
		{ "using-graph-uri", PARAM_DEFAULT_GRAPH },
		{ "named-graph-uri", PARAM_NAMED_GRAPH },
		{ "using-named-graph-uri", PARAM_NAMED_GRAPH },
		{ "graph", PARAM_GRAPH },
		{ "default", PARAM_DEFAULT },
		{ "format", PARAM_FORMAT },
		{ "id", PARAM_ID },
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (str_eq(name, str_from(names[i].text)))
			return names[i].name;
	return PARAM_OTHER;
}

static bool add(struct params *p, struct str name, struct str value)
{
	p->too_many |= p->n == PARAMS_MAX;
	if (!p->too_many)
		VEC_ADD(p->v, p->n, p->cap, (struct param){ name_of(name), value });
	return !p->too_many;
}

void params_add(struct params *p, struct str text)
{
	struct str pair;

	while (str_take_until(&text, '&', &pair)) {
		size_t eq = str_find_char(pair, '=');
		struct str name = decode(p, str_slice(pair, 0, eq));
		struct str value =
			eq == STR_NONE ? STR("") : decode(p, str_skip(pair, eq + 1));

		if (!add(p, name, value))
			return;
	}
}

void params_add_multipart(struct params *p, struct str content_type, struct str body)
{
	struct multipart m;
	struct part part;

	p->bad |= !multipart_start(&m, content_type, body);
	while (!p->bad && multipart_next(&m, &part))
		if (!add(p, part.name, arena_copy(&p->bytes, part.body)))
			return;
	p->bad |= m.bad;
}

const struct str *params_find(const struct params *p, enum param_name name,
			      size_t *ret_count)
{
	const struct str *found = NULL;

	*ret_count = 0;
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i].name == name) {
			found = &p->v[i].value;
			++*ret_count;
		}
	return found;
}

void params_release(struct params *p)
{
	free(p->v);
	arena_release(&p->bytes);
	*p = (struct params){ 0 };
}
