#include "simulate/crawl_outcome.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "journal/journal.h"
#include "os/file.h"
#include "record/verdict.h"

struct reading {
	struct crawl_outcome *o;
	const struct recorded_web *web;
	struct relevance *judge; /* NULL: nothing is wanted */
	struct map urls;         /* hash -> end << 32 | reason */
	int64_t begin_ms;
};

static void note(struct reading *r, struct str url, enum url_end end, unsigned reason)
{
	uint64_t *was = map_add(&r->urls, hash64(url), NULL);

	/* Fetched once is fetched, whatever is asked of it later. */
	if (*was >> 32 != END_FETCHED)
		*was = (uint64_t)end << 32 | reason;
}

static void see_link(struct reading *r, const struct journal_link *l)
{
	static const enum url_end ends[OUTCOMES] = {
		[OUTCOME_QUEUED] = END_QUEUED,     [OUTCOME_UNDECIDED] = END_NEVER_FOUND,
		[OUTCOME_KNOWN] = END_NEVER_FOUND, [OUTCOME_REFUSED] = END_REFUSED,
		[OUTCOME_SKIPPED] = END_SKIPPED,
	};

	if (ends[l->outcome] != END_NEVER_FOUND && purpose_is_page(l->purpose))
		note(r, l->url, ends[l->outcome], l->reason);
}

static void count_answer(struct crawl_outcome *o, const struct journal_done *d)
{
	o->requests++;
	o->bytes += d->wire_bytes;
	o->pages += d->code >= 200 && d->code < 300;
	o->redirects += d->code >= 300 && d->code < 400;
	o->absent += d->code >= 400 && d->code < 500;
	o->failed += d->code < 200 || d->code >= 500;
}

static void add_new(struct reading *r, const struct journal_done *d)
{
	struct crawl_outcome *o = r->o;
	struct new_page p = { 0 };
	uint32_t nr = recorded_find(r->web, d->url);

	if (o->n_new > 0)
		p = o->new_pages[o->n_new - 1];
	p.request = (uint32_t)o->requests;
	if (r->judge && nr != RECORDED_NONE) {
		float relevance = relevance_of(r->judge, nr);

		p.relevance += (double)relevance;
		p.relevant += relevance >= relevance_bound(r->judge);
	}
	VEC_ADD(o->new_pages, o->n_new, o->new_cap, p);
	o->relevant = p.relevant;
	o->found_new++;
}

static void see_done(struct reading *r, const struct journal_done *d)
{
	struct crawl_outcome *o = r->o;
	struct verdict v;

	count_answer(o, d);
	o->unknown += recorded_find(r->web, d->url) == RECORDED_NONE;
	o->duration_ms = MAX(o->duration_ms, d->start_ms + d->duration_ms - r->begin_ms);
	note(r, d->url, END_FETCHED, 0);
	if (!purpose_is_page(d->purpose) || d->code != 200)
		return;
	if (d->novel)
		add_new(r, d);
	if (d->verdict.n > 0 && verdict_decode(d->verdict, &v) == ST_OK) {
		o->duplicates += v.kind == VERDICT_EXACT;
		o->near_duplicates += v.kind == VERDICT_NEAR;
	}
}

static bool see(void *arg, const struct journal_record *j)
{
	struct reading *r = arg;

	switch (j->kind) {
	case JOURNAL_BEGIN:
		if (r->begin_ms == 0)
			r->begin_ms = j->begin.now_ms;
		break;
	case JOURNAL_LINKS:
	case JOURNAL_LATE:
		for (size_t k = 0; k < j->links.n; k++)
			see_link(r, &j->links.v[k]);
		break;
	case JOURNAL_DROPPED:
		note(r, j->dropped.url,
		     j->dropped.reason == REASON_URL_RULE ? END_SKIPPED : END_DROPPED,
		     j->dropped.reason);
		break;
	case JOURNAL_DONE:
		see_done(r, &j->done);
		break;
	case JOURNAL_RETRY:
	case JOURNAL_ROBOTS:
	case JOURNAL_STEERED:
	case JOURNAL_COMMIT:
	case JOURNAL_END:
	case JOURNAL_TRACE:
	case JOURNAL_SENT:
	case JOURNAL_APPLIED:
	case JOURNAL_KINDS:
		break;
	}
	return true;
}

