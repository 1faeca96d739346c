/*
 * port_contract.h - what every implementation of a port must keep.
 *
 * A test opens its implementation and hands it to these; another carrier of the
 * bus, say, passes the same checks against a real server.  Each returns true
 * when all held, and prints what did not.
 */
#ifndef PORT_CONTRACT_H
#define PORT_CONTRACT_H

#include <stdio.h>
#include <stdlib.h>

#include "port/batch.h"
#include "port/blob.h"
#include "port/bus.h"
#include "port/coord.h"

#define HOLDS(cond)                                                         \
	do {                                                                \
		if (!(cond)) {                                              \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond); \
			return false;                                       \
		}                                                           \
	} while (0)

/* `reopen` closes the bus and opens it again, as after a restart. */
__attribute__((unused)) static bool bus_contract(struct bus *b,
						 struct bus *(*reopen)(struct bus *))
{
	uint64_t at[100], next = 0;
	struct str m;
	struct diag why;
	char text[32];

	HOLDS(b->partitions >= 2);
	for (int i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "m%d", i);
		HOLDS(b->ops->add(b, (uint32_t)(i % 2), str_from(text), &at[i], &why) ==
		      ST_OK);
		HOLDS(i < 2 || at[i] > at[i - 2]); /* offsets of a partition only grow */
	}
	HOLDS(b->ops->sync(b, &why) == ST_OK);
	HOLDS(b->ops->seek(b, 0, 0, &why) == ST_OK);
	for (int i = 0; i < 100;
	     i += 2) { /* order within the partition, nothing of the other */
		snprintf(text, sizeof(text), "m%d", i);
		HOLDS(b->ops->next(b, 0, &m, &next, &why) == ST_OK &&
		      str_eq(m, str_from(text)));
	}
	HOLDS(b->ops->next(b, 0, &m, &next, &why) == ST_AGAIN);
	/* What is added after the end was reached is still seen. */
	HOLDS(b->ops->add(b, 0, STR("late"), &at[0], &why) == ST_OK);
	HOLDS(b->ops->next(b, 0, &m, &next, &why) == ST_OK && str_eq(m, STR("late")));
	HOLDS(b->ops->add(b, b->partitions, STR("x"), &at[0], &why) == ST_NOT_FOUND);
	HOLDS(b->ops->sync(b, &why) == ST_OK);
	/* After a restart a reader goes on from the offset it committed. */
	b = reopen(b);
	HOLDS(b && b->ops->seek(b, 1, at[51], &why) == ST_OK);
	HOLDS(b->ops->next(b, 1, &m, &next, &why) == ST_OK && str_eq(m, STR("m51")));
	HOLDS(b->ops->seek(b, 1, next, &why) == ST_OK);
	HOLDS(b->ops->next(b, 1, &m, &next, &why) == ST_OK && str_eq(m, STR("m53")));
	/* Forgetting never loses what is at or after the offset. */
	HOLDS(b->ops->forget(b, 1, at[51], &why) == ST_OK);
	HOLDS(b->ops->seek(b, 1, at[51], &why) == ST_OK);
	HOLDS(b->ops->next(b, 1, &m, &next, &why) == ST_OK && str_eq(m, STR("m51")));
	/* Messages are bytes. */
	HOLDS(b->ops->add(b, 1, STR("a\0b\n"), &at[0], &why) == ST_OK);
	HOLDS(b->ops->seek(b, 1, at[0], &why) == ST_OK);
	HOLDS(b->ops->next(b, 1, &m, &next, &why) == ST_OK && str_eq(m, STR("a\0b\n")));
	b->ops->close(b);
	return true;
}

/*
 * `pass` lets time go by for an implementation with a clock of its own (NULL: it has
 * none).  The times are far apart, so that the real time of a test does not matter.
 */
