#include "studies/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "dedup/preset.h"
#include "method/method.h"
#include "os/file.h"
#include "states/model.h"
#include "studies/record.h"

#define LIKE_NONE 0.3 /* below this mean of both similarities */

/* What the preset says instead. */
static bool is_of_detection(struct str name)
{
	static const struct str names[] = {
		STR("url"),    STR("threshold"),  STR("content-threshold"),
		STR("method"), STR("size"),       STR("pieces"),
		STR("strip"),  STR("max-visits"), STR("enough")
	};

	for (size_t i = 0; i < COUNT(names); i++)
		if (str_eq(name, names[i]))
			return true;
	return false;
}

/* The settings of a recording as name=value lines, and its address. */
static enum status recorded_settings(const char *dir, struct buf *lines, struct buf *url,
				     struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };
	struct json *settings = NULL;

	TRY(model_settings(dir, &text, why));
	TRY(json_parse(buf_str(&text), &settings, why));
	buf_add(url, json_str(json_get(settings, "url")));
	for (const struct json *m = json_first(settings); m; m = json_next(m)) {
		struct str name = json_name(m), value = json_str(m);

		if (value.n && !is_of_detection(name))
			buf_addf(lines, STR_FMT "=" STR_FMT "\n", STR_ARG(name),
				 STR_ARG(value));
	}
	json_release(&settings);
	return ST_OK;
}

/* As the crawl's own report has it. */
static uint64_t duration_of(const char *dir)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	struct json *result = NULL;
	struct diag ignored;
	uint64_t ms = 0;

	if (file_load(path_join(&a, dir, STR("overview/result.json")), (size_t)1 << 28,
		      &text, &ignored) != ST_OK ||
	    json_parse(buf_str(&text), &result, &ignored) != ST_OK)
		return 0;
	ms = (uint64_t)json_number(json_get(json_get(result, "statistics"), "duration"),
				   0);
	json_release(&result);
	return ms;
}

/* --- whose bin a new state is --- */

struct judge {
	const struct method *paths, *words;
	struct feature_options one_word;
};

static void make_prints(const struct judge *j, const struct sample *s, struct buf *paths,
			struct buf *words)
{
	method_fingerprint(j->paths, &s->doc, NULL, paths);
	method_fingerprint(j->words, &s->doc, &j->one_word, words);
}

static double alike(const struct judge *j, const struct sample *a, const struct sample *b)
{
	cleanup(buf_release) struct buf p = { 0 }, q = { 0 }, u = { 0 }, v = { 0 };
	double paths, words;

	make_prints(j, a, &p, &u);
	make_prints(j, b, &q, &v);
	if (method_measure(j->paths, buf_str(&p), buf_str(&q), &paths) != ST_OK ||
	    !isfinite(paths))
		paths = 0;
	if (method_measure(j->words, buf_str(&u), buf_str(&v), &words) != ST_OK ||
	    !isfinite(words)) /* too few words to compare */
		words = str_eq(a->doc.text, b->doc.text);
	return (paths + words) / 2;
}

static uint32_t find_bin(const struct judge *j, const struct sample_set *s, size_t site,
			 const struct sample *one)
{
	const struct sample_site *at = &s->sites[site];
	double most = LIKE_NONE;
	uint32_t bin = SAMPLE_NO_BIN;

	for (uint32_t i = 0; i < at->n; i++) {
		const struct sample *other = &s->v[at->first + i];

		if (other->bin == SAMPLE_NO_BIN)
			continue;
		if (str_eq(other->html, one->html) &&
		    str_eq(other->doc.text, one->doc.text))
			return other->bin;
		double x = alike(j, other, one);
		if (x > most) {
			most = x;
			bin = other->bin;
		}
	}
	return bin;
}

static enum status judge_site(const struct sample_set *s, size_t site, const char *dir,
			      struct live_result *add_to, struct diag *why)
{
	cleanup(model_close) struct model m = { 0 };
	cleanup(samples_release) struct sample_set found = { 0 };
	struct judge j = { .paths = method_find(STR("tag-paths")),
			   .words = method_find(STR("jaccard")) };
	uint32_t *in_bin = xcalloc(s->sites[site].bins + 1, sizeof(*in_bin));
	enum status st = samples_add_recording(&found, dir, false, why);

	j.one_word = j.words->features;
	j.one_word.size = 1;
	if (st == ST_OK)
		st = model_load(&m, dir, why);
	for (size_t i = 0; st == ST_OK && i < m.simulation.kept_count; i++) {
		uint32_t bin = find_bin(&j, s, site, &found.v[m.simulation.kept[i]]);

		add_to->states++;
		if (bin == SAMPLE_NO_BIN)
			add_to->unmatched++;
		else
			in_bin[bin]++;
	}
	for (uint32_t b = 0; st == ST_OK && b < s->sites[site].bins; b++) {
		add_to->bins++;
		add_to->missed += in_bin[b] == 0;
		add_to->duplicates += in_bin[b] > 1 ? in_bin[b] - 1 : 0;
	}
	free(in_bin);
	return st;
}

/* --- crawls --- */

static enum status save_preset(const struct swept_detector *w, size_t point,
			       const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf text = { 0 };

	preset_format(w->detector->method, &w->detector->features, w->v[point].threshold,
		      STR("of a live crawl"), &text);
	return file_save(path, buf_str(&text), why);
}

static enum status crawl_site(const char *recording, const char *preset, const char *dir,
			      const bool *stop, struct diag *why)
{
	cleanup(buf_release) struct buf lines = { 0 }, url = { 0 };

	TRY(recorded_settings(recording, &lines, &url, why));
	buf_addf(&lines, "preset=%s\n", preset);
	TRY(dir_remove(dir, why));
	return record_site(&(struct record_options){ .url = buf_str(&url),
						     .own = buf_str(&lines),
						     .dir = dir,
						     .plain = true,
						     .stop = stop },
			   why);
}

enum status live_run(const struct sample_set *s, const struct swept_detector *w,
		     size_t point, const char *dir, const bool *stop,
		     struct live_result *ret, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct live_result r = { 0 };
	char *preset = path_join(&a, dir, STR("preset"));

	TRY(dir_make(dir, why));
	TRY(save_preset(w, point, preset, why));
	for (size_t i = 0; i < s->site_count; i++) {
		cleanup(buf_release) struct buf recording = { 0 }, name = { 0 };

		buf_add(&recording, s->sites[i].name);
		if (!samples_is_recording(buf_cstr(&recording)))
			return diag_fail(why, ST_UNSUPPORTED,
					 "%s is no recording: only a recorded site can "
					 "be crawled again",
					 buf_cstr(&recording));
		buf_addf(&name, "%zu", i + 1);
		char *crawl = path_join(&a, dir, buf_str(&name));
		TRY(crawl_site(buf_cstr(&recording), preset, crawl, stop, why));
		TRY(judge_site(s, i, crawl, &r, why));
		r.duration_ms += duration_of(crawl);
		r.recording_ms += duration_of(buf_cstr(&recording));
	}
	*ret = r;
	return ST_OK;
}

double live_speed(const struct live_result *r)
{
	if (!r->duration_ms || !r->recording_ms)
		return NAN;
	return 100 * (1 - (double)r->duration_ms / (double)r->recording_ms);
}
