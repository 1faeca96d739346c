#include "sketch/shingle_set.h"

#include <stdlib.h>

#include "base/alloc.h"

void shingle_set_release(struct shingle_set *s)
{
	map_release(&s->values);
	free(s->may);
	*s = (struct shingle_set){ 0 };
}

void shingle_set_add(struct shingle_set *s, uint32_t value)
{
	uint32_t low = value & ((1u << SHINGLE_SET_BITS) - 1);

	if (!s->may)
		s->may = xcalloc((size_t)1 << (SHINGLE_SET_BITS - 6), sizeof(*s->may));
	s->may[low >> 6] |= (uint64_t)1 << (low & 63);
	map_add(&s->values, value, NULL);
}
