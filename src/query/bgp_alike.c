/*
 * Steps of a pattern of which only the number of some solutions matters: rows that
 * agree in all columns that anybody reads are taken as one, so many times.
 */
#include "query/bgp.h"

#define LEAP_ROWS 4096 /* so many alike: ask the index how many there are */

static const struct slot *slot_in(const struct step *t, enum order order, unsigned column)
{
	const struct slot *slots[] = { &t->s, &t->p, &t->o };
	int k = 0;

	while (order_column[order][k] != column)
		k++;
	return slots[k];
}

static bool is_twice(const struct step *t, uint32_t var)
{
	return (t->s.is_var && t->s.var == var) + (t->p.is_var && t->p.var == var) +
		       (t->o.is_var && t->o.var == var) >
	       1;
}

/* Leading columns that matter; those behind them are free and nobody reads them. */
static unsigned columns_read(const struct step *t, enum order order, unsigned bound)
{
	unsigned n = 4;

	for (; n > bound; n--) {
		uint32_t var = slot_in(t, order, n - 1)->var;

		if (t->read[var] || is_twice(t, var))
			break;
	}
	return n;
}

/* The end of the rows from `from` on that agree with it in their first columns. */
static size_t alike_until(const struct row *rows, size_t from, size_t n, unsigned columns)
{
	size_t low = from, high = n;

	if (row_cmp_prefix(&rows[n - 1], &rows[from], columns) == 0)
		return n;
	for (size_t step = 1; low + step < n; step *= 2) {
		if (row_cmp_prefix(&rows[low + step], &rows[from], columns) != 0) {
			high = low + step;
			break;
		}
		low += step;
	}
	while (low + 1 < high) { /* `low` agrees, `high` does not */
		size_t middle = (low + high) / 2;

		if (row_cmp_prefix(&rows[middle], &rows[from], columns) == 0)
			low = middle;
		else
			high = middle;
	}
	return low + 1;
}

/* Rows that agree in all that matters, met so far. */
struct alike {
	struct row first;
	enum order order;
	unsigned columns; /* that matter */
	uint64_t times;
};

static bool give_alike(struct bgp_run *r, size_t at, struct alike *a)
{
	struct row q = row_to_spo(&a->first, a->order);
	uint64_t outer = r->x->times;
	bool go_on;

	if (a->times == 0)
		return true;
	r->x->times = outer * a->times;
	go_on = bgp_take(r, at, q.v[1], q.v[2], q.v[3]);
	r->x->times = outer;
	a->times = 0;
	return go_on;
}

static bool add_rows(struct bgp_run *r, size_t at, struct alike *a,
		     const struct row *rows, size_t n)
{
	for (size_t from = 0, to; from < n; from = to) {
		to = alike_until(rows, from, n, a->columns);
		if (a->times && row_cmp_prefix(&rows[from], &a->first, a->columns) != 0 &&
		    !give_alike(r, at, a))
			return false;
		if (a->times == 0)
			a->first = rows[from];
		a->times += to - from;
	}
	return true;
}

/* All rows like those at hand, met or not; the scan goes on behind them. */
static void leap(struct bgp_run *r, struct step *t, struct scan *scan, struct alike *a)
{
	struct row next = a->first;

	if (t->counter_open && t->counter.order != a->order) {
		scan_close(&t->counter);
		t->counter_open = false;
	}
	if (!t->counter_open)
		scan_open(&t->counter, r->x->snapshot, a->order);
	t->counter_open = true;
	a->times = scan_count(&t->counter, &a->first, a->columns);
	next.v[a->columns - 1]++;
	scan_skip(scan, &next, a->columns);
}

bool bgp_scan_alike(struct bgp_run *r, size_t at, const struct row *key, enum order order,
		    unsigned bound)
{
	struct step *t = &r->b->steps[at];
	struct scan *scan = bgp_scan(r, t, order);
	struct alike a = { .order = order, .columns = columns_read(t, order, bound) };
	const struct row *rows;
	size_t n;

	t->searches++;
	scan_start(scan, key, bound);
	while (scan_next(scan, &rows, &n)) {
		if (!add_rows(r, at, &a, rows, n))
			return false;
		if (a.times >= LEAP_ROWS)
			leap(r, t, scan, &a);
	}
	if (scan_is_damaged(scan) || (t->counter_open && scan_is_damaged(&t->counter)))
		return bgp_is_damaged(r->x);
	return give_alike(r, at, &a);
}

bool bgp_is_collapsed(const struct step *t, enum order order, unsigned bound)
{
	return t->read && !(t->n_ranges && order == ORDER_POS) &&
	       columns_read(t, order, bound) < 4;
}
