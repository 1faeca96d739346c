#include "pipeline/app_output.h"

#include "apps/extract.h"
#include "base/json.h"

#define NEXT_MAX     200  /* links to further pages that are named */
#define LINKS_MAX    3000 /* of the augmented document */
#define EVIDENCE_MAX 20

static const char *const action_names[] = {
	[ACTION_NONE] = "",     [ACTION_FOLLOW] = "follow", [ACTION_NEXT] = "next",
	[ACTION_VIEW] = "view", [ACTION_NEVER] = "never",
};

static void put_verdict(const struct app_output *o, struct json_out *to)
{
	const struct app_verdict *v = o->verdict;

	json_put_str(to, "url", o->page->url);
	json_put_str(to, "application", o->scan->library->apps[v->app].id);
	json_put_str(to, "level", v->level ? v->level->id : STR(""));
	json_put_uint(to, "confidence", v->confidence);
}

/* --- the page in one line --- */

static void put_next(const struct crawl_item *i, struct json_out *to)
{
	size_t n = 0;

	json_key(to, STR("next"));
	json_open(to, '[');
	for (size_t k = 0; k < i->n_links && n < NEXT_MAX; k++)
		if (i->links[k].purpose == PURPOSE_NEXT_PAGE) {
			json_add_str(to, i->links[k].url);
			n++;
		}
	json_close(to, ']');
}

static void count_links(const struct app_output *o, const struct crawl_item *i,
			struct json_out *to)
{
	size_t wanted = 0, left_out = 0;

	for (size_t k = 0; k < i->n_links; k++) {
		uint8_t action = o->advice[k].action;

		wanted += action == ACTION_FOLLOW || action == ACTION_NEXT;
		left_out += action == ACTION_VIEW || action == ACTION_NEVER;
	}
	json_put_uint(to, "wanted", wanted);
	json_put_uint(to, "left_out", left_out);
}

static void make_page_line(const struct app_output *o, const struct crawl_item *i,
			   const struct extract_counts *counts, struct buf *to)
{
	struct json_out out = { .to = to };

	json_open(&out, '{');
	put_verdict(o, &out);
	json_put_uint(&out, "objects", counts->objects);
	if (counts->has_total)
		json_put_uint(&out, "total", counts->total);
	put_next(i, &out);
	count_links(o, i, &out);
	json_close(&out, '}');
	buf_add_char(to, '\n');
}

/* --- the augmented document --- */

static void put_evidence(const struct app_output *o, struct json_out *to)
{
	cleanup(buf_release) struct buf text = { 0 };
	size_t n = 0;

	json_key(to, STR("evidence"));
	json_open(to, '[');
	for (size_t k = 0; k < o->scan->n_evidence && n < EVIDENCE_MAX; k++) {
		if (!app_evidence_counts(o->scan, o->verdict, k))
			continue;
		buf_reset(&text);
		app_evidence_format(o->scan, k, &text);
		json_add_str(to, buf_str(&text));
		n++;
	}
	json_close(to, ']');
}

static void put_links(const struct app_output *o, const struct crawl_item *i,
		      struct json_out *to)
{
	cleanup(buf_release) struct buf rule = { 0 };

	json_key(to, STR("links"));
	json_open(to, '[');
	for (size_t k = 0; k < MIN(i->n_links, (size_t)LINKS_MAX); k++) {
		const struct app_advice *a = &o->advice[k];

		if (a->action == ACTION_NONE)
			continue;
		buf_reset(&rule);
		link_rule_format(o->scan->library, a->rule, &rule);
		json_open(to, '{');
		json_put_str(to, "url", i->links[k].url);
		json_put_str(to, "action", str_from(action_names[a->action]));
		if (a->action == ACTION_FOLLOW || a->action == ACTION_NEXT)
			json_put_uint(to, "score", a->score);
		json_put_str(to, "rule", buf_str(&rule));
		json_close(to, '}');
	}
	json_close(to, ']');
}

static void make_augmented(const struct app_output *o, const struct crawl_item *i,
			   const struct extract_counts *counts, struct buf *to)
{
	struct json_out out = { .to = to };

	json_open(&out, '{');
	put_verdict(o, &out);
	put_evidence(o, &out);
	json_key(&out, STR("actions"));
	json_open(&out, '{');
	json_put_uint(&out, "objects_extracted", counts->objects);
	count_links(o, i, &out);
	json_close(&out, '}');
	put_links(o, i, &out);
	json_close(&out, '}');
	buf_add_char(to, '\n');
}

void app_output_keep(const struct app_output *o, struct crawl_item *i)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct extract_counts counts =
		app_extract(o->scan->library, o->verdict, o->page, &text);

	i->objects = arena_copy(&i->arena, buf_str(&text));
	buf_reset(&text);
	make_page_line(o, i, &counts, &text);
	i->app_page = arena_copy(&i->arena, buf_str(&text));
	buf_reset(&text);
	make_augmented(o, i, &counts, &text);
	i->augmented = arena_copy(&i->arena, buf_str(&text));
}
