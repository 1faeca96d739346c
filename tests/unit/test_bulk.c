#include "store/bulk.h"
#include "test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "os/fault.h"
#include "rdf/ntriples.h"

static void make_text(struct buf *to, unsigned lines, uint64_t seed)
{
	struct rng r = { seed };

	for (unsigned i = 0; i < lines; i++) {
		unsigned s = (unsigned)rng_below(&r, lines / 5 + 1),
			 o = (unsigned)rng_below(&r, 500);

		switch (rng_below(&r, 5)) {
		case 0:
			buf_addf(to, "<http://x/s%u> <http://x/p%u> \"%u\" .\n", s, o % 7,
				 o);
			break;
		case 1:
			buf_addf(to,
				 "<http://x/s%u> <http://x/p%u> \"a longer literal "
				 "%u\"@en .\n",
				 s, o % 7, o);
			break;
		case 2: /* text that the reader undoes, also of a subject that repeats */
			buf_addf(to,
				 "<http://x/\\u00e9%u> <http://x/p%u> \"a\\tb %u\" .\n",
				 s % 10, o % 7, o);
			break;
		case 3:
			buf_addf(to, "_:b%u <http://x/p%u> <http://x/s%u> .\n", s % 50,
				 o % 7, s);
			break;
		default:
			buf_addf(to,
				 "<http://x/s%u> <http://x/in> <http://x/o%u> "
				 "<http://x/g%u> .\n",
				 s, o, o % 3);
		}
	}
}

static enum status load(struct store *s, struct str text, bool strict,
			uint64_t *statements, uint64_t *bad, struct diag *why)
{
	struct bulk_text t = { .text = text, .quads = true, .strict = strict };
	struct bulk *b;
	enum status st;

	*statements = *bad = 0;
	TRY(bulk_start(&b, s, why));
	st = bulk_add(b, &t, statements, bad, why);
	if (st == ST_OK)
		return bulk_end(b, why);
	bulk_abort(b);
	return st;
}

static uint64_t row_hash(struct row r)
{
	return hash64((struct str){ (const char *)&r, sizeof(r) });
}

/* Rows of one order, 0 if they do not ascend; `*ret_sum` is the same for the same rows.
 */
static uint64_t count_order(struct snapshot *now, enum order o, uint64_t *ret_sum)
{
	struct row last = { { 0 } };
	const struct row *rows;
	struct scan scan;
	bool ascend = true;
	uint64_t n = 0;
	size_t k;

	scan_open(&scan, now, o);
	scan_start(&scan, &(struct row){ { 0 } }, 0);
	while (scan_next(&scan, &rows, &k))
		for (size_t i = 0; i < k; i++, n++) {
			ascend &= row_cmp(&last, &rows[i]) < 0;
			*ret_sum += row_hash(row_to_spo(&rows[i], o));
			last = rows[i];
		}
	scan_close(&scan);
	return ascend ? n : 0;
}

/* UINT64_MAX when the orders do not agree. */
static uint64_t size_of(struct store *s)
{
	struct snapshot *now = store_snapshot(s);
	uint64_t n = snapshot_size(now), sums[ORDERS] = { 0 };
	bool agree = true;

	for (enum order o = 0; o < ORDERS; o++)
		agree &= count_order(now, o, &sums[o]) == n && sums[o] == sums[0];
	snapshot_release(now);
	return agree ? n : UINT64_MAX;
}

