/* recording.c - a crawl of `thresh states` as a site: raw states and transitions. */
#include <stdio.h>

#include "base/alloc.h"
#include "calibrate/samples.h"
#include "corpus/html_doc.h"
#include "dedup/dedup.h"
#include "os/file.h"
#include "states/model.h"

#define LABELS_NAME "labels.tsv"

bool samples_is_recording(const char *dir)
{
	cleanup(arena_release) struct arena a = { 0 };

	return file_exists(path_join(&a, dir, STR("states/0.json"))) &&
	       dir_exists(path_join(&a, dir, STR("state/log")));
}

/* Links and tag paths as of any page; the text is what the browser showed. */
static void add_state(struct sample_set *s, const char *dir, uint32_t nr,
		      const struct observation *seen)
{
	struct corpus_options how = sample_reading(false);
	struct corpus_work work = { 0 };
	struct corpus_doc d = { 0 };
	char name[32], picture[4096];

	snprintf(name, sizeof(name), nr ? "state%u" : "index", nr);
	html_doc_read(&how, seen->html, STR("text/html"), &work, &d);
	struct document doc = dedup_document(&d);
	struct diag why;
	doc.text = seen->text;
	struct sample *one = samples_add(s, str_from(name), seen->html, &doc);
	snprintf(picture, sizeof(picture), "%s/overview/screenshots/%u.png", dir, nr);
	/* One that cannot be read is as good as none. */
	if (file_exists(picture) && samples_add_picture(s, one, picture, &why) != ST_OK)
		one->picture = (struct str){ 0 };
	corpus_work_release(&work);
}

static void add_transitions(struct sample_set *s, const struct model *m)
{
	struct sample_site *site = &s->sites[s->site_count - 1];

	site->transitions =
		arena_alloc(&s->bytes, (m->deed_count + 1) * sizeof(*site->transitions));
	for (size_t i = 0; i < m->deed_count; i++)
		if (m->deeds[i].outcome == DEED_DONE)
			site->transitions[site->transition_count++] =
				(struct transition){ m->deeds[i].state, m->deeds[i].to,
						     (uint32_t)i };
}

/* A bin per state that the crawl kept; what it never met belongs nowhere. */
static void add_own_bins(struct sample_set *s, const struct model *m)
{
	struct sample_site *site = &s->sites[s->site_count - 1];

	for (uint32_t k = 0; k < m->simulation.kept_count; k++)
		for (uint32_t i = 0; i < site->n; i++)
			if (i < m->simulation.raw_count &&
			    m->simulation.absorbed_by[i] == m->simulation.kept[k])
				s->v[site->first + i].bin = k;
	site->bins = (uint32_t)m->simulation.kept_count;
}

enum status samples_add_recording(struct sample_set *s, const char *dir, bool own_bins,
				  struct diag *why)
{
	cleanup(model_close) struct model m = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf labels = { 0 };
	char *path = path_join(&a, dir, STR(LABELS_NAME));

	TRY(model_load(&m, dir, why));
	if (m.state_count > SITE_SAMPLES_MAX)
		return diag_fail(why, ST_TOO_LARGE, "%s: more than %d states", dir,
				 SITE_SAMPLES_MAX);
	samples_add_site(s, str_from(dir));
	for (uint32_t i = 0; i < m.state_count; i++)
		add_state(s, dir, i, &m.states[i]->seen);
	add_transitions(s, &m);
	if (!file_exists(path)) {
		if (own_bins)
			add_own_bins(s, &m);
		return ST_OK;
	}
	TRY(file_load(path, (size_t)1 << 24, &labels, why));
	return samples_add_labels(s, s->site_count - 1, buf_str(&labels), why);
}
