#include "policy/recrawl.h"

#include <math.h>

static uint64_t clamp(double ms, const struct recrawl *r)
{
	if (ms < (double)r->min_ms)
		return r->min_ms;
	return ms > (double)r->max_ms ? r->max_ms : (uint64_t)ms;
}

int64_t recrawl_visit(const struct recrawl *r, struct visits *v, enum change change,
		      int64_t now_ms)
{
	double interval = (double)(v->interval_ms ? v->interval_ms : r->first_ms);

	switch (change) {
	case CHANGE_FIRST:
	case CHANGE_FAILED:
		break;
	case CHANGE_SOME:
		v->changed++;
		interval *= r->shrink;
		break;
	case CHANGE_NONE:
	case CHANGE_GONE:
		interval *= r->grow;
		break;
	}
	v->seen += change != CHANGE_FAILED;
	v->interval_ms = clamp(interval, r);
	v->last_ms = now_ms;
	return now_ms + (int64_t)v->interval_ms;
}

double recrawl_change_chance(const struct visits *v, uint64_t ms)
{
	/* Half a change and one visit more: a page seen once is not known to be still. */
	double visits = (double)v->seen + 1, changed = (double)v->changed + 0.5;
	double per_interval = -log((visits - changed + 0.5) / (visits + 0.5));
	double intervals = v->interval_ms ? (double)ms / (double)v->interval_ms : 0;

	return 1 - exp(-per_interval * intervals);
}
