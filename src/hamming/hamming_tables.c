#include "hamming/hamming_tables.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "hamming/hamming_scan.h"
#include "os/thread.h"

static uint64_t low_bits(unsigned n)
{
	return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

static inline uint64_t permute(const struct bit_order *o, uint64_t x)
{
	uint64_t y = 0;

	for (unsigned i = 0; i < o->n; i++)
		y = (o->width[i] < 64 ? y << o->width[i] : 0) |
		    (x >> o->shift[i] & low_bits(o->width[i]));
	return y;
}

static inline uint64_t restore(const struct bit_order *o, uint64_t y)
{
	uint64_t x = 0;

	for (unsigned i = o->n; i-- > 0;) {
		x |= (y & low_bits(o->width[i])) << o->shift[i];
		y = o->width[i] < 64 ? y >> o->width[i] : 0;
	}
	return x;
}

uint64_t hamming_table_permute(const struct hamming_table *t, uint64_t print)
{
	return permute(&t->order, print);
}

uint64_t hamming_table_restore(const struct hamming_table *t, uint64_t permuted)
{
	return restore(&t->order, permuted);
}

/* The bits of `from` cut into `n` blocks, as equal as can be. */
static unsigned cut(unsigned shift, unsigned bits, unsigned n, struct bit_order *ret)
{
	unsigned at = shift + bits;

	for (unsigned i = 0; i < n; i++) {
		unsigned width = bits * (i + 1) / n - bits * i / n;

		at -= width;
		ret->shift[i] = (uint8_t)at;
		ret->width[i] = (uint8_t)width;
	}
	ret->n = (uint8_t)n;
	return n;
}

/* Bring the blocks whose bits are set in `chosen` to the front. */
static struct bit_order bring_forward(const struct bit_order *blocks, unsigned chosen)
{
	struct bit_order o = { .n = blocks->n };
	unsigned at = 0;

	for (int front = 1; front >= 0; front--)
		for (unsigned i = 0; i < blocks->n; i++)
			if ((int)(chosen >> i & 1) == front) {
				o.shift[at] = blocks->shift[i];
				o.width[at++] = blocks->width[i];
				if (front)
					o.front = (uint8_t)(o.front + blocks->width[i]);
			}
	return o;
}

static unsigned choose(unsigned blocks, unsigned chosen, struct bit_order *ret)
{
	struct bit_order all;
	unsigned n = 0;

	cut(0, 64, blocks, &all);
	for (unsigned set = 0; set < 1u << blocks; set++)
		if ((unsigned)__builtin_popcount(set) == chosen)
			ret[n++] = bring_forward(&all, set);
	return n;
}

/* One of four blocks, then one of four parts of the rest. */
static unsigned choose_twice(struct bit_order *ret)
{
	unsigned n = 0;

	for (unsigned first = 0; first < 4; first++)
		for (unsigned second = 0; second < 4; second++) {
			struct bit_order o = { .n = 8, .front = 28 };
			unsigned rest[4] = { 0 }, k = 0;

			for (unsigned b = 0; b < 4; b++)
				if (b != first)
					rest[k++] = 48 - 16 * b;
			/* parts of 12: three blocks of 16 give 12 + 4 | 8 + 8 | 4 + 12 */
			struct {
				unsigned shift, width;
			} parts[4][2] = { { { rest[0] + 4, 12 }, { 0, 0 } },
					  { { rest[0], 4 }, { rest[1] + 8, 8 } },
					  { { rest[1], 8 }, { rest[2] + 12, 4 } },
					  { { rest[2], 12 }, { 0, 0 } } };
			unsigned at = 0;
			o.shift[at] = (uint8_t)(48 - 16 * first);
			o.width[at++] = 16;
			for (unsigned p = 0; p < 4; p++) {
				unsigned part = (second + p) % 4;

				for (unsigned h = 0; h < 2; h++)
					if (parts[part][h].width) {
						o.shift[at] =
							(uint8_t)parts[part][h].shift;
						o.width[at++] =
							(uint8_t)parts[part][h].width;
					}
			}
			o.n = (uint8_t)at;
			ret[n++] = o;
		}
	return n;
}

static unsigned plan(unsigned n_tables, struct bit_order *ret)
{
	switch (n_tables) {
	case 4:
		return choose(4, 1, ret);
	case 10:
		return choose(5, 2, ret);
	case 16:
		return choose_twice(ret);
	case 20:
		return choose(6, 3, ret);
	}
	return 0;
}

/* Where each value of the first bits begins; about eight prints a bucket, or the front.
 */
static void fill_buckets(struct hamming_table *t, size_t n)
{
	unsigned bits = 4;

	while (bits < t->order.front && bits < 24 && (size_t)8 << bits < n)
		bits++;
	if (t->order.front <= 16)
		bits = t->order.front; /* few and large: looked up by their value alone */
	t->bucket_bits = bits;
	t->buckets = xcalloc(((size_t)1 << bits) + 1, sizeof(*t->buckets));
	for (size_t i = 0; i < n; i++)
		t->buckets[(t->prints[i] >> (64 - bits)) + 1]++;
	for (size_t i = 1; i <= (size_t)1 << bits; i++)
		t->buckets[i] += t->buckets[i - 1];
}

static void build_first(struct hamming_tables *t, const struct hamming_pair *pairs)
{
	struct sort_pair *v = xrealloc(NULL, 2 * t->n + 1, sizeof(*v));

	for (size_t i = 0; i < t->n; i++)
		v[i] = (struct sort_pair){ permute(&t->tables[0].order, pairs[i].print),
					   pairs[i].doc };
	sort_pairs(v, v + t->n, t->n);
	for (size_t i = 0; i < t->n; i++) {
		t->tables[0].prints[i] = v[i].key;
		t->docs[i] = (uint32_t)v[i].value;
	}
	free(v);
}

void hamming_tables_build(struct hamming_tables *t, unsigned n_tables,
			  const struct hamming_pair *pairs, size_t n)
{
	struct bit_order orders[HAMMING_TABLES_MAX];

	*t = (struct hamming_tables){ .n_tables = plan(n_tables, orders), .n = n };
	assert(t->n_tables == n_tables && n < UINT32_MAX);
	t->docs = xrealloc(NULL, n + 1, sizeof(*t->docs));
	for (unsigned i = 0; i < n_tables; i++) {
		struct hamming_table *table = &t->tables[i];

		table->order = orders[i];
		table->prints = xrealloc(NULL, n + 1, sizeof(*table->prints));
		if (i == 0) {
			build_first(t, pairs);
		} else {
			uint64_t *scratch = xrealloc(NULL, n + 1, sizeof(*scratch));

			for (size_t k = 0; k < n; k++)
				table->prints[k] = permute(&orders[i], pairs[k].print);
			sort_u64(table->prints, scratch, n);
			free(scratch);
		}
		fill_buckets(table, n);
	}
}

void hamming_tables_borrow(struct hamming_tables *t, unsigned n_tables,
			   uint64_t *const *prints, uint32_t *docs, size_t n)
{
	struct bit_order orders[HAMMING_TABLES_MAX];

	*t = (struct hamming_tables){
		.n_tables = plan(n_tables, orders), .n = n, .docs = docs, .borrowed = true
	};
	for (unsigned i = 0; i < t->n_tables; i++) {
		t->tables[i].order = orders[i];
		t->tables[i].prints = prints[i];
		fill_buckets(&t->tables[i], n);
	}
}

void hamming_tables_release(struct hamming_tables *t)
{
	for (unsigned i = 0; i < t->n_tables; i++) {
		if (!t->borrowed)
			free(t->tables[i].prints);
		free(t->tables[i].buckets);
	}
	if (!t->borrowed)
		free(t->docs);
	*t = (struct hamming_tables){ 0 };
}

size_t hamming_tables_bytes(const struct hamming_tables *t)
{
	size_t bytes = t->n * (8 * (size_t)t->n_tables + 4);

	for (unsigned i = 0; i < t->n_tables; i++)
		bytes += (((size_t)1 << t->tables[i].bucket_bits) + 1) * 4;
	return bytes;
}

static size_t lower_bound(const uint64_t *v, size_t lo, size_t hi, uint64_t key)
{
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid] < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The prints whose front equals that of `key`. */
static void front_range(const struct hamming_table *t, uint64_t key, size_t *ret_lo,
			size_t *ret_hi)
{
	uint64_t bucket = key >> (64 - t->bucket_bits);
	size_t lo = t->buckets[bucket], hi = t->buckets[bucket + 1];

	if (t->order.front > t->bucket_bits && hi - lo > 16) {
		uint64_t first = key & ~low_bits(64u - t->order.front);

		lo = lower_bound(t->prints, lo, hi, first);
		hi = lower_bound(t->prints, lo, hi,
				 first + low_bits(64u - t->order.front));
		while (hi < t->buckets[bucket + 1] &&
		       t->prints[hi] >> (64 - t->order.front) ==
			       key >> (64 - t->order.front))
			hi++;
	}
	*ret_lo = lo;
	*ret_hi = hi;
}

struct found {
	uint32_t *docs;
	size_t n, max;
};

/* All documents with exactly this fingerprint, unless they were found already. */
static void add_print(const struct hamming_tables *t, uint64_t print, struct found *f)
{
	uint64_t key = permute(&t->tables[0].order, print);
	size_t lo, hi;

	front_range(&t->tables[0], key, &lo, &hi);
	for (size_t i = lower_bound(t->tables[0].prints, lo, hi, key);
	     i < t->n && t->tables[0].prints[i] == key && f->n < f->max; i++) {
		bool known = false;

		for (size_t j = 0; j < f->n && !known; j++)
			known = f->docs[j] == t->docs[i];
		if (!known)
			f->docs[f->n++] = t->docs[i];
	}
}

#define HITS 256

static void scan_front(const struct hamming_tables *t, const struct hamming_table *table,
		       uint64_t front_key, uint64_t query, unsigned k, struct found *f)
{
	uint32_t hits[HITS];
	size_t lo, hi, n;

	front_range(table, front_key, &lo, &hi);
	for (; lo < hi; lo += n == HITS ? (size_t)hits[HITS - 1] + 1 : hi - lo) {
		n = hamming_scan(table->prints + lo, hi - lo, query, k, hits, HITS);
		for (size_t i = 0; i < n; i++)
			add_print(t, restore(&table->order, table->prints[lo + hits[i]]),
				  f);
	}
}

/* The next larger number with as many bits set. */
static uint32_t next_mask(uint32_t m)
{
	uint32_t low = m & -m, up = m + low;

	return up | (((m ^ up) >> 2) / low);
}

/* Fronts of 16 bits that differ from the query's in exactly `bits` bits. */
static void scan_around(const struct hamming_tables *t, const struct hamming_table *table,
			uint64_t key, unsigned bits, unsigned k, struct found *f)
{
	if (bits == 0) {
		scan_front(t, table, key, key, k, f);
		return;
	}
	for (uint32_t m = (1u << bits) - 1; m < 1u << 16; m = next_mask(m))
		scan_front(t, table, key ^ (uint64_t)m << 48, key, k, f);
}

size_t hamming_tables_find(const struct hamming_tables *t, uint64_t query, unsigned k,
			   uint32_t *ret, size_t max)
{
	struct found f = { ret, 0, max };
	unsigned around = t->n_tables == 4 ? MIN(k / 4, 16u) : 0;

	assert(t->n_tables == 4 || k <= 3);
	for (unsigned i = 0; i < t->n_tables; i++) {
		const struct hamming_table *table = &t->tables[i];
		uint64_t key = permute(&table->order, query);

		for (unsigned bits = 0; bits <= around; bits++)
			scan_around(t, table, key, bits, k, &f);
	}
	return f.n;
}

/* A share of the tables, asked in the order of their prints. */
struct batch_job {
	const struct hamming_tables *t;
	const uint64_t *queries;
	size_t n;
	unsigned k, first, step;
	struct hamming_match *v;
	size_t n_matches, cap;
};

static void batch_table(struct batch_job *j, const struct hamming_table *table,
			struct sort_pair *order)
{
	uint32_t docs[HITS];

	for (size_t i = 0; i < j->n; i++)
		order[i] = (struct sort_pair){ permute(&table->order, j->queries[i]), i };
	sort_pairs(order, order + j->n, j->n);
	for (size_t i = 0; i < j->n; i++) {
		struct found f = { docs, 0, HITS };
		size_t lo, hi;

		if (i + 8 < j->n) { /* the next ones are on their way meanwhile */
			front_range(table, order[i + 8].key, &lo, &hi);
			__builtin_prefetch(table->prints + lo);
		}
		scan_front(j->t, table, order[i].key, order[i].key, j->k, &f);
		for (size_t d = 0; d < f.n; d++)
			VEC_ADD(j->v, j->n_matches, j->cap,
				(struct hamming_match){ (uint32_t)order[i].value,
							docs[d] });
	}
}

static void run_batch(void *arg)
{
	struct batch_job *j = arg;
	struct sort_pair *order = xrealloc(NULL, 2 * j->n + 1, sizeof(*order));

	for (unsigned i = j->first; i < j->t->n_tables; i += j->step)
		batch_table(j, &j->t->tables[i], order);
	free(order);
}

static int by_query(const void *a, const void *b)
{
	const struct hamming_match *x = a, *y = b;

	if (x->query != y->query)
		return x->query < y->query ? -1 : 1;
	return (x->doc > y->doc) - (x->doc < y->doc);
}

/* The jobs' matches together, sorted, each once. */
static size_t join_matches(struct batch_job *jobs, unsigned n_jobs,
			   struct hamming_match **ret)
{
	struct hamming_match *all = jobs[0].v;
	size_t n = jobs[0].n_matches, cap = jobs[0].cap, kept = 0;

	for (unsigned i = 1; i < n_jobs; i++) {
		VEC_RESERVE(all, cap, n + jobs[i].n_matches);
		if (jobs[i].n_matches)
			memcpy(all + n, jobs[i].v, jobs[i].n_matches * sizeof(*all));
		n += jobs[i].n_matches;
		free(jobs[i].v);
	}
	if (n)
		qsort(all, n, sizeof(*all), by_query);
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || by_query(&all[kept - 1], &all[i]) != 0)
			all[kept++] = all[i];
	*ret = all;
	return kept;
}

size_t hamming_tables_batch(const struct hamming_tables *t, const uint64_t *queries,
			    size_t n, unsigned k, unsigned threads,
			    struct hamming_match **ret)
{
	struct batch_job jobs[HAMMING_TABLES_MAX];
	struct thread running[HAMMING_TABLES_MAX] = { 0 };
	unsigned n_jobs = MAX(MIN(threads, t->n_tables), 1u);

	assert(k <= 3);
	for (unsigned i = 0; i < n_jobs; i++) {
		jobs[i] = (struct batch_job){ .t = t,
					      .queries = queries,
					      .n = n,
					      .k = k,
					      .first = i,
					      .step = n_jobs };
		if (i == 0 || thread_start(&running[i], "hamming", run_batch, &jobs[i],
					   NULL) == ST_OK)
			continue;
		run_batch(&jobs[i]); /* no thread to be had: do it here */
	}
	run_batch(&jobs[0]);
	for (unsigned i = 1; i < n_jobs; i++)
		thread_join(&running[i]);
	return join_matches(jobs, n_jobs, ret);
}
