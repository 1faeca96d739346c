#include "journal/audit.h"

#include <stdlib.h>

#include "base/alloc.h"

#define STEPS_MAX 8 /* from one that was skipped or moved to the one that was fetched */

const char *const audit_end_names[AUDIT_ENDS] = {
	[AUDIT_FETCHED] = "fetched",     [AUDIT_MOVED] = "moved",
	[AUDIT_GONE] = "gone",           [AUDIT_FAILED] = "failed",
	[AUDIT_REFUSED] = "refused",     [AUDIT_SKIPPED] = "skipped",
	[AUDIT_UNFETCHED] = "unfetched", [AUDIT_LOST] = "lost",
	[AUDIT_WAITING] = "waiting",
};

void audit_release(struct audit *a)
{
	free(a->v);
	map_release(&a->urls);
	map_release(&a->keys);
	buf_release(&a->first_violation);
	*a = (struct audit){ 0 };
}

static struct audit_url *get(struct audit *a, struct str url)
{
	bool is_new;
	uint64_t *at = map_add(&a->urls, hash64(url), &is_new);

	if (is_new) {
		VEC_ADD(a->v, a->n, a->cap, (struct audit_url){ .state = URL_UNKNOWN });
		*at = a->n;
	}
	return &a->v[*at - 1];
}

static const struct audit_url *find(const struct audit *a, uint64_t hash)
{
	const uint64_t *at = map_find(&a->urls, hash);

	return at ? &a->v[*at - 1] : NULL;
}

static void apply(struct audit *a, struct audit_url *u, enum url_event event,
		  struct str url)
{
	enum url_state to = url_life_next(u->state, event);

	if (to != URL_STATES) {
		u->state = (uint8_t)to;
		return;
	}
	a->violation[u->state][event]++;
	if (a->violations++ == 0)
		buf_addf(&a->first_violation, "%s while %s: " STR_FMT,
			 url_event_names[event], url_state_names[u->state], STR_ARG(url));
}

static void see_link(struct audit *a, const struct journal_link *l)
{
	bool is_refused = l->outcome == OUTCOME_REFUSED;

	/* A refusal is an end by itself: it counts only for a URL that had another one.
	 */
	if (!purpose_is_page(l->purpose) || (is_refused && !find(a, hash64(l->url))))
		return;
	struct audit_url *u = get(a, l->url);
	apply(a, u, journal_link_event(l), l->url);
	if (is_refused)
		u->reason = l->reason;
	if (l->outcome == OUTCOME_SKIPPED) {
		u->other = hash64(l->detail);
		u->key = hash64(l->key.n > 0 ? l->key : l->url);
	} else if (l->outcome == OUTCOME_QUEUED && l->key.n > 0) {
		*map_add(&a->keys, hash64(l->key), NULL) = hash64(l->url);
	}
}

static void see_late(struct audit *a, const struct journal_link *l)
{
	apply(a, get(a, l->url), URL_EVENT_QUEUE, l->url);
}

/* Where a redirect leads, as it would be queued. */
static uint64_t target_of(const struct journal_done *d)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct str to = journal_target(d, &a);

	return to.n > 0 ? hash64(to) : 0;
}

static void see_done(struct audit *a, const struct journal_done *d)
{
	if (!purpose_is_page(d->purpose))
		return;
	struct audit_url *u = get(a, d->url);
	apply(a, u, URL_EVENT_SEND, d->url);
	apply(a, u, journal_done_event(d), d->url);
	u->is_redirect = answer_is_redirect(d->code);
	if (u->is_redirect)
		u->other = target_of(d);
}

static void see_retry(struct audit *a, const struct journal_dropped *d)
{
	if (!purpose_is_page(d->purpose))
		return;
	apply(a, get(a, d->url), URL_EVENT_SEND, d->url);
	apply(a, get(a, d->url), URL_EVENT_RETRY, d->url);
}

static void see_dropped(struct audit *a, const struct journal_dropped *d)
{
	/* The skip has its own line. */
	if (!purpose_is_page(d->purpose) || d->reason == REASON_URL_RULE)
		return;
	struct audit_url *u = get(a, d->url);
	apply(a, u, URL_EVENT_REFUSE, d->url);
	u->reason = d->reason;
}

static bool see(void *arg, const struct journal_record *r)
{
	struct audit *a = arg;

	switch (r->kind) {
	case JOURNAL_LINKS:
		for (size_t i = 0; i < r->links.n; i++)
			see_link(a, &r->links.v[i]);
		break;
	case JOURNAL_LATE:
		for (size_t i = 0; i < r->links.n; i++)
			see_late(a, &r->links.v[i]);
		break;
	case JOURNAL_DONE:
		see_done(a, &r->done);
		break;
	case JOURNAL_DROPPED:
		see_dropped(a, &r->dropped);
		break;
	case JOURNAL_RETRY:
		see_retry(a, &r->dropped);
		break;
	case JOURNAL_BEGIN:
	case JOURNAL_ROBOTS:
	case JOURNAL_COMMIT:
	case JOURNAL_END:
	case JOURNAL_STEERED:
	case JOURNAL_TRACE:
	case JOURNAL_SENT:
	case JOURNAL_APPLIED:
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

static enum audit_end end_of_state(const struct audit_url *u)
{
	switch ((enum url_state)u->state) {
	case URL_ANSWERED:
		return u->is_redirect ? AUDIT_MOVED : AUDIT_FETCHED;
	case URL_GONE:
		return AUDIT_GONE;
	case URL_FAILED:
		return AUDIT_FAILED;
	case URL_REFUSED:
		return AUDIT_REFUSED;
	case URL_SKIPPED:
		return AUDIT_SKIPPED;
	case URL_UNKNOWN:
	case URL_FOUND:
	case URL_QUEUED:
	case URL_HELD:
	case URL_IN_FLIGHT:
	case URL_STATES:
		break;
	}
	return AUDIT_WAITING;
}

static enum audit_end follow(const struct audit *a, uint64_t hash, unsigned steps)
{
	const struct audit_url *u = find(a, hash);
	enum audit_end end = u ? end_of_state(u) : AUDIT_WAITING;

	if (end == AUDIT_SKIPPED)
		return steps > 0 ? end_of_skip(a, u, steps - 1) : AUDIT_WAITING;
	/* What a redirect leads to may be out of scope, or itself. */
	if (end == AUDIT_MOVED && steps > 0 && find(a, u->other))
		return follow(a, u->other, steps - 1);
	return end;
}

static enum audit_end end_of(const struct audit *a, const struct audit_url *u)
{
	enum audit_end end = end_of_state(u);

	if (end != AUDIT_SKIPPED)
		return end;
	switch (end_of_skip(a, u, STEPS_MAX)) {
	case AUDIT_FETCHED:
	case AUDIT_MOVED:
	case AUDIT_GONE:
		return AUDIT_SKIPPED;
	case AUDIT_REFUSED:
		return AUDIT_UNFETCHED;
	default:
		return AUDIT_LOST;
	}
}

static void count(struct audit *a)
{
	for (size_t i = 0; i < a->n; i++) {
		struct audit_url *u = &a->v[i];

		u->end = (uint8_t)end_of(a, u);
		a->count[u->end]++;
		if (u->end == AUDIT_REFUSED)
			a->refused[u->reason]++;
	}
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
