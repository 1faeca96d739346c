/*
 * stats.h - what the planner asks of a segment: how many, how different.
 *
 * Per predicate the triples, the distinct subjects and objects; and
 * characteristic sets: how many subjects have exactly this set of predicates, and
 * how often each occurs in it.  One page is one star, so few sets describe
 * a crawl.  Gathered while a segment is written, kept in its .stat file.
 */
#ifndef TRIPLES_STATS_H
#define TRIPLES_STATS_H

#include "base/hash.h"
#include "base/map.h"
#include "os/file.h"
#include "triples/row.h"

#define STATS_SETS_MAX       4096 /* more different stars than this are not counted apart */
#define STATS_SET_PREDICATES 64

struct predicate_stats {
	uint64_t predicate, triples, subjects, objects;
};

struct characteristic_set {
	uint64_t subjects;
	uint32_t n, first;  /* predicates and their triples, in `members` from `first` */
	uint64_t signature; /* of all its predicates: it has none that this lacks */
};

struct set_member {
	uint64_t predicate, triples;
};

struct stats {
	struct predicate_stats *predicates; /* sorted by predicate */
	size_t n_predicates, predicates_cap;
	struct characteristic_set *sets;
	size_t n_sets, sets_cap;
	struct set_member *members;
	size_t n_members, members_cap;
	uint64_t subjects_elsewhere; /* of stars that are in no set */
	struct map by_predicate;     /* predicate -> place + 1 */
	struct map by_set;           /* hash of the predicates -> place + 1 */
};

void stats_release(struct stats *s);
const struct predicate_stats *stats_find(const struct stats *s, uint64_t predicate);
/* A bit for a predicate, so that most sets without it are told at a glance. */
static inline uint64_t stats_signature(uint64_t predicate)
{
	return (uint64_t)1 << (hash_mix(predicate) >> 58);
}
must_use enum status stats_save(const struct stats *s, const char *path,
				struct diag *why);
must_use enum status stats_load(struct stats *ret, const char *path, struct diag *why);

/* Gathering: all rows of SPO in order, and all of POS, in any sequence of the two. */
struct stats_gather {
	struct stats *to;
	struct row last_spo, last_pos;
	bool any_spo, any_pos;
	struct set_member star[STATS_SET_PREDICATES]; /* of the subject at hand */
	size_t n_star;
	bool star_too_wide;
};

void stats_add_spo(struct stats_gather *g, const struct row *r);
void stats_add_pos(struct stats_gather *g, const struct row *r);
void stats_end(struct stats_gather *g);
/* Gathered apart, by two threads: triples and objects of `pos` are added to `spo`. */
void stats_join(struct stats *spo, const struct stats *pos);
#endif
