#include "writer/facts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kb/kb.h"
#include "os/file.h"
#include "os/queue.h"
#include "os/thread.h"
#include "port/bus.h"

#define FLUSH_ROWS   ((uint64_t)256 << 10) /* 25 MB: a crawl has better uses for memory */
#define WAIT_MS      200
#define FORGET_BYTES ((uint64_t)64 << 20)
#define OFFSET_MAX   32 /* bytes of the file that holds it */

struct facts {
	char *dir;
	struct bus *out; /* the writer's */
	uint64_t forgotten;
	struct buf message;
	/* the thread's */
	struct bus *in;
	uint64_t offset; /* everything before is in the knowledge base */
	_Atomic uint64_t taken;
	_Atomic bool hurry; /* do not finish */
	struct kb kb;
	struct kb_writer writer;
	struct buf graph;
	uint32_t graph_round;
	struct arena a;
	struct queue wake; /* closed to stop */
	struct thread thread;
	enum status st;
	struct diag why;
};

void facts_graph(const char *dir, uint32_t round, struct buf *to)
{
	struct str name = str_from(dir);

	while (name.n > 1 && name.p[name.n - 1] == '/')
		name.n--;
	size_t slash = str_rfind_char(name, '/');
	name = slash == STR_NONE ? name : str_skip(name, slash + 1);
	buf_add(to, STR("https://thresh.invalid/crawl/"));
	for (size_t i = 0; i < name.n; i++)
		if (ascii_is_alpha(name.p[i]) || ascii_is_digit(name.p[i]) ||
		    strchr("-._", name.p[i]))
			buf_add_char(to, name.p[i]);
		else
			buf_addf(to, "%%%02X", (unsigned char)name.p[i]);
	buf_addf(to, "/%u", round);
}

/* --- the thread --- */

static enum status save_offset(struct facts *f, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };

	buf_add_uint(&text, f->offset);
	return file_save(path_join(&a, f->dir, STR("state/facts/offset")), buf_str(&text),
			 why);
}

static enum status load_offset(struct facts *f, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(buf_release) struct buf text = { 0 };
	char *path = path_join(&a, f->dir, STR("state/facts/offset"));

	if (!file_exists(path))
		return ST_OK;
	TRY(file_load(path, OFFSET_MAX, &text, why));
	/* From the beginning is slower, but never wrong. */
	if (!str_to_uint(buf_str(&text), UINT64_MAX, &f->offset))
		f->offset = 0;
	return ST_OK;
}

static struct str graph_of(struct facts *f, uint32_t round)
{
	if (f->graph.n == 0 || f->graph_round != round) {
		buf_reset(&f->graph);
		facts_graph(f->dir, round, &f->graph);
		f->graph_round = round;
	}
	return buf_str(&f->graph);
}

static enum status take_message(struct facts *f, const struct fact_message *m)
{
	struct str graph = graph_of(f, m->round);

	if (m->kind == FACT_RULE)
		return facts_add_rule(&f->writer, graph, &m->rule, &f->why);
	TRY(facts_add_page(&f->writer, graph, &m->page, &f->why));
	for (size_t k = 0; k < m->n_objects; k++)
		TRY(facts_add_object(&f->writer, graph, &m->objects[k], &f->why));
	return ST_OK;
}

/* The next marker: ST_AGAIN when there is none yet. */
static enum status find_marker(struct facts *f, uint64_t *ret_number, uint64_t *ret_end)
{
	struct str bytes;
	uint8_t kind;

	TRY(f->in->ops->seek(f->in, 0, f->offset, &f->why));
	for (;;) {
		TRY(f->in->ops->next(f->in, 0, &bytes, ret_end, &f->why));
		if (!str_take_u8(&bytes, &kind) || !str_take_varint(&bytes, ret_number))
			return diag_fail(&f->why, ST_CORRUPT,
					 "a message on the bus is damaged");
		if (kind == FACT_COMMITTED || kind == FACT_BEGUN)
			return ST_OK;
	}
}

/* Everything up to the next marker that it covers. */
static enum status take_group(struct facts *f)
{
	uint64_t committed, end, at = f->offset;
	struct fact_message m;
	struct str bytes;

