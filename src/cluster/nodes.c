#include "cluster/nodes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

/* --- judging --- */

static bool is_alive(const struct node_row *r)
{
	return r->age_ms < NODE_ALIVE_MS;
}

/* Every message that anybody wrote was applied by who owns its partition now. */
static bool nothing_is_on_its_way(const struct node_view *v, uint32_t partitions)
{
	for (uint32_t p = 0; p < partitions; p++) {
		uint64_t end = 0, applied = 0;

		for (size_t i = 0; i < v->n; i++) {
			end = MAX(end, v->v[i].sent[p]);
			if (is_alive(&v->v[i]) && v->v[i].owned[p])
				applied = MAX(applied, v->v[i].applied[p]);
		}
		if (applied < end)
			return false;
	}
	return true;
}

static uint64_t print_of(const struct node_view *v, uint32_t partitions)
{
	uint64_t h = 1;

	for (size_t i = 0; i < v->n; i++) {
		const struct node_row *r = &v->v[i];

		if (!is_alive(r))
			continue;
		h = hash_mix(h ^ r->node);
		h = hash_mix(h ^ r->work ^ (uint64_t)r->phase << 56);
		h = hash64_seeded((struct str){ (const char *)r->sent,
						partitions * sizeof(*r->sent) },
				  h);
		h = hash64_seeded((struct str){ (const char *)r->owned,
						partitions * sizeof(*r->owned) },
				  h);
	}
	return h ? h : 1;
}

static void remember(struct node_watch *w, const struct node_view *v, uint64_t print)
{
	w->print = print;
	w->n = 0;
	for (size_t i = 0; i < v->n && w->n < NODES_MAX; i++)
		if (is_alive(&v->v[i])) {
			w->nodes[w->n] = v->v[i].node;
			w->beats[w->n++] = v->v[i].beat;
		}
}

/* Each has said the same twice more since. */
static bool was_confirmed(const struct node_watch *w, const struct node_view *v)
{
	for (size_t k = 0; k < w->n; k++) {
		bool is_there = false;

		for (size_t i = 0; i < v->n; i++)
			is_there |= v->v[i].node == w->nodes[k] &&
				    v->v[i].beat >= w->beats[k] + 2;
		if (!is_there)
			return false;
	}
	return w->n > 0;
}

enum cluster_state nodes_judge(struct node_watch *w, const struct node_view *v,
			       uint32_t partitions)
{
	uint8_t least = NODE_OVER;
	bool any = false;

	for (size_t i = 0; i < v->n; i++)
		if (is_alive(&v->v[i])) {
			least = MIN(least, v->v[i].phase);
			any = true;
		}
	if (!any || least == NODE_BUSY || !nothing_is_on_its_way(v, partitions)) {
		w->print = 0;
		return CLUSTER_BUSY;
	}
	uint64_t print = print_of(v, partitions);
	if (print != w->print) {
		remember(w, v, print);
		return CLUSTER_BUSY;
	}
	if (!was_confirmed(w, v))
		return CLUSTER_BUSY;
	return least >= NODE_SETTLED ? CLUSTER_OVER : CLUSTER_QUIET;
}

/* --- the database --- */

static const char schema[] =
	"CREATE TABLE IF NOT EXISTS thresh_node (crawl TEXT, node TEXT, name TEXT, "
	"said_ms BIGINT, phase BIGINT, beat BIGINT, work BIGINT, pages BIGINT, "
	"queued BIGINT, in_flight BIGINT, leases BIGINT, behind BIGINT, sent TEXT, "
	"applied "
	"TEXT, owned TEXT, PRIMARY KEY (crawl, node)); "
	"CREATE TABLE IF NOT EXISTS thresh_shard (crawl TEXT, part BIGINT, epoch BIGINT, "
	"node TEXT, PRIMARY KEY (crawl, part))";

static enum status run(struct sql *db, const char *text, const struct str *params,
		       size_t n, sql_row_fn *each, void *ctx, struct diag *why)
{
	enum status st = sql_run(db, text, params, n, each, ctx, why);

	if (st != ST_IO)
		return st;
	TRY(sql_reconnect(db, why));
	return sql_run(db, text, params, n, each, ctx, why);
}

enum status nodes_open(struct sql *db, struct diag *why)
{
	enum status st = run(db, schema, NULL, 0, NULL, NULL, why);

	/* Two that make them at the same time: one is told that they are there. */
	return st == ST_DENIED ? run(db, schema, NULL, 0, NULL, NULL, why) : st;
}

static void add_numbers(struct buf *b, const uint64_t *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			buf_add_char(b, ' ');
		buf_add_uint(b, v[i]);
	}
}

