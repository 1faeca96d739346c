/* online_files.c - the rules of a crawl, on disk between runs and open to people. */
#include <stdlib.h>

#include "base/alloc.h"
#include "dust/rule_file.h"
#include "dust/shipped.h"
#include "online/online_internal.h"
#include "os/file.h"

static const struct str own_file = STR("learned.rules");

/* What a file says of the state of rule `nr` holds. */
static void obey_file(struct dust_online *o, uint32_t nr, enum rule_state word)
{
	struct rule_record *r = &o->rules.records[nr];

	rule_obey_file(&r->life, &o->rules.all.v[nr], word, o->o.probes,
		       r->site == SITE_GENERAL);
}

static enum status load_file(struct dust_online *o, const char *path, bool foreign,
			     struct diag *why)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };

	TRY(rules_load(path, &rules, why));
	for (size_t i = 0; i < rules.n; i++) {
		const struct rule *r = &rules.v[i];
		struct online_site *s = NULL;

		if (!foreign && !r->universal && r->n_sites > 0) {
			cleanup(buf_release) struct buf url = { 0 };

			buf_addf(&url, "http://" STR_FMT "/", STR_ARG(r->sites[0]));
			s = online_site_of(o, buf_str(&url));
		}
		uint32_t nr = rule_table_add(&o->rules, s, r, foreign);
		obey_file(o, nr, r->state);
		o->rules.records[nr].written = true;
	}
	return ST_OK;
}

static void rebuild_all(struct dust_online *o)
{
	rule_table_rebuild_general(&o->rules);
	for (size_t i = 0; i < o->sites.names.n; i++)
		online_rebuild(o, o->sites.v[i]);
}

/* 0 when there is no file. */
static uint64_t file_hash(const char *path)
{
	cleanup(buf_release) struct buf text = BUF(RULE_FILE_BYTES_MAX);

	if (file_load(path, RULE_FILE_BYTES_MAX, &text, NULL) != ST_OK)
		return 0;
	return hash64(buf_str(&text)) | 1;
}

/* Whatever a file says of a rule, also that it is off, goes before what ships. */
static enum status add_shipped(struct dust_online *o, struct diag *why)
{
	cleanup(rule_set_release) struct rule_set rules = { 0 };

	if (!o->o.shipped)
		return ST_OK;
	TRY(rules_parse(shipped_rules, &rules, why));
	for (size_t i = 0; i < rules.n; i++) {
		if (rule_table_find_general(&o->rules, rules.v[i].text) != RULE_NONE)
			continue;
		uint32_t nr = rule_table_add(&o->rules, NULL, &rules.v[i], false);
		rule_table_event(&o->rules, nr, EVENT_LEARNT);
	}
	return ST_OK;
}

/* A site's rule of the same text as a general one is its trial of that. */
static void link_instances(struct rule_table *t)
{
	for (size_t i = 0; i < t->all.n; i++)
		if (t->records[i].site != SITE_GENERAL)
			t->records[i].general =
				rule_table_find_general(t, t->all.v[i].text);
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
		o->rules.file_mark = file_hash(own);
	}
	return ST_OK;
}

