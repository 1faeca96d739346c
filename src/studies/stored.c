#include "studies/stored.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/encode.h"
#include "base/json.h"
#include "corpus/html_doc.h"
#include "corpus/jsonl.h"
#include "dedup/dedup.h"
#include "os/file.h"
#include "picture/print.h"
#include "states/model.h"

#define PICTURE_BYTES_MAX ((size_t)64 << 20)

enum status stored_init(struct sql *db, struct diag *why)
{
	return sql_run(
		db,
		"CREATE TABLE IF NOT EXISTS recording (task_id BIGINT PRIMARY KEY "
		"REFERENCES task, url TEXT NOT NULL, states BIGINT NOT NULL, transitions "
		"TEXT NOT NULL);"
		"CREATE TABLE IF NOT EXISTS dom (task_id BIGINT NOT NULL REFERENCES "
		"task, "
		"nr BIGINT NOT NULL, json TEXT NOT NULL, screenshot TEXT NOT NULL, "
		"PRIMARY KEY (task_id, nr))",
		NULL, 0, NULL, NULL, why);
}

static struct str number(char *to, size_t n, uint64_t v)
{
	snprintf(to, n, "%" PRIu64, v);
	return str_from(to);
}

static void add_state_json(const struct observation *seen, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '{');
	json_put_str(&o, "url", seen->url);
	json_put_str(&o, "title", seen->title);
	json_put_str(&o, "html", seen->html);
	json_put_str(&o, "text", seen->text);
	json_close(&o, '}');
}

/* Empty when there is none. */
static enum status add_picture(const char *dir, uint32_t nr, struct buf *to,
			       struct diag *why)
{
	cleanup(buf_release) struct buf bytes = { 0 };
	char path[4096];

	snprintf(path, sizeof(path), "%s/overview/screenshots/%u.png", dir, nr);
	if (!file_exists(path))
		return ST_OK;
	TRY(file_load(path, PICTURE_BYTES_MAX, &bytes, why));
	buf_add_base64(to, buf_str(&bytes));
	return ST_OK;
}

static enum status add_states(struct sql *db, struct str id, const struct model *m,
			      const char *dir, struct diag *why)
{
	for (uint32_t i = 0; i < m->state_count; i++) {
		cleanup(buf_release) struct buf json = { 0 }, picture = { 0 };
		char nr[16];

		add_state_json(&m->states[i]->seen, &json);
		TRY(add_picture(dir, i, &picture, why));
		struct str p[] = { id, number(nr, sizeof(nr), i), buf_str(&json),
				   buf_str(&picture) };
		TRY(sql_run(db,
			    "INSERT INTO dom (task_id, nr, json, screenshot) VALUES "
			    "(CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, $4)",
			    p, COUNT(p), NULL, NULL, why));
	}
	return ST_OK;
}

enum status stored_add(struct sql *db, struct str id, struct str url, const char *dir,
		       struct diag *why)
{
	cleanup(model_close) struct model m = { 0 };
	cleanup(buf_release) struct buf transitions = { 0 };
	char states[16];

	TRY(model_load(&m, dir, why));
	for (size_t i = 0; i < m.deed_count; i++)
		if (m.deeds[i].outcome == DEED_DONE)
			buf_addf(&transitions, "%u %u\n", m.deeds[i].state,
				 m.deeds[i].to);
	struct str p[] = { id, url, number(states, sizeof(states), m.state_count),
			   buf_str(&transitions) };
	TRY(sql_run(db,
		    "INSERT INTO recording (task_id, url, states, transitions) VALUES "
		    "(CAST($1 AS BIGINT), $2, CAST($3 AS BIGINT), $4)",
		    p, COUNT(p), NULL, NULL, why));
	return add_states(db, id, &m, dir, why);
}

/* --- back again --- */

struct loading {
	struct sample_set *set;
	struct str last; /* task of the last site */
	struct arena a;
	struct diag *why;
};

static void add_transitions(struct sample_set *s, struct str lines)
{
	struct sample_site *site = &s->sites[s->site_count - 1];
	struct str count = lines, line;
	size_t n = 0;

	while (str_take_line(&count, &line))
		n++;
	site->transitions = arena_alloc(&s->bytes, (n + 1) * sizeof(*site->transitions));
	for (size_t i = 0; str_take_line(&lines, &line); i++) {
		uint64_t from, to;

		if (!str_take_uint(&line, UINT32_MAX, &from) ||
		    !str_take_char(&line, ' ') || !str_take_uint(&line, UINT32_MAX, &to))
			continue;
		site->transitions[site->transition_count++] =
			(struct transition){ (uint32_t)from, (uint32_t)to, (uint32_t)i };
	}
}

static void add_print(struct sample_set *s, struct sample *one, struct str base64)
{
	cleanup(buf_release) struct buf bytes = { .limit = PICTURE_BYTES_MAX };
	cleanup(grey_picture_release) struct grey_picture grey = { 0 };
	struct diag ignored;

	/* One that cannot be read is as good as none. */
	if (base64.n == 0 || buf_add_unbase64(&bytes, base64) != ST_OK ||
	    png_read(buf_str(&bytes), &grey, &ignored) != ST_OK)
		return;
	struct picture_print *print = arena_alloc(&s->bytes, sizeof(*print));
	*print = picture_print(&grey);
	one->doc.picture = print;
}

/* task, url, transitions, nr, json, screenshot. */
static enum status load_row(void *ctx, const struct sql_row *row)
{
	struct loading *l = ctx;
	cleanup(buf_release) struct buf scratch = { 0 }, name = { 0 };
	struct jsonl_want w[] = { { .name = STR("html") }, { .name = STR("text") } };
	struct corpus_options how = sample_reading(false);
	struct corpus_work work = { 0 };
	struct corpus_doc d = { 0 };

