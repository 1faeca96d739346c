#include "report/form.h"

#include "base/base.h"

/* Words that people write are shorter; what is longer is made for one page. */
#define PART_MAX 40
/* Deeper paths are one form: a trap may grow without end. */
#define SEGMENTS_MAX 8
/* So are longer queries: of combinations there are too many to tell apart. */
#define NAMES_MAX 2

static struct str without_scheme(struct str url)
{
	size_t at = str_find(url, STR("://"));

	return at == STR_NONE ? url : str_skip(url, at + 3);
}

struct str url_host(struct str url)
{
	struct str rest = without_scheme(url);
	size_t n = 0;

	while (n < rest.n && rest.p[n] != '/' && rest.p[n] != '?' && rest.p[n] != '#')
		n++;
	return str_slice(rest, 0, n);
}

static bool is_value(struct str part)
{
	bool digits = false;

	for (size_t i = 0; i < part.n && !digits; i++)
		digits = ascii_is_digit(part.p[i]);
	return digits || part.n > PART_MAX;
}

/* Segments of a path, or the names in a query. */
static void add_parts(struct buf *to, struct str s, char between, unsigned most)
{
	struct str part;

	for (unsigned n = 0; str_take_until(&s, between, &part); n++) {
		if (n)
			buf_add_char(to, between);
		if (n == most) {
			buf_add(to, STR("..."));
			return;
		}
		part = str_slice(part, 0, str_find_char(part, '='));
		buf_add(to, is_value(part) ? STR("#") : part);
	}
}

void buf_add_url_form(struct buf *to, struct str url)
{
	struct str host = url_host(url);
	struct str rest = str_skip(without_scheme(url), host.n);

	rest = str_slice(rest, 0, str_find_char(rest, '#'));
	size_t mark = str_find_char(rest, '?');
	buf_add(to, host);
	add_parts(to, str_slice(rest, 0, mark), '/', SEGMENTS_MAX);
	if (mark == STR_NONE)
		return;
	struct str query = str_skip(rest, mark + 1);
	unsigned names = 1;
	for (size_t i = 0; i < query.n; i++)
		names += query.p[i] == '&';
	buf_add_char(to, '?');
	if (names > NAMES_MAX)
		buf_add(to, STR("..."));
	else
		add_parts(to, query, '&', NAMES_MAX);
}