__attribute__((unused)) static bool coord_contract(struct coord *c,
						   bool (*pass)(struct coord *, int64_t))
{
	struct str ip = STR("192.0.2.1"), a = STR("worker-a"), b = STR("worker-b");
	uint64_t first, second, third;
	int64_t now = 1000000, ttl = 500000;
#define PASS(ms) HOLDS((now += (ms), !pass || pass(c, ms)))

	HOLDS(c->ops->acquire(c, ip, a, now, ttl, &first) == ST_OK);
	PASS(100000);
	HOLDS(c->ops->acquire(c, ip, b, now, ttl, &second) == ST_DENIED);
	HOLDS(c->ops->holds(c, ip, first, 1499999) &&
	      !c->ops->holds(c, ip, first, 1500000));
	PASS(300000);
	HOLDS(c->ops->renew(c, ip, first, now, ttl) == ST_OK);
	HOLDS(c->ops->holds(c, ip, first, 1800000));
	/* The lease runs out; the other gets it; the first may do nothing any more. */
	PASS(500000);
	HOLDS(c->ops->renew(c, ip, first, now, ttl) == ST_DENIED);
	HOLDS(c->ops->acquire(c, ip, b, now, ttl, &second) == ST_OK && second > first);
	HOLDS(!c->ops->holds(c, ip, first, now));
	HOLDS(c->ops->renew(c, ip, first, now, ttl) == ST_DENIED);
	c->ops->give_back(c, ip, first); /* not its to give */
	HOLDS(c->ops->holds(c, ip, second, now));
	HOLDS(c->ops->acquire(c, ip, a, now, ttl, &third) == ST_DENIED);
	c->ops->give_back(c, ip, second);
	HOLDS(!c->ops->holds(c, ip, second, now));
	HOLDS(c->ops->acquire(c, ip, a, now, ttl, &third) == ST_OK && third > second);
	/* Other names are other leases; tokens grow over all of a name's grants. */
	HOLDS(c->ops->acquire(c, STR("shard-7"), b, now, ttl, &second) == ST_OK);
	HOLDS(c->ops->acquire(c, ip, a, now, ttl, &first) == ST_OK && first > third);
	HOLDS(!c->ops->holds(c, STR("never asked"), 1, 0));

	/* Many at once: what another one holds is refused, the rest is given. */
	struct diag why;
	struct coord_claim v[] = {
		{ .name = STR("z"), .used_ms_ago = -1 },
		{ .name = ip, .used_ms_ago = -1 },
		{ .name = STR("q\"\\ {}"), .used_ms_ago = 7000, .delay_ms = 9000 }
	};
	HOLDS(c->ops->claim(c, b, v, COUNT(v), now, ttl, &why) == ST_OK);
	HOLDS(v[0].token > 0 && v[1].token == 0 && v[2].token > 0);
	HOLDS(v[0].used_ms_ago == -1);
	uint64_t kept = v[2].token;
	PASS(100000);
	v[2].used_ms_ago = -1; /* not used since: the older use is still known */
	HOLDS(c->ops->claim(c, b, v, COUNT(v), now, ttl, &why) == ST_OK);
	HOLDS(v[2].token == kept && v[1].token == 0);
	HOLDS(c->ops->holds(c, v[2].name, kept, now + ttl - 1));
	/* The next owner learns when it was last used, and which pause is owed. */
	c->ops->give_back(c, v[2].name, kept);
	v[2].used_ms_ago = -1;
	v[2].delay_ms = 0;
	HOLDS(c->ops->claim(c, a, &v[2], 1, now, ttl, &why) == ST_OK);
	HOLDS(v[2].token > kept && v[2].delay_ms == 9000);
	HOLDS(v[2].used_ms_ago >= 107000 && v[2].used_ms_ago < 167000);
	PASS(ttl + 1);
	HOLDS(c->ops->claim(c, b, v, COUNT(v), now, ttl, &why) == ST_OK);
	HOLDS(v[0].token > 0 && v[1].token > first && v[2].token > 0);
	HOLDS(c->ops->claim(c, b, v, 0, now, ttl, &why) == ST_OK);
	c->ops->close(c);
	return true;
#undef PASS
}

