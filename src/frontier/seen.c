#include "frontier/seen.h"

#include <stdlib.h>
#include <string.h>

#define RAM_BYTES ((size_t)256 << 20)
/* Far enough to hide a miss to memory, near enough to stay in the first cache. */
#define AHEAD 16

void seen_init(struct seen *s, const struct seen_options *options)
{
	*s = (struct seen){
		.ram_bytes = options->ram_bytes ? options->ram_bytes : RAM_BYTES,
		.dir = strdup(options->dir),
		.disk_options = options->disk,
	};
}

void seen_release(struct seen *s)
{
	seen_table_release(&s->table);
	seen_disk_close(&s->disk);
	free(s->dir);
	*s = (struct seen){ 0 };
}

/* All keys of the table become pending keys on disk; merges follow by themselves. */
static enum status move_to_disk(struct seen *s, struct diag *why)
{
	size_t at = 0;
	struct u128 key;

	TRY(seen_disk_open(&s->disk, s->dir, &s->disk_options, why));
	s->on_disk = true;
	while (seen_table_next(&s->table, &at, &key))
		TRY(seen_disk_add_known(&s->disk, key, why));
	seen_table_release(&s->table);
	return ST_OK;
}

static void add_to_table(struct seen_table *t, struct seen_question *q, size_t n)
{
	for (size_t i = 0; i < MIN(n, AHEAD); i++)
		seen_table_prefetch(t, q[i].key);
	for (size_t i = 0; i < n; i++) {
		if (i + AHEAD < n)
			seen_table_prefetch(t, q[i + AHEAD].key);
		q[i].answer = seen_table_add(t, q[i].key) ? SEEN_NEW : SEEN_KNOWN;
	}
}

static enum status add_to_disk(struct seen_disk *d, struct seen_question *q, size_t n,
			       struct diag *why)
{
	for (size_t i = 0; i < MIN(n, AHEAD); i++)
		seen_disk_prefetch(d, q[i].key);
	for (size_t i = 0; i < n; i++) {
		enum seen_answer answer;

		if (i + AHEAD < n)
			seen_disk_prefetch(d, q[i + AHEAD].key);
		TRY(seen_disk_add(d, q[i].key, q[i].payload, q[i].level, &answer, why));
		q[i].answer = (uint8_t)answer;
	}
	return ST_OK;
}

bool seen_may_wait(const struct seen *s, size_t n)
{
	return s->on_disk || seen_table_bytes(s->table.n + n) > s->ram_bytes;
}

enum status seen_add(struct seen *s, struct seen_question *q, size_t n, struct diag *why)
{
	if (!s->on_disk) {
		if (!seen_may_wait(s, n)) {
			add_to_table(&s->table, q, n);
			return ST_OK;
		}
		TRY(move_to_disk(s, why));
	}
	return add_to_disk(&s->disk, q, n, why);
}

enum seen_answer seen_peek(const struct seen *s, struct u128 key)
{
	if (s->on_disk)
		return seen_disk_peek(&s->disk, key);
	return seen_table_has(&s->table, key) ? SEEN_KNOWN : SEEN_NEW;
}

enum status seen_next(struct seen *s, struct u128 *ret_key, struct str *ret_payload,
		      struct diag *why)
{
	if (!s->on_disk)
		return ST_AGAIN;
	if (seen_disk_next(&s->disk, ret_key, ret_payload) == ST_OK)
		return ST_OK;
	TRY(seen_disk_step(&s->disk, why));
	return seen_disk_next(&s->disk, ret_key, ret_payload);
}

void seen_settle(struct seen *s)
{
	if (s->on_disk)
		seen_disk_settle(&s->disk);
}

bool seen_is_waiting(const struct seen *s)
{
	return s->on_disk && seen_disk_waiting(&s->disk) > 0;
}

uint64_t seen_count(const struct seen *s)
{
	return s->on_disk ? seen_disk_count(&s->disk)
			  : s->table.n + (s->table.has_zero ? 1 : 0);
}
