#include "dup/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "dup/batch_run.h"
#include "method/method_sets.h"
#include "os/map_file.h"

static const struct segment_kind kind = { "THRBTCH1", 1, false };

/* Exact sets of 5-word shingles go through the fast kernel. */
static bool is_fast(const struct batch_options *o)
{
	const struct method *m = o->method;

	return m->make == set_make && m->features.kind == FEATURE_SHINGLES &&
	       m->features.piece == PIECE_WORDS && m->features.size == PAGE_SHINGLE_WORDS;
}

/* The fast methods compare the sets themselves. */
bool batch_options_verify(const struct batch_options *o)
{
	return o->verify && !is_fast(o);
}

void batch_work_release(struct batch_work *w)
{
	page_sketch_release(&w->sketch);
	buf_release(&w->print);
	buf_release(&w->sketch_bytes);
	*w = (struct batch_work){ 0 };
}

void batch_made_release(struct batch_made *m)
{
	buf_release(&m->record);
	*m = (struct batch_made){ 0 };
}

void batch_release(struct batch *b)
{
	segment_close(&b->log);
	extsort_release(&b->keys);
	free(b->dir);
	free(b->offsets);
	free(b->facts);
	free(b->same);
	free(b->digests);
	map_release(&b->first);
	free(b->prints);
	free(b->results);
	free(b->pairs);
	shingle_set_release(&b->common);
	batch_work_release(&b->work);
	batch_made_release(&b->made);
	buf_release(&b->record);
	buf_release(&b->other);
	*b = (struct batch){ 0 };
}

/* A record of the log; the fingerprint stands last, so that it is made in its place. */
struct parsed {
	struct str name, text, print;
	struct str sketch; /* for verification; else empty */
	struct keep_facts facts;
	struct u128 digest;
	bool has_digest;
};

/* All but the fingerprint. */
static void encode(struct buf *to, const struct parsed *p)
{
	uint64_t score;

	memcpy(&score, &p->facts.score, sizeof(score));
	buf_add_u8(to, (uint8_t)(p->facts.is_canonical | p->has_digest << 1));
	buf_add_varint(to, p->facts.length);
	buf_add_u64(to, score);
	buf_add_u64(to, p->digest.lo);
	buf_add_u64(to, p->digest.hi);
	buf_add_sized(to, p->name);
	buf_add_sized(to, p->text);
	buf_add_sized(to, p->sketch);
}

static enum status decode(struct str in, struct parsed *ret)
{
	uint64_t score;
	uint8_t flags;

	*ret = (struct parsed){ 0 };
	if (!str_take_u8(&in, &flags) || !str_take_varint(&in, &ret->facts.length) ||
	    !str_take_u64(&in, &score) || !str_take_u64(&in, &ret->digest.lo) ||
	    !str_take_u64(&in, &ret->digest.hi) || !str_take_sized(&in, &ret->name) ||
	    !str_take_sized(&in, &ret->text) || !str_take_sized(&in, &ret->sketch))
		return ST_CORRUPT;
	ret->print = in;
	memcpy(&ret->facts.score, &score, sizeof(score));
	ret->facts.is_canonical = flags & 1;
	ret->has_digest = flags >> 1 & 1;
	ret->facts.name_length = (uint32_t)ret->name.n;
	ret->facts.tie = ret->digest.lo ^ hash64(ret->name);
	return ST_OK;
}

/* What stays in memory of a document that now stands at `at` in the log. */
static void note(struct batch *b, const struct parsed *p, uint64_t at)
{
	uint32_t doc = (uint32_t)b->n, same = doc;

	if (p->has_digest) {
		uint64_t *first = map_add(&b->first, p->digest.lo, NULL);

		if (*first && b->digests[*first - 1] == p->digest.hi)
			same = (uint32_t)*first - 1;
		else if (!*first)
			*first = doc + 1;
	}
	VEC_RESERVE(b->offsets, b->cap_offsets, b->n + 1);
	VEC_RESERVE(b->facts, b->cap_facts, b->n + 1);
	VEC_RESERVE(b->same, b->cap_same, b->n + 1);
	VEC_RESERVE(b->digests, b->cap_digests, b->n + 1);
	b->offsets[b->n] = at;
	b->facts[b->n] = p->facts;
	b->same[b->n] = same;
	b->digests[b->n] = p->digest.hi;
	b->n++;
}

