#include "render/answers.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

static void unlink_one(struct answers *a, struct answer_stored *s)
{
	*(s->newer ? &s->newer->older : &a->newest) = s->older;
	*(s->older ? &s->older->newer : &a->oldest) = s->newer;
	s->newer = s->older = NULL;
}

static void put_first(struct answers *a, struct answer_stored *s)
{
	s->older = a->newest;
	*(a->newest ? &a->newest->newer : &a->oldest) = s;
	a->newest = s;
}

static void drop(struct answers *a, struct answer_stored *s)
{
	unlink_one(a, s);
	map_remove(&a->index, s->key);
	a->bytes -= s->bytes.n;
	buf_release(&s->bytes);
	free(s);
}

void answers_release(struct answers *a)
{
	while (a->oldest)
		drop(a, a->oldest);
	map_release(&a->index);
}

static struct answer_stored *find(const struct answers *a, struct str url)
{
	struct u128 hash = hash128(url);
	uint64_t *at = map_find(&a->index, hash.lo);
	struct answer_stored *s = at ? (struct answer_stored *)(uintptr_t)*at : NULL;

	return s && s->check == hash.hi ? s : NULL;
}

void answers_add(struct answers *a, struct str url, const struct answer_view *v)
{
	struct u128 hash = hash128(url);
	uint64_t *at = map_find(&a->index, hash.lo);
	size_t n = v->header.n + v->body.n;

	if (at)
		drop(a, (struct answer_stored *)(uintptr_t)*at);
	if (n > a->limit / 4)
		return;
	struct answer_stored *s = NEW(struct answer_stored);
	s->key = hash.lo;
	s->check = hash.hi;
	s->code = v->code;
	s->header_bytes = v->header.n;
	buf_add(&s->bytes, v->header);
	buf_add(&s->bytes, v->body);
	*map_add(&a->index, s->key, NULL) = (uint64_t)(uintptr_t)s;
	put_first(a, s);
	a->bytes += n;
	while (a->bytes > a->limit)
		drop(a, a->oldest);
}

bool answers_find(struct answers *a, struct str url, struct answer_view *ret)
{
	struct answer_stored *s = find(a, url);

	if (!s)
		return false;
	unlink_one(a, s);
	put_first(a, s);
	*ret = (struct answer_view){
		.code = s->code,
		.header = str_slice(buf_str(&s->bytes), 0, s->header_bytes),
		.body = str_skip(buf_str(&s->bytes), s->header_bytes)
	};
	return true;
}
