#include "frontier/waiting.h"

static const char *const words[SITE_WAITS] = {
	"their turn",        "DNS",
	"robots.txt",        "a second try",
	"a pause they need", "their Crawl-delay",
	"--delay",           "--domain-delay",
	"--address-delay",   "--group-delay",
};

const char *const site_wait_names[SITE_WAITS] = {
	"turn",        "lookup", "robots", "second_try", "pause",
	"crawl_delay", "delay",  "domain", "address",    "group",
};

void buf_add_waits(struct buf *b, const unsigned counts[SITE_WAITS])
{
	const char *before = " (";

	for (unsigned k = 0; k < SITE_WAITS; k++) {
		if (counts[k] == 0)
			continue;
		buf_addf(b, "%s%u for %s", before, counts[k], words[k]);
		before = ", ";
	}
	if (*before == ',')
		buf_add_char(b, ')');
}

static enum site_wait host_wait(const struct frontier *f, const struct lane *l,
				int64_t now_ms)
{
	if (!lane_may_send(l, now_ms))
		return WAIT_PAUSE;
	return l->crawl_delay_ms > f->settings.politeness[LANE_HOST].min_ms
		       ? WAIT_CRAWL_DELAY
		       : WAIT_DELAY;
}

/* The lane that lets it go last. */
static enum site_wait lane_wait_of(struct frontier *f, const struct site *s,
				   int64_t now_ms)
{
	static const enum site_wait by_kind[LANE_KINDS] = { [LANE_DOMAIN] = WAIT_DOMAIN,
							    [LANE_ADDRESS] = WAIT_ADDRESS,
							    [LANE_GROUP] = WAIT_GROUP };
	enum site_wait wait = WAIT_TURN;
	int64_t last = now_ms;

	for (unsigned k = 0; k < LANE_KINDS; k++) {
		if (s->lanes.id[k] == LANE_NONE)
			continue;
		struct lane *l = &f->lanes.v[s->lanes.id[k]].lane;
		int64_t ready = lane_ready_ms(l, &f->lanes.rules[k], now_ms);
		if (ready <= last)
			continue;
		last = ready;
		wait = k == LANE_HOST ? host_wait(f, l, now_ms) : by_kind[k];
	}
	return wait;
}

enum site_wait site_wait_of(struct frontier *f, uint32_t site, int64_t now_ms)
{
	const struct site *s = &f->sites.v[site];

	if (s->blocked_until_ms > now_ms || s->state == SITE_PAUSED)
		return WAIT_SECOND_TRY;
	if (s->state == SITE_RESOLVING || s->state == SITE_NEW)
		return WAIT_LOOKUP;
	if (s->state == SITE_ASKING_ROBOTS)
		return WAIT_ROBOTS;
	enum site_wait wait = lane_wait_of(f, s, now_ms);
	return wait == WAIT_TURN && s->state == SITE_NEEDS_ROBOTS ? WAIT_ROBOTS : wait;
}
