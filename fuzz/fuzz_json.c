#include <assert.h>

#include "base/json.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writing what was read must give JSON again, and UTF-8. */
static void write_again(const struct json *v, struct json_out *o)
{
	switch (json_kind(v)) {
	case JSON_STRING:
		json_add_str(o, json_str(v));
		break;
	case JSON_NUMBER:
		json_add_double(o, json_number(v, 0));
		break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		json_open(o, json_kind(v) == JSON_ARRAY ? '[' : '{');
		for (const struct json *c = json_first(v); c; c = json_next(c)) {
			if (json_kind(v) == JSON_OBJECT)
				json_key(o, json_name(c));
			write_again(c, o);
		}
		json_close(o, json_kind(v) == JSON_ARRAY ? ']' : '}');
		break;
	default:
		json_add_bool(o, json_bool(v, false));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json *v = NULL, *w = NULL;
	cleanup(buf_release) struct buf b = { 0 };
	struct json_out o = { .to = &b };

	if (json_parse((struct str){ (const char *)data, size }, &v, NULL) != ST_OK)
		return 0;
	write_again(v, &o);
	assert(utf8_valid(buf_str(&b)));
	assert(json_parse(buf_str(&b), &w, NULL) == ST_OK);
	json_release(&v);
	json_release(&w);
	return 0;
}
