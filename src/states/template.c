#include "states/template.h"

#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/sort.h"

static bool is_unseen(const struct html_token *k)
{
	for (size_t i = 0; i < k->n_attrs; i++)
		if (str_eq(k->attrs[i].name, STR("x-unseen")))
			return true;
	return false;
}

/* Past the element that was opened; observe.js closes whatever it opens. */
static void skip_element(struct html_tokenizer *z, const struct html_token *opened)
{
	struct html_token k;
	size_t depth = 1;

	if (tagpath_is_void(opened->tag))
		return;
	while (depth && html_next(z, &k)) {
		depth += k.kind == HTML_START_TAG && !tagpath_is_void(k.tag);
		depth -= k.kind == HTML_END_TAG && !tagpath_is_void(k.tag);
	}
}

/* The classes of an element are a set. */
static uint64_t hash_classes(struct str classes)
{
	uint64_t sum = 0;
	struct str word;

	while (str_take_until(&classes, ' ', &word))
		sum += word.n ? hash64(word) : 0;
	return sum;
}

uint64_t template_way(struct tagpath *t, const struct tagpath_entry *e)
{
	return hash_mix(tagpath_tags(t, e) + hash_classes(e->class));
}

bool template_next(struct html_tokenizer *z, struct html_token *ret)
{
	while (html_next(z, ret)) {
		if (ret->kind != HTML_START_TAG && ret->kind != HTML_END_TAG)
			continue;
		if (ret->kind == HTML_START_TAG && is_unseen(ret)) {
			skip_element(z, ret);
			continue;
		}
		if (ret->tag == TAG_THEAD || ret->tag == TAG_TBODY ||
		    ret->tag == TAG_TFOOT)
			continue;
		if (ret->tag == TAG_TH) {
			ret->tag = TAG_TD;
			ret->name = STR("td");
		}
		return true;
	}
	return false;
}

void template_set(struct str html, size_t max, struct arena *a, uint64_t **ret,
		  size_t *ret_n)
{
	cleanup(arena_release) struct arena scratch = { 0 };
	cleanup(map_release) struct map seen = { 0 };
	struct html_tokenizer *z = arena_alloc(&scratch, sizeof(*z));
	struct tagpath *t = arena_alloc(&scratch, sizeof(*t));
	struct html_token k;
	uint64_t *ways = arena_alloc(&scratch, 2 * max * sizeof(*ways));
	size_t n = 0;

	html_start(z, html);
	tagpath_start(t);
	while (template_next(z, &k)) {
		if (k.kind == HTML_END_TAG) {
			tagpath_close(t, &k);
			continue;
		}
		uint64_t way = template_way(t, tagpath_open(t, &k));
		bool is_new = false;

		map_add(&seen, way, &is_new);
		if (is_new && n < max)
			ways[n++] = way;
	}
	sort_u64(ways, ways + max, n);
	*ret = arena_alloc(a, n * sizeof(*ways) + 1);
	if (n)
		memcpy(*ret, ways, n * sizeof(*ways));
	*ret_n = n;
}
