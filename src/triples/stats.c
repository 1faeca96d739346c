#include "triples/stats.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define STATS_BYTES_MAX ((size_t)256 << 20)
#define STATS_MAGIC     STR("threshst")
#define STATS_VERSION   1

void stats_release(struct stats *s)
{
	free(s->predicates);
	free(s->sets);
	free(s->members);
	map_release(&s->by_predicate);
	map_release(&s->by_set);
	*s = (struct stats){ 0 };
}

const struct predicate_stats *stats_find(const struct stats *s, uint64_t predicate)
{
	const uint64_t *at = map_find(&s->by_predicate, predicate);

	return at ? &s->predicates[*at - 1] : NULL;
}

static struct predicate_stats *predicate_at(struct stats *s, uint64_t predicate)
{
	uint64_t *at = map_add(&s->by_predicate, predicate, NULL);

	if (*at == 0) {
		VEC_ADD(s->predicates, s->n_predicates, s->predicates_cap,
			(struct predicate_stats){ .predicate = predicate });
		*at = s->n_predicates;
	}
	return &s->predicates[*at - 1];
}

static void sign_sets(struct stats *s)
{
	for (size_t i = 0; i < s->n_sets; i++) {
		s->sets[i].signature = 0;
		for (uint32_t k = 0; k < s->sets[i].n; k++)
			s->sets[i].signature |= stats_signature(
				s->members[s->sets[i].first + k].predicate);
	}
}

/* --- gathering --- */

static uint64_t star_hash(const struct stats_gather *g)
{
	uint64_t h = 0;

	for (size_t i = 0; i < g->n_star; i++)
		h = hash_mix(h ^ g->star[i].predicate);
	return h;
}

static void end_star(struct stats_gather *g)
{
	struct stats *s = g->to;
	uint64_t *at;

	if (g->n_star == 0)
		return;
	at = g->star_too_wide ? NULL : map_find(&s->by_set, star_hash(g));
	if (!at && (g->star_too_wide || s->n_sets == STATS_SETS_MAX)) {
		s->subjects_elsewhere++;
	} else if (!at) {
		struct characteristic_set set = { .subjects = 1,
						  .n = (uint32_t)g->n_star,
						  .first = (uint32_t)s->n_members };

		VEC_ADD(s->sets, s->n_sets, s->sets_cap, set);
		*map_add(&s->by_set, star_hash(g), NULL) = s->n_sets;
		for (size_t i = 0; i < g->n_star; i++)
			VEC_ADD(s->members, s->n_members, s->members_cap, g->star[i]);
	} else {
		struct characteristic_set *set = &s->sets[*at - 1];

		set->subjects++;
		for (uint32_t i = 0; i < set->n; i++)
			s->members[set->first + i].triples += g->star[i].triples;
	}
	g->n_star = 0;
	g->star_too_wide = false;
}

void stats_add_spo(struct stats_gather *g, const struct row *r)
{
	bool new_subject =
		!g->any_spo || r->v[0] != g->last_spo.v[0] || r->v[1] != g->last_spo.v[1];

	if (row_is_gone(r))
		return;
	if (new_subject)
		end_star(g);
	if (new_subject || r->v[2] != g->last_spo.v[2]) {
		predicate_at(g->to, r->v[2])->subjects++;
		if (g->n_star < STATS_SET_PREDICATES)
			g->star[g->n_star++] = (struct set_member){ r->v[2], 0 };
		else
			g->star_too_wide = true;
	}
	if (!g->star_too_wide)
		g->star[g->n_star - 1].triples++;
	g->last_spo = *r;
	g->any_spo = true;
}

void stats_add_pos(struct stats_gather *g, const struct row *r)
{
	bool new_predicate =
		!g->any_pos || r->v[0] != g->last_pos.v[0] || r->v[1] != g->last_pos.v[1];

	if (row_is_gone(r))
		return;
	struct predicate_stats *p = predicate_at(g->to, r->v[1]);
	p->triples++;
	if (new_predicate || r->v[2] != g->last_pos.v[2])
		p->objects++;
	g->last_pos = *r;
	g->any_pos = true;
}

