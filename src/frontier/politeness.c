#include "frontier/politeness.h"

/* A response counts an eighth: one slow page does not make a slow host. */
#define SMOOTH 8

static uint32_t clamp_ms(double ms, uint32_t min, uint32_t max)
{
	if (ms < min)
		return min;
	return ms > max ? MAX(min, max) : (uint32_t)ms;
}

static void wait_until(struct lane *l, int64_t from_ms, uint32_t wait_ms)
{
	if (l->next_ms >= from_ms + (int64_t)wait_ms)
		return;
	l->next_ms = from_ms + (int64_t)wait_ms;
	l->wait_ms = wait_ms;
}

int64_t lane_ready_ms(struct lane *l, const struct politeness *p, int64_t now_ms)
{
	if (p->at_once != 0 && l->in_flight >= p->at_once)
		return INT64_MAX;
	/* A wait that is longer than when it began: the clock was set back. */
	l->next_ms = MIN(l->next_ms, now_ms + (int64_t)l->wait_ms);
	l->closed_ms = MIN(l->closed_ms, l->next_ms);
	return l->next_ms;
}

uint32_t politeness_delay_ms(const struct politeness *p, const struct lane *l,
			     uint32_t duration_ms)
{
	uint32_t slow = MAX(duration_ms, l->smooth_ms);
	uint32_t delay = clamp_ms(p->factor * slow, p->min_ms, p->max_ms);

	return MAX(delay, MIN(l->crawl_delay_ms, p->crawl_delay_max_ms));
}

void lane_start(struct lane *l, const struct politeness *p, int64_t now_ms)
{
	uint32_t delay = MAX(p->min_ms, MIN(l->crawl_delay_ms, p->crawl_delay_max_ms));

	l->in_flight++;
	/* With several at once, starts keep their distance too. */
	wait_until(l, now_ms, delay);
}

bool lane_may_send(const struct lane *l, int64_t now_ms)
{
	return now_ms >= l->closed_ms;
}

/* Doubling from `backoff_ms`; jitter, so that hosts of one server do not come back as
 * one. */
static uint32_t backoff_ms(const struct lane *l, const struct politeness *p,
			   struct rng *random)
{
	/* Who never answered is not overloaded: most likely there is nobody. */
	unsigned most = l->has_answered ? 20 : 2;
	unsigned doublings = MIN((unsigned)l->troubles - 1, most);
	double wait = (double)p->backoff_ms * (double)((uint64_t)1 << doublings);

	wait = MIN(wait, (double)p->backoff_max_ms);
	return (uint32_t)(wait * (1 + 0.5 * rng_unit(random)));
}

void lane_stop(struct lane *l, const struct politeness *p, const struct answer *a,
	       struct rng *random)
{
	if (l->in_flight > 0)
		l->in_flight--;
	l->has_answered |= !a->is_silent;
	l->smooth_ms = l->smooth_ms == 0 ? a->duration_ms
					 : l->smooth_ms - l->smooth_ms / SMOOTH +
						   a->duration_ms / SMOOTH;

	uint32_t wait = politeness_delay_ms(p, l, a->duration_ms);
	if (a->kind == ANSWER_TROUBLE) {
		if (l->troubles < UINT16_MAX)
			l->troubles++;
		uint32_t backoff = backoff_ms(l, p, random);
		wait = MAX(wait,
			   a->backoff_max_ms ? MIN(backoff, a->backoff_max_ms) : backoff);
	} else {
		l->troubles = 0;
	}
	wait = MAX(wait, MIN(a->retry_after_ms, p->retry_after_max_ms));
	wait_until(l, a->end_ms, wait);
	if (a->kind == ANSWER_TROUBLE || a->retry_after_ms > 0)
		l->closed_ms = l->next_ms;
}

void lane_cancel(struct lane *l)
{
	if (l->in_flight > 0)
		l->in_flight--;
}

void lane_resume(struct lane *l, const struct politeness *p, int64_t now_ms)
{
	l->in_flight = 0;
	wait_until(l, now_ms, politeness_delay_ms(p, l, l->smooth_ms));
}
