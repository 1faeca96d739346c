#include "base/rng.h"
#include "store/store.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/fault.h"

static char folder[] = "/tmp/thresh-store-XXXXXX";

static uint64_t iri(struct store *s, unsigned n)
{
	char text[64];

	snprintf(text, sizeof(text), "http://example.org/resource/%u", n);
	return store_intern(s, term_iri(str_from(text)));
}

static enum status put(struct store *s, unsigned g, unsigned a, unsigned b, unsigned c,
		       bool gone)
{
	struct row r = { { g ? iri(s, 1000000 + g) : 0, iri(s, a), iri(s, b),
			   id_from_integer(c) } };
	struct diag why;

	if (gone)
		r.v[0] |= ROW_GONE;
	return store_commit(s, &r, 1, &why);
}

static uint64_t size_of(struct store *s)
{
	struct snapshot *now = store_snapshot(s);
	uint64_t n = snapshot_size(now);

	snapshot_release(now);
	return n;
}

/* Rows of each order as a scan gives them; all orders must agree. */
static uint64_t scanned(struct store *s)
{
	struct snapshot *now = store_snapshot(s);
	uint64_t counts[ORDERS] = { 0 };

	for (enum order o = 0; o < ORDERS; o++) {
		struct scan scan;
		const struct row *rows;
		struct row last = { { 0 } };
		size_t n;

		scan_open(&scan, now, o);
		scan_start(&scan, &(struct row){ { 0 } }, 0);
		while (scan_next(&scan, &rows, &n))
			for (size_t i = 0; i < n; i++) {
				if (row_cmp(&last, &rows[i]) >= 0 && counts[o])
					return UINT64_MAX;
				last = rows[i];
				counts[o]++;
			}
		scan_close(&scan);
	}
	snapshot_release(now);
	return counts[0] == counts[1] && counts[1] == counts[2] ? counts[0] : UINT64_MAX;
}

static void what_is_committed_is_seen(void)
{
	struct store *s;
	struct diag why;

	CHECK(store_open(&s, NULL, NULL, &why) == ST_OK);
	CHECK(put(s, 0, 1, 2, 3, false) == ST_OK && put(s, 0, 1, 2, 3, false) == ST_OK);
	CHECK(size_of(s) == 1);
	struct snapshot *before = store_snapshot(s);
	CHECK(put(s, 0, 1, 2, 4, false) == ST_OK && put(s, 0, 1, 2, 3, true) == ST_OK);
	CHECK(put(s, 7, 1, 2, 3, false) == ST_OK);
	CHECK(size_of(s) == 2 && snapshot_size(before) == 1 && scanned(s) == 2);
	snapshot_release(before);

	uint64_t *graphs;
	struct snapshot *now = store_snapshot(s);
	CHECK(snapshot_graphs(now, &graphs) == 1 && graphs[0] == iri(s, 1000007));
	free(graphs);
	snapshot_release(now);
	store_close(s);
}

/* Random changes against a plain table, through flushes, merges and reopening. */
static void every_order_agrees_with_a_plain_table(void)
{
	enum { A = 20, B = 5, C = 10 };
	static bool table[A][B][C];
	struct store_options options = { .flush_rows = 1 << 30, .no_background = true };
	struct rng rng = { 42 };
	struct store *s;
	struct diag why;
	uint64_t want = 0;

	CHECK(mkdtemp(folder));
	CHECK(store_open(&s, folder, &options, &why) == ST_OK);
	for (int step = 0; step < 4000; step++) {
		unsigned a = (unsigned)rng_below(&rng, A),
			 b = (unsigned)rng_below(&rng, B),
			 c = (unsigned)rng_below(&rng, C);
		bool gone = rng_chance(&rng, 0.4);

		want += !gone && !table[a][b][c];
		want -= gone && table[a][b][c];
		table[a][b][c] = !gone;
		CHECK(put(s, 0, a, b, c, gone) == ST_OK);
		if (step % 500 == 499)
			CHECK(store_flush(s, &why) == ST_OK);
		if (step % 1300 == 1299) {
			store_close(s);
			CHECK(store_open(&s, folder, &options, &why) == ST_OK);
		}
		if (step % 100 == 0)
			CHECK(size_of(s) == want && scanned(s) == want);
	}
	struct snapshot *now = store_snapshot(s);
	for (unsigned a = 0; a < A; a++)
		for (unsigned b = 0; b < B; b++) {
			struct row key = { { 0, iri(s, a), iri(s, b), 0 } };
			uint64_t n = 0;

			for (unsigned c = 0; c < C; c++)
				n += table[a][b][c];
			CHECK(snapshot_count(now, ORDER_SPO, &key, 3) == n);
		}
	snapshot_release(now);
	store_close(s);
}

