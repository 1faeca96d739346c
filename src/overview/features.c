#include "overview/features.h"

#include "base/encode.h"
#include "states/template.h"

#define NAME_BYTES_MAX 400 /* of one way in words; the start is left out */

void feature_names_release(struct feature_names *f)
{
	map_release(&f->by_hash);
	intern_release(&f->names);
}

static struct str class_of(const struct html_token *k)
{
	for (size_t i = 0; i < k->n_attrs; i++)
		if (str_eq_nocase(k->attrs[i].name, STR("class")))
			return k->attrs[i].value;
	return STR("");
}

/* Under the tag names of `parent`, which has a name of its own already. */
static void name_way(struct feature_names *f, uint64_t parent, uint64_t hash,
		     struct str name, struct str classes)
{
	cleanup(buf_release) struct buf b = { 0 };
	struct str word;

	if (map_find(&f->by_hash, hash))
		return;
	const uint64_t *above = map_find(&f->by_hash, parent);
	if (above && *above) {
		struct str way = intern_str(&f->names, (uint32_t)(*above - 1));

		if (way.n > NAME_BYTES_MAX) {
			buf_add(&b, STR("\xe2\x80\xa6"));
			way = str_skip(way, way.n - NAME_BYTES_MAX);
		}
		buf_add(&b, way);
		buf_add(&b, STR(" > "));
	}
	for (size_t i = 0; i < name.n; i++)
		buf_add_char(&b, ascii_lower(name.p[i]));
	while (str_take_until(&classes, ' ', &word))
		if (word.n) {
			buf_add_char(&b, '.');
			buf_add(&b, word);
		}
	*map_add(&f->by_hash, hash, NULL) =
		(uint64_t)intern_add(&f->names, buf_str(&b)) + 1;
}

void feature_names_add(struct feature_names *f, struct str html)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct html_tokenizer *z = arena_alloc(&a, sizeof(*z));
	struct tagpath *t = arena_alloc(&a, sizeof(*t));
	struct html_token k;

	html_start(z, html);
	tagpath_start(t);
	while (template_next(z, &k)) {
		if (k.kind == HTML_END_TAG) {
			tagpath_close(t, &k);
			continue;
		}
		const struct tagpath_entry *e = tagpath_open(t, &k);
		uint64_t way = template_way(t, e), bare = tagpath_tags(t, e);
		uint64_t parent = t->n > 1 && e == tagpath_top(t)
					  ? tagpath_tags(t, &t->entries[t->n - 1])
					  : tagpath_tags(t, tagpath_top(t));

		name_way(f, parent, bare, k.name, STR(""));
		name_way(f, parent, way, k.name, class_of(&k));
	}
}

uint32_t feature_id(struct feature_names *f, uint64_t hash)
{
	const uint64_t *known = map_find(&f->by_hash, hash);

	if (known && *known)
		return (uint32_t)(*known - 1);
	cleanup(buf_release) struct buf b = { 0 };
	buf_add_char(&b, '#');
	buf_add_hex64(&b, hash);
	uint32_t id = intern_add(&f->names, buf_str(&b));
	*map_add(&f->by_hash, hash, NULL) = (uint64_t)id + 1;
	return id;
}
