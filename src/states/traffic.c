#include "states/traffic.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"

#define ORIGINS_MAX ((size_t)1 << 20) /* beyond, a body is stored again */

void traffic_position_encode(const struct traffic_position *p, struct buf *to)
{
	archive_position_encode(&p->archive, to);
	buf_add_varint(to, p->bytes);
}

enum status traffic_position_decode(struct str *in, struct traffic_position *ret)
{
	TRY(archive_position_decode(in, &ret->archive));
	return str_take_varint(in, &ret->bytes) ? ST_OK : ST_CORRUPT;
}

enum status traffic_open(struct traffic *ret, const char *dir, uint64_t max_bytes,
			 const struct traffic_position *at, struct diag *why)
{
	struct archive_options o = {
		.dir = dir,
		.prefix = STR("states"),
		.about = { .description = STR("requests of a browser that explores an "
					      "application; bodies after "
					      "Content-Encoding"),
			   .robots = STR("ignore") },
		.clock = &real_clock,
		.ids = id_maker_random(),
	};
	struct archive_cut cut;

	*ret = (struct traffic){ .max_bytes = max_bytes, .at = *at };
	if (max_bytes == 0)
		return ST_OK;
	TRY(archive_open(&ret->archive, &o, &at->archive, &cut, why));
	ret->open = true;
	encoder_init(&ret->encoder,
		     &(struct encoder_options){ .ids = id_maker_random() });
	return ST_OK;
}

/* The earlier capture of the same body at the same URL, or NULL; then this is one. */
static struct traffic_origin *find_origin(struct traffic *t, const struct exchange *e,
					  const uint8_t sha1[SHA1_BYTES])
{
	uint64_t key = hash64_seeded(
		buf_str(&e->url), hash64((struct str){ (const char *)sha1, SHA1_BYTES }));
	bool is_new = false;
	uint64_t *at = map_add(&t->seen, key, &is_new);

	if (!is_new && *at)
		return &t->origins[*at - 1];
	if (t->origin_count >= ORIGINS_MAX)
		return NULL;
	VEC_ADD(t->origins, t->origin_count, t->origin_cap,
		(struct traffic_origin){ .url = arena_copy(&t->memory, buf_str(&e->url)),
					 .date_ms = e->start_ms });
	*at = t->origin_count;
	return NULL;
}

static int code_of(const struct exchange *e)
{
	return e->head.n ? e->status : FETCH_CONNECT_FAILED;
}

static enum status add(struct traffic *t, const struct exchange *e, struct diag *why)
{
	struct fetch_task task = { .url = buf_str(&e->url), .via = buf_str(&e->via) };
	struct fetch_result r = {
		.task = &task,
		.code = code_of(e),
		.error = buf_str(&e->error),
		.start_ms = e->start_ms,
		.duration_ms = (uint32_t)MAX(e->end_ms - e->start_ms, 0),
		.ip = buf_str(&e->ip),
		.protocol = buf_str(&e->protocol),
		.request = buf_str(&e->request),
		.header = buf_str(&e->head),
		.body = buf_str(&e->body),
		.body_bytes = e->body.n,
		.truncated = e->body_missing ? TRUNCATED_UNSPECIFIED : TRUNCATED_NOT,
	};
	struct capture_options how = { .form = CAPTURE_WHOLE };
	struct capture_origin origin;
	struct archive_place place;
	uint8_t sha1[SHA1_BYTES];

	TRY(capture_payload_sha1(&t->encoder, &r, sha1, why));
	how.payload_sha1 = sha1;
	bool stored = r.header.n && e->body.n && !e->body_missing;
	struct traffic_origin *first = stored ? find_origin(t, e, sha1) : NULL;
	if (first) {
		origin = (struct capture_origin){ first->url, first->date_ms,
						  record_id_str(&first->id) };
		how.form = CAPTURE_SAME_DIGEST;
		how.origin = &origin;
		t->revisits++;
	}
	t->encoder.warcinfo = archive_warcinfo_id(&t->archive);
	TRY(capture_encode(&t->encoder, &r, &how, &t->capture, why));
	if (stored && !first && t->origin_count)
		t->origins[t->origin_count - 1].id = t->capture.id;
	t->at.bytes += t->capture.bytes.n;
	t->dirty = true;
	return archive_add(&t->archive, &t->capture, &r, &place, why);
}

enum status traffic_take(struct traffic *t, struct tab *tab, struct diag *why)
{
	struct exchange *e;

	if (!t->open)
		return ST_OK;
	TRY(tab_finish_traffic(tab, why));
	while ((e = tab_next_exchange(tab))) {
		enum status st = ST_OK;

		t->exchanges++;
		if (t->at.bytes < t->max_bytes)
			st = add(t, e, why);
		else
			t->skipped++;
		exchange_free(e);
		TRY(st);
	}
	return ST_OK;
}

enum status traffic_add_page(struct traffic *t, struct str url, struct str title,
			     struct diag *why)
{
	struct archive_page page = { .url = url,
				     .title = title,
				     .date_ms = clock_wall_ms(&real_clock) };

	if (!t->open || !str_starts_nocase(url, STR("http")))
		return ST_OK;
	t->dirty = true;
	return archive_add_page(&t->archive, &page, why);
}

enum status traffic_commit(struct traffic *t, bool *ret_moved, struct diag *why)
{
	*ret_moved = t->dirty;
	if (!t->dirty)
		return ST_OK;
	t->dirty = false;
	return archive_commit(&t->archive, NULL, &t->at.archive, why);
}

static void forget(struct traffic *t)
{
	encoder_release(&t->encoder);
	capture_release(&t->capture);
	map_release(&t->seen);
	free(t->origins);
	arena_release(&t->memory);
	*t = (struct traffic){ 0 };
}

enum status traffic_close(struct traffic *t, struct diag *why)
{
	enum status st = t->open ? archive_close(&t->archive, why) : ST_OK;

	t->open = false;
	forget(t);
	return st;
}

void traffic_release(struct traffic *t)
{
	if (t->open)
		archive_release(&t->archive);
	forget(t);
}
