#include "serve/events.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "control/event.h"

#define FILL_BYTES 65536
#define LIFE_MS    10000 /* a comment after this silence, so that a dead client shows */

struct event_stream *event_stream_new(const char *dir, uint64_t after, unsigned kinds)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct event_stream *s = NEW(struct event_stream);

	*s = (struct event_stream){
		.path = strdup(path_join(&a, dir, STR("state/events.ring"))),
		.after = after,
		.kinds = kinds,
	};
	return s;
}

void event_stream_free(struct event_stream *s)
{
	if (s->is_open)
		ring_reader_close(&s->ring);
	buf_release(&s->text);
	free(s->path);
	free(s);
}

/* The kind is the first field: {"event":"page",... */
static bool is_wanted(unsigned kinds, struct str json, struct str *ret_kind)
{
	struct str prefix = STR("{\"event\":\"");

	*ret_kind = STR("message");
	if (!str_starts(json, prefix))
		return true;
	struct str rest = str_skip(json, prefix.n);
	*ret_kind = str_slice(rest, 0, str_find_char(rest, '"'));
	for (unsigned k = 0; k < EVENT_KINDS; k++)
		if (str_eq(event_table[k].word, *ret_kind))
			return kinds & 1u << k;
	return true;
}

bool event_stream_fill(struct event_stream *s, int64_t now_ms)
{
	struct str json, kind;
	struct diag why;

	if (!s->is_open && file_exists(s->path))
		s->is_open = ring_reader_open(&s->ring, s->path, s->after, &why) == ST_OK;
	while (s->is_open && s->text.n < FILL_BYTES &&
	       ring_reader_next(&s->ring, &json, &why) == ST_OK)
		if (is_wanted(s->kinds, json, &kind))
			buf_addf(&s->text,
				 "id: %llu\nevent: " STR_FMT "\ndata: " STR_FMT "\n\n",
				 (unsigned long long)s->ring.position, STR_ARG(kind),
				 STR_ARG(json));
	if (s->text.n == 0 && (s->said_ms == 0 || now_ms - s->said_ms >= LIFE_MS))
		buf_add(&s->text,
			s->said_ms ? STR(": alive\n\n") : STR("retry: 1000\n\n"));
	if (s->text.n > 0)
		s->said_ms = now_ms;
	return s->text.n > 0;
}
