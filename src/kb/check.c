#include "kb/check.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

/* Sums that do not depend on the order of the rows, so that indexes can be compared. */
struct digest {
	uint64_t rows, sum, xor;
};

static void add_row(struct digest *d, const struct row *r, enum order o)
{
	struct row q = row_to_spo(r, o);
	uint64_t h = 0;

	for (int i = 0; i < 4; i++)
		h = hash_mix(h ^ q.v[i]) + (uint64_t)i;
	d->rows++;
	d->sum += h;
	d->xor ^= hash_mix(h);
}

static void check_index(const struct run *r, enum order o, struct digest *d,
			struct check_result *ret)
{
	struct row *rows = xrealloc(NULL, INDEX_ROWS_MAX, sizeof(*rows)),
		   last = { { 0 } };
	bool any = false;

	for (size_t b = 0; r->on_disk && b < r->files[o].n_blocks; b++) {
		struct index_walk w;
		size_t n = index_walk_start(&w, &r->files[o], b)
				   ? index_walk_rest(&w, rows)
				   : 0;

		ret->damaged_blocks += w.damaged;
		for (size_t i = 0; i < n; i++) {
			ret->rows_out_of_order += any && row_cmp(&last, &rows[i]) >= 0;
			last = rows[i];
			any = true;
			add_row(d, &rows[i], o);
		}
	}
	for (size_t i = 0; !r->on_disk && i < r->n_rows; i++)
		add_row(d, &r->rows[o][i], o);
	free(rows);
}

static void check_part(const struct dict_part *p, struct check_result *ret)
{
	cleanup(buf_release) struct buf key = { 0 };
	uint64_t n = dict_part_count(p);
	struct term t;

	for (uint64_t i = 0; i < n; i++)
		if (!dict_part_key(p, p->first + i, &key) ||
		    !term_from_key(buf_str(&key), &t))
			ret->unreadable_terms++;
	ret->terms += n;
}

void kb_check(struct snapshot *s, struct check_result *ret)
{
	*ret = (struct check_result){ .orders_agree = true };
	for (size_t i = 0; i < s->n_runs; i++) {
		struct digest d[ORDERS] = { 0 };

		for (enum order o = 0; o < ORDERS; o++)
			check_index(s->runs[i], o, &d[o], ret);
		for (enum order o = 1; o < ORDERS; o++)
			ret->orders_agree &= d[o].rows == d[0].rows &&
					     d[o].sum == d[0].sum && d[o].xor == d[0].xor
				;
		ret->rows += d[0].rows;
	}
	for (size_t i = 0; i < s->n_parts; i++)
		check_part(s->parts[i], ret);
}