static void terms_come_back_after_reopening(void)
{
	struct store *s;
	struct diag why;
	struct term t, lang = term_lang(STR("ein langes Wort"), STR("de"));
	struct arena a = { 0 };

	CHECK(store_open(&s, folder, &(struct store_options){ .no_background = true },
			 &why) == ST_OK);
	uint64_t id = store_intern(s, lang);
	struct row r = { { 0, iri(s, 1), iri(s, 2), id } };
	CHECK(store_commit(s, &r, 1, &why) == ST_OK);
	store_close(s);
	CHECK(store_open(&s, folder, &(struct store_options){ .read_only = true },
			 &why) == ST_OK);
	struct snapshot *now = store_snapshot(s);
	CHECK(snapshot_find(now, lang) == id);
	CHECK(snapshot_term(now, id, &a, &t) && term_eq(t, lang));
	CHECK(snapshot_find(now, term_iri(STR("http://nobody/has/this"))) == ID_NONE);
	snapshot_release(now);
	arena_release(&a);
	store_close(s);
}

/* Parts of the dictionary are merged, and numbers stay what they were. */
static void many_small_parts_become_few(void)
{
	char dir[] = "/tmp/thresh-parts-XXXXXX";
	struct store_options o = { .no_background = true };
	uint64_t ids[40];
	struct arena a = { 0 };
	struct store *s;
	struct diag why;
	struct term t;

	CHECK(mkdtemp(dir) && store_open(&s, dir, &o, &why) == ST_OK);
	for (unsigned i = 0; i < COUNT(ids); i++) {
		ids[i] = iri(s, 1000 - 7 * i); /* not in the order of the keys */
		struct row r = { { 0, ids[i], iri(s, 2), iri(s, i % 9) } };
		CHECK(store_commit(s, &r, 1, &why) == ST_OK);
		CHECK(store_flush(s, &why) == ST_OK);
	}
	for (int reopened = 0; reopened < 2; reopened++) {
		struct snapshot *now = store_snapshot(s);
		CHECK(now->n_parts < 15 && snapshot_size(now) == COUNT(ids));
		for (unsigned i = 0; i < COUNT(ids); i++) {
			CHECK(snapshot_term(now, ids[i], &a, &t));
			CHECK(snapshot_find(now, t) == ids[i]);
			CHECK(iri(s, 1000 - 7 * i) == ids[i]);
		}
		snapshot_release(now);
		store_close(s);
		CHECK(store_open(&s, dir, &o, &why) == ST_OK);
	}
	arena_release(&a);
	store_close(s);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void steps_are_seen_inside_and_kept_or_dropped_whole(void)
{
	struct store *s;
	struct diag why;
	struct row r;

	CHECK(store_open(&s, NULL, NULL, &why) == ST_OK);
	r = (struct row){ { 0, iri(s, 1), iri(s, 2), iri(s, 3) } };
	for (int keep = 0; keep < 2; keep++) {
		store_begin(s);
		store_step(s, &r, 1);
		struct snapshot *inside = store_step_snapshot(s);
		CHECK(snapshot_size(inside) == 1 && size_of(s) == 0);
		snapshot_release(inside);
		CHECK(store_end(s, keep, &why) == ST_OK);
		CHECK(size_of(s) == (uint64_t)keep);
	}
	store_close(s);
}

/* Write until the fault kills us; tell through the pipe what was acknowledged. */
static void write_until_death(const char *dir, const char *fault, int told)
{
	struct store_options options = { .no_background = true };
	struct store *s;
	struct diag why;

	if (store_open(&s, dir, &options, &why) != ST_OK ||
	    fault_set(str_from(fault), &why) != ST_OK)
		_exit(2);
	for (unsigned i = 0; i < 60; i++) {
		if (put(s, 0, i, 1, i, false) != ST_OK)
			_exit(3);
		if (write(told, &i, sizeof(i)) != sizeof(i))
			_exit(4);
		if (i % 20 == 19 && store_flush(s, &why) != ST_OK)
			_exit(5);
	}
	_exit(0);
}

static bool survives(const char *fault, bool *ret_died)
{
	char dir[] = "/tmp/thresh-store-XXXXXX";
	int told[2], status;
	unsigned acknowledged = 0, i;
	struct store *s;
	struct diag why;

	if (!mkdtemp(dir) || pipe(told) != 0)
		return false;
	pid_t child = fork();
	if (child == 0)
		write_until_death(dir, fault, told[1]);
	close(told[1]);
	while (read(told[0], &i, sizeof(i)) == sizeof(i))
		acknowledged = i + 1;
	close(told[0]);
	waitpid(child, &status, 0);
	*ret_died = WIFSIGNALED(status);
	if (store_open(&s, dir, &(struct store_options){ .no_background = true }, &why) !=
	    ST_OK) {
		printf("# %s: %s\n", fault, why.text);
		return false;
	}
	uint64_t n = scanned(s);
	bool ok = n >= acknowledged && n <= acknowledged + 1 && n == size_of(s);
	if (!ok)
		printf("# %s: %llu rows, %u acknowledged\n", fault, (unsigned long long)n,
		       acknowledged);
	ok = ok && put(s, 0, 5000, 1, 1, false) == ST_OK;
	store_close(s);
	return dir_remove(dir, &why) == ST_OK && ok;
}

static void death_at_any_write_loses_nothing_acknowledged(void)
{
	static const char *const kinds[] = { "kill-sync", "tear-write", "kill-rename",
					     "kill-create" };

	for (size_t k = 0; k < COUNT(kinds); k++) {
		bool died = true;

		for (unsigned nr = 1; died; nr += nr < 30 ? 1 : 3) {
			char fault[40];

			snprintf(fault, sizeof(fault), "%s=%u", kinds[k], nr);
			CHECK(survives(fault, &died));
		}
	}
}

static void a_damaged_block_is_noticed(void)
{
	struct store_options options = { .no_background = true };
	struct store *s;
	struct diag why;
	char dir[] = "/tmp/thresh-store-XXXXXX", path[100];
	struct file f;
	struct scan scan;
	const struct row *rows;
	size_t n;

	CHECK(mkdtemp(dir) && store_open(&s, dir, &options, &why) == ST_OK);
	CHECK(put(s, 0, 1, 2, 3, false) == ST_OK && put(s, 0, 1, 2, 9, false) == ST_OK);
	CHECK(store_flush(s, &why) == ST_OK);
	store_close(s);
	struct arena a = { 0 };
	struct str_list names = { 0 };
	CHECK(dir_list(dir, STR(".spo"), &a, &names, &why) == ST_OK && names.n == 1);
	snprintf(path, sizeof(path), "%s/" STR_FMT, dir, STR_ARG(names.v[0]));
	str_list_release(&names);
	arena_release(&a);
	CHECK(file_open(&f, path, FILE_UPDATE, &why) == ST_OK);
	CHECK(file_write_at(&f, STR("x"), INDEX_BLOCK_BYTES + 8, &why) == ST_OK);
	file_close(&f);
	CHECK(store_open(&s, dir, &options, &why) == ST_OK);
	struct snapshot *now = store_snapshot(s);
	scan_open(&scan, now, ORDER_SPO);
	scan_start(&scan, &(struct row){ { 0 } }, 0);
	CHECK(!scan_next(&scan, &rows, &n) && scan_is_damaged(&scan));
	scan_close(&scan);
	snapshot_release(now);
	store_close(s);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* A full disk keeps the rows in memory; by the time there is room they are taken back. */
static void what_cancels_out_leaves_no_segment(void)
{
	struct store_options options = { .no_background = true };
	char dir[] = "/tmp/thresh-store-XXXXXX";
	cleanup(arena_release) struct arena a = { 0 };
	struct str_list names = { 0 };
	struct store *s;
	struct diag why;

	CHECK(mkdtemp(dir) && store_open(&s, dir, &options, &why) == ST_OK);
	for (unsigned i = 0; i < 10; i++)
		CHECK(put(s, 0, i, 2, 3, false) == ST_OK);
	CHECK(fault_set(STR("fail-create=2+:ENOSPC"), &why) == ST_OK);
	CHECK(store_flush(s, &why) != ST_OK && size_of(s) == 10);
	CHECK(fault_set(STR(""), &why) == ST_OK);
	for (unsigned i = 0; i < 10; i++)
		CHECK(put(s, 0, i, 2, 3, true) == ST_OK);
	CHECK(store_flush(s, &why) == ST_OK && scanned(s) == 0);
	store_close(s);
	CHECK(dir_list(dir, STR(".spo"), &a, &names, &why) == ST_OK && names.n == 0);
	str_list_release(&names);
	CHECK(store_open(&s, dir, &options, &why) == ST_OK && scanned(s) == 0);
	store_close(s);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

int main(void)
{
	struct diag why;

	RUN(what_is_committed_is_seen);
	RUN(every_order_agrees_with_a_plain_table);
	RUN(terms_come_back_after_reopening);
	RUN(many_small_parts_become_few);
	RUN(steps_are_seen_inside_and_kept_or_dropped_whole);
	RUN(death_at_any_write_loses_nothing_acknowledged);
	RUN(a_damaged_block_is_noticed);
	RUN(what_cancels_out_leaves_no_segment);
	(void)!dir_remove(folder, &why);
	DONE();
}