void stats_end(struct stats_gather *g)
{
	end_star(g);
	sign_sets(g->to);
}

void stats_join(struct stats *spo, const struct stats *pos)
{
	for (size_t i = 0; i < pos->n_predicates; i++) {
		struct predicate_stats *p =
			predicate_at(spo, pos->predicates[i].predicate);

		p->triples = pos->predicates[i].triples;
		p->objects = pos->predicates[i].objects;
	}
}

/* --- on disk: magic, version, the three arrays as varints, a checksum --- */

static void format(const struct stats *s, struct buf *b)
{
	buf_add(b, STATS_MAGIC);
	buf_add_u32(b, STATS_VERSION);
	buf_add_varint(b, s->n_predicates);
	for (size_t i = 0; i < s->n_predicates; i++) {
		const struct predicate_stats *p = &s->predicates[i];

		buf_add_varint(b, p->predicate);
		buf_add_varint(b, p->triples);
		buf_add_varint(b, p->subjects);
		buf_add_varint(b, p->objects);
	}
	buf_add_varint(b, s->subjects_elsewhere);
	buf_add_varint(b, s->n_sets);
	for (size_t i = 0; i < s->n_sets; i++) {
		buf_add_varint(b, s->sets[i].subjects);
		buf_add_varint(b, s->sets[i].n);
		for (uint32_t k = 0; k < s->sets[i].n; k++) {
			buf_add_varint(b, s->members[s->sets[i].first + k].predicate);
			buf_add_varint(b, s->members[s->sets[i].first + k].triples);
		}
	}
	buf_add_u32(b, checksum32(buf_str(b)));
}

enum status stats_save(const struct stats *s, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf b = BUF(STATS_BYTES_MAX);

	format(s, &b);
	TRY(buf_status(&b));
	return file_save(path, buf_str(&b), why);
}

static bool parse_predicates(struct str *in, struct stats *s)
{
	uint64_t n;

	if (!str_take_varint(in, &n))
		return false;
	for (; n > 0; n--) {
		struct predicate_stats p;

		if (!str_take_varint(in, &p.predicate) ||
		    !str_take_varint(in, &p.triples) ||
		    !str_take_varint(in, &p.subjects) || !str_take_varint(in, &p.objects))
			return false;
		*predicate_at(s, p.predicate) = p;
	}
	return str_take_varint(in, &s->subjects_elsewhere);
}

static bool parse_sets(struct str *in, struct stats *s)
{
	uint64_t n, members;

	if (!str_take_varint(in, &n))
		return false;
	for (; n > 0; n--) {
		struct characteristic_set set = { .first = (uint32_t)s->n_members };
		struct set_member m;

		if (!str_take_varint(in, &set.subjects) ||
		    !str_take_varint(in, &members) || members > STATS_SET_PREDICATES ||
		    set.subjects == 0)
			return false;
		set.n = (uint32_t)members;
		for (; members > 0; members--) {
			if (!str_take_varint(in, &m.predicate) ||
			    !str_take_varint(in, &m.triples))
				return false;
			VEC_ADD(s->members, s->n_members, s->members_cap, m);
		}
		VEC_ADD(s->sets, s->n_sets, s->sets_cap, set);
	}
	return true;
}

enum status stats_load(struct stats *ret, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf b = { 0 };
	cleanup(stats_release) struct stats s = { 0 };
	struct str in;
	uint32_t version, check;

	TRY(file_load(path, STATS_BYTES_MAX, &b, why));
	in = str_slice(buf_str(&b), 0, b.n >= 4 ? b.n - 4 : 0);
	if (b.n >= 4)
		memcpy(&check, b.p + b.n - 4, 4);
	if (b.n < 4 || check != checksum32(in) || !str_take_prefix(&in, STATS_MAGIC) ||
	    !str_take_u32(&in, &version) || version != STATS_VERSION ||
	    !parse_predicates(&in, &s) || !parse_sets(&in, &s))
		return diag_fail(why, ST_CORRUPT, "%s: damaged", path);
	sign_sets(&s);
	*ret = TAKE(s);
	return ST_OK;
}
