#include "frontier/novelty.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define SEGMENTS_KEPT 4 /* literal ones; further down only their number counts */
#define PARAMS_KEPT   16

void novelty_release(struct novelty *t)
{
	map_release(&t->by_hash);
	free(t->v);
	*t = (struct novelty){ .settings = t->settings };
}

static bool has_digit(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (ascii_is_digit(s.p[i]))
			return true;
	return false;
}

/* The extension of a file name, with its dot: part of what kind of page it is. */
static struct str extension(struct str s)
{
	size_t dot = str_rfind_char(s, '.');

	if (dot == STR_NONE || dot == 0 || s.n - dot > 6 || has_digit(str_skip(s, dot)))
		return STR("");
	return str_skip(s, dot);
}

/* Names are literal while they are few: the last one of a path is where the many are. */
static void add_segment(struct buf *to, struct str s, bool last, unsigned nr)
{
	buf_add_char(to, '/');
	if (last && s.n > 0) {
		buf_add_char(to, '*');
		buf_add(to, extension(s));
	} else if (has_digit(s)) {
		buf_add_char(to, 'N');
	} else if (nr < SEGMENTS_KEPT) {
		buf_add(to, s);
	} else {
		buf_add_char(to, '*');
	}
}

static int by_text(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The names of the parameters, sorted, each once. */
static void add_parameters(struct buf *to, struct str query)
{
	struct str names[PARAMS_KEPT], part;
	size_t n = 0;

	while (n < PARAMS_KEPT && str_take_until(&query, '&', &part))
		names[n++] = str_slice(part, 0, str_find_char(part, '='));
	qsort(names, n, sizeof(*names), by_text);
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && str_eq(names[i], names[i - 1]))
			continue;
		buf_add_char(to, i == 0 ? '?' : '&');
		buf_add(to, names[i]);
		buf_add_char(to, '=');
	}
}

void url_template_format(const struct url *u, struct buf *to)
{
	struct str path = u->path, s;
	unsigned nr = 0;

	buf_add(to, url_authority(u));
	str_take_char(&path, '/');
	while (path.n > 0) {
		size_t slash = str_find_char(path, '/');

		s = str_slice(path, 0, slash);
		path = slash == STR_NONE ? STR("") : str_skip(path, slash + 1);
		add_segment(to, s, slash == STR_NONE, nr++);
	}
	if (u->path.n > 0 && u->path.p[u->path.n - 1] == '/')
		buf_add_char(to, '/');
	if (u->query.n > 0)
		add_parameters(to, u->query);
}

uint64_t url_template_hash(const struct url *u, struct buf *scratch)
{
	buf_reset(scratch);
	url_template_format(u, scratch);
	return hash64(buf_str(scratch));
}

struct url_template *novelty_get(struct novelty *t, uint64_t hash)
{
	bool is_new;
	uint64_t *index = map_add(&t->by_hash, hash, &is_new);

	if (is_new) {
		*index = t->n;
		VEC_ADD(t->v, t->n, t->cap, (struct url_template){ .hash = hash });
	}
	return &t->v[*index];
}

const struct url_template *novelty_find(const struct novelty *t, uint64_t hash)
{
	const uint64_t *index = map_find(&t->by_hash, hash);

	return index ? &t->v[*index] : NULL;
}

bool novelty_has_credit(const struct novelty *t, const struct url_template *s)
{
	uint64_t credit =
		t->settings.first + (uint64_t)t->settings.per_novel * (uint64_t)s->novel;

	return t->settings.first == 0 || s->asked < credit;
}

void novelty_ask(struct url_template *s)
{
	s->asked++;
}

void novelty_answer(struct url_template *s, bool novel)
{
	s->answered++;
	s->novel += novel;
}
