#include "port/coord.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/intern.h"

struct lease {
	uint64_t token;
	int64_t until_ms; /* free at and after this */
	uint32_t owner;   /* id in `owners` */
	int64_t used_ms;  /* INT64_MIN: never */
	uint32_t delay_ms;
};

struct local_coord {
	struct coord base; /* must stay first */
	struct intern names, owners;
	struct lease *leases; /* by id of the name */
	size_t cap;
	uint64_t last_token;
};

/* NULL for a name that nobody ever asked for. */
static struct lease *find(struct local_coord *c, struct str name)
{
	uint32_t id = intern_find(&c->names, name);

	return id == INTERN_NONE ? NULL : &c->leases[id];
}

static struct lease *find_or_add(struct local_coord *c, struct str name)
{
	size_t before = c->names.n;
	uint32_t id = intern_add(&c->names, name);

	if (c->names.n > before) {
		VEC_RESERVE(c->leases, c->cap, c->names.n);
		c->leases[id] =
			(struct lease){ .until_ms = INT64_MIN, .used_ms = INT64_MIN };
	}
	return &c->leases[id];
}

static enum status local_acquire(struct coord *base, struct str name, struct str owner,
				 int64_t now_ms, int64_t ttl_ms, uint64_t *ret_token)
{
	struct local_coord *c = (struct local_coord *)base;
	struct lease *l = find_or_add(c, name);
	uint32_t who = intern_add(&c->owners, owner);

	if (now_ms < l->until_ms && l->owner != who)
		return ST_DENIED;
	l->token = ++c->last_token;
	l->until_ms = now_ms + ttl_ms;
	l->owner = who;
	*ret_token = l->token;
	return ST_OK;
}

static bool local_holds(struct coord *base, struct str name, uint64_t token,
			int64_t now_ms)
{
	const struct lease *l = find((struct local_coord *)base, name);

	return l && l->token == token && now_ms < l->until_ms;
}

static enum status local_renew(struct coord *base, struct str name, uint64_t token,
			       int64_t now_ms, int64_t ttl_ms)
{
	if (!local_holds(base, name, token, now_ms))
		return ST_DENIED;
	find((struct local_coord *)base, name)->until_ms = now_ms + ttl_ms;
	return ST_OK;
}

static void local_give_back(struct coord *base, struct str name, uint64_t token)
{
	struct lease *l = find((struct local_coord *)base, name);

	if (l && l->token == token)
		l->until_ms = INT64_MIN;
}

static enum status local_claim(struct coord *base, struct str owner,
			       struct coord_claim *v, size_t n, int64_t now_ms,
			       int64_t ttl_ms, struct diag *why)
{
	struct local_coord *c = (struct local_coord *)base;
	uint32_t who = intern_add(&c->owners, owner);

	(void)why;
	for (size_t i = 0; i < n; i++) {
		struct lease *l = find_or_add(c, v[i].name);
		bool lasts = now_ms < l->until_ms;

		v[i].token = 0;
		if (lasts && l->owner != who)
			continue;
		l->token = lasts ? l->token : ++c->last_token;
		l->until_ms = now_ms + ttl_ms;
		l->owner = who;
		if (v[i].used_ms_ago >= 0 && now_ms - v[i].used_ms_ago > l->used_ms) {
			l->used_ms = now_ms - v[i].used_ms_ago;
			l->delay_ms = v[i].delay_ms;
		}
		bool is_old = l->used_ms < now_ms - COORD_LONG_AGO;
		v[i].token = l->token;
		v[i].used_ms_ago = is_old ? -1 : now_ms - l->used_ms;
		v[i].delay_ms = l->delay_ms;
	}
	return ST_OK;
}

static void local_close(struct coord *base)
{
	struct local_coord *c = (struct local_coord *)base;

	intern_release(&c->names);
	intern_release(&c->owners);
	free(c->leases);
	free(c);
}

static const struct coord_ops local_ops = {
	local_acquire,   local_renew, local_holds,
	local_give_back, local_claim, local_close,
};

void coord_open_local(struct coord **ret, uint64_t first_token)
{
	struct local_coord *c = NEW(struct local_coord);

	c->base.ops = &local_ops;
	c->last_token = first_token;
	*ret = &c->base;
}
