#include "eval/cost.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/rng.h"
#include "os/clock.h"
#include "triples/run.h"

/* Measured on the machine where this was written; used until calibrated. */
const struct cost_constants cost_standard = {
	.scan_ns = 3,
	.seek_ns = 700,
	.seek_near_ns = 60,
	.build_ns = 40,
	.probe_ns = 25,
	.row_ns = 10,
};

#define CALIBRATION_ROWS   200000
#define CALIBRATION_ROUNDS 3

static double elapsed(int64_t from, size_t n)
{
	double ns = (double)(clock_mono_ns(&real_clock) - from) / (double)n;

	return ns > 0.5 ? ns : 0.5;
}

/* Searches of every 17th row in order, or of rows anywhere. */
static double time_seeks(struct run *r, bool near)
{
	struct run_cursor c;
	struct rng rng = { 1 };
	int64_t from = clock_mono_ns(&real_clock);
	size_t n = 0;

	run_cursor_start(&c, r, ORDER_SPO);
	for (size_t i = 0; i < r->n_rows; i += 17, n++) {
		size_t at = near ? i : rng_below(&rng, r->n_rows);

		run_cursor_seek(&c, &r->rows[ORDER_SPO][at], 4);
	}
	run_cursor_release(&c);
	return elapsed(from, n);
}

static double time_scan(struct run *r)
{
	int64_t from = clock_mono_ns(&real_clock);
	volatile uint64_t sum = 0;

	for (size_t i = 0; i < r->n_rows; i++)
		sum += r->rows[ORDER_POS][i].v[3];
	(void)sum;
	return elapsed(from, r->n_rows);
}

static void time_hash(const struct row *quads, double *build, double *probe)
{
	struct map m = { 0 };
	int64_t from = clock_mono_ns(&real_clock);

	for (size_t i = 0; i < CALIBRATION_ROWS; i++)
		*map_add(&m, hash_mix(quads[i].v[3]), NULL) = i;
	*build = MIN(*build, elapsed(from, CALIBRATION_ROWS));
	from = clock_mono_ns(&real_clock);
	for (size_t i = 0; i < CALIBRATION_ROWS; i++)
		(void)map_find(&m, hash_mix(i));
	*probe = MIN(*probe, elapsed(from, CALIBRATION_ROWS));
	map_release(&m);
}

void cost_calibrate(struct cost_constants *ret)
{
	struct row *quads = xcalloc(CALIBRATION_ROWS, sizeof(*quads));
	struct rng rng = { 7 };
	struct run *r;

	for (size_t i = 0; i < CALIBRATION_ROWS; i++)
		quads[i] = (struct row){ { 0, id_make(TAG_IRI, i / 5),
					   id_make(TAG_IRI, i % 5),
					   id_make(TAG_IRI, rng_below(&rng, 50000)) } };
	r = run_from_quads(quads, CALIBRATION_ROWS);
	*ret = (struct cost_constants){ 1e9, 1e9, 1e9, 1e9, 1e9, cost_standard.row_ns };
	/* The best of some rounds: others use the machine too. */
	for (int round = 0; round < CALIBRATION_ROUNDS; round++) {
		/* Decoding a block adds to reading an array. */
		ret->scan_ns = MIN(ret->scan_ns, time_scan(r) + 2);
		ret->seek_ns = MIN(ret->seek_ns, time_seeks(r, false) + 300);
		ret->seek_near_ns = MIN(ret->seek_near_ns, time_seeks(r, true));
		time_hash(quads, &ret->build_ns, &ret->probe_ns);
	}
	run_release(r);
	free(quads);
}

void cost_format(const struct cost_constants *c, struct buf *to)
{
	buf_addf(to,
		 "thresh-kb-costs 2\nscan %.2f\nseek %.2f\nnear %.2f\nbuild %.2f\nprobe "
		 "%.2f\nrow %.2f\n",
		 c->scan_ns, c->seek_ns, c->seek_near_ns, c->build_ns, c->probe_ns,
		 c->row_ns);
}

bool cost_parse(struct str text, struct cost_constants *ret)
{
	struct cost_constants c;
	char copy[512];

	if (text.n >= sizeof(copy))
		return false;
	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	if (sscanf(copy,
		   "thresh-kb-costs 2 scan %lf seek %lf near %lf build %lf probe %lf row "
		   "%lf",
		   &c.scan_ns, &c.seek_ns, &c.seek_near_ns, &c.build_ns, &c.probe_ns,
		   &c.row_ns) != 6)
		return false;
	*ret = c;
	return true;
}
