#include "overview/overview.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "overview/features.h"
#include "overview/files.h"
#include "overview/layout.h"

#define CONTENT_STATES_MAX \
	3000 /* beyond, the matrix would be larger than the page is worth */

const char *explore_end_name(enum explore_end end)
{
	static const char *const names[] = { "EXHAUSTED", "MAX_STATES", "MAX_TIME",
					     "STOPPED",   "MAX_EVENTS", "ENOUGH",
					     "ERROR" };

	return names[end];
}

static void add_paths(const struct model *m, struct feature_names *names,
		      struct json_out *o)
{
	uint64_t *ids = NULL, *scratch = NULL;
	size_t cap = 0, scratch_cap = 0;

	json_key(o, STR("paths"));
	json_open(o, '[');
	for (size_t i = 0; i < m->state_count; i++) {
		const struct identity *id = &m->states[i]->identity;

		VEC_RESERVE(ids, cap, id->path_count);
		VEC_RESERVE(scratch, scratch_cap, id->path_count);
		for (size_t k = 0; k < id->path_count; k++)
			ids[k] = feature_id(names, id->paths[k]);
		sort_u64(ids, scratch, id->path_count);
		json_open(o, '[');
		for (size_t k = 0; k < id->path_count; k++)
			json_add_uint(o, ids[k]);
		json_close(o, ']');
	}
	json_close(o, ']');
	free(ids);
	free(scratch);
}

static void add_content(const struct model *m, struct json_out *o)
{
	json_key(o, STR("content"));
	json_open(o, '[');
	for (uint32_t i = 1; i < m->state_count && m->state_count <= CONTENT_STATES_MAX;
	     i++)
		for (uint32_t j = 0; j < i; j++)
			json_add_double(o, model_distance(m, j, i).of_content);
	json_close(o, ']');
	json_put_double(o, "contentMax",
			m->content.method->smaller_is_nearer ? CONTENT_FARTHEST : 1);
}

static void add_states(const struct model *m, struct json_out *o)
{
	json_key(o, STR("states"));
	json_open(o, '[');
	for (size_t i = 0; i < m->state_count; i++) {
		const struct raw_state *s = m->states[i];

		json_open(o, '{');
		json_put_str(o, "url", s->seen.url);
		json_put_str(o, "title", s->seen.title);
		json_put_str(o, "problems", s->problems);
		json_put_bool(o, "unreachable", s->unreachable);
		json_close(o, '}');
	}
	json_close(o, ']');
}

/* [state, candidate, event, text, element, outcome, why, box] */
static void add_action(const struct model *m, const struct deed *d, struct json_out *o)
{
	const struct candidate *c = &m->states[d->state]->seen.candidates[d->candidate];

	json_open(o, '[');
	json_add_uint(o, d->state);
	json_add_uint(o, d->candidate);
	json_add_str(o, event_name((enum event_kind)d->event));
	json_add_str(o, c->text);
	json_add_str(o, c->css);
	json_add_str(o, str_from(deed_outcome_name(d->outcome)));
	json_add_str(o, d->why);
	json_open(o, '[');
	for (int i = 0; i < 4; i++)
		json_add_int(o, c->box[i]);
	json_close(o, ']');
	json_close(o, ']');
}

static void add_transitions(const struct model *m, struct json_out *o)
{
	json_key(o, STR("actions"));
	json_open(o, '[');
	for (size_t i = 0; i < m->deed_count; i++)
		add_action(m, &m->deeds[i], o);
	json_close(o, ']');
	json_key(o, STR("transitions"));
	json_open(o, '[');
	for (size_t i = 0; i < m->deed_count; i++) {
		if (m->deeds[i].outcome != DEED_DONE)
			continue;
		json_open(o, '[');
		json_add_uint(o, m->deeds[i].state);
		json_add_uint(o, m->deeds[i].to);
		json_add_uint(o, i);
		json_close(o, ']');
	}
	json_close(o, ']');
}