/* The keys under which a document meets others, for phase 2. */
static size_t find_keys(const struct batch_options *o, struct str print,
			struct text_sketch *t, uint64_t keys[BLOCKING_KEYS])
{
	if (method_bits(o->method) == 64)
		return method_word(o->method, print, keys);
	if (!is_fast(o))
		return method_keys(o->method, print, o->threshold, o->bands, keys);
	if (t->n_shingles < PAGE_MIN_SHINGLES)
		return 0;
	bands_keys(o->bands, t->slots, keys);
	return o->bands.bands;
}

static enum status add_keys(struct batch *b, size_t doc, const uint64_t *keys, size_t n,
			    struct diag *why)
{
	char record[12];

	if (b->same[doc] != doc) /* its twin stands for it */
		return ST_OK;
	if (method_bits(b->options.method) == 64) {
		if (n)
			VEC_ADD(b->prints, b->n_prints, b->cap_prints,
				(struct hamming_pair){ keys[0], (uint32_t)doc });
		return ST_OK;
	}
	put_be(record + 8, doc, 4);
	for (size_t i = 0; i < n; i++) {
		put_be(record, keys[i], 8);
		TRY(extsort_add(&b->keys, (struct str){ record, sizeof(record) }, why));
	}
	return ST_OK;
}

static enum status note_again(struct batch *b, struct str record, uint64_t at,
			      struct diag *why)
{
	struct text_sketch *t = &b->work.sketch.text;
	uint64_t keys[BLOCKING_KEYS];
	struct parsed p;

	TRY(decode(record, &p));
	if (is_fast(&b->options))
		TRY(page_sketch_decode_text(p.print, t, NULL));
	note(b, &p, at);
	return add_keys(b, b->n - 1, keys, find_keys(&b->options, p.print, t, keys), why);
}

/* What an interrupted run left in the log. */
static enum status note_all(struct batch *b, struct diag *why)
{
	struct segment_reader r;
	struct map_file map = { 0 };
	struct str record;

	TRY(map_file_open(&map, b->log.file.path, MAP_SEQUENTIAL, why));
	enum status st = segment_reader_init(&r, map.bytes, &kind, why);
	while (st == ST_OK) {
		uint64_t at = r.at;

		st = segment_next(&r, &record);
		if (st == ST_OK)
			st = note_again(b, record, at, why);
	}
	map_file_release(&map);
	return st == ST_AGAIN ? ST_OK : st;
}

/* Everything that decides what a fingerprint is. */
static void describe(const struct batch_options *o, struct buf *to)
{
	buf_addf(to,
		 "thresh dedup 3\nmethod %s\nfeatures %d %d %u %d\ntext %d %d\nweights "
		 "%016llx\n",
		 o->method->name, (int)o->method->features.kind,
		 (int)o->method->features.piece, o->method->features.size,
		 (int)o->method->features.weight, o->keep_text, batch_options_verify(o),
		 (unsigned long long)o->weights);
}

static enum status check_settings(struct batch *b, const char *log, struct diag *why)
{
	cleanup(buf_release) struct buf now = { 0 }, before = { 0 };
	struct arena a = { 0 };
	char *path = path_join(&a, b->dir, STR("settings"));
	enum status st = ST_OK;
	uint64_t bytes = 0;

	describe(&b->options, &now);
	/* A run that ended before it had anything to keep binds nobody. */
	if (!file_exists(path) || file_size(log, &bytes, NULL) != ST_OK ||
	    bytes <= SEGMENT_HEADER)
		st = file_save(path, buf_str(&now), why);
	else
		st = file_load(path, 4096, &before, why);
	if (st == ST_OK && before.n && !str_eq(buf_str(&before), buf_str(&now)))
		st = diag_fail(why, ST_EXISTS,
			       "%s holds a run with other settings; remove it first",
			       b->dir);
	arena_release(&a);
	return st;
}