enum status nodes_say(struct sql *db, struct str crawl, const struct node_row *r,
		      uint32_t partitions, struct diag *why)
{
	cleanup(buf_release) struct buf numbers = { 0 }, sent = { 0 }, applied = { 0 },
					owned = { 0 }, node = { 0 };
	const uint64_t v[] = { r->phase,  r->beat,      r->work,   r->pages,
			       r->queued, r->in_flight, r->leases, r->behind };

	/* An array, as PostgreSQL reads it: a statement has few parameters. */
	for (size_t i = 0; i < COUNT(v); i++)
		buf_addf(&numbers, "%c%llu", i ? ',' : '{', (unsigned long long)v[i]);
	buf_add_char(&numbers, '}');
	buf_addf(&node, "%016llx", (unsigned long long)r->node);
	add_numbers(&sent, r->sent, partitions);
	add_numbers(&applied, r->applied, partitions);
	add_numbers(&owned, r->owned, partitions);
	struct str params[] = { crawl,          buf_str(&node),
				r->name,        buf_str(&numbers),
				buf_str(&sent), buf_str(&applied),
				buf_str(&owned) };
	return run(
		db,
		"INSERT INTO thresh_node SELECT $1, $2, $3, {now}, v[1], v[2], v[3], "
		"v[4], v[5], v[6], v[7], v[8], $5, $6, $7 FROM (SELECT $4::bigint[] AS "
		"v) "
		"AS w ON CONFLICT (crawl, node) DO UPDATE SET name = excluded.name, "
		"said_ms = excluded.said_ms, phase = excluded.phase, beat = "
		"excluded.beat, work = excluded.work, pages = excluded.pages, queued = "
		"excluded.queued, in_flight = excluded.in_flight, leases = "
		"excluded.leases, behind = excluded.behind, sent = excluded.sent, "
		"applied = excluded.applied, owned = excluded.owned",
		params, COUNT(params), NULL, NULL, why);
}

struct rows {
	struct arena *a;
	struct node_view view;
	size_t cap;
};

static uint64_t *take_numbers(struct arena *a, struct str text)
{
	size_t n = 1, k = 0;
	struct str one;

	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == ' ';
	/* As many as there can be, so that no short row is read behind its end. */
	uint64_t *v = arena_alloc(a, MAX(n, (size_t)1024) * sizeof(*v));
	memset(v, 0, MAX(n, (size_t)1024) * sizeof(*v));
	while (k < n && str_take_until(&text, ' ', &one))
		if (!str_to_uint(one, INT64_MAX, &v[k++]))
			break;
	return v;
}

static bool take_hex(struct str s, uint64_t *ret)
{
	uint64_t v = 0;

	for (size_t i = 0; i < s.n; i++) {
		int d = ascii_hex_value(s.p[i]);

		if (d < 0)
			return false;
		v = v << 4 | (uint64_t)d;
	}
	*ret = v;
	return s.n == 16;
}

static enum status take_row(void *ctx, const struct sql_row *row)
{
	struct rows *r = ctx;
	struct node_row n = { 0 };
	uint64_t phase, age;
	uint64_t *const to[] = { &age,      &phase,       &n.beat,   &n.work,  &n.pages,
				 &n.queued, &n.in_flight, &n.leases, &n.behind };

	if (row->n < 14 || !take_hex(row->v[0], &n.node) || r->view.n >= NODES_MAX)
		return ST_CORRUPT;
	for (size_t i = 0; i < COUNT(to); i++)
		if (!str_to_uint(row->v[2 + i], INT64_MAX, to[i]))
			return ST_CORRUPT;
	n.name = arena_copy(r->a, row->v[1]);
	n.age_ms = (int64_t)age;
	n.phase = (uint8_t)MIN(phase, NODE_OVER);
	n.sent = take_numbers(r->a, row->v[11]);
	n.applied = take_numbers(r->a, row->v[12]);
	n.owned = take_numbers(r->a, row->v[13]);
	struct node_row *grown = arena_alloc(r->a, (r->view.n + 1) * sizeof(*grown));
	if (r->view.n)
		memcpy(grown, r->view.v, r->view.n * sizeof(*grown));
	grown[r->view.n++] = n;
	r->view.v = grown;
	return ST_OK;
}

enum status nodes_read(struct sql *db, struct str crawl, struct arena *a,
		       struct node_view *ret, struct diag *why)
{
	struct rows r = { .a = a };

	TRY(run(db,
		"SELECT node, name, greatest({now} - said_ms, 0), phase, beat, work, "
		"pages, "
		"queued, in_flight, leases, behind, sent, applied, owned FROM "
		"thresh_node "
		"WHERE crawl = $1 ORDER BY node",
		&crawl, 1, take_row, &r, why));
	*ret = r.view;
	return ST_OK;
}

static enum status take_epoch(void *ctx, const struct sql_row *row)
{
	return str_to_uint(row->v[0], INT64_MAX, ctx) ? ST_OK : ST_CORRUPT;
}

enum status nodes_take_shard(struct sql *db, struct str crawl, uint32_t partition,
			     uint64_t node, uint64_t *ret_epoch, struct diag *why)
{
	cleanup(buf_release) struct buf part = { 0 }, who = { 0 };

	buf_add_uint(&part, partition);
	buf_addf(&who, "%016llx", (unsigned long long)node);
	struct str params[] = { crawl, buf_str(&part), buf_str(&who) };
	return run(db,
		   "INSERT INTO thresh_shard AS s VALUES ($1, $2::bigint, 1, $3) ON "
		   "CONFLICT (crawl, part) DO UPDATE SET epoch = s.epoch + 1, node = "
		   "excluded.node RETURNING epoch",
		   params, COUNT(params), take_epoch, ret_epoch, why);
}
