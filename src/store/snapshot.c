#include "store/snapshot.h"

#include <stdlib.h>

#include "base/alloc.h"

struct snapshot *snapshot_share(struct snapshot *s)
{
	__atomic_fetch_add(&s->refs, 1, __ATOMIC_RELAXED);
	return s;
}

void snapshot_release(struct snapshot *s)
{
	if (!s || __atomic_sub_fetch(&s->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	for (size_t i = 0; i < s->n_runs; i++)
		run_release(s->runs[i]);
	for (size_t i = 0; i < s->n_parts; i++)
		dict_part_release(s->parts[i]);
	free(s->runs);
	free(s->parts);
	free(s);
}

void snapshot_add_run(struct snapshot *s, struct run *r)
{
	s->runs = xrealloc(s->runs, s->n_runs + 1, sizeof(*s->runs));
	s->runs[s->n_runs++] = r;
}

void snapshot_add_part(struct snapshot *s, struct dict_part *p)
{
	s->parts = xrealloc(s->parts, s->n_parts + 1, sizeof(*s->parts));
	s->parts[s->n_parts++] = p;
}

struct snapshot *snapshot_copy(const struct snapshot *s)
{
	struct snapshot *c = NEW(struct snapshot);

	c->refs = 1;
	for (size_t i = 0; i < s->n_runs; i++)
		snapshot_add_run(c, run_share(s->runs[i]));
	for (size_t i = 0; i < s->n_parts; i++)
		snapshot_add_part(c, dict_part_share(s->parts[i]));
	return c;
}

uint64_t snapshot_find(const struct snapshot *s, struct term t)
{
	cleanup(buf_release) struct buf key = { 0 };
	uint64_t id = t.kind == TERM_LITERAL ? id_from_literal(t) : ID_NONE;

	if (id != ID_NONE || (t.kind != TERM_IRI && t.kind != TERM_LITERAL))
		return id;
	term_to_key(t, &key);
	for (size_t i = s->n_parts; i-- > 0;) {
		uint64_t number = dict_part_find(s->parts[i], buf_str(&key));

		if (number != DICT_NONE)
			return id_make(t.kind == TERM_IRI ? TAG_IRI : TAG_LITERAL,
				       number);
	}
	return ID_NONE;
}

bool snapshot_term_near(const struct snapshot *s, uint64_t id, struct dict_cursor *c,
			struct arena *a, struct term *ret)
{
	char text[ID_TEXT_MAX];
	struct str key;

	if (id_is_inline(id) || id_tag(id) == TAG_BLANK) {
		*ret = id_to_term(id, text);
		ret->text = arena_copy(a, ret->text);
		return true;
	}
	if (!id_in_dictionary(id))
		return false;
	for (size_t i = s->n_parts; i-- > 0;)
		if (id_payload(id) >= s->parts[i]->first)
			return dict_part_key_near(s->parts[i], id_payload(id), c, &key) &&
			       term_from_key(arena_copy(a, key), ret);
	return false;
}

bool snapshot_term(const struct snapshot *s, uint64_t id, struct arena *a,
		   struct term *ret)
{
	cleanup(dict_cursor_release) struct dict_cursor c = { 0 };

	return snapshot_term_near(s, id, &c, a, ret);
}

uint64_t snapshot_count(const struct snapshot *s, enum order order, const struct row *key,
			unsigned bound)
{
	struct scan scan;
	uint64_t n;

	scan_open(&scan, s, order);
	n = scan_count(&scan, key, bound);
	scan_close(&scan);
	return n;
}

uint64_t snapshot_size(const struct snapshot *s)
{
	int64_t n = 0;

	for (size_t i = 0; i < s->n_runs; i++)
		n += s->runs[i]->n_live;
	return (uint64_t)n;
}

size_t snapshot_graphs(const struct snapshot *s, uint64_t **ret)
{
	struct row key = { { 1 } }; /* past the default graph */
	const struct row *rows;
	struct scan scan;
	size_t n = 0, cap = 0, chunk;

	*ret = NULL;
	scan_open(&scan, s, ORDER_SPO);
	scan_start(&scan, &(struct row){ { 0 } }, 0);
	for (;;) {
		scan_skip(&scan, &key, 1);
		if (!scan_next(&scan, &rows, &chunk))
			break;
		VEC_ADD(*ret, n, cap, rows[0].v[0]);
		key.v[0] = rows[0].v[0] + 1;
	}
	scan_close(&scan);
	return n;
}

bool snapshot_has_graph(const struct snapshot *s, uint64_t graph)
{
	return snapshot_count(s, ORDER_SPO, &(struct row){ { graph } }, 1) > 0;
}
