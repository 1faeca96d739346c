#include "leases/leases.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"

/* Seen from here: our own clock, from before we asked. */
struct local_lease {
	uint64_t token;
	int64_t until_ms;
};

struct sql_coord {
	struct coord base; /* must stay first */
	struct sql *db;
	struct buf space;
	struct intern names;
	struct local_lease *held; /* by id of the name */
	size_t cap;
	struct buf text[4]; /* parameters being made */
};

static const char schema[] =
	"CREATE TABLE IF NOT EXISTS thresh_lease (space TEXT, name TEXT, owner TEXT NOT "
	"NULL, token BIGINT NOT NULL, until_ms BIGINT NOT NULL, hit_ms BIGINT NOT NULL "
	"DEFAULT 0, delay_ms BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (space, name))";

/* What the connection lost is asked again: every statement here may be repeated. */
static enum status run(struct sql_coord *c, const char *text, const struct str *params,
		       size_t n, sql_row_fn *each, void *ctx, struct diag *why)
{
	enum status st = sql_run(c->db, text, params, n, each, ctx, why);

	if (st != ST_IO)
		return st;
	TRY(sql_reconnect(c->db, why));
	return sql_run(c->db, text, params, n, each, ctx, why);
}

static struct local_lease *local(struct sql_coord *c, struct str name)
{
	size_t before = c->names.n;
	uint32_t id = intern_add(&c->names, name);

	if (c->names.n > before) {
		VEC_RESERVE(c->held, c->cap, c->names.n);
		c->held[id] = (struct local_lease){ .until_ms = INT64_MIN };
	}
	return &c->held[id];
}

static struct str number(struct buf *b, int64_t v)
{
	buf_reset(b);
	buf_add_int(b, v);
	return buf_str(b);
}

static enum status take_number(void *ctx, const struct sql_row *row)
{
	return str_to_uint(row->v[0], INT64_MAX, ctx) ? ST_OK : ST_CORRUPT;
}

/* --- one at a time --- */

static enum status sql_acquire(struct coord *base, struct str name, struct str owner,
			       int64_t now_ms, int64_t ttl_ms, uint64_t *ret_token)
{
	struct sql_coord *c = (struct sql_coord *)base;
	struct str params[] = { buf_str(&c->space), name, owner,
				number(&c->text[0], ttl_ms) };
	uint64_t token = 0;

	TRY(run(c,
		"INSERT INTO thresh_lease AS l (space, name, owner, token, until_ms) "
		"VALUES "
		"($1, $2, $3, 1, {now} + $4::bigint) ON CONFLICT (space, name) DO UPDATE "
		"SET owner = excluded.owner, token = l.token + 1, until_ms = "
		"excluded.until_ms WHERE l.owner = excluded.owner OR l.until_ms <= {now} "
		"RETURNING token",
		params, COUNT(params), take_number, &token, NULL));
	if (token == 0)
		return ST_DENIED;
	*local(c, name) = (struct local_lease){ token, now_ms + ttl_ms };
	*ret_token = token;
	return ST_OK;
}

static enum status sql_renew(struct coord *base, struct str name, uint64_t token,
			     int64_t now_ms, int64_t ttl_ms)
{
	struct sql_coord *c = (struct sql_coord *)base;
	struct str params[] = { buf_str(&c->space), name,
				number(&c->text[0], (int64_t)token),
				number(&c->text[1], ttl_ms) };
	uint64_t got = 0;

	TRY(run(c,
		"UPDATE thresh_lease SET until_ms = {now} + $4::bigint WHERE space = $1 "
		"AND "
		"name = $2 AND token = $3::bigint AND until_ms > {now} RETURNING token",
		params, COUNT(params), take_number, &got, NULL));
	if (got == 0)
		return ST_DENIED;
	*local(c, name) = (struct local_lease){ token, now_ms + ttl_ms };
	return ST_OK;
}

static bool sql_holds(struct coord *base, struct str name, uint64_t token, int64_t now_ms)
{
	struct sql_coord *c = (struct sql_coord *)base;
	uint32_t id = intern_find(&c->names, name);

	return id != INTERN_NONE && c->held[id].token == token &&
	       now_ms < c->held[id].until_ms;
}

static void sql_give_back(struct coord *base, struct str name, uint64_t token)
{
	struct sql_coord *c = (struct sql_coord *)base;
	struct str params[] = { buf_str(&c->space), name,
				number(&c->text[0], (int64_t)token) };
	struct local_lease *l = local(c, name);

	if (l->token == token)
		l->until_ms = INT64_MIN;
	/* One that cannot be told runs out by itself. */
	(void)!run(
		c,
		"UPDATE thresh_lease SET until_ms = 0 WHERE space = $1 AND name = $2 AND "
		"token = $3::bigint",
		params, COUNT(params), NULL, NULL, NULL);
}

/* --- many at once --- */

/* An element of an array, as PostgreSQL reads it. */
static void add_element(struct buf *b, struct str text)
{
	buf_add_char(b, b->n ? ',' : '{');
	buf_add_char(b, '"');
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '"' || text.p[i] == '\\')
			buf_add_char(b, '\\');
		buf_add_char(b, text.p[i]);
	}
	buf_add_char(b, '"');
}

