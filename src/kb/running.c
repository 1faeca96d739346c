#include "kb/running.h"

#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

void running_init(struct running *r, size_t limit)
{
	*r = (struct running){ .limit = limit ? MIN(limit, RUNNING_MAX) : RUNNING_MAX };
	pthread_mutex_init(&r->lock, NULL);
}

void running_release(struct running *r)
{
	pthread_mutex_destroy(&r->lock);
}

/* Whole characters of the beginning. */
static struct str head_of(struct str text)
{
	struct str head = str_slice(text, 0, MIN(text.n, RUNNING_TEXT_BYTES));

	return str_slice(head, 0, utf8_valid_prefix(head));
}

struct running_query *running_add(struct running *r, struct str text, int64_t now_ms)
{
	struct running_query *q = NULL;
	struct str head = head_of(text);

	pthread_mutex_lock(&r->lock);
	if (r->n < r->limit) {
		q = r->v;
		while (q->id)
			q++;
		r->n++;
		q->id = ++r->last_id;
		q->start_ms = now_ms;
		q->n = head.n;
		memcpy(q->text, head.p, head.n);
		__atomic_store_n(&q->cancel, false, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&r->lock);
	return q;
}

void running_remove(struct running *r, struct running_query *q)
{
	pthread_mutex_lock(&r->lock);
	q->id = 0;
	r->n--;
	pthread_mutex_unlock(&r->lock);
}

bool running_cancel(struct running *r, uint64_t id)
{
	bool found = false;

	pthread_mutex_lock(&r->lock);
	for (size_t i = 0; id && i < RUNNING_MAX; i++)
		if (r->v[i].id == id) {
			__atomic_store_n(&r->v[i].cancel, true, __ATOMIC_RELAXED);
			found = true;
		}
	pthread_mutex_unlock(&r->lock);
	return found;
}

void running_format(struct running *r, int64_t now_ms, struct buf *to)
{
	struct json_out o = { .to = to };

	json_open(&o, '[');
	pthread_mutex_lock(&r->lock);
	for (uint64_t last = 0;;) {
		const struct running_query *next = NULL;

		for (const struct running_query *q = r->v; q < r->v + RUNNING_MAX; q++)
			if (q->id > last && (!next || q->id < next->id))
				next = q;
		if (!next)
			break;
		last = next->id;
		json_open(&o, '{');
		json_put_uint(&o, "id", next->id);
		json_put_int(&o, "ms", now_ms - next->start_ms);
		json_put_str(&o, "text", (struct str){ next->text, next->n });
		json_close(&o, '}');
	}
	pthread_mutex_unlock(&r->lock);
	json_close(&o, ']');
	buf_add_char(to, '\n');
}
