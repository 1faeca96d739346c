/* online_files.c - the rules of a crawl, on disk between runs and open to people. */
#include <stdlib.h>

#include "base/alloc.h"
#include "dust/rule_file.h"
#include "dust/shipped.h"
#include "online/online_internal.h"
#include "os/file.h"

static const struct str own_file = STR("learned.rules");

static enum status load_file(struct dust_online *o, const char *path, bool foreign,
			     struct diag *why)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };

	TRY(rules_load(path, &rules, why));
	for (size_t i = 0; i < rules.n; i++) {
		const struct rule *r = &rules.v[i];
		struct site *s = NULL;

		if (!foreign && !r->universal && r->n_sites > 0) {
			cleanup(buf_release) struct buf url = { 0 };

			buf_addf(&url, "http://" STR_FMT "/", STR_ARG(r->sites[0]));
			s = online_site(o, buf_str(&url));
		}
		uint32_t nr = online_add_rule(o, s, r, foreign);
		o->notes[nr].written = true;
	}
	return ST_OK;
}

static void rebuild_all(struct dust_online *o)
{
	online_rebuild_general(o);
	for (size_t i = 0; i < o->names.n; i++)
		online_rebuild(o, o->sites[i]);
}

/* 0 when there is no file. */
static uint64_t file_hash(const char *path)
{
	cleanup(buf_release) struct buf text = BUF(RULE_FILE_BYTES_MAX);

	if (file_load(path, RULE_FILE_BYTES_MAX, &text, NULL) != ST_OK)
		return 0;
	return hash64(buf_str(&text)) | 1;
}

static bool has_general(const struct dust_online *o, struct str text)
{
	for (size_t i = 0; i < o->n_general; i++)
		if (str_eq(o->all.v[o->general_rules[i]].text, text))
			return true;
	return false;
}

/* Whatever a file says of a rule, also that it is off, goes before what ships. */
static enum status add_shipped(struct dust_online *o, struct diag *why)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };

	if (!o->o.shipped)
		return ST_OK;
	TRY(rules_parse(shipped_rules, &rules, why));
	for (size_t i = 0; i < rules.n; i++) {
		if (has_general(o, rules.v[i].text))
			continue;
		rules.v[i].state = RULE_PROBATION;
		online_add_rule(o, NULL, &rules.v[i], false);
	}
	return ST_OK;
}

/* A site's rule of the same text as a general one is its trial of that. */
static void link_instances(struct dust_online *o)
{
	for (size_t i = 0; i < o->all.n; i++)
		for (size_t g = 0; o->notes[i].site != SITE_GENERAL && g < o->n_general;
		     g++)
			if (str_eq(o->all.v[i].text, o->all.v[o->general_rules[g]].text))
				o->notes[i].general = o->general_rules[g];
}

static enum status load_folder(struct dust_online *o, const char *dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list list = { 0 };
	char *own = path_join(&a, dir, own_file);

	if (!dir_exists(dir))
		return ST_OK;
	TRY(dir_list(dir, STR(".rules"), &a, &list, why));
	for (size_t i = 0; i < list.n; i++)
		if (!str_eq(list.v[i], own_file))
			TRY(load_file(o, path_join(&a, dir, list.v[i]), true, why));
	if (file_exists(own)) {
		TRY(load_file(o, own, false, why));
		o->file_mark = file_hash(own);
	}
	return ST_OK;
}

/* Other people's files first, in the order of their names; then ours; then what ships. */
enum status dust_online_load(struct dust_online *o, const char *dir, struct diag *why)
{
	TRY(load_folder(o, dir, why));
	TRY(add_shipped(o, why));
	link_instances(o);
	rebuild_all(o);
	o->dirty = false;
	return ST_OK;
}

static const struct rule *find_text(const struct rule_set *s, const struct rule *r)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].universal == r->universal && str_eq(s->v[i].text, r->text) &&
		    (r->universal || r->n_sites == 0 || s->v[i].n_sites == 0 ||
		     str_eq(s->v[i].sites[0], r->sites[0])))
			return &s->v[i];
	return NULL;
}

/*
 * What ships is written once there is something to say of it, and a site's trial of a
 * general rule only while that decides anything.
 */
