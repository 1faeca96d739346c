#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "cmd/apps_adapt.h"
#include "os/file.h"

void adapting_release(struct adapting *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->kinds[i].pages);
	map_release(&a->by_url);
	map_file_release(&a->objects);
	library_release(&a->library);
	arena_release(&a->arena);
	buf_release(&a->xml);
}

/* The value of "name":"..." in a line of ours, as it is written. */
static struct str raw_value(struct str line, struct str key)
{
	size_t at = str_find(line, key);
	struct str rest = at == STR_NONE ? STR("") : str_skip(line, at + key.n);

	return str_slice(rest, 0, str_find_char(rest, '"'));
}

enum status adapting_load(struct adapting *a, struct str dir, struct diag *why)
{
	cleanup(buf_release) struct buf at = { 0 };
	cleanup(arena_release) struct arena scratch = { 0 };
	struct str rest, line;

	buf_add(&at, dir);
	TRY(map_file_open(&a->objects,
			  path_join(&scratch, buf_cstr(&at), STR("objects.jsonl")),
			  MAP_RANDOM, why));
	rest = a->objects.bytes;
	while (str_take_line(&rest, &line)) {
		struct str url = raw_value(line, STR("\"url\":\""));
		bool is_new;
		uint64_t *first = map_add(&a->by_url, hash64(url), &is_new);

		if (is_new)
			*first = (uint64_t)(line.p - a->objects.bytes.p) + 1;
	}
	return ST_OK;
}

/* The lines of one page stand together. */
static struct str lines_of(const struct adapting *a, struct str url)
{
	const uint64_t *first = map_find(&a->by_url, hash64(url));
	struct str all, rest, line;

	if (!first)
		return STR("");
	all = rest = str_skip(a->objects.bytes, *first - 1);
	struct str page = raw_value(str_slice(all, 0, str_find_char(all, '\n')),
				    STR("\"record\":\""));
	while (str_take_line(&rest, &line))
		if (!str_eq(raw_value(line, STR("\"url\":\"")), url) ||
		    !str_eq(raw_value(line, STR("\"record\":\"")), page)) {
			all.n = (size_t)(line.p - all.p);
			break;
		}
	return all;
}

static struct kind *kind_of(struct adapting *a, struct str line)
{
	uint32_t app =
		library_find(&a->library, raw_value(line, STR("\"application\":\"")));
	struct str id = raw_value(line, STR("\"level\":\""));
	const struct app_level *level = NULL;

	if (app == APP_NONE)
		return NULL;
	for (size_t i = 0; i < a->library.wholes[app].n_levels; i++)
		if (str_eq(a->library.wholes[app].levels[i]->id, id))
			level = a->library.wholes[app].levels[i];
	for (size_t i = 0; i < a->n; i++)
		if (a->kinds[i].app == app && a->kinds[i].level == level)
			return &a->kinds[i];
	if (!level || a->n == KINDS_MAX)
		return NULL;
	a->kinds[a->n] = (struct kind){ .app = app, .level = level };
	return &a->kinds[a->n++];
}

bool adapting_take(void *arg, const struct app_page *page, const struct page *parsed)
{
	struct adapting *a = arg;
	struct str lines = lines_of(a, page->url);
	struct kind *k =
		lines.n ? kind_of(a, str_slice(lines, 0, str_find_char(lines, '\n')))
			: NULL;

	(void)parsed;
	if (!k || k->n >= PAGES_MAX)
		return true;
	struct adapt_page p = { .page = *page,
				.objects = lines,
				.verdict = { .app = k->app, .level = k->level } };
	p.page.url = arena_copy(&a->arena, page->url);
	p.page.html = arena_copy(&a->arena, page->html);
	p.page.text = p.page.fields = STR("");
	VEC_ADD(k->pages, k->n, k->cap, p);
	return true;
}
