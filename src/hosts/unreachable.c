#include "hosts/unreachable.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "os/log.h"

#define SITES_MAX ((size_t)10000)
#define ERROR_MAX 200 /* bytes of what a server or a library said */

void unreachable_release(struct unreachable *u)
{
	map_release(&u->sites);
	free(u->v);
	arena_release(&u->bytes);
	*u = (struct unreachable){ 0 };
}

void unreachable_note(struct unreachable *u, uint32_t site, struct str origin,
		      enum fetch_cause cause, struct str error)
{
	if (u->n >= SITES_MAX && !map_find(&u->sites, site))
		return;
	uint64_t *at = map_add(&u->sites, site, NULL);
	if (*at == 0) {
		VEC_ADD(u->v, u->n, u->cap,
			(struct unreachable_site){
				.origin = arena_copy(&u->bytes, origin) });
		*at = u->n;
	}
	struct unreachable_site *s = &u->v[*at - 1];
	s->is_over = false;
	s->failures++;
	if (s->cause == cause && s->error.n > 0)
		return; /* it says the same again */
	s->cause = (uint8_t)cause;
	s->error = arena_copy(&u->bytes, str_slice(error, 0, ERROR_MAX));
}

void unreachable_forget(struct unreachable *u, uint32_t site)
{
	uint64_t *at = u->n > 0 ? map_find(&u->sites, site) : NULL;

	if (at)
		u->v[*at - 1].is_over = true;
}

static void add_line(const struct unreachable_site *s, struct buf *to)
{
	const struct fetch_cause_row *row = fetch_cause_of(s->cause);
	struct str what = row->sentence.n > 0 ? row->sentence : s->error;

	buf_addf(to, STR_FMT " could not be reached: " STR_FMT, STR_ARG(s->origin),
		 STR_ARG(what));
	if (row->option.n > 0)
		buf_addf(to, " (" STR_FMT " may help)", STR_ARG(row->option));
}

void unreachable_say_first(const struct unreachable *u)
{
	cleanup(buf_release) struct buf line = { 0 };

	if (u->n != 1 || u->v[0].failures != 1)
		return;
	add_line(&u->v[0], &line);
	log_event(LOG_WARN, "fetch", STR_FMT "; trying again", STR_ARG(buf_str(&line)));
}

void unreachable_list(const struct unreachable *u, size_t most, struct arena *a,
		      struct str_list *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++) {
		cleanup(buf_release) struct buf line = { 0 };

		if (u->v[i].is_over || ++n > most)
			continue;
		add_line(&u->v[i], &line);
		VEC_ADD(ret->v, ret->n, ret->cap, arena_copy(a, buf_str(&line)));
	}
	if (n > most) {
		cleanup(buf_release) struct buf line = { 0 };

		buf_addf(&line, "%zu more sites could not be reached", n - most);
		VEC_ADD(ret->v, ret->n, ret->cap, arena_copy(a, buf_str(&line)));
	}
}
