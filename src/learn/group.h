/*
 * group.h - URLs that get one key from one rule, and how many of their pairs are right.
 *
 * Most groups lie within a cluster: so what a cluster gives is put together first, and
 * only then looked for in other clusters, a part of all hashes at a time, so that the
 * part stays in the cache.  Keys are told apart by 64 bits.
 *
 * A gathering is one a thread.  When all URLs are in, gather_join() is run for each of
 * the parts, then groups_take() once.
 */
#ifndef LEARN_GROUP_H
#define LEARN_GROUP_H

#include "align/url_set.h"

/* URLs that one rule maps to one key. */
struct rule_group {
	uint32_t rule;
	uint32_t host;     /* to whose account its pairs go */
	uint32_t first, n; /* members */
	uint64_t pairs, wrong;
};

struct groups {
	struct rule_group *v; /* by rule */
	size_t n, cap;
	uint32_t *members; /* URLs, by place in the set; not only of groups */
	size_t n_members, members_cap;
};

/* What one cluster has of one rule and key. */
struct find {
	uint64_t hash;  /* of both */
	uint32_t rule;  /* FIND_JOINED when it has become part of a larger group */
	uint32_t first; /* of its members; the next find begins where they end */
};

#define FIND_JOINED UINT32_MAX

#define GATHER_PARTS 256

struct tag {
	uint32_t hash; /* the lower half; the part is chosen by the upper one */
	uint32_t find;
};

struct gathering {
	struct find *finds;
	size_t n_finds, finds_cap;
	uint32_t *members; /* of the finds, in order, each once */
	size_t n_members, members_cap;
	struct groups joined; /* those of several finds */
	struct {
		struct tag *v;
		size_t n, cap;
	} parts[GATHER_PARTS];
	/* The cluster at hand: */
	struct open_find *open;
	size_t n_open, open_cap;
	struct met *met;
	size_t n_met, met_cap;
	struct open_slot *slots;
	size_t n_slots;
	uint32_t round; /* slots of other rounds are free */
};

void groups_release(struct groups *g);
void gathering_release(struct gathering *g);
/* Rule number `rule` gives the URL a key of this hash.  The same may be said twice. */
void gather_add(struct gathering *g, uint32_t rule, uint32_t url, uint64_t key);
/* What comes next is of another cluster. */
void gather_flush(struct gathering *g);

/* Of the `n` gatherings of `v`; groups go to that with number `to`.  Other parts may be
 * joined at the same time, into other gatherings. */
void gather_join(struct gathering *v, unsigned n, unsigned to, size_t part,
		 const struct url_set *urls);
/* All groups, by rule, of which there are `n_rules`; the gatherings are released. */
void groups_take(struct gathering *v, unsigned n, size_t n_rules,
		 const struct url_set *urls, struct groups *ret);
#endif
