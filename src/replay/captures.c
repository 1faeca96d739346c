#include "replay/captures.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/date.h"
#include "base/hash.h"
#include "url/normal.h"

void captures_release(struct captures *c)
{
	free(c->v);
	free(c->files);
	arena_release(&c->text);
	map_release(&c->mimes);
	*c = (struct captures){ 0 };
}

/* --- filling --- */

/* The same for all ways to write a URL. */
static struct str normal_url(struct str url, struct buf scratch[2])
{
	struct url u;

	return url_parse_normal(url, NULL, NORMAL_STANDARD, scratch, &u, NULL) == ST_OK
		       ? url_without_fragment(&u)
		       : url;
}

static struct str interned_mime(struct captures *c, struct str type)
{
	struct str bare = str_trim(str_slice(type, 0, str_find_char(type, ';')));
	uint64_t *at = map_add(&c->mimes, hash64(bare), NULL);

	if (*at == 0) {
		struct str *kept = arena_alloc(&c->text, sizeof(*kept));

		*kept = arena_copy(&c->text, bare);
		*at = (uint64_t)(uintptr_t)kept;
	}
	return *(const struct str *)(uintptr_t)*at;
}

static bool is_wanted(const struct warc_record *rec)
{
	switch (rec->type) {
	case WARC_RESPONSE:
	case WARC_REVISIT:
		return warc_is_http(rec);
	case WARC_RESOURCE:
		return true;
	case WARC_CONVERSION:
		return str_starts_nocase(warc_field(rec, STR("Content-Type")),
					 STR("text/html"));
	default:
		return false;
	}
}

static void add_record(struct captures *c, struct warc_reader *r,
		       const struct warc_record *rec, struct buf scratch[2])
{
	struct str url = warc_bare_uri(warc_field(rec, STR("WARC-Target-URI"))), piece;
	struct str type = warc_field(rec, STR("Content-Type"));
	struct held h = { .offset = rec->offset,
			  .file = (uint32_t)(c->n_files - 1),
			  .status = 200,
			  .is_revisit = rec->type == WARC_REVISIT,
			  .is_dom = rec->type == WARC_CONVERSION,
			  .is_resource = rec->type == WARC_RESOURCE };
	struct stored_head head = { 0 };
	struct diag ignored;

	if (!str_starts_nocase(url, STR("http")) && !h.is_resource)
		return;
	url = normal_url(url, scratch);
	h.hash = hash64(url);
	h.url = arena_copy(&c->text, url);
	if (!date_parse_iso(warc_field(rec, STR("WARC-Date")), &h.time_ms))
		h.time_ms = 0;
	if (warc_is_http(rec) && warc_block(r, &piece, &ignored) == ST_OK) {
		(void)stored_head_parse(str_slice(piece, 0, WARC_HEADER_MAX), &head);
		h.status = (uint16_t)head.status;
		type = stored_head_field(&head, STR("Content-Type"));
	}
	h.mime = interned_mime(c, type);
	VEC_ADD(c->v, c->n, c->cap, h);
}

enum status captures_add_file(struct captures *c, const char *path, struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	struct buf scratch[2] = { { 0 }, { 0 } };
	struct warc_record *rec;
	enum status st;

	TRY(warc_reader_open(&r, path, why));
	VEC_ADD(c->files, c->n_files, c->files_cap, path);
	while ((st = warc_next(&r, &rec, why)) == ST_OK)
		if (is_wanted(rec))
			add_record(c, &r, rec, scratch);
	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	if (st != ST_AGAIN)
		c->damaged++;
	return st == ST_AGAIN ? ST_OK : st;
}

static int by_url_and_time(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->time_ms != y->time_ms)
		return x->time_ms < y->time_ms ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

void captures_sort(struct captures *c)
{
	if (c->n)
		qsort(c->v, c->n, sizeof(*c->v), by_url_and_time);
}

/* --- finding --- */

static const struct held *run_of(const struct captures *c, uint64_t hash, size_t *ret_n)
{
	size_t from = 0, to = c->n;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (c->v[mid].hash < hash)
			from = mid + 1;
		else
			to = mid;
	}
	*ret_n = 0;
	while (from + *ret_n < c->n && c->v[from + *ret_n].hash == hash)
		++*ret_n;
	return *ret_n ? &c->v[from] : NULL;
}

const struct held *captures_all(const struct captures *c, struct str url, size_t *ret_n)
{
	struct buf scratch[2] = { { 0 }, { 0 } };
	const struct held *run = run_of(c, hash64(normal_url(url, scratch)), ret_n);

	buf_release(&scratch[0]);
	buf_release(&scratch[1]);
	return run;
}

