#include "crawl/audit.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/internal.h"
#include "crawl/url_rules.h"
#include "frontier/frontier.h"

#define STEPS_MAX 8 /* from one that was skipped or moved to the one that was fetched */

const char *const audit_end_names[AUDIT_ENDS] = {
	[AUDIT_FETCHED] = "fetched", [AUDIT_MOVED] = "moved",
	[AUDIT_ABSENT] = "absent",   [AUDIT_FAILED] = "failed",
	[AUDIT_DROPPED] = "dropped", [AUDIT_SKIPPED] = "skipped",
	[AUDIT_UNASKED] = "unasked", [AUDIT_LOST] = "lost",
	[AUDIT_WAITING] = "waiting",
};

void audit_release(struct audit *a)
{
	free(a->v);
	free(a->dropped);
	map_release(&a->urls);
	map_release(&a->keys);
	intern_release(&a->rules);
	*a = (struct audit){ 0 };
}

static struct audit_url *get(struct audit *a, struct str url)
{
	bool is_new;
	uint64_t *at = map_add(&a->urls, hash64(url), &is_new);

	if (is_new) {
		VEC_ADD(a->v, a->n, a->cap, (struct audit_url){ .end = AUDIT_WAITING });
		*at = a->n;
	}
	return &a->v[*at - 1];
}

static const struct audit_url *find(const struct audit *a, uint64_t hash)
{
	const uint64_t *at = map_find(&a->urls, hash);

	return at ? &a->v[*at - 1] : NULL;
}

static void see_link(struct audit *a, const struct journal_link *l)
{
	if (l->kind != FETCH_PAGE)
		return;
	if (l->verdict == FRONTIER_SKIPPED) {
		struct audit_url *u = get(a, l->url);

		u->other = hash64(l->detail);
		u->key = hash64(l->key.n > 0 ? l->key : l->url);
		if (u->end == AUDIT_WAITING)
			u->end = AUDIT_SKIPPED;
	} else if (l->verdict == FRONTIER_QUEUED) { /* JOURNAL_LATE has the late ones */
		struct str key = str_slice(l->key, 0, str_find_char(l->key, '#'));

		get(a, l->url)->queued++;
		if (key.n > 0)
			*map_add(&a->keys, hash64(key), NULL) = hash64(l->url);
	}
}

/* Where a redirect leads, as it would be queued. */
static uint64_t target_of(const struct journal_done *d)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct str to = journal_target(d, &a);

	return to.n > 0 ? hash64(to) : 0;
}

static enum audit_end end_of_answer(int code)
{
	if (code >= 200 && code < 300)
		return AUDIT_FETCHED;
	if (code >= 300 && code < 400)
		return AUDIT_MOVED;
	return code >= 400 && !crawl_may_pass(code) ? AUDIT_ABSENT : AUDIT_FAILED;
}

static void see_done(struct audit *a, const struct journal_done *d)
{
	if (d->kind != FETCH_PAGE)
		return;
	struct audit_url *u = get(a, d->url);
	u->ended++;
	if (u->end == AUDIT_FETCHED)
		return;
	u->end = (uint8_t)end_of_answer(d->code);
	if (u->end == AUDIT_MOVED)
		u->other = target_of(d);
}

static void see_dropped(struct audit *a, const struct journal_dropped *d)
{
	struct audit_url *u = get(a, d->url);

	u->ended++;
	if (str_eq(d->rule, URL_RULES_NAME) || /* the skip has its own line */
	    (u->end != AUDIT_WAITING && u->end != AUDIT_SKIPPED))
		return;
	u->end = AUDIT_DROPPED;
	u->rule = intern_add(&a->rules, d->rule);
}

static bool see(void *arg, const struct journal_record *r)
{
	struct audit *a = arg;

	switch (r->kind) {
	case JOURNAL_LINKS:
	case JOURNAL_LATE:
		for (size_t i = 0; i < r->links.n; i++)
			see_link(a, &r->links.v[i]);
		break;
	case JOURNAL_DONE:
		see_done(a, &r->done);
		break;
	case JOURNAL_DROPPED:
		see_dropped(a, &r->dropped);
		break;
	case JOURNAL_BEGIN:
	case JOURNAL_RETRY:
	case JOURNAL_ROBOTS:
	case JOURNAL_COMMIT:
	case JOURNAL_END:
	case JOURNAL_KINDS:
		break;
	}
	return true;
}

/* --- who is lost --- */

