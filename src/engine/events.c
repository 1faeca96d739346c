#include "engine/events.h"

#include "engine/steps.h"

#define FLUSH_BYTES ((size_t)4096)

void crawl_events_release(struct crawl_events *e)
{
	buf_release(&e->pending);
	map_release(&e->waiting);
}

void crawl_event(struct crawl *c, const struct trace_event *e)
{
	struct trace_event now = *e;

	crawl_clock_look(&c->time);
	if (c->outside->script || c->events.is_blind)
		return;
	now.time_ms = crawl_time_ms(c);
	trace_event_add(&c->events.pending, &now, &c->events.last_ms);
}

void crawl_event_kind(struct crawl *c, enum trace_kind kind)
{
	crawl_event(c, &(struct trace_event){ .kind = (uint8_t)kind });
}

void crawl_blind(struct crawl *c, enum trace_blind why)
{
	if (c->events.is_blind)
		return;
	crawl_event(c,
		    &(struct trace_event){ .kind = TRACE_BLIND, .blind = (uint8_t)why });
	c->events.is_blind = true;
}

void crawl_flush_events(struct crawl *c, bool all)
{
	struct crawl_events *e = &c->events;

	if (e->pending.n == 0 || (!all && e->pending.n < FLUSH_BYTES))
		return;
	journal_batch_add(c,
			  &(struct journal_record){ .kind = JOURNAL_TRACE,
						    .trace = { buf_str(&e->pending) } });
	buf_reset(&e->pending);
	e->last_ms = 0;
}

const struct trace_event *crawl_played(const struct crawl *c)
{
	const struct crawl_script *s = c->outside->script;

	return s && c->events.at > 0 ? &s->events[c->events.at - 1] : NULL;
}

void crawl_to_workers(struct crawl *c, struct crawl_item *i)
{
	if (c->outside->script)
		*map_add(&c->events.waiting, i->request, NULL) = (uint64_t)(uintptr_t)i;
	else
		item_batch_add(&c->for_workers, i);
}
