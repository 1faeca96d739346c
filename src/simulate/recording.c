#include "simulate/recording.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "journal/journal.h"
#include "os/file.h"

void recording_release(struct recording *r)
{
	for (size_t k = 0; k < r->n; k++) {
		free(r->v[k].events);
		free(r->v[k].dones);
		map_release(&r->v[k].done_of);
	}
	free(r->v);
	recorded_web_release(&r->web);
	arena_release(&r->text);
	map_release(&r->places);
	*r = (struct recording){ 0 };
}

/* --- the archive --- */

static uint64_t place_of(struct str file, uint64_t offset)
{
	return hash_mix(hash64(file) + offset);
}

/* A file is named as in the journal when it is whole. */
static struct str closed_name(struct str name)
{
	return str_ends(name, STR(".open")) ? str_slice(name, 0, name.n - 5) : name;
}

static bool is_warc(struct str name)
{
	name = closed_name(name);
	return str_ends(name, STR(".warc.gz")) || str_ends(name, STR(".warc.zst")) ||
	       str_ends(name, STR(".warc"));
}

static enum status read_archive(struct recording *r, const char *dir, struct diag *why)
{
	cleanup(str_list_release) struct str_list names = { 0 };
	char *archive = path_join(&r->text, dir, STR("archive"));
	size_t done = 0;

	TRY(dir_list(archive, STR(""), &r->text, &names, why));
	for (size_t i = 0; i < names.n; i++) {
		if (!is_warc(names.v[i]))
			continue;
		TRY(recorded_web_add(&r->web, path_join(&r->text, archive, names.v[i]),
				     why));
		for (; done < r->web.n; done++)
			*map_add(&r->places,
				 place_of(closed_name(names.v[i]), r->web.v[done].offset),
				 NULL) = done;
	}
	return recorded_web_finish(&r->web, why);
}

/* --- the journal --- */

static void take_events(struct recording *r, struct str events)
{
	struct recorded_process *p = &r->v[r->n - 1];
	struct trace_event e;
	int64_t last = 0;

	while (events.n > 0) {
		if (!trace_event_take(&events, &last, &e)) {
			r->is_damaged = true;
			return;
		}
		if (e.kind == TRACE_BLIND)
			p->blind = e.blind;
		e.error = arena_copy(&r->text, e.error);
		VEC_ADD(p->events, p->n, p->cap, e);
	}
}

static void take_done(struct recording *r, const struct journal_done *d)
{
	struct recorded_process *p = &r->v[r->n - 1];
	const uint64_t *at =
		d->warc_file.n > 0
			? map_find(&r->places, place_of(d->warc_file, d->warc_offset))
			: NULL;

	VEC_ADD(p->dones, p->n_dones, p->dones_cap,
		(struct recorded_done){
			.start_ms = d->start_ms,
			.answer = at ? (uint32_t)*at : RECORDED_NONE,
			.body_bytes = d->body_bytes,
			.is_archived = at || d->code <= 0,
		});
}

static bool see(void *arg, const struct journal_record *j)
{
	struct recording *r = arg;

	/* Later ones of the same process have no token. */
	if (j->kind == JOURNAL_BEGIN && j->begin.token != 0)
		VEC_ADD(r->v, r->n, r->cap,
			(struct recorded_process){
				.settings = arena_copy(&r->text, j->begin.settings),
				.seeds = j->begin.seeds,
				.flags = j->begin.flags,
				.blind = -1 });
	if (r->n == 0)
		return true;
	if (j->kind == JOURNAL_TRACE)
		take_events(r, j->trace.events);
	if (j->kind == JOURNAL_DONE)
		take_done(r, &j->done);
	if (j->kind == JOURNAL_END)
		r->v[r->n - 1].ended = true;
	return true;
}

/* Answers are judged in the order in which the journal has them. */
static void number(struct recorded_process *p)
{
	size_t judged = 0;

	for (size_t k = 0; k < p->n && judged < p->n_dones; k++)
		if (p->events[k].kind == TRACE_JUDGED)
			*map_add(&p->done_of, p->events[k].request, NULL) = judged++;
}

enum status recording_read(struct recording *r, const char *dir, struct diag *why)
{
	TRY(read_archive(r, dir, why));
	TRY(journal_each(path_join(&r->text, dir, STR("state/journal")), see, r, why));
	for (size_t k = 0; k < r->n; k++)
		number(&r->v[k]);
	return r->n > 0 ? ST_OK
			: diag_fail(why, ST_NOT_FOUND, "%s: the journal is empty", dir);
}

const struct recorded_done *recorded_done_of(const struct recorded_process *p,
					     uint64_t request)
{
	const uint64_t *nr = map_find(&p->done_of, request);

	return nr ? &p->dones[*nr] : NULL;
}