	if (!str_eq(l->last, row->v[0])) {
		l->last = arena_copy(&l->a, row->v[0]);
		samples_add_site(l->set, row->v[1]);
		add_transitions(l->set, row->v[2]);
	}
	if (l->set->sites[l->set->site_count - 1].n >= SITE_SAMPLES_MAX)
		return diag_fail(l->why, ST_TOO_LARGE, STR_FMT ": more than %d states",
				 STR_ARG(row->v[1]), SITE_SAMPLES_MAX);
	TRY(jsonl_read(row->v[4], w, COUNT(w), &scratch, l->why));
	html_doc_read(&how, w[0].value, STR("text/html"), &work, &d);
	struct document doc = dedup_document(&d);
	doc.text = w[1].value;
	buf_addf(&name, "state" STR_FMT, STR_ARG(row->v[3]));
	struct sample *one = samples_add(l->set, buf_str(&name), w[0].value, &doc);
	add_print(l->set, one, row->v[5]);
	corpus_work_release(&work);
	return ST_OK;
}

static const char *const select_states =
	"SELECT r.task_id, r.url, r.transitions, d.nr, d.json, d.screenshot FROM "
	"recording "
	"r JOIN dom d ON d.task_id = r.task_id JOIN task t ON t.id = r.task_id WHERE "
	"t.namespace = $1 ORDER BY r.task_id, d.nr";

/* A transition to a state that is not there would be followed out of bounds. */
static enum status check_transitions(const struct sample_set *s, struct diag *why)
{
	for (size_t k = 0; k < s->site_count; k++)
		for (size_t i = 0; i < s->sites[k].transition_count; i++)
			if (s->sites[k].transitions[i].from >= s->sites[k].n ||
			    s->sites[k].transitions[i].to >= s->sites[k].n)
				return diag_fail(why, ST_CORRUPT,
						 STR_FMT ": its states are not all there",
						 STR_ARG(s->sites[k].name));
	return ST_OK;
}

enum status stored_load(struct sql *db, struct str name_space, struct sample_set *ret,
			struct diag *why)
{
	struct loading l = { .set = ret, .why = why };
	enum status st = sql_run(db, select_states, &name_space, 1, load_row, &l, why);

	arena_release(&l.a);
	if (st == ST_OK)
		st = check_transitions(ret, why);
	if (st == ST_OK && ret->n == 0)
		st = diag_fail(why, ST_NOT_FOUND, "nothing is recorded yet");
	return st;
}

struct saving {
	const char *dir;
	struct str last;
	struct arena a;
	struct buf lines;
	size_t sites, states;
	struct diag *why;
};

static enum status save_lines(struct saving *s)
{
	char path[4096];

	if (s->sites == 0)
		return ST_OK;
	snprintf(path, sizeof(path), "%s/%zu-states.jsonl", s->dir, s->sites);
	TRY(file_save(path, buf_str(&s->lines), s->why));
	buf_reset(&s->lines);
	return ST_OK;
}

static enum status save_picture(struct saving *s, struct str nr, struct str base64,
				struct buf *ret_name)
{
	cleanup(buf_release) struct buf bytes = { .limit = PICTURE_BYTES_MAX };
	char path[4096];

	if (base64.n == 0 || buf_add_unbase64(&bytes, base64) != ST_OK)
		return ST_OK;
	buf_addf(ret_name, "%zu/" STR_FMT ".png", s->sites, STR_ARG(nr));
	snprintf(path, sizeof(path), "%s/%zu", s->dir, s->sites);
	TRY(dir_make(path, s->why));
	snprintf(path, sizeof(path), "%s/%s", s->dir, buf_cstr(ret_name));
	return file_save(path, buf_str(&bytes), s->why);
}

static enum status save_row(void *ctx, const struct sql_row *row)
{
	struct saving *s = ctx;
	cleanup(buf_release) struct buf scratch = { 0 }, name = { 0 }, picture = { 0 };
	struct jsonl_want w[] = { { .name = STR("html") }, { .name = STR("url") } };
	struct json_out o = { .to = &s->lines };

	if (!str_eq(s->last, row->v[0])) {
		TRY(save_lines(s));
		s->last = arena_copy(&s->a, row->v[0]);
		s->sites++;
	}
	TRY(jsonl_read(row->v[4], w, COUNT(w), &scratch, s->why));
	TRY(save_picture(s, row->v[3], row->v[5], &picture));
	buf_addf(&name, "state" STR_FMT, STR_ARG(row->v[3]));
	json_open(&o, '{');
	json_put_str(&o, "state", buf_str(&name));
	json_put_str(&o, "url", w[1].value);
	if (picture.n)
		json_put_str(&o, "screenshot", buf_str(&picture));
	json_put_str(&o, "html", w[0].value);
	json_close(&o, '}');
	buf_add_char(&s->lines, '\n');
	s->states++;
	return ST_OK;
}

enum status stored_save(struct sql *db, struct str name_space, const char *dir,
			size_t *ret_states, struct diag *why)
{
	struct saving s = { .dir = dir, .why = why };
	enum status st = dir_make(dir, why);

	if (st == ST_OK)
		st = sql_run(db, select_states, &name_space, 1, save_row, &s, why);
	if (st == ST_OK)
		st = save_lines(&s);
	arena_release(&s.a);
	buf_release(&s.lines);
	if (st == ST_OK)
		*ret_states = s.states;
	return st;
}
