#include "warc/redact.h"

static bool is_secret(struct str line)
{
	static const struct str names[] = {
		{ "Authorization:", 14 },
		{ "Proxy-Authorization:", 20 },
		{ "Cookie:", 7 },
		{ "Cookie2:", 8 },
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (str_starts_nocase(line, names[i]))
			return true;
	return false;
}

/* The scheme of an Authorization is no secret: it says how one must ask. */
static void add_redacted(struct buf *to, struct str line)
{
	size_t colon = str_find_char(line, ':');
	struct str value = str_trim(str_skip(line, colon + 1));
	size_t blank = str_find_char(value, ' ');
	bool has_scheme = !str_starts_nocase(line, STR("Cookie")) && blank != STR_NONE;

	buf_add(to, str_slice(line, 0, colon + 1));
	buf_add_char(to, ' ');
	if (has_scheme)
		buf_add(to, str_slice(value, 0, blank + 1));
	buf_add(to, STR(REDACTED "\r\n"));
}

struct str redact_request(struct str request, struct buf *scratch)
{
	struct str rest = request;
	bool changed = false;

	buf_reset(scratch);
	while (rest.n > 0) {
		size_t end = str_find_char(rest, '\n');
		struct str line = str_slice(rest, 0, end == STR_NONE ? rest.n : end + 1);

		if (is_secret(line)) {
			add_redacted(scratch, line);
			changed = true;
		} else {
			buf_add(scratch, line);
		}
		rest = str_skip(rest, line.n);
	}
	return changed ? buf_str(scratch) : request;
}
