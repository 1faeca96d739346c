#include "dup/batch_common.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "dup/batch_run.h"
#include "dup/common_text.h"

#define TICK_EVERY 4096

void batch_common_init(struct batch_common *k, size_t documents)
{
	k->n = documents;
	k->text = xcalloc(documents + 1, sizeof(*k->text));
	k->met = xcalloc(documents / 64 + 1, sizeof(*k->met));
	for (size_t i = 0; i < documents; i++)
		k->text[i] = (uint32_t)i;
}

void batch_common_release(struct batch_common *k)
{
	free(k->text);
	free(k->met);
	*k = (struct batch_common){ 0 };
}

static bool has(const struct batch_common *k, size_t doc)
{
	return k->met[doc / 64] >> doc % 64 & 1;
}

void batch_common_meet(struct batch_common *k, uint32_t doc)
{
	k->met[doc / 64] |= (uint64_t)1 << doc % 64;
}

static uint32_t text_of(struct batch_common *k, uint32_t doc)
{
	while (k->text[doc] != doc)
		doc = k->text[doc] = k->text[k->text[doc]];
	return doc;
}

void batch_common_join(struct batch_common *k, uint32_t a, uint32_t b)
{
	uint32_t x = text_of(k, a), y = text_of(k, b);

	k->text[MAX(x, y)] = MIN(x, y);
}

bool batch_common_touches(const struct batch_common *k, const struct near_pair *p)
{
	return has(k, p->a) || has(k, p->b);
}

static enum status read_sketch(struct batch *b, size_t doc, struct diag *why)
{
	struct batch_print p;

	TRY(batch_read_print(b, doc, &b->other, &p, why));
	return page_sketch_decode_raw(p.sketch, &b->work.sketch);
}

static enum status tick(const struct batch *b, size_t done, struct diag *why)
{
	if (!b->options.tick || done % TICK_EVERY != 0)
		return ST_OK;
	return b->options.tick(b->options.tick_arg, "common text", done, b->n, why);
}

static enum status count_all(struct batch_common *k, struct batch *b,
			     struct common_text *c, struct diag *why)
{
	for (size_t i = 0; i < k->n; i++) {
		TRY(tick(b, i, why));
		if (!has(k, i) || k->text[i] != i)
			continue;
		TRY(read_sketch(b, i, why));
		common_text_count(c, &b->work.sketch);
	}
	return ST_OK;
}

static enum status find_all(struct batch_common *k, struct batch *b,
			    const struct common_text *c, struct diag *why)
{
	for (size_t i = 0; i < k->n; i++) {
		TRY(tick(b, i, why));
		if (!has(k, i))
			continue;
		TRY(read_sketch(b, i, why));
		if (!common_text_find(c, &b->work.sketch, &b->common))
			k->met[i / 64] &= ~((uint64_t)1 << i % 64);
	}
	return ST_OK;
}

/* Eight counters a value, if the budget has them: fresh memory is dear. */
static size_t table_bytes(const struct batch_common *k, const struct batch *b)
{
	uint64_t average = segment_end(&b->log) / sizeof(uint32_t) / (b->n + 1), met = 0;

	for (size_t i = 0; i <= k->n / 64; i++)
		met += (uint64_t)__builtin_popcountll(k->met[i]);
	return (size_t)MIN(8 * met * average, (uint64_t)b->options.memory_bytes / 16);
}

enum status batch_common_learn(struct batch_common *k, struct batch *b, struct diag *why)
{
	struct common_text c;

	common_text_init(&c, table_bytes(k, b));
	enum status st = count_all(k, b, &c, why);
	if (st == ST_OK && c.documents >= COMMON_DOCUMENTS)
		st = find_all(k, b, &c, why);
	common_text_release(&c);
	return st;
}
