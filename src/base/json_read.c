#include <cjson/cJSON.h>
#include <string.h>

#include "base/json.h"

static const cJSON *as_cjson(const struct json *v)
{
	return (const cJSON *)v;
}

static const struct json *as_json(const cJSON *v)
{
	return (const struct json *)v;
}

static void line_and_column(struct str text, size_t at, unsigned *line, unsigned *column)
{
	*column = 1;
	for (size_t i = 0; i < at && i < text.n; i++) {
		++*column;
		if (text.p[i] == '\n') {
			++*line;
			*column = 1;
		}
	}
}

enum status json_parse(struct str text, struct json **ret, struct diag *why)
{
	return json_parse_line(text, 1, ret, why);
}

enum status json_parse_line(struct str text, unsigned line, struct json **ret,
			    struct diag *why)
{
	const char *end = text.p;
	unsigned column;
	cJSON *root = cJSON_ParseWithLengthOpts(text.p, text.n, &end, 0);
	size_t at = end ? (size_t)(end - text.p) : 0;

	if (root && str_trim(str_skip(text, at)).n) {
		cJSON_Delete(root);
		root = NULL;
	}
	if (!root) {
		line_and_column(text, at, &line, &column);
		return diag_fail(why, ST_SYNTAX, "line %u, column %u: not JSON", line,
				 column);
	}
	*ret = (struct json *)root;
	return ST_OK;
}

void json_release(struct json **root)
{
	cJSON_Delete((cJSON *)*root);
	*root = NULL;
}

enum json_kind json_kind(const struct json *v)
{
	switch (v ? as_cjson(v)->type & 0xff : 0) {
	case cJSON_NULL:
		return JSON_NULL;
	case cJSON_True:
	case cJSON_False:
		return JSON_BOOL;
	case cJSON_Number:
		return JSON_NUMBER;
	case cJSON_String:
		return JSON_STRING;
	case cJSON_Array:
		return JSON_ARRAY;
	case cJSON_Object:
		return JSON_OBJECT;
	default:
		return JSON_NONE;
	}
}

const struct json *json_get(const struct json *object, const char *name)
{
	return as_json(cJSON_GetObjectItemCaseSensitive(as_cjson(object), name));
}

const struct json *json_first(const struct json *v)
{
	enum json_kind kind = json_kind(v);

	return kind == JSON_ARRAY || kind == JSON_OBJECT ? as_json(as_cjson(v)->child)
							 : NULL;
}

const struct json *json_next(const struct json *v)
{
	return v ? as_json(as_cjson(v)->next) : NULL;
}

size_t json_count(const struct json *v)
{
	size_t n = 0;

	for (const struct json *c = json_first(v); c; c = json_next(c))
		n++;
	return n;
}

struct str json_name(const struct json *v)
{
	return v && as_cjson(v)->string ? str_from(as_cjson(v)->string) : STR("");
}

struct str json_str(const struct json *v)
{
	return json_kind(v) == JSON_STRING ? str_from(as_cjson(v)->valuestring) : STR("");
}

double json_number(const struct json *v, double otherwise)
{
	return json_kind(v) == JSON_NUMBER ? as_cjson(v)->valuedouble : otherwise;
}

bool json_bool(const struct json *v, bool otherwise)
{
	return json_kind(v) == JSON_BOOL ? cJSON_IsTrue(as_cjson(v)) : otherwise;
}
