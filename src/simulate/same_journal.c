#include "simulate/same_journal.h"

#include "base/arena.h"
#include "journal/journal.h"

/* One of the two. */
struct side {
	struct segment_cursor cursor;
	struct arena a;
	struct journal_record r;
	struct buf bytes; /* of the record, without what does not count */
	uint64_t position;
	bool at_end;
};

static bool counts(enum journal_kind kind)
{
	return kind == JOURNAL_LINKS || kind == JOURNAL_LATE || kind == JOURNAL_DROPPED ||
	       kind == JOURNAL_RETRY || kind == JOURNAL_DONE || kind == JOURNAL_ROBOTS;
}

static void strip(struct journal_record *r)
{
	if (r->kind == JOURNAL_LINKS || r->kind == JOURNAL_LATE)
		r->links.now_ms = 0;
	if (r->kind == JOURNAL_DROPPED || r->kind == JOURNAL_RETRY)
		r->dropped.now_ms = 0;
	if (r->kind == JOURNAL_DONE) {
		r->done.warc_file = r->done.record_id = STR("");
		r->done.warc_offset = r->done.warc_length = 0;
	}
}

/* The next record that counts. */
static enum status next(struct side *s, struct diag *why)
{
	struct str bytes;
	enum status st;

	for (;;) {
		s->position = s->cursor.position;
		st = segment_cursor_next(&s->cursor, &bytes, why);
		if (st == ST_AGAIN || st == ST_CORRUPT) { /* a torn tail is an end */
			s->at_end = true;
			return ST_OK;
		}
		TRY(st);
		arena_reset(&s->a);
		if (journal_decode(arena_copy(&s->a, bytes), &s->a, &s->r) != ST_OK)
			return diag_fail(why, ST_CORRUPT, "damaged at %llu",
					 (unsigned long long)s->position);
		if (counts(s->r.kind))
			break;
	}
	strip(&s->r);
	buf_reset(&s->bytes);
	journal_encode(&s->r, &s->bytes);
	return ST_OK;
}

/* --- in words --- */

static void add_link(struct buf *to, const struct journal_links *l, size_t k)
{
	static const char *const words[OUTCOMES] = {
		"queued", "known", "undecided", "refused", "refused again", "skipped",
	};

	if (k >= l->n) {
		buf_addf(to, "%zu links of " STR_FMT, l->n, STR_ARG(l->via));
		return;
	}
	const struct journal_link *one = &l->v[k];
	buf_addf(to, "%s (" STR_FMT ", " STR_FMT ", priority %u) " STR_FMT,
		 words[one->outcome], STR_ARG(purpose_table[one->purpose].word),
		 STR_ARG(reason_table[one->reason].word), one->priority,
		 STR_ARG(one->url));
}

static void describe(struct buf *to, const struct side *s, size_t link)
{
	const struct journal_record *r = &s->r;

	if (s->at_end) {
		buf_add(to, STR("nothing more"));
		return;
	}
	buf_addf(to, "at %llu: ", (unsigned long long)s->position);
	switch (r->kind) {
	case JOURNAL_LINKS:
	case JOURNAL_LATE:
		add_link(to, &r->links, link);
		break;
	case JOURNAL_DROPPED:
	case JOURNAL_RETRY:
		buf_addf(to, "%s (" STR_FMT ") " STR_FMT,
			 r->kind == JOURNAL_RETRY ? "retried" : "dropped",
			 STR_ARG(reason_table[r->dropped.reason].word),
			 STR_ARG(r->dropped.url));
		break;
	case JOURNAL_DONE:
		buf_addf(to, "fetched %d (%u links, %s, %u %% new) " STR_FMT,
			 r->done.code, r->done.links, r->done.novel ? "new" : "not new",
			 r->done.new_percent, STR_ARG(r->done.url));
		break;
	case JOURNAL_ROBOTS:
		buf_addf(to, "robots.txt %d of " STR_FMT, r->robots.status,
			 STR_ARG(r->robots.origin));
		break;
	case JOURNAL_BEGIN:
	case JOURNAL_COMMIT:
	case JOURNAL_END:
	case JOURNAL_STEERED:
	case JOURNAL_TRACE:
	case JOURNAL_SENT:
	case JOURNAL_APPLIED:
	case JOURNAL_KINDS:
		break;
	}
}

static bool same_link(const struct journal_link *a, const struct journal_link *b)
{
	return str_eq(a->url, b->url) && a->outcome == b->outcome &&
	       a->purpose == b->purpose && a->reason == b->reason &&
	       a->priority == b->priority && a->depth == b->depth &&
	       str_eq(a->key, b->key) && str_eq(a->rules, b->rules) &&
	       str_eq(a->detail, b->detail);
}

/* Of two lists of links, the first that differs. */
static size_t different_link(const struct side s[2])
{
	const struct journal_links *a = &s[0].r.links, *b = &s[1].r.links;
	size_t k = 0;

	if (s[0].at_end || s[1].at_end || s[0].r.kind != JOURNAL_LINKS ||
	    s[1].r.kind != JOURNAL_LINKS)
		return 0;
	while (k < a->n && k < b->n && same_link(&a->v[k], &b->v[k]))
		k++;
	return k;
}

static uint64_t transitions_of(const struct journal_record *r)
{
	return r->kind == JOURNAL_LINKS || r->kind == JOURNAL_LATE ? r->links.n : 1;
}

static enum status compare(struct side s[2], bool is_part, struct same_journal *ret,
			   struct diag *why)
{
	for (;;) {
		TRY(next(&s[0], why));
		TRY(next(&s[1], why));
		if (s[1].at_end && (is_part || s[0].at_end)) {
			ret->is_equal = true;
			return ST_OK;
		}
		if (s[0].at_end || s[1].at_end ||
		    !str_eq(buf_str(&s[0].bytes), buf_str(&s[1].bytes)))
			break;
		ret->records++;
		ret->transitions += transitions_of(&s[0].r);
	}
	size_t link = different_link(s);
	buf_add(&ret->difference, STR("recorded "));
	describe(&ret->difference, &s[0], link);
	buf_add(&ret->difference, STR("\nreplayed "));
	describe(&ret->difference, &s[1], link);
	return ST_OK;
}

enum status same_journal(const char *recorded, const char *now, bool is_part,
			 struct same_journal *ret, struct diag *why)
{
	struct side s[2] = { 0 };
	enum status st =
		segment_cursor_open(&s[0].cursor, recorded, &journal_segments, 0, why);

	*ret = (struct same_journal){ 0 };
	if (st == ST_OK)
		st = segment_cursor_open(&s[1].cursor, now, &journal_segments, 0, why);
	if (st == ST_OK)
		st = compare(s, is_part, ret, why);
	for (size_t k = 0; k < 2; k++) {
		segment_cursor_close(&s[k].cursor);
		arena_release(&s[k].a);
		buf_release(&s[k].bytes);
	}
	return st;
}
