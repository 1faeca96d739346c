#include "dust/operation.h"

#include <string.h>

static const struct {
	struct str word;
	unsigned names; /* how many follow */
} words[OPERATION_KINDS] = {
	[OPERATION_SCHEME] = { STR("scheme"), 0 },
	[OPERATION_WWW] = { STR("www"), 0 },
	[OPERATION_MOBILE] = { STR("mobile"), 0 },
	[OPERATION_HOST] = { STR("host"), 2 },
	[OPERATION_SUBDOMAIN] = { STR("subdomain"), 1 },
	[OPERATION_SLASHES] = { STR("slashes"), 0 },
	[OPERATION_REPEATS] = { STR("repeats"), 0 },
	[OPERATION_LOWER] = { STR("lower"), 0 },
	[OPERATION_SEPARATORS] = { STR("separators"), 0 },
	[OPERATION_INDEX] = { STR("index"), 1 },
	[OPERATION_SLASH] = { STR("slash"), 0 },
	[OPERATION_PATH_DROP] = { STR("path-drop"), 1 },
	[OPERATION_DROP] = { STR("drop"), 1 },
	[OPERATION_EMPTY] = { STR("empty"), 0 },
	[OPERATION_SORT] = { STR("sort"), 0 },
};

static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] <= ' ' || (unsigned char)s.p[i] >= 0x7f)
			return false;
	return s.n > 0 && s.n <= OPERATION_NAME_MAX;
}

enum status operation_parse(struct str text, struct operation *ret, struct diag *why)
{
	struct str rest = text, part[3] = { 0 };
	size_t n = 0;

	while (n < COUNT(part) && str_take_until(&rest, ' ', &part[n]))
		n++;
	for (int k = 0; k < OPERATION_KINDS; k++) {
		if (!str_eq(part[0], words[k].word))
			continue;
		if (n != words[k].names + 1 || rest.n > 0)
			return diag_fail(why, ST_SYNTAX, "'%.*s' takes %u name%s",
					 STR_ARG(words[k].word), words[k].names,
					 words[k].names == 1 ? "" : "s");
		for (size_t i = 1; i < n; i++)
			if (!is_name(part[i]))
				return diag_fail(why, ST_SYNTAX,
						 "a name is 1 to %u printable characters",
						 OPERATION_NAME_MAX);
		*ret = (struct operation){ .kind = (enum operation_kind)k,
					   .name = part[1],
					   .to = part[2] };
		return ST_OK;
	}
	return diag_fail(why, ST_SYNTAX, "there is no operation '%.*s'",
			 (int)MIN(part[0].n, 40), part[0].p ? part[0].p : "");
}

void operation_format(const struct operation *op, struct buf *to)
{
	buf_add(to, words[op->kind].word);
	if (words[op->kind].names > 0) {
		buf_add_char(to, ' ');
		buf_add(to, op->name);
	}
	if (words[op->kind].names > 1) {
		buf_add_char(to, ' ');
		buf_add(to, op->to);
	}
}

static bool has_letter(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (ascii_is_alpha(s.p[i]))
			return true;
	return false;
}

size_t path_cut_repeats(struct str path, char *to)
{
	struct str before = { "", 0 };
	size_t n = 0, end;

	for (size_t at = 0; at < path.n; at = end) {
		for (end = at + 1; end < path.n && path.p[end] != '/';)
			end++;
		struct str one = str_slice(path, at, end);

		if (before.n && str_eq(one, before) && has_letter(one))
			continue;
		memmove(to + n, one.p, one.n);
		before = (struct str){ to + n, one.n };
		n += one.n;
	}
	return n;
}

bool url_parts_split(struct str url, struct url_parts *ret)
{
	size_t at = str_find_char(str_slice(url, 0, 24), ':');

	if (at == STR_NONE || !str_starts(str_skip(url, at), STR("://")))
		return false;
	*ret = (struct url_parts){ .scheme = str_slice(url, 0, at) };
	size_t i = at + 3, host = i;
	while (i < url.n && url.p[i] != '/' && url.p[i] != '?' && url.p[i] != '#')
		i++;
	ret->host = str_slice(url, host, i);
	size_t path = i;
	while (i < url.n && url.p[i] != '?' && url.p[i] != '#')
		i++;
	ret->path = str_slice(url, path, i);
	if (i < url.n && url.p[i] == '?') {
		size_t query = ++i;

		while (i < url.n && url.p[i] != '#')
			i++;
		ret->query = str_slice(url, query, i);
		ret->has_query = true;
	}
	return true;
}
