#include "dust/token.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Type in the low two bits, delimiter flags above; what is not listed is punctuation. */
#define KIND(type, delim) ((uint8_t)((type) | (delim) << 2))

static const uint8_t kind_of[256] = {
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

enum status tokens_split(struct tokens *t, struct str url)
{
	t->n = 0;
	if (url.n > TOKENS_BYTES_MAX)
		return ST_TOO_LARGE;
	VEC_RESERVE(t->v, t->cap, TOKENS_MAX);
	for (size_t i = 0; i < url.n;) {
		uint8_t kind = kind_of[(uint8_t)url.p[i]];
		size_t start = i++;

		if ((kind & 3) != TOKEN_PUNCT)
			while (i < url.n && kind_of[(uint8_t)url.p[i]] == kind)
				i++;
		if (t->n == TOKENS_MAX)
			return ST_TOO_LARGE;
		t->v[t->n++] = (struct token){ .p = url.p + start,
					       .n = (uint16_t)(i - start),
					       .type = kind & 3,
					       .delim = kind >> 2 };
	}
	return ST_OK;
}

void tokens_release(struct tokens *t)
{
	free(t->v);
	*t = (struct tokens){ 0 };
}

bool token_eq_nocase(struct token a, struct token b)
{
	if (a.n != b.n || a.type != b.type)
		return false;
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

	while (i < most && url.p[i] != ':')
		i++;
	return i + 3 <= url.n && i < most && url.p[i + 1] == '/' && url.p[i + 2] == '/'
		       ? i + 3
		       : 0;
}

struct str dust_origin(struct str url)
{
	size_t end = after_scheme(url);

	if (end == 0)
		return str_slice(url, 0, 0);
	while (end < url.n && url.p[end] != '/' && url.p[end] != '?' && url.p[end] != '#')
		end++;
	return str_slice(url, 0, end);
}

struct str dust_host(struct str url)
{
	struct str origin = dust_origin(url);
	size_t from = after_scheme(url), to = origin.n;
	bool plain = true;

	if (from == 0)
		return (struct str){ "", 0 };
	for (size_t i = from; i < to; i++)
		plain &= origin.p[i] != '@' && origin.p[i] != ':';
	struct str host = str_skip(origin, from);
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
