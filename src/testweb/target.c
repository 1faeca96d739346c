#include "testweb/target.h"

#include <string.h>

static bool is_unreserved(unsigned char c)
{
	return ascii_is_alpha((char)c) || ascii_is_digit((char)c) || c == '-' ||
	       c == '.' || c == '_' || c == '~';
}

/* Decode into t->bytes; text that does not fit any more becomes empty. */
static struct str decode(struct target *t, struct str in, bool plus_is_space,
			 bool *ret_odd)
{
	char *start = t->bytes + t->n_bytes;
	size_t n = 0;

	if (in.n > TARGET_BYTES - t->n_bytes)
		return (struct str){ "", 0 };
	for (size_t i = 0; i < in.n; i++) {
		int high = -1, low = -1;

		if (in.p[i] == '%' && i + 2 < in.n) {
			high = ascii_hex_value(in.p[i + 1]);
			low = ascii_hex_value(in.p[i + 2]);
		}
		if (high >= 0 && low >= 0) {
			unsigned char c = (unsigned char)(high << 4 | low);

			*ret_odd |= is_unreserved(c);
			start[n++] = (char)c;
			i += 2;
		} else {
			start[n++] = in.p[i] == '+' && plus_is_space ? ' ' : in.p[i];
		}
	}
	t->n_bytes += n;
	return (struct str){ start, n };
}

static void parse_path(struct target *t, struct str path)
{
	size_t session = str_find(path, STR(";jsessionid="));
	struct str one;

	if (session != STR_NONE)
		t->path_session = str_skip(path, session + strlen(";jsessionid="));
	path = str_slice(path, 0, session);
	t->ends_with_slash = str_ends(path, STR("/"));
	str_take_char(&path, '/');
	while (str_take_until(&path, '/', &one)) {
		if (one.n == 0) {
			t->odd_encoding = true;
			continue;
		}
		t->depth++;
		if (t->n_segments == TARGET_PARTS)
			continue;
		t->segments[t->n_segments++] = decode(t, one, false, &t->odd_encoding);
	}
}

static void parse_query(struct target *t, struct str query)
{
	struct str one;
	bool odd = false;

	while (str_take_until(&query, '&', &one)) {
		size_t equals = str_find_char(one, '=');
		struct str name = str_slice(one, 0, equals);
		struct str value = equals == STR_NONE ? (struct str){ "", 0 }
						      : str_skip(one, equals + 1);

		if (one.n == 0 || t->n_params == TARGET_PARAMS)
			continue;
		t->params[t->n_params++] = (struct target_param){
			.name = decode(t, name, true, &odd),
			.value = decode(t, value, true, &odd),
		};
	}
}

void target_parse(struct target *t, struct str target)
{
	target = str_slice(target, 0, str_find_char(target, '#'));
	size_t question = str_find_char(target, '?');

	t->n_segments = t->depth = t->n_params = 0;
	t->odd_encoding = false;
	t->path_session = (struct str){ "", 0 };
	t->n_bytes = 0;
	t->raw_path = str_slice(target, 0, question);
	t->raw_query = question == STR_NONE ? (struct str){ "", 0 }
					    : str_skip(target, question + 1);
	parse_path(t, t->raw_path);
	parse_query(t, t->raw_query);
}

int target_find(const struct target *t, const char *name)
{
	for (unsigned i = 0; i < t->n_params; i++)
		if (!t->params[i].used && str_eq(t->params[i].name, str_from(name)))
			return (int)i;
	return -1;
}

bool target_take(struct target *t, const char *name, struct str *ret_value)
{
	int at = target_find(t, name);

	if (at < 0)
		return false;
	t->params[at].used = true;
	*ret_value = t->params[at].value;
	return true;
}

bool target_take_uint(struct target *t, const char *name, uint64_t max, uint64_t *ret)
{
	int at = target_find(t, name);

	if (at < 0 || !str_to_uint(t->params[at].value, max, ret))
		return false;
	t->params[at].used = true;
	return true;
}
