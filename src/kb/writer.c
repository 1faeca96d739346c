#include "kb/writer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

#define GROUP_ROWS 10000
#define GROUP_MS   200

void kb_writer_init(struct kb_writer *w, struct store *s, const struct clock *clock)
{
	*w = (struct kb_writer){
		.store = s, .clock = clock, .group_rows = GROUP_ROWS, .group_ms = GROUP_MS
	};
}

void kb_writer_release(struct kb_writer *w)
{
	free(w->rows);
	map_release(&w->labels);
	*w = (struct kb_writer){ 0 };
}

static uint64_t id_of(struct kb_writer *w, struct term t)
{
	uint64_t *id;

	if (t.kind == TERM_NONE)
		return ID_NONE;
	if (t.kind != TERM_BLANK)
		return store_intern(w->store, t);
	id = map_add(&w->labels, hash64(t.text), NULL);
	if (*id == 0)
		*id = store_new_blank(w->store);
	return *id;
}

enum status kb_writer_sync(struct kb_writer *w, struct diag *why)
{
	enum status st = w->n ? store_commit(w->store, w->rows, w->n, why) : ST_OK;

	w->n = 0;
	return st;
}

enum status kb_writer_add(struct kb_writer *w, const struct statement *s,
			  struct diag *why)
{
	struct row r = { { id_of(w, s->graph), id_of(w, s->subject),
			   id_of(w, s->predicate), id_of(w, s->object) } };
	int64_t now = clock_mono_ms(w->clock);

	if (w->n == 0)
		w->first_ms = now;
	VEC_ADD(w->rows, w->n, w->cap, r);
	w->added++;
	if (w->n < w->group_rows && now - w->first_ms < w->group_ms)
		return ST_OK;
	return kb_writer_sync(w, why);
}
