/*
 * The log: a record a commit, or several where it is large: a byte (1: more of the
 * same commit follows); varints: next blank number, first new term number, how many
 * terms, their keys with lengths, how many rows; then for each row a byte (1: gone)
 * and four u64.  A commit whose last record is missing did not happen.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "store/store_internal.h"

/* A record stays well below what a segment takes. */
#define ROWS_PER_RECORD       ((size_t)1 << 18)
#define TERM_BYTES_PER_RECORD ((size_t)16 << 20)

static const struct segment_kind wal_kind = { .name = "threshwl", .version = 1 };

enum status wal_open(struct store *s, uint64_t number, struct diag *why)
{
	char *path = store_path(s, number, "wal");
	enum status st = segment_open(&s->wal, path, &wal_kind, 0, NULL, why);

	free(path);
	return st;
}

/* As many new terms as go into one record; returns the number after them. */
static uint64_t add_terms(struct store *s, uint64_t end, struct buf *to)
{
	struct dict_part *delta = store_delta(s->now);
	cleanup(buf_release) struct buf key = { 0 }, keys = { 0 };
	uint64_t i = s->terms_logged;

	for (; i < end && keys.n < TERM_BYTES_PER_RECORD; i++) {
		(void)!dict_part_key(delta, i, &key);
		buf_add_sized(&keys, buf_str(&key));
	}
	buf_add_varint(to, s->terms_logged);
	buf_add_varint(to, i - s->terms_logged);
	buf_add(to, buf_str(&keys));
	return i;
}

static void add_rows(const struct row *rows, size_t n, struct buf *to)
{
	buf_add_varint(to, n);
	for (size_t i = 0; i < n; i++) {
		buf_add_u8(to, row_is_gone(&rows[i]));
		buf_add_u64(to, rows[i].v[0] & ~ROW_GONE);
		for (int k = 1; k < 4; k++)
			buf_add_u64(to, rows[i].v[k]);
	}
}

enum status wal_log(struct store *s, const struct row *rows, size_t n, struct diag *why)
{
	struct dict_part *delta = store_delta(s->now);
	uint64_t end = delta->first + dict_part_count(delta);
	uint64_t blanks = __atomic_load_n(&s->next_blank, __ATOMIC_RELAXED);
	bool more = true;

	if (!s->dir)
		return ST_OK;
	while (more) {
		cleanup(buf_release) struct buf record = { 0 }, terms = { 0 };
		uint64_t logged = add_terms(s, end, &terms);
		size_t part = logged == end ? MIN(n, ROWS_PER_RECORD) : 0;

		more = logged < end || part < n;
		buf_add_u8(&record, more);
		buf_add_varint(&record, blanks);
		buf_add(&record, buf_str(&terms));
		add_rows(rows, part, &record);
		TRY(segment_add(&s->wal, buf_str(&record), NULL, why));
		s->terms_logged = logged;
		rows += part;
		n -= part;
	}
	TRY(segment_sync(&s->wal, why));
	s->blanks_logged = blanks;
	return ST_OK;
}

static bool replay_terms(struct store *s, struct str *in)
{
	struct dict_part *delta = store_delta(s->now);
	uint64_t first, n;
	struct str key;

	if (!str_take_varint(in, &first) || !str_take_varint(in, &n))
		return false;
	for (; n > 0; n--, first++) {
		if (!str_take_sized(in, &key))
			return false;
		/* Terms that a segment has settled since are in the log still. */
		if (first >= delta->first && dict_part_add(delta, key) != first)
			return false;
	}
	return true;
}

/* The rows of one commit, gathered from its records. */
struct replayed {
	struct row *v;
	size_t n, cap;
};

static bool replay_rows(struct str *in, struct replayed *to)
{
	uint64_t n;

	if (!str_take_varint(in, &n))
		return false;
	for (; n > 0; n--) {
		struct row r;
		uint8_t gone;

		if (!str_take_u8(in, &gone))
			return false;
		for (int k = 0; k < 4; k++)
			if (!str_take_u64(in, &r.v[k]))
				return false;
		if (gone)
			r.v[0] |= ROW_GONE;
		VEC_ADD(to->v, to->n, to->cap, r);
	}
	return true;
}

static void replay_commit(struct store *s, struct replayed *rows)
{
	rows->n = changes_effective(s->now, rows->v, rows->n);
	if (rows->n)
		store_publish(s, changes_apply(s->now, s->n_settled, rows->v, rows->n));
	rows->n = 0;
}

static bool replay_record(struct store *s, struct str record, struct replayed *rows)
{
	uint64_t blanks;
	uint8_t more;

	if (!str_take_u8(&record, &more) || !str_take_varint(&record, &blanks) ||
	    !replay_terms(s, &record) || !replay_rows(&record, rows))
		return false;
	s->next_blank = MAX(s->next_blank, blanks);
	if (!more)
		replay_commit(s, rows);
	return true;
}

static enum status replay_file(struct store *s, const char *path, struct diag *why)
{
	cleanup(buf_release) struct buf bytes = BUF((size_t)64 << 30);
	struct segment_reader r;
	struct replayed rows = { 0 };
	struct str record;
	bool ok = true;

	TRY(file_load(path, bytes.limit, &bytes, why));
	if (bytes.n < SEGMENT_HEADER) /* died while making the file: nothing was logged */
		return ST_OK;
	TRY(segment_reader_init(&r, buf_str(&bytes), &wal_kind, why));
	/* What is torn at the end was never acknowledged. */
	while (ok && segment_next(&r, &record) == ST_OK)
		ok = replay_record(s, record, &rows);
	free(rows.v);
	return ok ? ST_OK
		  : diag_fail(why, ST_CORRUPT, "%s: a record is not understood", path);
}

enum status wal_replay(struct store *s, struct diag *why)
{
	for (uint64_t n = s->manifest.wal; n < s->manifest.next_file + 64; n++) {
		char *path = store_path(s, n, "wal");
		enum status st = file_exists(path) ? replay_file(s, path, why) : ST_OK;

		if (st == ST_OK && file_exists(path))
			s->manifest.next_file = MAX(s->manifest.next_file, n + 1);
		free(path);
		TRY(st);
	}
	struct dict_part *delta = store_delta(s->now);
	s->terms_logged = delta->first + dict_part_count(delta);
	s->blanks_logged = s->next_blank;
	return ST_OK;
}