static void add_number(struct buf *b, int64_t v)
{
	buf_add_char(b, b->n ? ',' : '{');
	buf_add_int(b, v);
}

struct answers {
	struct sql_coord *c;
	struct coord_claim *v;
	size_t n;
	int64_t until_ms;
	struct map by_name; /* hash -> place in v, and 1 */
};

static enum status take_answer(void *ctx, const struct sql_row *row)
{
	struct answers *a = ctx;
	uint64_t *at = map_find(&a->by_name, hash64(row->v[0]));
	struct coord_claim *k = at ? &a->v[*at - 1] : NULL;
	uint64_t hit, delay;

	if (row->n < 4 || !k || !str_eq(k->name, row->v[0]) ||
	    !str_to_uint(row->v[1], INT64_MAX, &k->token) ||
	    !str_to_uint(row->v[2], INT64_MAX, &hit) ||
	    !str_to_uint(row->v[3], INT64_MAX, &delay))
		return ST_CORRUPT;
	*local(a->c, k->name) = (struct local_lease){ k->token, a->until_ms };
	k->used_ms_ago = (int64_t)hit < COORD_LONG_AGO ? (int64_t)hit : -1;
	k->delay_ms = (uint32_t)MIN(delay, UINT32_MAX);
	return ST_OK;
}

static enum status sql_claim(struct coord *base, struct str owner, struct coord_claim *v,
			     size_t n, int64_t now_ms, int64_t ttl_ms, struct diag *why)
{
	struct sql_coord *c = (struct sql_coord *)base;
	struct answers a = { .c = c, .v = v, .n = n, .until_ms = now_ms + ttl_ms };
	struct buf *names = &c->text[1], *hits = &c->text[2], *delays = &c->text[3];

	if (n == 0)
		return ST_OK;
	buf_reset(names);
	buf_reset(hits);
	buf_reset(delays);
	for (size_t i = 0; i < n; i++) {
		v[i].token = 0;
		add_element(names, v[i].name);
		add_number(hits, v[i].used_ms_ago);
		add_number(delays, v[i].delay_ms);
		*map_add(&a.by_name, hash64(v[i].name), NULL) = i + 1;
	}
	buf_add_char(names, '}');
	buf_add_char(hits, '}');
	buf_add_char(delays, '}');
	struct str params[] = {
		buf_str(&c->space), owner,         number(&c->text[0], ttl_ms),
		buf_str(names),     buf_str(hits), buf_str(delays)
	};
	/* In the order of the names, so that two nodes never wait for each other. */
	enum status st = run(
		c,
		"INSERT INTO thresh_lease AS l (space, name, owner, token, until_ms, "
		"hit_ms, "
		"delay_ms) SELECT $1, name, $2, 1, {now} + $3::bigint, CASE WHEN ago < 0 "
		"THEN 0 ELSE {now} - ago END, delay FROM unnest($4::text[], "
		"$5::bigint[], "
		"$6::bigint[]) AS w(name, ago, delay) ORDER BY name "
		"ON CONFLICT (space, name) DO UPDATE SET owner = excluded.owner, "
		"token = l.token + (l.owner <> excluded.owner OR l.until_ms <= "
		"{now})::int, "
		"until_ms = excluded.until_ms, "
		"hit_ms = greatest(l.hit_ms, excluded.hit_ms), "
		"delay_ms = CASE WHEN excluded.hit_ms > l.hit_ms THEN excluded.delay_ms "
		"ELSE l.delay_ms END "
		"WHERE l.owner = excluded.owner OR l.until_ms <= {now} "
		"RETURNING name, token, greatest({now} - hit_ms, 0), delay_ms",
		params, COUNT(params), take_answer, &a, why);
	map_release(&a.by_name);
	return st;
}

/* --- the whole --- */

static void sql_coord_close(struct coord *base)
{
	struct sql_coord *c = (struct sql_coord *)base;

	intern_release(&c->names);
	free(c->held);
	buf_release(&c->space);
	for (size_t i = 0; i < COUNT(c->text); i++)
		buf_release(&c->text[i]);
	free(c);
}

static const struct coord_ops sql_ops = {
	sql_acquire, sql_renew, sql_holds, sql_give_back, sql_claim, sql_coord_close,
};

enum status coord_open_sql(struct coord **ret, struct sql *db, struct str space,
			   struct diag *why)
{
	struct sql_coord *c = NEW(struct sql_coord);

	c->base.ops = &sql_ops;
	c->db = db;
	buf_add(&c->space, space);
	enum status st = run(c, schema, NULL, 0, NULL, NULL, why);
	/* Two that make it at the same time: one is told that it is there. */
	if (st == ST_DENIED)
		st = run(c, schema, NULL, 0, NULL, NULL, why);
	if (st != ST_OK) {
		sql_coord_close(&c->base);
		return st;
	}
	*ret = &c->base;
	return ST_OK;
}

enum status leases_pass(struct coord *base, int64_t ms, struct diag *why)
{
	struct sql_coord *c = (struct sql_coord *)base;
	struct str params[] = { buf_str(&c->space), number(&c->text[0], ms) };

	return run(c,
		   "UPDATE thresh_lease SET until_ms = until_ms - $2::bigint, hit_ms = "
		   "greatest(hit_ms - $2::bigint, 0) WHERE space = $1",
		   params, COUNT(params), NULL, NULL, why);
}