/* The same for the same statements, whatever numbers their terms have. */
static uint64_t content_of(struct store *s)
{
	struct snapshot *now = store_snapshot(s);
	struct arena a = { 0 };
	const struct row *rows;
	struct scan scan;
	uint64_t sum = 0;
	size_t k;

	scan_open(&scan, now, ORDER_SPO);
	scan_start(&scan, &(struct row){ { 0 } }, 0);
	while (scan_next(&scan, &rows, &k))
		for (size_t i = 0; i < k; i++, arena_reset(&a)) {
			cleanup(buf_release) struct buf line = { 0 };
			struct statement st = { 0 };

			if (id_tag(rows[i].v[1]) == TAG_BLANK)
				continue; /* a name of its own in every store */
			if (snapshot_term(now, rows[i].v[1], &a, &st.subject) &&
			    snapshot_term(now, rows[i].v[2], &a, &st.predicate) &&
			    snapshot_term(now, rows[i].v[3], &a, &st.object) &&
			    (!rows[i].v[0] ||
			     snapshot_term(now, rows[i].v[0], &a, &st.graph)))
				statement_format(&st, &line);
			sum += hash64(buf_str(&line));
		}
	scan_close(&scan);
	snapshot_release(now);
	arena_release(&a);
	return sum;
}

static uint64_t commit_term(struct store *s, struct term t)
{
	return t.kind == TERM_NONE ? ID_NONE : store_intern(s, t);
}

/* One by one, the way that does not go through chunks. */
static enum status content_by_commits(struct str text, uint64_t *ret)
{
	struct nt_reader r = { .in = text, .quads = true };
	struct row *rows = NULL;
	size_t n = 0, cap = 0;
	struct statement st;
	struct store *s;
	struct diag why;

	TRY(store_open(&s, NULL, &(struct store_options){ .no_background = true }, &why));
	while (nt_next(&r, &st, &why) == ST_OK)
		if (st.subject.kind != TERM_BLANK)
			VEC_ADD(rows, n, cap,
				(struct row){ { commit_term(s, st.graph),
						commit_term(s, st.subject),
						commit_term(s, st.predicate),
						commit_term(s, st.object) } });
	enum status committed = store_commit(s, rows, n, &why);
	*ret = content_of(s);
	store_close(s);
	free(rows);
	nt_reader_release(&r);
	return committed;
}

/* A chunk that is full goes to disk; the result is the same. */
static void little_memory_gives_the_same_store(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	uint64_t sizes[2], n, bad, content;
	struct diag why;

	make_text(&text, 60000, 3);
	CHECK(content_by_commits(buf_str(&text), &content) == ST_OK);
	for (int small = 0; small < 2; small++) {
		char dir[] = "/tmp/thresh-bulk-XXXXXX";
		struct store_options o = { .no_background = true,
					   .memory_bytes = small ? 3000000 : 0 };
		struct store *s;

		CHECK(mkdtemp(dir) && store_open(&s, dir, &o, &why) == ST_OK);
		CHECK(load(s, buf_str(&text), false, &n, &bad, &why) == ST_OK);
		CHECK(n == 60000 && bad == 0);
		sizes[small] = size_of(s);
		CHECK(content_of(s) == content);
		/* Loaded again, only the blank nodes are new. */
		CHECK(load(s, buf_str(&text), false, &n, &bad, &why) == ST_OK);
		uint64_t twice = size_of(s);
		CHECK(twice != UINT64_MAX && twice > sizes[small] &&
		      twice < 2 * sizes[small]);
		store_close(s);
		CHECK(store_open(&s, dir, &o, &why) == ST_OK && size_of(s) == twice);
		store_close(s);
		CHECK(dir_remove(dir, &why) == ST_OK);
	}
	CHECK(sizes[0] == sizes[1] && sizes[0] != UINT64_MAX);
}

