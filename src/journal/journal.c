#include "journal/journal.h"

#include <string.h>

#include "base/alloc.h"
#include "policy/recrawl.h"
#include "url/normal.h"

/* 3: purpose and reason as fields.  4: scores and vetoes, injected and steered URLs.
 * 5: requests of browsers.  6: trace, views of applications.  8: messages of a cluster.
 * 9: pages that the API of their site stands for.  10: pages that wait for a browser.
 */
#define JOURNAL_VERSION 10

const struct segment_kind journal_segments = {
	.name = "thrJOURN",
	.version = JOURNAL_VERSION,
	.oldest = JOURNAL_VERSION,
	.if_older = "an older thresh made this crawl; go on with that one, or crawl into "
		    "a new folder (-o). Its WARC files and lists stay as they are",
};

/* --- pieces --- */

static void add_signed(struct buf *b, int64_t v)
{
	buf_add_varint(b, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static bool take_signed(struct str *in, int64_t *ret)
{
	uint64_t v;

	if (!str_take_varint(in, &v))
		return false;
	*ret = (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
	return true;
}

static bool take_int(struct str *in, int *ret)
{
	int64_t v;

	if (!take_signed(in, &v) || v < INT32_MIN || v > INT32_MAX)
		return false;
	*ret = (int)v;
	return true;
}

static bool take_u32_varint(struct str *in, uint32_t *ret)
{
	uint64_t v;

	if (!str_take_varint(in, &v) || v > UINT32_MAX)
		return false;
	*ret = (uint32_t)v;
	return true;
}

static void add_key(struct buf *b, struct u128 key)
{
	buf_add_u64(b, key.hi);
	buf_add_u64(b, key.lo);
}

static bool take_key(struct str *in, struct u128 *ret)
{
	return str_take_u64(in, &ret->hi) && str_take_u64(in, &ret->lo);
}

static bool take_flag(struct str *in, bool *ret)
{
	uint8_t v;

	if (!str_take_u8(in, &v) || v > 1)
		return false;
	*ret = v;
	return true;
}

/* --- begin, end, commit, robots, dropped --- */

static void encode_begin(const struct journal_begin *r, struct buf *to)
{
	add_signed(to, r->now_ms);
	buf_add_sized(to, r->version);
	buf_add_u64(to, r->scope);
	buf_add_varint(to, r->token);
	buf_add_u8(to, r->flags);
	buf_add_sized(to, r->settings);
	buf_add_varint(to, r->seeds);
}

static bool decode_begin(struct str *in, struct journal_begin *r)
{
	return take_signed(in, &r->now_ms) && str_take_sized(in, &r->version) &&
	       str_take_u64(in, &r->scope) && str_take_varint(in, &r->token) &&
	       str_take_u8(in, &r->flags) && str_take_sized(in, &r->settings) &&
	       str_take_varint(in, &r->seeds);
}

static void encode_end(const struct journal_end *r, struct buf *to)
{
	add_signed(to, r->now_ms);
	buf_add_sized(to, r->reason);
}

static bool decode_end(struct str *in, struct journal_end *r)
{
	return take_signed(in, &r->now_ms) && str_take_sized(in, &r->reason);
}

static void encode_commit(const struct journal_commit *r, struct buf *to)
{
	add_signed(to, r->now_ms);
	archive_position_encode(&r->archive, to);
	buf_add_varint(to, r->ledger_bytes);
	buf_add_varint(to, r->pages);
}

static bool decode_commit(struct str *in, struct journal_commit *r)
{
	return take_signed(in, &r->now_ms) &&
	       archive_position_decode(in, &r->archive) == ST_OK &&
	       str_take_varint(in, &r->ledger_bytes) && str_take_varint(in, &r->pages);
}

static void encode_robots(const struct journal_robots *r, struct buf *to)
{
	buf_add_sized(to, r->origin);
	buf_add_sized(to, r->reason);
	add_signed(to, r->status);
	add_signed(to, r->now_ms);
	add_signed(to, r->until_ms);
	buf_add_varint(to, r->crawl_delay_ms);
}

static bool decode_robots(struct str *in, struct journal_robots *r)
{
	return str_take_sized(in, &r->origin) && str_take_sized(in, &r->reason) &&
	       take_int(in, &r->status) && take_signed(in, &r->now_ms) &&
	       take_signed(in, &r->until_ms) && take_u32_varint(in, &r->crawl_delay_ms);
}

static void encode_dropped(const struct journal_dropped *r, struct buf *to)
{
	buf_add_sized(to, r->url);
	buf_add_sized(to, r->detail);
	add_key(to, r->key);
	add_signed(to, r->now_ms);
	add_signed(to, r->code);
	buf_add_u8(to, r->purpose);
	buf_add_varint(to, r->reason);
}

static bool take_purpose(struct str *in, uint8_t *ret)
{
	return str_take_u8(in, ret) && *ret < PURPOSES;
}

static bool take_reason(struct str *in, uint16_t *ret)
{
	uint64_t v;

	if (!str_take_varint(in, &v) || v >= REASONS)
		return false;
	*ret = (uint16_t)v;
	return true;
}

static bool decode_dropped(struct str *in, struct journal_dropped *r)
{
	return str_take_sized(in, &r->url) && str_take_sized(in, &r->detail) &&
	       take_key(in, &r->key) && take_signed(in, &r->now_ms) &&
	       take_int(in, &r->code) && take_purpose(in, &r->purpose) &&
	       take_reason(in, &r->reason);
}

static void encode_steered(const struct journal_steered *r, struct buf *to)
{
	buf_add_u8(to, r->what);
	buf_add_sized(to, r->url);
	add_key(to, r->key);
	buf_add_varint(to, r->number);
	add_signed(to, r->now_ms);
}

static bool decode_steered(struct str *in, struct journal_steered *r)
{
	return str_take_u8(in, &r->what) && r->what < STEERINGS &&
	       str_take_sized(in, &r->url) && take_key(in, &r->key) &&
	       str_take_varint(in, &r->number) && take_signed(in, &r->now_ms);
}

/* --- links: those of a page begin much as its own URL does --- */

static size_t shared_bytes(struct str a, struct str b)
{
	size_t n = 0;

	while (n < MIN(a.n, b.n) && a.p[n] == b.p[n])
		n++;
	return n;
}

/* In the first byte: keyed, the outcome, whether there is a score. */
#define LINK_SCORED 0x80
#define SCORE_STEPS 65535

static void encode_link(const struct journal_link *l, struct str via, struct buf *to)
{
	size_t shared = shared_bytes(l->url, via);
	bool keyed = l->key.n > 0;

	buf_add_u8(to,
		   (uint8_t)(l->outcome << 1 | keyed | (l->has_score ? LINK_SCORED : 0)));
	buf_add_varint(to, shared);
	buf_add_sized(to, str_skip(l->url, shared));
	if (keyed) {
		buf_add_sized(to, l->key);
		buf_add_sized(to, l->rules);
	}
	buf_add_varint(to, l->reason);
	buf_add_u8(to, l->purpose);
	buf_add_sized(to, l->detail);
	buf_add_varint(to, l->depth);
	buf_add_u8(to, l->hop);
	buf_add_u8(to, l->priority);
	buf_add_u8(to, l->off_hops);
	if (!l->has_score)
		return;
	buf_add_varint(to, (uint64_t)(l->score * SCORE_STEPS + 0.5f));
	buf_add_sized(to, l->scores);
}

static bool decode_link_score(struct str *in, struct journal_link *l)
{
	uint64_t steps;

	if (!str_take_varint(in, &steps) || steps > SCORE_STEPS ||
	    !str_take_sized(in, &l->scores))
		return false;
	l->score = (float)steps / SCORE_STEPS;
	return true;
}

static bool decode_link_url(struct str *in, struct str via, struct arena *a,
			    struct str *ret)
{
	uint64_t shared;
	struct str rest;

	if (!str_take_varint(in, &shared) || shared > via.n || !str_take_sized(in, &rest))
		return false;
	char *p = arena_alloc(a, shared + rest.n + 1);
	memcpy(p, via.p, shared);
	memcpy(p + shared, rest.p, rest.n);
	p[shared + rest.n] = '\0';
	*ret = (struct str){ p, shared + rest.n };
	return true;
}

static bool is_recorded(unsigned outcome)
{
	return outcome <= OUTCOME_REFUSED || outcome == OUTCOME_SKIPPED;
}

static bool decode_link(struct str *in, struct str via, struct arena *a,
			struct journal_link *l)
{
	uint8_t flags;

	*l = (struct journal_link){ 0 };
	if (!str_take_u8(in, &flags))
		return false;
	l->has_score = flags & LINK_SCORED;
	l->outcome = (uint8_t)((flags & ~LINK_SCORED) >> 1);
	if (!is_recorded(l->outcome) || !decode_link_url(in, via, a, &l->url))
		return false;
	if ((flags & 1) &&
	    (!str_take_sized(in, &l->key) || !str_take_sized(in, &l->rules)))
		return false;
	return take_reason(in, &l->reason) && take_purpose(in, &l->purpose) &&
	       str_take_sized(in, &l->detail) && take_u32_varint(in, &l->depth) &&
	       str_take_u8(in, &l->hop) && str_take_u8(in, &l->priority) &&
	       str_take_u8(in, &l->off_hops) &&
	       (!l->has_score || decode_link_score(in, l));
}

static void encode_links(const struct journal_links *r, struct buf *to)
{
	buf_add_sized(to, r->via);
	buf_add_sized(to, r->hops);
	buf_add_sized(to, r->source);
	add_signed(to, r->now_ms);
	buf_add_u8(to, r->off_hops);
	buf_add_varint(to, r->known);
	buf_add_varint(to, r->n);
	for (size_t i = 0; i < r->n; i++)
		encode_link(&r->v[i], r->via, to);
}

static bool decode_links(struct str *in, struct arena *a, struct journal_links *r)
{
	uint64_t n;

	if (!str_take_sized(in, &r->via) || !str_take_sized(in, &r->hops) ||
	    !str_take_sized(in, &r->source) || !take_signed(in, &r->now_ms) ||
	    !str_take_u8(in, &r->off_hops) || !str_take_varint(in, &r->known) ||
	    !str_take_varint(in, &n) || n > in->n)
		return false;
	r->v = arena_alloc(a, n * sizeof(*r->v) + 1);
	r->n = n;
	for (size_t i = 0; i < n; i++)
		if (!decode_link(in, r->via, a, &r->v[i]))
			return false;
	return true;
}

/* --- done --- */

static void encode_need(const struct journal_done *r, struct buf *to)
{
	buf_add_u8(to, (uint8_t)(r->need | r->rendered << 4));
	if (r->need > 0)
		buf_add_sized(to, r->evidence);
	if (r->rendered != RENDERED_NOT)
		buf_add_varint(to, r->brought);
}

static void encode_done(const struct journal_done *r, struct buf *to)
{
	buf_add_sized(to, r->url);
	add_key(to, r->key);
	add_signed(to, r->code);
	buf_add_sized(to, r->error);
	add_signed(to, r->start_ms);
	buf_add_varint(to, r->duration_ms);
	buf_add_varint(to, r->retry_after_ms);
	buf_add_varint(to, r->wire_bytes);
	buf_add_varint(to, r->body_bytes);
	buf_add_sized(to, r->mime);
	buf_add_sized(to, r->language);
	buf_add_sized(to, r->location);
	buf_add_sized(to, r->etag);
	add_signed(to, r->modified_ms);
	buf_add_sized(to, r->sha1);
	buf_add_sized(to, r->warc_file);
	buf_add_sized(to, r->record_id);
	buf_add_varint(to, r->warc_offset);
	buf_add_varint(to, r->warc_length);
	buf_add_sized(to, r->verdict);
	buf_add_varint(to, r->links);
	buf_add_u8(to, r->purpose);
	buf_add_u8(to, r->attempt);
	buf_add_u8(to, r->novel);
	buf_add_u8(to, r->new_percent);
	buf_add_u8(to, r->change);
	buf_add_sized(to, r->via);
	buf_add_sized(to, r->hops);
	buf_add_sized(to, r->source);
	buf_add_varint(to, r->depth);
	buf_add_u8(to, r->off_hops);
	buf_add_sized(to, r->marks);
	encode_need(r, to);
	buf_add_u8(to, r->has_relevance);
	if (!r->has_relevance)
		return;
	buf_add_varint(to, (uint64_t)(r->relevance * SCORE_STEPS + 0.5f));
	buf_add_sized(to, r->scores);
}

static bool decode_need(struct str *in, struct journal_done *r)
{
	uint8_t both;

	if (!str_take_u8(in, &both) || both >> 4 > RENDERED_SKIPPED)
		return false;
	r->need = both & 15;
	r->rendered = both >> 4;
	return (r->need == 0 || str_take_sized(in, &r->evidence)) &&
	       (r->rendered == RENDERED_NOT || str_take_varint(in, &r->brought));
}

static bool decode_relevance(struct str *in, struct journal_done *r)
{
	uint64_t steps;

	if (!take_flag(in, &r->has_relevance))
		return false;
	if (!r->has_relevance)
		return true;
	if (!str_take_varint(in, &steps) || steps > SCORE_STEPS ||
	    !str_take_sized(in, &r->scores))
		return false;
	r->relevance = (float)steps / SCORE_STEPS;
	return true;
}

static bool decode_done(struct str *in, struct journal_done *r)
{
	return str_take_sized(in, &r->url) && take_key(in, &r->key) &&
	       take_int(in, &r->code) && str_take_sized(in, &r->error) &&
	       take_signed(in, &r->start_ms) && take_u32_varint(in, &r->duration_ms) &&
	       take_u32_varint(in, &r->retry_after_ms) &&
	       str_take_varint(in, &r->wire_bytes) &&
	       str_take_varint(in, &r->body_bytes) && str_take_sized(in, &r->mime) &&
	       str_take_sized(in, &r->language) && str_take_sized(in, &r->location) &&
	       str_take_sized(in, &r->etag) && take_signed(in, &r->modified_ms) &&
	       str_take_sized(in, &r->sha1) && (r->sha1.n == 0 || r->sha1.n == 20) &&
	       str_take_sized(in, &r->warc_file) && str_take_sized(in, &r->record_id) &&
	       str_take_varint(in, &r->warc_offset) &&
	       str_take_varint(in, &r->warc_length) && str_take_sized(in, &r->verdict) &&
	       take_u32_varint(in, &r->links) && take_purpose(in, &r->purpose) &&
	       str_take_u8(in, &r->attempt) && take_flag(in, &r->novel) &&
	       str_take_u8(in, &r->new_percent) && str_take_u8(in, &r->change) &&
	       r->change <= CHANGE_FAILED && str_take_sized(in, &r->via) &&
	       str_take_sized(in, &r->hops) && str_take_sized(in, &r->source) &&
	       take_u32_varint(in, &r->depth) && str_take_u8(in, &r->off_hops) &&
	       str_take_sized(in, &r->marks) && decode_need(in, r) &&
	       decode_relevance(in, r);
}

/* --- all --- */

void journal_encode(const struct journal_record *r, struct buf *to)
{
	buf_add_u8(to, (uint8_t)r->kind);
	switch (r->kind) {
	case JOURNAL_BEGIN:
		encode_begin(&r->begin, to);
		break;
	case JOURNAL_LINKS:
	case JOURNAL_LATE:
		encode_links(&r->links, to);
		break;
	case JOURNAL_DROPPED:
	case JOURNAL_RETRY:
		encode_dropped(&r->dropped, to);
		break;
	case JOURNAL_DONE:
		encode_done(&r->done, to);
		break;
	case JOURNAL_ROBOTS:
		encode_robots(&r->robots, to);
		break;
	case JOURNAL_COMMIT:
		encode_commit(&r->commit, to);
		break;
	case JOURNAL_END:
		encode_end(&r->end, to);
		break;
	case JOURNAL_STEERED:
		encode_steered(&r->steered, to);
		break;
	case JOURNAL_TRACE:
		buf_add_sized(to, r->trace.events);
		break;
	case JOURNAL_SENT:
		buf_add_varint(to, r->sent.partition);
		buf_add_sized(to, r->sent.message);
		break;
	case JOURNAL_APPLIED:
		buf_add_varint(to, r->applied.partition);
		buf_add_varint(to, r->applied.next);
		buf_add_varint(to, r->applied.epoch);
		break;
	case JOURNAL_KINDS:
		break;
	}
}

static bool decode(struct str *in, struct arena *a, struct journal_record *r)
{
	switch (r->kind) {
	case JOURNAL_BEGIN:
		return decode_begin(in, &r->begin);
	case JOURNAL_LINKS:
	case JOURNAL_LATE:
		return decode_links(in, a, &r->links);
	case JOURNAL_DROPPED:
	case JOURNAL_RETRY:
		return decode_dropped(in, &r->dropped);
	case JOURNAL_DONE:
		return decode_done(in, &r->done);
	case JOURNAL_ROBOTS:
		return decode_robots(in, &r->robots);
	case JOURNAL_COMMIT:
		return decode_commit(in, &r->commit);
	case JOURNAL_END:
		return decode_end(in, &r->end);
	case JOURNAL_STEERED:
		return decode_steered(in, &r->steered);
	case JOURNAL_TRACE:
		return str_take_sized(in, &r->trace.events);
	case JOURNAL_SENT:
		return take_u32_varint(in, &r->sent.partition) &&
		       str_take_sized(in, &r->sent.message);
	case JOURNAL_APPLIED:
		return take_u32_varint(in, &r->applied.partition) &&
		       str_take_varint(in, &r->applied.next) &&
		       str_take_varint(in, &r->applied.epoch);
	case JOURNAL_KINDS:
		break;
	}
	return false;
}

enum status journal_decode(struct str in, struct arena *a, struct journal_record *ret)
{
	struct journal_record r = { 0 };
	uint8_t kind;

	if (!str_take_u8(&in, &kind) || kind == 0 || kind >= JOURNAL_KINDS)
		return ST_CORRUPT;
	r.kind = kind;
	if (!decode(&in, a, &r) || in.n != 0)
		return ST_CORRUPT;
	*ret = r;
	return ST_OK;
}

enum status journal_read(const char *dir, uint64_t position, struct arena *a,
			 struct journal_record *ret)
{
	cleanup(segment_cursor_close) struct segment_cursor c = { 0 };
	struct str bytes;

	if (segment_cursor_open(&c, dir, &journal_segments, position, NULL) != ST_OK ||
	    c.position != position || segment_cursor_next(&c, &bytes, NULL) != ST_OK)
		return ST_NOT_FOUND;
	/* What is kept of it outlives the mapping. */
	return journal_decode(arena_copy(a, bytes), a, ret);
}

enum status journal_each(const char *dir,
			 bool (*see)(void *arg, const struct journal_record *r),
			 void *arg, struct diag *why)
{
	cleanup(segment_cursor_close) struct segment_cursor c = { 0 };
	cleanup(arena_release) struct arena a = { 0 };
	struct journal_record r;
	struct str bytes;
	enum status st;

	TRY(segment_cursor_open(&c, dir, &journal_segments, 0, why));
	while ((st = segment_cursor_next(&c, &bytes, why)) == ST_OK) {
		arena_reset(&a);
		if (journal_decode(bytes, &a, &r) != ST_OK)
			return diag_fail(why, ST_CORRUPT, "%s: damaged at %llu", dir,
					 (unsigned long long)c.position);
		if (!see(arg, &r))
			return ST_OK;
	}
	/* A crawl that runs, or was killed, may end in half a record. */
	return st == ST_AGAIN || st == ST_CORRUPT ? ST_OK : st;
}

enum status journal_last_commit(const char *dir, uint64_t *ret_end,
				struct journal_commit *ret, struct diag *why)
{
	cleanup(arena_release) struct arena a = { 0 };
	cleanup(segment_cursor_close) struct segment_cursor c = { 0 };
	struct journal_record r;
	bool found = false;
	struct str bytes;
	enum status st;

	st = segment_cursor_open(&c, dir, &journal_segments, 0, why);
	if (st == ST_AGAIN) /* it died with its first bytes */
		return ST_NOT_FOUND;
	TRY(st);
	while ((st = segment_cursor_next(&c, &bytes, why)) == ST_OK) {
		if (bytes.n == 0 || bytes.p[0] != JOURNAL_COMMIT)
			continue;
		TRY(journal_decode(bytes, &a, &r));
		*ret = r.commit;
		*ret_end = c.position;
		found = true;
	}
	/* A torn tail is what a crash leaves; what is before the last commit is synced.
	 */
	if (st != ST_AGAIN && st != ST_CORRUPT)
		return st;
	return found ? ST_OK : ST_NOT_FOUND;
}

struct str journal_target(const struct journal_done *d, struct arena *a)
{
	struct buf own = { 0 }, scratch[2] = { { 0 }, { 0 } };
	struct str to = { "", 0 };
	struct url base, u;

	if (url_parse(d->url, NULL, &own, &base, NULL) == ST_OK &&
	    url_parse_normal(d->location, &base, NORMAL_STANDARD, scratch, &u, NULL) ==
		    ST_OK)
		to = arena_copy(a, url_without_fragment(&u));
	buf_release(&own);
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return to;
}

bool journal_is_half(const struct journal_done *d)
{
	/* It was worth another attempt, and that had no better end. */
	return d->code == 200 && d->attempt > 0 && d->error.n > 0;
}

struct discovery journal_discovery(const struct journal_links *l,
				   const struct journal_link *k)
{
	struct str key = k->key.n ? k->key : k->url;

	return (struct discovery){
		.url = k->url,
		.key = key,
		.hash = purpose_identity(k->purpose, k->url, key),
		.via = l->via,
		.rule = k->rules,
		.depth = k->depth,
		.hop = k->hop,
		.priority = k->priority,
		.purpose = k->purpose,
		.has_score = k->has_score,
		.score = k->score,
		.scores = k->scores,
	};
}

enum url_event journal_link_event(const struct journal_link *l)
{
	switch ((enum outcome)l->outcome) {
	case OUTCOME_REFUSED:
	case OUTCOME_REFUSED_AGAIN:
		return URL_EVENT_REFUSE;
	case OUTCOME_SKIPPED:
		return URL_EVENT_SKIP;
	case OUTCOME_UNDECIDED:
		return URL_EVENT_UNDECIDED;
	case OUTCOME_QUEUED:
	case OUTCOME_KNOWN:
	case OUTCOMES:
		break;
	}
	return URL_EVENT_QUEUE;
}

enum url_event journal_done_event(const struct journal_done *d)
{
	/* Half a page has not come yet, unless there was no better one to the last. */
	if (journal_is_half(d) && d->purpose != PURPOSE_LAST_ATTEMPT)
		return URL_EVENT_FAIL;
	if (d->code >= 200 && d->code < 400)
		return URL_EVENT_ANSWER;
	return d->code >= 400 && !answer_may_pass(d->code) ? URL_EVENT_GONE
							   : URL_EVENT_FAIL;
}
