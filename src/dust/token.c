#include "dust/token.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Type in the low two bits, delimiter flags above; what is not listed is punctuation. */
#define KIND(type, delim) ((uint8_t)((type) | (delim) << 2))

const uint8_t token_kinds[256] = {
	['a' ... 'z'] = KIND(TOKEN_ALPHA, 0),
	['A' ... 'Z'] = KIND(TOKEN_ALPHA, 0),
	['0' ... '9'] = KIND(TOKEN_NUMBER, 0),
	['/'] = KIND(TOKEN_PUNCT, TOKEN_DELIM | TOKEN_COARSE),
	['?'] = KIND(TOKEN_PUNCT, TOKEN_DELIM | TOKEN_COARSE),
	['&'] = KIND(TOKEN_PUNCT, TOKEN_DELIM | TOKEN_COARSE),
	['#'] = KIND(TOKEN_PUNCT, TOKEN_DELIM | TOKEN_COARSE),
	['='] = KIND(TOKEN_PUNCT, TOKEN_DELIM),
	[';'] = KIND(TOKEN_PUNCT, TOKEN_DELIM),
	[':'] = KIND(TOKEN_PUNCT, TOKEN_DELIM),
	['.'] = KIND(TOKEN_PUNCT, TOKEN_DELIM),
};

/* The token about to be added is a delimiter; `after` is the one behind the last. */
static inline void note_mark(struct tokens *t, char c, uint8_t delim, size_t after)
{
	if (t->n < 64) {
		t->delims |= (uint64_t)1 << t->n;
		t->coarse |= (uint64_t)(delim >> 1) << t->n;
	}
	if (t->n_marks < MARKS_MAX) {
		t->marks[t->n_marks] = c;
		t->mark_at[t->n_marks] = (uint16_t)t->n;
		t->filled |= (uint64_t)(t->n > after) << t->n_marks;
	}
	t->n_marks++;
}

enum status tokens_split(struct tokens *t, struct str url)
{
	size_t after = 0;

	t->n = t->n_marks = 0;
	t->delims = t->coarse = t->filled = 0;
	if (url.n > TOKENS_BYTES_MAX)
		return ST_TOO_LARGE;
	VEC_RESERVE(t->v, t->cap, TOKENS_MAX);
	for (const char *p = url.p, *end = url.p + url.n; p < end;) {
		struct token next = token_take(p, end);

		if (t->n == TOKENS_MAX)
			return ST_TOO_LARGE;
		if (next.delim) {
			note_mark(t, *p, next.delim, after);
			after = t->n + 1;
		}
		t->v[t->n++] = next;
		p += next.n;
	}
	if (t->n_marks <= MARKS_MAX)
		t->filled |= (uint64_t)(t->n > after) << t->n_marks;
	return ST_OK;
}

void tokens_release(struct tokens *t)
{
	free(t->v);
	*t = (struct tokens){ 0 };
}

bool token_eq_folded(struct token a, struct token b)
{
	if (a.type != TOKEN_ALPHA)
		return memcmp(a.p, b.p, a.n) == 0;
	/* Both are letters only, so one bit is all that case changes. */
	for (size_t i = 0; i < a.n; i++)
		if ((a.p[i] | 0x20) != (b.p[i] | 0x20))
			return false;
	return true;
}

/* Where the "//" of "scheme://" ends; 0 when there is none. */
static size_t after_scheme(struct str url)
{
	size_t i = 0, most = MIN(url.n, 24);

	if (str_starts(url, STR("http://")))
		return 7;
	if (str_starts(url, STR("https://")))
		return 8;
	while (i < most && url.p[i] != ':')
		i++;
	return i + 3 <= url.n && i < most && url.p[i + 1] == '/' && url.p[i + 2] == '/'
		       ? i + 3
		       : 0;
}

/* Where the host with its user and port ends; `from` is where it begins. */
static size_t origin_end(struct str url, size_t from, bool *ret_plain)
{
	static const uint8_t stops[256] = {
		['/'] = 1, ['?'] = 1, ['#'] = 1, ['@'] = 2, [':'] = 2
	};
	unsigned seen = 0;
	size_t i = from;

	for (; i < url.n; i++) {
		uint8_t stop = stops[(uint8_t)url.p[i]];

		if (stop == 1)
			break;
		seen |= stop;
	}
	*ret_plain = seen == 0;
	return i;
}

struct str dust_host(struct str url)
{
	size_t from = after_scheme(url);
	bool plain;

	if (from == 0)
		return (struct str){ "", 0 };
	struct str host = str_slice(url, from, origin_end(url, from, &plain));
	if (plain)
		return host;
	size_t user = str_rfind_char(host, '@');
	if (user != STR_NONE)
		host = str_skip(host, user + 1);
	size_t port = str_rfind_char(host, ':');
	if (port != STR_NONE && str_find_char(str_skip(host, port), ']') == STR_NONE)
		host = str_slice(host, 0, port);
	return host;
}