	TRY(find_marker(f, &committed, &end));
	TRY(f->in->ops->seek(f->in, 0, f->offset, &f->why));
	while (at < end && !atomic_load(&f->hurry)) {
		TRY(f->in->ops->next(f->in, 0, &bytes, &at, &f->why));
		arena_reset(&f->a);
		if (fact_message_decode(bytes, &f->a, &m) != ST_OK)
			return diag_fail(&f->why, ST_CORRUPT,
					 "a message on the bus is damaged");
		if (m.kind <= FACT_RULE && m.number <= committed)
			TRY(take_message(f, &m));
	}
	TRY(kb_writer_sync(&f->writer, &f->why));
	if (at < end) /* told to hurry: the whole group again next time */
		return ST_CANCELLED;
	f->offset = end;
	atomic_store(&f->taken, end);
	return save_offset(f, &f->why);
}

static enum status take_all(struct facts *f)
{
	cleanup(arena_release) struct arena a = { 0 };
	bool ending = false;
	void *nothing;

	TRY(load_offset(f, &f->why));
	TRY(kb_open(&f->kb, path_join(&a, f->dir, STR("kb")),
		    &(struct store_options){ .flush_rows = FLUSH_ROWS }, &f->why));
	kb_writer_init(&f->writer, f->kb.store, &real_clock);
	for (;;) {
		enum status st = take_group(f);

		if (st == ST_OK)
			continue;
		/* While the writer writes its last record looks torn. */
		bool torn = st == ST_CORRUPT && !ending;
		if (st != ST_AGAIN && !torn)
			return st == ST_CANCELLED ? ST_OK : st;
		if (ending || atomic_load(&f->hurry))
			return ST_OK;
		/* Once more after the end was told: the last messages came before it. */
		ending = queue_take(&f->wake, WAIT_MS, &nothing) == ST_CANCELLED;
	}
}

static void run(void *arg)
{
	struct facts *f = arg;

	f->st = take_all(f);
	kb_writer_release(&f->writer);
	kb_close(&f->kb);
}

/* --- the writer's side --- */

static enum status mark(struct facts *f, enum fact_kind kind, uint64_t number,
			struct diag *why)
{
	return facts_add(f, kind, number, STR(""), why);
}

static void release(struct facts *f)
{
	bus_close(&f->out);
	bus_close(&f->in);
	queue_release(&f->wake);
	buf_release(&f->message);
	buf_release(&f->graph);
	arena_release(&f->a);
	free(f->dir);
	free(f);
}

static enum status open(struct facts *f, uint64_t committed, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	char *bus = path_join(&a, f->dir, STR("state/facts"));

	TRY(dir_make(bus, why));
	TRY(bus_open_local(&f->out, bus, 1, why));
	TRY(mark(f, FACT_BEGUN, committed, why));
	TRY(facts_sync(f, why));
	TRY(bus_open_local_reader(&f->in, bus, 1, why));
	return thread_start(&f->thread, "facts", run, f, why);
}

enum status facts_open(struct facts **ret, const char *dir, uint64_t committed,
		       struct diag *why)
{
	struct facts *f = NEW(struct facts);

	f->dir = strdup(dir);
	queue_init(&f->wake, 1);
	enum status st = open(f, committed, why);
	if (st != ST_OK) {
		release(f);
		return st;
	}
	*ret = f;
	return ST_OK;
}

enum status facts_add(struct facts *f, enum fact_kind kind, uint64_t number,
		      struct str part, struct diag *why)
{
	uint64_t offset;

	buf_reset(&f->message);
	fact_number_add(kind, number, &f->message);
	buf_add(&f->message, part);
	return f->out->ops->add(f->out, 0, buf_str(&f->message), &offset, why);
}

enum status facts_sync(struct facts *f, struct diag *why)
{
	uint64_t taken = atomic_load(&f->taken);

	if (taken > f->forgotten + FORGET_BYTES) {
		TRY(f->out->ops->forget(f->out, 0, taken, why));
		f->forgotten = taken;
	}
	return f->out->ops->sync(f->out, why);
}

enum status facts_committed(struct facts *f, uint64_t number, struct diag *why)
{
	return mark(f, FACT_COMMITTED, number, why);
}

enum status facts_close(struct facts *f, bool finish, struct diag *why)
{
	enum status st = finish ? facts_sync(f, why) : ST_OK;

	atomic_store(&f->hurry, !finish);
	queue_close(&f->wake);
	thread_join(&f->thread);
	if (st == ST_OK && f->st != ST_OK) {
		st = f->st;
		*why = f->why;
	}
	release(f);
	return st;
}