static void bad_lines_are_counted_or_end_it(void)
{
	char dir[] = "/tmp/thresh-bulk-XXXXXX";
	struct store_options o = { .no_background = true };
	struct str text = STR("<http://x/a> <http://x/p> \"1\" .\nnonsense\n"
			      "<http://x/b> <http://x/p> \"2\" .\n");
	uint64_t n, bad;
	struct store *s;
	struct diag why;

	CHECK(mkdtemp(dir) && store_open(&s, dir, &o, &why) == ST_OK);
	CHECK(load(s, text, true, &n, &bad, &why) == ST_SYNTAX && size_of(s) == 0);
	CHECK(str_starts(str_from(why.text), STR("line 2: ")));
	CHECK(load(s, text, false, &n, &bad, &why) == ST_OK && n == 2 && bad == 1);
	CHECK(size_of(s) == 2);
	store_close(s);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

static void commits_and_loads_mix(void)
{
	char dir[] = "/tmp/thresh-bulk-XXXXXX";
	struct store_options o = { .no_background = true };
	uint64_t n, bad;
	struct store *s;
	struct diag why;
	struct arena a = { 0 };
	struct term t;

	CHECK(mkdtemp(dir) && store_open(&s, dir, &o, &why) == ST_OK);
	for (int round = 0; round < 3; round++) {
		cleanup(buf_release) struct buf text = { 0 };
		char name[40];

		snprintf(name, sizeof(name), "http://x/commit%d", round);
		struct row r = { { 0, store_intern(s, term_iri(str_from(name))),
				   store_intern(s, term_iri(STR("http://x/p1"))),
				   id_from_integer(round) } };
		CHECK(store_commit(s, &r, 1, &why) == ST_OK);
		uint64_t before = size_of(s);
		buf_addf(&text, "<http://x/load%d> <http://x/p1> <%s> .\n", round, name);
		CHECK(load(s, buf_str(&text), false, &n, &bad, &why) == ST_OK);
		CHECK(size_of(s) == before + 1);
		uint64_t late = store_intern(s, term_iri(STR("http://x/late")));
		store_close(s);
		CHECK(store_open(&s, dir, &o, &why) == ST_OK && size_of(s) == before + 1);
		struct snapshot *now = store_snapshot(s);
		CHECK(snapshot_find(now, term_iri(str_from(name))) == r.v[1]);
		CHECK(snapshot_term(now, r.v[1], &a, &t) &&
		      str_eq(t.text, str_from(name)));
		(void)late;
		snapshot_release(now);
	}
	arena_release(&a);
	store_close(s);
	CHECK(dir_remove(dir, &why) == ST_OK);
}

/* Killed anywhere in the load, the store has all of it or nothing. */
static void death_in_a_load_leaves_all_or_nothing(void)
{
	cleanup(buf_release) struct buf text = { 0 };
	static const char *const kinds[] = { "kill-sync", "kill-write", "kill-rename" };
	struct store_options o = { .no_background = true };
	uint64_t n, bad, whole = 0;
	struct store *s;
	struct diag why;

	make_text(&text, 3000, 9);
	for (size_t k = 0; k < COUNT(kinds); k++) {
		bool died = true;

		for (unsigned nr = 1; died; nr++) {
			char dir[] = "/tmp/thresh-bulk-XXXXXX", fault[40];
			int status;

			CHECK(mkdtemp(dir));
			snprintf(fault, sizeof(fault), "%s=%u", kinds[k], nr);
			pid_t child = fork();
			if (child == 0) {
				if (store_open(&s, dir, &o, &why) != ST_OK ||
				    fault_set(str_from(fault), &why) != ST_OK)
					_exit(2);
				_exit(load(s, buf_str(&text), false, &n, &bad, &why) !=
				      ST_OK);
			}
			waitpid(child, &status, 0);
			died = WIFSIGNALED(status);
			CHECK(store_open(&s, dir, &o, &why) == ST_OK);
			uint64_t size = size_of(s);
			if (!died)
				whole = size;
			CHECK(size != UINT64_MAX &&
			      (size == 0 || whole == 0 || size == whole));
			store_close(s);
			CHECK(dir_remove(dir, &why) == ST_OK);
		}
	}
	CHECK(whole > 1000);
}

int main(void)
{
	RUN(little_memory_gives_the_same_store);
	RUN(bad_lines_are_counted_or_end_it);
	RUN(commits_and_loads_mix);
	RUN(death_in_a_load_leaves_all_or_nothing);
	DONE();
}