/* Other people's files first, in the order of their names; then ours; then what ships. */
enum status dust_online_load(struct dust_online *o, const char *dir, struct diag *why)
{
	TRY(load_folder(o, dir, why));
	TRY(add_shipped(o, why));
	link_instances(&o->rules);
	rebuild_all(o);
	o->rules.dirty = false;
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
static bool is_written(const struct rule_table *t, uint32_t nr)
{
	const struct rule *r = &t->all.v[nr];
	const struct rule_record *n = &t->records[nr];

	if (n->foreign)
		return n->general == RULE_NONE;
	if (n->general != RULE_NONE)
		return !life_is_active(n->life.state) ||
		       (r->evidence.probes > 0 &&
			rule_table_state(t, n->general) != LIFE_PROVED);
	return n->site != SITE_GENERAL || !life_is_on_trial(n->life.state) ||
	       r->evidence.frequency > 0;
}

/* A person does not want it: what it skipped returns. */
static void switch_off(struct dust_online *o, uint32_t nr)
{
	obey_file(o, nr, RULE_DISABLED);
	if (o->rules.records[nr].site != SITE_GENERAL)
		online_return(o, &(struct returning){ .rule = nr });
	for (uint32_t i = 0; i < o->rules.all.n; i++)
		if (o->rules.records[i].general == nr &&
		    life_is_active(rule_table_state(&o->rules, i)))
			switch_off(o, i);
}

/* A rule that is gone from the file, or whose state a person changed, changes here. */
static void take_states(struct dust_online *o, const struct rule_set *file, bool foreign)
{
	for (uint32_t i = 0; i < o->rules.all.n; i++) {
		const struct rule_record *r = &o->rules.records[i];

		if (r->foreign != foreign || !r->written)
			continue;
		const struct rule *f = find_text(file, &o->rules.all.v[i]);
		if (f && r->life.state == LIFE_OFF)
			obey_file(o, i, f->state);
		else if (r->life.state != LIFE_OFF && (!f || f->state == RULE_DISABLED))
			switch_off(o, i);
	}
}

/* New ones are a person's, whatever the file; one that ships becomes theirs. */
static void take_over(struct dust_online *o, const struct rule_set *file, bool foreign)
{
	take_states(o, file, foreign);
	for (size_t i = 0; i < file->n; i++) {
		const struct rule *f = &file->v[i], *known = find_text(&o->rules.all, f);
		uint32_t nr = known ? (uint32_t)(known - o->rules.all.v)
				    : rule_table_add(&o->rules, NULL, f, true);

		if (known &&
		    (!foreign || o->rules.records[nr].foreign || !known->universal))
			continue;
		if (f->state == RULE_DISABLED)
			switch_off(o, nr);
		else
			obey_file(o, nr, f->state);
		o->rules.records[nr].foreign = true;
		o->rules.records[nr].written = foreign;
	}
	rebuild_all(o);
}

static enum status reload_own(struct dust_online *o, const char *own, struct diag *why)
{
	cleanup(rule_set_release) struct rule_set file = { 0 };
	uint64_t mark = file_hash(own);

	/* Unchanged, or never written: rules in memory may be newer than the file. */
	if (mark == o->rules.file_mark || o->rules.file_mark == 0)
		return ST_OK;
	if (mark != 0)
		TRY(rules_load(own, &file, why));
	take_over(o, &file, false);
	o->rules.file_mark = mark;
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
	return ST_OK;
}

enum status dust_online_save(struct dust_online *o, const char *dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = BUF(RULE_FILE_BYTES_MAX);
	char *own = path_join(&a, dir, own_file);

	assert_rule_table(o);
	/* What a person changed since wins over what we would write. */
	TRY(reload_own(o, own, why));
	if (!o->rules.dirty)
		return ST_OK;
	for (size_t i = 0; i < o->rules.all.n; i++) {
		o->rules.records[i].written =
			o->rules.records[i].foreign ? o->rules.records[i].written
						    : is_written(&o->rules, (uint32_t)i);
		if (o->rules.records[i].foreign || !o->rules.records[i].written)
			continue;
		if (text.n > 0)
			buf_add_char(&text, '\n');
		struct rule r = o->rules.all.v[i];
		r.state = rule_word(o->rules.records[i].life.state,
				    check_table_has_rule(&o->checks, (uint32_t)i));
		rule_format(&r, &text);
	}
	TRY(buf_status(&text));
	TRY(dir_make(dir, why));
	TRY(file_save(own, buf_str(&text), why));
	o->rules.file_mark = hash64(buf_str(&text)) | 1;
	o->rules.dirty = false;
	return ST_OK;
}
