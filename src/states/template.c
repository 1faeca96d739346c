#include "states/template.h"

#include <string.h>

#include "base/map.h"
#include "base/sort.h"

bool template_next(struct html_tokenizer *z, struct html_token *ret)
{
	while (html_next(z, ret)) {
		if (ret->kind != HTML_START_TAG && ret->kind != HTML_END_TAG)
			continue;
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
		uint64_t way = tagpath_classes(t, tagpath_open(t, &k));
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
