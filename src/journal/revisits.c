#include "journal/revisits.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define BLOCKS_MAX  512 /* paragraphs looked at */
#define MARKS       16
#define MARKS_ALIKE 0.5

void revisits_release(struct revisits *r)
{
	map_release(&r->index);
	free(r->v);
	*r = (struct revisits){ 0 };
}

static struct revisit *get(struct revisits *r, struct u128 hash)
{
	uint64_t *at = map_add(&r->index, hash.lo, NULL);

	if (*at == 0) {
		VEC_ADD(r->v, r->n, r->cap, (struct revisit){ .hash = hash });
		*at = r->n;
	}
	return &r->v[*at - 1];
}

const struct revisit *revisits_find(const struct revisits *r, struct str url)
{
	struct u128 hash = hash128(url);
	const uint64_t *at = map_find(&r->index, hash.lo);

	return at && r->v[*at - 1].hash.hi == hash.hi ? &r->v[*at - 1] : NULL;
}

void revisits_note(struct revisits *r, const struct recrawl *rule,
		   const struct journal_done *d, uint64_t position)
{
	enum change change = d->change;

	if (!purpose_is_page(d->purpose) && d->purpose != PURPOSE_REVISIT)
		return;
	struct revisit *v = get(r, hash128(d->url));
	/* What did not change is stored once, and this visit may have stored nothing. */
	if (v->visits.seen == 0 || change == CHANGE_FIRST || change == CHANGE_SOME)
		v->position = position;
	v->due_ms = recrawl_visit(rule, &v->visits, change, d->start_ms);
}

int64_t revisits_next_due(const struct revisits *r)
{
	int64_t due = INT64_MAX;

	for (size_t i = 0; i < r->n; i++)
		due = MIN(due, r->v[i].due_ms);
	return due;
}

static bool is_redirect(int code)
{
	return code >= 300 && code < 400;
}

/* Nothing is known of the page: a broken connection, a busy or broken server. */
static bool tells_nothing(int code)
{
	return code <= 0 || code >= 500 || code == 429 || code == 408;
}

static bool same_place(struct str url, const struct visit_result *before,
		       const struct visit_result *now)
{
	return now->like.n > 0 &&
	       (str_eq(now->like, url) || str_eq(now->like, before->like));
}

enum change visit_change(struct str url, const struct visit_result *before,
			 const struct visit_result *now)
{
	if (!before)
		return CHANGE_FIRST;
	if (now->code == 304)
		return CHANGE_NONE;
	if (tells_nothing(now->code))
		return CHANGE_FAILED;
	if (now->code >= 400)
		return before->code >= 400 ? CHANGE_NONE : CHANGE_GONE;
	if (is_redirect(now->code))
		return is_redirect(before->code) &&
				       str_eq(before->location, now->location)
			       ? CHANGE_NONE
			       : CHANGE_SOME;
	if (before->code >= 300 || before->code <= 0)
		return CHANGE_SOME;
	if (str_eq(before->sha1, now->sha1) || same_place(url, before, now))
		return CHANGE_NONE;
	if (marks_likeness(before->marks, now->marks) >= MARKS_ALIKE)
		return CHANGE_NONE;
	return CHANGE_SOME;
}

/* --- paragraphs --- */

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

struct str page_marks(const struct page *p, struct arena *a)
{
	bool has_main = p->main_bytes > 0;
	size_t n = 0, kept = 0;
	uint32_t v[BLOCKS_MAX];

	for (size_t i = 0; i < p->n_blocks && n < BLOCKS_MAX; i++)
		if (!has_main || p->blocks[i].is_main)
			v[n++] = (uint32_t)(p->blocks[i].hash >> 32);
	qsort(v, n, sizeof(v[0]), by_value);
	for (size_t i = 0; i < n && kept < MARKS; i++)
		if (kept == 0 || v[i] != v[kept - 1])
			v[kept++] = v[i];
	return arena_copy(a, (struct str){ (const char *)v, kept * sizeof(v[0]) });
}

/* Of the least hashes of both together, how many has each? */
double marks_likeness(struct str a, struct str b)
{
	size_t both = 0, all = 0;
	uint32_t x, y;

	while (a.n >= 4 && b.n >= 4 && all < MARKS) {
		memcpy(&x, a.p, 4);
		memcpy(&y, b.p, 4);
		both += x == y;
		all++;
		a = str_skip(a, x <= y ? 4 : 0);
		b = str_skip(b, y <= x ? 4 : 0);
	}
	all = MIN(all + a.n / 4 + b.n / 4, (size_t)MARKS);
	return all ? (double)both / (double)all : 0;
}

struct str change_name(enum change change)
{
	static const char *const names[] = {
		[CHANGE_FIRST] = "first",   [CHANGE_NONE] = "unchanged",
		[CHANGE_SOME] = "changed",  [CHANGE_GONE] = "gone",
		[CHANGE_FAILED] = "failed",
	};

	return str_from(names[change]);
}