enum status batch_open(struct batch *b, const struct batch_options *options,
		       struct diag *why)
{
	struct arena a = { 0 };

	*b = (struct batch){ .options = *options };
	if (b->options.memory_bytes == 0)
		b->options.memory_bytes = (size_t)256 << 20;
	if (b->options.bands.bands == 0)
		b->options.bands = BANDS_DEFAULT;
	b->dir = strdup(options->dir);
	struct extsort_options by_key = { .dir = path_join(&a, b->dir, STR("keys")),
					  .memory_bytes = b->options.memory_bytes / 3,
					  .record_bytes = 12,
					  .drop_single = true };
	extsort_init(&b->keys, &by_key);
	enum status st = dir_make(b->dir, why);
	const char *log = path_join(&a, b->dir, STR("docs.seg"));
	if (st == ST_OK)
		st = check_settings(b, log, why);
	if (st == ST_OK)
		st = segment_open(&b->log, log, &kind, 0, NULL, why);
	if (st == ST_OK)
		st = note_all(b, why);
	arena_release(&a);
	if (st != ST_OK)
		batch_release(b);
	else
		segment_hold(&b->log, b->options.memory_bytes / 6);
	return st;
}

static void fingerprint(const struct batch_options *o, const struct document *parts,
			struct batch_work *w, struct batch_made *ret)
{
	buf_reset(&w->print);
	if (is_fast(o)) {
		page_sketch_make_raw(parts->text, &w->sketch);
		ret->digest = w->sketch.text.digest;
		ret->has_digest = w->sketch.text.n_words > 0;
	} else {
		method_fingerprint(o->method, parts, NULL, &w->print);
		ret->digest = hash128(buf_str(&w->print));
	}
	ret->n_keys = find_keys(o, buf_str(&w->print), &w->sketch.text, ret->keys);
	if (!is_fast(o))
		ret->has_digest = ret->n_keys > 0;
	buf_reset(&w->sketch_bytes);
	if (!batch_options_verify(o))
		return;
	page_sketch_make_raw(parts->text, &w->sketch);
	page_sketch_encode(&w->sketch, &w->sketch_bytes);
	ret->digest = w->sketch.text.digest;
	ret->has_digest &= w->sketch.text.n_words > 0;
}

void batch_make(const struct batch_options *o, const struct batch_doc *doc,
		struct batch_work *w, struct batch_made *ret)
{
	fingerprint(o, doc->parts, w, ret);
	ret->facts = (struct keep_facts){ .length = doc->length,
					  .score = doc->score,
					  .is_canonical = doc->is_canonical,
					  .name_length = (uint32_t)doc->name.n,
					  .tie = ret->digest.lo ^ hash64(doc->name) };
	struct parsed p = { .name = doc->name,
			    .facts = ret->facts,
			    .digest = ret->digest,
			    .has_digest = ret->has_digest };
	p.sketch = buf_str(&w->sketch_bytes);
	if (o->keep_text)
		p.text = doc->parts->text;
	buf_reset(&ret->record);
	encode(&ret->record, &p);
	if (is_fast(o))
		page_sketch_encode(&w->sketch, &ret->record);
	else
		buf_add(&ret->record, buf_str(&w->print));
}

enum status batch_put(struct batch *b, const struct batch_made *made, struct diag *why)
{
	struct parsed p = { .facts = made->facts,
			    .digest = made->digest,
			    .has_digest = made->has_digest };
	uint64_t at;

	if (b->n >= UINT32_MAX - 1)
		return diag_fail(why, ST_TOO_LARGE, "a run takes 2^32 documents");
	TRY(segment_add(&b->log, buf_str(&made->record), &at, why));
	note(b, &p, at);
	return add_keys(b, b->n - 1, made->keys, made->n_keys, why);
}

enum status batch_add(struct batch *b, const struct batch_doc *doc, struct diag *why)
{
	batch_make(&b->options, doc, &b->work, &b->made);
	return batch_put(b, &b->made, why);
}

enum status batch_flush(struct batch *b, struct diag *why)
{
	return segment_flush(&b->log, why);
}