__attribute__((unused)) static bool blob_contract(struct blob *b,
						  const char *scratch_file)
{
	struct arena a = { 0 };
	struct buf got = { 0 };
	struct str_list names = { 0 };
	struct diag why;

	HOLDS(b->ops->put(b, STR("archive/two.warc"), STR("22"), &why) == ST_OK);
	HOLDS(b->ops->put(b, STR("archive/one.warc"), STR("1"), &why) == ST_OK);
	HOLDS(b->ops->put(b, STR("state"), STR("s"), &why) == ST_OK);
	HOLDS(b->ops->get(b, STR("archive/two.warc"), &got, &why) == ST_OK);
	HOLDS(str_eq(buf_str(&got), STR("22")));
	HOLDS(b->ops->put(b, STR("archive/two.warc"), STR("other"), &why) == ST_OK);
	buf_reset(&got);
	HOLDS(b->ops->get(b, STR("archive/two.warc"), &got, &why) == ST_OK && got.n == 5);
	FILE *f = fopen(scratch_file, "we");
	HOLDS(f && fputs("finished elsewhere", f) > 0 && fclose(f) == 0);
	HOLDS(b->ops->put_file(b, STR("archive/three.warc"), scratch_file, &why) ==
	      ST_OK);
	HOLDS(fopen(scratch_file, "re") == NULL);
	HOLDS(b->ops->list(b, STR("archive/"), &a, &names, &why) == ST_OK &&
	      names.n == 3);
	HOLDS(str_eq(names.v[0], STR("archive/one.warc")) &&
	      str_eq(names.v[2], STR("archive/two.warc")));
	HOLDS(b->ops->remove(b, STR("archive/one.warc"), &why) == ST_OK);
	HOLDS(b->ops->remove(b, STR("archive/one.warc"), &why) == ST_OK);
	HOLDS(b->ops->get(b, STR("archive/one.warc"), &got, &why) == ST_NOT_FOUND);
	/* No name leads out of the store. */
	static const char *const bad[] = { "",       "/etc/passwd", "../x",
					   "a/../b", "a//b",        "a b",
					   "a/",     ".hidden",     "x\n" };
	for (size_t i = 0; i < COUNT(bad); i++)
		HOLDS(b->ops->put(b, str_from(bad[i]), STR("x"), &why) == ST_DENIED);
	free(names.v);
	buf_release(&got);
	arena_release(&a);
	b->ops->close(b);
	return true;
}

/* Word count: the example that every such engine is asked for first. */
static enum status contract_map(void *ctx, struct str line, struct batch_emit to,
				struct diag *why)
{
	struct str word;

	(void)ctx;
	while (str_take_until(&line, ' ', &word))
		TRY(to.emit(to.ctx, word, STR("1"), why));
	return ST_OK;
}

static enum status contract_reduce(void *ctx, struct str key, struct batch_values *values,
				   struct batch_emit to, struct diag *why)
{
	uint64_t n = 0;
	struct str value;
	char text[24];

	(void)ctx;
	while (batch_next_value(values, &value))
		n++;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	return to.emit(to.ctx, key, str_from(text), why);
}

struct contract_input {
	int lines;
	char text[64];
};

static enum status contract_next(void *ctx, struct str *ret, struct diag *why)
{
	struct contract_input *in = ctx;

	(void)why;
	if (in->lines == 0)
		return ST_AGAIN;
	snprintf(in->text, sizeof(in->text), "all w%d", in->lines-- % 1000);
	*ret = str_from(in->text);
	return ST_OK;
}

static enum status contract_collect(void *ctx, struct str key, struct str value,
				    struct diag *why)
{
	struct buf *b = ctx;

	(void)why;
	buf_add(b, key);
	buf_add_char(b, '\t');
	buf_add(b, value);
	buf_add_char(b, '\n');
	return ST_OK;
}

__attribute__((unused)) static bool batch_contract(struct batch *b)
{
	struct batch_job job = { .map = contract_map, .reduce = contract_reduce };
	struct contract_input in = { .lines = 20000 };
	struct buf out = { 0 };
	struct str lines, line, last = STR("");
	struct diag why;
	size_t n = 0;

	HOLDS(b->ops->run(b, &job, contract_next, &in,
			  (struct batch_emit){ contract_collect, &out }, &why) == ST_OK);
	for (lines = buf_str(&out); str_take_line(&lines, &line); n++) {
		HOLDS(str_cmp(last, line) < 0); /* keys in order, each once */
		HOLDS(n == 0 ? str_eq(line, STR("all\t20000"))
			     : str_ends(line, STR("\t20")));
		last = line;
	}
	HOLDS(n == 1001);
	buf_release(&out);
	b->ops->close(b);
	return true;
}
#endif
