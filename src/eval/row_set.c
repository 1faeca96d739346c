#include "eval/row_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void row_set_release(struct row_set *s)
{
	free(s->cells);
	free(s->slots);
	*s = (struct row_set){ .width = s->width };
}

static uint64_t hash_cells(const uint64_t *cells, size_t n)
{
	uint64_t h = n;

	for (size_t i = 0; i < n; i++)
		h = hash_mix(h ^ cells[i]) + i;
	return h;
}

static size_t find_slot(const struct row_set *s, const uint64_t *cells)
{
	size_t mask = s->n_slots - 1, at = hash_cells(cells, s->width) & mask;

	for (; s->slots[at]; at = (at + 1) & mask)
		if (memcmp(row_set_at(s, s->slots[at] - 1), cells,
			   s->width * sizeof(*cells)) == 0)
			break;
	return at;
}

static void grow(struct row_set *s)
{
	free(s->slots);
	s->n_slots = s->n_slots ? 2 * s->n_slots : 32;
	s->slots = xcalloc(s->n_slots, sizeof(*s->slots));
	for (size_t i = 0; i < s->n; i++)
		s->slots[find_slot(s, row_set_at(s, i))] = (uint32_t)(i + 1);
}

size_t row_set_add(struct exec *x, struct row_set *s, const uint64_t *cells,
		   bool *ret_new)
{
	if (2 * (s->n + 1) > s->n_slots)
		grow(s);
	size_t at = find_slot(s, cells);

	*ret_new = s->slots[at] == 0;
	if (!*ret_new)
		return s->slots[at] - 1;
	if (!exec_take_memory(x, (s->width + 1) * 8))
		return SIZE_MAX;
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 16;
		s->cells = xrealloc(s->cells, s->cap * (s->width + 1), sizeof(*s->cells));
	}
	if (s->width)
		memcpy(s->cells + s->n * s->width, cells, s->width * sizeof(*cells));
	s->slots[at] = (uint32_t)++s->n;
	return s->n - 1;
}
