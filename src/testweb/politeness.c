#include "testweb/politeness.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/heap.h"
#include "base/map.h"
#include "testweb/feeds.h"

const char *const violation_names[VIOLATIONS] = {
	"before robots.txt",           "forbidden by robots.txt",
	"sooner than Crawl-delay",     "sooner than Retry-After",
	"too many in flight per host", "too many in flight per address",
};

/* Times are measured where the requests arrive, after the network: forgive a little. */
#define SLACK_US ((int64_t)20000)
/* An answer that was sent so long ago has been read, however busy the machine. */
#define READ_US      ((int64_t)5000000)
#define THIS_MACHINE (127u << 24 | 1) /* everything was sent here by --connect-to */

/* What is known of a host, or of an address, up to the present visit. */
struct party {
	int64_t robots_us; /* when robots.txt was answered first; 0 never */
	int64_t last_us;   /* start of the visit before */
	int64_t retry_us;  /* it was told: not before this */
	int64_t told_us;   /* by then at the latest it has read that */
	int64_t known_us;  /* not before this, as it surely knows */
	uint32_t client;   /* the connection on which it was told */
	uint64_t open;     /* requests at this moment */
	uint8_t seen;      /* violations counted for this party already */
};

struct parties {
	struct map numbers; /* hash -> 1 + index */
	struct party *v;
	size_t n, cap;
};

struct ending {
	int64_t end_us;
	size_t host, address; /* numbers of the parties */
	const struct visit *visit;
};

static bool ends_before(const struct ending *a, const struct ending *b)
{
	return a->end_us < b->end_us;
}
HEAP_DEFINE(ending_heap, struct ending, ends_before)

struct judge {
	const struct world *w;
	const struct politeness_options *o;
	struct politeness *p;
	struct parties hosts, addresses;
	struct ending_heap open;
};

static size_t find_party(struct parties *s, uint64_t key)
{
	uint64_t *nr = map_add(&s->numbers, key, NULL);

	if (*nr == 0) {
		VEC_ADD(s->v, s->n, s->cap, (struct party){ 0 });
		*nr = s->n;
	}
	return *nr - 1;
}

static void count(struct judge *j, struct party *party, enum violation v)
{
	j->p->count[v]++;
	if (!(party->seen & 1u << v))
		j->p->hosts[v]++;
	party->seen |= (uint8_t)(1u << v);
}

/* When it begins to wait is a moment that the log cannot tell: the earliest counts. */
static void tell(struct party *host, const struct ending *e)
{
	int64_t until = e->visit->start_us + e->visit->retry_ms * 1000ll - SLACK_US;

	if (until <= host->retry_us)
		return;
	host->retry_us = until;
	host->told_us = e->end_us + READ_US;
	host->client = e->visit->client;
}

/*
 * An answer lies unread for a while, longer on a busy machine, and what is sent
 * meanwhile cannot heed it.  It was read when its connection is used again, or when as
 * many other requests are open as there may be.
 */
static bool has_read(const struct judge *j, const struct party *host,
		     const struct visit *v)
{
	return v->client == host->client || host->open + 1 >= MAX(j->o->per_host, 1u) ||
	       v->start_us >= host->told_us;
}

/* Answers that were complete by now count as known to the client. */
static void finish_until(struct judge *j, int64_t now_us)
{
	struct ending e;

	while (j->open.n && j->open.v[0].end_us <= now_us) {
		ending_heap_take(&j->open, &e);
		struct party *host = &j->hosts.v[e.host];

		host->open--;
		j->addresses.v[e.address].open--;
		if (e.visit->place.view == VIEW_ROBOTS && !host->robots_us)
			host->robots_us = e.end_us;
		if (e.visit->retry_ms > 0)
			tell(host, &e);
	}
}

static int64_t asked_delay_us(const struct judge *j, const struct visit *v)
{
	uint64_t ms = j->o->delay_ms;
	enum robots_mood mood = robots_mood(j->w, v->place.site);
	bool read = mood == ROBOTS_FINE || mood == ROBOTS_ODD || mood == ROBOTS_LONG;

	if (read)
		ms = MAX(ms, (uint64_t)j->w->sites[v->place.site].crawl_delay_ms);
	return (int64_t)ms * 1000;
}

static void judge_timing(struct judge *j, const struct visit *v, struct party *host)
{
	int64_t delay = asked_delay_us(j, v);

	if (v->place.view == VIEW_ROBOTS)
		return;
	if (!host->robots_us && v->place.view != VIEW_ASSET)
		count(j, host, VIOLATION_ROBOTS_LATE);
	if (robots_forbids(j->w, &v->place))
		count(j, host, VIOLATION_FORBIDDEN);
	if (delay && host->last_us && v->start_us < host->last_us + delay - SLACK_US)
		count(j, host, VIOLATION_DELAY);
	if (has_read(j, host, v))
		host->known_us = host->retry_us;
	if (v->start_us < host->known_us)
		count(j, host, VIOLATION_RETRY);
	host->last_us = v->start_us;
}

static void judge_crowd(struct judge *j, const struct visit *v, struct party *host,
			struct party *address)
{
	host->open++;
	address->open++;
	j->p->most_per_host = MAX(j->p->most_per_host, host->open);
	if (j->o->per_host && host->open > j->o->per_host)
		count(j, host, VIOLATION_PER_HOST);
	if (v->address == THIS_MACHINE)
		return;
	j->p->most_per_address = MAX(j->p->most_per_address, address->open);
	if (j->o->per_address && address->open > j->o->per_address)
		count(j, address, VIOLATION_PER_ADDRESS);
}

static void release_parties(struct parties *s)
{
	map_release(&s->numbers);
	free(s->v);
}

void politeness_judge(const struct world *w, const struct politeness_options *o,
		      const struct visit *visits, size_t n, struct politeness *ret)
{
	struct judge j = { .w = w, .o = o, .p = ret };

	*ret = (struct politeness){ 0 };
	for (size_t i = 0; i < n; i++) {
		const struct visit *v = &visits[i];

		if (v->place.site == NO_SITE || v->place.view == VIEW_CONTROL)
			continue;
		finish_until(&j, v->start_us);
		size_t host = find_party(&j.hosts, v->host);
		size_t address = find_party(&j.addresses, v->address);

		judge_timing(&j, v, &j.hosts.v[host]);
		judge_crowd(&j, v, &j.hosts.v[host], &j.addresses.v[address]);
		ending_heap_add(&j.open, (struct ending){ v->end_us, host, address, v });
	}
	release_parties(&j.hosts);
	release_parties(&j.addresses);
	ending_heap_release(&j.open);
}