static enum audit_end follow(const struct audit *a, uint64_t hash, unsigned steps);

static enum audit_end better(enum audit_end a, enum audit_end b)
{
	return a < b ? a : b;
}

/* What became of the URL that one was skipped for: the best that is known. */
static enum audit_end end_of_skip(const struct audit *a, const struct audit_url *u,
				  unsigned steps)
{
	const uint64_t *by_key = map_find(&a->keys, u->key);
	enum audit_end end = better(follow(a, u->other, steps), follow(a, u->key, steps));

	return by_key ? better(end, follow(a, *by_key, steps)) : end;
}

static enum audit_end follow(const struct audit *a, uint64_t hash, unsigned steps)
{
	const struct audit_url *u = find(a, hash);

	if (!u || u->queued > u->ended)
		return AUDIT_WAITING;
	if (u->end == AUDIT_SKIPPED)
		return steps > 0 ? end_of_skip(a, u, steps - 1) : AUDIT_WAITING;
	/* What a redirect leads to may be out of scope, or itself. */
	if (u->end == AUDIT_MOVED && steps > 0 && find(a, u->other))
		return follow(a, u->other, steps - 1);
	return (enum audit_end)u->end;
}

static enum audit_end end_of(const struct audit *a, const struct audit_url *u)
{
	if (u->queued > u->ended)
		return AUDIT_WAITING;
	if (u->end != AUDIT_SKIPPED)
		return (enum audit_end)u->end;
	switch (end_of_skip(a, u, STEPS_MAX)) {
	case AUDIT_FETCHED:
	case AUDIT_MOVED:
	case AUDIT_ABSENT:
		return AUDIT_SKIPPED;
	case AUDIT_DROPPED:
		return AUDIT_UNASKED;
	default:
		return AUDIT_LOST;
	}
}

static void count(struct audit *a)
{
	uint8_t *ends = xcalloc(a->n + 1, sizeof(*ends));

	a->dropped = xcalloc(a->rules.n + 1, sizeof(*a->dropped));
	for (size_t i = 0; i < a->n; i++)
		ends[i] = (uint8_t)end_of(a, &a->v[i]);
	for (size_t i = 0; i < a->n; i++) {
		a->v[i].end = ends[i];
		a->count[ends[i]]++;
		if (ends[i] == AUDIT_DROPPED)
			a->dropped[a->v[i].rule]++;
	}
	free(ends);
}

enum audit_end audit_find(const struct audit *a, struct str url)
{
	const struct audit_url *u = find(a, hash64(url));

	return u ? (enum audit_end)u->end : AUDIT_ENDS;
}

/* --- a folder --- */

static enum status journal_of(const char *dir, struct arena *a, const char **ret,
			      struct diag *why)
{
	*ret = path_join(a, dir, STR("state/journal"));
	if (!dir_exists(*ret))
		return diag_fail(why, ST_NOT_FOUND, "%s is not the folder of a crawl",
				 dir);
	return ST_OK;
}

enum status audit_crawl(struct audit *a, const char *dir, struct diag *why)
{
	cleanup(arena_release) struct arena names = { 0 };
	const char *journal;

	TRY(journal_of(dir, &names, &journal, why));
	TRY(journal_each(journal, see, a, why));
	count(a);
	return ST_OK;
}

struct listing {
	const struct audit *a;
	struct map told;
	enum audit_end end;
	bool (*tell)(void *arg, struct str url);
	void *arg;
};

static bool list(void *arg, const struct journal_record *r)
{
	struct listing *l = arg;
	bool more = true;

	if (r->kind != JOURNAL_LINKS && r->kind != JOURNAL_LATE)
		return true;
	for (size_t i = 0; i < r->links.n && more; i++) {
		struct str url = r->links.v[i].url;
		bool is_new = audit_find(l->a, url) == l->end;

		if (is_new)
			map_add(&l->told, hash64(url), &is_new);
		if (is_new)
			more = l->tell(l->arg, url);
	}
	return more;
}

enum status audit_list(const struct audit *a, const char *dir, enum audit_end end,
		       bool (*tell)(void *arg, struct str url), void *arg,
		       struct diag *why)
{
	cleanup(arena_release) struct arena names = { 0 };
	struct listing l = { .a = a, .end = end, .tell = tell, .arg = arg };
	const char *journal;

	TRY(journal_of(dir, &names, &journal, why));
	enum status st = journal_each(journal, list, &l, why);
	map_release(&l.told);
	return st;
}
