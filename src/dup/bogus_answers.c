#include "dup/bogus_answers.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "os/map_file.h"

static const struct segment_kind kind = { "THRPROBE", 1, false };

void bogus_release(struct bogus_answers *p)
{
	for (size_t i = 0; i < p->n; i++)
		page_sketch_release(&p->v[i].answer);
	free(p->v);
	free(p->changed);
	map_release(&p->hosts);
	segment_close(&p->log);
	buf_release(&p->record);
	*p = (struct bogus_answers){ 0 };
}

static size_t put(struct bogus_answers *p, uint64_t host, struct page_sketch *taken)
{
	bool fresh;
	uint64_t *at = map_add(&p->hosts, host, &fresh);

	if (fresh) {
		*at = p->n + 1;
		VEC_ADD(p->v, p->n, p->cap, (struct bogus_answer){ .host = host });
	}
	page_sketch_release(&p->v[*at - 1].answer);
	p->v[*at - 1].answer = TAKE(*taken);
	return (size_t)*at - 1;
}

void bogus_set(struct bogus_answers *p, uint64_t host, struct page_sketch *taken)
{
	size_t i = put(p, host, taken);

	VEC_ADD(p->changed, p->n_changed, p->cap_changed, i);
}

const struct page_sketch *bogus_find(const struct bogus_answers *p, uint64_t host)
{
	const uint64_t *at = map_find(&p->hosts, host);

	return at ? &p->v[*at - 1].answer : NULL;
}

static enum status take_record(struct bogus_answers *p, struct str record)
{
	struct page_sketch s = { 0 };
	uint64_t host;

	if (!str_take_u64(&record, &host) || page_sketch_decode(record, &s) != ST_OK) {
		page_sketch_release(&s);
		return ST_CORRUPT;
	}
	put(p, host, &s);
	return ST_OK;
}

static enum status read_all(struct bogus_answers *p, const char *path, struct diag *why)
{
	cleanup(map_file_release) struct map_file map = { 0 };
	struct segment_reader r;
	struct str record;
	enum status st;

	TRY(map_file_open(&map, path, MAP_SEQUENTIAL, why));
	TRY(segment_reader_init(&r, map.bytes, &kind, why));
	while ((st = segment_next(&r, &record)) == ST_OK)
		if (take_record(p, record) != ST_OK)
			return diag_fail(why, ST_CORRUPT, "%s: damaged", path);
	return st == ST_AGAIN ? ST_OK : st;
}

static enum status open_log(struct bogus_answers *p, const char *path, struct diag *why)
{
	*p = (struct bogus_answers){ 0 };
	enum status st = segment_open(&p->log, path, &kind, 0, NULL, why);
	if (st == ST_OK)
		st = read_all(p, path, why);
	if (st != ST_OK)
		bogus_release(p);
	return st;
}

/* What it knows is asked of the hosts again; that is no reason to refuse a crawl. */
enum status bogus_open(struct bogus_answers *p, const char *path, struct diag *why)
{
	*p = (struct bogus_answers){ 0 };
	if (!path)
		return ST_OK;
	enum status st = open_log(p, path, why);
	if (st != ST_CORRUPT)
		return st;
	TRY(file_remove(path, why));
	return open_log(p, path, why);
}

enum status bogus_sync(struct bogus_answers *p, struct sync_set *later, struct diag *why)
{
	if (!p->log.file.path || p->n_changed == 0)
		return ST_OK;
	for (; p->n_changed > 0; p->n_changed--) { /* the order does not matter */
		const struct bogus_answer *one = &p->v[p->changed[p->n_changed - 1]];

		buf_reset(&p->record);
		buf_add_u64(&p->record, one->host);
		page_sketch_encode(&one->answer, &p->record);
		TRY(segment_add(&p->log, buf_str(&p->record), NULL, why));
	}
	TRY(segment_flush(&p->log, why));
	return sync_or_add(&p->log.file, later, why);
}