static bool is_written(const struct dust_online *o, uint32_t nr)
{
	const struct rule *r = &o->all.v[nr];
	const struct rule_note *n = &o->notes[nr];

	if (n->foreign)
		return n->general == RULE_NONE;
	if (n->general != RULE_NONE)
		return !rule_is_active(r) ||
		       (r->evidence.probes > 0 &&
			o->all.v[n->general].state != RULE_CONFIRMED);
	return n->site != SITE_GENERAL || r->state != RULE_PROBATION ||
	       r->evidence.frequency > 0;
}

/* A person does not want it: what it skipped returns. */
static void disable(struct dust_online *o, uint32_t nr)
{
	o->all.v[nr].state = RULE_DISABLED;
	if (o->notes[nr].site != SITE_GENERAL)
		online_return(o, &(struct returning){ .rule = nr });
	for (uint32_t i = 0; i < o->all.n; i++)
		if (o->notes[i].general == nr && rule_is_active(&o->all.v[i]))
			disable(o, i);
}

/* A rule that is gone from the file, or whose state a person changed, changes here. */
static void take_states(struct dust_online *o, const struct rule_set *file, bool foreign)
{
	for (uint32_t i = 0; i < o->all.n; i++) {
		struct rule *r = &o->all.v[i];

		if (o->notes[i].foreign != foreign || !o->notes[i].written)
			continue;
		const struct rule *f = find_text(file, r);
		if (f && r->state == RULE_DISABLED)
			r->state = f->state;
		else if (r->state != RULE_DISABLED && (!f || f->state == RULE_DISABLED))
			disable(o, i);
	}
}

/* New ones are a person's, whatever the file; one that ships becomes his. */
static void take_over(struct dust_online *o, const struct rule_set *file, bool foreign)
{
	take_states(o, file, foreign);
	for (size_t i = 0; i < file->n; i++) {
		const struct rule *known = find_text(&o->all, &file->v[i]);
		uint32_t nr = known ? (uint32_t)(known - o->all.v) : RULE_NONE;

		if (!known)
			nr = online_add_rule(o, NULL, &file->v[i], true);
		else if (foreign && !o->notes[nr].foreign && known->universal)
			o->all.v[nr].state = file->v[i].state;
		else
			continue;
		o->notes[nr].foreign = true;
		o->notes[nr].written = foreign;
	}
}

static enum status reload_own(struct dust_online *o, const char *own, struct diag *why)
{
	cleanup(rule_set_release) struct rule_set file = { 0 };
	uint64_t mark = file_hash(own);

	/* Unchanged, or never written: rules in memory may be newer than the file. */
	if (mark == o->file_mark || o->file_mark == 0)
		return ST_OK;
	if (mark != 0)
		TRY(rules_load(own, &file, why));
	take_over(o, &file, false);
	o->file_mark = mark;
	return ST_OK;
}

enum status dust_online_reload(struct dust_online *o, const char *dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(str_list_release) struct str_list list = { 0 };
	cleanup(rule_set_release) struct rule_set others = { 0 };

	if (!dir_exists(dir))
		return ST_OK;
	TRY(dir_list(dir, STR(".rules"), &a, &list, why));
	for (size_t i = 0; i < list.n; i++)
		if (!str_eq(list.v[i], own_file))
			TRY(rules_load(path_join(&a, dir, list.v[i]), &others, why));
	TRY(reload_own(o, path_join(&a, dir, own_file), why));
	take_over(o, &others, true);
	rebuild_all(o);
	return ST_OK;
}

enum status dust_online_save(struct dust_online *o, const char *dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = BUF(RULE_FILE_BYTES_MAX);
	char *own = path_join(&a, dir, own_file);

	/* What a person changed since wins over what we would write. */
	TRY(reload_own(o, own, why));
	if (!o->dirty)
		return ST_OK;
	for (size_t i = 0; i < o->all.n; i++) {
		o->notes[i].written = o->notes[i].foreign ? o->notes[i].written
							  : is_written(o, (uint32_t)i);
		if (o->notes[i].foreign || !o->notes[i].written)
			continue;
		if (text.n > 0)
			buf_add_char(&text, '\n');
		struct rule r = o->all.v[i];
		/* Its check does not outlive the process: it has to prove itself anew. */
		if (r.state == RULE_CONFIRMED && online_is_disputed(o, (uint32_t)i))
			r.state = RULE_PROBATION;
		rule_format(&r, &text);
	}
	TRY(buf_status(&text));
	TRY(dir_make(dir, why));
	TRY(file_save(own, buf_str(&text), why));
	o->file_mark = hash64(buf_str(&text)) | 1;
	o->dirty = false;
	return ST_OK;
}
