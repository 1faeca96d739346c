#include "simulate/spec_column.h"

#include "base/alloc.h"
#include "os/file.h"

#define SPEC_MAX ((size_t)64 << 20)

void spec_column_release(struct spec_column *c)
{
	settings_release(&c->settings);
	str_list_release(&c->seeds);
	arena_release(&c->bytes);
	*c = (struct spec_column){ 0 };
}

enum status spec_column_read(struct spec_column *ret, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	cleanup(spec_column_release) struct spec_column c = { .name = STR("default") };
	struct diag detail;

	options_default(crawl_options, &c.settings, &c.bytes);
	if (path) {
		c.name = arena_copy(&c.bytes, str_from(path));
		TRY(file_load(path, SPEC_MAX, &text, why));
		enum status st = settings_parse(buf_str(&text), &c.settings, &c.seeds,
						&c.bytes, &detail);
		if (st != ST_OK)
			return diag_fail(why, st, "%s: %s", path, detail.text);
	}
	*ret = TAKE(c);
	return ST_OK;
}

void spec_column_take_seeds(struct spec_column *c, const struct str_list *seeds)
{
	c->seeds.n = 0;
	for (size_t i = 0; i < seeds->n; i++)
		VEC_ADD(c->seeds.v, c->seeds.n, c->seeds.cap,
			arena_copy(&c->bytes, seeds->v[i]));
}

enum status spec_column_set(struct spec_column *c, struct str option, struct diag *why)
{
	size_t equals = str_find_char(option, '=');
	struct str name = str_slice(option, 0, equals);
	struct str value = equals == STR_NONE ? STR("yes") : str_skip(option, equals + 1);
	const struct option_row *row = option_find(crawl_options, name);

	if (!row && equals == STR_NONE && str_starts(name, STR("no-"))) {
		row = option_find(crawl_options, str_skip(name, 3));
		value = STR("no");
	}
	if (!row || (equals == STR_NONE && row->type != OPTION_FLAG)) {
		const struct option_row *near = option_nearest(crawl_options, name);

		return diag_fail(why, ST_SYNTAX,
				 "--set " STR_FMT ": no such option of a crawl%s%s",
				 STR_ARG(option), near ? "; did you mean " : "",
				 near ? near->name : "");
	}
	return option_set(row, &c->settings, value, &c->bytes, why);
}

static void copy_list(struct str_list *to, const struct str_list *from)
{
	*to = (struct str_list){ 0 };
	for (size_t i = 0; i < from->n; i++)
		VEC_ADD(to->v, to->n, to->cap, from->v[i]);
}

void spec_column_breadth_first(const struct spec_column *c, struct spec_column *ret)
{
	*ret = (struct spec_column){ .name = STR("breadth-first"),
				     .settings = c->settings };
	for (const struct option_row *r = crawl_options; r->name; r++)
		if (r->type == OPTION_LIST)
			copy_list((struct str_list *)((char *)&ret->settings + r->offset),
				  (const struct str_list *)((const char *)&c->settings +
							    r->offset));
	copy_list(&ret->seeds, &c->seeds);
	ret->settings.order = ORDER_BREADTH_FIRST;
	ret->settings.rules = false;
	ret->settings.template_first = 0;
}
