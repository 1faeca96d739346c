#include "render/held.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

void render_held_free(struct render_held *h)
{
	buf_release(&h->bytes);
}

void render_helds_release(struct render_helds *l)
{
	while (l->n)
		render_held_free(&l->v[--l->n]);
	free(l->v);
	*l = (struct render_helds){ 0 };
}

void render_helds_add(struct render_helds *l, struct render_held h)
{
	struct str *texts[] = { &h.url, &h.via, &h.hops, &h.source, &h.words };
	size_t at = 0;

	if (l->n == RENDER_HELD_MAX)
		return;
	for (size_t k = 0; k < COUNT(texts); k++)
		buf_add(&h.bytes, *texts[k]);
	for (size_t k = 0; k < COUNT(texts); k++) {
		*texts[k] = str_slice(buf_str(&h.bytes), at, at + texts[k]->n);
		at += texts[k]->n;
	}
	VEC_ADD(l->v, l->n, l->cap, h);
}

bool render_helds_next(struct render_helds *l, struct render_learned *learned, size_t *at,
		       struct render_held *ret)
{
	size_t kept = *at;

	for (size_t k = *at; k < l->n; k++) {
		struct render_held h = l->v[k];
		struct render_bar bar = render_threshold(learned, h.template, h.host);

		if (h.need >= bar.from) {
			*ret = h;
			*at = kept;
			/* What was looked at stays in front, the rest behind it. */
			for (k++; k < l->n; k++)
				l->v[kept++] = l->v[k];
			l->n = kept;
			return true;
		}
		if (h.need >= bar.hold) {
			l->v[kept++] = h;
			continue;
		}
		render_note_skipped(learned, h.template);
		render_held_free(&h);
	}
	l->n = *at = kept;
	return false;
}

void render_helds_forget(struct render_helds *l, const struct map *queued)
{
	size_t kept = 0;

	for (size_t k = 0; k < l->n; k++)
		if (map_find(queued, hash64(l->v[k].url)))
			render_held_free(&l->v[k]);
		else
			l->v[kept++] = l->v[k];
	l->n = kept;
}
