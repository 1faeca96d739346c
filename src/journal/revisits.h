/*
 * revisits.h - pages of earlier visits: how often each changed, when it is due.
 *
 * A view of the journal's `done` records, made when somebody wants to ask again;
 * nothing of it is on disk.  A zeroed struct is empty; it owns its memory.
 */
#ifndef JOURNAL_REVISITS_H
#define JOURNAL_REVISITS_H

#include "base/map.h"
#include "journal/journal.h"
#include "policy/recrawl.h"
#include "record/page.h"

struct revisit {
	struct u128 hash;  /* of its URL */
	uint64_t position; /* in the journal: the visit whose body counts */
	int64_t due_ms;
	struct visits visits;
};

struct revisits {
	struct map index; /* low half of the URL's hash -> number + 1 */
	struct revisit *v;
	size_t n, cap;
};

/* What a visit found, as far as it tells of change. */
struct visit_result {
	int code;
	struct str sha1;     /* 20 bytes; empty for no body */
	struct str location; /* of a redirect */
	struct str like;  /* URL of the page that it is, or nearly is; empty for none */
	struct str marks; /* see page_marks() */
};

void revisits_release(struct revisits *r);
/* A `done` record at `position`; robots.txt and probes are no pages. */
void revisits_note(struct revisits *r, const struct recrawl *rule,
		   const struct journal_done *d, uint64_t position);
/* NULL when it was never visited; lives until the next note. */
const struct revisit *revisits_find(const struct revisits *r, struct str url);
/* The earliest due date; INT64_MAX when there is no page. */
int64_t revisits_next_due(const struct revisits *r);
/*
 * What happened between two visits of `url`.  `before` may be NULL: the first.
 * To be nearly what it was, or what it was nearly before, is no change.
 */
enum change visit_change(struct str url, const struct visit_result *before,
			 const struct visit_result *now);
/*
 * The least hashes of the paragraphs of its main content (or of all, when it has
 * none), in `a`: a page is compared by them with what it was itself, whatever other
 * pages there are.
 */
struct str page_marks(const struct page *p, struct arena *a);
/* The share of paragraphs that two pages have in common, 0 to 1, estimated. */
double marks_likeness(struct str a, struct str b);
/* "first", "unchanged", "changed", "gone", "failed". */
struct str change_name(enum change change);
#endif
