/*
 * path.h - where something stands in a JSON value.
 *
 *   data.children[*].id   names, elements by number, [*] for all elements or members
 *   items[-1].id          the last element
 *   .                     the value itself
 *
 * Parsed once, followed often.  Memory is the arena's.  Pure.
 */
#ifndef SERVICE_PATH_H
#define SERVICE_PATH_H

#include "base/arena.h"
#include "base/json.h"

#define PATH_STEPS_MAX 16

enum path_step_kind { STEP_NAME, STEP_INDEX, STEP_LAST, STEP_ALL };

struct path_step {
	enum path_step_kind kind;
	uint32_t index;
	const char *name;
};

struct json_path {
	struct path_step *v;
	size_t n;
	bool is_set;   /* a zeroed one leads nowhere */
	bool has_many; /* [*] is among the steps */
};

/* `why` says what is wrong in a few words. */
must_use enum status json_path_parse(struct str text, struct arena *a,
				     struct json_path *ret, struct diag *why);
/* The first value there, or NULL. */
const struct json *json_path_first(const struct json_path *p, const struct json *root);
/* All of them in order, until `see` answers false. */
typedef bool json_path_fn(void *arg, const struct json *v);
void json_path_each(const struct json_path *p, const struct json *root, json_path_fn *see,
		    void *arg);

/* A scalar as text: numbers without needless digits, true and false; nothing for others.
 */
void value_add_text(const struct json *v, struct buf *to);
/* Neither absent, null, false, 0, "" nor empty. */
bool value_is_true(const struct json *v);
/* The whole value as JSON text, members in their order. */
void value_add_tree(const struct json *v, struct json_out *to);
#endif
