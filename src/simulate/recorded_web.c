#include "simulate/recorded_web.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/date.h"
#include "base/hash.h"
#include "url/normal.h"
#include "warc/warc_http.h"

#define BLOCK_MAX ((size_t)256 << 20) /* of one answer */

void recorded_web_release(struct recorded_web *w)
{
	for (size_t i = 0; i < w->n_files; i++) {
		warc_reader_release(w->files[i]);
		free(w->files[i]);
	}
	free(w->files);
	free(w->v);
	map_release(&w->by_url);
	map_release(&w->by_content);
	map_release(&w->by_id);
	map_release(&w->address);
	arena_release(&w->text);
	for (size_t i = 0; i < COUNT(w->scratch); i++)
		buf_release(&w->scratch[i]);
	*w = (struct recorded_web){ 0 };
}

/* --- reading the files --- */

static void note_address(struct recorded_web *w, struct str host, struct str text)
{
	struct ip ip;
	bool is_new;

	if (!host_to_ip(text, &ip) || ip.n != 4)
		return;
	uint64_t *known = map_add(&w->address, hash64(host), &is_new);
	if (is_new)
		for (size_t k = 0; k < ip.n; k++)
			*known = *known << 8 | ip.bytes[k];
}

static void note_id(struct recorded_web *w, const struct warc_record *rec, uint32_t nr)
{
	struct str id = warc_bare_uri(warc_field(rec, STR("WARC-Record-ID")));
	bool is_new;

	if (id.n == 0)
		return;
	uint64_t *known = map_add(&w->by_id, hash64(id), &is_new);
	if (is_new)
		*known = nr;
}

/* Behind the other answers of its URL. */
static void chain(struct recorded_web *w, uint32_t nr)
{
	bool is_new;
	uint64_t *first = map_add(&w->by_url, hash64(w->v[nr].url), &is_new);

	if (is_new)
		*first = (uint64_t)nr << 32;
	else
		w->v[(uint32_t)*first].next = nr;
	*first = (*first >> 32 << 32) | nr;
}

/* What the payload is known by: its digest, or a hash of it where nobody wrote one. */
static uint64_t content_of(const struct warc_record *rec, struct str payload)
{
	struct str digest = warc_field(rec, STR("WARC-Payload-Digest"));

	return hash64(digest.n > 0 ? digest : payload) | 1;
}

static enum status add_answer(struct recorded_web *w, struct warc_reader *r,
			      const struct warc_record *rec, struct diag *why)
{
	struct str uri = warc_bare_uri(warc_field(rec, STR("WARC-Target-URI")));
	uint32_t nr = (uint32_t)w->n;
	struct warc_http http;
	struct url u;
	int64_t date_ms;

	if (url_parse_normal(uri, NULL, NORMAL_STANDARD, w->scratch, &u, NULL) != ST_OK ||
	    !url_is_http(&u))
		return ST_OK;
	struct recorded_answer one = {
		.url = arena_copy(&w->text, url_without_fragment(&u)),
		.offset = rec->offset,
		.file = (uint32_t)w->n_files - 1,
		.next = RECORDED_NONE,
		.origin = rec->type == WARC_REVISIT ? RECORDED_NONE : nr,
	};
	note_address(w, u.host, warc_field(rec, STR("WARC-IP-Address")));
	if (date_parse_iso(warc_field(rec, STR("WARC-Date")), &date_ms) &&
	    (w->first_ms == 0 || date_ms < w->first_ms))
		w->first_ms = date_ms;
	TRY(warc_http_read(r, BLOCK_MAX, &w->scratch[2], &http, why));
	if (http.head.status == 0)
		return ST_OK; /* no HTTP answer */
	one.code = (uint16_t)http.head.status;
	one.content = content_of(rec, http.body);
	one.is_html = str_find(stored_head_field(&http.head, STR("Content-Type")),
			       STR("html")) != STR_NONE;
	VEC_ADD(w->v, w->n, w->cap, one);
	chain(w, nr);
	if (rec->type == WARC_RESPONSE) {
		bool is_new;

		note_id(w, rec, nr);
		uint64_t *first = map_add(&w->by_content, one.content, &is_new);

		if (is_new)
			*first = nr;
	} else { /* for recorded_web_finish() */
		struct str refers = warc_bare_uri(warc_field(rec, STR("WARC-Refers-To")));

		if (refers.n > 0 && map_find(&w->by_id, hash64(refers)))
			w->v[nr].origin = (uint32_t)*map_find(&w->by_id, hash64(refers));
	}
	return ST_OK;
}

static enum status read_records(struct recorded_web *w, struct warc_reader *r,
				struct diag *why)
{
	struct warc_record *rec;
	enum status st;

