#include "learn/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"

#define SLOTS_MIN 256

struct open_find {
	uint64_t hash;
	uint32_t rule;
	uint32_t n; /* members; then where the next one goes */
};

struct met {
	uint32_t open, url;
};

struct open_slot {
	uint64_t hash;
	uint32_t open, round;
};

void groups_release(struct groups *g)
{
	free(g->v);
	free(g->members);
	*g = (struct groups){ 0 };
}

void gathering_release(struct gathering *g)
{
	groups_release(&g->joined);
	free(g->finds);
	free(g->members);
	for (size_t i = 0; i < GATHER_PARTS; i++)
		free(g->parts[i].v);
	free(g->open);
	free(g->met);
	free(g->slots);
	*g = (struct gathering){ 0 };
}

/* Where the hash is, or a free place for it. */
static struct open_slot *slot_of(struct gathering *g, uint64_t hash)
{
	size_t i = hash & (g->n_slots - 1);

	while (g->slots[i].round == g->round && g->slots[i].hash != hash)
		i = (i + 1) & (g->n_slots - 1);
	return &g->slots[i];
}

static void grow_slots(struct gathering *g)
{
	free(g->slots);
	g->n_slots = MAX(2 * g->n_slots, (size_t)SLOTS_MIN);
	g->slots = xcalloc(g->n_slots, sizeof(*g->slots));
	g->round = 1;
	for (uint32_t i = 0; i < g->n_open; i++)
		*slot_of(g, g->open[i].hash) =
			(struct open_slot){ g->open[i].hash, i, g->round };
}

void gather_add(struct gathering *g, uint32_t rule, uint32_t url, uint64_t key)
{
	uint64_t hash = hash_mix(key ^ hash_mix(rule + 1));

	if (2 * g->n_open >= g->n_slots)
		grow_slots(g);
	struct open_slot *slot = slot_of(g, hash);
	if (slot->round != g->round) {
		*slot = (struct open_slot){ hash, (uint32_t)g->n_open, g->round };
		VEC_ADD(g->open, g->n_open, g->open_cap,
			(struct open_find){ hash, rule, 0 });
	}
	g->open[slot->open].n++;
	VEC_ADD(g->met, g->n_met, g->met_cap, (struct met){ slot->open, url });
}

static void add_find(struct gathering *g, struct find f)
{
	size_t part = f.hash >> 56;

	VEC_ADD(g->parts[part].v, g->parts[part].n, g->parts[part].cap,
		(struct tag){ (uint32_t)f.hash, (uint32_t)g->n_finds });
	VEC_ADD(g->finds, g->n_finds, g->finds_cap, f);
}