/* --- against the archive --- */

static bool is_page(const struct recorded_web *w, uint32_t nr)
{
	return w->v[nr].code == 200 && w->v[nr].is_html &&
	       recorded_find(w, w->v[nr].url) == nr;
}

void crawl_outcome_archive(const struct recorded_web *w, uint64_t *ret_pages,
			   uint64_t *ret_contents)
{
	struct map contents = { 0 };

	*ret_pages = 0;
	for (uint32_t nr = 0; nr < w->n; nr++)
		if (is_page(w, nr)) {
			++*ret_pages;
			map_add(&contents, w->v[nr].content, NULL);
		}
	*ret_contents = contents.n;
	map_release(&contents);
}

static enum url_end end_of(const struct reading *r, struct str url, unsigned *ret_reason)
{
	const uint64_t *state = map_find(&r->urls, hash64(url));

	*ret_reason = state ? (uint32_t)*state : 0;
	return state ? (enum url_end)(*state >> 32) : END_NEVER_FOUND;
}

static void count_lost(struct reading *r)
{
	struct map brought = { 0 }, lost = { 0 };
	unsigned reason;

	for (uint32_t nr = 0; nr < r->web->n; nr++)
		if (end_of(r, r->web->v[nr].url, &reason) == END_FETCHED)
			map_add(&brought, r->web->v[nr].content, NULL);
	for (uint32_t nr = 0; nr < r->web->n; nr++) {
		if (!is_page(r->web, nr))
			continue;
		enum url_end end = end_of(r, r->web->v[nr].url, &reason);
		if (end == END_FETCHED)
			continue;
		r->o->lost_pages++;
		r->o->lost_ends[end]++;
		r->o->lost_reasons[reason]++;
		if (!map_find(&brought, r->web->v[nr].content))
			map_add(&lost, r->web->v[nr].content, NULL);
	}
	r->o->lost_contents = lost.n;
	map_release(&brought);
	map_release(&lost);
}

static void count_ends(struct reading *r)
{
	struct map_slot s;

	for (size_t at = 0; map_next(&r->urls, &at, &s);) {
		enum url_end end = (enum url_end)(s.value >> 32);

		r->o->ends[end]++;
		if (end == END_REFUSED || end == END_SKIPPED || end == END_DROPPED)
			r->o->reasons[(uint32_t)s.value]++;
	}
}

enum status crawl_outcome_read(struct crawl_outcome *ret, const struct recorded_web *w,
			       struct relevance *judge, const char *dir, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	struct crawl_outcome o = { .has_relevance = judge != NULL };
	struct reading r = { .o = &o, .web = w, .judge = judge };
	enum status st =
		journal_each(path_join(&a, dir, STR("state/journal")), see, &r, why);

	if (st == ST_OK) {
		count_ends(&r);
		count_lost(&r);
		*ret = o;
	} else {
		crawl_outcome_release(&o);
	}
	map_release(&r.urls);
	return st;
}

void crawl_outcome_release(struct crawl_outcome *o)
{
	free(o->new_pages);
	*o = (struct crawl_outcome){ 0 };
}

size_t crawl_outcome_new_after(const struct crawl_outcome *o, uint64_t requests)
{
	size_t low = 0, high = o->n_new;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (o->new_pages[mid].request <= requests)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

double crawl_outcome_relevance_after(const struct crawl_outcome *o, uint64_t requests)
{
	size_t n = crawl_outcome_new_after(o, requests);

	return n > 0 ? o->new_pages[n - 1].relevance : 0;
}

uint64_t crawl_outcome_relevant_after(const struct crawl_outcome *o, uint64_t requests)
{
	size_t n = crawl_outcome_new_after(o, requests);

	return n > 0 ? o->new_pages[n - 1].relevant : 0;
}

uint64_t crawl_outcome_requests_for(const struct crawl_outcome *o, double share,
				    uint64_t contents)
{
	size_t n = (size_t)ceil(share * (double)contents);

	return n > 0 && n <= o->n_new ? o->new_pages[n - 1].request : 0;
}
