#include "annotate/opinions_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/json.h"

#define FILE_LIMIT ((size_t)256 << 20)

const char *const said_words[] = {
	[SAID_NEAR] = "near",
	[SAID_DIFFERENT] = "different",
	[SAID_UNSURE] = "unsure",
};

static void index_names(struct opinions_file *f)
{
	cleanup(buf_release) struct buf key = { 0 };

	/* Ids are dense and in this order, so an id is the number of a sample. */
	for (size_t s = 0; s < f->set->site_count; s++)
		for (uint32_t i = 0; i < f->set->sites[s].n; i++) {
			uint32_t at = f->set->sites[s].first + i;

			buf_reset(&key);
			buf_addf(&key, STR_FMT "\t" STR_FMT,
				 STR_ARG(f->set->sites[s].name),
				 STR_ARG(f->set->v[at].name));
			while (intern_add(&f->names, buf_str(&key)) < at)
				buf_add(&key, STR("'")); /* a name that occurs twice */
		}
}

static bool find_sample(const struct opinions_file *f, const struct json *v,
			uint32_t *ret)
{
	*ret = intern_find(&f->names, json_str(v));
	return *ret != INTERN_NONE && *ret < f->set->n;
}

static void read_line(struct opinions_file *f, struct opinions *to, struct str line)
{
	struct json *v;
	uint32_t a, b;

	if (json_parse(line, &v, NULL) != ST_OK)
		return;
	struct str who = json_str(json_get(v, "annotator")),
		   said = json_str(json_get(v, "said"));
	uint32_t annotator = intern_add(&to->annotators, who);
	if (json_bool(json_get(v, "undo"), false))
		opinions_undo(to, annotator);
	else if (find_sample(f, json_get(v, "a"), &a) &&
		 find_sample(f, json_get(v, "b"), &b) && a != b) {
		for (enum said i = SAID_NEAR; i <= SAID_UNSURE; i++)
			if (str_eq(said, str_from(said_words[i])))
				opinions_add(to, annotator, a, b, i);
	} else {
		f->unknown++;
	}
	json_release(&v);
}

enum status opinions_open(struct opinions_file *f, const char *dir,
			  const struct sample_set *set, struct opinions *to,
			  struct diag *why)
{
	cleanup(arena_release) struct arena bytes = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	const char *path = path_join(&bytes, dir, STR("annotations.jsonl"));
	struct str rest, line;

	*f = (struct opinions_file){ .set = set };
	index_names(f);
	TRY(dir_make(dir, why));
	f->labels = strdup(path_join(&bytes, dir, STR("labels.tsv")));
	if (file_exists(path))
		TRY(file_load(path, FILE_LIMIT, &text, why));
	/* Only whole lines were acknowledged. */
	while (text.n > 0 && text.p[text.n - 1] != '\n')
		text.n--;
	rest = buf_str(&text);
	while (str_take_line(&rest, &line))
		read_line(f, to, line);
	TRY(file_open(&f->file, path, FILE_UPDATE, why));
	TRY(file_lock(&f->file, why));
	TRY(file_truncate(&f->file, text.n, why));
	return ST_OK;
}

void opinions_close(struct opinions_file *f)
{
	file_close(&f->file);
	free(f->labels);
	intern_release(&f->names);
	*f = (struct opinions_file){ 0 };
}

void opinions_add_labels(const struct opinions *s, const struct sample_set *set,
			 struct buf *to)
{
	struct pair_answer p;

	for (size_t at = 0; opinions_next_decided(s, &at, &p);)
		buf_addf(to, "%c\t" STR_FMT "\t" STR_FMT "\n",
			 p.said == SAID_NEAR ? '1' : '2', STR_ARG(set->v[p.a].name),
			 STR_ARG(set->v[p.b].name));
}

/* The labels can be made again from the answers, so that they only follow. */
static enum status write_labels(const struct opinions_file *f, const struct opinions *s,
				struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };

	opinions_add_labels(s, f->set, &text);
	return file_replace(f->labels, buf_str(&text), why);
}

static enum status append(struct opinions_file *f, struct str line, struct diag *why)
{
	TRY(file_write(&f->file, line, why));
	return file_sync(&f->file, why);
}

enum status opinions_say(struct opinions_file *f, struct opinions *s,
			 const struct pair_answer *p, int64_t now_ms, struct diag *why)
{
	cleanup(buf_release) struct buf line = { 0 }, at = { 0 };
	struct json_out o = { .to = &line };

	buf_add_date_iso(&at, now_ms, false);
	json_open(&o, '{');
	json_put_str(&o, "annotator", intern_str(&s->annotators, p->annotator));
	json_put_str(&o, "a", intern_str(&f->names, p->a));
	json_put_str(&o, "b", intern_str(&f->names, p->b));
	json_put_str(&o, "said", str_from(said_words[p->said]));
	json_put_str(&o, "at", buf_str(&at));
	json_close(&o, '}');
	buf_add(&line, STR("\n"));
	TRY(append(f, buf_str(&line), why));
	opinions_add(s, p->annotator, p->a, p->b, (enum said)p->said);
	return write_labels(f, s, why);
}

enum status opinions_take_back(struct opinions_file *f, struct opinions *s,
			       uint32_t annotator, struct diag *why)
{
	cleanup(buf_release) struct buf line = { 0 };
	struct json_out o = { .to = &line };

	if (opinions_of(s, annotator) == 0)
		return diag_fail(why, ST_NOT_FOUND, "there is no answer to take back");
	json_open(&o, '{');
	json_put_str(&o, "annotator", intern_str(&s->annotators, annotator));
	json_put_bool(&o, "undo", true);
	json_close(&o, '}');
	buf_add(&line, STR("\n"));
	TRY(append(f, buf_str(&line), why));
	opinions_undo(s, annotator);
	return write_labels(f, s, why);
}
