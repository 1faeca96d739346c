#include "testweb/draft.h"

#include <string.h>

void draft_add(struct draft *d, struct str text)
{
	size_t n = MIN(text.n, (size_t)DRAFT_PATH_MAX - d->path_n);

	memcpy(d->path + d->path_n, text.p, n);
	d->path_n = (uint16_t)(d->path_n + n);
}

void draft_add_uint(struct draft *d, uint64_t v)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	draft_add(d, (struct str){ digits + i, sizeof(digits) - i });
}

void draft_add_padded(struct draft *d, unsigned v, unsigned digits)
{
	char text[8];

	for (unsigned i = digits; i-- > 0; v /= 10)
		text[i] = (char)('0' + v % 10);
	draft_add(d, (struct str){ text, digits });
}

static size_t encode(struct str text, char *to, size_t room)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];
		bool plain = ascii_is_alpha((char)c) || ascii_is_digit((char)c) ||
			     (c < 0x80 && c > 0 && strchr("-_.~:,;/()'!*", c));

		if (n + 3 > room)
			break;
		if (plain) {
			to[n++] = (char)c;
		} else {
			to[n++] = '%';
			to[n++] = hex[c >> 4];
			to[n++] = hex[c & 15];
		}
	}
	return n;
}

void draft_add_encoded(struct draft *d, struct str text)
{
	size_t room = (size_t)DRAFT_PATH_MAX - d->path_n;

	d->path_n = (uint16_t)(d->path_n + encode(text, d->path + d->path_n, room));
}

void draft_param(struct draft *d, const char *name, struct str value)
{
	if (d->n_params == DRAFT_PARAMS)
		return;
	struct draft_param *p = &d->params[d->n_params++];

	p->name = name;
	p->n = (uint16_t)encode(value, p->value, DRAFT_VALUE_MAX);
}

void draft_param_uint(struct draft *d, const char *name, uint64_t v)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	draft_param(d, name, (struct str){ digits + i, sizeof(digits) - i });
}

void draft_write(const struct draft *d, struct buf *to)
{
	buf_add(to, draft_path(d));
	for (unsigned i = 0; i < d->n_params; i++) {
		buf_add_char(to, i ? '&' : '?');
		buf_add(to, str_from(d->params[i].name));
		buf_add_char(to, '=');
		buf_add(to, (struct str){ d->params[i].value, d->params[i].n });
	}
	if (d->fragment)
		buf_add(to, STR("#comments"));
}
