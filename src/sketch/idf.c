#include "sketch/idf.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort.h"
#include "sketch/features.h"

#define MAGIC   STR("THRI")
#define VERSION 2

void idf_release(struct idf *t)
{
	map_release(&t->counts);
	*t = (struct idf){ 0 };
}

void idf_add(struct idf *t, const struct features *f)
{
	for (size_t i = 0; i < f->n; i++)
		++*map_add(&t->counts, f->v[i].hash, NULL);
	t->documents++;
}

double idf_of(const struct idf *t, uint64_t hash)
{
	const uint64_t *df = map_find(&t->counts, hash);

	return log((double)(t->documents + 1) / (double)((df ? *df : 0) + 1)) + 1;
}

void idf_encode(const struct idf *t, struct buf *to)
{
	size_t n = 0, at = 0, start = to->n, cap = t->counts.n + 1;
	struct sort_pair *v = xcalloc(2 * cap, sizeof(*v));
	struct map_slot slot;

	while (map_next(&t->counts, &at, &slot))
		v[n++] = (struct sort_pair){ slot.key, slot.value };
	sort_pairs(v, v + cap, n);
	buf_add(to, MAGIC);
	buf_add_u8(to, VERSION);
	buf_add_u8(to, t->kind);
	buf_add_u8(to, t->piece);
	buf_add_u8(to, t->size);
	buf_add_u64(to, t->documents);
	buf_add_u64(to, n);
	for (size_t i = 0; i < n; i++) {
		buf_add_u64(to, v[i].key);
		buf_add_varint(to, v[i].value);
	}
	buf_add_u32(to, checksum32(str_skip(buf_str(to), start)));
	free(v);
}

static enum status decode(struct str in, struct idf *t)
{
	uint64_t n, key, count, before = 0;
	uint8_t version;

	if (!str_take_prefix(&in, MAGIC) || !str_take_u8(&in, &version) ||
	    version != VERSION || !str_take_u8(&in, &t->kind) ||
	    !str_take_u8(&in, &t->piece) || !str_take_u8(&in, &t->size) ||
	    !str_take_u64(&in, &t->documents) || !str_take_u64(&in, &n) || n > in.n / 9)
		return ST_CORRUPT;
	for (uint64_t i = 0; i < n; i++) {
		if (!str_take_u64(&in, &key) || !str_take_varint(&in, &count) ||
		    (i && key <= before))
			return ST_CORRUPT;
		*map_add(&t->counts, key, NULL) = count;
		before = key;
	}
	return in.n ? ST_CORRUPT : ST_OK;
}

enum status idf_decode(struct str in, struct idf *ret)
{
	struct str sum = str_skip(in, in.n < 4 ? 0 : in.n - 4);
	struct idf t = { 0 };
	uint32_t want;

	if (in.n < 4 || !str_take_u32(&sum, &want))
		return ST_CORRUPT;
	in = str_slice(in, 0, in.n - 4);
	if (checksum32(in) != want || decode(in, &t) != ST_OK) {
		idf_release(&t);
		return ST_CORRUPT;
	}
	*ret = t;
	return ST_OK;
}