static int64_t distance(const struct held *h, int64_t time_ms)
{
	if (time_ms == 0)
		return -h->time_ms;
	return h->time_ms > time_ms ? h->time_ms - time_ms : time_ms - h->time_ms;
}

/* A page before a redirect, that before an error. */
static int rank(const struct held *h)
{
	return h->status >= 400 || h->status == 304 || h->status < 200 ? 2
	       : h->status >= 300                                      ? 1
								       : 0;
}

static const struct held *best(const struct held *run, size_t n, int64_t time_ms)
{
	const struct held *found = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct held *h = &run[i];

		if (h->is_dom)
			continue;
		if (!found || rank(h) < rank(found) ||
		    (rank(h) == rank(found) &&
		     distance(h, time_ms) < distance(found, time_ms)))
			found = h;
	}
	return found;
}

static void add_other_scheme(struct str url, struct buf *to)
{
	bool https = str_starts(url, STR("https:"));

	buf_add(to, https ? STR("http") : STR("https"));
	buf_add(to, str_skip(url, https ? 5 : 4));
}

const struct held *captures_find(const struct captures *c, struct str url,
				 int64_t time_ms)
{
	cleanup(buf_release) struct buf other = { 0 };
	size_t n;
	const struct held *run = captures_all(c, url, &n);
	const struct held *found = best(run, n, time_ms);

	if (found || !str_starts(url, STR("http")))
		return found;
	add_other_scheme(url, &other);
	run = captures_all(c, buf_str(&other), &n);
	return best(run, n, time_ms);
}

const struct held *captures_find_dom(const struct captures *c, struct str url)
{
	size_t n;
	const struct held *run = captures_all(c, url, &n);

	while (n-- > 0)
		if (run[n].is_dom)
			return &run[n];
	return NULL;
}

/* --- reading --- */

void held_body_release(struct held_body *b)
{
	buf_release(&b->head);
	buf_release(&b->body);
}

struct refers {
	struct buf url;
	int64_t time_ms;
};

static enum status read_one(const struct captures *c, const struct held *h,
			    struct held_body *ret, struct refers *refers,
			    struct diag *why)
{
	cleanup(warc_reader_release) struct warc_reader r = { 0 };
	cleanup(buf_release) struct buf spare = { 0 };
	struct warc_record *rec;
	struct warc_http http;

	TRY(warc_reader_open(&r, c->files[h->file], why));
	warc_seek(&r, h->offset);
	enum status st = warc_next(&r, &rec, why);
	if (st == ST_AGAIN)
		return diag_fail(why, ST_CORRUPT, "the record is gone from its file");
	TRY(st);
	buf_add(&refers->url,
		warc_bare_uri(warc_field(rec, STR("WARC-Refers-To-Target-URI"))));
	if (!date_parse_iso(warc_field(rec, STR("WARC-Refers-To-Date")),
			    &refers->time_ms))
		refers->time_ms = h->time_ms;
	TRY(warc_http_read(&r, CAPTURE_BODY_MAX, &spare, &http, why));
	if (ret->head.n == 0)
		buf_add(&ret->head, http.head.all);
	ret->body.limit = CAPTURE_BODY_MAX;
	if (h->is_revisit)
		return ST_OK;
	if (h->is_resource || h->is_dom)
		buf_add(&ret->body, http.body);
	else if (warc_http_decode(&http, &ret->body) == ST_UNSUPPORTED)
		buf_add(&ret->body, http.body);
	return ST_OK;
}

/* The body of a revisit is that of the capture it names. */
static const struct held *behind(const struct captures *c, const struct held *h,
				 const struct refers *refers)
{
	struct str url = refers->url.n ? buf_str(&refers->url) : h->url;
	const struct held *found = NULL;
	size_t n;
	const struct held *run = captures_all(c, url, &n);

	for (size_t i = 0; i < n; i++)
		if (!run[i].is_revisit && !run[i].is_dom && run[i].status < 300 &&
		    (!found || distance(&run[i], refers->time_ms) <
				       distance(found, refers->time_ms)))
			found = &run[i];
	return found;
}

enum status captures_read(const struct captures *c, const struct held *h,
			  struct held_body *ret, struct diag *why)
{
	struct refers refers = { 0 }, unused = { 0 };
	enum status st = read_one(c, h, ret, &refers, why);

	if (st == ST_OK && h->is_revisit) {
		const struct held *first = behind(c, h, &refers);

		if (first)
			st = read_one(c, first, ret, &unused, why);
		else
			st = diag_fail(why, ST_NOT_FOUND,
				       "what this revisit stands for is not in the "
				       "archive");
	}
	buf_release(&refers.url);
	buf_release(&unused.url);
	return st;
}