enum status batch_sync(struct batch *b, struct diag *why)
{
	return segment_sync(&b->log, why);
}

/* The record of a document; in `to`, unless it is still in memory. */
static enum status read_doc(const struct batch *b, size_t doc, struct buf *to,
			    struct parsed *ret, struct diag *why)
{
	uint64_t end = doc + 1 < b->n ? b->offsets[doc + 1] : segment_end(&b->log);
	size_t bytes = (size_t)(end - b->offsets[doc]);
	struct str record;

	TRY(segment_get(&b->log, b->offsets[doc], bytes, to, &record, why));
	if (decode(str_skip(record, SEGMENT_OVERHEAD), ret) != ST_OK)
		return diag_fail(why, ST_CORRUPT, "%s: document %zu is damaged", b->dir,
				 doc);
	return ST_OK;
}

enum status batch_get(struct batch *b, size_t doc, struct str *ret_name,
		      struct str *ret_text, struct diag *why)
{
	struct parsed p;

	TRY(read_doc(b, doc, &b->record, &p, why));
	*ret_name = p.name;
	*ret_text = p.text;
	return ST_OK;
}

enum status batch_remove(struct batch *b, struct diag *why)
{
	segment_close(&b->log);
	return dir_remove(b->dir, why);
}

enum status batch_compare(struct batch *b, size_t doc, size_t other,
			  struct near_evidence *ret, struct diag *why)
{
	struct page_sketch second = { 0 };
	struct batch_print p, q;

	if (!is_fast(&b->options) && !b->options.verify)
		return ST_UNSUPPORTED;
	TRY(batch_read_print(b, doc, &b->record, &p, why));
	TRY(batch_read_print(b, other, &b->other, &q, why));
	enum status st = page_sketch_decode(p.sketch, &b->work.sketch);
	if (st == ST_OK)
		st = page_sketch_decode(q.sketch, &second);
	if (st == ST_OK)
		page_sketch_compare(&b->work.sketch, &second, &b->common, ret);
	page_sketch_release(&second);
	return st;
}

enum status batch_read_print(const struct batch *b, size_t doc, struct buf *to,
			     struct batch_print *ret, struct diag *why)
{
	struct parsed p;

	TRY(read_doc(b, doc, to, &p, why));
	*ret = (struct batch_print){ p.print, is_fast(&b->options) ? p.print : p.sketch };
	return ST_OK;
}

bool batch_is_fast(const struct batch *b)
{
	return is_fast(&b->options);
}

enum status batch_each_sketch(struct batch *b,
			      enum status (*each)(void *arg, size_t doc, struct str name,
						  const struct page_sketch *,
						  struct diag *),
			      void *arg, struct diag *why)
{
	struct parsed p;

	if (!is_fast(&b->options))
		return ST_UNSUPPORTED;
	/* Read, not mapped: a mapped log would count as memory of ours. */
	for (size_t i = 0; i < b->n; i++) {
		TRY(read_doc(b, i, &b->other, &p, why));
		TRY(page_sketch_decode(p.print, &b->work.sketch));
		TRY(each(arg, i, p.name, &b->work.sketch, why));
	}
	return ST_OK;
}

enum status batch_each_word(struct batch *b,
			    enum status (*each)(void *arg, size_t doc, struct str name,
						uint64_t print, struct diag *),
			    void *arg, struct diag *why)
{
	struct parsed p;
	uint64_t print;

	for (size_t i = 0; i < b->n; i++) {
		TRY(read_doc(b, i, &b->other, &p, why));
		if (method_word(b->options.method, p.print, &print))
			TRY(each(arg, i, p.name, print, why));
	}
	return ST_OK;
}

enum status batch_each_print(struct batch *b,
			     enum status (*each)(void *arg, size_t doc, struct str name,
						 struct str print, struct diag *),
			     void *arg, struct diag *why)
{
	struct parsed p;

	for (size_t i = 0; i < b->n; i++) {
		TRY(read_doc(b, i, &b->other, &p, why));
		TRY(each(arg, i, p.name, p.print, why));
	}
	return ST_OK;
}