static void add_places(const struct model *m, struct json_out *o)
{
	struct transition *all = xcalloc(m->deed_count, sizeof(*all));
	struct place *places = xcalloc(m->state_count, sizeof(*places));
	size_t n = 0;

	for (size_t i = 0; i < m->deed_count; i++)
		if (m->deeds[i].outcome == DEED_DONE)
			all[n++] = (struct transition){ m->deeds[i].state, m->deeds[i].to,
							0 };
	layout_graph(m->state_count, all, n, places);
	json_key(o, STR("places"));
	json_open(o, '[');
	for (size_t i = 0; i < m->state_count; i++) {
		json_open(o, '[');
		json_add_double(o, places[i].x);
		json_add_double(o, places[i].y);
		json_close(o, ']');
	}
	json_close(o, ']');
	free(all);
	free(places);
}

static void add_features(const struct feature_names *names, struct json_out *o)
{
	json_key(o, STR("features"));
	json_open(o, '[');
	for (uint32_t i = 0; i < names->names.n; i++)
		json_add_str(o, intern_str(&names->names, i));
	json_close(o, ']');
}

void overview_add_data(const struct model *m, const struct overview_facts *f,
		       struct buf *to)
{
	cleanup(feature_names_release) struct feature_names names = { 0 };
	struct json_out o = { .to = to };

	for (size_t i = 0; i < m->state_count; i++)
		feature_names_add(&names, m->states[i]->seen.html);
	json_open(&o, '{');
	json_put_str(&o, "url", f->url);
	json_put_str(&o, "settings", f->settings);
	json_put_str(&o, "end", str_from(explore_end_name(f->end)));
	json_put_uint(&o, "width", f->width);
	json_put_uint(&o, "height", f->height);
	json_put_bool(&o, "pictures", f->pictures);
	json_key(&o, STR("thresholds"));
	json_open(&o, '[');
	json_add_double(&o, m->simulation.thresholds.of_template);
	json_add_double(&o, m->simulation.thresholds.of_content);
	json_close(&o, ']');
	add_paths(m, &names, &o);
	add_features(&names, &o);
	add_content(m, &o);
	add_states(m, &o);
	add_transitions(m, &o);
	add_places(m, &o);
	json_close(&o, '}');
}

/* Inside <script> the text "</" would end it; JSON may write it "<\/". */
static void add_script_safe(struct buf *to, struct str json)
{
	size_t at;

	while ((at = str_find(json, STR("<"))) != STR_NONE) {
		buf_add(to, str_slice(json, 0, at));
		buf_add(to, STR("\\u003c"));
		json = str_skip(json, at + 1);
	}
	buf_add(to, json);
}

static void fill_page(struct str data, struct buf *to)
{
	struct str page = overview_index, name;
	size_t at;

	while ((at = str_find_char(page, '@')) != STR_NONE) {
		buf_add(to, str_slice(page, 0, at));
		page = str_skip(page, at + 1);
		if (!str_take_until(&page, '@', &name))
			break;
		if (str_eq(name, STR("CSS")))
			buf_add(to, overview_css);
		else if (str_eq(name, STR("DATA")))
			add_script_safe(to, data);
		else if (str_eq(name, STR("SIMULATE")))
			buf_add(to, overview_simulate);
		else
			buf_add(to, overview_script);
	}
	buf_add(to, page);
}

static enum status write_doms(const struct model *m, struct diag *why)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/overview/doms", m->dir);
	TRY(dir_make(path, why));
	/* Of what was merged, too: whoever turns the slider back wants to see it. */
	for (uint32_t nr = 0; nr < m->state_count; nr++) {
		snprintf(path, sizeof(path), "%s/overview/doms/%u.html", m->dir, nr);
		if (!file_exists(path))
			TRY(file_save(path, m->states[nr]->seen.html, why));
	}
	return ST_OK;
}

enum status overview_write(const struct model *m, const struct overview_facts *f,
			   struct diag *why)
{
	cleanup(buf_release) struct buf data = { 0 }, page = { 0 };
	char path[4096];

	overview_add_data(m, f, &data);
	fill_page(buf_str(&data), &page);
	TRY(buf_status(&page));
	TRY(write_doms(m, why));
	snprintf(path, sizeof(path), "%s/overview/index.html", m->dir);
	TRY(file_save(path, buf_str(&page), why));
	TRY(overview_write_skipped(m, why));
	return overview_export(m, f, why);
}