static int cmp_urls(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* In order, each once; returns how many are left.  Mostly they are so already. */
static size_t sort_urls(uint32_t *v, size_t n)
{
	size_t kept = 1;

	while (kept < n && v[kept - 1] < v[kept])
		kept++;
	if (kept >= n)
		return n;
	qsort(v, n, sizeof(*v), cmp_urls);
	kept = 1;
	for (size_t i = 1; i < n; i++)
		if (v[i] != v[kept - 1])
			v[kept++] = v[i];
	return kept;
}

void gather_flush(struct gathering *g)
{
	uint32_t first = (uint32_t)g->n_members;

	VEC_RESERVE(g->members, g->members_cap, g->n_members + g->n_met);
	for (size_t i = 0; i < g->n_open; i++) {
		uint32_t n = g->open[i].n;

		g->open[i].n = first;
		first += n;
	}
	for (size_t i = 0; i < g->n_met; i++)
		g->members[g->open[g->met[i].open].n++] = g->met[i].url;
	first = (uint32_t)g->n_members;
	for (size_t i = 0; i < g->n_open; i++) {
		uint32_t *v = g->members + first, n = g->open[i].n - first;
		size_t kept = sort_urls(v, n);

		first += n;
		add_find(g, (struct find){ g->open[i].hash, g->open[i].rule,
					   (uint32_t)g->n_members });
		if (v != g->members + g->n_members)
			memmove(g->members + g->n_members, v, kept * sizeof(*v));
		g->n_members += kept;
	}
	g->n_open = g->n_met = 0;
	if (++g->round == 0) { /* all rounds have been used */
		free(g->slots);
		g->slots = NULL;
		g->n_slots = 0;
	}
}

static uint32_t find_end(const struct gathering *g, size_t nr)
{
	return nr + 1 < g->n_finds ? g->finds[nr + 1].first : (uint32_t)g->n_members;
}

/* Pairs of equal cluster.  Places in a set are grouped by cluster, and `v` is sorted. */
static uint64_t right_pairs(const struct url_set *urls, const uint32_t *v, size_t n)
{
	uint64_t right = 0;

	for (size_t i = 0; i < n;) {
		size_t from = i;

		while (i < n && urls->v[v[i]].cluster == urls->v[v[from]].cluster)
			i++;
		right += (uint64_t)(i - from) * (i - from - 1) / 2;
	}
	return right;
}

/* The host of the smallest name answers for a group that spans several. */
static uint32_t group_host(const struct url_set *urls, const uint32_t *v, size_t n)
{
	uint32_t best = urls->v[v[0]].host;

	for (size_t i = 1; i < n; i++) {
		uint32_t h = urls->v[v[i]].host;

		if (h != best && str_cmp(intern_str(&urls->hosts, h),
					 intern_str(&urls->hosts, best)) < 0)
			best = h;
	}
	return best;
}

/* Of `n` URLs in order. */
static struct rule_group make_group(const struct url_set *urls, uint32_t rule,
				    const uint32_t *v, size_t n)
{
	uint64_t pairs = (uint64_t)n * (n - 1) / 2;

	return (struct rule_group){ .rule = rule,
				    .host = group_host(urls, v, n),
				    .n = (uint32_t)n,
				    .pairs = pairs,
				    .wrong = pairs - right_pairs(urls, v, n) };
}

/* The finds of one part while they are joined.  A find's number has its gathering in
 * the upper half. */
struct joining {
	const struct gathering *v;
	struct join_slot *slots;
	size_t n_slots;
	struct sort_pair *pairs; /* the first find of a hash, and each other one */
	size_t n_pairs, pairs_cap;
};

struct join_slot {
	uint32_t hash;
	uint32_t of, find; /* the gathering, + 1, and the find */
};

static struct find *find_of(const struct gathering *v, uint64_t nr)
{
	return &v[nr >> 32].finds[(uint32_t)nr];
}

/* Look for an earlier find of the same hash; otherwise it is the first. */
static void join_find(struct joining *j, uint32_t of, struct tag tag)
{
	uint64_t nr = (uint64_t)of << 32 | tag.find;
	size_t mask = j->n_slots - 1, i = tag.hash & mask;

	for (; j->slots[i].of > 0; i = (i + 1) & mask) {
		const struct join_slot *s = &j->slots[i];
		uint64_t first = (uint64_t)(s->of - 1) << 32 | s->find;

		if (s->hash == tag.hash &&
		    find_of(j->v, first)->hash == find_of(j->v, nr)->hash) {
			VEC_ADD(j->pairs, j->n_pairs, j->pairs_cap,
				(struct sort_pair){ first, nr });
			return;
		}
	}
	j->slots[i] = (struct join_slot){ tag.hash, of + 1, tag.find };
}

static void move_members(const struct gathering *v, uint64_t nr, struct groups *to)
{
	const struct gathering *from = &v[nr >> 32];
	struct find *f = find_of(v, nr);
	uint32_t end = find_end(from, (uint32_t)nr);

	VEC_RESERVE(to->members, to->members_cap, to->n_members + (end - f->first));
	for (uint32_t i = f->first; i < end; i++)
		to->members[to->n_members++] = from->members[i];
	f->rule = FIND_JOINED;
}

/* One group for all finds that have the same first one. */
static void add_joined(struct joining *j, const struct url_set *urls, struct groups *to)
{
	struct sort_pair *scratch = xrealloc(NULL, j->n_pairs + 1, sizeof(*scratch));

	sort_pairs(j->pairs, scratch, j->n_pairs);
	free(scratch);
	for (size_t i = 0; i < j->n_pairs;) {
		uint64_t leader = j->pairs[i].key;
		uint32_t rule = find_of(j->v, leader)->rule;
		size_t first = to->n_members;

		move_members(j->v, leader, to);
		for (; i < j->n_pairs && j->pairs[i].key == leader; i++)
			move_members(j->v, j->pairs[i].value, to);
		size_t n = sort_urls(to->members + first, to->n_members - first);
		if (n < 2) /* an operation can name one URL twice */
			continue;
		struct rule_group made = make_group(urls, rule, to->members + first, n);
		made.first = (uint32_t)first;
		VEC_ADD(to->v, to->n, to->cap, made);
	}
}

void gather_join(struct gathering *v, unsigned n, unsigned to, size_t part,
		 const struct url_set *urls)
{
	struct joining j = { .v = v, .n_slots = 16 };
	size_t tags = 0;

	for (unsigned t = 0; t < n; t++)
		tags += v[t].parts[part].n;
	while (j.n_slots / 4 * 3 < tags)
		j.n_slots *= 2;
	j.slots = xcalloc(j.n_slots, sizeof(*j.slots));
	for (unsigned t = 0; t < n; t++)
		for (size_t i = 0; i < v[t].parts[part].n; i++)
			join_find(&j, t, v[t].parts[part].v[i]);
	free(j.slots);
	add_joined(&j, urls, &v[to].joined);
	free(j.pairs);
}

static bool is_group(const struct gathering *g, size_t nr)
{
	return g->finds[nr].rule != FIND_JOINED &&
	       find_end(g, nr) - g->finds[nr].first > 1;
}

/* Where the groups of each rule begin: counted, since rules are few and groups many. */
static uint32_t *count_groups(const struct gathering *v, unsigned n, size_t n_rules)
{
	uint32_t *at = xcalloc(n_rules + 2, sizeof(*at));

	for (unsigned t = 0; t < n; t++) {
		for (size_t i = 0; i < v[t].n_finds; i++)
			if (is_group(&v[t], i))
				at[v[t].finds[i].rule + 1]++;
		for (size_t i = 0; i < v[t].joined.n; i++)
			at[v[t].joined.v[i].rule + 1]++;
	}
	for (size_t r = 1; r <= n_rules; r++)
		at[r] += at[r - 1];
	return at;
}

static size_t append_members(struct groups *to, const uint32_t *v, size_t n)
{
	size_t first = to->n_members;

	VEC_RESERVE(to->members, to->members_cap, first + n);
	if (n > 0)
		memcpy(to->members + first, v, n * sizeof(*v));
	to->n_members += n;
	return first;
}

/* The finds that are groups by themselves; `members` are theirs. */
static void place_finds(const struct gathering *g, const struct url_set *urls,
			size_t shift, uint32_t *at, struct groups *to)
{
	for (size_t i = 0; i < g->n_finds; i++) {
		const struct find *f = &g->finds[i];
		size_t first = shift + f->first;

		if (!is_group(g, i))
			continue;
		struct rule_group made = make_group(urls, f->rule, to->members + first,
						    find_end(g, i) - f->first);
		made.first = (uint32_t)first;
		to->v[at[f->rule]++] = made;
	}
}

static void place_joined(const struct gathering *g, size_t shift, uint32_t *at,
			 struct groups *to)
{
	for (size_t i = 0; i < g->joined.n; i++) {
		struct rule_group made = g->joined.v[i];

		made.first += (uint32_t)shift;
		to->v[at[made.rule]++] = made;
	}
}

void groups_take(struct gathering *v, unsigned n, size_t n_rules,
		 const struct url_set *urls, struct groups *ret)
{
	uint32_t *at = count_groups(v, n, n_rules);

	ret->n = at[n_rules];
	VEC_RESERVE(ret->v, ret->cap, ret->n + 1);
	for (unsigned t = 0; t < n; t++) {
		struct gathering *g = &v[t];
		size_t first = 0;

		if (t > 0) {
			first = append_members(ret, g->members, g->n_members);
		} else {
			ret->members = TAKE(g->members);
			ret->n_members = g->n_members;
			ret->members_cap = g->members_cap;
		}
		place_finds(g, urls, first, at, ret);
		place_joined(g,
			     append_members(ret, g->joined.members, g->joined.n_members),
			     at, ret);
		gathering_release(g);
	}
	free(at);
}
