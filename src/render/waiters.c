#include "render/waiters.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/hash.h"

void render_waiters_release(struct render_waiters *w)
{
	while (w->n)
		render_message_free(w->v[--w->n].m);
	free(w->v);
	*w = (struct render_waiters){ 0 };
}

void render_waiters_add(struct render_waiters *w, struct render_message *m)
{
	VEC_ADD(w->v, w->n, w->cap,
		(struct render_waiter){ hash64(buf_str(&m->url)), m });
}

const struct render_message *render_waiters_find(const struct render_waiters *w,
						 struct str url)
{
	uint64_t hash = hash64(url);

	for (size_t k = 0; k < w->n; k++)
		if (w->v[k].url == hash)
			return w->v[k].m;
	return NULL;
}

void render_waiters_answer(struct render_waiters *w, struct render_pool *p,
			   struct str url, const struct answer_view *v,
			   struct str refused)
{
	uint64_t hash = hash64(url);
	size_t kept = 0;

	for (size_t k = 0; k < w->n; k++) {
		struct render_waiter one = w->v[k];

		if (one.url != hash) {
			w->v[kept++] = one;
			continue;
		}
		if (v)
			render_pool_answer(p, one.m, v->code, v->header, v->body);
		else
			render_pool_refuse(p, one.m, refused);
		render_message_free(one.m);
	}
	w->n = kept;
}

static bool is_of(struct str url, struct str origin)
{
	return str_starts(url, origin) && (url.n == origin.n || url.p[origin.n] == '/');
}

void render_waiters_refuse(struct render_waiters *w, struct render_pool *p,
			   struct str origin, struct str why)
{
	size_t kept = 0;

	for (size_t k = 0; k < w->n; k++) {
		struct render_waiter one = w->v[k];

		if (!is_of(buf_str(&one.m->url), origin)) {
			w->v[kept++] = one;
			continue;
		}
		render_pool_refuse(p, one.m, why);
		render_message_free(one.m);
	}
	w->n = kept;
}
