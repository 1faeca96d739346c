#include "applearn/url_forms.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define URL_BYTES_MAX 2000

static const struct str any = STR("*");

uint32_t url_forms_add(struct url_forms *f, struct str path)
{
	bool is_new;

	if (path.n == 0 || path.n > URL_BYTES_MAX || f->n >= FORM_URLS_MAX)
		return FORM_NONE;
	uint64_t *at = map_add(&f->by_url, hash64(path), &is_new);
	if (is_new) {
		struct str copy = arena_copy(&f->arena, path);

		VEC_ADD(f->urls, f->n, f->cap, copy);
		*at = f->n;
	}
	return (uint32_t)(*at - 1);
}

void url_forms_release(struct url_forms *f)
{
	map_release(&f->by_url);
	free(f->urls);
	free(f->form_of);
	free(f->forms);
	arena_release(&f->arena);
	*f = (struct url_forms){ 0 };
}

/* --- one URL in parts --- */

/* Each run of digits as one '#'. */
static struct str skeleton(struct str s, struct arena *a)
{
	char *to = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		bool digit = ascii_is_digit(s.p[i]);

		if (digit && n > 0 && to[n - 1] == '#')
			continue;
		to[n++] = digit ? '#' : s.p[i];
	}
	return (struct str){ to, n };
}

static void add_part(struct url_form *f, struct form_part part)
{
	if (f->n < FORM_PARTS_MAX)
		f->parts[f->n++] = part;
}

static void split(struct str url, struct arena *a, struct url_form *ret)
{
	size_t mark = str_find_char(url, '?');
	struct str path = str_slice(url, 0, mark), query = STR(""), part;

	*ret = (struct url_form){ .pager = FORM_NONE };
	if (mark != STR_NONE)
		query = str_skip(url, mark + 1);
	path = str_skip(path, path.n && path.p[0] == '/');
	while (path.n > 0 || ret->n == 0) {
		size_t slash = str_find_char(path, '/');

		part = str_slice(path, 0, slash);
		add_part(ret, (struct form_part){ .value = skeleton(part, a) });
		path = slash == STR_NONE ? STR("") : str_skip(path, slash + 1);
		if (slash != STR_NONE && path.n == 0)
			add_part(ret, (struct form_part){ .value = STR("") });
	}
	ret->n_path = ret->n;
	while (query.n > 0) {
		size_t amp = 0;

		while (amp < query.n && query.p[amp] != '&' && query.p[amp] != ';')
			amp++;
		part = str_slice(query, 0, amp);
		query = str_skip(query, amp + 1);
		size_t equals = str_find_char(part, '=');
		if (part.n == 0)
			continue;
		add_part(ret,
			 (struct form_part){
				 .name = skeleton(str_slice(part, 0, equals), a),
				 .value = equals == STR_NONE
						  ? STR("")
						  : skeleton(str_skip(part, equals + 1),
							     a),
				 .has_value = equals != STR_NONE });
	}
}

/* --- words and values --- */

struct places {
	struct map index, seen;
	uint32_t *words;
	size_t n, cap;
};

static void places_reset(struct places *p)
{
	map_reset(&p->index);
	map_reset(&p->seen);
	p->n = 0;
}

static uint64_t part_hash(uint64_t h, const struct form_part *p)
{
	return hash_mix(h + hash64(p->name) * 3 + hash64(p->value) * 7 + p->has_value);
}

static void places_note(struct places *p, uint64_t key, struct str value)
{
	bool is_new;
	uint64_t *at = map_add(&p->index, key, &is_new);

	if (is_new) {
		VEC_ADD(p->words, p->n, p->cap, 0);
		*at = p->n;
	}
	uint64_t nr = *at;
	map_add(&p->seen, hash_mix(key) ^ hash64(value), &is_new);
	p->words[nr - 1] += is_new;
}

static bool places_vary(const struct places *p, uint64_t key)
{
	const uint64_t *at = map_find(&p->index, key);

	return at && p->words[*at - 1] > FORM_WORDS;
}

static bool is_number(struct str s)
{
	return str_eq(s, STR("#")) || str_eq(s, STR("-#"));
}

/* The name of a program is a word, however many there are. */
static bool is_program(struct str segment)
{
	static const char *const ends[] = { ".php", ".cgi", ".asp", ".aspx", ".jsp",
					    ".pl",  ".do",  ".py",  ".fcgi" };

	for (size_t i = 0; i < COUNT(ends); i++)
		if (str_ends(segment, str_from(ends[i])))
			return true;
	return false;
}

/* Segments from left to right: what a segment may be depends on those before it. */
static void settle_path(struct url_form *v, size_t n, struct places *p)
{
	for (size_t depth = 0; depth < FORM_PARTS_MAX; depth++) {
		bool more = false;

		places_reset(p);
		for (size_t pass = 0; pass < 2; pass++)
			for (size_t i = 0; i < n; i++) {
				uint64_t key = depth + 1;

				if (depth >= v[i].n_path)
					continue;
				more = true;
				for (size_t k = 0; k < depth; k++)
					key = part_hash(key, &v[i].parts[k]);
				if (pass == 0)
					places_note(p, key, v[i].parts[depth].value);
				else if (v[i].parts[depth].value.n > 0 &&
					 !is_program(v[i].parts[depth].value) &&
					 places_vary(p, key))
					v[i].parts[depth].value = any;
			}
		if (!more)
			return;
	}
}

static uint64_t path_hash(const struct url_form *f)
{
	uint64_t h = 99;

	for (size_t k = 0; k < f->n_path; k++)
		h = part_hash(h, &f->parts[k]);
	return h;
}

