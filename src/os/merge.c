#include "os/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort_bytes.h"

#define BLOCK_BYTES ((size_t)256 << 10)

static const struct segment_kind run_kind = { .name = "thrRUNS\n",
					      .version = 1,
					      .scratch = true };

enum status run_writer_open(struct run_writer *w, const char *path, size_t record_bytes,
			    struct diag *why)
{
	*w = (struct run_writer){ .record_bytes = record_bytes };
	TRY(file_remove(path, why)); /* of a sort that died */
	return segment_open(&w->segment, path, &run_kind, 0, NULL, why);
}

static enum status end_block(struct run_writer *w, struct diag *why)
{
	if (w->block.n == 0)
		return ST_OK;
	TRY(segment_add(&w->segment, buf_str(&w->block), NULL, why));
	buf_reset(&w->block);
	return ST_OK;
}

enum status run_writer_add(struct run_writer *w, struct str record, struct diag *why)
{
	if (w->record_bytes == 0)
		buf_add_u32(&w->block, (uint32_t)record.n);
	buf_add(&w->block, record);
	return w->block.n >= BLOCK_BYTES ? end_block(w, why) : ST_OK;
}

enum status run_writer_end(struct run_writer *w, struct diag *why)
{
	TRY(end_block(w, why));
	/* No sync: runs are worth nothing after a crash. */
	TRY(segment_flush(&w->segment, why));
	run_writer_release(w);
	return ST_OK;
}

void run_writer_release(struct run_writer *w)
{
	segment_close(&w->segment);
	buf_release(&w->block);
}

/* Cold: the block is used up. */
static enum status next_block(struct run_reader *r, struct diag *why)
{
	map_file_pass(&r->map, (size_t)r->reader.at);
	enum status st = segment_next(&r->reader, &r->block);

	if (st == ST_AGAIN) {
		r->ended = true;
		return ST_OK;
	}
	return st == ST_OK ? ST_OK : diag_fail(why, st, "a sorted run is damaged");
}

static enum status advance(struct run_reader *r, size_t record_bytes, struct diag *why)
{
	uint32_t n = (uint32_t)record_bytes;

	if (r->block.n == 0) {
		TRY(next_block(r, why));
		if (r->ended)
			return ST_OK;
	}
	if ((record_bytes == 0 && !str_take_u32(&r->block, &n)) ||
	    !str_take_bytes(&r->block, n, &r->record))
		return diag_fail(why, ST_CORRUPT, "a sorted run is damaged");
	r->word = sort_word(r->record);
	return ST_OK;
}

/* Ended runs go last; of equal records that of the earlier run goes first. */
static bool goes_before(const struct merge *m, size_t a, size_t b)
{
	const struct run_reader *x = &m->runs[a], *y = &m->runs[b];

	if (x->ended || y->ended)
		return !x->ended || (y->ended && a < b);
	if (x->word != y->word)
		return x->word < y->word;
	int order = str_cmp(x->record, y->record);
	return order ? order < 0 : a < b;
}

/* Play the match of inner node `i`; leaves are the nodes n to 2n - 1.  The winner. */
static size_t play(struct merge *m, size_t i)
{
	if (i >= m->n)
		return i - m->n;
	size_t left = play(m, 2 * i), right = play(m, 2 * i + 1);
	bool left_wins = goes_before(m, left, right);

	m->losers[i] = left_wins ? right : left;
	return left_wins ? left : right;
}

enum status merge_open(struct merge *m, char **paths, size_t n, size_t record_bytes,
		       struct diag *why)
{
	*m = (struct merge){
		.runs = xcalloc(n, sizeof(*m->runs)),
		.n = n,
		.losers = xcalloc(n, sizeof(*m->losers)),
		.record_bytes = record_bytes,
	};
	for (size_t i = 0; i < n; i++) {
		struct run_reader *r = &m->runs[i];

		TRY(map_file_open(&r->map, paths[i], MAP_SEQUENTIAL, why));
		TRY(segment_reader_init(&r->reader, r->map.bytes, &run_kind, why));
		TRY(advance(r, record_bytes, why));
	}
	return ST_OK;
}

/* The winner's run moves on; its new record plays its way up against the losers. */
static enum status replay(struct merge *m, struct diag *why)
{
	size_t winner = m->losers[0];

	TRY(advance(&m->runs[winner], m->record_bytes, why));
	for (size_t i = (m->n + winner) / 2; i > 0; i /= 2)
		if (goes_before(m, m->losers[i], winner))
			SWAP(m->losers[i], winner);
	m->losers[0] = winner;
	return ST_OK;
}

enum status merge_next(struct merge *m, struct str *ret, struct diag *why)
{
	if (m->n == 0)
		return ST_AGAIN;
	if (m->started)
		TRY(replay(m, why));
	else
		m->losers[0] = play(m, 1);
	m->started = true;
	const struct run_reader *first = &m->runs[m->losers[0]];
	if (first->ended)
		return ST_AGAIN;
	*ret = first->record;
	return ST_OK;
}

void merge_release(struct merge *m)
{
	for (size_t i = 0; i < m->n && m->runs; i++)
		map_file_release(&m->runs[i].map);
	free(m->runs);
	free(m->losers);
	*m = (struct merge){ 0 };
}
