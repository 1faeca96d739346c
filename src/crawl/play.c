#include "crawl/play.h"

#include "crawl/loop.h"
#include "engine/url_rules.h"

static const struct trace_event *next_event(const struct crawl *c)
{
	const struct crawl_script *s = c->outside->script;

	return c->events.at < s->n ? &s->events[c->events.at] : NULL;
}

/* Whatever came back: lines, or the page that is waited for. */
static void take_some_back(struct crawl *c)
{
	void *item;
	size_t n;

	item_batch_send(&c->for_workers);
	item_batch_send(&c->for_writer);
	if (queue_take_many(&c->to_loop, QUEUE_FOREVER, &item, 1, &n) == ST_OK)
		crawl_take_back(c, item);
}

bool crawl_is_quiet(struct crawl *c)
{
	const struct trace_event *e;

	if (!c->outside->script) {
		if (c->items != 1 + (size_t)(c->batch != NULL))
			return false;
		crawl_event_kind(c, TRACE_QUIET);
		return true;
	}
	e = next_event(c);
	if (!e || e->kind != TRACE_QUIET)
		return false;
	c->events.at++;
	c->time.now_ms = e->time_ms;
	while (c->items > 1 + (size_t)(c->batch != NULL) && c->st == ST_OK)
		take_some_back(c);
	return true;
}

static struct crawl_item *take_waiting(struct crawl_events *e, uint64_t request)
{
	const uint64_t *at = map_find(&e->waiting, request);
	struct crawl_item *i = at ? (struct crawl_item *)(uintptr_t)*at : NULL;

	map_remove(&e->waiting, request);
	return i;
}

static enum status judge(struct crawl *c, uint64_t request)
{
	struct crawl_item *i = take_waiting(&c->events, request);

	if (!i) { /* it is another crawl by now: the journals tell from where on */
		c->events.at = c->outside->script->n;
		return ST_OK;
	}
	c->events.is_decided = false;
	item_batch_add(&c->for_workers, i);
	while (!c->events.is_decided && c->st == ST_OK)
		take_some_back(c);
	return c->st;
}

static enum status play_event(struct crawl *c, const struct trace_event *e)
{
	const struct crawl_script *s = c->outside->script;

	switch ((enum trace_kind)e->kind) {
	case TRACE_NEXT:
		crawl_dispatch_one(c);
		break;
	case TRACE_RESOLVED:
	case TRACE_ANSWER:
	case TRACE_DEFERRED:
		s->happen(s->arg, e);
		break;
	case TRACE_JUDGED:
		return judge(c, e->request);
	case TRACE_LEARN:
		url_rules_step(c);
		break;
	case TRACE_LINES:
		journal_batch_send(c);
		break;
	case TRACE_STOP:
		crawl_stop(c, (enum crawl_end)e->code, "stopped");
		break;
	case TRACE_ABORT:
		c->aborting = true;
		break;
	case TRACE_START:
	case TRACE_QUIET: /* of a step that this time was not idle: the journal tells */
	case TRACE_BLIND:
	case TRACE_KINDS:
		break;
	}
	return c->st;
}

/* What was in flight when the record ends never came. */
static void give_up(struct crawl *c)
{
	const struct crawl_script *s = c->outside->script;
	struct map_slot slot;

	/* Lines whose place the trace does not have. */
	if (!c->stopping && c->batch)
		crawl_give_item(c, TAKE(c->batch));
	crawl_stop(c, CRAWL_INTERRUPTED, "the trace ends here");
	c->aborting = true;
	s->give_up(s->arg);
	for (size_t at = 0; map_next(&c->events.waiting, &at, &slot);)
		crawl_give_item(c, (struct crawl_item *)(uintptr_t)slot.value);
	map_reset(&c->events.waiting);
	journal_batch_send(c);
	while (c->items > 0 && c->st == ST_OK)
		take_some_back(c);
}

enum status crawl_play(struct crawl *c)
{
	const struct trace_event *e;
	void *item;
	size_t n;

	c->time.is_played = true;
	while ((e = next_event(c)) && c->st == ST_OK) {
		c->events.at++;
		c->time.now_ms = e->time_ms;
		TRY(play_event(c, e));
		item_batch_send(&c->for_writer);
		while (queue_take_many(&c->to_loop, 0, &item, 1, &n) == ST_OK)
			crawl_take_back(c, item);
	}
	give_up(c);
	return ST_OK;
}