static void settle_query(struct url_form *v, size_t n, struct places *p)
{
	places_reset(p);
	for (size_t pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n; i++) {
			uint64_t path = path_hash(&v[i]);

			for (size_t k = v[i].n_path; k < v[i].n; k++) {
				struct form_part *part = &v[i].parts[k];
				uint64_t key = path + 31 * hash64(part->name);

				if (pass == 0)
					places_note(p, key, part->value);
				else if (!is_number(part->value) && part->value.n > 0 &&
					 places_vary(p, key))
					part->value = any;
			}
		}
}

static uint64_t form_hash(const struct url_form *f, size_t without)
{
	uint64_t h = path_hash(f);

	for (size_t k = f->n_path; k < f->n; k++)
		if (k != without)
			h = part_hash(h, &f->parts[k]);
	return h;
}

/* --- families --- */

static bool is_pager_name(struct str name)
{
	static const char *const names[] = { "page",   "start", "p",     "offset",
					     "paged",  "ofs",   "from",  "skip",
					     "pageno", "pg",    "cpage", "limitstart" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (str_eq_nocase(name, str_from(names[i])))
			return true;
	return false;
}

/* "&page=#" behind a form that is there without it. */
static void find_family(struct url_forms *f, const struct map *by_hash, uint32_t nr)
{
	struct url_form *form = &f->forms[nr];

	form->family = nr;
	for (size_t k = form->n_path; k < form->n; k++) {
		if (!is_number(form->parts[k].value) ||
		    !is_pager_name(form->parts[k].name))
			continue;
		const uint64_t *base = map_find(by_hash, form_hash(form, k));
		if (base) {
			form->family = (uint32_t)(*base - 1);
			form->pager = (uint32_t)k;
			return;
		}
	}
	/* "/page/#" and "/page-#" at the end of a path */
	size_t last = form->n_path - (form->parts[form->n_path - 1].value.n == 0);
	if (form->n_path < 2 || last < 1)
		return;
	struct url_form shorter = *form;
	struct str tail = form->parts[last - 1].value;
	size_t drop = str_eq(tail, STR("page-#")) ? 1
		      : is_number(tail) && last >= 2 &&
				      str_eq(form->parts[last - 2].value, STR("page"))
			      ? 2
			      : 0;
	if (drop == 0)
		return;
	memmove(&shorter.parts[last - drop], &form->parts[last],
		(form->n - last) * sizeof(shorter.parts[0]));
	shorter.n -= drop;
	shorter.n_path -= drop;
	const uint64_t *base = map_find(by_hash, form_hash(&shorter, SIZE_MAX));
	if (base) {
		form->family = (uint32_t)(*base - 1);
		form->pager = (uint32_t)last - 1;
	}
}

void url_forms_make(struct url_forms *f)
{
	struct url_form *v = xcalloc(f->n + 1, sizeof(*v));
	struct places places = { 0 };
	struct map by_hash = { 0 };

	f->form_of = xcalloc(f->n + 1, sizeof(*f->form_of));
	for (size_t i = 0; i < f->n; i++)
		split(f->urls[i], &f->arena, &v[i]);
	settle_path(v, f->n, &places);
	settle_query(v, f->n, &places);
	for (size_t i = 0; i < f->n; i++) {
		bool is_new;
		uint64_t *at = map_add(&by_hash, form_hash(&v[i], SIZE_MAX), &is_new);

		if (is_new) {
			VEC_ADD(f->forms, f->n_forms, f->forms_cap, v[i]);
			*at = f->n_forms;
		}
		f->form_of[i] = (uint32_t)(*at - 1);
		f->forms[*at - 1].urls++;
	}
	for (uint32_t i = 0; i < f->n_forms; i++)
		find_family(f, &by_hash, i);
	free(v);
	free(places.words);
	map_release(&places.index);
	map_release(&places.seen);
	map_release(&by_hash);
}

/* --- words for people and for patterns --- */

void url_form_format(const struct url_form *form, struct buf *to)
{
	for (size_t k = 0; k < form->n; k++) {
		const struct form_part *p = &form->parts[k];

		buf_add_char(to, k < form->n_path ? '/' : k == form->n_path ? '?' : '&');
		buf_add(to, p->name);
		if (p->has_value)
			buf_add_char(to, '=');
		buf_add(to, p->value);
	}
}

void form_value_regex(struct str value, const char *any_value, struct buf *to)
{
	if (str_eq(value, any)) {
		buf_add(to, str_from(any_value));
		return;
	}
	for (size_t i = 0; i < value.n; i++)
		if (value.p[i] == '#') {
			buf_add(to, STR("\\d+"));
		} else {
			if (strchr("\\^$.|?*+()[]{}", value.p[i]))
				buf_add_char(to, '\\');
			buf_add_char(to, value.p[i]);
		}
}

void url_form_path_regex(const struct url_form *form, struct buf *to)
{
	buf_add_char(to, '^');
	for (size_t k = 0; k < form->n_path; k++) {
		buf_add_char(to, '/');
		form_value_regex(form->parts[k].value, "[^/?]+", to);
	}
}

void url_form_regex(const struct url_form *form, struct buf *to)
{
	url_form_path_regex(form, to);
	for (size_t k = form->n_path; k < form->n; k++) {
		const struct form_part *p = &form->parts[k];

		buf_add(to, k == form->n_path ? STR("\\?") : STR("[&;]"));
		form_value_regex(p->name, "[^&=]+", to);
		if (p->has_value)
			buf_add_char(to, '=');
		form_value_regex(p->value, "[^&;]*", to);
	}
	buf_add_char(to, '$');
}

bool url_form_same_path(const struct url_form *a, const struct url_form *b)
{
	return a->n_path == b->n_path && path_hash(a) == path_hash(b);
}