	while ((st = warc_next(r, &rec, why)) == ST_OK)
		if (rec->type == WARC_RESPONSE || rec->type == WARC_REVISIT) {
			st = add_answer(w, r, rec, why);
			if (st != ST_OK && st != ST_TOO_LARGE)
				break;
		}
	return st == ST_AGAIN ? ST_OK : st;
}

enum status recorded_web_add(struct recorded_web *w, const char *path, struct diag *why)
{
	struct warc_reader *r = NEW(struct warc_reader);
	struct diag damage;
	enum status st = warc_reader_open(r, path, why);

	if (st != ST_OK) {
		free(r);
		return st;
	}
	VEC_ADD(w->files, w->n_files, w->files_cap, r);
	st = read_records(w, r, &damage);
	w->damaged += st == ST_CORRUPT;
	if (st == ST_OK || st == ST_CORRUPT)
		return ST_OK;
	return diag_fail(why, st, "%s: %s", path, damage.text);
}

static void find_origin(struct recorded_web *w, uint32_t nr)
{
	struct recorded_answer *a = &w->v[nr];
	const uint64_t *same = map_find(&w->by_content, a->content);

	if (a->origin == RECORDED_NONE && same)
		a->origin = (uint32_t)*same;
	/* A 304 is what the answer before it was. */
	if (a->origin == RECORDED_NONE && a->code == 304)
		a->origin = recorded_find(w, a->url);
	if (a->origin == RECORDED_NONE)
		a->origin = nr;
	if (a->origin == nr)
		return;
	a->content = w->v[a->origin].content;
	a->is_html = w->v[a->origin].is_html;
}

enum status recorded_web_finish(struct recorded_web *w, struct diag *why)
{
	for (uint32_t nr = 0; nr < w->n; nr++)
		find_origin(w, nr);
	return w->n > 0 ? ST_OK
			: diag_fail(why, ST_NOT_FOUND, "no answer is in the archive");
}

/* --- asking --- */

uint32_t recorded_find(const struct recorded_web *w, struct str url)
{
	const uint64_t *nr = map_find(&w->by_url, hash64(url));

	return nr ? (uint32_t)(*nr >> 32) : RECORDED_NONE;
}

struct ip recorded_address(const struct recorded_web *w, struct str host)
{
	const uint64_t *known = map_find(&w->address, hash64(host));
	/* 10.0.0.0/8: as many machines as names. */
	uint64_t v = known ? *known : 10u << 24 | (hash64(host) & 0xffffff);

	return (struct ip){ .n = 4,
			    .bytes = { (uint8_t)(v >> 24), (uint8_t)(v >> 16),
				       (uint8_t)(v >> 8), (uint8_t)v } };
}

/* The record of an answer, which may share its member with others. */
static enum status seek(struct recorded_web *w, const struct recorded_answer *a,
			struct warc_http *ret, struct diag *why)
{
	struct warc_reader *r = w->files[a->file];
	struct warc_record *rec;
	struct url u;

	warc_seek(r, a->offset);
	for (;;) {
		TRY(warc_next(r, &rec, why));
		if ((rec->type == WARC_RESPONSE || rec->type == WARC_REVISIT) &&
		    url_parse_normal(
			    warc_bare_uri(warc_field(rec, STR("WARC-Target-URI"))), NULL,
			    NORMAL_STANDARD, w->scratch, &u, NULL) == ST_OK &&
		    str_eq(url_without_fragment(&u), a->url))
			return warc_http_read(r, BLOCK_MAX, &w->scratch[2], ret, why);
	}
}

static void add_body(const struct warc_http *http, struct buf *body)
{
	struct str transfer = stored_head_field(&http->head, STR("Transfer-Encoding"));
	size_t before = body->n;

	/* Many archives hold joined bodies under a head that says chunked. */
	if (str_find(transfer, STR("chunked")) != STR_NONE &&
	    (http_dechunk(http->body, body) || body->n > before))
		return;
	buf_add(body, http->body);
}

enum status recorded_read(struct recorded_web *w, uint32_t nr, struct arena *a,
			  struct str *ret_head, struct buf *body, struct diag *why)
{
	const struct recorded_answer *own = &w->v[nr];
	struct warc_http http;

	TRY(seek(w, own, &http, why));
	struct str head = arena_copy(a, http.head.all);
	if (own->origin != nr) {
		TRY(seek(w, &w->v[own->origin], &http, why));
		if (own->code == 304) /* nobody asked on condition here */
			head = arena_copy(a, http.head.all);
	}
	add_body(&http, body);
	*ret_head = head;
	return ST_OK;
}
