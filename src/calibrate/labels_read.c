/* labels_read.c - bins of samples out of lines that people or programs wrote. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/intern.h"
#include "calibrate/samples.h"
#include "corpus/jsonl.h"

struct reading {
	struct sample_set *set;
	struct sample_site *site;
	struct intern names, bins;
	uint32_t *leader; /* by sample of the site: union of near pairs */
	bool any_near, any_bin;
	struct buf scratch;
};

static uint32_t find_leader(uint32_t *leader, uint32_t i)
{
	while (leader[i] != i)
		i = leader[i] = leader[leader[i]];
	return i;
}

static void add_grade(struct reading *r, uint32_t a, uint32_t b, bool near)
{
	uint32_t first = r->site->first;

	if (a == b)
		return;
	VEC_ADD(r->set->pairs, r->set->pair_count, r->set->pair_cap,
		(struct graded_pair){ first + MIN(a, b), first + MAX(a, b), near });
	if (near)
		r->leader[find_leader(r->leader, b)] = find_leader(r->leader, a);
	r->any_near = true;
}

/* {"label": 1, "a": name, "b": name}: 0 is different, anything else near. */
static bool read_json(struct reading *r, struct str line)
{
	struct jsonl_want w[] = { { .name = STR("label") },
				  { .name = STR("a") },
				  { .name = STR("b") } };

	buf_reset(&r->scratch);
	if (jsonl_read(line, w, COUNT(w), &r->scratch, NULL) != ST_OK || !w[0].found ||
	    !w[1].found || !w[2].found)
		return false;
	uint32_t a = intern_find(&r->names, w[1].value);
	uint32_t b = intern_find(&r->names, w[2].value);
	if (a != INTERN_NONE && b != INTERN_NONE)
		add_grade(r, a, b, !str_eq(w[0].value, STR("0")));
	return true;
}

/* A line names samples of other sites as well: those are passed over. */
static bool read_line(struct reading *r, struct str line)
{
	struct str first, second;
	uint32_t a, b;

	if (line.p[0] == '{')
		return read_json(r, line);
	if (!str_take_until(&line, '\t', &first) || line.n == 0)
		return false;
	if (!str_take_until(&line, '\t', &second) || line.n == 0) {
		a = intern_find(&r->names, first);
		if (a != INTERN_NONE) {
			r->set->v[r->site->first + a].bin =
				intern_add(&r->bins, str_trim(second));
			r->any_bin = true;
		}
		return true;
	}
	a = intern_find(&r->names, second);
	b = intern_find(&r->names, str_trim(line));
	if (first.n != 1 || first.p[0] < '0' || first.p[0] > '2')
		return false;
	if (a != INTERN_NONE && b != INTERN_NONE)
		add_grade(r, a, b, first.p[0] != '2');
	return true;
}

/* Bins from near pairs, for a site whose samples came without. */
static void bins_from_pairs(struct reading *r)
{
	uint32_t *bin = xcalloc(r->site->n, sizeof(*bin));
	uint32_t bins = 0;

	for (uint32_t i = 0; i < r->site->n; i++) {
		uint32_t l = find_leader(r->leader, i);

		if (!bin[l])
			bin[l] = ++bins;
		r->set->v[r->site->first + i].bin = bin[l] - 1;
	}
	r->site->bins = bins;
	free(bin);
}

enum status samples_add_labels(struct sample_set *s, size_t site, struct str text,
			       struct diag *why)
{
	struct reading r = { .set = s, .site = &s->sites[site] };
	struct str line;
	enum status st = ST_OK;

	r.leader = xcalloc(r.site->n, sizeof(*r.leader));
	for (uint32_t i = 0; i < r.site->n; i++) {
		r.leader[i] = i;
		intern_add(&r.names, s->v[r.site->first + i].name);
	}
	for (unsigned nr = 1; st == ST_OK && str_take_line(&text, &line); nr++)
		if (str_trim(line).n && line.p[0] != '#' && !read_line(&r, line))
			st = diag_fail(why, ST_SYNTAX,
				       "labels, line %u: neither 'name TAB bin' nor "
				       "'0|1|2 TAB name TAB name', nor JSON with "
				       "label, a and b",
				       nr);
	if (r.any_bin)
		r.site->bins = (uint32_t)r.bins.n;
	else if (r.any_near && r.site->bins == 0)
		bins_from_pairs(&r);
	free(r.leader);
	intern_release(&r.names);
	intern_release(&r.bins);
	buf_release(&r.scratch);
	return st;
}
