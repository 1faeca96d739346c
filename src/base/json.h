/*
 * json.h - JSON in (a tree, through cJSON) and out (streamed, by ourselves).
 *
 * The reader is for settings and protocol messages; bulk JSONL has scanners of
 * its own.  Numbers are doubles: 64-bit ids travel as strings.  Input is
 * capped in bytes by the caller and in depth by the library (1000).
 * Accessors accept NULL, so that a path can be followed without tests between.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"

struct json; /* one value, owned by its root */

/* The error names line and column. */
must_use enum status json_parse(struct str text, struct json **ret, struct diag *why);
/* The same for text that begins in line `line` of its file. */
must_use enum status json_parse_line(struct str text, unsigned line, struct json **ret,
				     struct diag *why);
void json_release(struct json **root);

enum json_kind {
	JSON_NONE, /* NULL, the absent value */
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

enum json_kind json_kind(const struct json *v);
/* The member of an object, exact case, or NULL. */
const struct json *json_get(const struct json *object, const char *name);
/* Walk the members or elements: for (c = json_first(v); c; c = json_next(c)). */
const struct json *json_first(const struct json *v);
const struct json *json_next(const struct json *v);
size_t json_count(const struct json *v);
/* The name under which a member stands in its object; empty elsewhere. */
struct str json_name(const struct json *v);
/* The text of a string; empty for anything else. */
struct str json_str(const struct json *v);
double json_number(const struct json *v, double otherwise);
bool json_bool(const struct json *v, bool otherwise);

/*
 * The writer puts commas and quotes; the caller opens and closes.  Text that
 * is not UTF-8 is repaired, so the output always is.  Names and values:
 *
 *   struct json_out o = { .to = &buf };
 *   json_open(&o, '{'); json_key(&o, STR("url")); json_add_str(&o, url); json_close(&o,
 * '}');
 */
struct json_out {
	struct buf *to;
	bool after_value; /* a comma is due */
};

void json_open(struct json_out *o, char bracket);
void json_close(struct json_out *o, char bracket);
void json_key(struct json_out *o, struct str name);
void json_add_str(struct json_out *o, struct str s);
void json_add_uint(struct json_out *o, uint64_t v);
void json_add_int(struct json_out *o, int64_t v);
/* Shortest form that reads back equal; NaN and infinities become null. */
void json_add_double(struct json_out *o, double v);
void json_add_bool(struct json_out *o, bool v);
void json_add_null(struct json_out *o);
/* `text` is JSON already. */
void json_add_raw(struct json_out *o, struct str text);
/* Key and value in one, for the common cases. */
void json_put_str(struct json_out *o, const char *name, struct str s);
void json_put_uint(struct json_out *o, const char *name, uint64_t v);
void json_put_int(struct json_out *o, const char *name, int64_t v);
void json_put_double(struct json_out *o, const char *name, double v);
void json_put_bool(struct json_out *o, const char *name, bool v);
#endif
