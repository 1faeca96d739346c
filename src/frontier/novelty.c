#include "frontier/novelty.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define SEGMENTS_KEPT 4  /* literal ones; further down only their number counts */
#define BONUS_MOST    16 /* who brought nothing by then will not */
#define PARAMS_KEPT   16
#define WORTH_PERCENT 10 /* less may be a counter, a date, an advertisement */
#define SIBLINGS_FEW  12 /* more ways to combine parameters are a selection form */

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

/* A trap is the same one under all names that a site goes by. */
static struct str bare_authority(const struct url *u)
{
	struct str s = url_authority(u);

	if (!str_take_prefix(&s, STR("www.")) && !str_take_prefix(&s, STR("m.")))
		str_take_prefix(&s, STR("mobile."));
	return s;
}

static void format_path(const struct url *u, struct buf *to)
{
	struct str path = u->path, s;
	unsigned nr = 0;

	buf_add(to, bare_authority(u));
	str_take_char(&path, '/');
	while (path.n > 0) {
		size_t slash = str_find_char(path, '/');

		s = str_slice(path, 0, slash);
		path = slash == STR_NONE ? STR("") : str_skip(path, slash + 1);
		add_segment(to, s, slash == STR_NONE, nr++);
	}
	if (u->path.n > 0 && u->path.p[u->path.n - 1] == '/')
		buf_add_char(to, '/');
}

void url_template_format(const struct url *u, struct buf *to)
{
	format_path(u, to);
	if (u->query.n > 0)
		add_parameters(to, u->query);
}

struct template_key url_template_key(const struct url *u, struct buf *scratch)
{
	struct template_key key;

	buf_reset(scratch);
	format_path(u, scratch);
	/* Pages and what is made of parameters are not to pay for each other. */
	if (u->query.n > 0)
		buf_add_char(scratch, '?');
	key.path = hash64_seeded(buf_str(scratch), 1);
	if (u->query.n > 0)
		add_parameters(scratch, u->query);
	key.own = hash64(buf_str(scratch));
	return key;
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

bool novelty_ask(struct novelty *t, struct template_key key)
{
	const struct url_template *path = novelty_get(t, key.path);
	uint32_t bonus = MIN(t->settings.bonus, (uint32_t)BONUS_MOST);
	/* Where parameters are combined at will there are templates without end: what
	 * is given at the end is given to the path, once, as if it were a few. */
	bool combined = path->siblings > SIBLINGS_FEW;
	uint32_t left = t->settings.first + (combined ? SIBLINGS_FEW * bonus : 0) -
			path->borrowed;
	struct url_template *own = novelty_get(t, key.own); /* `path` may have moved */
	uint64_t earned = (combined ? 0 : bonus) +
			  (uint64_t)t->settings.per_novel * own->points / 100;

	if (t->settings.first != 0 && own->asked >= earned) {
		if (left == 0) {
			own->refused++;
			return false;
		}
		novelty_get(t, key.path)->borrowed++;
	}
	if (novelty_get(t, key.own)->asked++ == 0)
		novelty_get(t, key.path)->siblings++;
	return true;
}

bool novelty_answer(struct novelty *t, struct template_key key, bool novel,
		    unsigned new_percent)
{
	bool combined = novelty_get(t, key.path)->siblings > SIBLINGS_FEW;
	bool counts = novel && new_percent >= (combined ? 50 : 1);
	struct url_template *own = novelty_get(t, key.own);

	own->answered++;
	own->points += counts ? new_percent : 0;
	return counts && new_percent >= WORTH_PERCENT;
}
